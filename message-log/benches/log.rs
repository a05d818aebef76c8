//! The speed of the log, each figure beside a reference and a floor measured in the same run.
//!
//! Prints one JSON object per row for `cargo xtask bench`. Rounds of all contestants are interleaved and the
//! median counts, since the machine is shared.

use message_log::*;
use quick_xml::events::Event as Xml;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

const ROUNDS: usize = 9;
const MESSAGES: u64 = 200_000;
const RECORDS: usize = 200_000;

fn main() {
    let events: Vec<_> = (0..MESSAGES).map(message).collect();
    reader(&events);
    writer(&events);
    record();
}

/// What a session is mostly made of: clicks, keys, commands, now and then a new window.
fn message(i: u64) -> Event {
    let kind = |number, hook, wparam, lparam| {
        let depth = 1840 + (i % 4) as u32 * 760;
        Kind::Message(Message {
            number,
            hwnd: 919_280 + i % 64,
            birth: i % 64,
            hook,
            depth,
            posted_at: 0,
            wparam,
            lparam,
        })
    };
    let event = |kind| Event::new(Stamp { sequence: i + 1, time: i * 1234, thread: 1 }, kind);
    match i % 8 {
        0 => event(kind(513, Hook::Posted, 1, 458_764))
            .with(Key::PointClient, Value::Point(Point { x: 12, y: 7 })),
        1 => event(kind(514, Hook::Posted, 0, 458_764))
            .with(Key::PointClient, Value::Point(Point { x: 12, y: 7 })),
        2 => event(kind(273, Hook::Sent, 31_067, 919_280))
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
        _ => event(kind(258, Hook::Posted, 97, 1)).with_number(Key::Character, 97),
    }
}

fn reader(events: &[Event]) {
    let head = SegmentHead { version: FORMAT_VERSION, session: "bench".into(), ..SegmentHead::default() };
    let mut writer = LogWriter::begin(Vec::new(), &head).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    let xml = writer.finish().unwrap();
    let megabytes = xml.len() as f64 / 1e6;
    let ours = || {
        let log = Log::from_bytes("bench", &xml).unwrap();
        assert_eq!(log.filter(|e| matches!(e, Ok(Entry::Event(_)))).count(), events.len());
    };
    let text = std::str::from_utf8(&xml).unwrap();
    let counting = || {
        let mut reader = quick_xml::Reader::from_str(text);
        let mut n = 0u64;
        while !matches!(reader.read_event().unwrap(), Xml::Eof) {
            n += 1;
        }
        black_box(n);
    };
    let [ours, counting] = measure([&ours, &counting]).map(|s| megabytes / s);
    row(
        "reader, XML to events",
        "MB/s",
        ours,
        ("quick-xml loop that only counts", counting),
        None,
        r#"{"min_ratio":0.6}"#,
    );
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
        // The paper's way of putting a line together: formatted text, no reuse.
        let mut out = Vec::with_capacity(64 << 10);
        for event in events {
            let message = event.message().unwrap();
            let mut line = format!(
                "<msg type=\"{}\"><param name=\"window.hwnd\" value=\"{}\"/>",
                message.number, message.hwnd
            );
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
            line += "</msg>";
            writeln!(out, "{line}").unwrap();
            if out.len() > 60 << 10 {
                black_box(&out);
                out.clear();
            }
        }
    };
    let constant = || {
        let mut writer = quick_xml::Writer::new(Vec::with_capacity(64 << 10));
        let tag = quick_xml::events::BytesStart::from_content(
            "msg type=\"513\" seq=\"1\" time=\"1234\" thread=\"1\" hook=\"posted\"",
            3,
        );
        let param =
            quick_xml::events::BytesStart::from_content("param name=\"window.hwnd\" value=\"919280\"", 5);
        for event in events {
            writer.write_event(Xml::Start(tag.borrow())).unwrap();
            for _ in 0..=event.params.len() {
                writer.write_event(Xml::Empty(param.borrow())).unwrap();
            }
            writer.write_event(Xml::End(tag.to_end())).unwrap();
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
        r#"{"min_ratio":0.8}"#,
    );
}

fn record() {
    let message = Message {
        number: 513,
        hwnd: 919_280,
        birth: 2,
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
        r#"{"max_ratio":1.0}"#,
    );
}

/// Median seconds of each, rounds interleaved.
fn measure<const N: usize>(contestants: [&dyn Fn(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::new());
    for round in 0..=ROUNDS {
        for (run, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            // The first round warms up.
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

fn row(row: &str, unit: &str, ours: f64, reference: (&str, f64), floor: Option<(&str, f64)>, bound: &str) {
    let value = |(name, value): (&str, f64)| serde_json::json!({"name": name, "value": value});
    let better = if unit == "ns" { "lower" } else { "higher" };
    let bound: serde_json::Value = serde_json::from_str(bound).unwrap();
    println!(
        "{}",
        serde_json::json!({
            "row": row, "unit": unit, "ours": ours, "reference": value(reference), "floor": floor.map(value),
            "bound": bound, "better": better,
        })
    );
}
