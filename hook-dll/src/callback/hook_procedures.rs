//! The hook procedures: enter the barrier, copy, enqueue, pass on.
//!
//! They run on the host's threads, between the host and its messages. They never block, lock, allocate or
//! touch a file, send no message, read through pointers of the host only by `guarded`, preserve the last
//! error and always pass the message on. A panic ends the recording and not the host.
#![expect(unsafe_code, reason = "Windows calls hook procedures with pointers that it keeps valid")]

use crate::callback::observed_message::ObservedMessage;
use crate::callback::record::{CallbackContext, record};
use crate::callback::relevance::is_relevant;
use crate::callback::ring_writer::drop_one;
use crate::callback::thread_state::{Counters, ThreadState};
use crate::shared::fault;
use crate::shared::filter::Handling;
use crate::shared::rules::{PANICKED, RECORDING, rules};
use crate::system::hooks;
use crate::system::thread_block;
use message_log::Hook;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use win32_vocabulary::messages::WM_TIMER;
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, HC_ACTION, MSG, PM_REMOVE};

/// The free stack that recording a message needs at most, with the window procedures of the controls
/// that it queries.
const MIN_STACK: usize = 32 << 10;

/// WH_GETMESSAGE: messages taken from the queue.
pub(crate) unsafe extern "system" fn on_posted(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // A message that stays in the queue comes again.
    if code == HC_ACTION as i32 && wparam.0 == PM_REMOVE.0 as usize {
        // SAFETY: for HC_ACTION Windows passes a valid MSG to WH_GETMESSAGE, which lives until this returns.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<MSG>(lparam.0.cast_unsigned()) };
        time(|| observe_posted(message));
    }
    hooks::call_next(code, wparam, lparam)
}

/// WH_CALLWNDPROC: messages sent to a window.
pub(crate) unsafe extern "system" fn on_sent(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code == HC_ACTION as i32 {
        // SAFETY: for HC_ACTION Windows passes a valid CWPSTRUCT to WH_CALLWNDPROC, which lives
        // until this returns.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<CWPSTRUCT>(lparam.0.cast_unsigned()) };
        time(|| observe_sent(message));
    }
    hooks::call_next(code, wparam, lparam)
}

#[cfg(feature = "bench")]
use crate::system::measurement::time;
/// Runs the body. Only the benchmark measures the time.
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

/// Most messages are rejected and must pass at once: until one is relevant, nothing is called that could fail
/// or change the last error.
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
    let here = stack_pointer();
    // A host deep in a recursion needs the rest of the stack itself.
    if here.wrapping_sub(thread_block::stack_end()) < MIN_STACK {
        return drop_one(&state);
    }
    let context = CallbackContext {
        rules,
        state: &state,
        observed,
        depth: thread_block::stack_base().wrapping_sub(here),
    };
    // Monomorphise frequent handlings so that dead branches drop out.
    match handling {
        Handling::Press => examine(&context, || Handling::Press),
        Handling::Key => examine(&context, || Handling::Key),
        Handling::Move => examine(&context, || Handling::Move),
        Handling::Text => examine(&context, || Handling::Text),
        Handling::Create => examine(&context, || Handling::Create),
        handling => examine(&context, move || handling),
    }
}

/// Records a message if its contents make it relevant.
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

/// Approximately the stack pointer.
#[inline]
fn stack_pointer() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}

/// Catches panics and preserves the host's last error.
#[inline]
fn barrier(state: &ThreadState, work: impl FnOnce()) {
    let error = thread_block::last_error();
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        RECORDING.store(false, Ordering::Release);
        PANICKED.store(true, Ordering::Release);
        state.count_as_dropped();
    }
    thread_block::set_last_error(error);
}
