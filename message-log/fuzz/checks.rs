//! What must hold for any bytes. The fuzzer calls these functions with generated input, the test
//! `tests/corpus.rs` with everything found so far.

use message_log::*;
use std::collections::BTreeSet;
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
    // The first writing may replace what XML cannot express; after that nothing changes.
    let (third, ..) = read("third", &write(&again)).expect("what we write we read");
    assert_eq!(third, again);
}

/// Any bytes after the beginning of a ring are recovered, in order and once; so are any records in an intact
/// ring.
pub fn ring(bytes: &[u8]) {
    recovered(&[RING_MAGIC.as_slice(), bytes].concat());
    sound_ring(bytes);
}

fn recovered(bytes: &[u8]) -> Vec<(u32, u64)> {
    let (header, events, _) = recover("fuzz", bytes);
    let numbers: Vec<_> = events.iter().filter_map(|e| e.stamp).map(|s| (s.thread, s.sequence)).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(RingHeader::decode(&header.encode()).1, None);
    numbers
}

/// Random bytes never have a valid checksum, so pieces of the input become records with one. Each begins with
/// a byte for the record's kind, or for junk, and one for its length. If the input has no junk and the
/// indices are valid, every record must be recovered.
fn sound_ring(bytes: &[u8]) {
    let (mut area, mut written, mut has_junk) = (Vec::new(), BTreeSet::new(), false);
    let Some((&[turn, spoil], mut rest)) = bytes.split_first_chunk::<2>() else { return };
    while let Some((&[control, length], more)) = rest.split_first_chunk::<2>() {
        let (piece, more) = more.split_at(more.len().min(length.into()));
        rest = more;
        let Some(&kind) = KINDS.get(usize::from(control % 16)) else {
            has_junk = true;
            area.extend(piece);
            area.resize(area.len().next_multiple_of(8), 0);
            continue;
        };
        let sequence = u64::from(control / 16) + area.len() as u64 * u64::from(spoil % 2);
        let message = Message { number: u32::from(length) * 4, ..Message::default() };
        let record = Record { kind, thread: 1, sequence, tick: sequence, message, payload: piece };
        let from = area.len();
        area.resize(from + Record::size(piece.len()), 0);
        record.encode(&mut area[from..]).expect("room");
        written.insert((1, sequence));
    }
    let capacity = area.len() as u64;
    if capacity == 0 {
        return;
    }
    // Rotated, so that a record crosses the end, and full.
    let by = usize::from(turn) * 8 % area.len();
    area.rotate_right(by);
    let (read_index, spoilt) = (by as u64, spoil > 1);
    let header = RingHeader {
        session: "fuzz".into(),
        started: 0,
        process: 1,
        thread: 1,
        thread_id: 1,
        capacity,
        tick_base: 0,
        tick_scale: 1 << 40,
        write_index: (read_index + capacity + if spoilt { u64::from(spoil) * 8 } else { 0 }) % (2 * capacity),
        read_index,
    };
    let found = recovered(&[header.encode(), area].concat());
    assert!(has_junk || spoilt || found.into_iter().collect::<BTreeSet<_>>() == written);
}

const KINDS: [RecordKind; 10] = [
    RecordKind::Message,
    RecordKind::Session,
    RecordKind::Thread,
    RecordKind::Mark,
    RecordKind::Gap,
    RecordKind::Crash,
    RecordKind::Hang,
    RecordKind::Recording,
    RecordKind::Statistics,
    RecordKind::Act,
];

/// Any bytes are an exported file or not; what can be read of them can be exported and read again.
pub fn export(bytes: &[u8]) {
    let _ = Manifest::read("fuzz", Cursor::new(bytes));
    let mut packed = Cursor::new(Vec::new());
    let Ok(log) = Log::from_bytes("fuzz", bytes) else { return };
    let Ok(manifest) = Manifest::export(log, &mut packed) else { return };
    let packed = packed.into_inner();
    assert_eq!(Manifest::read("again", Cursor::new(&packed)).expect("our own manifest"), manifest);
    read("again", &packed).expect("our own export");
}
