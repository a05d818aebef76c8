//! Whatever is written is read again, in every form that a log can have.

mod support;

use message_log::*;
use proptest::prelude::*;
use std::io::Cursor;
use support::*;

fn utf16(bytes: &[u8], mark: bool) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The log among the lines of a host's own trace.
fn trace(events: &[Event]) -> Vec<u8> {
    let mut out = b"12:00:00 starting <msg type=\"1\"/> of my own\n".to_vec();
    let mut lines = write(&head(0), &[]);
    events.iter().for_each(|event| encode(event, &mut lines));
    for (i, line) in lines.split(|&b| b == b'\n').filter(|l| !l.is_empty()).enumerate() {
        out.extend(format!("12:00:{i:02} [trace] value < 7 & \"unbalanced\n").bytes());
        out.extend(if i % 2 == 0 { b"12:00:01 UL: ".as_slice() } else { b"UL:" });
        out.extend(line);
        out.extend(if i % 3 == 0 { b"\r\n".as_slice() } else { b"\n" });
    }
    out
}

proptest! {
    #[test]
    fn written_xml_is_read_again(events in any_events(true)) {
        let xml = write(&head(0), &events);
        prop_assert_eq!(read(&xml), (events, vec![]));
    }

    #[test]
    fn a_live_segment_without_its_end_is_read_too(events in any_events(true)) {
        let mut xml = write(&head(0), &events);
        xml.truncate(xml.len() - "</dashcam>\n".len());
        prop_assert_eq!(read(&xml), (events, vec![]));
    }

    #[test]
    fn every_encoding_is_read(events in any_events(true)) {
        let xml = write(&head(0), &events);
        let marked = [b"\xEF\xBB\xBF", xml.as_slice()].concat();
        prop_assert_eq!(read(&marked), (events.clone(), vec![]));
        prop_assert_eq!(read(&utf16(&xml, false)), (events.clone(), vec![]));
        prop_assert_eq!(read(&utf16(&xml, true)), (events, vec![]));
    }

    #[test]
    fn a_hosts_trace_is_read_as_it_is(events in any_events(true)) {
        let trace = trace(&events);
        prop_assert_eq!(read(&trace), (events.clone(), vec![]));
        prop_assert_eq!(read(&utf16(&trace, false)), (events, vec![]));
    }

    #[test]
    fn segments_in_any_order_are_one_log(events in any_events(true), cuts: [prop::sample::Index; 2], swap: bool) {
        let mut cuts = cuts.map(|cut| cut.index(events.len() + 1));
        cuts.sort_unstable();
        let pieces = [&events[..cuts[0]], &events[cuts[0]..cuts[1]], &events[cuts[1]..]];
        let files: Vec<_> = (0..3).map(|i| write(&head(i as u64), pieces[i])).collect();
        let names = if swap { ["z", "m", "a"] } else { ["m", "a", "z"] };
        let parts: Vec<_> = names.iter().copied().zip(files.iter().map(Vec::as_slice)).collect();
        prop_assert_eq!(read_parts(&parts), (events.clone(), vec![]));
        // The same segments, concatenated.
        prop_assert_eq!(read(&files.concat()), (events, vec![]));
    }

    #[test]
    fn an_export_holds_the_same_events(events in any_events(true)) {
        let xml = write(&head(0), &events);
        let mut file = Cursor::new(Vec::new());
        let manifest = Manifest::export(Log::from_bytes("a log", &xml).unwrap(), &mut file).unwrap();
        prop_assert_eq!(manifest.counts.events, events.len() as u64);
        let packed = file.into_inner();
        prop_assert_eq!(Manifest::read("x", Cursor::new(&packed)).unwrap(), manifest);
        prop_assert_eq!(read(&packed), (events, vec![]));
        // The same log gives the same bytes.
        let mut again = Cursor::new(Vec::new());
        Manifest::export(Log::from_bytes("a log", &packed).unwrap(), &mut again).unwrap();
        prop_assert_eq!(again.into_inner(), packed);
    }

    #[test]
    fn a_record_is_decoded_as_it_was_encoded(event in any_events(false).prop_filter_map("one", |mut e| e.pop())) {
        let mut bytes = vec![0xAA; 1 << 20];
        let size = encode_record(&event, &mut bytes);
        prop_assert_eq!(size % 8, 0);
        let (record, read) = Record::decode(&bytes).unwrap();
        prop_assert_eq!(read, size);
        let mut damage = Vec::new();
        let expected = Event { stamp: event.stamp, kind: event.kind, params: event.params };
        prop_assert_eq!(record.to_event(record.tick, &mut damage), expected);
        prop_assert!(damage.is_empty());
        // Once more, from what was read.
        let mut again = vec![0x55; size];
        prop_assert_eq!(record.encode(&mut again), Some(size));
        prop_assert_eq!(&again[..], &bytes[..size]);
        prop_assert_eq!(record.encode(&mut again[..size - 1]), None);
    }

    #[test]
    fn a_changed_byte_never_passes_for_a_record(
        event in any_events(false).prop_filter_map("one", |mut e| e.pop()), at: prop::sample::Index, change in 1u8..,
    ) {
        let mut bytes = vec![0; 1 << 20];
        let size = encode_record(&event, &mut bytes);
        bytes.truncate(size);
        bytes[at.index(size)] ^= change;
        prop_assert!(Record::decode(&bytes).is_err());
    }

    #[test]
    fn a_ring_and_the_segments_written_from_it_yield_each_record_once(
        events in any_events(false), drained: prop::sample::Index, stale: prop::sample::Index, start in 0usize..128,
    ) {
        // The recorder's thread adds the meaning of wParam and lParam; recovery adds the same.
        let mut events = events;
        events.iter_mut().for_each(add_facts);
        // Events up to `drained` are in XML; the ring's read index has advanced to `stale` only.
        let drained = drained.index(events.len() + 1);
        let stale = stale.index(drained + 1);
        let xml = write(&head(0), &events[..drained]);
        let ring = ring(&events[stale..], 1 << 16, start * 8);
        let (read, damage) = read_parts(&[("0.xml", &xml), ("1.ring", &ring)]);
        prop_assert_eq!(damage, vec![]);
        // Between threads the order is that of time, within a thread that of the numbers.
        for thread in 0..3 {
            let of = |events: &[Event]| -> Vec<Event> {
                events.iter().filter(|e| e.stamp.unwrap().thread == thread).cloned().collect()
            };
            prop_assert_eq!(of(&read), of(&events));
        }
    }
}

#[test]
fn texts_of_any_size_come_back() {
    let megabyte: Vec<u16> = (0..1u32 << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
    let forbidden = vec![0u16; 1 << 20];
    for text in
        [Text::default(), Text::from_wide(megabyte), Text::from_wide(forbidden), "x".repeat(1 << 20).into()]
    {
        let stamp = Stamp { sequence: u64::MAX, time: u64::MAX, thread: u32::MAX };
        let event = Event::new(stamp, Kind::Mark).with_text(Key::Text, text);
        let after = Event::new(Stamp { sequence: 1, time: 1, thread: 2 }, Kind::Mark);
        let events = vec![event.clone(), after];
        assert!(read(&write(&head(0), &events)) == (events, vec![]));
        let ring = ring(std::slice::from_ref(&event), 1 << 23, 0);
        assert!(read(&ring) == (vec![event], vec![]));
    }
}

#[test]
fn a_trace_whose_first_usage_line_comes_late_is_read() {
    let events = sample_session();
    let mut bytes = "a line of the host, with a < and a \" in it\n".repeat(40_000).into_bytes();
    bytes.extend(trace(&events));
    assert_eq!(read(&bytes), (events, vec![]));
}

#[test]
fn ansi_texts_are_converted_by_their_code_page() {
    let mut bytes = vec![0; 1024];
    let mut payload = Payload::new(&mut bytes[RECORD_HEADER..]);
    payload.ansi(Key::WindowName, 1252, b"Gr\xFC\xDFe");
    payload.ansi(Key::Text, 932, b"\x93\xFA\x96\x7B");
    payload.wide(Key::ItemText, &[0x41]);
    let len = payload.len();
    let record = Record {
        kind: RecordKind::Mark,
        thread: 1,
        sequence: 1,
        tick: 0,
        message: Message::default(),
        payload: &[],
    };
    record.seal(len, &mut bytes).unwrap();
    let mut damage = Vec::new();
    let event = Record::decode(&bytes).unwrap().0.to_event(0, &mut damage);
    assert_eq!(event.params.text(Key::WindowName), Some(&"Grüße".into()));
    assert_eq!(event.params.text(Key::Text), Some(&"日本".into()));
    assert_eq!(event.params.text(Key::ItemText), Some(&"A".into()));
    assert_eq!(damage, []);
}

#[test]
fn an_unknown_fact_passes_through_an_older_program() {
    let xml = br#"<dashcam version="1" session="s" segment="0" time="0" wall="">
<mark seq="1" time="1" thread="0"><param name="text" value="hi"/><param name="mood" value="a\u0000&lt;" escaped="true"/></mark>
</dashcam>"#;
    let (events, damage) = read(xml);
    assert_eq!(damage.len(), 1, "{damage:?}");
    assert_eq!(events[0].params.iter().nth(1), Some(&Param::Other("mood".into(), "a\0<".into())));
    let again = write(&head(0), &events);
    assert_eq!(read(&again).0, events);
}
