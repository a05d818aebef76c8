//! Crashes in messages that are sent, which Wine would swallow.
//!
//! With a hook on sent messages the system delivers them itself, by a callback, and no exception gets beyond
//! that: Windows ends the program, Wine 8 says that it ignores the exception and goes on. Without the
//! recorder the program would have ended. So the handlers between the fault and the callback are asked here,
//! just as the system would ask them next, and if none takes it, what is done about an unhandled exception is
//! done: the filter, its note, the end.
#![expect(unsafe_code, reason = "an exception handler is called by the system with pointers it keeps valid")]

use crate::crash::stack_walk::{MAX_FRAMES, StackWalk, UnwoundFrame};
use crate::system::guarded;
use crate::system::win32;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use windows::Win32::Foundation::{
    EXCEPTION_ACCESS_VIOLATION, EXCEPTION_ILLEGAL_INSTRUCTION, EXCEPTION_IN_PAGE_ERROR,
    EXCEPTION_INT_DIVIDE_BY_ZERO, EXCEPTION_INT_OVERFLOW, EXCEPTION_PRIV_INSTRUCTION,
};
use windows::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, CONTEXT, EXCEPTION_CONTINUE_EXECUTION, EXCEPTION_CONTINUE_SEARCH,
    EXCEPTION_POINTERS, EXCEPTION_RECORD, RemoveVectoredExceptionHandler, UnhandledExceptionFilter,
};
use windows::Win32::System::Kernel::ExceptionContinueExecution;
use windows::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

/// Where the system's function begins that calls back; 0 where nothing is swallowed.
static DISPATCHER: AtomicU64 = AtomicU64::new(0);

/// Our look at exceptions, until dropped.
pub(crate) struct SwallowedExceptions(*mut c_void);

impl SwallowedExceptions {
    pub(crate) fn begin() -> Option<Self> {
        let dispatcher = win32::swallowing_dispatcher()?;
        DISPATCHER.store(dispatcher, Ordering::Release);
        // The last of all, so that whoever else looks at exceptions has done so before.
        // SAFETY: the handler lies in this pinned module.
        let handler = unsafe { AddVectoredExceptionHandler(0, Some(on_exception)) };
        (!handler.is_null()).then_some(Self(handler))
    }
}

impl Drop for SwallowedExceptions {
    fn drop(&mut self) {
        // SAFETY: added by `begin` and removed once.
        unsafe { RemoveVectoredExceptionHandler(self.0) };
    }
}

unsafe extern "system" fn on_exception(pointers: *mut EXCEPTION_POINTERS) -> i32 {
    let go_on = EXCEPTION_CONTINUE_SEARCH;
    let Some(EXCEPTION_POINTERS { ExceptionRecord: record, ContextRecord: context }) =
        guarded::read(pointers.cast_const())
    else {
        return go_on;
    };
    // SAFETY: the system keeps it valid for the handler.
    let code = unsafe { (*record).ExceptionCode };
    let is_crash = [
        EXCEPTION_ACCESS_VIOLATION,
        EXCEPTION_ILLEGAL_INSTRUCTION,
        EXCEPTION_IN_PAGE_ERROR,
        EXCEPTION_INT_DIVIDE_BY_ZERO,
        EXCEPTION_INT_OVERFLOW,
        EXCEPTION_PRIV_INSTRUCTION,
    ]
    .contains(&code);
    if !is_crash || !is_in_callback(context) {
        return go_on;
    }
    if ask_handlers(record, context) {
        return EXCEPTION_CONTINUE_EXECUTION;
    }
    // SAFETY: as the system would call it.
    let answer = unsafe { UnhandledExceptionFilter(pointers) };
    if answer != 1 {
        // A filter has repaired it, or a debugger wants to see it.
        return if answer == EXCEPTION_CONTINUE_EXECUTION { answer } else { go_on };
    }
    // SAFETY: no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: our own process, which has crashed.
    let _ = unsafe { TerminateProcess(process, code.0.cast_unsigned()) };
    go_on
}

/// Whether the fault happened in what the system has called back, and not in the recorder, which takes
/// care of its own.
fn is_in_callback(context: *const CONTEXT) -> bool {
    let Some(context) = guarded::read(context) else { return false };
    if win32::is_own_code(context.Rip) {
        return false;
    }
    // Wine's own libraries handle faults by frames in a list: one before the callback's is theirs to ask.
    let first_listed = win32::exception_list();
    let mut walk = StackWalk::of(context);
    for _ in 0..MAX_FRAMES {
        let stack = walk.context.Rsp;
        if walk.up().is_none() || first_listed < stack {
            return false;
        }
        if is_dispatcher(&walk.left) {
            return true;
        }
    }
    false
}

/// Asks every handler up to the callback; whether one of them has repaired it. One that takes it
/// does not come back.
fn ask_handlers(record: *mut EXCEPTION_RECORD, context: *mut CONTEXT) -> bool {
    let Some(registers) = guarded::read(context.cast_const()) else { return false };
    let mut walk = StackWalk::of(registers);
    for _ in 0..MAX_FRAMES {
        if walk.up().is_none() || is_dispatcher(&walk.left) {
            break;
        }
        if let Some(handler) = walk.left.handler {
            let mut dispatch = UnwoundFrame { context: &raw mut walk.context, ..walk.left };
            let frame = std::ptr::with_exposed_provenance(dispatch.frame as usize);
            // SAFETY: as the system would call it.
            let answer = unsafe { handler(record, frame, context, (&raw mut dispatch).cast()) };
            if answer == ExceptionContinueExecution {
                return true;
            }
        }
    }
    false
}

fn is_dispatcher(left: &UnwoundFrame) -> bool {
    left.function() == DISPATCHER.load(Ordering::Acquire)
}
