//! Damage is data: what is readable is read, what is wrong is told, and nothing else happens.

mod support;

use message_log::*;
use support::*;
use win32_vocabulary::messages::{WM_COMMAND, WM_CREATE, WM_LBUTTONDOWN, WM_LBUTTONUP};

/// Reads a log that consists of these records between the usual head and end, and checks the kinds of damage.
#[track_caller]
fn check(records: &str, events: usize, expected: &[&str]) -> Vec<Event> {
    let xml = format!(
        "<?xml version=\"1.0\"?>\n<dashcam version=\"1\" session=\"s\" segment=\"0\">\n{records}\n</dashcam>\n"
    );
    let (read, damage) = read(xml.as_bytes());
    let told: Vec<_> = damage.iter().map(|d| d.kind.to_string()).collect();
    assert_eq!(told, expected, "{read:#?}");
    assert_eq!(read.len(), events, "{read:#?}");
    read
}

fn mark(number: u64) -> String {
    format!(
        "<mark seq=\"{number}\" time=\"{number}\" thread=\"1\"><param name=\"text\" value=\"m{number}\"/></mark>"
    )
}

#[test]
fn the_papers_figure_is_a_log() {
    // Herbold et al., Figure 3: a click and the dialog it opens, in the paper's own layout.
    let figure = std::fs::read_to_string(folder("old-logs").join("paper-figure-3.xml")).unwrap();
    let (events, damage) = read(figure.as_bytes());
    assert_eq!(damage, []);
    let facts: Vec<_> =
        events.iter().map(|e| (e.message().unwrap().number, e.message().unwrap().hwnd)).collect();
    assert_eq!(
        facts,
        [(WM_LBUTTONDOWN, 919_280), (WM_LBUTTONUP, 919_280), (WM_COMMAND, 330_554), (WM_CREATE, 657_830),]
    );
    assert_eq!(events[2].params.unsigned(Key::Source), Some(919_280));
    assert_eq!(events[3].params.unsigned(Key::WindowParent), Some(789_102));
    assert_eq!(events[3].params.signed(Key::WindowResourceId), Some(1034));
    assert_eq!(events[3].params.text(Key::WindowClass), Some(&"#32770".into()));

    // The same after `UL:`, line by line, in a host's trace.
    let trace: String = figure.lines().map(|line| format!("11:02:33 [gui] 0x4f\nUL:{line}\n")).collect();
    assert_eq!(read(trace.as_bytes()), (events, vec![]));
}

#[test]
fn missing_end_tags_cost_nothing_but_a_word() {
    let open = mark(1).replace("</mark>", "");
    check(&format!("{open}\n{}", mark(2)), 2, &["a <mark> without an end tag"]);
    check(
        &format!("{}\n{open}", mark(2)).replace("seq=\"1\"", "seq=\"3\""),
        2,
        &["a <mark> without an end tag", "the time of thread 1 goes back by 1 µs at record 3"],
    );
}

#[test]
fn a_segment_torn_by_a_crash_does_not_deliver_half_a_record() {
    let torn = "<dashcam version=\"1\" session=\"s\" segment=\"0\">\n<msg type=\"273\" seq=\"1\" time=\"1\" thread=\"1\"><param name=\"window.hwnd\" value=\"5\"/>";
    let next = "<?xml version=\"1.0\"?>\n<dashcam version=\"1\" session=\"s\" segment=\"1\">\n<msg type=\"273\" seq=\"1\" time=\"1\" thread=\"1\"><param name=\"window.hwnd\" value=\"5\"/><param name=\"command\" value=\"7\"/></msg>\n";
    for log in [format!("{torn}{next}"), format!("{torn}{}", next.split_once('\n').unwrap().1)] {
        let (events, damage) = read(log.as_bytes());
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].params.unsigned(Key::Command), Some(7));
        assert_eq!(damage.len(), 1);
        assert_eq!(damage[0].kind, DamageKind::Cut { element: "msg".into() });
    }
}

#[test]
fn what_we_do_not_know_is_told_once_and_kept_where_it_can_be() {
    let odd = "<msg type=\"4294967295\" seq=\"1\" time=\"1\" thread=\"1\"><param name=\"window.hwnd\" value=\"1\"/><param name=\"new\" value=\"1\"/></msg>";
    let again = odd.replace("seq=\"1\"", "seq=\"2\"");
    let events = check(
        &format!("{odd}\n{again}\n<later seq=\"9\"><param name=\"a\" value=\"b\"/></later>"),
        2,
        &["an unknown fact \"new\"", "an unknown <later>"],
    );
    assert_eq!(events[0].message().unwrap().number, u32::MAX);
    assert_eq!(events[0].params.len(), 1);
}

#[test]
fn wrong_values_are_kept_as_text_and_wrong_numbers_make_no_event() {
    let wrong = mark(1).replace("text", "command");
    let events = check(&wrong, 1, &["\"command\" has a value of the wrong type"]);
    assert_eq!(events[0].params.iter().next(), Some(&Param::Other("command".into(), "m1".into())));
    check(
        &mark(1).replace("seq=\"1\"", "seq=\"one\""),
        0,
        &["an unreadable <mark>: \"seq\" is missing or no number"],
    );
    check(
        "<msg seq=\"1\" time=\"1\" thread=\"1\"/>",
        0,
        &["an unreadable <msg>: \"type\" is missing or no number"],
    );
}

#[test]
fn junk_between_records_is_measured() {
    check(&format!("{}\nwhat is this\n{}", mark(1), mark(2)), 2, &["13 unreadable bytes"]);
    check(
        &format!("<html>x</html>{}", mark(1)),
        1,
        &["an unreadable <html>: something else than params inside"],
    );
    check(&format!("<html><p>x{}", mark(1)), 1, &["10 unreadable bytes"]);
    check(&format!("<!-- a comment --><!DOCTYPE x>{}", mark(1)), 1, &["12 unreadable bytes"]);
}

#[test]
fn entities_are_not_expanded() {
    let bomb = mark(1).replace("m1", "&lol;");
    let (events, damage) = read(bomb.as_bytes());
    assert_eq!(events[0].params.iter().next(), Some(&Param::Other("text".into(), "&lol;".into())));
    assert_eq!(
        damage.iter().map(|d| d.kind.to_string()).collect::<Vec<_>>(),
        ["\"text\" has a value of the wrong type"]
    );
}

#[test]
fn times_running_backwards_and_missing_records_are_told() {
    check(
        &[mark(5), mark(9), mark(10).replace("time=\"10\"", "time=\"1\"")].join("\n"),
        3,
        &["records 6 to 8 of thread 1 are missing", "the time of thread 1 goes back by 8 µs at record 10"],
    );
}

#[test]
fn a_keyframe_that_lacks_windows_says_so() {
    let window = "<window><param name=\"window.hwnd\" value=\"1\"/></window>";
    let keyframe = "<keyframe seq=\"1\" time=\"1\" thread=\"0\" windows=\"3\"/>";
    let events = check(
        &format!("{keyframe}\n{window}\n{window}\n{}", mark(1)),
        2,
        &["a keyframe with 2 of 3 windows"],
    );
    assert!(matches!(&events[0].kind, Kind::Keyframe(k) if !k.complete && k.windows.len() == 2));
    check(&format!("{window}\n{}", mark(1)), 1, &["an unreadable <window>: it belongs to no keyframe"]);
}

#[test]
fn segments_twice_out_of_order_or_gone_are_told() {
    let events = sample_session();
    let (a, b) = events.split_at(8);
    let (first, second) = (write(&head(0), a), write(&head(1), b));
    let twice = read(&[first.as_slice(), &second, &first].concat());
    assert_eq!(twice.0, events);
    assert!(twice.1.iter().any(|d| d.kind == DamageKind::DuplicateSegment { number: 0 }), "{:?}", twice.1);
    assert!(twice.1.iter().any(|d| matches!(d.kind, DamageKind::DuplicateRecords { .. })));

    let swapped = read(&[second.as_slice(), &first].concat());
    assert_eq!(swapped.0.len(), events.len());
    assert!(
        swapped.1.iter().any(|d| d.kind == DamageKind::SegmentOutOfOrder { number: 0 }),
        "{:?}",
        swapped.1
    );

    let later = write(&head(7), b);
    let gone = read_parts(&[("a", &later), ("b", &first)]);
    assert_eq!(gone.0, events);
    assert_eq!(
        gone.1.iter().map(|d| d.kind.clone()).collect::<Vec<_>>(),
        [DamageKind::SegmentsGone { first: 1, last: 6 }]
    );
}

#[test]
fn a_segment_without_its_head_stays_beside_its_neighbour() {
    let events = sample_session();
    let (a, rest) = events.split_at(5);
    let (b, c) = rest.split_at(5);
    let headless: Vec<u8> =
        write(&head(1), b).split_inclusive(|&b| b == b'\n').skip(2).flatten().copied().collect();
    let (read, _) =
        read_parts(&[("0.xml", &write(&head(0), a)), ("1.xml", &headless), ("2.xml", &write(&head(2), c))]);
    assert_eq!(read, events);
}

#[test]
fn a_scratched_head_still_begins_another_session() {
    let other = |xml: Vec<u8>, from: &str, to: &str| {
        String::from_utf8(xml).unwrap().replacen(from, to, 1).into_bytes()
    };
    let first = write(&head(0), &sample_session());
    let second = other(first.clone(), "session=\"7", "session=\"8");
    let second = other(second, "segment=\"0\"", "segment=\"x\"");
    let (events, damage) = read(&[first, second].concat());
    assert_eq!(events.len(), 2 * sample_session().len());
    let told: Vec<_> = damage.iter().map(|d| d.kind.to_string()).collect();
    assert_eq!(told, ["an unreadable <dashcam>: \"segment\" is missing or no number"]);
}

#[test]
fn a_newer_version_is_refused_in_one_sentence() {
    let newer = write(&head(0), &sample_session());
    let newer =
        String::from_utf8(newer).unwrap().replacen("<dashcam version=\"2\"", "<dashcam version=\"3\"", 1);
    let error = Log::from_bytes("bug.xml", newer.as_bytes()).err().unwrap();
    let sentence =
        "bug.xml is written in format version 3, this program reads up to version 2: use a newer dashcam";
    assert_eq!(error.to_string(), sentence);
    // The older log before it is still read.
    let both = [write(&head(0), &sample_session()), newer.into_bytes()].concat();
    let entries: Vec<_> = Log::from_bytes("bug.xml", &both).unwrap().collect();
    assert!(entries.len() > sample_session().len());
    assert!(matches!(entries.last(), Some(Err(Error::NewerVersion { found: 3, .. }))));
}

#[test]
fn a_newer_ring_is_refused() {
    let mut ring = ring(&[], 4096, 0);
    ring[8] = RING_VERSION as u8 + 1;
    // The checksum covers the version: changed alone it is damage, and the records are recovered.
    let (_, damage) = read(&ring);
    assert_eq!(
        damage.iter().map(|d| d.kind.clone()).collect::<Vec<_>>(),
        [DamageKind::RingHeader { reason: "its checksum is wrong" },]
    );
}

#[test]
fn nothing_is_no_log_and_no_error() {
    for bytes in [
        b"".as_slice(),
        b"\0\0\0",
        b"\xFF\xFE",
        b"GIF89a<>",
        b"<",
        b"<dashcam",
        b"</dashcam>",
        b"UL:",
        b"DASHRING",
        b"PK",
    ] {
        let (events, damage) = read(bytes);
        assert_eq!(events, []);
        assert!(!damage.is_empty(), "{bytes:?}");
    }
}

/// A record without an end costs bounded memory, and the log continues after it.
#[test]
fn a_gigabyte_attribute_is_damage() {
    struct Endless {
        left: u64,
        tail: &'static [u8],
    }
    impl std::io::Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            if self.left == 0 {
                return self.tail.read(out);
            }
            let n = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            out[..n].fill(b'a');
            self.left -= n as u64;
            Ok(n)
        }
    }
    impl std::io::Seek for Endless {
        fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
            Ok(0)
        }
    }
    let open = || {
        let start = b"<dashcam version=\"1\" session=\"s\">\n<mark seq=\"1\" time=\"1\" thread=\"1\"><param name=\"text\" value=\"";
        let tail = b"\"/></mark>\n<mark seq=\"2\" time=\"2\" thread=\"1\"/>\n";
        use std::io::Read;
        Ok(Seekable(start.chain(Endless { left: 1 << 30, tail })))
    };
    let (events, damage) = Log::open(vec![Part::new("huge", open)]).unwrap().read_all().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(damage[0].kind, DamageKind::TooLong { limit: MAX_RECORD_BYTES });
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        peak.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(peak.is_none_or(|kb| kb < 300 << 10), "a peak of {peak:?} kB for one record");
}

struct Seekable<R>(R);
impl<R: std::io::Read> std::io::Read for Seekable<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(out)
    }
}
impl<R> std::io::Seek for Seekable<R> {
    fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
        Ok(0)
    }
}

/// However each byte might begin something, the time is proportional to the length.
#[test]
fn hostile_repetition_is_read_to_its_end() {
    for piece in [
        "<",
        "<msg ",
        "<msg>",
        "<!--",
        "<?",
        "</",
        "<msg a=\"",
        "UL:<",
        "<msg><param ",
        "<a>",
        "<a/>",
        "\"<>",
        "<keyframe windows=\"9\"/>",
        "<window/>",
    ] {
        let bytes = piece.repeat((4 << 20) / piece.len());
        let log = Log::from_bytes("x", bytes.as_bytes()).unwrap();
        let entries = log.map(|entry| entry.map(drop)).collect::<Result<Vec<()>, _>>().unwrap();
        assert!(!entries.is_empty(), "{piece}");
    }
}

#[test]
fn broken_logs_yield_what_is_left_of_them() {
    for (name, events, damage) in [
        ("cut-in-a-record.xml", 5, 1),
        ("headless.xml", 16, 0),
        ("two-sessions-behind-each-other.xml", 32, 0),
        ("scratched.xml", 11, 18),
        ("torn-page.ring", 5, 2),
        ("cut.dashcam", 14, 3),
    ] {
        let bytes = std::fs::read(folder("broken-logs").join(name)).unwrap();
        let (read, told) = Log::from_bytes(name, &bytes).unwrap().read_all().unwrap();
        assert_eq!((read.len(), told.len()), (events, damage), "{name}: {told:#?}");
    }
}
