//! The speed of the log, each figure beside a reference and a floor that are measured in the same run.
//!
//! Prints one JSON object per row for `cargo xtask bench`. The machine is shared, so the rounds of all
//! contestants are interleaved and the median counts.

use message_log::*;
use quick_xml::events::Event as Xml;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;
use win32_vocabulary::messages::{WM_CHAR, WM_COMMAND, WM_LBUTTONDOWN, WM_LBUTTONUP};

const ROUNDS: usize = 9;
const MESSAGES: u64 = 200_000;
const RECORDS: usize = 200_000;

fn main() {
    let events: Vec<_> = (0..MESSAGES).map(message).collect();
    reader(&events);
    lengths(&events);
    writer(&events);
    drain(&events);
    record();
}

/// The usual content of a session: clicks, keys, commands, sometimes a new window.
fn message(i: u64) -> Event {
    let kind = |number, hook, wparam, lparam| {
        let depth = 1840 + (i % 4) as u32 * 760;
        Kind::Message(Message {
            number,
            hwnd: 919_280 + i % 64,
            window_id: i % 64,
            hook,
            depth,
            posted_at: 0,
            wparam,
            lparam,
        })
    };
    let event = |kind| Event::new(Stamp { sequence: i + 1, time: i * 1234, thread: 1 }, kind);
    match i % 8 {
        0 => event(kind(WM_LBUTTONDOWN, Hook::Posted, 1, 458_764))
            .with(Key::PointClient, Value::Point(Point { x: 12, y: 7 })),
        1 => event(kind(WM_LBUTTONUP, Hook::Posted, 0, 458_764))
            .with(Key::PointClient, Value::Point(Point { x: 12, y: 7 })),
        2 => event(kind(WM_COMMAND, Hook::Sent, 31_067, 919_280))
            .with_number(Key::Command, 31_067)
            .with_number(Key::Notification, 0)
            .with_number(Key::Source, 919_280),
        3 => event(kind(1, Hook::Sent, 0, 0))
            .with_number(Key::WindowParent, 330_554)
            .with_number(Key::WindowResourceId, 1034)
            .with_text(Key::WindowClass, "#32770")
            .with_text(Key::WindowName, "Position hinzufügen"),
        4 => event(kind(12, Hook::Sent, 0, 0)).with_text(Key::Text, "Rechnung 4711 – Ärzte & Söhne"),
        5 => event(kind(7, Hook::Sent, 657_844, 0)).with_number(Key::OtherWindow, 657_844),
        _ => event(kind(WM_CHAR, Hook::Posted, 97, 1)).with_number(Key::Character, 97),
    }
}

fn log(events: &[Event]) -> Vec<u8> {
    let head = SegmentHead { version: FORMAT_VERSION, session: "bench".into(), ..SegmentHead::default() };
    let mut writer = LogWriter::begin(Vec::new(), &head).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    writer.finish().unwrap()
}

fn read(xml: &[u8], expected: usize) {
    let log = Log::from_bytes("bench", xml).unwrap();
    assert_eq!(log.filter(|e| matches!(e, Ok(Entry::Event(_)))).count(), expected);
}

fn reader(events: &[Event]) {
    let xml = log(events);
    let megabytes = xml.len() as f64 / 1e6;
    let ours = || read(&xml, events.len());
    let text = std::str::from_utf8(&xml).unwrap();
    // Extracts as much as we do: the number of records and of facts.
    let counting = || {
        let (mut reader, mut n) = (quick_xml::Reader::from_str(text), 0);
        loop {
            match reader.read_event().unwrap() {
                Xml::Eof => break,
                Xml::Start(tag) | Xml::Empty(tag) => n += 1 + tag.attributes().flatten().count(),
                _ => {}
            }
        }
        black_box(n);
    };
    // Skips the tags without reading their content.
    let passing = || {
        let (mut reader, mut n) = (quick_xml::Reader::from_str(text), 0);
        while !matches!(reader.read_event().unwrap(), Xml::Eof) {
            n += 1;
        }
        black_box(n);
    };
    let [ours, counting, passing] = measure([&ours, &counting, &passing]).map(|s| megabytes / s);
    row(
        "reader, XML to events",
        "MB/s",
        ours,
        ("quick-xml pull loop that only counts tags", passing),
        None,
        (r#"{"times_reference":0.6}"#, r#"{"min_ratio":0.6}"#),
        None,
    );
    row(
        "reader, beside a loop that also counts what it reads, the facts",
        "MB/s",
        ours,
        ("quick-xml pull loop that counts tags and attributes", counting),
        None,
        (r#"{"times_reference":0.6}"#, r#"{"min_ratio":1.2}"#),
        None,
    );
}

/// The time to read a message does not depend on the length of the log.
fn lengths(events: &[Event]) {
    let logs = [2000, 20_000, 200_000].map(|n: usize| (n, log(&events[..n])));
    let [short, middle, long] =
        measure([&|| read(&logs[0].1, 2000), &|| read(&logs[1].1, 20_000), &|| read(&logs[2].1, 200_000)]);
    let each = |seconds: f64, n: f64| seconds * 1e9 / n;
    let first = each(short, 2e3);
    for (messages, time) in [(2000, first), (20_000, each(middle, 2e4)), (200_000, each(long, 2e5))] {
        row(
            &format!("reader, a message of a log of {messages}"),
            "ns",
            time,
            ("of a log of 2000", first),
            None,
            (r"{}", r#"{"max_ratio":1.5}"#),
            Some(("Reading a message, by the length of the log", "messages in the log", f64::from(messages))),
        );
    }
}

/// The work of the recorder's thread: from records of a ring to XML on disk.
fn drain(events: &[Event]) {
    let mut ring = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    for event in events {
        let stamp = event.stamp.unwrap();
        let mut payload = Payload::new(&mut buffer[RECORD_HEADER..]);
        payload.params(&event.params);
        let len = payload.len();
        let (kind, message) = (RecordKind::Message, *event.message().unwrap());
        let record =
            Record { kind, thread: 1, sequence: stamp.sequence, tick: stamp.time, message, payload: &[] };
        let size = record.seal(len, &mut buffer).unwrap();
        ring.extend_from_slice(&buffer[..size]);
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str| std::fs::File::create(folder.join(name)).unwrap();
    let ours = || {
        let (mut file, mut lines, mut rest) = (file("drain.xml"), Vec::with_capacity(1 << 20), &ring[..]);
        while !rest.is_empty() {
            let (record, size) = Record::decode(rest).unwrap();
            let mut event = record.to_event(record.tick, &mut Vec::new());
            add_facts(&mut event);
            encode(&event, &mut lines);
            if lines.len() >= 1 << 20 || size == rest.len() {
                file.write_all(&lines).unwrap();
                lines.clear();
            }
            rest = &rest[size..];
        }
    };
    let paper = || {
        let mut file = file("paper.xml");
        for event in events {
            file.write_all(paper_line(event).as_bytes()).unwrap();
            file.flush().unwrap();
        }
    };
    let constant = || {
        let mut file = file("constant.xml");
        let mut writer = quick_xml::Writer::new(Vec::with_capacity(1 << 20));
        for _ in events {
            writer.write_event(Xml::Empty(constant_tag())).unwrap();
            if writer.get_ref().len() >= 1 << 20 {
                file.write_all(writer.get_ref()).unwrap();
                writer.get_mut().clear();
            }
        }
        file.write_all(writer.get_ref()).unwrap();
    };
    let per_second = |s: f64| MESSAGES as f64 / s;
    let [ours, paper, constant] = measure([&ours, &paper, &constant]).map(per_second);
    row(
        "drain, ring records to XML on disk",
        "messages/s",
        ours,
        ("the paper's way: format, write, flush", paper),
        Some(("quick-xml writing constant events", constant)),
        (r#"{"at_least":1e6}"#, r#"{"min_ratio":1.2}"#),
        None,
    );
}

/// The paper's way of building a line: formatted text without reuse.
fn paper_line(event: &Event) -> String {
    let message = event.message().unwrap();
    let mut line =
        format!("<msg type=\"{}\"><param name=\"window.hwnd\" value=\"{}\"/>", message.number, message.hwnd);
    for param in &event.params {
        if let Param::Known(key, value) = param {
            let value = match value {
                Value::Unsigned(n) => n.to_string(),
                Value::Signed(n) => n.to_string(),
                Value::Text(text) => quick_xml::escape::escape(text.to_string()).into_owned(),
                Value::Flag(flag) => flag.to_string(),
                Value::Point(p) => format!("{},{}", p.x, p.y),
                Value::Rect(r) => format!("{},{},{},{}", r.left, r.top, r.right, r.bottom),
            };
            line += &format!("<param name=\"{}\" value=\"{value}\"/>", key.name());
        }
    }
    line + "</msg>\n"
}

/// A record with as many attributes as a typical message.
fn constant_tag() -> quick_xml::events::BytesStart<'static> {
    let tag = "msg type=\"273\" seq=\"3\" time=\"1591060\" depth=\"2600\" birth=\"1\" window.hwnd=\"330554\" command=\"31067\" source=\"919280\" notification=\"0\"";
    quick_xml::events::BytesStart::from_content(tag, 3)
}

fn writer(events: &[Event]) {
    let ours = || {
        let mut out = Vec::with_capacity(64 << 10);
        for event in events {
            encode(event, &mut out);
            if out.len() > 60 << 10 {
                black_box(&out);
                out.clear();
            }
        }
    };
    let paper = || {
        let mut out = Vec::with_capacity(64 << 10);
        for event in events {
            out.extend_from_slice(paper_line(event).as_bytes());
            if out.len() > 60 << 10 {
                black_box(&out);
                out.clear();
            }
        }
    };
    let constant = || {
        let mut writer = quick_xml::Writer::new(Vec::with_capacity(64 << 10));
        for _ in events {
            writer.write_event(Xml::Empty(constant_tag())).unwrap();
            if writer.get_ref().len() > 60 << 10 {
                black_box(writer.get_ref());
                writer.get_mut().clear();
            }
        }
    };
    let per_second = |s: f64| MESSAGES as f64 / s;
    let [ours, paper, constant] = measure([&ours, &paper, &constant]).map(per_second);
    row(
        "writer, events to XML in memory",
        "messages/s",
        ours,
        ("formatting each line", paper),
        Some(("quick-xml writing constant events", constant)),
        (r"{}", r#"{"min_ratio":0.8}"#),
        None,
    );
}

fn record() {
    let message = Message {
        number: WM_LBUTTONDOWN,
        hwnd: 919_280,
        window_id: 2,
        hook: Hook::Posted,
        depth: 1840,
        posted_at: 77,
        wparam: 1,
        lparam: 458_764,
    };
    let mut ring = vec![0u8; 1 << 20];
    let mut copy = ring.clone();
    let size = Record::size(16);
    let cell = std::cell::RefCell::new((&mut ring, &mut copy));
    let ours = || {
        let mut rings = cell.borrow_mut();
        for i in 0..RECORDS {
            let at = i * size % ((1 << 20) - size);
            let out = &mut rings.0[at..at + size];
            let mut payload = Payload::new(&mut out[RECORD_HEADER..]);
            payload.point(Key::PointClient, Point { x: 12, y: 7 });
            let len = payload.len();
            let (kind, sequence) = (RecordKind::Message, i as u64);
            let record = Record { kind, thread: 1, sequence, tick: sequence, message, payload: &[] };
            black_box(record.seal(len, out));
        }
    };
    let line = || {
        for i in 0..RECORDS {
            black_box(format!(
                "<msg type=\"{}\"><param name=\"window.hwnd\" value=\"{}\"/></msg>",
                message.number, i
            ));
        }
    };
    let source = [7u8; 96];
    let floor = || {
        let mut rings = cell.borrow_mut();
        for i in 0..RECORDS {
            let at = i * size % ((1 << 20) - size);
            rings.1[at..at + size].copy_from_slice(black_box(&source[..size]));
        }
    };
    let nanos = |s: f64| s * 1e9 / RECORDS as f64;
    let [ours, line, floor] = measure([&ours, &line, &floor]).map(nanos);
    row(
        "ring record of a click",
        "ns",
        ours,
        ("formatting an XML line", line),
        Some(("copy of the same bytes", floor)),
        (r"{}", r#"{"max_ratio":1.0}"#),
        None,
    );
}

/// The median seconds of each contestant; rounds are interleaved.
fn measure<const N: usize>(contestants: [&dyn Fn(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::new());
    for round in 0..=ROUNDS {
        for (run, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            // The first round is a warm-up.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn row(
    row: &str,
    unit: &str,
    ours: f64,
    reference: (&str, f64),
    floor: Option<(&str, f64)>,
    (wanted, bound): (&str, &str),
    point: Option<(&str, &str, f64)>,
) {
    let value = |(name, value): (&str, f64)| serde_json::json!({"name": name, "value": value});
    let better = if unit == "ns" { "lower" } else { "higher" };
    let [wanted, bound] = [wanted, bound].map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    let point = point.map(|(plot, counted, x)| serde_json::json!({"plot": plot, "counted": counted, "x": x}));
    println!(
        "{}",
        serde_json::json!({
            "row": row, "unit": unit, "ours": ours, "reference": value(reference), "floor": floor.map(value),
            "wanted": wanted, "bound": bound, "better": better, "point": point,
        })
    );
}
