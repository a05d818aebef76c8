//! Keeps one processor busy while the replayer waits for a reply.
//!
//! A processor without work goes to sleep and takes long to wake up, above all in a virtual machine. Under
//! Wine, where an application talks to its server all the time, an idle processor also draws the server away
//! from the application: every request then crosses from processor to processor, and the application's own
//! time doubles. So a thread of the replayer keeps one processor awake and yields to whoever has work there.
//! If others have enough work, such as replays side by side, no processor sleeps, and the thread rests.

use crate::processor::stay_on_this_processor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How long after the last request: most replies come within milliseconds, and a busy application
/// needs the processor.
const AWAKE: Duration = Duration::from_millis(100);

/// How long the thread measures who has the processor, and how long it rests if others have it
/// most of the time.
const LOOK: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(200);
/// If yielding takes longer, somebody else had the processor.
const TURN: Duration = Duration::from_micros(50);

/// The thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Awake {
    thread: Thread,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    start: Instant,
    /// Until when, in microseconds since the start.
    until: AtomicU64,
    is_resting: AtomicBool,
    is_over: AtomicBool,
}

impl Awake {
    pub(crate) fn start() -> Option<Self> {
        let shared = Arc::new(Shared {
            start: Instant::now(),
            until: AtomicU64::new(0),
            is_resting: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("dashcam awake".into()).spawn(move || of_thread.stay());
        thread.ok().map(|handle| Self { thread: handle.thread().clone(), shared })
    }

    /// Keeps the processor awake for another while: the replayer waits for a reply.
    pub(crate) fn stay(&self) {
        let until = self.shared.start.elapsed() + AWAKE;
        self.shared.until.store(until.as_micros() as u64, Ordering::SeqCst);
        if self.shared.is_resting.swap(false, Ordering::SeqCst) {
            self.thread.unpark();
        }
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Shared {
    fn stay(&self) {
        stay_on_this_processor();
        let is_over = || self.is_over.load(Ordering::SeqCst);
        let is_wanted = || (self.start.elapsed().as_micros() as u64) < self.until.load(Ordering::SeqCst);
        while !is_over() {
            if is_wanted() {
                if Self::is_crowded(|| is_wanted() && !is_over()) && is_wanted() && !is_over() {
                    std::thread::park_timeout(REST);
                }
                continue;
            }
            self.is_resting.store(true, Ordering::SeqCst);
            if !is_wanted() && !is_over() {
                std::thread::park();
            }
        }
    }

    /// Yields again and again for a while, and returns whether others had the processor most of the time.
    fn is_crowded(is_wanted: impl Fn() -> bool) -> bool {
        let begin = Instant::now();
        let (mut now, mut of_others) = (begin, Duration::ZERO);
        while now - begin < LOOK && is_wanted() {
            std::thread::yield_now();
            let turn = now.elapsed();
            now += turn;
            if turn > TURN {
                of_others += turn;
            }
        }
        of_others * 2 > LOOK
    }
}
