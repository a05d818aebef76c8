//! The hook procedures: enter the barrier, copy, enqueue, pass on.
//!
//! Runs on the host's threads, between the host and its messages. It never blocks, locks, allocates or
//! touches a file, sends no message, reads through host pointers only by `guarded`, leaves the last error as
//! it was and always passes the message on. A panic ends recording and not the host.
#![expect(unsafe_code, reason = "hook procedures are called by the system with pointers it keeps valid")]

use crate::callback::observed_message::ObservedMessage;
use crate::callback::record::{CallbackContext, record};
use crate::callback::relevance::is_relevant;
use crate::callback::ring_writer::drop_one;
use crate::callback::thread_state::{Counters, ThreadState};
use crate::shared::fault;
use crate::shared::filter::Handling;
use crate::shared::rules::{PANICKED, RECORDING, rules};
use crate::system::win32;
use message_log::Hook;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, HC_ACTION, MSG, PM_REMOVE};

/// What recording a message takes of the stack at the most, and what the system's controls take that are
/// asked meanwhile.
const MIN_STACK: usize = 32 << 10;
const WM_TIMER: u32 = 0x0113;

/// WH_GETMESSAGE: what is taken from the queue.
pub(crate) unsafe extern "system" fn on_posted(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // A message that is only peeked at will be seen again.
    if code == HC_ACTION as i32 && wparam.0 == PM_REMOVE.0 as usize {
        // SAFETY: the hook's contract keeps the message valid until we return.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<MSG>(lparam.0.cast_unsigned()) };
        time(|| observe_posted(message));
    }
    win32::call_next(code, wparam, lparam)
}

/// WH_CALLWNDPROC: what is sent.
pub(crate) unsafe extern "system" fn on_sent(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code == HC_ACTION as i32 {
        // SAFETY: the hook's contract keeps the structure valid until we return.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<CWPSTRUCT>(lparam.0.cast_unsigned()) };
        time(|| observe_sent(message));
    }
    win32::call_next(code, wparam, lparam)
}

#[cfg(feature = "bench")]
use crate::system::measurement::time;
/// Only the benchmark takes the time.
#[cfg(not(feature = "bench"))]
#[inline]
fn time(body: impl FnOnce()) {
    body();
}

/// The body of the hook on posted messages.
#[inline]
pub(crate) fn observe_posted(msg: &MSG) {
    observe(&ObservedMessage {
        hook: Hook::Posted,
        hwnd: msg.hwnd.0.addr(),
        number: msg.message,
        wparam: msg.wParam.0,
        lparam: msg.lParam.0,
        time: msg.time,
    });
}

/// The body of the hook on sent messages.
#[inline]
pub(crate) fn observe_sent(msg: &CWPSTRUCT) {
    observe(&ObservedMessage {
        hook: Hook::Sent,
        hwnd: msg.hwnd.0.addr(),
        number: msg.message,
        wparam: msg.wParam.0,
        lparam: msg.lParam.0,
        time: 0,
    });
}

/// Most messages are none of ours and must go by at once: until one is recorded nothing is called that could
/// fail or would touch the last error.
#[inline]
fn observe(observed: &ObservedMessage) {
    if !RECORDING.load(Ordering::Acquire) {
        return;
    }
    let Some(rules) = rules() else { return };
    let Some(state) = ThreadState::current() else { return };
    if state.is_busy() {
        return;
    }
    Counters::add(&state.counters.received);
    if observed.hook == Hook::Posted {
        state.in_timer.store(observed.number == WM_TIMER, Ordering::Relaxed);
        state.is_new.store(false, Ordering::Relaxed);
    }
    let handling = rules.filter.handling(observed.number);
    if handling == Handling::Reject {
        return Counters::add(&state.counters.rejected);
    }
    let here = here();
    // A host deep in a recursion needs the rest for itself.
    if here.wrapping_sub(win32::stack_end()) < MIN_STACK {
        return drop_one(state);
    }
    let context = CallbackContext { rules, state, observed, depth: win32::stack_base().wrapping_sub(here) };
    // Of what comes often the compiler makes a copy of all that follows, without what this plan never does.
    match handling {
        Handling::Press => examine(&context, || Handling::Press),
        Handling::Key => examine(&context, || Handling::Key),
        Handling::Move => examine(&context, || Handling::Move),
        Handling::Text => examine(&context, || Handling::Text),
        Handling::Create => examine(&context, || Handling::Create),
        handling => examine(&context, move || handling),
    }
}

/// Records a message unless the second look turns it away.
#[inline(never)]
fn examine(context: &CallbackContext<'_>, handling: impl Fn() -> Handling + Copy) {
    barrier(context.state, || {
        fault::point("filter");
        if is_relevant(&context.rules.filter, handling(), context.observed) {
            record(context, handling);
        } else {
            Counters::add(&context.state.counters.rejected);
        }
    });
}

/// About where the stack has got to.
#[inline]
fn here() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}

/// Keeps a panic from the host, and the host's last error as it was.
#[inline]
fn barrier(state: &ThreadState, work: impl FnOnce()) {
    let error = win32::last_error();
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        RECORDING.store(false, Ordering::Release);
        PANICKED.store(true, Ordering::Release);
        state.count_as_dropped();
    }
    win32::set_last_error(error);
}
