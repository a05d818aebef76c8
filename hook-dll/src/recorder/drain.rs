//! From rings to XML: the regular work of the recorder thread.
//!
//! The room of a record in its ring is released only when the record is on the disk. Lines that the disk
//! refuses wait in memory. Meanwhile nothing more is read from the rings, so nothing is lost while they have
//! room; the recorder's own events wait up to a limit.

use crate::callback::last_reported;
use crate::callback::thread_state::ThreadState;
use crate::recorder::clock::Clock;
use crate::recorder::keyframe::{self, IdSource};
use crate::recorder::merge::{Cutoff, PendingRecords, merge};
use crate::recorder::segments::Segments;
use crate::recorder::wall_clock::wall;
use crate::recorder::window_ids::WindowIds;
use crate::shared::controls;
use crate::shared::fault;
use crate::shared::limits::MAX_RECORD;
use crate::shared::ring::{self, Ring};
use crate::system::process;
use crate::system::thread_block;
use crate::system::window::Window;
use message_log::{
    Event, Key, Keyframe, Kind, Params, Record, RecordKind, RingHeader, Stamp, add_facts, encode,
};
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use win32_vocabulary::messages::WM_CREATE;

/// The host's own trace, which gets every line.
pub(crate) type Sink = Box<dyn Fn(&str) + Send>;

/// Writes events to the session's segments, and each line to the host's sink.
pub(crate) struct Drain {
    segments: Segments,
    clock: Clock,
    window_ids: WindowIds,
    /// The next sequence number of the recorder's own events.
    sequence: u64,
    threads: HashMap<u32, u32>,
    last_times: HashMap<u32, u64>,
    /// The sequence number of each thread's last record.
    last_sequences: HashMap<u32, u64>,
    unknown_before: HashSet<u64>,
    /// A piece of each ring, one after the other.
    buffer: Vec<u8>,
    /// The lines that are not written yet.
    lines: Vec<u8>,
    /// The bytes to release in each ring when they are.
    unreleased: Vec<(&'static ThreadState, usize)>,
    /// Bytes of the recorder's own events among the lines, and how many of these events were dropped.
    own: usize,
    dropped: u64,
    /// Whether the last write failed.
    is_failing: bool,
    /// Whether a segment began meanwhile, without its keyframe.
    owes_keyframe: bool,
    /// Whether messages are missing since the last keyframe, and when that was taken.
    has_gap: bool,
    resynced: Instant,
    sink: Option<Sink>,
}

/// How many bytes of a ring are read at once; enough for a record of any size.
const PIECE: usize = 80 << 10;
const _: () = assert!(PIECE > MAX_RECORD);
/// How many bytes of XML are written at once, so that many threads need no more memory than few.
const MAX_LINES: usize = 1 << 20;
/// How many writes follow each other before other work, besides one for each piece.
const MAX_STORES: usize = 16;
/// How long after a keyframe a gap causes the next.
const RESYNC: Duration = Duration::from_secs(2);

/// How many bytes of own events wait for the disk at most.
const MAX_OWN: usize = 1 << 20;

impl Drain {
    pub(crate) fn new(segments: Segments, clock: Clock) -> Self {
        Self {
            segments,
            clock,
            window_ids: WindowIds::default(),
            sequence: 1,
            threads: HashMap::new(),
            last_times: HashMap::new(),
            last_sequences: HashMap::new(),
            unknown_before: HashSet::new(),
            buffer: Vec::new(),
            lines: Vec::new(),
            unreleased: Vec::new(),
            own: 0,
            dropped: 0,
            is_failing: false,
            owes_keyframe: false,
            has_gap: false,
            resynced: Instant::now(),
            sink: None,
        }
    }

    /// Begins the first segment.
    pub(crate) fn begin(&mut self) {
        self.rotate();
    }

    /// From now on the host gets every line as well. A head and a keyframe come first, so that its copy
    /// is a complete log.
    pub(crate) fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
        if self.sink.is_some() {
            let head = self.segments.head(self.now(), &wall());
            self.send_to_sink(&head);
            last_reported::forget_all();
            let keyframe = keyframe::take(None, self);
            self.write(self.event(Kind::Keyframe(keyframe)));
        }
    }

    /// The header of a ring for a thread of this session.
    pub(crate) fn ring_header(
        &self,
        session: &str,
        thread: u32,
        thread_id: u32,
        capacity: usize,
    ) -> RingHeader {
        RingHeader {
            session: session.into(),
            started: self.clock.started,
            process: process::current_process_id(),
            thread,
            thread_id,
            capacity: capacity as u64,
            tick_base: self.clock.base,
            tick_scale: self.clock.scale,
            write_index: 0,
            read_index: 0,
        }
    }

    /// Ticks per second.
    pub(crate) fn ticks_per_second(&self) -> u64 {
        self.clock.ticks_per_second()
    }

    fn now(&self) -> u64 {
        self.clock.time(thread_block::ticks())
    }

    /// A number of ticks in microseconds.
    #[cfg(feature = "bench")]
    pub(crate) fn duration(&self, ticks: u64) -> u64 {
        self.clock.time(self.clock.base.saturating_add(ticks))
    }

    pub(crate) fn bytes_written(&self) -> u64 {
        self.segments.written
    }

    /// Writes that a thread is hooked, and its windows.
    pub(crate) fn add_thread(&mut self, id: u32, number: u32, note: impl FnOnce(Event) -> Event) {
        self.threads.insert(id, number);
        self.write(note(self.event(Kind::Thread).with_number(Key::ThreadId, i64::from(id))));
        self.write_windows_of(id);
    }

    /// Writes a keyframe of the windows of a thread.
    pub(crate) fn write_windows_of(&mut self, thread: u32) {
        let event = self.keyframe(Some((thread, self.thread(thread))));
        self.write(event);
    }

    /// A keyframe, stamped with the time at which it was started.
    fn keyframe(&mut self, of: Option<(u32, u32)>) -> Event {
        fault::point("keyframe");
        last_reported::forget_all();
        let began = self.now();
        if of.is_none() {
            self.has_gap = false;
            self.resynced = Instant::now();
        }
        let keyframe = keyframe::take(of, self);
        self.window_ids.set_places(&keyframe.windows);
        Event::new(Stamp { sequence: 0, time: began, thread: 0 }, Kind::Keyframe(keyframe))
    }

    /// Writes an incomplete keyframe of windows whose parent or id has changed, which no message reports.
    fn put_reparented(&mut self) {
        let now = self.now();
        let moved = self.window_ids.reparented(now, keyframe::place);
        if moved.is_empty() {
            return;
        }
        last_reported::forget_all();
        // With everything inside them: a reader forgets the contents of their former parent if
        // that is destroyed.
        let mut all = moved.clone();
        all.extend(moved.iter().flat_map(|&hwnd| Window(hwnd as usize).descendants()).map(|it| it.0 as u64));
        let mut known = HashSet::new();
        all.retain(|&hwnd| known.insert(hwnd));
        let windows: Vec<Params> = all.into_iter().filter_map(|hwnd| keyframe::one(hwnd, self)).collect();
        self.window_ids.set_places(&windows);
        let keyframe = Keyframe { of_thread: None, windows, complete: false };
        self.put_own(Event::new(Stamp { sequence: 0, time: now, thread: 0 }, Kind::Keyframe(keyframe)));
    }

    /// An event of the recorder's own. It gets its number when it is written, and its time unless it has one.
    pub(crate) fn event(&self, kind: Kind) -> Event {
        Event::new(Stamp { sequence: 0, time: 0, thread: 0 }, kind)
    }

    /// Writes an event of the recorder's own, after a new segment and its keyframe if one is due.
    pub(crate) fn write(&mut self, event: Event) {
        self.rotate();
        self.put_own(event);
        self.store();
    }

    /// Writes everything that threads have recorded so far, in the order of time, and releases the room in
    /// the rings. If the disk refuses it or it is too much, the rest waits in the rings.
    pub(crate) fn take(&mut self, threads: &[&'static ThreadState]) {
        self.take_until(threads, thread_block::ticks());
    }

    /// The same up to a time in the past.
    pub(crate) fn take_until(&mut self, threads: &[&'static ThreadState], tick: u64) {
        let rings: Vec<(&'static ThreadState, &Ring)> =
            threads.iter().filter_map(|&state| Some((state, state.ring()?))).collect();
        rings.iter().for_each(|(_, ring)| ring.set_tick_scale(self.clock.scale));
        if !self.store() {
            return;
        }
        // What one thread causes on another is recorded later, so no ring may be read before that time.
        let until = Cutoff { tick, second: self.ticks_per_second() };
        let most = rings.len() * ring::CAPACITY / PIECE + MAX_STORES;
        for _ in 0..most {
            if !self.take_piece(&rings, until) {
                break;
            }
            self.put_reparented();
            if !self.store() {
                return;
            }
        }
        // After the records: a keyframe taken now includes their effects.
        self.rotate();
    }

    /// Encodes as many records as make a good write; false when there are none.
    fn take_piece(&mut self, rings: &[(&'static ThreadState, &Ring)], until: Cutoff) -> bool {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let mut peek = |&(_, ring): &(_, &Ring)| {
            let from = buffer.len();
            let is_all = ring.peek(&mut buffer, PIECE);
            (from..buffer.len(), is_all)
        };
        let pieces: Vec<_> = rings.iter().map(&mut peek).collect();
        let mut taken: Vec<PendingRecords<'_>> =
            pieces.into_iter().map(|(range, is_all)| PendingRecords::new(&buffer[range], is_all)).collect();
        merge(&mut taken, until, |record| {
            self.put_record(&record);
            self.lines.len() < MAX_LINES
        });
        let done = taken.iter().zip(rings).filter(|(taken, _)| taken.done > 0);
        self.unreleased.extend(done.map(|(taken, &(state, _))| (state, taken.done)));
        self.buffer = buffer;
        !self.unreleased.is_empty()
    }

    /// Ends a thread: states the gap that no record of the thread states.
    pub(crate) fn remove_thread(&mut self, state: &ThreadState) {
        self.end_thread(state, 0);
    }

    /// The same for a thread whose ring cannot be read any more. Returns how many records are lost.
    pub(crate) fn lose_thread(&mut self, state: &ThreadState) -> u64 {
        // What was read waits among the lines; nothing is released in the ring.
        self.unreleased.retain(|(unreleased, _)| !std::ptr::eq(*unreleased, state));
        let (dropped, shed) = state.missing();
        let read = self.last_sequences.get(&state.number()).copied().unwrap_or_default();
        let unread = state.sequence.load(Ordering::Relaxed).saturating_sub(1 + read + dropped + shed);
        self.end_thread(state, unread);
        unread
    }

    fn end_thread(&mut self, state: &ThreadState, unread: u64) {
        self.threads.retain(|_, number| *number != state.number());
        self.last_times.remove(&state.number());
        self.last_sequences.remove(&state.number());
        let (dropped, shed) = state.missing();
        let dropped = dropped + unread;
        let mut gap = self.event(Kind::Gap).with_number(Key::ThreadId, i64::from(state.id()));
        for (key, count) in [(Key::GapDropped, dropped), (Key::GapShed, shed)] {
            if count > 0 {
                gap = gap.with_number(key, count.cast_signed());
            }
        }
        if dropped + shed > 0 {
            state.forget_missing();
            self.write(gap);
        }
    }

    /// Writes a complete keyframe, after messages were missed.
    pub(crate) fn resync(&mut self) {
        let event = self.keyframe(None);
        self.write(event);
    }

    /// Writes a keyframe if windows receive messages whose creation was not seen and is not in the next drain
    /// either: most such windows are between their first message and their WM_CREATE.
    pub(crate) fn check_unknown(&mut self) {
        self.put_reparented();
        self.store();
        if self.has_gap && self.resynced.elapsed() >= RESYNC {
            self.resync();
        }
        let unknown = std::mem::take(&mut self.window_ids.unknown);
        let lasting = unknown.intersection(&self.unknown_before).count() > 0;
        if lasting {
            let event = self.keyframe(None);
            self.write(event);
        }
        // Windows that are not in the keyframe belong to other processes, or do not exist.
        self.unknown_before = if lasting { HashSet::new() } else { unknown.clone() };
        self.window_ids.unknown = if lasting { HashSet::new() } else { unknown };
    }

    fn put_record(&mut self, record: &Record<'_>) {
        fault::point("drain");
        self.has_gap |= record.kind == RecordKind::Gap;
        let time = self.clock.time(record.tick);
        // A refined scale must not make the time of a thread go back.
        let last = self.last_times.entry(record.thread).or_default();
        *last = time.max(*last);
        self.last_sequences.insert(record.thread, record.sequence);
        let mut event = record.to_event(*last, &mut Vec::new());
        add_facts(&mut event);
        expect_module_of(&event);
        self.window_ids.assign(&mut event);
        self.put(&event);
    }

    fn put(&mut self, event: &Event) {
        fault::point("encode");
        let from = self.lines.len();
        encode(event, &mut self.lines);
        self.send_to_sink(&self.lines[from..]);
    }

    /// The same for an event of the recorder's own: gives it a number, or counts it as dropped if too
    /// many wait already.
    fn put_own(&mut self, mut event: Event) {
        if self.own >= MAX_OWN {
            self.sequence += 1;
            self.dropped += 1;
            return;
        }
        let before = self.lines.len();
        if self.dropped > 0 {
            let dropped = std::mem::take(&mut self.dropped).cast_signed();
            let mut gap = self.event(Kind::Gap).with_number(Key::GapDropped, dropped);
            gap.stamp = Some(self.stamp(0));
            self.put(&gap);
        }
        let time = event.stamp.map_or(0, |stamp| stamp.time);
        event.stamp = Some(self.stamp(time));
        self.put(&event);
        self.own += self.lines.len() - before;
    }

    /// The next sequence number with this time, or with the current time for 0.
    fn stamp(&mut self, time: u64) -> Stamp {
        let time = if time == 0 { self.now() } else { time };
        let last = self.last_times.entry(0).or_default();
        *last = time.max(*last);
        let stamp = Stamp { sequence: self.sequence, time: *last, thread: 0 };
        self.sequence += 1;
        stamp
    }

    /// Passes lines to the host.
    fn send_to_sink(&self, lines: &[u8]) {
        if let Some(sink) = &self.sink {
            String::from_utf8_lossy(lines).lines().for_each(sink);
        }
    }

    fn rotate(&mut self) {
        if !self.segments.is_due(self.now()) {
            return;
        }
        self.put_reparented();
        if self.store() && self.begin_segment().is_ok() {
            self.put_keyframe();
            self.store();
        }
    }

    fn begin_segment(&mut self) -> io::Result<()> {
        let head = self.segments.begin(self.now(), &wall())?;
        self.send_to_sink(&head);
        Ok(())
    }

    fn put_keyframe(&mut self) {
        let event = self.keyframe(None);
        self.put_own(event);
    }

    /// Writes the lines to the disk; false if they still wait.
    fn store(&mut self) -> bool {
        if self.lines.is_empty() {
            return true;
        }
        if let Err(error) = self.try_store() {
            if !self.is_failing {
                self.is_failing = true;
                self.put_state("memory-only", &format!("the log cannot be written: {error}"));
            }
            return false;
        }
        self.own = 0;
        self.lines.clear();
        for (state, bytes) in self.unreleased.drain(..) {
            state.ring().into_iter().for_each(|ring| ring.advance(bytes));
        }
        if std::mem::take(&mut self.owes_keyframe) {
            self.put_keyframe();
        }
        if std::mem::take(&mut self.is_failing) {
            self.put_state("on-disk", "the log can be written again");
        }
        self.store()
    }

    fn try_store(&mut self) -> io::Result<()> {
        if !self.segments.is_open() {
            self.begin_segment()?;
            self.owes_keyframe = true;
        }
        self.segments.write(&self.lines)
    }

    /// Notes a change of the recording itself.
    pub(crate) fn note_state(&mut self, state: &str, reason: &str) {
        self.rotate();
        self.put_state(state, reason);
        self.store();
    }

    fn put_state(&mut self, state: &str, reason: &str) {
        let mut note = self.event(Kind::Recording).with_text(Key::State, state).with_text(Key::Wall, wall());
        if !reason.is_empty() {
            note = note.with_text(Key::Reason, reason);
        }
        self.put_own(note);
    }

    /// Whether nothing waits for the disk.
    pub(crate) fn is_stored(&mut self) -> bool {
        self.store()
    }

    pub(crate) fn flush(&mut self) {
        fault::point("flush");
        self.clock.refine(thread_block::ticks);
        if self.segments.forget_gone() {
            self.note_state("on-disk", "the folder or a file in it was removed; another segment begins");
        }
        self.segments.flush();
    }

    /// Ends the log. Does not wait for the disk: Windows has the data, and the caller of
    /// `dashcam_stop` waits.
    pub(crate) fn finish(&mut self) {
        let time = self.now();
        self.segments.finish(time);
    }
}

/// A new control may be the first of its library.
fn expect_module_of(event: &Event) {
    let created = event.message().filter(|message| message.number == WM_CREATE);
    if let Some((message, class)) = created.zip(event.params.text(Key::WindowClass)) {
        controls::expect_module_of(message.hwnd as usize, &class.to_wide());
    }
}

impl IdSource for Drain {
    fn window_id(&mut self, window: usize) -> u64 {
        self.window_ids.id_of(window as u64, self.now())
    }

    fn thread(&self, id: u32) -> u32 {
        self.threads.get(&id).copied().unwrap_or_default()
    }
}
