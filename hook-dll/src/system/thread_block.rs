//! What Windows keeps in the calling thread's own block (TEB): the last error, TLS slots, the bounds of the
//! stack. And the time stamp counter.
//!
//! Callbacks read these without a call, because a call costs more than the rest of a callback, and
//! TlsGetValue changes the last error. Where a field is not documented, the recorder first tests that it lies
//! where it is expected; otherwise it calls Windows.
#![expect(unsafe_code, reason = "reads the thread's own block and calls Windows")]

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use windows::Win32::Foundation::{GetLastError, SetLastError, WIN32_ERROR};
use windows::Win32::System::Threading::{TlsAlloc, TlsGetValue, TlsSetValue};

/// The calling thread's last error. The recorder leaves it as it was.
#[inline]
pub(crate) fn last_error() -> WIN32_ERROR {
    if LAST_ERROR_IS_DIRECT.load(Ordering::Relaxed) {
        return WIN32_ERROR(block_error());
    }
    // SAFETY: GetLastError has no preconditions.
    unsafe { GetLastError() }
}

/// See [`last_error`].
#[inline]
pub(crate) fn set_last_error(error: WIN32_ERROR) {
    if LAST_ERROR_IS_DIRECT.load(Ordering::Relaxed) {
        return set_block_error(error.0);
    }
    // SAFETY: SetLastError has no preconditions.
    unsafe { SetLastError(error) }
}

static LAST_ERROR_IS_DIRECT: AtomicBool = AtomicBool::new(false);

/// Tests whether the last error lies where it is expected in the thread's block; otherwise each
/// access calls Windows.
pub(crate) fn try_direct_last_error() {
    let before = last_error();
    let is_direct = [0x2A51_77E1, 0].into_iter().all(|probe| {
        set_last_error(WIN32_ERROR(probe));
        block_error() == probe
    });
    LAST_ERROR_IS_DIRECT.store(is_direct, Ordering::Release);
    set_last_error(before);
}

#[inline]
fn block_error() -> u32 {
    let error: u32;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the last error of 4 bytes lies there in every thread's block, which GS points to.
    unsafe {
        std::arch::asm!("mov {:e}, gs:[0x68]", out(reg) error, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: the last error of 4 bytes lies there in every thread's block, which FS points to.
    unsafe {
        std::arch::asm!("mov {:e}, fs:[0x34]", out(reg) error, options(nostack, readonly, preserves_flags));
    }
    error
}

#[inline]
fn set_block_error(error: u32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: `try_direct_last_error` tests with values of its own that the last error lies there.
    unsafe {
        std::arch::asm!("mov gs:[0x68], {:e}", in(reg) error, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: `try_direct_last_error` tests with values of its own that the last error lies there.
    unsafe {
        std::arch::asm!("mov fs:[0x34], {:e}", in(reg) error, options(nostack, preserves_flags));
    }
}

pub(crate) fn tls_alloc() -> u32 {
    // SAFETY: TlsAlloc has no preconditions.
    unsafe { TlsAlloc() }
}

/// The value of a slot. Changes the last error.
pub(crate) fn tls_get(slot: u32) -> *mut c_void {
    // SAFETY: TlsGetValue accepts any slot and returns NULL for one that was never allocated.
    unsafe { TlsGetValue(slot) }
}

static TLS_IS_DIRECT: AtomicBool = AtomicBool::new(false);

/// Whether slots are read without a call, and so without changing the last error.
#[inline]
pub(crate) fn tls_is_direct() -> bool {
    TLS_IS_DIRECT.load(Ordering::Relaxed)
}

/// Tests with this slot whether slots lie where they are expected in the thread's block (`TEB.TlsSlots` of
/// winternl.h has the first 64); otherwise each access calls Windows.
pub(crate) fn try_direct_tls(slot: u32) {
    if slot < 64 {
        let probe = std::ptr::from_ref(&TLS_IS_DIRECT).cast();
        tls_set(slot, probe);
        let is_direct = std::ptr::eq(tls_read(slot), probe);
        tls_set(slot, std::ptr::null());
        TLS_IS_DIRECT.store(is_direct && tls_read(slot).is_null(), Ordering::Release);
    }
}

/// The value of a slot, if [`tls_is_direct`].
#[inline]
pub(crate) fn tls_read(slot: u32) -> *mut c_void {
    let value: *mut c_void;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads 8 bytes of the thread's own block, which GS points to and which is larger than that on
    // every version of Windows.
    unsafe {
        std::arch::asm!(
            "mov {value}, gs:[0x1480 + {slot} * 8]",
            value = out(reg) value,
            slot = in(reg) slot as usize,
            options(nostack, readonly, preserves_flags),
        );
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: reads 4 bytes of the thread's own block, which FS points to and which is larger than that on
    // every version of Windows.
    unsafe {
        std::arch::asm!(
            "mov {value}, fs:[0xE10 + {slot} * 4]",
            value = out(reg) value,
            slot = in(reg) slot as usize,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

pub(crate) fn tls_set(slot: u32, value: *const c_void) {
    // SAFETY: the slot is the one that `prepare` allocated for this module.
    let _ = unsafe { TlsSetValue(slot, Some(value)) };
}

/// The upper end of the stack that the calling thread or fiber is on (`NT_TIB.StackBase` of winnt.h).
#[inline]
pub(crate) fn stack_base() -> usize {
    let base: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a field of 8 bytes at the beginning of every thread's block (NT_TIB of winnt.h), which GS
    // points to.
    unsafe {
        std::arch::asm!("mov {}, gs:[0x08]", out(reg) base, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: reads 4 bytes of the thread's own block, which FS points to and which is larger than that on
    // every version of Windows.
    unsafe {
        std::arch::asm!("mov {}, fs:[0x04]", out(reg) base, options(nostack, readonly, preserves_flags));
    }
    base
}

/// The lower end of the memory reserved for that stack (`TEB.DeallocationStack`).
#[inline]
pub(crate) fn stack_end() -> usize {
    let end: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads 8 bytes of the thread's own block, which GS points to and which is larger than that on
    // every version of Windows.
    unsafe {
        std::arch::asm!("mov {}, gs:[0x1478]", out(reg) end, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: reads 4 bytes of the thread's own block, which FS points to and which is larger than that on
    // every version of Windows.
    unsafe {
        std::arch::asm!("mov {}, fs:[0xE0C]", out(reg) end, options(nostack, readonly, preserves_flags));
    }
    end
}

/// The processor's time stamp counter.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x64 processor has the instruction.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(target_arch = "x86")]
    // SAFETY: Windows 10 runs only on processors that have the instruction.
    return unsafe { std::arch::x86::_rdtsc() };
}

/// The address of the first frame in the calling thread's list of exception handlers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn exception_list() -> u64 {
    let first: u64;
    // SAFETY: a field of 8 bytes at the beginning of every thread's block (NT_TIB of winnt.h), which GS
    // points to.
    unsafe {
        std::arch::asm!("mov {}, gs:[0]", out(reg) first, options(nostack, readonly, preserves_flags));
    }
    first
}
