//! Malicious or accidental combinations: sessions that interfere with each other, legal XML that we would not
//! write, numbers and sizes that make no sense. Each of these failed once.

mod support;

use message_log::*;
use std::io::Cursor;
use support::*;

fn head(session: &str, number: u64) -> String {
    format!(
        "<dashcam version=\"1\" session=\"{session}\" segment=\"{number}\" time=\"0\" wall=\"2026-11-16T09:00:00.000+01:00\">\n"
    )
}

fn mark(n: u64) -> String {
    format!("<mark seq=\"{n}\" time=\"{n}\" thread=\"1\"><param name=\"text\" value=\"x\"/></mark>\n")
}

fn marks(range: std::ops::RangeInclusive<u64>) -> String {
    range.map(mark).collect()
}

fn read(parts: &[(&str, &[u8])]) -> (Vec<Event>, Vec<Damage>) {
    Log::open(parts.iter().map(|(n, b)| Part::from_bytes(*n, b)).collect()).unwrap().read_all().unwrap()
}

fn ring_of(session: &str, sequences: std::ops::RangeInclusive<u64>) -> Vec<u8> {
    let mut data = Vec::new();
    for sequence in sequences {
        let message = Message::default();
        let record =
            Record { kind: RecordKind::Mark, thread: 1, sequence, tick: sequence, message, payload: &[] };
        let mut out = [0; 80];
        record.encode(&mut out).unwrap();
        data.extend(out);
    }
    let capacity = data.len() as u64;
    let header = RingHeader {
        session: session.into(),
        started: 0,
        process: 1,
        thread: 1,
        thread_id: 1,
        capacity,
        tick_base: 0,
        tick_scale: 1 << 40,
        write_index: capacity,
        read_index: 0,
    };
    [header.encode(), data].concat()
}

#[test]
fn two_sessions_of_rings_alone_are_both_read() {
    let (a, b) = (ring_of("A", 1..=3), ring_of("B", 1..=3));
    assert_eq!(read(&[("a.ring", &a), ("b.ring", &b)]).0.len(), 6);
}

#[test]
fn a_session_of_rings_alone_costs_the_next_session_nothing() {
    let (a, b) = (ring_of("A", 1..=3), head("B", 0) + &marks(1..=4));
    assert_eq!(read(&[("a.ring", &a), ("b.xml", b.as_bytes())]).0.len(), 7);
}

#[test]
fn concatenated_sessions_survive_an_export() {
    let log = head("A", 0) + &marks(1..=2) + "</dashcam>\n" + &head("B", 0) + &marks(1..=3) + "</dashcam>\n";
    let mut file = Cursor::new(Vec::new());
    let manifest = Manifest::export(Log::from_bytes("l", log.as_bytes()).unwrap(), &mut file).unwrap();
    let (events, damage) = read(&[("e.dashcam", file.get_ref())]);
    assert_eq!((events.len() as u64, damage), (manifest.counts.events, vec![]));
}

#[test]
fn a_headless_segment_is_not_taken_for_a_copy_of_another_session() {
    let (a, b) = (head("A", 0) + &marks(1..=2), marks(1..=2));
    let c = head("B", 1) + &marks(3..=3);
    let (events, _) =
        read(&[("a/0.xml", a.as_bytes()), ("b/0.xml", b.as_bytes()), ("b/1.xml", c.as_bytes())]);
    assert_eq!(events.len(), 5);
}

#[test]
fn records_missing_behind_a_segment_read_twice_are_told() {
    let (a, b) = (head("A", 0) + &marks(1..=2), head("A", 1) + &marks(6..=6));
    let (_, damage) = read(&[("0", a.as_bytes()), ("0b", a.as_bytes()), ("1", b.as_bytes())]);
    assert!(
        damage.iter().any(|d| matches!(d.kind, DamageKind::RecordsMissing { first: 3, last: 5, .. })),
        "{damage:?}"
    );
}

#[test]
fn absurd_gaps_do_not_panic() {
    let gap = "<gap seq=\"9\" time=\"9\" thread=\"1\"><param name=\"gap.dropped\" value=\"18446744073709551615\"/><param name=\"gap.shed\" value=\"1\"/></gap>";
    let log = head("A", 0) + &mark(1) + gap;
    assert_eq!(read(&[("l", log.as_bytes())]).0.len(), 2);
}

#[test]
fn canonical_xml_is_read() {
    let log = head("A", 0)
        + "<mark seq=\"1\" time=\"1\" thread=\"1\"><param name=\"text\" value=\"a\"></param><param name=\"reason\" value=\"b\"></param></mark >\n</dashcam >";
    let (events, damage) = read(&[("l", log.as_bytes())]);
    assert_eq!((events[0].params.len(), damage), (2, vec![]));
}

#[test]
fn comments_and_quotes_of_other_makers_are_read() {
    for record in [
        "<mark><!-- c --><param name=\"text\" value=\"a\"/></mark>",
        "<mark><param name='text' value='say \"a'/></mark>",
    ] {
        let log = head("A", 0) + record + "\n";
        let (events, damage) = read(&[("l", log.as_bytes())]);
        assert_eq!((events[0].params.len(), damage), (1, vec![]), "{record}");
    }
}

#[test]
fn one_scratched_window_costs_one_window() {
    let window = |n| format!("<window><param name=\"window.hwnd\" value=\"{n}\"/></window>\n");
    let log = head("A", 0)
        + "<keyframe seq=\"1\" time=\"1\" thread=\"0\" windows=\"4\"/>\n"
        + &window(1)
        + &window(2).replace("<window>", "<windox>")
        + &window(3)
        + &window(4);
    let (events, _) = read(&[("l", log.as_bytes())]);
    let Kind::Keyframe(keyframe) = &events[0].kind else { panic!() };
    assert_eq!(keyframe.windows.len(), 3);
}

#[test]
fn a_mark_between_concatenated_logs_is_no_junk() {
    let log = head("A", 0) + &mark(1) + "</dashcam>\n\u{FEFF}" + &head("B", 0) + &mark(1);
    assert_eq!(read(&[("l", log.as_bytes())]).1, []);
}

#[test]
fn an_export_of_ours_is_not_refused() {
    let text = "A".repeat(1 << 20);
    let events: Vec<_> = (1..=80)
        .map(|n| {
            Event::new(Stamp { sequence: n, time: n, thread: 1 }, Kind::Mark)
                .with_text(Key::Text, text.as_str())
        })
        .collect();
    let log = write(&SegmentHead::default(), &events);
    let mut file = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("l", &log).unwrap(), &mut file).unwrap();
    Log::from_bytes("e", file.get_ref()).unwrap().read_all().unwrap();
}

#[test]
fn the_manifest_of_an_export_can_be_read() {
    let event = Event::new(Stamp { sequence: 1, time: 1, thread: 0 }, Kind::Session)
        .with_text(Key::ApplicationName, "n".repeat(1100 << 10));
    let log = write(&SegmentHead::default(), &[event]);
    let mut file = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("l", &log).unwrap(), &mut file).unwrap();
    Manifest::read("e", file).unwrap();
}

#[test]
fn the_newest_session_is_the_newest_in_any_offset_and_with_rings_alone() {
    let wall = |session: &str, wall: &str| {
        head(session, 0).replace("2026-11-16T09:00:00.000+01:00", wall) + &mark(1)
    };
    let (old, new) =
        (wall("OLD", "2026-10-25T02:50:00.000+02:00"), wall("NEW", "2026-10-25T02:10:00.000+01:00"));
    let log = Log::open(vec![Part::from_bytes("a", old.as_bytes()), Part::from_bytes("b", new.as_bytes())])
        .unwrap();
    assert_eq!(log.newest().sessions(), ["NEW"]);
}

#[test]
fn a_long_session_name_is_the_same_in_ring_and_segment() {
    let name = "123e4567-e89b-12d3-a456-426614174000";
    let (xml, ring) = (head(name, 0) + &marks(1..=2), ring_of(name, 1..=3));
    assert_eq!(
        Log::open(vec![Part::from_bytes("0.xml", xml.as_bytes()), Part::from_bytes("1.ring", &ring)])
            .unwrap()
            .sessions()
            .len(),
        1
    );
}

/// If the work grew faster than the ring, this would take hours.
#[test]
fn many_threads_in_a_ring_are_read_to_the_end() {
    let mut data = Vec::new();
    for thread in 0..200_000 {
        let message = Message::default();
        let mut out = [0; 80];
        Record { kind: RecordKind::Mark, thread, sequence: 1, tick: 1, message, payload: &[] }
            .encode(&mut out)
            .unwrap();
        data.extend(out);
    }
    let capacity = data.len() as u64;
    let header = RingHeader {
        session: "S".into(),
        started: 0,
        process: 1,
        thread: 1,
        thread_id: 1,
        capacity,
        tick_base: 0,
        tick_scale: 1 << 40,
        write_index: capacity,
        read_index: 0,
    };
    let ring = [header.encode(), data].concat();
    assert_eq!(read(&[("r.ring", &ring)]).0.len(), 200_000);
}

/// With a loop over all threads per gap, this would take minutes.
#[test]
fn unnumbered_gaps_cost_no_walk_over_all_threads() {
    let threads: String =
        (0..65_000).map(|t| format!("<mark seq=\"1\" time=\"1\" thread=\"{t}\"/>\n")).collect();
    let log = head("A", 0) + &threads + &"<gap/>".repeat(500_000);
    assert_eq!(read(&[("l", log.as_bytes())]).0.len(), 565_000);
}

#[test]
fn a_ring_with_a_scratched_header_stays_with_its_folder() {
    let (xml, ring) = (head("A", 0) + &marks(1..=2), ring_of("A", 1..=4));
    for at in [0, 3, 9, 17, 60] {
        let mut ring = ring.clone();
        ring[at] ^= 4;
        let (events, damage) = read(&[("s/0.xml", xml.as_bytes()), ("s/t.ring", &ring)]);
        assert_eq!(events.len(), 4, "byte {at}: {damage:?}");
        assert!(!damage.is_empty(), "byte {at}");
    }
}

#[test]
fn a_record_that_a_death_cut_short_is_no_loss_if_the_ring_has_it() {
    let text = head("A", 0) + &marks(1..=3);
    let begins = text.len() - mark(3).len();
    let (whole, short) = (ring_of("A", 2..=4), ring_of("A", 1..=2));
    let mut scratched = whole.clone();
    *scratched.last_mut().unwrap() ^= 1;
    for end in begins + 1..text.len() - 1 {
        let cut = &text.as_bytes()[..end];
        let (events, damage) = read(&[("s/0.xml", cut), ("s/t.ring", &whole)]);
        assert_eq!((events.len(), damage.len()), (4, 0), "{end}: {damage:?}");
        // A record that exists nowhere else is reported.
        let (events, damage) = read(&[("s/0.xml", cut), ("s/t.ring", &short)]);
        assert_eq!((events.len(), damage.len()), (2, 1), "{end}: {damage:?}");
        assert!(damage[0].is_loss());
        let (_, damage) = read(&[("s/0.xml", cut), ("s/t.ring", &scratched)]);
        assert!(matches!(damage[0].kind, DamageKind::Cut { .. }), "{end}: {damage:?}");
        let more = head("A", 1) + &mark(4);
        let (_, damage) = read(&[("s/0.xml", cut), ("s/1.xml", more.as_bytes()), ("s/t.ring", &whole)]);
        assert!(matches!(damage[0].kind, DamageKind::Cut { .. }), "{end}: {damage:?}");
    }
    // The recorder's own records are in no ring.
    let own = head("A", 0) + &marks(1..=3) + "<statistics seq=\"9\"";
    let (_, damage) = read(&[("s/0.xml", own.as_bytes()), ("s/t.ring", &whole)]);
    assert_eq!(damage[0].kind, DamageKind::Cut { element: "statistics".into() });
}

#[test]
fn a_file_that_cannot_be_read_costs_no_other_file() {
    let xml = head("A", 0) + &marks(1..=2);
    let gone = || Err::<Cursor<Vec<u8>>, _>(std::io::Error::from(std::io::ErrorKind::PermissionDenied));
    let parts = vec![Part::from_bytes("0.xml", xml.as_bytes()), Part::new("1.xml", gone)];
    let (events, damage) = Log::open(parts).unwrap().read_all().unwrap();
    assert_eq!((events.len(), damage.len()), (2, 1));
    assert!(matches!(damage[0].kind, DamageKind::UnreadableFile { .. }));
    assert!(matches!(Log::open(vec![Part::new("1.xml", gone)]), Err(Error::Io { .. })));
}

#[test]
fn a_log_that_begins_in_the_middle_says_so() {
    let (_, damage) = read(&[("7.xml", (head("A", 7) + &mark(900)).as_bytes())]);
    assert_eq!(damage.len(), 1);
    assert_eq!(damage[0].kind, DamageKind::SegmentsGone { first: 0, last: 6 });
    assert!(damage[0].is_loss());
}

#[test]
fn a_log_behind_a_trace_is_read_too() {
    let trace = "12:00 <thread 12> the host\n12:00 UL:  ".to_string()
        + &" ".repeat(200)
        + &head("A", 0)
        + "UL:"
        + &mark(1);
    let log = trace + "12:00 the host ends\n" + &head("B", 0) + &mark(1);
    let (events, damage) = read(&[("l", log.as_bytes())]);
    assert_eq!((events.len(), damage), (2, vec![]));
}

#[test]
fn records_no_reader_would_take_are_not_written() {
    let event = Event::new(Stamp { sequence: 1, time: 1, thread: 0 }, Kind::Mark)
        .with_text(Key::Text, "\"".repeat(6 << 20));
    let mut writer = LogWriter::begin(Vec::new(), &SegmentHead::default()).unwrap();
    assert_eq!(writer.write(&event).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn a_size_that_only_the_directory_claims_does_not_raise_the_limit() {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("log.xml", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&vec![b' '; 70 << 20]).unwrap();
    let mut bytes = zip.finish().unwrap().into_inner();
    let directory = bytes.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    bytes[directory + 20..directory + 24].copy_from_slice(&0x0F00_0000u32.to_le_bytes());
    let read = Log::from_bytes("bomb.dashcam", &bytes).and_then(Log::read_all);
    assert!(matches!(read, Err(Error::Refused { .. })), "{read:?}");
}

/// A recorder that is still running: a thread ends, its ring is deleted, and another segment has its records.
#[test]
fn a_ring_that_goes_while_a_folder_is_read_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("20261117T100000");
    let (ring, segment) = (session.join("thread-1.ring"), session.join("segment-000000.xml"));
    std::fs::create_dir(&session).unwrap();
    std::fs::write(&ring, ring_of("S", 4..=6)).unwrap();
    std::fs::write(&segment, head("S", 0) + &marks(1..=3)).unwrap();
    let parts = parts_below(folder.path(), 1).unwrap();
    std::fs::remove_file(&ring).unwrap();
    std::fs::write(&segment, head("S", 0) + &marks(1..=8)).unwrap();
    let log = Log::open(parts).unwrap();
    let (events, damage) = log.read_all().unwrap();
    assert_eq!((events.len(), damage), (8, vec![]));
    // A segment that rotation has deleted is reported.
    std::fs::write(session.join("segment-000001.xml"), head("S", 1) + &marks(9..=9)).unwrap();
    let log = Log::open(parts_below(folder.path(), 1).unwrap()).unwrap();
    std::fs::remove_file(&segment).unwrap();
    let (events, damage) = log.read_all().unwrap();
    assert_eq!(events.len(), 1);
    assert!(matches!(damage[0].kind, DamageKind::UnreadableFile { .. }), "{damage:?}");
}
