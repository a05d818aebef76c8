//! Keeps one processor busy while a reply is waited for.
//!
//! A processor without work is put to sleep and takes long to wake up, above all in a virtual machine. And
//! under Wine, where an application talks to its server all the time, one idle processor draws the server
//! away from the application: every word then crosses from processor to processor, and the application's own
//! time doubles. So a thread of the replayer has something to do on one processor, and gives way to whoever
//! has work there. Where others have enough of it, such as replays side by side, no processor sleeps, and
//! the thread rests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How long after the last request: most replies come within milliseconds, a busy application is not to be
/// robbed of a processor.
const AWAKE: Duration = Duration::from_millis(100);

/// How long it is looked who has the processor, and how long the thread rests where it is mostly others.
const LOOK: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(200);
/// A turn that takes longer was another's.
const TURN: Duration = Duration::from_micros(50);

/// The thread; it ends with this.
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

    /// A reply is waited for.
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
        crate::channel::stay_on_this_processor();
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

    /// Gives way again and again for a while: whether others had the processor most of it.
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
