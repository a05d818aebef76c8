//! Routines with a structured exception handler of their own.

use std::arch::global_asm;
use std::ffi::c_void;

/// A routine that calls nothing and uses no stack: its body, and its result when nothing faults. A
/// fault returns 0.
macro_rules! leaf {
    ($name:literal, $body:literal, $answer:literal) => {
        global_asm!(concat!(
            "
    .text
    .globl ",
            $name,
            "
    .def ",
            $name,
            "; .scl 2; .type 32; .endef
    .seh_proc ",
            $name,
            "
",
            $name,
            ":
    .seh_endprologue
",
            $name,
            "_try:
",
            $body,
            "
",
            $name,
            "_end:
",
            $answer,
            "
    ret
",
            $name,
            "_fault:
    xor eax, eax
    ret
    .seh_handler __C_specific_handler, @except
    .seh_handlerdata
    .long 1
    .long ",
            $name,
            "_try@IMGREL
    .long ",
            $name,
            "_end@IMGREL
    .long 1
    .long ",
            $name,
            "_fault@IMGREL
    .text
    .seh_endproc
"
        ));
    };
}

/// The longest copy without `rep movsb`, which takes longer to start than so few bytes take to copy.
const SMALL: usize = 128;

// Copies the first and the last bytes, which meet or overlap in the middle: no loop and few branches.
leaf!(
    "dashcam_guarded_small",
    "
    cmp r8, 16
    jb 3f
    movups xmm0, [rdx]
    movups xmm1, [rdx + r8 - 16]
    cmp r8, 32
    jbe 2f
    movups xmm2, [rdx + 16]
    movups xmm3, [rdx + r8 - 32]
    cmp r8, 64
    jbe 1f
    movups xmm4, [rdx + 32]
    movups xmm5, [rdx + r8 - 64]
    movups [rcx + 32], xmm4
    movups [rcx + r8 - 64], xmm5
    movups xmm4, [rdx + 48]
    movups xmm5, [rdx + r8 - 48]
    movups [rcx + 48], xmm4
    movups [rcx + r8 - 48], xmm5
1:
    movups [rcx + 16], xmm2
    movups [rcx + r8 - 32], xmm3
2:
    movups [rcx], xmm0
    movups [rcx + r8 - 16], xmm1
    jmp 9f
3:
    cmp r8, 8
    jb 4f
    mov rax, [rdx]
    mov r9, [rdx + r8 - 8]
    mov [rcx], rax
    mov [rcx + r8 - 8], r9
    jmp 9f
4:
    test r8, r8
    jz 9f
    mov al, [rdx]
    mov [rcx], al
    inc rdx
    inc rcx
    dec r8
    jmp 4b
9:",
    "    mov eax, 1"
);

leaf!(
    "dashcam_guarded_record",
    "
.irp at, 0, 16, 32, 48, 64
    mov rax, [rdx + \\at]
    mov r10, [rdx + \\at + 8]
    mov [rcx + \\at], rax
    mov [rcx + \\at + 8], r10
.endr
    sub r8, 80
    jz 4f
    sub r8, 64
    jb 2f
1:
.irp at, 80, 96, 112, 128
    mov rax, [rdx + \\at]
    mov r10, [rdx + \\at + 8]
    mov [rcx + \\at], rax
    mov [rcx + \\at + 8], r10
.endr
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
    mov [r11], r9",
    "    mov eax, 1"
);

// Returns the bytes before the zero with the top bit set, or the bytes before the end of the page or
// buffer without it.
leaf!(
    "dashcam_guarded_units",
    "
    mov r10d, edx
    and r10d, 4095
    mov r9d, 4096
    sub r9d, r10d
    cmp r9, r8
    cmova r9, r8
    xor eax, eax
    pxor xmm1, xmm1
    sub r9, 16
    jl 3f
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
    jmp 3f
2:
    bsf r10d, r10d
    add rax, r10
    bts rax, 63
3:",
    ""
);

leaf!("dashcam_guarded_store", "    mov [rcx], rdx", "    mov eax, 1");

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

/// Without this reference the linker does not import the handler.
#[used]
static HANDLER: unsafe extern "system" fn() = __C_specific_handler;

/// # Safety
/// As `guarded::copy`.
pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
    let routine = if len <= SMALL { dashcam_guarded_small } else { dashcam_guarded_copy };
    // SAFETY: the caller vouches for the destination. Both routines follow the C convention, their scope
    // tables send every fault between `try` and `end` to `fault`, which returns 0.
    unsafe { routine(to, from, len) != 0 }
}

/// # Safety
/// As `guarded::copy_record`; `from` leads to `len` bytes, a multiple of 8 of at least `RECORD_HEADER`.
#[inline]
pub(super) unsafe fn copy_record(
    to: *mut u8,
    from: *const u8,
    len: usize,
    next: usize,
    index: *mut usize,
) -> bool {
    // SAFETY: the caller vouches for source and destinations; the routine answers faults as in `copy`.
    unsafe { dashcam_guarded_record(to, from, len, next, index) != 0 }
}

/// # Safety
/// `to` leads to `room` bytes that the caller may overwrite; `from` may lead anywhere.
#[inline]
pub(super) unsafe fn begin_text(to: *mut u8, from: *const u8, room: usize) -> (usize, bool) {
    const IS_WHOLE: usize = 1 << 63;
    // SAFETY: the caller vouches for the destination; the routine answers faults as in `copy`.
    let copied = unsafe { dashcam_guarded_units(to, from, room) };
    (copied & !IS_WHOLE, copied & IS_WHOLE != 0)
}

/// # Safety
/// As `guarded::store`.
#[inline]
pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
    // SAFETY: the caller vouches for the destination; the routine answers faults as in `copy`.
    unsafe { dashcam_guarded_store(to, value) != 0 }
}

/// # Safety
/// As `guarded::call`.
pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    // SAFETY: the caller vouches for the function; the scope table sends a fault in it to `fault`,
    // which returns 0.
    unsafe { dashcam_guarded_call(function, argument) != 0 }
}
