//! The GUI threads of the application: work done on them, and whether they have any left.
//!
//! Each gets a message-only window of ours. What is posted to it is dispatched by whatever loop runs: the
//! application's own, a dialog's, a menu's, a size loop's. To create that window on its thread a hook is
//! needed once; it is removed right after, since hooked messages are slow.
//!
//! A loop that takes messages of its own window only (GetMessage with a window) never takes ours. It is known
//! by a message to that window which it takes, while an older one of ours is left; from then on such messages
//! carry ours, and a hook that stays turns them over when they are taken.
#![expect(unsafe_code, reason = "takes back what it posted")]

use crate::effort::{Effort, HUNG};
use crate::win32::{self, Hook};
use replay_link::{Outcome, Window, top_level_windows};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a thread that has been silent for longer than that is asked whether it is at work.
const GLANCE: Duration = Duration::from_millis(100);
/// A thread that has nothing to do but paint, so many times in a row, paints for ever: an
/// animation, like a timer.
const PAINTS: u32 = 20;

type Work = Box<dyn FnOnce() + Send>;

/// Something to be done on a GUI thread, unless it was given up.
pub(crate) struct Job {
    is_taken: AtomicBool,
    work: Mutex<Option<Work>>,
}

/// Why nothing was heard of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    Gone,
    /// Not begun, and given up.
    Late,
    /// Begun perhaps, and no word of it.
    Busy,
}

/// What is left to do on a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    Paint,
    Work,
}

/// Threads that have a window of ours, as they tell it themselves.
static INSTALLED: Mutex<Vec<(u32, u64)>> = Mutex::new(Vec::new());

/// Threads whose loops take messages of their own windows only, and the window whose messages carry ours.
static CARRIERS: Mutex<Vec<(u32, u64)>> = Mutex::new(Vec::new());
/// The last probe that each thread took.
static PROBED: Mutex<Vec<(u32, isize)>> = Mutex::new(Vec::new());

/// The window whose messages carry ours on a thread that would not take them otherwise.
pub(crate) fn carrier_of(thread: u32) -> Option<Window> {
    let carriers = CARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
    let carrier = carriers.iter().find(|(of, _)| *of == thread).map(|(_, window)| Window(*window))?;
    (carrier.thread_and_process().0 == thread).then_some(carrier)
}

/// Runs on a GUI thread, in our hook: it took a probe with this number.
pub(crate) fn probed(number: isize) {
    install();
    let thread = win32::thread_id();
    let mut probed = PROBED.lock().unwrap_or_else(PoisonError::into_inner);
    probed.retain(|(of, _)| *of != thread);
    probed.push((thread, number));
}

/// Runs on a GUI thread, in our hook: makes the window.
pub(crate) fn install() {
    let thread = win32::thread_id();
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_there =
        |&(of, window): &(u32, u64)| of == thread && Window(window).thread_and_process().0 == thread;
    if !installed.iter().any(is_there)
        && let Some(window) = win32::create_agent_window()
    {
        installed.retain(|&(of, _)| of != thread);
        installed.push((thread, window.0));
    }
}

/// Runs on a GUI thread, dispatched: does a job that `post` posted.
pub(crate) fn take(pointer: isize) {
    let pointer = std::ptr::with_exposed_provenance::<Job>(pointer.cast_unsigned());
    // SAFETY: posted by `post`, which gave this reference away; each message is taken once.
    let job = unsafe { Arc::from_raw(pointer) };
    if !job.is_taken.swap(true, Ordering::AcqRel) {
        let work = job.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(job);
        if let Some(work) = work {
            work();
        }
    }
}

/// A fence on its way, and since when.
struct Fence {
    job: Arc<Job>,
    passed: Receiver<(Left, Instant)>,
    since: Instant,
}

/// The GUI threads as the agent's own thread knows them.
#[derive(Default)]
pub(crate) struct Threads {
    windows: HashMap<u32, Window>,
    hooks: HashMap<u32, (Hook, Instant)>,
    fences: HashMap<u32, Fence>,
    /// Hooks of the threads that have a carrier.
    carried: HashMap<u32, Hook>,
    /// How many probes were sent.
    probes: isize,
    /// Threads that take no messages just now.
    silent: HashMap<u32, Effort>,
}

impl Threads {
    /// Runs something on the thread of a window and returns the first thing it says; it may go on afterwards.
    pub(crate) fn run<T: Send + 'static>(
        &mut self,
        window: Window,
        patience: Duration,
        work: impl FnOnce(&dyn Fn(T)) + Send + 'static,
    ) -> Result<T, Silence> {
        let deadline = Instant::now() + patience;
        let (thread, process) = window.thread_and_process();
        if thread == 0 || process != win32::process_id() {
            return Err(Silence::Gone);
        }
        let Some(agent) = self.agent_window(thread, deadline) else { return Err(Silence::Late) };
        let (say, heard) = channel();
        let job = post(agent, Box::new(move || work(&|said| drop(say.send(said)))));
        match self.await_word(thread, &job, &heard, deadline) {
            Ok(said) => Ok(said),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Gone),
            // Taken in this very moment: then its word comes.
            Err(RecvTimeoutError::Timeout) if job.is_taken.swap(true, Ordering::AcqRel) => {
                heard.recv_timeout(patience).map_err(|_| Silence::Busy)
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
        }
    }

    /// Our window on a thread; made now if there is none.
    fn agent_window(&mut self, thread: u32, deadline: Instant) -> Option<Window> {
        if let Some(window) = self.windows.get(&thread) {
            if window.thread_and_process().0 == thread {
                return Some(*window);
            }
            self.windows.remove(&thread);
        }
        let asked = self.hooks.entry(thread).or_insert_with(|| (Hook::set(thread), Instant::now()));
        win32::wake(thread);
        let deadline = next_look(asked.1, deadline);
        let mut last = Instant::now();
        loop {
            let found = {
                let installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
                installed.iter().find(|(of, _)| *of == thread).map(|(_, window)| Window(*window))
            };
            if let Some(window) = found.filter(|window| window.thread_and_process().0 == thread) {
                self.hooks.remove(&thread);
                self.windows.insert(thread, window);
                return Some(window);
            }
            if Instant::now() >= deadline || !win32::is_thread(thread) {
                return None;
            }
            // A thread message is lost where a loop takes it without a hook being called; say it again now
            // and then, also to a window.
            if last.elapsed() > Duration::from_millis(100) {
                win32::wake(thread);
                if let Some(window) = shown_window(thread) {
                    win32::probe(window, 0);
                }
                last = Instant::now();
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Waits for what a job says. If that takes long, it is found out whether the thread takes
    /// messages but ours.
    fn await_word<T>(
        &mut self,
        thread: u32,
        job: &Arc<Job>,
        heard: &Receiver<T>,
        deadline: Instant,
    ) -> Result<T, RecvTimeoutError> {
        const LONG: Duration = Duration::from_millis(300);
        const LOOK: Duration = Duration::from_millis(5);
        let left = || deadline.saturating_duration_since(Instant::now());
        let word = heard.recv_timeout(left().min(LONG));
        let is_new = carrier_of(thread).is_none();
        let asked = shown_window(thread).filter(|_| is_new && !job.is_taken.load(Ordering::Acquire));
        let Some(window) = asked.filter(|_| matches!(word, Err(RecvTimeoutError::Timeout))) else {
            return word.or_else(|error| match error {
                RecvTimeoutError::Timeout => heard.recv_timeout(left()),
                gone => Err(gone),
            });
        };
        let hook = Hook::set(thread);
        self.probes += 1;
        win32::probe(window, self.probes);
        loop {
            let word = heard.recv_timeout(left().min(LOOK));
            let is_probed =
                PROBED.lock().unwrap_or_else(PoisonError::into_inner).contains(&(thread, self.probes));
            if is_probed && !job.is_taken.load(Ordering::Acquire) {
                let mut carriers = CARRIERS.lock().unwrap_or_else(PoisonError::into_inner);
                carriers.retain(|(of, _)| *of != thread);
                carriers.push((thread, window.0));
                drop(carriers);
                self.carried.insert(thread, hook);
                if let Some(agent) = self.windows.get(&thread) {
                    send_off(*agent, job);
                }
                return heard.recv_timeout(left());
            }
            if is_probed || !matches!(word, Err(RecvTimeoutError::Timeout)) || left().is_zero() {
                return word.or_else(|error| match error {
                    RecvTimeoutError::Timeout => heard.recv_timeout(left()),
                    gone => Err(gone),
                });
            }
        }
    }

    /// Waits until a fence has passed every GUI thread with nothing left behind it; and when the
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
            let mut left = if known.is_empty() { Left::Work } else { Left::Nothing };
            let mut silent = None;
            for &thread in &known {
                let passed = self.fence(thread, deadline);
                if passed.is_ok() {
                    self.silent.remove(&thread);
                }
                last = passed.as_ref().ok().map(|(_, at)| *at).max(last);
                match passed.map(|(left, _)| left) {
                    Ok(Left::Nothing) => {}
                    Ok(Left::Paint) if left == Left::Nothing => left = Left::Paint,
                    Ok(Left::Paint) => {}
                    Ok(Left::Work) => left = Left::Work,
                    // Gone: its windows go with it.
                    Err(Silence::Gone) => left = Left::Work,
                    Err(Silence::Busy | Silence::Late) => silent = Some(thread),
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
            paints = if left == Left::Paint { paints + 1 } else { 0 };
            let is_idle = left == Left::Nothing || paints >= PAINTS;
            // With several threads one may have given another work after that one's fence.
            if is_idle && (known.len() == 1 || (was_idle && !is_new)) {
                return (Outcome::Idle, last);
            }
            if Instant::now() >= deadline {
                return (Outcome::Busy, last);
            }
            was_idle = is_idle;
            if known.is_empty() {
                // It begins or ends; there is nothing to post to.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Posts a fence, unless one is still on its way, and waits for it.
    fn fence(&mut self, thread: u32, deadline: Instant) -> Result<(Left, Instant), Silence> {
        if !self.fences.contains_key(&thread) {
            let Some(agent) = self.agent_window(thread, deadline) else {
                return Err(if win32::is_thread(thread) { Silence::Busy } else { Silence::Gone });
            };
            let (say, passed) = channel();
            let job = post(agent, Box::new(move || say_what_is_left(&say)));
            self.fences.insert(thread, Fence { job, passed, since: Instant::now() });
        }
        let Some(fence) = self.fences.remove(&thread) else { return Err(Silence::Busy) };
        let passed = self.await_word(thread, &fence.job, &fence.passed, next_look(fence.since, deadline));
        if passed == Err(RecvTimeoutError::Timeout) {
            self.fences.insert(thread, fence);
        }
        match passed {
            Ok(passed) => Ok(passed),
            Err(RecvTimeoutError::Timeout) if win32::is_thread(thread) => Err(Silence::Busy),
            Err(_) => {
                self.fences.remove(&thread);
                Err(Silence::Gone)
            }
        }
    }

    /// Whether a silent thread uses what it gets of the processor.
    fn is_at_work(&mut self, thread: u32) -> bool {
        let (used, now) = (win32::processor_time(thread), Instant::now());
        self.silent.entry(thread).or_insert_with(|| Effort::new(used, now)).goes_on(used, now)
    }

    /// Since when nothing was heard of a thread.
    fn silent_for(&self, thread: u32) -> Duration {
        let fence = self.fences.get(&thread).map(|fence| fence.since);
        let hook = self.hooks.get(&thread).map(|(_, since)| *since);
        fence.or(hook).map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// Until when a thread that has been silent since then is waited for, before it is asked whether it hangs.
fn next_look(since: Instant, deadline: Instant) -> Instant {
    deadline.min((since + HUNG).max(Instant::now() + GLANCE))
}

fn say_what_is_left(say: &Sender<(Left, Instant)>) {
    let now = Instant::now();
    if carrier_of(win32::thread_id()).is_some() {
        win32::take_back_own();
    }
    let _ = say.send((win32::work_left(), now));
}

/// Posts a job to a thread of which this is our window.
fn post(agent: Window, work: Work) -> Arc<Job> {
    let job = Arc::new(Job { is_taken: AtomicBool::new(false), work: Mutex::new(Some(work)) });
    if !send_off(agent, &job) {
        job.work.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
    job
}

/// Puts a job on its way; false if there is none.
fn send_off(agent: Window, job: &Arc<Job>) -> bool {
    let pointer = Arc::into_raw(Arc::clone(job));
    let is_sent = win32::post_job(agent, pointer.expose_provenance().cast_signed());
    if !is_sent {
        // SAFETY: made above, and no message has it.
        drop(unsafe { Arc::from_raw(pointer) });
    }
    is_sent
}

/// A window of a thread that a user sees.
fn shown_window(thread: u32) -> Option<Window> {
    let windows = top_level_windows(win32::process_id());
    windows.into_iter().find(|window| window.is_shown() && window.thread_and_process().0 == thread)
}

/// The threads a user can see windows of; if there are none, all that have windows.
fn gui_threads(process: u32) -> Vec<u32> {
    let windows = top_level_windows(process);
    let of = |shown: bool| {
        let mut threads: Vec<u32> = windows
            .iter()
            .filter(|window| !shown || window.is_shown())
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

/// Our window on a thread, if it has one.
pub(crate) fn agent_window_of(thread: u32) -> Option<Window> {
    let installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    installed.iter().find(|(of, _)| *of == thread).map(|(_, window)| Window(*window))
}
