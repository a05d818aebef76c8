//! Shared by the tests of the log: any possible event, a session as a recorder writes it, and the forms in
//! which a log reaches its reader.
#![expect(dead_code, unreachable_pub, reason = "each test file is a crate of its own and uses its own part")]

use message_log::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::path::PathBuf;
use win32_vocabulary::exceptions::EXCEPTION_ACCESS_VIOLATION;
use win32_vocabulary::messages::{
    WM_CHAR, WM_COMMAND, WM_CREATE, WM_KILLFOCUS, WM_LBUTTONDOWN, WM_LBUTTONUP,
};

/// A folder of the workspace's own `tests/`.
pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests").join(name)
}

pub fn head(number: u64) -> SegmentHead {
    SegmentHead {
        version: FORMAT_VERSION,
        session: "7f3a61d2c4984c7e8a5b0f2e6d1c9b40".into(),
        number,
        time: number * 60_000_000,
        wall: format!("2026-11-16T09:{number:02}:00.000+01:00"),
    }
}

/// One complete segment.
pub fn write(head: &SegmentHead, events: &[Event]) -> Vec<u8> {
    let mut writer = LogWriter::begin(Vec::new(), head).unwrap();
    events.iter().for_each(|event| writer.write(event).unwrap());
    writer.finish().unwrap()
}

#[track_caller]
pub fn read(bytes: &[u8]) -> (Vec<Event>, Vec<Damage>) {
    Log::from_bytes("a log", bytes).unwrap().read_all().unwrap()
}

#[track_caller]
pub fn read_parts(parts: &[(&str, &[u8])]) -> (Vec<Event>, Vec<Damage>) {
    let parts = parts.iter().map(|(name, bytes)| Part::from_bytes(*name, bytes)).collect();
    Log::open(parts).unwrap().read_all().unwrap()
}

/// A ring as a crash leaves it: all events are still in it, the first one at an offset of the caller's
/// choice.
pub fn ring(events: &[Event], capacity: usize, start: usize) -> Vec<u8> {
    let mut header = RingHeader {
        session: head(0).session,
        started: 1_794_816_000_000_000,
        process: 4711,
        thread: 1,
        thread_id: 9,
        capacity: capacity as u64,
        tick_base: 0,
        tick_scale: 1 << 40,
        write_index: 0,
        read_index: start as u64,
    };
    let mut area = vec![0; capacity];
    let mut at = start;
    for event in events {
        let mut record = vec![0; 8 << 20];
        let size = encode_record(event, &mut record);
        for byte in &record[..size] {
            area[at % capacity] = *byte;
            at += 1;
        }
        assert!(at - start <= capacity, "the events do not fit the ring");
    }
    header.write_index = (at % (2 * capacity)) as u64;
    [header.encode(), area].concat()
}

/// The record of an event that a ring can hold.
pub fn encode_record(event: &Event, out: &mut [u8]) -> usize {
    let stamp = event.stamp.unwrap();
    let mut payload = Payload::new(&mut out[RECORD_HEADER..]);
    payload.params(&event.params);
    assert!(!payload.overflowed());
    let len = payload.len();
    let record = Record {
        kind: RecordKind::of(&event.kind).unwrap(),
        thread: stamp.thread,
        sequence: stamp.sequence,
        tick: stamp.time,
        message: event.message().copied().unwrap_or_default(),
        payload: &[],
    };
    record.seal(len, out).unwrap()
}

// ---- any event -----------------------------------------------------------------------------------

pub fn any_text() -> impl Strategy<Value = Text> {
    let units = prop_oneof![
        4 => 0x20u16..0x7F,
        2 => any::<u16>(),
        1 => prop_oneof![Just(0u16), Just(0x0A), Just(0x0D), Just(0x09), Just(0x5C), Just(0x22), Just(0x26), Just(0x3C)],
        1 => 0xD7F0u16..0xE010,
        1 => 0xFFF0u16..=0xFFFF,
    ];
    vec(units, 0..24).prop_map(Text::from_wide)
}

fn any_param() -> impl Strategy<Value = Param> {
    let key = proptest::sample::select(Key::ALL.to_vec());
    (key, any::<u64>(), any::<[i32; 4]>(), any_text()).prop_map(
        |(key, n, [left, top, right, bottom], text)| {
            let value = match key.kind() {
                Type::Unsigned => Value::Unsigned(n),
                Type::Signed => Value::Signed(n.cast_signed()),
                Type::Text => Value::Text(text),
                Type::Flag => Value::Flag(n % 2 == 0),
                Type::Point => Value::Point(Point { x: left, y: top }),
                Type::Rect => Value::Rect(Rect { left, top, right, bottom }),
            };
            Param::Known(key, value)
        },
    )
}

fn any_params() -> impl Strategy<Value = Params> {
    vec(any_param(), 0..6).prop_map(Params::from_iter)
}

fn any_message() -> impl Strategy<Value = Message> {
    let hook = prop_oneof![Just(Hook::Unknown), Just(Hook::Posted), Just(Hook::Sent)];
    (any::<[u32; 3]>(), any::<[u64; 4]>(), hook).prop_map(|([number, depth, posted_at], n, hook)| Message {
        number,
        hwnd: n[0],
        window_id: n[1],
        hook,
        depth,
        posted_at,
        wparam: n[2],
        lparam: n[3],
    })
}

fn any_keyframe() -> impl Strategy<Value = Keyframe> {
    (proptest::option::of(any::<u32>()), vec(any_params(), 0..4)).prop_map(|(of_thread, windows)| Keyframe {
        of_thread,
        windows,
        complete: true,
    })
}

fn any_kind(with_keyframes: bool) -> impl Strategy<Value = Kind> {
    let plain = proptest::sample::select(vec![
        Kind::Session,
        Kind::Thread,
        Kind::Mark,
        Kind::Act,
        Kind::Crash,
        Kind::Hang,
        Kind::Recording,
        Kind::Statistics,
    ]);
    prop_oneof![
        4 => any_message().prop_map(Kind::Message),
        1 => plain,
        u32::from(with_keyframes) => any_keyframe().prop_map(Kind::Keyframe),
    ]
}

/// Events of a few threads as a recorder numbers them: without holes, with monotonic time.
pub fn any_events(with_keyframes: bool) -> impl Strategy<Value = Vec<Event>> {
    vec((any_kind(with_keyframes), any_params(), 0u32..3, 0u64..1000), 0..12).prop_map(|parts| {
        let (mut next, mut time) = ([1u64; 3], 0);
        parts
            .into_iter()
            .map(|(kind, params, thread, step)| {
                time += step;
                let sequence = next[thread as usize];
                next[thread as usize] += 1;
                Event { stamp: Some(Stamp { sequence, time, thread }), kind, params }
            })
            .collect()
    })
}

// ---- a session as a recorder writes it -------------------------------------------------------------

/// A customer opens "Add item", types, checks a box and presses OK; the program hangs, then crashes.
pub fn sample_session() -> Vec<Event> {
    let mut next = [1u64, 1];
    let mut time = 0;
    let mut event = |thread: u32, step: u64, kind: Kind| {
        time += step;
        let sequence = next[thread as usize];
        next[thread as usize] += 1;
        Event::new(Stamp { sequence, time, thread }, kind)
    };
    let message = |number, hwnd, window_id, hook, depth, wparam, lparam| {
        Kind::Message(Message { number, hwnd, window_id, hook, depth, posted_at: 0, wparam, lparam })
    };
    let (posted, sent) = (Hook::Posted, Hook::Sent);
    let window = |hwnd: i64, parent: i64, id: i64, class: &str, name: &str| {
        Params::new()
            .with_number(Key::WindowHwnd, hwnd)
            .with_number(Key::WindowParent, parent)
            .with_number(Key::WindowResourceId, id)
            .with_text(Key::WindowClass, class)
            .with_text(Key::WindowName, name)
            .with(Key::WindowRect, Value::Rect(Rect { left: -8, top: 0, right: 640, bottom: 480 }))
            .with(Key::WindowVisible, Value::Flag(true))
    };
    let windows = vec![
        window(330_554, 0, 0, "InvoiceMain", "Rechnung Ärzte & Söhne <neu>"),
        window(919_280, 330_554, 31_067, "Button", "&Add item…"),
        window(657_826, 330_554, 1001, "SysListView32", ""),
    ];
    let keyframe = Keyframe { of_thread: None, windows, complete: true };
    let mut session = event(0, 0, Kind::Session)
        .with_text(Key::ApplicationName, "Invoice")
        .with_text(Key::ApplicationVersion, "3.1.4")
        .with_text(Key::CommandLine, r#""C:\Program Files\Invoice\invoice.exe" "C:\Büro\märz.inv""#)
        .with_text(Key::Started, "2026-11-16T09:00:00.000+01:00")
        .with_number(Key::ProcessId, 4711)
        .with_number(Key::ProcessBits, 64);
    session = session
        .with_text(Key::Module, "comctl32.dll/6.10.19041.1")
        .with_text(Key::Module, "invoice.exe/3.1.4.0");
    let click = Value::Point(Point { x: 12, y: 7 });
    let mut events = vec![
        session,
        event(0, 40, Kind::Thread).with_number(Key::ThreadId, 8812),
        event(0, 900, Kind::Keyframe(keyframe)),
        event(1, 1_500_000, message(WM_LBUTTONDOWN, 919_280, 2, posted, 1840, 1, 458_764))
            .with(Key::PointClient, click.clone()),
        event(1, 90_000, message(WM_LBUTTONUP, 919_280, 2, posted, 1840, 0, 458_764))
            .with(Key::PointClient, click),
        event(1, 120, message(WM_COMMAND, 330_554, 1, sent, 2600, 31_067, 919_280))
            .with_number(Key::Command, 31_067)
            .with_number(Key::Notification, 0)
            .with_number(Key::Source, 919_280),
    ];
    let mut dialog = event(1, 700, message(WM_CREATE, 657_830, 4, sent, 5200, 0, 0));
    dialog.params = Params::new()
        .with_number(Key::WindowParent, 330_554)
        .with_number(Key::WindowResourceId, 1034)
        .with_text(Key::WindowClass, "#32770")
        .with_text(Key::WindowName, "Add item")
        .with(Key::WindowModal, Value::Flag(true));
    events.push(dialog);
    for c in "Lämp".encode_utf16() {
        events.push(
            event(1, 110_000, message(WM_CHAR, 657_844, 6, posted, 1840, u64::from(c), 1))
                .with_number(Key::Character, i64::from(c)),
        );
    }
    events.extend([
        event(1, 30_000, message(WM_KILLFOCUS, 657_844, 6, sent, 2100, 657_850, 0))
            .with_text(Key::ResultText, "Lämp\r\n\tblue & \"green\"\0"),
        event(0, 10_000, Kind::Mark).with_text(Key::Text, Text::from_wide([0x6F, 0x6B, 0xD83D])),
        event(0, 15_000, Kind::Hang).with_number(Key::HangMillis, 5200),
        event(0, 1_000, Kind::Statistics)
            .with_number(Key::Received, 20_221)
            .with_number(Key::Rejected, 19_715)
            .with_number(Key::Recorded, 506)
            .with_number(Key::Shed, 0)
            .with_number(Key::Dropped, 0),
        event(1, 2_000, Kind::Crash)
            .with_number(Key::CrashCode, EXCEPTION_ACCESS_VIOLATION.into())
            .with_text(Key::CrashModule, "invoice.exe")
            .with_number(Key::CrashOffset, 0x1A2B),
    ]);
    events
}

/// The part of the sample that a ring can hold, with the facts that recovery adds.
pub fn sample_ring_events() -> Vec<Event> {
    let mut events = sample_session();
    events.retain(|event| event.stamp.is_some_and(|stamp| stamp.thread == 1));
    events.iter_mut().for_each(add_facts);
    events
}
