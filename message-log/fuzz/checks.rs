//! What must hold for any bytes at all. The fuzzer calls these with what it invents, the test
//! `tests/corpus.rs` with what it has found so far.

use message_log::*;
use std::io::Cursor;

fn read(name: &str, bytes: &[u8]) -> Option<(Vec<Event>, Vec<Damage>, usize)> {
    let (mut events, mut damage, mut sessions) = (Vec::new(), Vec::new(), Vec::new());
    for entry in Log::from_bytes(name, bytes).ok()? {
        match entry.ok()? {
            Entry::Segment(head) => sessions.push(head.session),
            Entry::Event(event) => events.push(event),
            Entry::Damage(found) => damage.push(found),
        }
    }
    sessions.dedup();
    Some((events, damage, sessions.len()))
}

fn write(events: &[Event]) -> Vec<u8> {
    let mut writer = LogWriter::begin(Vec::new(), &SegmentHead::default()).expect("memory");
    events.iter().for_each(|event| writer.write(event).expect("memory"));
    writer.finish().expect("memory")
}

/// Any bytes are read to their end; what was read is written and read again unchanged.
pub fn reader(bytes: &[u8]) {
    let Some((events, damage, sessions)) = read("fuzz", bytes) else { return };
    assert!(!events.is_empty() || !damage.is_empty() || sessions > 0, "neither events nor damage");
    if sessions > 1 {
        return;
    }
    let (again, ..) = read("again", &write(&events)).expect("what we write we read");
    assert_eq!(again.len(), events.len());
    // The first writing may replace what XML cannot name; from then on nothing changes.
    let (third, ..) = read("third", &write(&again)).expect("what we write we read");
    assert_eq!(third, again);
}

/// Any bytes behind a ring's first ones are recovered, in order and once.
pub fn ring(bytes: &[u8]) {
    let bytes = [RING_MAGIC.as_slice(), bytes].concat();
    let (header, events, _) = recover("fuzz", &bytes);
    let numbers: Vec<_> = events.iter().filter_map(|e| e.stamp).map(|s| (s.thread, s.sequence)).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(RingHeader::decode(&header.encode()).1, None);
}

/// Any bytes are an exported file or not; what can be read of them can be exported, and read again.
pub fn export(bytes: &[u8]) {
    let _ = Manifest::read("fuzz", Cursor::new(bytes));
    let mut packed = Cursor::new(Vec::new());
    let Ok(log) = Log::from_bytes("fuzz", bytes) else { return };
    let Ok(manifest) = Manifest::export(log, &mut packed) else { return };
    let packed = packed.into_inner();
    assert_eq!(Manifest::read("again", Cursor::new(&packed)).expect("our own manifest"), manifest);
    read("again", &packed).expect("our own export");
}
