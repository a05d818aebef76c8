//! The GUI threads of the application: work done on them, and whether they have any left.
//!
//! To create the agent's window on a thread a hook is needed once; it is removed right after, since hooked
//! messages are slow. A thread whose loop takes messages of its own window only is recognised by a probe to
//! that window: the thread takes it while an older job is left.

use crate::gui_thread::jobs::Job;
use crate::gui_thread::{dispatch, own_windows};
use crate::win32::hooks::MessageHook;
use crate::win32::own_window::{QueueState, queue_state, wake};
use crate::win32::process::{is_running, process_id, processor_time, thread_id};
use crate::worker::effort::{Effort, HUNG};
use replay_link::{Outcome, Window, top_level_windows};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long a thread that has been silent for longer than [`HUNG`] may take until it is looked at again.
const GLANCE: Duration = Duration::from_millis(100);
/// A thread that has nothing to do but paint, so many times in a row, paints for ever: an
/// animation, like a timer.
const MAX_PAINTS: u32 = 20;

/// Why a job has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The thread is gone.
    Gone,
    /// The job was not begun, and was given up.
    NotBegun,
    /// The job may have been begun.
    Busy,
}

/// A fence on its way, and since when.
struct Fence {
    job: Arc<Job>,
    passed: Receiver<(QueueState, Instant)>,
    since: Instant,
}

/// The GUI threads as the worker knows them.
#[derive(Default)]
pub(crate) struct Threads {
    windows: HashMap<u32, Window>,
    hooks: HashMap<u32, (MessageHook, Instant)>,
    fences: HashMap<u32, Fence>,
    /// The hooks of threads that have a carrier.
    carrier_hooks: HashMap<u32, MessageHook>,
    /// How many probes were sent.
    probes: isize,
    /// Threads that take no messages at present.
    silent: HashMap<u32, Effort>,
}

impl Threads {
    /// Runs something on the thread of a window and returns its first answer; it may go on afterwards.
    pub(crate) fn run<T: Send + 'static>(
        &mut self,
        window: Window,
        patience: Duration,
        work: impl FnOnce(&dyn Fn(T)) + Send + 'static,
    ) -> Result<T, Silence> {
        let deadline = Instant::now() + patience;
        let (thread, process) = window.thread_and_process();
        if thread == 0 || process != process_id() {
            return Err(Silence::Gone);
        }
        let Some(own) = self.own_window(thread, deadline) else { return Err(Silence::NotBegun) };
        let (sender, answers) = channel();
        let job = Job::post(own, Box::new(move || work(&|answer| drop(sender.send(answer)))));
        match self.receive(thread, &job, &answers, deadline) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Gone),
            Err(RecvTimeoutError::Timeout) if job.give_up() => Err(Silence::NotBegun),
            // Taken in this very moment: then its answer comes.
            Err(RecvTimeoutError::Timeout) => answers.recv_timeout(patience).map_err(|_| Silence::Busy),
        }
    }

    /// The agent's window on a thread, created now if there is none.
    fn own_window(&mut self, thread: u32, deadline: Instant) -> Option<Window> {
        if let Some(window) = self.windows.get(&thread) {
            if window.thread_and_process().0 == thread {
                return Some(*window);
            }
            self.windows.remove(&thread);
        }
        let asked = self.hooks.entry(thread).or_insert_with(|| (dispatch::hook(thread), Instant::now()));
        wake(thread);
        let deadline = next_look(asked.1, deadline);
        let mut last = Instant::now();
        loop {
            if let Some(window) =
                own_windows::of(thread).filter(|window| window.thread_and_process().0 == thread)
            {
                self.hooks.remove(&thread);
                self.windows.insert(thread, window);
                return Some(window);
            }
            if Instant::now() >= deadline || !is_running(thread) {
                return None;
            }
            // A thread message is lost where a loop takes it without calling a hook. Send it again from time
            // to time, also to a window.
            if last.elapsed() > Duration::from_millis(100) {
                wake(thread);
                if let Some(window) = shown_window(thread) {
                    own_windows::probe(window, 0);
                }
                last = Instant::now();
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Waits for the answer of a job. If that takes long, finds out whether the thread takes messages
    /// but the agent's.
    fn receive<T>(
        &mut self,
        thread: u32,
        job: &Arc<Job>,
        answers: &Receiver<T>,
        deadline: Instant,
    ) -> Result<T, RecvTimeoutError> {
        const LONG: Duration = Duration::from_millis(300);
        const LOOK: Duration = Duration::from_millis(5);
        let left = || deadline.saturating_duration_since(Instant::now());
        let wait_on = |answer: Result<T, RecvTimeoutError>| match answer {
            Err(RecvTimeoutError::Timeout) => answers.recv_timeout(left()),
            answer => answer,
        };
        let answer = answers.recv_timeout(left().min(LONG));
        let has_carrier = own_windows::carrier_of(thread).is_some();
        let shown = shown_window(thread).filter(|_| !has_carrier && !job.is_taken());
        let Some(window) = shown.filter(|_| matches!(answer, Err(RecvTimeoutError::Timeout))) else {
            return wait_on(answer);
        };
        let hook = dispatch::hook(thread);
        self.probes += 1;
        own_windows::probe(window, self.probes);
        loop {
            let answer = answers.recv_timeout(left().min(LOOK));
            let took_probe = own_windows::took_probe(thread, self.probes);
            if took_probe && !job.is_taken() {
                own_windows::set_carrier(thread, window);
                self.carrier_hooks.insert(thread, hook);
                if let Some(own) = self.windows.get(&thread) {
                    job.post_again(*own);
                }
                return answers.recv_timeout(left());
            }
            if took_probe || !matches!(answer, Err(RecvTimeoutError::Timeout)) || left().is_zero() {
                return wait_on(answer);
            }
        }
    }

    /// Waits until a fence has passed every GUI thread with nothing left behind it; also returns when the
    /// last of them did.
    pub(crate) fn settle(&mut self, process: u32, patience: Duration) -> (Outcome, Option<Instant>) {
        let deadline = Instant::now() + patience;
        let mut last = None;
        let mut paints = 0;
        let mut was_idle = false;
        let mut known = Vec::new();
        loop {
            let threads = gui_threads(process);
            let is_new = threads != known;
            known = threads;
            let mut left = if known.is_empty() { QueueState::Work } else { QueueState::Empty };
            let mut silent = None;
            for &thread in &known {
                let passed = self.fence(thread, deadline);
                if passed.is_ok() {
                    self.silent.remove(&thread);
                }
                last = passed.as_ref().ok().map(|(_, at)| *at).max(last);
                match passed.map(|(left, _)| left) {
                    Ok(QueueState::Empty) => {}
                    Ok(QueueState::Paint) if left == QueueState::Empty => left = QueueState::Paint,
                    Ok(QueueState::Paint) => {}
                    Ok(QueueState::Work) => left = QueueState::Work,
                    // Its windows go with it.
                    Err(Silence::Gone) => left = QueueState::Work,
                    Err(Silence::Busy | Silence::NotBegun) => silent = Some(thread),
                }
            }
            if let Some(thread) = silent {
                let is_at_work = self.is_at_work(thread);
                if self.silent_for(thread) >= HUNG && !is_at_work {
                    return (Outcome::Hung, last);
                }
                if Instant::now() >= deadline {
                    return (Outcome::Busy, last);
                }
                was_idle = false;
                continue;
            }
            paints = if left == QueueState::Paint { paints + 1 } else { 0 };
            let is_idle = left == QueueState::Empty || paints >= MAX_PAINTS;
            // With several threads, one may have given another work after that one's fence.
            if is_idle && (known.len() == 1 || (was_idle && !is_new)) {
                return (Outcome::Idle, last);
            }
            if Instant::now() >= deadline {
                return (Outcome::Busy, last);
            }
            was_idle = is_idle;
            if known.is_empty() {
                // The application starts or ends, and has no thread to post to.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Posts a fence, unless one is still on its way, and waits for it.
    fn fence(&mut self, thread: u32, deadline: Instant) -> Result<(QueueState, Instant), Silence> {
        if !self.fences.contains_key(&thread) {
            let Some(own) = self.own_window(thread, deadline) else {
                return Err(if is_running(thread) { Silence::Busy } else { Silence::Gone });
            };
            let (sender, passed) = channel();
            let job = Job::post(own, Box::new(move || pass_fence(&sender)));
            self.fences.insert(thread, Fence { job, passed, since: Instant::now() });
        }
        let Some(fence) = self.fences.remove(&thread) else { return Err(Silence::Busy) };
        let passed = self.receive(thread, &fence.job, &fence.passed, next_look(fence.since, deadline));
        if passed == Err(RecvTimeoutError::Timeout) {
            self.fences.insert(thread, fence);
        }
        match passed {
            Ok(passed) => Ok(passed),
            Err(RecvTimeoutError::Timeout) if is_running(thread) => Err(Silence::Busy),
            Err(_) => {
                self.fences.remove(&thread);
                Err(Silence::Gone)
            }
        }
    }

    /// Whether a silent thread uses what it gets of the processor.
    fn is_at_work(&mut self, thread: u32) -> bool {
        let (used, now) = (processor_time(thread), Instant::now());
        self.silent.entry(thread).or_insert_with(|| Effort::new(used, now)).is_at_work(used, now)
    }

    /// For how long a thread has not answered.
    fn silent_for(&self, thread: u32) -> Duration {
        let fence = self.fences.get(&thread).map(|fence| fence.since);
        let hook = self.hooks.get(&thread).map(|(_, since)| *since);
        fence.or(hook).map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// Until when to wait for a thread that has been silent since then, before asking whether it hangs.
fn next_look(since: Instant, deadline: Instant) -> Instant {
    deadline.min((since + HUNG).max(Instant::now() + GLANCE))
}

/// Runs on a GUI thread, as a job.
fn pass_fence(sender: &Sender<(QueueState, Instant)>) {
    let now = Instant::now();
    if own_windows::carrier_of(thread_id()).is_some() {
        own_windows::dispatch_untaken();
    }
    let _ = sender.send((queue_state(), now));
}

/// A window of a thread that a user sees.
fn shown_window(thread: u32) -> Option<Window> {
    let windows = top_level_windows(process_id());
    windows.into_iter().find(|window| window.is_shown() && window.thread_and_process().0 == thread)
}

/// The threads a user can see windows of; if there are none, all that have windows.
fn gui_threads(process: u32) -> Vec<u32> {
    let windows = top_level_windows(process);
    let of = |is_shown: bool| {
        let mut threads: Vec<u32> = windows
            .iter()
            .filter(|window| !is_shown || window.is_shown())
            .map(|window| window.thread_and_process().0)
            .filter(|thread| *thread != 0)
            .collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    };
    let shown = of(true);
    if shown.is_empty() { of(false) } else { shown }
}
