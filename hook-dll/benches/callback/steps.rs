//! Counts what code does, one instruction after the other: the processor stops after each (its trap flag),
//! and a handler looks at the next.
#![expect(unsafe_code, reason = "sets the trap flag and looks at code")]

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use windows::Win32::Foundation::EXCEPTION_SINGLE_STEP;
use windows::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, EXCEPTION_CONTINUE_EXECUTION, EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS,
};

/// What was counted.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) instructions: u64,
    /// Instructions that lock memory.
    pub(crate) locked: u64,
    /// System calls.
    pub(crate) calls: u64,
}

const TRAP: u32 = 0x100;
static IS_ON: AtomicBool = AtomicBool::new(false);
static INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static LOCKED: AtomicU64 = AtomicU64::new(0);
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Runs a function on this thread step by step.
pub(crate) fn trace(work: impl FnOnce()) -> Steps {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler stays as long as the program.
        unsafe { AddVectoredExceptionHandler(1, Some(on_step)) };
    });
    for counter in [&INSTRUCTIONS, &LOCKED, &CALLS] {
        counter.store(0, Ordering::Relaxed);
    }
    IS_ON.store(true, Ordering::SeqCst);
    // SAFETY: sets a flag of this thread; what it brings about is handled above.
    unsafe { std::arch::asm!("pushfq", "or dword ptr [rsp], 0x100", "popfq") };
    work();
    // The next step is the last.
    IS_ON.store(false, Ordering::SeqCst);
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Steps { instructions: read(&INSTRUCTIONS), locked: read(&LOCKED), calls: read(&CALLS) }
}

unsafe extern "system" fn on_step(pointers: *mut EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system keeps them valid for the handler.
    let EXCEPTION_POINTERS { ExceptionRecord: record, ContextRecord: context } = unsafe { *pointers };
    // SAFETY: as above.
    let record = unsafe { &*record };
    // SAFETY: as above, and the handler may change it.
    let context = unsafe { &mut *context };
    if record.ExceptionCode != EXCEPTION_SINGLE_STEP {
        return EXCEPTION_CONTINUE_SEARCH;
    }
    if IS_ON.load(Ordering::SeqCst) {
        let add = |counter: &AtomicU64, is: bool| counter.fetch_add(u64::from(is), Ordering::Relaxed);
        // SAFETY: the processor is about to execute it, and no instruction is longer; what lies behind it on
        // the page is code too.
        let code = unsafe { std::ptr::with_exposed_provenance::<[u8; 8]>(context.Rip as usize).read() };
        add(&INSTRUCTIONS, true);
        add(&LOCKED, is_locked(&code));
        add(&CALLS, is_call(&code));
        context.EFlags |= TRAP;
    } else {
        context.EFlags &= !TRAP;
    }
    EXCEPTION_CONTINUE_EXECUTION
}

/// Whether an instruction locks memory: by its prefix, or as an exchange with memory does of itself.
fn is_locked(code: &[u8]) -> bool {
    let mut rest = code;
    while let [first, after @ ..] = rest {
        match first {
            0xF0 => return true,
            0x66 | 0xF2 | 0xF3 | 0x2E | 0x36 | 0x3E | 0x26 | 0x64 | 0x65 | 0x40..=0x4F => rest = after,
            0x86 | 0x87 => return after.first().is_some_and(|operands| operands >> 6 != 3),
            _ => return false,
        }
    }
    false
}

/// Whether the system is called here: `syscall`, or the beginning of a function of ntdll or win32u that does
/// nothing else, which under Wine goes another way.
fn is_call(code: &[u8]) -> bool {
    code.starts_with(&[0x0F, 0x05]) || code.starts_with(&[0x4C, 0x8B, 0xD1, 0xB8])
}
