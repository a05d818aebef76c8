//! A copy that survives bad pointers.
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

/// Calls a function that may fault, and must own nothing that wants to be dropped; false when it did.
#[cfg(target_arch = "x86_64")]
pub(crate) fn call(
    function: unsafe extern "C" fn(*mut std::ffi::c_void),
    argument: *mut std::ffi::c_void,
) -> bool {
    // SAFETY: the routine itself turns every fault into an answer.
    unsafe { arch::dashcam_guarded_call(function, argument) != 0 }
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
        pub(super) fn dashcam_guarded_call(
            function: unsafe extern "C" fn(*mut c_void),
            argument: *mut c_void,
        ) -> i32;
        fn dashcam_guarded_copy(to: *mut u8, from: *const u8, len: usize) -> i32;
    }

    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn __C_specific_handler();
    }

    /// Kept alive by this reference, or the linker does not import the handler.
    #[used]
    static HANDLER: unsafe extern "system" fn() = __C_specific_handler;

    pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
        // SAFETY: the routine keeps to the calling convention, and faults inside end in its handler.
        unsafe { dashcam_guarded_copy(to, from, len) != 0 }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_pointers_are_copied_and_bad_ones_answered() {
        let from = [7u8; 80];
        let mut to = [0u8; 80];
        assert!(copy(from.as_ptr(), to.as_mut_ptr(), 80));
        assert_eq!(from, to);
        for wild in [0usize, 1, 0xdead_beef, usize::MAX - 100, 0x8000_0000_0000_0000u64 as usize] {
            assert!(!copy(std::ptr::without_provenance(wild), to.as_mut_ptr(), 80), "{wild:#x}");
            assert_eq!(read::<u64>(std::ptr::without_provenance(wild)), None);
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
