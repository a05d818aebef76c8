//! A copy that survives bad pointers, and a call that survives a control in disorder.
//!
//! A buggy host sends messages whose lParam points nowhere, and a mapped file faults when its disk is full. Neither may
//! hurt the host. On x64 a few lines of assembly carry a structured exception handler of their own, since stable Rust cannot
//! catch one; on x86 a vectored handler knows the instructions that may fault.
#![expect(unsafe_code, reason = "copies through pointers of the host")]

use message_log::RECORD_HEADER;

/// Copies `len` bytes; false when either side faults, with any part of `to` written.
pub(crate) fn copy(from: *const u8, to: *mut u8, len: usize) -> bool {
    // SAFETY: the routine itself turns every fault into an answer, which is its purpose.
    unsafe { arch::copy(to, from, len) }
}

/// The longest record that is copied word by word.
pub(crate) const SHORT: usize = 512;

/// Copies a record of whole words, and then writes where the next one goes; false when either faults. The words of its header were stored one by one a
/// moment ago: loaded two at a time, they would be waited for. Its facts have been there for longer.
#[inline]
pub(crate) fn copy_record(record: &[u8], to: *mut u8, next: usize, index: *mut usize) -> bool {
    debug_assert!(record.len().is_multiple_of(8) && record.len() >= RECORD_HEADER);
    // SAFETY: as above.
    unsafe { arch::copy_record(to, record.as_ptr(), record.len(), next, index) }
}

/// Writes a number to where it is aligned, whole or not at all; false when that faults.
pub(crate) fn store(to: *mut usize, value: usize) -> bool {
    // SAFETY: as above.
    unsafe { arch::store(to, value) }
}

/// A window procedure of the system's own, as a number.
pub(crate) type Procedure = usize;

/// Calls a window procedure; nothing when it faults.
///
/// # Safety
/// `procedure` is the window procedure of the window's class or of the class it was derived from, and the calling thread owns
/// the window.
pub(crate) unsafe fn call_procedure(procedure: Procedure, args: [usize; 4]) -> Option<isize> {
    struct Call {
        procedure: Procedure,
        args: [usize; 4],
        answer: isize,
    }
    unsafe extern "C" fn run(call: *mut std::ffi::c_void) {
        type Function = unsafe extern "system" fn(usize, usize, usize, usize) -> isize;
        // SAFETY: the argument is the call below.
        let call = unsafe { &mut *call.cast::<Call>() };
        // SAFETY: the caller promises a window procedure.
        let function = unsafe { std::mem::transmute::<usize, Function>(call.procedure) };
        let [window, message, wparam, lparam] = call.args;
        // SAFETY: as above.
        call.answer = unsafe { function(window, message, wparam, lparam) };
    }
    let mut call_it = Call { procedure, args, answer: 0 };
    let argument = (&raw mut call_it).cast();
    call(run, argument).then_some(call_it.answer)
}

/// A plain value behind a pointer of the host.
pub(crate) fn read<T: Copy>(from: *const T) -> Option<T> {
    let mut value = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: all bytes were copied, and every `T` read here is plain data of the Windows headers, for which any bytes do.
    copy(from.cast(), value.as_mut_ptr().cast(), size_of::<T>()).then(|| unsafe { value.assume_init() })
}

/// Copies a text that ends in a zero of `unit` bytes (1 or 2), page by page so that no byte behind it is touched.
/// The number of bytes before the zero; what lies beyond a fault or the buffer is left out.
#[inline(always)]
pub(crate) fn read_text(from: *const u8, unit: usize, out: &mut [u8]) -> usize {
    if unit == 1 {
        return read_units::<1>(from, out);
    }
    let whole = out.len() & !1;
    // Most texts are short and lie on one page.
    // SAFETY: as above.
    let (len, is_whole) = unsafe { arch::begin_text(out.as_mut_ptr(), from, whole) };
    if is_whole { len } else { len + read_units::<2>(from.wrapping_add(len), &mut out[len..whole]) }
}

/// The same of a unit that the compiler knows: a division takes longer than the copy.
#[inline(never)]
fn read_units<const UNIT: usize>(from: *const u8, out: &mut [u8]) -> usize {
    const PAGE: usize = 4096;
    let unit = UNIT;
    let mut len = 0;
    while len < out.len() {
        let at = from.wrapping_add(len);
        let piece = (PAGE - at.addr() % PAGE).min(out.len() - len).min(if len == 0 { 128 } else { 1024 });
        let piece = if piece < unit { unit.min(out.len() - len) } else { piece - piece % unit };
        if piece == 0 || !copy(at, out[len..].as_mut_ptr(), piece) {
            break;
        }
        if let Some(zero) = find_zero::<UNIT>(&out[len..len + piece]) {
            return len + zero;
        }
        len += piece;
    }
    len
}

/// Where the first zero of `UNIT` bytes (1 or 2) begins. Blocks without one are passed by as a whole, then eight bytes at a time: of the units that a
/// subtraction of one makes negative and that were not so before, the first is a zero.
fn find_zero<const UNIT: usize>(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<32>();
    let is_zero = |unit: &[u8; UNIT]| *unit == [0; UNIT];
    let has_zero =
        |block: &&[u8; 32]| block.as_chunks::<UNIT>().0.iter().fold(false, |any, it| any | is_zero(it));
    let passed = 32 * blocks.iter().take_while(|block| !has_zero(block)).count();
    let ones = if UNIT == 1 { 0x0101_0101_0101_0101 } else { 0x0001_0001_0001_0001_u64 };
    let tops = ones << (8 * UNIT - 1);
    let (words, rest) = bytes[passed..].as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let zeros = word.wrapping_sub(ones) & !word & tops;
        if zeros != 0 {
            return Some(passed + 8 * i + zeros.trailing_zeros() as usize / 8 / UNIT * UNIT);
        }
    }
    let at = rest.as_chunks::<UNIT>().0.iter().position(is_zero)?;
    Some(passed + 8 * words.len() + at * UNIT)
}

/// Calls a function that may fault, and must own nothing that wants to be dropped; false when it did.
pub(crate) fn call(
    function: unsafe extern "C" fn(*mut std::ffi::c_void),
    argument: *mut std::ffi::c_void,
) -> bool {
    // SAFETY: the routine itself turns every fault into an answer.
    unsafe { arch::call(function, argument) }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::global_asm;
    use std::ffi::c_void;

    global_asm!(
        r#"
    .text
    .globl dashcam_guarded_copy
    .def dashcam_guarded_copy; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_copy
dashcam_guarded_copy:
    push rsi
    .seh_pushreg rsi
    push rdi
    .seh_pushreg rdi
    sub rsp, 8
    .seh_stackalloc 8
    .seh_endprologue
    mov rdi, rcx
    mov rsi, rdx
    mov rcx, r8
dashcam_guarded_try:
    rep movsb
dashcam_guarded_end:
    mov eax, 1
    jmp dashcam_guarded_out
dashcam_guarded_fault:
    xor eax, eax
dashcam_guarded_out:
    add rsp, 8
    pop rdi
    pop rsi
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_guarded_try@IMGREL
    .long dashcam_guarded_end@IMGREL
    .long 1
    .long dashcam_guarded_fault@IMGREL
    .text
    .seh_endproc

    .globl dashcam_guarded_small
    .def dashcam_guarded_small; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_small
dashcam_guarded_small:
    .seh_endprologue
dashcam_small_try:
    cmp r8, 16
    jb 3f
    movups xmm1, [rdx + r8 - 16]
    lea r10, [rcx + r8 - 16]
    sub r8, 32
    jb 2f
1:
    movups xmm0, [rdx]
    movups xmm2, [rdx + 16]
    movups [rcx], xmm0
    movups [rcx + 16], xmm2
    add rdx, 32
    add rcx, 32
    sub r8, 32
    jae 1b
2:
    add r8, 16
    jle 5f
    movups xmm0, [rdx]
    movups [rcx], xmm0
5:
    movups [r10], xmm1
    jmp dashcam_small_end
3:
    cmp r8, 8
    jb 4f
    mov rax, [rdx]
    mov r9, [rdx + r8 - 8]
    mov [rcx], rax
    mov [rcx + r8 - 8], r9
    jmp dashcam_small_end
4:
    test r8, r8
    jz dashcam_small_end
    mov al, [rdx]
    mov [rcx], al
    inc rdx
    inc rcx
    dec r8
    jmp 4b
dashcam_small_end:
    mov eax, 1
    ret
dashcam_small_fault:
    xor eax, eax
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_small_try@IMGREL
    .long dashcam_small_end@IMGREL
    .long 1
    .long dashcam_small_fault@IMGREL
    .text
    .seh_endproc

    .globl dashcam_guarded_record
    .def dashcam_guarded_record; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_record
dashcam_guarded_record:
    .seh_endprologue
dashcam_record_try:
    mov rax, [rdx + 0]
    mov r10, [rdx + 8]
    mov [rcx + 0], rax
    mov [rcx + 8], r10
    mov rax, [rdx + 16]
    mov r10, [rdx + 24]
    mov [rcx + 16], rax
    mov [rcx + 24], r10
    mov rax, [rdx + 32]
    mov r10, [rdx + 40]
    mov [rcx + 32], rax
    mov [rcx + 40], r10
    mov rax, [rdx + 48]
    mov r10, [rdx + 56]
    mov [rcx + 48], rax
    mov [rcx + 56], r10
    mov rax, [rdx + 64]
    mov r10, [rdx + 72]
    mov [rcx + 64], rax
    mov [rcx + 72], r10
    sub r8, 80
    jz 4f
    sub r8, 64
    jb 2f
1:
    mov rax, [rdx + 80]
    mov r10, [rdx + 88]
    mov [rcx + 80], rax
    mov [rcx + 88], r10
    mov rax, [rdx + 96]
    mov r10, [rdx + 104]
    mov [rcx + 96], rax
    mov [rcx + 104], r10
    mov rax, [rdx + 112]
    mov r10, [rdx + 120]
    mov [rcx + 112], rax
    mov [rcx + 120], r10
    mov rax, [rdx + 128]
    mov r10, [rdx + 136]
    mov [rcx + 128], rax
    mov [rcx + 136], r10
    add rdx, 64
    add rcx, 64
    sub r8, 64
    jae 1b
2:
    add r8, 64
    jz 4f
3:
    mov rax, [rdx + 80]
    mov [rcx + 80], rax
    add rdx, 8
    add rcx, 8
    sub r8, 8
    jnz 3b
4:
    mov r11, [rsp + 40]
    mov [r11], r9
dashcam_record_end:
    mov eax, 1
    ret
dashcam_record_fault:
    xor eax, eax
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_record_try@IMGREL
    .long dashcam_record_end@IMGREL
    .long 1
    .long dashcam_record_fault@IMGREL
    .text
    .seh_endproc

    .globl dashcam_guarded_units
    .def dashcam_guarded_units; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_units
dashcam_guarded_units:
    .seh_endprologue
    mov r10d, edx
    and r10d, 4095
    mov r9d, 4096
    sub r9d, r10d
    cmp r9, r8
    cmova r9, r8
    xor eax, eax
    pxor xmm1, xmm1
    sub r9, 16
    jl dashcam_units_end
dashcam_units_try:
1:
    movups xmm0, [rdx + rax]
    movups [rcx + rax], xmm0
    pcmpeqw xmm0, xmm1
    pmovmskb r10d, xmm0
    test r10d, r10d
    jnz 2f
    add rax, 16
    cmp rax, r9
    jle 1b
    jmp dashcam_units_end
2:
    bsf r10d, r10d
    add rax, r10
    bts rax, 63
dashcam_units_end:
    ret
dashcam_units_fault:
    xor eax, eax
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_units_try@IMGREL
    .long dashcam_units_end@IMGREL
    .long 1
    .long dashcam_units_fault@IMGREL
    .text
    .seh_endproc

    .globl dashcam_guarded_store
    .def dashcam_guarded_store; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_store
dashcam_guarded_store:
    .seh_endprologue
dashcam_store_try:
    mov [rcx], rdx
dashcam_store_end:
    mov eax, 1
    ret
dashcam_store_fault:
    xor eax, eax
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_store_try@IMGREL
    .long dashcam_store_end@IMGREL
    .long 1
    .long dashcam_store_fault@IMGREL
    .text
    .seh_endproc

    .globl dashcam_guarded_call
    .def dashcam_guarded_call; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_call
dashcam_guarded_call:
    sub rsp, 40
    .seh_stackalloc 40
    .seh_endprologue
    mov rax, rcx
    mov rcx, rdx
dashcam_call_try:
    call rax
    nop
dashcam_call_end:
    mov eax, 1
    jmp dashcam_call_out
dashcam_call_fault:
    xor eax, eax
dashcam_call_out:
    add rsp, 40
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long dashcam_call_try@IMGREL
    .long dashcam_call_end@IMGREL
    .long 1
    .long dashcam_call_fault@IMGREL
    .text
    .seh_endproc
"#
    );

    unsafe extern "C" {
        fn dashcam_guarded_call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> i32;
        fn dashcam_guarded_copy(to: *mut u8, from: *const u8, len: usize) -> i32;
        fn dashcam_guarded_small(to: *mut u8, from: *const u8, len: usize) -> i32;
        fn dashcam_guarded_store(to: *mut usize, value: usize) -> i32;
        fn dashcam_guarded_units(to: *mut u8, from: *const u8, room: usize) -> usize;
        fn dashcam_guarded_record(
            to: *mut u8,
            from: *const u8,
            len: usize,
            next: usize,
            index: *mut usize,
        ) -> i32;
    }

    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn __C_specific_handler();
    }

    /// Kept alive by this reference, or the linker does not import the handler.
    #[used]
    static HANDLER: unsafe extern "system" fn() = __C_specific_handler;

    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
        // Starting up `rep movsb` takes longer than moving a few bytes by sixteen.
        let routine = if len <= 512 { dashcam_guarded_small } else { dashcam_guarded_copy };
        // SAFETY: both routines keep to the calling convention, and faults inside end in their handlers.
        unsafe { routine(to, from, len) != 0 }
    }

    #[inline]
    pub(super) unsafe fn copy_record(
        to: *mut u8,
        from: *const u8,
        len: usize,
        next: usize,
        index: *mut usize,
    ) -> bool {
        // SAFETY: as above.
        unsafe { dashcam_guarded_record(to, from, len, next, index) != 0 }
    }

    #[inline]
    pub(super) unsafe fn begin_text(to: *mut u8, from: *const u8, room: usize) -> (usize, bool) {
        const IS_WHOLE: usize = 1 << 63;
        // SAFETY: as above.
        let copied = unsafe { dashcam_guarded_units(to, from, room) };
        (copied & !IS_WHOLE, copied & IS_WHOLE != 0)
    }

    #[inline]
    pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
        // SAFETY: as above.
        unsafe { dashcam_guarded_store(to, value) != 0 }
    }

    pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
        // SAFETY: as above.
        unsafe { dashcam_guarded_call(function, argument) != 0 }
    }
}

#[cfg(target_arch = "x86")]
mod arch {
    use super::vectored;
    use std::ffi::c_void;
    use windows::Win32::System::Diagnostics::Debug::ReadProcessMemory;
    use windows::Win32::System::Threading::GetCurrentProcess;

    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
        if vectored::is_ready() {
            return vectored::copy(to, from, len);
        }
        // SAFETY: the call has no preconditions.
        let process = unsafe { GetCurrentProcess() };
        // SAFETY: the system checks both sides and answers with an error instead of a fault.
        unsafe { ReadProcessMemory(process, from.cast(), to.cast(), len, None) }.is_ok()
    }

    pub(super) unsafe fn copy_record(
        to: *mut u8,
        from: *const u8,
        len: usize,
        next: usize,
        index: *mut usize,
    ) -> bool {
        // SAFETY: passed on.
        unsafe { copy(to, from, len) && store(index, next) }
    }

    pub(super) unsafe fn begin_text(_: *mut u8, _: *const u8, _: usize) -> (usize, bool) {
        (0, false)
    }

    pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
        if vectored::is_ready() {
            return vectored::store(to, value);
        }
        // SAFETY: the system checks where it is to go.
        unsafe { copy(to.cast(), (&raw const value).cast(), size_of::<usize>()) }
    }

    pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
        vectored::call(function, argument)
    }
}

/// Makes ready what can only be done once there is work to do. Until then copies are slower.
pub(crate) fn prepare() {
    #[cfg(target_arch = "x86")]
    vectored::prepare();
}

/// A copy whose faults are recognised by the instruction they happen at: one handler for the whole process, which looks at
/// nothing but these addresses, and on x86 whether the thread is in a call under guard, and lets everything else pass. Needed on x86, where a handler of a function's own is a matter
/// between compiler and linker; tested on x64 too, since it is the same there.
#[cfg(any(target_arch = "x86", test))]
mod vectored {
    #[cfg(target_arch = "x86")]
    use crate::win32;
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

    /// Installs the handler, before those that are there. It stays, as the module does: a copy may be on its way at any time.
    pub(super) fn prepare() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: the handler lies in this module, which is pinned before a callback can run.
            let handle = unsafe { AddVectoredExceptionHandler(1, Some(on_exception)) };
            IS_READY.store(!handle.is_null(), Ordering::Release);
        });
    }

    pub(super) fn is_ready() -> bool {
        IS_READY.load(Ordering::Acquire)
    }

    pub(super) fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
        // SAFETY: the routine keeps to the calling convention, and a fault at its only access goes on at its other end.
        unsafe { dashcam_vectored_copy(to, from, len) != 0 }
    }

    pub(super) fn store(to: *mut usize, value: usize) -> bool {
        // SAFETY: as above.
        unsafe { dashcam_vectored_store(to, value) != 0 }
    }

    /// Calls under guard just now, each with its thread and where it goes on if it faults.
    #[cfg(target_arch = "x86")]
    static CALLS: [(AtomicU32, Frame); 64] = [const { (AtomicU32::new(0), Frame::new()) }; 64];

    /// Where a call under guard began: the stack, and the handlers of the functions on it.
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

    /// Calls a function; false when it faults. Where too many do so at once it is not called at all.
    #[cfg(target_arch = "x86")]
    pub(super) fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
        let thread = win32::current_thread_id();
        let order = Ordering::AcqRel;
        let is_free = |owner: &AtomicU32| owner.compare_exchange(0, thread, order, Ordering::Relaxed).is_ok();
        let Some((owner, frame)) = CALLS.iter().find(|(owner, _)| is_ready() && is_free(owner)) else {
            return false;
        };
        // SAFETY: the routine keeps to the calling convention, and a fault below it goes on at its other end.
        let done = unsafe { dashcam_vectored_call(function, argument, frame) != 0 };
        frame.stack.store(0, Ordering::Relaxed);
        owner.store(0, Ordering::Release);
        done
    }

    /// Back to where the thread's call under guard began, if it is in one and this is a fault of the processor.
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
        let thread = win32::current_thread_id();
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
        // SAFETY: the system keeps them valid for the handler.
        let context = unsafe { (*pointers).ContextRecord };
        // SAFETY: as above, and the handler may change it.
        let context = unsafe { &mut *context };
        let counter = counter(context);
        *counter = match *counter {
            at if at == address(dashcam_vectored_try) => address(dashcam_vectored_fault),
            at if at == address(dashcam_vectored_store_try) => address(dashcam_vectored_store_fault),
            #[cfg(target_arch = "x86")]
            _ => {
                // SAFETY: as above.
                let record = unsafe { (*pointers).ExceptionRecord };
                // SAFETY: as above.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(copy: fn(*const u8, *mut u8, usize) -> bool) {
        for len in (0..600).chain([5000]) {
            let from: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut to = vec![0; len + 1];
            assert!(copy(from.as_ptr(), to.as_mut_ptr(), len));
            assert_eq!((&to[..len], to[len]), (&from[..], 0));
        }
        let from: Vec<u8> = (0..80).collect();
        let mut to = vec![0u8; 80];
        for wild in [0usize, 1, 0xdead_beef, usize::MAX - 100, 0x8000_0000_0000_0000u64 as usize] {
            let wild_from = std::ptr::without_provenance(wild);
            assert!(!copy(wild_from, to.as_mut_ptr(), 80), "{wild:#x}");
            assert!(!copy(from.as_ptr(), wild_from.cast_mut(), 80), "to {wild:#x}");
        }
        // What may only be read, and then once more what is good.
        assert!(!copy(from.as_ptr(), check as fn(_) as *mut u8, 4));
        assert!(copy(from.as_ptr(), to.as_mut_ptr(), 80));
    }

    #[test]
    fn good_pointers_are_copied_and_bad_ones_answered() {
        check(copy);
        let record = |from: *const u8, to: *mut u8, len: usize| {
            if !len.is_multiple_of(8) || len < RECORD_HEADER {
                return copy(from, to, len);
            }
            let mut index = 0;
            // SAFETY: wild pointers are the point; the routine answers them.
            let is_copied = unsafe { arch::copy_record(to, from, len, len, &raw mut index) };
            assert_eq!(index, if is_copied { len } else { 0 }, "the index after the record, or not at all");
            is_copied
        };
        check(record);
        let (from, mut to) = ([1u8; 80], [0u8; 80]);
        let wild = std::ptr::without_provenance_mut(8);
        // SAFETY: as above.
        assert!(!unsafe { arch::copy_record(to.as_mut_ptr(), from.as_ptr(), 80, 80, wild) });
        assert_eq!(read::<u64>(std::ptr::without_provenance(16)), None);
    }

    fn check_store(store: fn(*mut usize, usize) -> bool) {
        let mut numbers = [1, 2, 3];
        assert!(store(&raw mut numbers[1], usize::MAX - 5));
        assert_eq!(numbers, [1, usize::MAX - 5, 3]);
        for wild in [0usize, 8, 0xdead_bee8, usize::MAX - 7, 0x8000_0000_0000_0000u64 as usize] {
            assert!(!store(std::ptr::without_provenance_mut(wild), 7), "{wild:#x}");
        }
        assert!(!store(check as fn(_) as *mut usize, 7), "what may only be read");
        assert!(store(&raw mut numbers[0], 7) && numbers[0] == 7);
    }

    #[test]
    fn a_number_is_written_or_answered() {
        check_store(store);
    }

    #[test]
    fn a_vectored_handler_answers_the_same() {
        vectored::prepare();
        assert!(vectored::is_ready());
        check(|from, to, len| vectored::copy(to, from, len));
        check_store(vectored::store);
        // And everyone else's faults are left to them.
        check(copy);
    }

    #[test]
    fn a_call_that_faults_is_answered() {
        unsafe extern "C" fn read_there(from: *mut std::ffi::c_void) {
            let mut byte = [0u8; 1];
            // SAFETY: none; a fault is the purpose.
            unsafe { std::ptr::copy_nonoverlapping(from.cast(), byte.as_mut_ptr(), std::hint::black_box(1)) };
            std::hint::black_box(byte);
        }
        prepare();
        let mut here = 7u8;
        assert!(call(read_there, (&raw mut here).cast()));
        assert!(!call(read_there, std::ptr::without_provenance_mut(16)));
        assert!(call(read_there, (&raw mut here).cast()));
    }

    #[test]
    fn a_call_answers_and_a_fault_ends_only_the_call() {
        unsafe extern "system" fn add(a: usize, b: usize, c: usize, d: usize) -> isize {
            (a + b + c + d) as isize
        }
        unsafe extern "system" fn wild(a: usize, _: usize, _: usize, _: usize) -> isize {
            // SAFETY: not at all, which is the point.
            unsafe { std::ptr::without_provenance::<isize>(a).read_volatile() }
        }
        prepare();
        for _ in 0..100 {
            let procedure = add as *const () as usize;
            // SAFETY: a function of four arguments.
            assert_eq!(unsafe { call_procedure(procedure, [1, 2, 3, 4]) }, Some(10));
            // SAFETY: as above.
            assert_eq!(unsafe { call_procedure(wild as *const () as usize, [8, 0, 0, 0]) }, None);
        }
    }

    #[test]
    fn a_zero_is_found_wherever_it_is() {
        fn check<const UNIT: usize>() {
            for len in (0..100).step_by(UNIT) {
                let mut bytes = vec![0x80; len];
                bytes.iter_mut().step_by(3).for_each(|byte| *byte = 1);
                assert_eq!(find_zero::<UNIT>(&bytes), None);
                for at in (0..len).step_by(UNIT) {
                    let mut bytes = bytes.clone();
                    bytes[at..at + UNIT].fill(0);
                    assert_eq!(find_zero::<UNIT>(&bytes), Some(at), "{UNIT} of {len}");
                }
            }
        }
        check::<1>();
        check::<2>();
        // Halves of two characters are no zero.
        assert_eq!(find_zero::<2>(&[1, 0, 0, 1, 1, 0, 0, 1, 7, 0].repeat(5)), None);
    }

    #[test]
    fn a_text_ends_at_its_zero() {
        let text: Vec<u16> = "Grüße".encode_utf16().chain([0, 0x41]).collect();
        let mut out = [0xEE; 64];
        assert_eq!(read_text(text.as_ptr().cast(), 2, &mut out), 10);
        assert_eq!(read_text(c"plain".as_ptr().cast(), 1, &mut out), 5);
        assert_eq!(read_text(std::ptr::null(), 2, &mut out), 0);
        let long = vec![0x41u16; 5000];
        assert_eq!(read_text(long.as_ptr().cast(), 2, &mut out), 64);
    }

    /// At every place of a page's end, aligned and not: of every length up to what lies on the page, whole and cut by what cannot be read.
    #[test]
    fn a_text_is_read_up_to_the_end_of_its_page() {
        use windows::Win32::System::Memory::{
            MEM_COMMIT, MEM_RESERVE, PAGE_NOACCESS, PAGE_PROTECTION_FLAGS, PAGE_READWRITE, VirtualAlloc,
            VirtualProtect,
        };
        const PAGE: usize = 4096;
        // SAFETY: new memory.
        let pages = unsafe { VirtualAlloc(None, 2 * PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) };
        assert!(!pages.is_null());
        let second = pages.cast::<u8>().wrapping_add(PAGE);
        let mut before = PAGE_PROTECTION_FLAGS(0);
        // SAFETY: of the memory above.
        unsafe { VirtualProtect(second.cast(), PAGE, PAGE_NOACCESS, &raw mut before) }.unwrap();
        for behind in 0..70 {
            let from = second.wrapping_sub(behind);
            // SAFETY: the end of the first page.
            let text = unsafe { std::slice::from_raw_parts_mut(from, behind) };
            for zero in (0..=behind).step_by(2) {
                text.iter_mut().zip(0u8..).for_each(|(byte, i)| *byte = i + 1);
                text[zero.min(behind)..].iter_mut().take(2).for_each(|byte| *byte = 0);
                for room in [64, 30, 2] {
                    let mut out = [0xEE; 64];
                    let len = read_text(from, 2, &mut out[..room]);
                    let whole = if zero + 2 <= behind { zero } else { behind - behind % 2 };
                    assert_eq!(len, whole.min(room), "{behind} {zero} {room}");
                    assert_eq!(out[..len], text[..len]);
                    assert_eq!(out[room..], [0xEE; 64][room..]);
                }
            }
        }
    }
}
