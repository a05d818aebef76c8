//! A copy that survives bad pointers, and a call that survives a control in disorder.
//!
//! A buggy host sends messages whose lParam points nowhere, and a mapped file faults when its disk is full. Neither may
//! hurt the host. On x64 a few lines of assembly carry a structured exception handler of their own, since stable Rust cannot
//! catch one; on x86 the system is asked to copy, which is slower.
#![expect(unsafe_code, reason = "copies through pointers of the host")]

/// Copies `len` bytes; false when either side faults, with any part of `to` written.
pub(crate) fn copy(from: *const u8, to: *mut u8, len: usize) -> bool {
    // SAFETY: the routine itself turns every fault into an answer, which is its purpose.
    unsafe { arch::copy(to, from, len) }
}

/// A window procedure of the system's own, as a number.
pub(crate) type Procedure = usize;

/// Calls a window procedure; nothing when it faults.
///
/// # Safety
/// `procedure` is the window procedure of the window's class or of the class it was derived from, and the calling thread owns
/// the window.
pub(crate) unsafe fn call(procedure: Procedure, args: [usize; 4]) -> Option<isize> {
    // SAFETY: the caller's promise.
    unsafe { arch::call(procedure, &args) }
}

/// A plain value behind a pointer of the host.
pub(crate) fn read<T: Copy>(from: *const T) -> Option<T> {
    let mut value = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: all bytes were copied, and every `T` read here is plain data of the Windows headers, for which any bytes do.
    copy(from.cast(), value.as_mut_ptr().cast(), size_of::<T>()).then(|| unsafe { value.assume_init() })
}

/// Copies a text that ends in a zero of `unit` bytes (1 or 2), page by page so that no byte behind it is touched.
/// The number of bytes before the zero; what lies beyond a fault or the buffer is left out.
pub(crate) fn read_text(from: *const u8, unit: usize, out: &mut [u8]) -> usize {
    const PAGE: usize = 4096;
    let mut len = 0;
    while len < out.len() {
        let at = from.wrapping_add(len);
        let piece = (PAGE - at.addr() % PAGE).min(out.len() - len).min(256);
        let piece = if piece < unit { unit.min(out.len() - len) } else { piece - piece % unit };
        if piece == 0 || !copy(at, out[len..].as_mut_ptr(), piece) {
            break;
        }
        if let Some(zero) = out[len..len + piece].chunks_exact(unit).position(|c| c.iter().all(|&b| b == 0)) {
            return len + zero * unit;
        }
        len += piece;
    }
    len
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::global_asm;

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
    jb 2f
1:
    movups xmm0, [rdx]
    movups [rcx], xmm0
    add rdx, 16
    add rcx, 16
    sub r8, 16
    cmp r8, 16
    jae 1b
2:
    cmp r8, 8
    jb 3f
    mov rax, [rdx]
    mov [rcx], rax
    add rdx, 8
    add rcx, 8
    sub r8, 8
3:
    test r8, r8
    jz dashcam_small_end
    mov al, [rdx]
    mov [rcx], al
    inc rdx
    inc rcx
    dec r8
    jmp 3b
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

    .globl dashcam_guarded_call
    .def dashcam_guarded_call; .scl 2; .type 32; .endef
    .seh_proc dashcam_guarded_call
dashcam_guarded_call:
    push rbx
    .seh_pushreg rbx
    sub rsp, 32
    .seh_stackalloc 32
    .seh_endprologue
    mov rbx, r8
    mov rax, rcx
    mov r10, rdx
    mov rcx, [r10]
    mov rdx, [r10 + 8]
    mov r8, [r10 + 16]
    mov r9, [r10 + 24]
dashcam_call_try:
    call rax
    nop
dashcam_call_end:
    mov [rbx], rax
    mov eax, 1
    jmp dashcam_call_out
dashcam_call_fault:
    xor eax, eax
dashcam_call_out:
    add rsp, 32
    pop rbx
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
        fn dashcam_guarded_copy(to: *mut u8, from: *const u8, len: usize) -> i32;
        fn dashcam_guarded_small(to: *mut u8, from: *const u8, len: usize) -> i32;
        fn dashcam_guarded_call(procedure: usize, args: *const usize, answer: *mut isize) -> i32;
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

    pub(super) unsafe fn call(procedure: usize, args: &[usize; 4]) -> Option<isize> {
        let mut answer = 0;
        // SAFETY: as above, and the procedure is one of four arguments by the caller's promise.
        let done = unsafe { dashcam_guarded_call(procedure, args.as_ptr(), &raw mut answer) };
        (done != 0).then_some(answer)
    }
}

#[cfg(target_arch = "x86")]
mod arch {
    use windows::Win32::System::Diagnostics::Debug::ReadProcessMemory;
    use windows::Win32::System::Threading::GetCurrentProcess;

    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
        // SAFETY: the call has no preconditions.
        let process = unsafe { GetCurrentProcess() };
        // SAFETY: the system checks both sides and answers with an error instead of a fault.
        unsafe { ReadProcessMemory(process, from.cast(), to.cast(), len, None) }.is_ok()
    }

    /// Without a guard: a fault is the host's, as it would be without us.
    pub(super) unsafe fn call(procedure: usize, args: &[usize; 4]) -> Option<isize> {
        type Function = unsafe extern "system" fn(usize, usize, usize, usize) -> isize;
        // SAFETY: the caller promises a window procedure.
        let procedure: Function = unsafe { std::mem::transmute(procedure) };
        // SAFETY: the caller's promise.
        Some(unsafe { procedure(args[0], args[1], args[2], args[3]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_pointers_are_copied_and_bad_ones_answered() {
        for len in [0, 1, 7, 8, 15, 16, 17, 80, 100, 512, 513, 5000] {
            let from: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut to = vec![0; len + 1];
            assert!(copy(from.as_ptr(), to.as_mut_ptr(), len));
            assert_eq!((&to[..len], to[len]), (&from[..], 0));
        }
        let mut to = [0u8; 80];
        for wild in [0usize, 1, 0xdead_beef, usize::MAX - 100, 0x8000_0000_0000_0000u64 as usize] {
            assert!(!copy(std::ptr::without_provenance(wild), to.as_mut_ptr(), 80), "{wild:#x}");
            assert_eq!(read::<u64>(std::ptr::without_provenance(wild)), None);
        }
    }

    #[test]
    fn a_call_answers_and_a_fault_ends_only_the_call() {
        unsafe extern "system" fn add(a: usize, b: usize, c: usize, d: usize) -> isize {
            (a + b + c + d) as isize
        }
        let procedure = add as *const () as usize;
        // SAFETY: a function of four arguments.
        assert_eq!(unsafe { call(procedure, [1, 2, 3, 4]) }, Some(10));
        #[cfg(target_arch = "x86_64")]
        {
            unsafe extern "system" fn wild(a: usize, _: usize, _: usize, _: usize) -> isize {
                // SAFETY: not at all, which is the point.
                unsafe { std::ptr::without_provenance::<isize>(a).read_volatile() }
            }
            // SAFETY: as above.
            assert_eq!(unsafe { call(wild as *const () as usize, [8, 0, 0, 0]) }, None);
        }
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
}
