//! The recorder as the C interface sees it: any thread of the host starts it, sends it commands and stops it.

use crate::callback::{hook_procedures, last_reported, thread_state};
use crate::recorder::command::{Command, PATIENCE, QueuedCommand};
use crate::recorder::drain::Sink;
use crate::recorder::sessions::{LOCK, remove_old_sessions};
use crate::recorder::settings::{FirstThread, Settings};
use crate::recorder::totals::Totals;
use crate::recorder::wall_clock::local_time;
use crate::recorder::window_creation;
use crate::recorder::worker::Worker;
use crate::shared::fault;
use crate::shared::privacy;
use crate::shared::rules::RECORDING;
use crate::system::files::{create_folder, create_guarded};
use crate::system::hooks;
use crate::system::process::{self, RecordingLock};
use crate::system::thread_block;
use crate::system::threads;
use crate::system::{guarded, heap};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded};
use message_log::{Log, Manifest, Text, parts_below};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// How often a host thread that waits checks whether the recorder thread still runs.
const TICK: Duration = Duration::from_millis(50);
/// How long a host waits for the recorder thread to begin recording, once it runs: on a busy machine
/// that takes long.
const LONG_PATIENCE: Duration = Duration::from_secs(60);
/// How long a host waits for the recorder thread to exit once its work is done.
const LAST_STEP: Duration = Duration::from_millis(20);
/// The length of the queue of commands. It is allocated at the start, so a host without memory can still
/// stop the recorder.
const MAX_COMMANDS: usize = 256;

/// A running recorder.
pub(crate) struct Recorder {
    commands: Sender<QueuedCommand>,
    thread: JoinHandle<()>,
    /// Disconnected when its work is done.
    done: Receiver<()>,
    pub(crate) session_folder: PathBuf,
}

impl Recorder {
    /// Starts to record. Returns when all existing GUI threads are hooked.
    pub(crate) fn start(settings: Settings, recording_lock: RecordingLock) -> io::Result<Self> {
        if !process::pin_module() || !thread_state::prepare() {
            return Err(io::Error::other("cannot pin the module or allocate a TLS slot"));
        }
        guarded::prepare();
        let session = session_name();
        let session_folder = settings.folder.join(&session);
        create_folder(&session_folder)?;
        // The first file in the folder: it marks the session as running.
        let lock = create_guarded(&session_folder.join(LOCK))?;
        remove_old_sessions(&settings.folder, settings.keep, SystemTime::now());
        let (commands, receiver) = bounded(MAX_COMMANDS);
        let (ready, started) = bounded(2);
        let (working, done) = bounded(0);
        let hooked_first = settings.hooked_first;
        let caller = hooked_first.and_then(|first| match first {
            FirstThread::Caller => threads::make_gui_thread(),
            FirstThread::Thread(_) => None,
        });
        let (folder, sender) = (session_folder.clone(), commands.clone());
        let thread = std::thread::Builder::new().name("dashcam".into()).spawn(move || {
            heap::wait_here();
            let _ = ready.send(());
            let mut work = Worker::begin(settings, &session, &folder, sender, lock);
            let done = catch_unwind(AssertUnwindSafe(|| {
                work.hook_first(caller);
                RECORDING.store(true, Ordering::Release);
                // If nobody waits any more, `start` has returned an error.
                let is_started = ready.send(()).is_ok();
                work.run(is_started.then_some(&receiver));
            }));
            let _ = catch_unwind(AssertUnwindSafe(|| {
                if done.is_err() {
                    work.give_up();
                }
                drop(work);
            }));
            let _ = fs::remove_file(folder.join(LOCK));
            // Another recorder can start only now, even if `stop` has stopped waiting.
            drop::<RecordingLock>(recording_lock);
            drop::<Sender<()>>(working);
        })?;
        let recorder = Self { commands, thread, done, session_folder };
        // A thread that does not start waits for the loader lock, which the caller holds.
        match started.recv_timeout(PATIENCE).and_then(|()| started.recv_timeout(LONG_PATIENCE)) {
            Ok(()) => {
                match hooked_first {
                    Some(FirstThread::Caller) => hooks::refresh_hook_cache(Some(hook_procedures::on_sent)),
                    // If that fails, the thread is hooked when it creates a window.
                    Some(FirstThread::Thread(id)) => {
                        _ = threads::run_first_on(id, window_creation::on_thread_start);
                    }
                    None => {}
                }
                Ok(recorder)
            }
            Err(_) => Err(io::Error::other(
                "the recorder thread does not start: does the caller hold the loader lock?",
            )),
        }
    }

    /// Ends the recording. Everything recorded is in XML when this returns.
    pub(crate) fn stop(self: Arc<Self>) {
        RECORDING.store(false, Ordering::Release);
        if process::is_exiting() {
            // The recorder thread has been terminated, and its locks stay locked. The rings have what
            // it did not write.
            std::mem::forget(self);
            return;
        }
        self.send(Command::Stop);
        if !heap::is_own_thread() {
            self.wait_for_end();
        }
    }

    /// Waits for an answer of the recorder thread; none if that was stopped meanwhile and does not read
    /// the queue any more.
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

    /// Whether its work is done after a stop.
    pub(crate) fn has_ended(&self) -> bool {
        self.done.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Waits until its work is done. Waiting for the thread alone would not do: it cannot exit while the
    /// caller holds the loader lock, and a host may have terminated it before its work was done.
    fn wait_for_end(&self) {
        let deadline = Instant::now() + PATIENCE;
        while self.done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout)
            && !threads::has_ended(&self.thread, Duration::ZERO)
            && Instant::now() < deadline
        {}
        threads::has_ended(&self.thread, LAST_STEP);
    }

    /// Queues a command. Gives up after a while if the recorder thread does not read the queue.
    fn send(&self, command: Command) {
        // A sink that calls this runs on the recorder thread, which must not wait for itself.
        let patience = if heap::is_own_thread() { Duration::ZERO } else { PATIENCE };
        let _ = self.commands.send_timeout((Some(thread_block::ticks()), command), patience);
    }

    pub(crate) fn mark(&self, text: Text) {
        self.send(Command::Mark(text));
    }

    pub(crate) fn pause(&self, paused: bool) {
        privacy::forget_checked();
        last_reported::forget_all();
        RECORDING.store(!paused, Ordering::Release);
        self.send(Command::Pause(paused));
    }

    /// After return, the previous sink is never called again.
    pub(crate) fn set_sink(&self, sink: Option<Sink>) {
        let (done, wait) = bounded(1);
        self.send(Command::Sink(sink, done));
        if !heap::is_own_thread() {
            self.answer(&wait);
        }
    }

    /// Writes everything recorded so far as XML. Returns the totals at that moment.
    pub(crate) fn drain(&self) -> Option<Totals> {
        if heap::is_own_thread() {
            return None;
        }
        let (done, wait) = bounded(1);
        self.send(Command::Drain(done));
        self.answer(&wait)
    }

    /// Exports the session so far to a file, which must not exist.
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

/// The name of a session, unique for practical purposes: time, process id and time stamp counter.
fn session_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = local_time().format("%Y%m%dT%H%M%S");
    let salt = (thread_block::ticks() ^ (COUNT.fetch_add(1, Ordering::Relaxed) << 48)) as u32;
    format!("{time}-{}-{salt:08x}", process::current_process_id())
}
