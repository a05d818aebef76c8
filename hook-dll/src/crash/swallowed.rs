//! Crashes in sent messages, which Wine would swallow.
//!
//! With a hook on sent messages Windows delivers them by a callback from the kernel, and no exception passes
//! that: Windows ends the program, Wine 8 ignores the exception and continues. Without the recorder the
//! program would have ended. So this file calls the handlers between the fault and the callback, as Windows
//! would next. If none handles the exception, it does what happens to an unhandled one: call the filter,
//! which records it, and end the process.
#![expect(unsafe_code, reason = "Windows calls exception handlers with pointers that it keeps valid")]

use crate::crash::stack_walk::{MAX_FRAMES, StackWalk, UnwoundFrame};
use crate::system::guarded;
use crate::system::modules;
use crate::system::thread_block;
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

/// The address of KiUserCallbackDispatcher; 0 where exceptions are not swallowed.
static DISPATCHER: AtomicU64 = AtomicU64::new(0);

/// Keeps the handler installed until dropped.
pub(crate) struct SwallowedExceptions(*mut c_void);

impl SwallowedExceptions {
    pub(crate) fn begin() -> Option<Self> {
        let dispatcher = modules::swallowing_dispatcher()?;
        DISPATCHER.store(dispatcher, Ordering::Release);
        // The last handler, so that all others come first.
        // SAFETY: the handler lies in this module, which `pin_module` keeps loaded.
        let handler = unsafe { AddVectoredExceptionHandler(0, Some(on_exception)) };
        (!handler.is_null()).then_some(Self(handler))
    }
}

impl Drop for SwallowedExceptions {
    fn drop(&mut self) {
        // SAFETY: `begin` added it, and it is removed nowhere else.
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
    // SAFETY: Windows keeps the exception record valid for the handler.
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
    // SAFETY: UnhandledExceptionFilter takes the pointers that Windows passed to this handler.
    let answer = unsafe { UnhandledExceptionFilter(pointers) };
    if answer != 1 {
        // A filter has repaired the fault, or a debugger wants to see it.
        return if answer == EXCEPTION_CONTINUE_EXECUTION { answer } else { go_on };
    }
    // SAFETY: GetCurrentProcess has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the pseudo handle is always valid; the process has crashed, and nobody relies on it any more.
    let _ = unsafe { TerminateProcess(process, code.0.cast_unsigned()) };
    go_on
}

/// Whether the fault happened below a callback from the kernel, and not in the recorder, which
/// handles its own faults.
fn is_in_callback(context: *const CONTEXT) -> bool {
    let Some(context) = guarded::read(context) else { return false };
    if modules::is_own_code(context.Rip) {
        return false;
    }
    // Wine's own libraries handle faults with a list of frames: one before the callback's handles
    // this fault itself.
    let first_listed = thread_block::exception_list();
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

/// Calls every handler up to the callback; whether one has repaired the fault. A handler that unwinds
/// does not return.
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
            // SAFETY: Windows unwound to this handler, which gets what Windows would pass: the record, the
            // frame, the registers and the dispatcher context, all of which live until it returns.
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
