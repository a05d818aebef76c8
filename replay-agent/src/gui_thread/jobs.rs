//! Jobs: closures that the agent's worker posts to a GUI thread.
#![expect(unsafe_code, reason = "takes back the reference that it posted")]

use crate::gui_thread::own_windows::{self, WM_JOB};
use replay_link::Window;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Work = Box<dyn FnOnce() + Send>;

/// Something to do on a GUI thread, unless it is given up.
pub(crate) struct Job {
    is_taken: AtomicBool,
    work: Mutex<Option<Work>>,
}

impl Job {
    /// Posts a job to the thread of one of the agent's windows.
    pub(crate) fn post(own: Window, work: Work) -> Arc<Self> {
        let job = Arc::new(Self { is_taken: AtomicBool::new(false), work: Mutex::new(Some(work)) });
        if !job.post_again(own) {
            job.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        job
    }

    /// Posts the job once more; whichever message arrives first does it. False if the window is gone.
    pub(crate) fn post_again(self: &Arc<Self>, own: Window) -> bool {
        let pointer = Arc::into_raw(Arc::clone(self));
        let is_posted = own_windows::post_to(own, WM_JOB, 0, pointer.expose_provenance().cast_signed());
        if !is_posted {
            // SAFETY: `into_raw` returned the pointer above, and no message has it.
            drop(unsafe { Arc::from_raw(pointer) });
        }
        is_posted
    }

    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Acquire)
    }

    /// Gives the job up, unless it was taken before: then this returns false.
    pub(crate) fn give_up(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }
}

/// Runs on a GUI thread: does a job that was posted to it, unless it was taken or given up before.
pub(crate) fn take(pointer: isize) {
    let pointer = std::ptr::with_exposed_provenance::<Job>(pointer.cast_unsigned());
    // SAFETY: `post_again` gave this reference to the message, and each message is taken once.
    let job = unsafe { Arc::from_raw(pointer) };
    if job.give_up() {
        let work = job.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(job);
        if let Some(work) = work {
            work();
        }
    }
}
