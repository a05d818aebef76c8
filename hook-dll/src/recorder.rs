//! The recorder's own thread: hooks, drains, rotates, notices. One per process.

use crate::budget;
use crate::callback::{self, BUDGET, PANICKED, RECORDING, Rules};
use crate::clock::Clock;
use crate::controls;
use crate::crash;
use crate::drain::{Drain, Sink, local_time, wall};
use crate::filter::Filter;
use crate::hooks::Hooks;
use crate::masks::{self, Masked};
use crate::segments::{self, Keep, LOCK, Limits, Segments, create_guarded};
#[cfg(target_arch = "x86_64")]
use crate::swallowed;
use crate::thread::{self, ThreadState};
use crate::told;
use crate::win32::{self, BirthHook, Claim};
use crate::{fault, guarded, memory, panics, private};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded};
use message_log::{Event, Key, Kind, Log, Manifest, Text, Value, parts_below};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// How often rings are emptied, unless a command comes first.
const TICK: Duration = Duration::from_millis(50);
const FLUSH: Duration = Duration::from_secs(2);
/// How often threads and hangs are looked for; births of windows are told at once.
const LOOK: Duration = Duration::from_millis(500);
/// How often counters are written, if they have changed: a killed process has no last word.
const COUNT: Duration = if cfg!(feature = "bench") { TICK } else { Duration::from_secs(30) };
/// How many modules the session's head lists.
const MAX_MODULES: usize = 200;
/// How long a host waits for the recorder's thread.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it waits for that thread to have begun its work, once it is known to run: on a busy machine that may take its time.
const LONG_PATIENCE: Duration = Duration::from_secs(60);
/// How long a host waits for that thread to be gone once its work is done.
const LAST_STEP: Duration = Duration::from_millis(20);
/// How long the end waits for a disk that does not take lines.
const LAST_CHANCE: Duration = Duration::from_secs(1);
/// Commands that wait at the most. Their room is there from the start: a host that has no memory left can still stop us.
const MAX_COMMANDS: usize = 256;

/// What a host may choose.
pub(crate) struct Settings {
    pub(crate) folder: PathBuf,
    pub(crate) limits: Limits,
    /// Bytes of records per second.
    pub(crate) rate: u32,
    /// What is kept of ended sessions.
    pub(crate) keep: Keep,
    pub(crate) all_moves: bool,
    pub(crate) extra: Vec<u32>,
    pub(crate) suppressed: Vec<u32>,
    pub(crate) masked: Masked,
    pub(crate) application: String,
    pub(crate) version: String,
    /// A thread that may get windows, whether it has any yet or not.
    pub(crate) hooked_first: Option<First>,
}

/// Which thread is hooked first.
#[derive(Clone, Copy)]
pub(crate) enum First {
    /// Whoever starts us.
    Caller,
    /// The first thread of a program that does nothing yet. It has no queue and could not be hooked on Windows: before it begins, it makes itself one and is hooked.
    Thread(u32),
}

/// Totals of all threads, the ended ones included.
#[derive(Default, Clone, Copy)]
pub(crate) struct Totals {
    pub(crate) received: u64,
    pub(crate) rejected: u64,
    pub(crate) recorded: u64,
    pub(crate) shed: u64,
    pub(crate) dropped: u64,
    pub(crate) bytes: u64,
    pub(crate) threads: u32,
}

impl Totals {
    fn add(&mut self, state: &ThreadState) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        self.received += read(&state.counters.received);
        self.rejected += read(&state.counters.rejected);
        self.recorded += read(&state.counters.recorded);
        self.shed += read(&state.counters.shed);
        self.dropped += read(&state.counters.dropped);
    }
}

/// A command, and the moment up to which everything stands before it; none for one that is about what is there by now.
type Told = (Option<u64>, Command);

/// What the recorder's thread can be asked for.
enum Command {
    Mark(Text),
    Pause(bool),
    Sink(Option<Sink>, Sender<()>),
    Drain(Sender<Totals>),
    NewThread,
    /// A thread that may get windows and has none yet.
    Hook(u32, Sender<()>),
    /// A thread has a window whose WM_CREATE was not recorded.
    UnseenBirth(u32),
    Stop,
}

/// A running recorder.
pub(crate) struct Recorder {
    commands: Sender<Told>,
    thread: JoinHandle<()>,
    /// Closed when its work is done.
    done: Receiver<()>,
    pub(crate) session_folder: PathBuf,
}

impl Recorder {
    /// Starts to record. Returns when the threads that exist are hooked.
    pub(crate) fn start(settings: Settings, claim: Claim) -> io::Result<Self> {
        if !win32::pin_module() || !thread::prepare() {
            return Err(io::Error::other("the module cannot be pinned"));
        }
        guarded::prepare();
        let session = session_name();
        let session_folder = settings.folder.join(&session);
        private::create_folder(&session_folder)?;
        // Before anything else lies there: from now on nobody takes it for an ended session.
        let lock = create_guarded(&session_folder.join(LOCK))?;
        segments::remove_old_sessions(&settings.folder, settings.keep, SystemTime::now());
        let (commands, receiver) = bounded(MAX_COMMANDS);
        let (ready, started) = bounded(2);
        let (working, done) = bounded(0);
        let hooked_first = settings.hooked_first;
        let caller = hooked_first.and_then(|first| match first {
            First::Caller => win32::make_gui_thread(),
            First::Thread(_) => None,
        });
        let (folder, sender) = (session_folder.clone(), commands.clone());
        let thread = std::thread::Builder::new().name("dashcam".into()).spawn(move || {
            memory::wait_here();
            let _ = ready.send(());
            let mut work = Work::begin(settings, &session, &folder, sender, lock);
            let done = catch_unwind(AssertUnwindSafe(|| {
                work.hook_first(caller);
                RECORDING.store(true, Ordering::Release);
                // Nobody waits any more: whoever started us has been told that it failed.
                let is_wanted = ready.send(()).is_ok();
                work.run(is_wanted.then_some(&receiver));
            }));
            let _ = catch_unwind(AssertUnwindSafe(|| {
                if done.is_err() {
                    work.give_up();
                }
                drop(work);
            }));
            let _ = fs::remove_file(folder.join(LOCK));
            // Only now may another begin, also if whoever stopped us has not waited so long.
            drop::<Claim>(claim);
            drop::<Sender<()>>(working);
        })?;
        let recorder = Self { commands, thread, done, session_folder };
        // A thread that does not even begin waits for whoever waits for it.
        match started.recv_timeout(PATIENCE).and_then(|()| started.recv_timeout(LONG_PATIENCE)) {
            Ok(()) => {
                match hooked_first {
                    Some(First::Caller) => win32::notice_hooks(Some(callback::on_sent)),
                    // If it cannot, it is hooked when it has a window.
                    Some(First::Thread(id)) => _ = win32::begin_with(id, births::on_begin),
                    None => {}
                }
                Ok(recorder)
            }
            Err(_) => Err(io::Error::other("the recorder's thread does not start: is this the loader lock?")),
        }
    }

    /// Ends recording; everything recorded is in XML when this returns.
    pub(crate) fn stop(self: Arc<Self>) {
        RECORDING.store(false, Ordering::Release);
        if win32::is_exiting() {
            // The recorder's thread is gone, and whatever it held is held for ever. The rings have what it did not write.
            std::mem::forget(self);
            return;
        }
        self.tell(Command::Stop);
        if !memory::is_own_thread() {
            self.wait_for_end();
        }
    }

    /// What its thread answers; none if that was stopped meanwhile, whose queue keeps the question for ever.
    fn answer<T>(&self, wait: &Receiver<T>) -> Option<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match wait.recv_timeout(TICK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) if !self.has_ended() && Instant::now() < deadline => {}
                Err(_) => return None,
            }
        }
    }

    /// Whether its work is done, since it was stopped.
    pub(crate) fn has_ended(&self) -> bool {
        self.done.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Waits for its work, not for the thread alone, which cannot end while the caller holds the loader lock, and which a host may
    /// have ended before its work was done.
    fn wait_for_end(&self) {
        let deadline = Instant::now() + PATIENCE;
        while self.done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout)
            && !win32::has_ended(&self.thread, Duration::ZERO)
            && Instant::now() < deadline
        {}
        win32::has_ended(&self.thread, LAST_STEP);
    }

    /// Leaves it to the recorder's thread; one that does not take it for so long has other worries.
    fn tell(&self, command: Command) {
        // A sink that calls us is that thread, which does not wait for itself.
        let patience = if memory::is_own_thread() { Duration::ZERO } else { PATIENCE };
        let _ = self.commands.send_timeout((Some(win32::ticks()), command), patience);
    }

    pub(crate) fn mark(&self, text: Text) {
        self.tell(Command::Mark(text));
    }

    pub(crate) fn pause(&self, paused: bool) {
        masks::look_at_all_again();
        told::forget_all();
        RECORDING.store(!paused, Ordering::Release);
        self.tell(Command::Pause(paused));
    }

    /// The one before is not called any more when this returns.
    pub(crate) fn set_sink(&self, sink: Option<Sink>) {
        let (done, wait) = bounded(1);
        self.tell(Command::Sink(sink, done));
        if !memory::is_own_thread() {
            self.answer(&wait);
        }
    }

    /// Writes everything recorded so far as XML; the totals at that moment.
    pub(crate) fn drain(&self) -> Option<Totals> {
        if memory::is_own_thread() {
            return None;
        }
        let (done, wait) = bounded(1);
        self.tell(Command::Drain(done));
        self.answer(&wait)
    }

    /// Packs the session so far into one file, which must not exist.
    pub(crate) fn export(&self, path: &Path) -> io::Result<Manifest> {
        fault::point("export");
        let out = File::create_new(path)?;
        self.drain();
        let made = export_folder(&self.session_folder, &out);
        drop(out);
        if made.is_err() {
            let _ = fs::remove_file(path);
        }
        made
    }
}

fn export_folder(folder: &Path, out: &File) -> io::Result<Manifest> {
    let mut out = BufWriter::new(out);
    let log = parts_below(folder, 0).and_then(Log::open).map_err(io::Error::other)?;
    let manifest = Manifest::export(log, &mut out).map_err(io::Error::other)?;
    out.flush()?;
    Ok(manifest)
}

/// Unique in the world as far as a log needs it: time, process, and the processor's own counter.
fn session_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = local_time().format("%Y%m%dT%H%M%S");
    let salt = (win32::ticks() ^ (COUNT.fetch_add(1, Ordering::Relaxed) << 48)) as u32;
    format!("{time}-{}-{salt:08x}", win32::current_process_id())
}

/// Everything that lives on the recorder's thread.
struct Work {
    drain: Drain,
    hooks: Hooks,
    /// A thread that is hooked as soon as it can be, whether it has windows or not.
    first: Option<u32>,
    _births: Option<BirthHook>,
    _crashes: crash::Filter,
    #[cfg(target_arch = "x86_64")]
    _swallowed: Option<swallowed::Watch>,
    /// Threads that hang.
    hung: Vec<u32>,
    ended: Totals,
    /// Messages received when counters were last written.
    counted: u64,
    folder: PathBuf,
    /// Kept open as long as the session lives.
    lock: Option<File>,
    /// Whether it has been said that rings no longer outlive the process.
    lost_rings: bool,
    /// Kinds of messages of which it has been said that they are left out.
    shed: u32,
    /// Bytes of records per second.
    rate: u32,
}

impl Work {
    fn begin(settings: Settings, session: &str, folder: &Path, commands: Sender<Told>, lock: File) -> Self {
        callback::set_rules(Rules {
            filter: Filter::new(&settings.extra, &settings.suppressed, settings.all_moves),
            masked: settings.masked.clone(),
        });
        controls::find_modules();
        masks::look_at_all_again();
        told::forget_all();
        // Asked here once, so that no callback has to.
        win32::is_wine();
        births::tell(commands);
        fault::point("begin");
        let clock = start_clock();
        BUDGET.begin(settings.rate, clock.ticks_per_second());
        let segments = Segments::new(folder, session, settings.limits);
        let mut drain = Drain::new(segments, clock);
        drain.begin();
        drain.write(session_head(drain.event(Kind::Session), &settings));
        let is_local = win32::is_on_local_drive(folder);
        if !is_local {
            let reason =
                "the folder is not on a local fixed drive: what is not written yet does not outlive a crash";
            drain.note_state("memory-only", reason);
        }
        Self {
            drain,
            hooks: Hooks::new(folder.into(), session.into(), is_local),
            _births: BirthHook::new(Some(births::on_birth)),
            _crashes: crash::Filter::install(),
            #[cfg(target_arch = "x86_64")]
            _swallowed: swallowed::Watch::begin(),
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

    fn hook_first(&mut self, caller: Option<u32>) {
        self.first = caller;
        self.hook_new();
        self.hooks.add_spare(&mut self.drain);
    }

    /// After a failure of our own: says so, and leaves the host to itself.
    fn give_up(&mut self) {
        RECORDING.store(false, Ordering::Release);
        births::forget();
        let place = panics::place();
        self.hooks.abandon(&format!("the recorder failed at {place}; the application goes on unrecorded"));
    }

    /// Until told to stop; without anybody to tell, at once.
    fn run(&mut self, commands: Option<&Receiver<Told>>) {
        if let Some(commands) = commands {
            self.work(commands);
        }
        births::forget();
        // A disk in trouble gets a last chance.
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

    fn work(&mut self, commands: &Receiver<Told>) {
        let (mut flushed, mut looked, mut counted) = (Instant::now(), Instant::now(), Instant::now());
        loop {
            if !self.obey_all(commands) {
                break;
            }
            crash::take_over();
            self.drain_all();
            controls::find_modules();
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look_for_threads();
                self.look_for_hangs();
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
                // A process ends with its last thread, and that must not be kept from it by ours.
                if self.hooks.count() == 0 && win32::is_last_thread() {
                    break;
                }
            }
        }
    }

    /// Waits a tick for a command and obeys it, and those that came meanwhile; false when told to stop.
    fn obey_all(&mut self, commands: &Receiver<Told>) -> bool {
        let mut next = commands.recv_timeout(TICK);
        for _ in 0..MAX_COMMANDS {
            match next {
                Ok((_, Command::Stop)) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => break,
                Ok((told, command)) => {
                    // What came before it stands before it, and what came since behind it.
                    let states: Vec<_> = self.hooks.states().collect();
                    self.drain.take_until(&states, told.unwrap_or_else(win32::ticks));
                    self.obey(command);
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

    fn obey(&mut self, command: Command) {
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
            Command::NewThread => self.look_for_threads(),
            Command::UnseenBirth(thread) => self.drain.tell_windows_of(thread),
            Command::Hook(thread, done) => {
                self.first = Some(thread);
                self.look_for_threads();
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
        self.drain.meet_unknown();
        let ended = &mut self.ended;
        self.hooks.renew_broken(&mut self.drain, |state| ended.add(state));
        self.keep_budget();
        if PANICKED.swap(false, Ordering::AcqRel) {
            let place = panics::place();
            let reason = format!("a callback failed at {place}; the application goes on unrecorded");
            self.drain.note_state("disabled", &reason);
        }
    }

    /// Says what is left out and when everything is recorded again; then a keyframe tells what was missed.
    fn keep_budget(&mut self) {
        let shed = BUDGET.shed();
        if shed & !self.shed != 0 {
            let reason =
                format!("more bytes per second than the budget: left out are {}", budget::names(shed));
            self.drain.note_state("shedding", &reason);
        }
        self.shed = shed;
        if BUDGET.recover(win32::ticks()) {
            self.shed = 0;
            self.drain.note_state("complete", "everything is recorded again");
            self.drain.resync();
        }
    }

    /// Those that ended first: a new one may have got the id of one of them.
    fn look_for_threads(&mut self) {
        let ended = &mut self.ended;
        self.hooks.remove_ended(&mut self.drain, |state| ended.add(state));
        self.hook_new();
    }

    fn hook_new(&mut self) {
        self.hooks.add_new(self.first, &mut self.drain);
        self.first = self.first.filter(|&thread| !self.hooks.has(thread));
    }

    /// Notes each thread that begins to hang, with one of its windows.
    fn look_for_hangs(&mut self) {
        fault::point("look");
        let mut hung = Vec::new();
        for window in win32::top_level_windows().into_iter().filter(|window| window.is_hung()) {
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
                    // The system calls a thread hung after five seconds.
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
        let event = event.with_text(Key::Reason, self.drain.duration(crate::bench::ticks()).to_string());
        self.drain.write(event);
    }
}

/// A clock with a first guess of what a tick is: that of the session before, or one that takes a few milliseconds.
fn start_clock() -> Clock {
    static SCALE: AtomicU64 = AtomicU64::new(0);
    let mut clock = Clock::new(win32::ticks, chrono::Utc::now().timestamp_micros());
    match SCALE.load(Ordering::Relaxed) {
        0 => {
            std::thread::sleep(Duration::from_millis(5));
            clock.refine(win32::ticks);
            SCALE.store(clock.scale, Ordering::Relaxed);
        }
        known => clock.scale = known,
    }
    clock
}

fn session_head(event: Event, settings: &Settings) -> Event {
    let directory = std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_default();
    let modules = win32::modules();
    // The first module is the program itself.
    let own = || modules.first().and_then(|&(_, start, _)| win32::module_version(start)).unwrap_or_default();
    let version = if settings.version.is_empty() { own() } else { settings.version.clone() };
    let event = event
        .with_text(Key::ApplicationName, settings.application.as_str())
        .with_text(Key::ApplicationVersion, version)
        .with_text(Key::ApplicationPath, win32::program_path())
        .with_text(Key::CommandLine, win32::command_line())
        .with_text(Key::WorkingDirectory, directory)
        .with_number(Key::ProcessId, i64::from(win32::current_process_id()))
        .with_number(Key::ProcessBits, i64::from(usize::BITS))
        .with_text(Key::Started, wall())
        .with_text(Key::SystemVersion, win32::system_version())
        .with_text(Key::Locale, win32::locale())
        .with_text(Key::RecorderVersion, env!("CARGO_PKG_VERSION"))
        .with_number(Key::Retention, settings.limits.retention.cast_signed());
    modules.iter().take(MAX_MODULES).fold(event, |event, (name, start, _)| {
        let version = win32::module_version(*start).unwrap_or_default();
        event.with_text(Key::Module, format!("{name}/{version}"))
    })
}

/// How the recorder's thread learns of a thread's first window.
mod births {
    use super::{Command, PATIENCE, Sender, Told, bounded};
    use crate::thread::ThreadState;
    use crate::win32::Window;
    use crate::{callback, fault, win32};
    use parking_lot::RwLock;
    use std::panic::catch_unwind;
    use std::sync::atomic::Ordering;
    use windows::Win32::Foundation::HWND;
    use windows::Win32::UI::Accessibility::HWINEVENTHOOK;

    /// Taken only at the birth of a window on a thread that is not hooked: once per thread. Read by threads in whose midst a window is born: several at once, and none keeps another's news from being told.
    static COMMANDS: RwLock<Option<Sender<Told>>> = RwLock::new(None);

    pub(super) fn tell(commands: Sender<Told>) {
        *COMMANDS.write() = Some(commands);
    }

    pub(super) fn forget() {
        *COMMANDS.write() = None;
    }

    /// A thread begins, and is hooked before it does anything of its own.
    pub(super) extern "system" fn on_begin(_: usize) {
        let error = win32::last_error();
        let _ = catch_unwind(|| {
            let Some(thread) = win32::make_gui_thread() else { return };
            let commands = COMMANDS.read().clone();
            let (done, wait) = bounded(1);
            if commands.is_some_and(|commands| commands.try_send((None, Command::Hook(thread, done))).is_ok())
            {
                let _ = wait.recv_timeout(PATIENCE);
                win32::notice_hooks(Some(callback::on_sent));
            }
        });
        win32::set_last_error(error);
    }

    #[expect(unsafe_code, reason = "called by the system")]
    pub(super) unsafe extern "system" fn on_birth(
        _: HWINEVENTHOOK,
        _: u32,
        window: HWND,
        object: i32,
        _: i32,
        _: u32,
        _: u32,
    ) {
        let error = win32::last_error();
        let is_window = object == 0;
        let _ = catch_unwind(|| {
            if is_window
                && let Some(command) = news_of(Window(window.0.addr()))
                && let Some(commands) = COMMANDS.try_read()
                && let Some(commands) = commands.as_ref()
            {
                fault::point("birth");
                // Never waits; threads are looked for now and then anyway.
                let _ = commands.try_send((None, command));
            }
        });
        win32::set_last_error(error);
    }
    /// What the recorder's thread should know of a birth. A thread may be hooked in the midst of its first top-level window's
    /// birth: too late for WM_CREATE, and too early to find the window.
    fn news_of(window: Window) -> Option<Command> {
        let Some(state) = ThreadState::current() else { return Some(Command::NewThread) };
        let is_unseen = state.is_new.load(Ordering::Relaxed)
            && state.created.load(Ordering::Relaxed) != window.0
            && window.parent().is_none();
        is_unseen.then(|| Command::UnseenBirth(state.id()))
    }
}
