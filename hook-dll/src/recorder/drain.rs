//! From rings to XML: what the recorder's thread does all day.
//!
//! A ring gives its room back only when its records are on the disk. Lines the disk does not take wait in
//! memory and are tried again; meanwhile no more is taken from the rings, so that nothing is lost as long as
//! they have room, and events of the recorder's own are kept up to a limit.

use crate::callback::last_reported;
use crate::callback::thread_state::ThreadState;
use crate::recorder::clock::Clock;
use crate::recorder::keyframe::{self, IdSource};
use crate::recorder::merge::{Cutoff, PendingRecords, merge};
use crate::recorder::segments::Segments;
use crate::recorder::window_ids::WindowIds;
use crate::shared::controls;
use crate::shared::fault;
use crate::shared::limits::MAX_RECORD;
use crate::shared::ring::{self, Ring};
use crate::system::win32::{self, Window};
use chrono::{DateTime, FixedOffset, Local, SecondsFormat, Utc};
use message_log::{
    Event, Key, Keyframe, Kind, Params, Record, RecordKind, RingHeader, Stamp, add_facts, encode,
};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A host's own trace, which gets every line.
pub(crate) type Sink = Box<dyn Fn(&str) + Send>;

/// Writes events to the session's segments, and each line to the host's sink.
pub(crate) struct Drain {
    segments: Segments,
    clock: Clock,
    window_ids: WindowIds,
    /// The recorder's own sequence.
    sequence: u64,
    threads: HashMap<u32, u32>,
    last_times: HashMap<u32, u64>,
    /// The number of each thread's last record.
    last_sequences: HashMap<u32, u64>,
    unknown_before: HashSet<u64>,
    /// Where a piece of each ring is copied to, one behind the other.
    buffer: Vec<u8>,
    /// What the disk has not taken yet.
    lines: Vec<u8>,
    /// What the rings get back when it has.
    unreleased: Vec<(&'static ThreadState, usize)>,
    /// Bytes of the recorder's own events among the lines, and how many events found no room there.
    own: usize,
    dropped: u64,
    /// Whether the disk refused a write, and has not taken one since.
    is_failing: bool,
    /// Whether a segment began in the midst of that, without its keyframe.
    owes_keyframe: bool,
    /// Whether messages are missing since the last keyframe, and when that was taken.
    has_gap: bool,
    resynced: Instant,
    sink: Option<Sink>,
}

/// Bytes looked at of a ring at once; a record of any size is among so many.
const PIECE: usize = 80 << 10;
const _: () = assert!(PIECE > MAX_RECORD);
/// Bytes of XML before they are written, so that many threads need no more memory than few.
const MAX_LINES: usize = 1 << 20;
/// How often that happens before something else has its turn, besides once for each piece.
const MAX_STORES: usize = 16;
/// How long after a keyframe another gap brings the next.
const RESYNC: Duration = Duration::from_secs(2);

/// How long the offset of the wall clock is good for.
const OFFSET_AGE: Duration = Duration::from_secs(60);

/// Bytes of own events that wait for the disk at the most.
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

    /// Every line from now on goes to the host too. What it gets can be read on its own: a head and a
    /// keyframe come first.
    pub(crate) fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
        if self.sink.is_some() {
            let head = self.segments.head(self.now(), &wall());
            self.tell(&head);
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
            process: win32::current_process_id(),
            thread,
            thread_id,
            capacity: capacity as u64,
            tick_base: self.clock.base,
            tick_scale: self.clock.scale,
            write_index: 0,
            read_index: 0,
        }
    }

    /// How many ticks a second has.
    pub(crate) fn ticks_per_second(&self) -> u64 {
        self.clock.ticks_per_second()
    }

    fn now(&self) -> u64 {
        self.clock.time(win32::ticks())
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
        self.write(note(self.event(Kind::Thread).with_number(Key::ThreadId, i64::from(id))));
        self.write_windows_of(id);
    }

    /// Takes down the windows of a thread.
    pub(crate) fn write_windows_of(&mut self, thread: u32) {
        let event = self.keyframe(Some((thread, self.thread(thread))));
        self.write(event);
    }

    /// A keyframe, stamped with the moment its taking began.
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

    /// Tells of windows that have another parent or id than was told, which no message does: an incomplete
    /// keyframe of these.
    fn put_reparented(&mut self) {
        let now = self.now();
        let moved = self.window_ids.reparented(now, keyframe::place);
        if moved.is_empty() {
            return;
        }
        last_reported::forget_all();
        // With all that is in them: the window they were in may be gone, and what was known of its
        // contents with it.
        let mut all = moved.clone();
        all.extend(moved.iter().flat_map(|&hwnd| Window(hwnd as usize).descendants()).map(|it| it.0 as u64));
        let mut seen = HashSet::new();
        all.retain(|&hwnd| seen.insert(hwnd));
        let windows: Vec<Params> = all.into_iter().filter_map(|hwnd| keyframe::one(hwnd, self)).collect();
        self.window_ids.set_places(&windows);
        let keyframe = Keyframe { of_thread: None, windows, complete: false };
        self.put_own(Event::new(Stamp { sequence: 0, time: now, thread: 0 }, Kind::Keyframe(keyframe)));
    }

    /// An event of the recorder's own; it gets its number when it is written, and its time unless it has one.
    pub(crate) fn event(&self, kind: Kind) -> Event {
        Event::new(Stamp { sequence: 0, time: 0, thread: 0 }, kind)
    }

    /// Writes an event of the recorder's own, beginning another segment with its keyframe where one is due.
    pub(crate) fn write(&mut self, event: Event) {
        self.rotate();
        self.put_own(event);
        self.store();
    }

    /// Writes everything the threads have recorded so far, in the order of time; the rings give their
    /// room back when that is done. What is left, for the disk takes nothing or there is too much of it,
    /// waits in the rings.
    pub(crate) fn take(&mut self, threads: &[&'static ThreadState]) {
        self.take_until(threads, win32::ticks());
    }

    /// The same up to a moment that has passed.
    pub(crate) fn take_until(&mut self, threads: &[&'static ThreadState], tick: u64) {
        let rings: Vec<(&'static ThreadState, &Ring)> =
            threads.iter().filter_map(|&state| Some((state, state.ring()?))).collect();
        rings.iter().for_each(|(_, ring)| ring.set_tick_scale(self.clock.scale));
        if !self.store() {
            return;
        }
        // Whatever one thread did because of another has been recorded after it: no ring is looked at
        // before that moment.
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
        // Behind them: a keyframe taken now knows what they did.
        self.rotate();
    }

    /// Puts as many records as make a good write; false when there are none.
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

    /// The last of a thread: states what it could not, since nothing was recorded of it any more.
    pub(crate) fn remove_thread(&mut self, state: &ThreadState) {
        self.end_thread(state, 0);
    }

    /// The same for one whose ring cannot be read any more; how many records are lost with it.
    pub(crate) fn lose_thread(&mut self, state: &ThreadState) -> u64 {
        // What was read waits for the disk among the lines; the ring gets nothing back.
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

    /// Tells all windows anew, after messages were left out.
    pub(crate) fn resync(&mut self) {
        let event = self.keyframe(None);
        self.write(event);
    }

    /// Writes a keyframe if windows are active that no one has seen the birth of. Asked after a drain has
    /// brought nothing new about them: most such windows are between their first message and their WM_CREATE.
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
        // Those not even a keyframe knows are messages to windows of others, or of no one.
        self.unknown_before = if lasting { HashSet::new() } else { unknown.clone() };
        self.window_ids.unknown = if lasting { HashSet::new() } else { unknown };
    }

    fn put_record(&mut self, record: &Record<'_>) {
        fault::point("drain");
        self.has_gap |= record.kind == RecordKind::Gap;
        let time = self.clock.time(record.tick);
        // A refined scale must not make a thread's time go back.
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
        self.tell(&self.lines[from..]);
    }

    /// The same for an event of the recorder's own: numbers it, or counts it where too many wait already.
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

    /// The next number, with this time, or the present one for 0.
    fn stamp(&mut self, time: u64) -> Stamp {
        let time = if time == 0 { self.now() } else { time };
        let last = self.last_times.entry(0).or_default();
        *last = time.max(*last);
        let stamp = Stamp { sequence: self.sequence, time: *last, thread: 0 };
        self.sequence += 1;
        stamp
    }

    /// Hands lines to the host.
    fn tell(&self, lines: &[u8]) {
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
        self.tell(&head);
        Ok(())
    }

    fn put_keyframe(&mut self) {
        let event = self.keyframe(None);
        self.put_own(event);
    }

    /// Hands the lines to the disk; false when they wait on.
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

    /// Notes a change of recording itself.
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
        self.clock.refine(win32::ticks);
        if self.segments.forget_gone() {
            self.note_state("on-disk", "the folder or a file in it was removed; another segment begins");
        }
        self.segments.flush();
    }

    /// Ends the log. The disk is not waited for: the system has it all, and whoever stops us waits.
    pub(crate) fn finish(&mut self) {
        let time = self.now();
        self.segments.finish(time);
    }
}

/// A control that was born may be the first of its library.
fn expect_module_of(event: &Event) {
    const WM_CREATE: u32 = 0x0001;
    let born = event.message().filter(|message| message.number == WM_CREATE);
    if let Some((message, class)) = born.zip(event.params.text(Key::WindowClass)) {
        controls::expect(message.hwnd as usize, &class.to_wide());
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

/// Now, on the wall clock.
pub(crate) fn wall() -> String {
    local_time().to_rfc3339_opts(SecondsFormat::Millis, false)
}

/// The same as a number. What the user's time differs from the world's by is asked once a minute: the system
/// takes long to tell.
pub(crate) fn local_time() -> DateTime<FixedOffset> {
    static OFFSET: Mutex<Option<(Instant, FixedOffset)>> = Mutex::new(None);
    let mut known = OFFSET.lock();
    known.take_if(|(asked, _)| asked.elapsed() >= OFFSET_AGE);
    let (_, offset) = *known.get_or_insert_with(|| (Instant::now(), *Local::now().offset()));
    Utc::now().with_timezone(&offset)
}
