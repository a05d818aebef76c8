//! From rings to XML: what the recorder's thread does all day.

use crate::births::Births;
use crate::keyframe::{self, Numbers};
use crate::segments::Segments;
use crate::thread::ThreadState;
use crate::win32;
use message_log::{Event, Key, Keyframe, Kind, Params, Record, RingHeader, Stamp, add_facts, encode};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// A host's own trace, which gets every line.
pub(crate) type Sink = Box<dyn Fn(&str) + Send>;

/// Writes events to the session's segments, and each line to the host's sink.
pub(crate) struct Drain {
    segments: Segments,
    clock: Clock,
    births: Births,
    /// The recorder's own sequence.
    sequence: u64,
    threads: HashMap<u32, u32>,
    last_times: HashMap<u32, u64>,
    unknown_before: HashSet<u64>,
    buffer: Vec<u8>,
    lines: Vec<u8>,
    sink: Option<Sink>,
    /// Writes the disk did not take, until they are stated.
    lost: u64,
}

impl Drain {
    pub(crate) fn new(segments: Segments, clock: Clock) -> Self {
        Self {
            segments,
            clock,
            births: Births::default(),
            sequence: 1,
            threads: HashMap::new(),
            last_times: HashMap::new(),
            unknown_before: HashSet::new(),
            buffer: Vec::new(),
            lines: Vec::new(),
            sink: None,
            lost: 0,
        }
    }

    /// Begins the first segment.
    pub(crate) fn begin(&mut self) {
        self.rotate();
    }

    pub(crate) fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
    }

    /// The header of a ring for a thread of this session.
    pub(crate) fn ring_header(&self, session: &str, thread: u32, thread_id: u32) -> RingHeader {
        self.clock.header(session, thread, thread_id)
    }

    /// Microseconds of a number of ticks.
    #[cfg(feature = "bench")]
    pub(crate) fn duration(&self, ticks: u64) -> u64 {
        self.clock.time(self.clock.base.saturating_add(ticks))
    }

    pub(crate) fn bytes_written(&self) -> u64 {
        self.segments.written
    }

    /// Tells of a thread and takes its windows down.
    pub(crate) fn add_thread(&mut self, id: u32, number: u32, note: impl FnOnce(Event) -> Event) {
        self.threads.insert(id, number);
        let event = note(self.event(Kind::Thread).with_number(Key::ThreadId, i64::from(id)));
        self.write(&event);
        let event = self.keyframe(Some((id, number)));
        self.write(&event);
    }

    /// A keyframe, stamped with the moment its taking began.
    fn keyframe(&mut self, of: Option<(u32, u32)>) -> Event {
        let mut event = self.event(Kind::Keyframe(Keyframe::default()));
        let keyframe = keyframe::take(of, self);
        self.births.place_all(&keyframe.windows);
        event.kind = Kind::Keyframe(keyframe);
        event
    }

    /// Tells of windows that have another parent or id than was told, which no message does: an incomplete keyframe of these.
    fn put_moved(&mut self) {
        let now = self.clock.now();
        let moved = self.births.moved(now, keyframe::place);
        if moved.is_empty() {
            return;
        }
        let mut event = self.event(Kind::Keyframe(Keyframe::default()));
        let windows: Vec<Params> = moved.into_iter().filter_map(|hwnd| keyframe::one(hwnd, self)).collect();
        self.births.place_all(&windows);
        event.kind = Kind::Keyframe(Keyframe { of_thread: None, windows, complete: false });
        self.put(&event);
    }

    /// An event of the recorder's own, now.
    pub(crate) fn event(&mut self, kind: Kind) -> Event {
        let last = self.last_times.entry(0).or_default();
        *last = self.clock.now().max(*last);
        let stamp = Stamp { sequence: self.sequence, time: *last, thread: 0 };
        self.sequence += 1;
        Event::new(stamp, kind)
    }

    /// Writes an event, beginning another segment with its keyframe where one is due.
    pub(crate) fn write(&mut self, event: &Event) {
        self.rotate();
        self.put(event);
        self.store();
    }

    /// Writes everything a thread has recorded so far; the ring gives its room back when that is done.
    pub(crate) fn take(&mut self, state: &ThreadState) {
        let Some(ring) = state.ring() else { return };
        ring.set_tick_scale(self.clock.scale);
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        ring.peek(&mut buffer);
        if !buffer.is_empty() {
            self.put_records(&buffer);
            self.put_moved();
            self.store();
            ring.advance(buffer.len());
            // Behind them: a keyframe taken now knows what they did.
            self.rotate();
        }
        self.buffer = buffer;
    }

    /// Writes a keyframe if windows are active that no one has seen the birth of. Asked after a drain has brought nothing new
    /// about them: most such windows are between their first message and their WM_CREATE.
    pub(crate) fn meet_unknown(&mut self) {
        self.put_moved();
        self.store();
        let unknown = std::mem::take(&mut self.births.unknown);
        let lasting = unknown.intersection(&self.unknown_before).count() > 0;
        if lasting {
            let event = self.keyframe(None);
            self.write(&event);
        }
        // Those not even a keyframe knows are messages to windows of others, or of no one.
        self.unknown_before = if lasting { HashSet::new() } else { unknown.clone() };
        self.births.unknown = if lasting { HashSet::new() } else { unknown };
    }

    fn put_records(&mut self, mut bytes: &[u8]) {
        let mut wrong = Vec::new();
        while let Ok((record, size)) = Record::decode(bytes) {
            let time = self.clock.time(record.tick);
            // A refined scale must not make a thread's time go back.
            let last = self.last_times.entry(record.thread).or_default();
            *last = time.max(*last);
            let mut event = record.to_event(*last, &mut wrong);
            add_facts(&mut event);
            self.births.number(&mut event);
            self.put(&event);
            bytes = bytes.get(size..).unwrap_or_default();
        }
    }

    fn put(&mut self, event: &Event) {
        encode(event, &mut self.lines);
    }

    fn rotate(&mut self) {
        let time = self.clock.now();
        if !self.segments.is_due(time) {
            return;
        }
        self.put_moved();
        self.store();
        let begun = self.segments.begin(time, &wall());
        self.lost += u64::from(begun.is_err());
        let event = self.keyframe(None);
        self.put(&event);
        self.store();
    }

    /// Hands the lines to the disk and to the host.
    fn store(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut self.lines);
        if self.segments.write(&lines).is_err() {
            self.lost += 1;
        } else if self.lost > 0 {
            self.state_loss();
        }
        if let Some(sink) = &self.sink {
            for line in String::from_utf8_lossy(&lines).lines() {
                sink(line);
            }
        }
        self.lines = lines;
        self.lines.clear();
    }

    /// What the disk did not take is stated as soon as it takes something again.
    fn state_loss(&mut self) {
        let reason = format!(
            "{} writes failed: the disk is full or the folder is gone",
            std::mem::take(&mut self.lost)
        );
        let params = Params::new().with_text(Key::Reason, reason);
        let mut line = Vec::new();
        encode(&Event { stamp: None, kind: Kind::Gap, params }, &mut line);
        self.lost += u64::from(self.segments.write(&line).is_err());
    }

    pub(crate) fn flush(&mut self) {
        self.clock.refine();
        self.segments.flush();
    }

    pub(crate) fn finish(&mut self) {
        let time = self.clock.now();
        self.segments.finish(time);
        self.segments.flush();
    }
}

impl Numbers for Drain {
    fn birth(&mut self, window: usize) -> u64 {
        self.births.of(window as u64, self.clock.now())
    }

    fn thread(&self, id: u32) -> u32 {
        self.threads.get(&id).copied().unwrap_or_default()
    }
}

/// The session's clock: ticks of the processor, held against the system's steady clock.
pub(crate) struct Clock {
    start: Instant,
    /// Microseconds since 1970.
    started: i64,
    base: u64,
    scale: u64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let (start, base) = (Instant::now(), win32::ticks());
        let mut clock = Self { start, started: chrono::Local::now().timestamp_micros(), base, scale: 1 };
        // A first guess within a few milliseconds; `refine` makes it exact.
        std::thread::sleep(Duration::from_millis(5));
        clock.refine();
        clock
    }

    /// More exact with every call, for the first ten seconds; then the scale stays, so that time does not jump.
    fn refine(&mut self) {
        let elapsed = self.start.elapsed();
        if elapsed > Duration::from_secs(10) && self.scale != 1 {
            return;
        }
        let micros = elapsed.as_nanos() as f64 / 1000.0;
        let ticks = win32::ticks().saturating_sub(self.base).max(1) as f64;
        self.scale = (micros / ticks * (1u64 << 40) as f64) as u64;
    }

    fn now(&self) -> u64 {
        self.time(win32::ticks())
    }

    fn time(&self, tick: u64) -> u64 {
        ((u128::from(tick.saturating_sub(self.base)) * u128::from(self.scale)) >> 40) as u64
    }

    /// A ring's header for a thread of this session.
    fn header(&self, session: &str, thread: u32, thread_id: u32) -> RingHeader {
        RingHeader {
            session: session.into(),
            started: self.started,
            process: win32::current_process_id(),
            thread,
            thread_id,
            capacity: crate::ring::CAPACITY as u64,
            tick_base: self.base,
            tick_scale: self.scale,
            write_index: 0,
            read_index: 0,
        }
    }
}

/// Now, on the wall clock.
pub(crate) fn wall() -> String {
    chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, false)
}
