//! Hands a crash over from a thread without stack to the recorder thread.
#![expect(unsafe_code, reason = "the recorder thread reads a crash on the stack of the thread that waits")]

use crate::crash::exception::Crash;
use crate::system::threads;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

static CRASH: AtomicPtr<Crash> = AtomicPtr::new(std::ptr::null_mut());
static STAGE: AtomicU32 = AtomicU32::new(IDLE);
/// The recorder thread; 0 when there is none to wait for.
static TAKER: AtomicU32 = AtomicU32::new(0);

const IDLE: u32 = 0;
const CLAIMED: u32 = 1;
const OFFERED: u32 = 2;
const TAKEN: u32 = 3;
const NOTED: u32 = 4;
const REFUSED: u32 = 5;
const WAIT_MILLIS: u32 = 2000;

pub(crate) fn set_taker(thread: u32) {
    TAKER.store(thread, Ordering::Release);
}

/// Hands a crash over. Returns whether it was recorded; none if the recorder thread does not take it.
pub(crate) fn give(crash: &Crash) -> Option<bool> {
    let taker = TAKER.load(Ordering::Acquire);
    if taker == 0 || taker == crash.thread || !change(IDLE, CLAIMED) {
        return None;
    }
    CRASH.store(std::ptr::from_ref(crash).cast_mut(), Ordering::Release);
    STAGE.store(OFFERED, Ordering::Release);
    let mut answer = wait();
    if answer.is_none() && change(OFFERED, IDLE) {
        return None;
    }
    while answer.is_none() {
        // The recorder thread took it at the last moment: `crash` must stay valid until it answers.
        answer = wait();
    }
    STAGE.store(IDLE, Ordering::Release);
    answer
}

fn wait() -> Option<bool> {
    for _ in 0..WAIT_MILLIS {
        match STAGE.load(Ordering::Acquire) {
            NOTED => return Some(true),
            REFUSED => return Some(false),
            _ => threads::sleep_millis(1),
        }
    }
    None
}

pub(crate) fn take(note: fn(&Crash) -> bool) {
    if change(OFFERED, TAKEN) {
        // SAFETY: `give` stored a pointer to its argument, and does not return between OFFERED and
        // the answer below.
        let crash = unsafe { CRASH.load(Ordering::Acquire).as_ref() };
        let stage = if crash.is_some_and(note) { NOTED } else { REFUSED };
        STAGE.store(stage, Ordering::Release);
    }
}

fn change(from: u32, to: u32) -> bool {
    STAGE.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
}
