//! The recorder as the C interface sees it: started, asked and stopped from any thread of the host.

use crate::callback::{hook_procedures, last_reported, thread_state};
use crate::recorder::command::{Command, PATIENCE, QueuedCommand};
use crate::recorder::drain::{Sink, local_time};
use crate::recorder::segments::{self, LOCK};
use crate::recorder::settings::{FirstThread, Settings};
use crate::recorder::totals::Totals;
use crate::recorder::window_creation;
use crate::recorder::worker::Worker;
use crate::shared::fault;
use crate::shared::privacy;
use crate::shared::rules::RECORDING;
use crate::system::files::{create_folder, create_guarded};
use crate::system::win32::{self, RecordingLock};
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

/// How often a host that waits looks whether the recorder's thread is still there.
const TICK: Duration = Duration::from_millis(50);
/// How long it waits for that thread to have begun its work, once it is known to run: on a busy machine that
/// may take its time.
const LONG_PATIENCE: Duration = Duration::from_secs(60);
/// How long a host waits for that thread to be gone once its work is done.
const LAST_STEP: Duration = Duration::from_millis(20);
/// Commands that wait at the most. Their room is there from the start: a host that has no memory left
/// can still stop us.
const MAX_COMMANDS: usize = 256;

/// A running recorder.
pub(crate) struct Recorder {
    commands: Sender<QueuedCommand>,
    thread: JoinHandle<()>,
    /// Closed when its work is done.
    done: Receiver<()>,
    pub(crate) session_folder: PathBuf,
}

impl Recorder {
    /// Starts to record. Returns when the threads that exist are hooked.
    pub(crate) fn start(settings: Settings, claim: RecordingLock) -> io::Result<Self> {
        if !win32::pin_module() || !thread_state::prepare() {
            return Err(io::Error::other("the module cannot be pinned"));
        }
        guarded::prepare();
        let session = session_name();
        let session_folder = settings.folder.join(&session);
        create_folder(&session_folder)?;
        // Before anything else lies there: from now on nobody takes it for an ended session.
        let lock = create_guarded(&session_folder.join(LOCK))?;
        segments::remove_old_sessions(&settings.folder, settings.keep, SystemTime::now());
        let (commands, receiver) = bounded(MAX_COMMANDS);
        let (ready, started) = bounded(2);
        let (working, done) = bounded(0);
        let hooked_first = settings.hooked_first;
        let caller = hooked_first.and_then(|first| match first {
            FirstThread::Caller => win32::make_gui_thread(),
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
                // Nobody waits any more: whoever started us has been told that it failed.
                let is_relevant = ready.send(()).is_ok();
                work.run(is_relevant.then_some(&receiver));
            }));
            let _ = catch_unwind(AssertUnwindSafe(|| {
                if done.is_err() {
                    work.give_up();
                }
                drop(work);
            }));
            let _ = fs::remove_file(folder.join(LOCK));
            // Only now may another begin, also if whoever stopped us has not waited so long.
            drop::<RecordingLock>(claim);
            drop::<Sender<()>>(working);
        })?;
        let recorder = Self { commands, thread, done, session_folder };
        // A thread that does not even begin waits for whoever waits for it.
        match started.recv_timeout(PATIENCE).and_then(|()| started.recv_timeout(LONG_PATIENCE)) {
            Ok(()) => {
                match hooked_first {
                    Some(FirstThread::Caller) => win32::refresh_hook_cache(Some(hook_procedures::on_sent)),
                    // If it cannot, it is hooked when it has a window.
                    Some(FirstThread::Thread(id)) => _ = win32::run_first_on(id, window_creation::on_begin),
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
            // The recorder's thread is gone, and whatever it held is held for ever. The rings have what
            // it did not write.
            std::mem::forget(self);
            return;
        }
        self.tell(Command::Stop);
        if !heap::is_own_thread() {
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

    /// Waits for its work, not for the thread alone, which cannot end while the caller holds the loader lock,
    /// and which a host may have ended before its work was done.
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
        let patience = if heap::is_own_thread() { Duration::ZERO } else { PATIENCE };
        let _ = self.commands.send_timeout((Some(win32::ticks()), command), patience);
    }

    pub(crate) fn mark(&self, text: Text) {
        self.tell(Command::Mark(text));
    }

    pub(crate) fn pause(&self, paused: bool) {
        privacy::forget_checked();
        last_reported::forget_all();
        RECORDING.store(!paused, Ordering::Release);
        self.tell(Command::Pause(paused));
    }

    /// The one before is not called any more when this returns.
    pub(crate) fn set_sink(&self, sink: Option<Sink>) {
        let (done, wait) = bounded(1);
        self.tell(Command::Sink(sink, done));
        if !heap::is_own_thread() {
            self.answer(&wait);
        }
    }

    /// Writes everything recorded so far as XML; the totals at that moment.
    pub(crate) fn drain(&self) -> Option<Totals> {
        if heap::is_own_thread() {
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
