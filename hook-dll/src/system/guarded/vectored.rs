//! A copy whose faults are recognised by the instruction that causes them. One handler serves the whole
//! process. It compares addresses, on x86 also checks whether the thread is in a guarded call, and passes
//! everything else on.
//!
//! Needed on x86, where a handler per function needs support from compiler and linker. Tests run
//! it on x64 as well.

use std::arch::global_asm;
#[cfg(target_arch = "x86")]
use std::ffi::c_void;
use std::sync::Once;
#[cfg(target_arch = "x86")]
use std::sync::atomic::AtomicU32;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(target_arch = "x86")]
use windows::Win32::Foundation::{
    EXCEPTION_ACCESS_VIOLATION, EXCEPTION_DATATYPE_MISALIGNMENT, EXCEPTION_ILLEGAL_INSTRUCTION,
    EXCEPTION_IN_PAGE_ERROR, EXCEPTION_INT_DIVIDE_BY_ZERO, EXCEPTION_PRIV_INSTRUCTION, NTSTATUS,
};
use windows::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, CONTEXT, EXCEPTION_CONTINUE_EXECUTION, EXCEPTION_CONTINUE_SEARCH,
    EXCEPTION_POINTERS,
};
#[cfg(target_arch = "x86")]
use windows::Win32::System::Threading::GetCurrentThreadId;

#[cfg(target_arch = "x86")]
global_asm!(
    r#"
    .text
    .globl _dashcam_vectored_copy
    .globl _dashcam_vectored_try
    .globl _dashcam_vectored_fault
_dashcam_vectored_copy:
    push esi
    push edi
    mov edi, dword ptr [esp + 12]
    mov esi, dword ptr [esp + 16]
    mov ecx, dword ptr [esp + 20]
_dashcam_vectored_try:
    rep movsb
    mov eax, 1
    pop edi
    pop esi
    ret
_dashcam_vectored_fault:
    xor eax, eax
    pop edi
    pop esi
    ret
    .globl _dashcam_vectored_store
    .globl _dashcam_vectored_store_try
    .globl _dashcam_vectored_store_fault
_dashcam_vectored_store:
    mov ecx, dword ptr [esp + 4]
    mov edx, dword ptr [esp + 8]
_dashcam_vectored_store_try:
    mov dword ptr [ecx], edx
    mov eax, 1
    ret
_dashcam_vectored_store_fault:
    xor eax, eax
    ret
    .globl _dashcam_vectored_call
    .globl _dashcam_vectored_call_fault
_dashcam_vectored_call:
    push ebp
    push ebx
    push esi
    push edi
    mov eax, dword ptr [esp + 28]
    mov ecx, dword ptr fs:[0]
    mov dword ptr [eax + 4], ecx
    mov dword ptr [eax], esp
    mov ecx, dword ptr [esp + 20]
    push dword ptr [esp + 24]
    call ecx
    add esp, 4
    mov eax, 1
    jmp 1f
_dashcam_vectored_call_fault:
    mov dword ptr fs:[0], eax
    cld
    xor eax, eax
1:
    pop edi
    pop esi
    pop ebx
    pop ebp
    ret
"#
);

#[cfg(target_arch = "x86_64")]
global_asm!(
    r#"
    .text
    .globl dashcam_vectored_copy
    .globl dashcam_vectored_try
    .globl dashcam_vectored_fault
    .seh_proc dashcam_vectored_copy
dashcam_vectored_copy:
    push rsi
    .seh_pushreg rsi
    push rdi
    .seh_pushreg rdi
    .seh_endprologue
    mov rdi, rcx
    mov rsi, rdx
    mov rcx, r8
dashcam_vectored_try:
    rep movsb
    mov eax, 1
    pop rdi
    pop rsi
    ret
dashcam_vectored_fault:
    xor eax, eax
    pop rdi
    pop rsi
    ret
    .seh_endproc
    .globl dashcam_vectored_store
    .globl dashcam_vectored_store_try
    .globl dashcam_vectored_store_fault
dashcam_vectored_store:
dashcam_vectored_store_try:
    mov [rcx], rdx
    mov eax, 1
    ret
dashcam_vectored_store_fault:
    xor eax, eax
    ret
"#
);

unsafe extern "C" {
    fn dashcam_vectored_copy(to: *mut u8, from: *const u8, len: usize) -> i32;
    fn dashcam_vectored_try();
    fn dashcam_vectored_fault();
    fn dashcam_vectored_store(to: *mut usize, value: usize) -> i32;
    fn dashcam_vectored_store_try();
    fn dashcam_vectored_store_fault();
    #[cfg(target_arch = "x86")]
    fn dashcam_vectored_call(
        function: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
        frame: *const Frame,
    ) -> i32;
    #[cfg(target_arch = "x86")]
    fn dashcam_vectored_call_fault();
}

static IS_READY: AtomicBool = AtomicBool::new(false);

/// Installs the handler in front of the others. It stays, as the module does: a copy may be
/// running at any time.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler lies in this module, which `Recorder::start` pins before it calls this.
        let handle = unsafe { AddVectoredExceptionHandler(1, Some(on_exception)) };
        IS_READY.store(!handle.is_null(), Ordering::Release);
    });
}

pub(super) fn is_ready() -> bool {
    IS_READY.load(Ordering::Acquire)
}

/// # Safety
/// As `guarded::copy`, and the handler is installed.
pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
    // SAFETY: the caller vouches for the destination. The routine follows the C convention; after a fault at
    // its only access `on_exception` resumes it at its second exit, which restores the same registers.
    unsafe { dashcam_vectored_copy(to, from, len) != 0 }
}

/// # Safety
/// As `guarded::store`, and the handler is installed.
pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
    // SAFETY: the caller vouches for the destination; a fault resumes at the second exit, as in `copy`.
    unsafe { dashcam_vectored_store(to, value) != 0 }
}

/// Guarded calls in progress, each with its thread and with where to resume if it faults.
#[cfg(target_arch = "x86")]
static CALLS: [(AtomicU32, Frame); 64] = [const { (AtomicU32::new(0), Frame::new()) }; 64];

/// Where a guarded call began: the stack pointer, and the list of exception handlers.
#[cfg(target_arch = "x86")]
#[repr(C)]
struct Frame {
    stack: AtomicU32,
    handlers: AtomicU32,
}

#[cfg(target_arch = "x86")]
impl Frame {
    const fn new() -> Self {
        Self { stack: AtomicU32::new(0), handlers: AtomicU32::new(0) }
    }
}

/// Calls a function; false when it faults, or when too many calls are in progress.
///
/// # Safety
/// As `guarded::call`.
#[cfg(target_arch = "x86")]
pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    let thread = current_thread();
    let order = Ordering::AcqRel;
    let is_free = |owner: &AtomicU32| owner.compare_exchange(0, thread, order, Ordering::Relaxed).is_ok();
    let Some((owner, frame)) = CALLS.iter().find(|(owner, _)| is_ready() && is_free(owner)) else {
        return false;
    };
    // SAFETY: the caller vouches for the function. The routine follows the C convention; after a fault below
    // it `leave_call` restores its stack pointer and handlers and resumes it at its second exit.
    let done = unsafe { dashcam_vectored_call(function, argument, frame) != 0 };
    frame.stack.store(0, Ordering::Relaxed);
    owner.store(0, Ordering::Release);
    done
}

#[cfg(target_arch = "x86")]
fn current_thread() -> u32 {
    // SAFETY: GetCurrentThreadId has no preconditions.
    unsafe { GetCurrentThreadId() }
}

/// Returns to where the thread's guarded call began, if it is in one and this is a processor fault.
#[cfg(target_arch = "x86")]
fn leave_call(code: NTSTATUS, context: &mut CONTEXT) -> bool {
    let is_fault = matches!(
        code,
        EXCEPTION_ACCESS_VIOLATION
            | EXCEPTION_IN_PAGE_ERROR
            | EXCEPTION_DATATYPE_MISALIGNMENT
            | EXCEPTION_ILLEGAL_INSTRUCTION
            | EXCEPTION_PRIV_INSTRUCTION
            | EXCEPTION_INT_DIVIDE_BY_ZERO
    );
    let thread = current_thread();
    let is_own = |(owner, _): &&(AtomicU32, Frame)| owner.load(Ordering::Relaxed) == thread;
    let Some((_, frame)) = CALLS.iter().find(is_own).filter(|_| is_fault) else { return false };
    let stack = frame.stack.load(Ordering::Relaxed);
    if stack == 0 {
        return false;
    }
    context.Esp = stack;
    context.Eax = frame.handlers.load(Ordering::Relaxed);
    context.Eip = address(dashcam_vectored_call_fault);
    true
}

unsafe extern "system" fn on_exception(pointers: *mut EXCEPTION_POINTERS) -> i32 {
    // SAFETY: Windows passes a valid EXCEPTION_POINTERS to vectored handlers.
    let context = unsafe { (*pointers).ContextRecord };
    // SAFETY: its context record is valid for the handler too, which alone uses it meanwhile
    // and may change it.
    let context = unsafe { &mut *context };
    let counter = counter(context);
    *counter = match *counter {
        at if at == address(dashcam_vectored_try) => address(dashcam_vectored_fault),
        at if at == address(dashcam_vectored_store_try) => address(dashcam_vectored_store_fault),
        #[cfg(target_arch = "x86")]
        _ => {
            // SAFETY: Windows passes a valid EXCEPTION_POINTERS to vectored handlers.
            let record = unsafe { (*pointers).ExceptionRecord };
            // SAFETY: its exception record is valid for the handler too.
            let code = unsafe { (*record).ExceptionCode };
            let left = leave_call(code, context);
            return if left { EXCEPTION_CONTINUE_EXECUTION } else { EXCEPTION_CONTINUE_SEARCH };
        }
        #[cfg(target_arch = "x86_64")]
        _ => return EXCEPTION_CONTINUE_SEARCH,
    };
    EXCEPTION_CONTINUE_EXECUTION
}

fn address(label: unsafe extern "C" fn()) -> Counter {
    (label as *const ()).addr() as Counter
}

#[cfg(target_arch = "x86")]
type Counter = u32;
#[cfg(target_arch = "x86_64")]
type Counter = u64;

fn counter(context: &mut CONTEXT) -> &mut Counter {
    #[cfg(target_arch = "x86")]
    return &mut context.Eip;
    #[cfg(target_arch = "x86_64")]
    return &mut context.Rip;
}
