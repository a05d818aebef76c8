//! The work of the recorder thread: commands, drains, new and hanging threads, the budget, statistics.

use crate::callback::last_reported;
use crate::crash::crash_record;
#[cfg(target_arch = "x86_64")]
use crate::crash::swallowed;
use crate::crash::unhandled_filter::UnhandledFilter;
use crate::recorder::clock::Clock;
use crate::recorder::command::{Command, QueuedCommand};
use crate::recorder::drain::Drain;
use crate::recorder::hooked_threads::Hooks;
use crate::recorder::segments::Segments;
use crate::recorder::session_head::session_head;
use crate::recorder::sessions::LOCK;
use crate::recorder::settings::Settings;
use crate::recorder::totals::Totals;
use crate::recorder::window_creation;
use crate::shared::filter::Filter;
use crate::shared::rules::{BUDGET, PANICKED, RECORDING, Rules, set_rules};
use crate::shared::{budget, controls, fault, panics, privacy};
use crate::system::files::create_guarded;
use crate::system::hooks::CreationHook;
use crate::system::private_folder;
use crate::system::process;
use crate::system::thread_block;
use crate::system::threads;
use crate::system::window;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use message_log::{Event, Key, Kind, Value};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often the rings are drained, unless a command comes first.
const TICK: Duration = Duration::from_millis(50);
const FLUSH: Duration = Duration::from_secs(2);
/// How often new and hanging threads are searched. New windows are reported at once.
const LOOK: Duration = Duration::from_millis(500);
/// How often counters are written if they have changed: a terminated process cannot write them at the end.
const COUNT: Duration = if cfg!(feature = "bench") { TICK } else { Duration::from_secs(30) };
/// How long the end of the recording waits for a disk that refuses writes.
const LAST_CHANCE: Duration = Duration::from_secs(1);
/// How many commands are executed before the rings are drained again.
const MAX_COMMANDS: usize = 256;

/// What the recorder thread owns.
pub(crate) struct Worker {
    drain: Drain,
    hooks: Hooks,
    /// A thread to hook as soon as possible, whether it has windows or not.
    first: Option<u32>,
    _births: Option<CreationHook>,
    _crashes: UnhandledFilter,
    #[cfg(target_arch = "x86_64")]
    _swallowed: Option<swallowed::SwallowedExceptions>,
    /// Threads that hang.
    hung: Vec<u32>,
    ended: Totals,
    /// Messages received when counters were last written.
    counted: u64,
    folder: PathBuf,
    /// Kept open while the session is running.
    lock: Option<File>,
    /// Whether the log states that rings do not outlive the process.
    lost_rings: bool,
    /// The categories of which the log states that they are shed.
    shed: u32,
    /// Bytes of records per second.
    rate: u32,
}

impl Worker {
    pub(crate) fn begin(
        settings: Settings,
        session: &str,
        folder: &Path,
        commands: Sender<QueuedCommand>,
        lock: File,
    ) -> Self {
        set_rules(Rules {
            filter: Filter::new(&settings.extra, &settings.suppressed, settings.all_moves),
            masks: settings.masks.clone(),
        });
        controls::find_modules();
        privacy::forget_checked();
        last_reported::forget_all();
        // Cached here, so that no callback has to find out.
        process::is_wine();
        window_creation::connect(commands);
        fault::point("begin");
        let clock = start_clock();
        BUDGET.begin(settings.rate, clock.ticks_per_second());
        let segments = Segments::new(folder, session, settings.limits);
        let mut drain = Drain::new(segments, clock);
        drain.begin();
        drain.write(session_head(drain.event(Kind::Session), &settings));
        let is_local = private_folder::is_on_local_drive(folder);
        if !is_local {
            let reason =
                "the folder is not on a local fixed drive: what is not written yet does not outlive a crash";
            drain.note_state("memory-only", reason);
        }
        Self {
            drain,
            hooks: Hooks::new(folder.into(), session.into(), is_local),
            _births: CreationHook::new(Some(window_creation::on_window_created)),
            _crashes: UnhandledFilter::install(),
            #[cfg(target_arch = "x86_64")]
            _swallowed: swallowed::SwallowedExceptions::begin(),
            first: None,
            hung: Vec::new(),
            ended: Totals::default(),
            counted: 0,
            folder: folder.into(),
            lock: Some(lock),
            lost_rings: !is_local,
            shed: 0,
            rate: settings.rate,
        }
    }

    pub(crate) fn hook_first(&mut self, caller: Option<u32>) {
        self.first = caller;
        self.hook_new();
        self.hooks.add_spare(&mut self.drain);
    }

    /// After a failure of the recorder: notes it, removes the hooks and lets the host continue.
    pub(crate) fn give_up(&mut self) {
        RECORDING.store(false, Ordering::Release);
        window_creation::disconnect();
        let place = panics::place();
        self.hooks.abandon(&format!("the recorder failed at {place}; the application goes on unrecorded"));
    }

    /// Works until a stop command, without commands not at all; then ends the recording.
    pub(crate) fn run(&mut self, commands: Option<&Receiver<QueuedCommand>>) {
        if let Some(commands) = commands {
            self.work(commands);
        }
        window_creation::disconnect();
        // A disk that refuses writes gets a last chance.
        let deadline = Instant::now() + LAST_CHANCE;
        self.drain_all();
        while !self.drain.is_stored() && Instant::now() < deadline {
            std::thread::sleep(TICK);
            self.drain_all();
        }
        let ended = &mut self.ended;
        self.hooks.remove_all(&mut self.drain, |state| ended.add(state));
        let totals = self.totals();
        self.write_statistics(totals);
        self.drain.note_state("stopped", "");
        self.drain.finish();
    }

    fn work(&mut self, commands: &Receiver<QueuedCommand>) {
        let (mut flushed, mut searched, mut counted) = (Instant::now(), Instant::now(), Instant::now());
        loop {
            if !self.execute_all(commands) {
                break;
            }
            crash_record::take_over();
            self.drain_all();
            controls::find_modules();
            if searched.elapsed() >= LOOK {
                searched = Instant::now();
                self.find_threads();
                self.find_hangs();
            }
            if counted.elapsed() >= COUNT {
                counted = Instant::now();
                let totals = self.totals();
                if totals.received != self.counted {
                    self.write_statistics(totals);
                }
            }
            if flushed.elapsed() >= FLUSH {
                flushed = Instant::now();
                self.flush();
                // A process ends with its last thread. The recorder thread must not keep it alive.
                if self.hooks.count() == 0 && threads::is_last_thread() {
                    break;
                }
            }
        }
    }

    /// Waits for a command and executes it and those that follow. False after a stop command.
    fn execute_all(&mut self, commands: &Receiver<QueuedCommand>) -> bool {
        let mut next = commands.recv_timeout(TICK);
        for _ in 0..MAX_COMMANDS {
            match next {
                Ok((_, Command::Stop)) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => break,
                Ok((until, command)) => {
                    // In the log, earlier messages come before the command and later ones after it.
                    let states: Vec<_> = self.hooks.states().collect();
                    self.drain.take_until(&states, until.unwrap_or_else(thread_block::ticks));
                    self.execute(command);
                }
            }
            next = commands.recv_timeout(Duration::ZERO);
        }
        true
    }

    fn flush(&mut self) {
        self.drain.flush();
        BUDGET.refine(self.rate, self.drain.ticks_per_second());
        let mut is_lost = false;
        for ring in self.hooks.states().filter_map(|state| state.ring()) {
            ring.flush();
            is_lost |= !ring.is_findable();
        }
        if is_lost && !std::mem::replace(&mut self.lost_rings, true) {
            self.drain.note_state(
                "memory-only",
                "a ring has no file: what is not written yet does not outlive a crash",
            );
        }
        let lock = self.folder.join(LOCK);
        if !lock.exists() {
            self.lock = None;
            self.lock = create_guarded(&lock).ok();
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Mark(text) => {
                self.drain.write(self.drain.event(Kind::Mark).with(Key::Text, Value::Text(text)));
            }
            Command::Pause(true) => self.drain.note_state("paused", ""),
            Command::Pause(false) => self.drain.note_state("resumed", ""),
            Command::Sink(sink, done) => {
                self.drain.set_sink(sink);
                let _ = done.send(());
            }
            Command::NewThread => self.find_threads(),
            Command::UnseenCreation(thread) => self.drain.write_windows_of(thread),
            Command::Hook(thread, done) => {
                self.first = Some(thread);
                self.find_threads();
                let _ = done.send(());
            }
            Command::Drain(done) => {
                self.drain_all();
                let _ = done.send(self.totals());
            }
            Command::Stop => {}
        }
    }

    fn drain_all(&mut self) {
        let states: Vec<_> = self.hooks.states().collect();
        self.drain.take(&states);
        self.drain.check_unknown();
        let ended = &mut self.ended;
        self.hooks.renew_broken(&mut self.drain, |state| ended.add(state));
        self.keep_budget();
        if PANICKED.swap(false, Ordering::AcqRel) {
            let place = panics::place();
            let reason = format!("a callback failed at {place}; the application goes on unrecorded");
            self.drain.note_state("disabled", &reason);
        }
    }

    /// Notes what is shed, and when everything is recorded again; then takes a keyframe.
    fn keep_budget(&mut self) {
        let shed = BUDGET.shed();
        if shed & !self.shed != 0 {
            let reason =
                format!("more bytes per second than the budget: left out are {}", budget::names(shed));
            self.drain.note_state("shedding", &reason);
        }
        self.shed = shed;
        if BUDGET.recover(thread_block::ticks()) {
            self.shed = 0;
            self.drain.note_state("complete", "everything is recorded again");
            self.drain.resync();
        }
    }

    /// Removes threads that have ended before it hooks new ones, which may have the same id.
    fn find_threads(&mut self) {
        let ended = &mut self.ended;
        self.hooks.remove_ended(&mut self.drain, |state| ended.add(state));
        self.hook_new();
    }

    fn hook_new(&mut self) {
        self.hooks.add_new(self.first, &mut self.drain);
        self.first = self.first.filter(|&thread| !self.hooks.has(thread));
    }

    /// Notes each thread that has started to hang, with one of its windows.
    fn find_hangs(&mut self) {
        fault::point("look");
        let mut hung = Vec::new();
        for window in window::top_level_windows().into_iter().filter(|window| window.is_hung()) {
            let thread = window.thread_and_process().0;
            if hung.contains(&thread) {
                continue;
            }
            hung.push(thread);
            if !self.hung.contains(&thread) {
                let event = self
                    .drain
                    .event(Kind::Hang)
                    .with_number(Key::WindowHwnd, window.0 as i64)
                    .with_number(Key::ThreadId, i64::from(thread))
                    // Windows considers a thread hung after five seconds.
                    .with_number(Key::HangMillis, 5000);
                self.drain.write(event);
            }
        }
        self.hung = hung;
    }

    fn totals(&self) -> Totals {
        let threads = self.hooks.count() as u32;
        let mut totals = Totals { bytes: self.drain.bytes_written(), threads, ..self.ended };
        self.hooks.states().for_each(|state| totals.add(state));
        totals
    }

    fn write_statistics(&mut self, totals: Totals) {
        self.counted = totals.received;
        let event = self.drain.event(Kind::Statistics);
        let number = |event: Event, key, value: u64| event.with_number(key, value.cast_signed());
        let event = number(event, Key::Received, totals.received);
        let event = number(event, Key::Rejected, totals.rejected);
        let event = number(event, Key::Recorded, totals.recorded);
        let event = number(event, Key::Shed, totals.shed);
        let event = number(event, Key::Dropped, totals.dropped);
        let event = number(event, Key::BytesWritten, totals.bytes);
        #[cfg(feature = "bench")]
        let event = event
            .with_text(Key::Reason, self.drain.duration(crate::system::measurement::ticks()).to_string());
        self.drain.write(event);
    }
}

/// A clock with a first estimate of its rate: the previous session's, or one that takes a few milliseconds.
fn start_clock() -> Clock {
    static SCALE: AtomicU64 = AtomicU64::new(0);
    let mut clock = Clock::new(thread_block::ticks, chrono::Utc::now().timestamp_micros());
    match SCALE.load(Ordering::Relaxed) {
        0 => {
            std::thread::sleep(Duration::from_millis(5));
            clock.refine(thread_block::ticks);
            SCALE.store(clock.scale, Ordering::Relaxed);
        }
        known => clock.scale = known,
    }
    clock
}
