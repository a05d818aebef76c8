//! Copies that survive bad pointers, and calls that survive a corrupt control.
//!
//! A buggy host sends messages whose lParam points nowhere, and a mapped file faults when its disk is
//! full. Neither may hurt the host. On x64 a few lines of assembly carry a structured exception handler of
//! their own, because stable Rust cannot catch an exception; on x86 a vectored handler knows the
//! instructions that may fault.
//!
//! Reading is safe: the assembly turns a fault at the source into an answer, and what it reads through a
//! valid pointer are bytes, which are any [`PlainData`]. Writing and calling are unsafe, because a wrong
//! destination or function does not have to fault.
#![expect(unsafe_code, reason = "calls assembly that copies through pointers of the host")]

#[cfg(target_arch = "x86_64")]
#[path = "x64.rs"]
mod arch;
#[cfg(target_arch = "x86")]
#[path = "x86.rs"]
mod arch;
pub(crate) mod plain_data;
#[cfg(any(target_arch = "x86", test))]
mod vectored;

use message_log::RECORD_HEADER;
use plain_data::PlainData;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// Copies `len` bytes; false when either side faults, with any part of `to` written.
///
/// # Safety
/// `to` either faults or leads to `len` bytes that the caller may overwrite and that nothing else uses
/// meanwhile. `from` may lead anywhere.
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) -> bool {
    // SAFETY: the caller vouches for the destination; the routine answers a fault at either side.
    unsafe { arch::copy(to, from, len) }
}

/// Fills `to` with the bytes at `from`, which may lead anywhere; false when that faults, with any part
/// of `to` written.
pub(crate) fn copy_into(from: *const u8, to: &mut [u8]) -> bool {
    // SAFETY: `to` is an exclusive borrow of that many bytes.
    unsafe { copy(from, to.as_mut_ptr(), to.len()) }
}

/// The longest record that is copied word by word.
pub(crate) const SHORT: usize = 512;

/// Copies a record of whole words, and then writes where the next one goes; false when either faults. The
/// words of its header were stored one by one a moment ago: the processor would wait for them if they were
/// loaded in pairs. Its facts are older.
///
/// # Safety
/// `to` and `index` either fault or lead to `record.len()` bytes and to an aligned number that the caller may
/// overwrite and that nothing but atomic operations uses meanwhile.
#[inline]
pub(crate) unsafe fn copy_record(record: &[u8], to: *mut u8, next: usize, index: *mut usize) -> bool {
    debug_assert!(record.len().is_multiple_of(8) && record.len() >= RECORD_HEADER);
    // SAFETY: the caller vouches for both destinations; `record` is borrowed, and of whole words
    // as asserted above.
    unsafe { arch::copy_record(to, record.as_ptr(), record.len(), next, index) }
}

/// Writes a number, whole or not at all; false when that faults.
///
/// # Safety
/// `to` is aligned, and either faults or leads to a number that the caller may overwrite and that nothing but
/// atomic operations uses meanwhile.
pub(crate) unsafe fn store(to: *mut usize, value: usize) -> bool {
    // SAFETY: the caller vouches for the destination; the routine answers a fault.
    unsafe { arch::store(to, value) }
}

/// A window procedure of the system's own, as a number.
pub(crate) type Procedure = usize;

/// Calls a window procedure; nothing when it faults.
///
/// # Safety
/// `procedure` is the window procedure of the window's class or of the class it was derived from, the calling
/// thread owns the window, and what `args` point to may be written to as the message says.
pub(crate) unsafe fn call_procedure(procedure: Procedure, args: [usize; 4]) -> Option<isize> {
    struct Call {
        procedure: Procedure,
        args: [usize; 4],
        answer: isize,
    }
    unsafe extern "C" fn run(call: *mut c_void) {
        type Function = unsafe extern "system" fn(usize, usize, usize, usize) -> isize;
        // SAFETY: `call_procedure` passes a pointer to its own `Call`, which outlives this function.
        let call = unsafe { &mut *call.cast::<Call>() };
        // SAFETY: the caller of `call_procedure` promises that the number is the address of a
        // window procedure.
        let function = unsafe { std::mem::transmute::<usize, Function>(call.procedure) };
        let [window, message, wparam, lparam] = call.args;
        // SAFETY: the caller of `call_procedure` promises that the procedure may be called with
        // these arguments here.
        call.answer = unsafe { function(window, message, wparam, lparam) };
    }
    let mut call_it = Call { procedure, args, answer: 0 };
    let argument = (&raw mut call_it).cast();
    // SAFETY: `run` takes a `Call`, and neither it nor `Call` owns anything that must be dropped.
    unsafe { call(run, argument) }.then_some(call_it.answer)
}

/// A plain value behind a pointer of the host, which may lead anywhere.
pub(crate) fn read<T: PlainData>(from: *const T) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: `value` is a local of that size.
    let is_read = unsafe { copy(from.cast(), value.as_mut_ptr().cast(), size_of::<T>()) };
    // SAFETY: all bytes were copied, and `PlainData` promises that any bytes are a value.
    is_read.then(|| unsafe { value.assume_init() })
}

/// The same where only the first `size` bytes are there, as in an older version of a structure;
/// the rest is zero.
pub(crate) fn read_beginning<T: PlainData>(from: *const T, size: usize) -> Option<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `value` is a local of at least that size.
    let is_read = unsafe { copy(from.cast(), value.as_mut_ptr().cast(), size.min(size_of::<T>())) };
    // SAFETY: all bytes were zeroed or copied, and `PlainData` promises that any bytes are a value.
    is_read.then(|| unsafe { value.assume_init() })
}

/// As many values behind a pointer of the host. Allocates: not for callbacks.
pub(crate) fn read_list<T: PlainData>(from: *const T, count: usize) -> Option<Vec<T>> {
    (0..count).map(|i| read(from.wrapping_add(i))).collect()
}

/// Copies a text that ends in a zero of `unit` bytes (1 or 2), page by page so that no byte after it is
/// touched. Returns the number of bytes before the zero; what lies beyond a fault or the buffer is omitted.
#[inline(always)]
pub(crate) fn read_text(from: *const u8, unit: usize, out: &mut [u8]) -> usize {
    if unit == 1 {
        return read_units::<1>(from, out);
    }
    let whole = out.len() & !1;
    // Most texts are short and lie on one page.
    // SAFETY: `out` is an exclusive borrow of at least `whole` bytes; the routine answers a
    // fault at the source.
    let (len, is_whole) = unsafe { arch::begin_text(out.as_mut_ptr(), from, whole) };
    if is_whole { len } else { len + read_units::<2>(from.wrapping_add(len), &mut out[len..whole]) }
}

/// The same with a unit size known to the compiler: a division takes longer than the copy.
#[inline(never)]
fn read_units<const UNIT: usize>(from: *const u8, out: &mut [u8]) -> usize {
    const PAGE: usize = 4096;
    let unit = UNIT;
    let mut len = 0;
    while len < out.len() {
        let at = from.wrapping_add(len);
        let piece = (PAGE - at.addr() % PAGE).min(out.len() - len).min(if len == 0 { 128 } else { 1024 });
        let piece = if piece < unit { unit.min(out.len() - len) } else { piece - piece % unit };
        if piece == 0 || !copy_into(at, &mut out[len..len + piece]) {
            break;
        }
        if let Some(zero) = find_zero::<UNIT>(&out[len..len + piece]) {
            return len + zero;
        }
        len += piece;
    }
    len
}

/// Where the first zero of `UNIT` bytes (1 or 2) begins. Skips whole blocks without one, then looks at eight
/// bytes at a time: of the units that a subtraction of one makes negative and that were not negative before,
/// the first is zero.
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

/// Calls a function that may fault; false when it did.
///
/// # Safety
/// `function` may be called with `argument` on this thread. A fault skips the rest of its frames, so they own
/// nothing that must be dropped and leave nothing locked.
pub(crate) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    // SAFETY: the caller vouches for the function; the routine answers a fault in it.
    unsafe { arch::call(function, argument) }
}

/// Installs what needs to be installed before the first callback. Until then copies are slower.
pub(crate) fn prepare() {
    #[cfg(target_arch = "x86")]
    vectored::prepare();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(copy: impl Fn(*const u8, *mut u8, usize) -> bool) {
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
        assert!(!copy(from.as_ptr(), check_store as fn(_) as *mut u8, 4));
        assert!(copy(from.as_ptr(), to.as_mut_ptr(), 80));
    }

    #[test]
    fn good_pointers_are_copied_and_bad_ones_answered() {
        // SAFETY: the test passes memory of its own, and addresses that fault.
        check(|from, to, len| unsafe { copy(from, to, len) });
        let record = |from: *const u8, to: *mut u8, len: usize| {
            if !len.is_multiple_of(8) || len < RECORD_HEADER {
                // SAFETY: as above.
                return unsafe { copy(from, to, len) };
            }
            let mut index = 0;
            // SAFETY: as above.
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
        assert!(!store(check_store as fn(_) as *mut usize, 7), "what may only be read");
        assert!(store(&raw mut numbers[0], 7) && numbers[0] == 7);
    }

    #[test]
    fn a_number_is_written_or_answered() {
        // SAFETY: the test passes numbers of its own, and addresses that fault.
        check_store(|to, value| unsafe { store(to, value) });
    }

    #[test]
    fn a_vectored_handler_answers_the_same() {
        vectored::prepare();
        assert!(vectored::is_ready());
        // SAFETY: the test passes memory of its own, and addresses that fault.
        check(|from, to, len| unsafe { vectored::copy(to, from, len) });
        // SAFETY: as above.
        check_store(|to, value| unsafe { vectored::store(to, value) });
        // The handler leaves the faults of others to them.
        // SAFETY: as above.
        check(|from, to, len| unsafe { copy(from, to, len) });
    }

    #[test]
    fn a_call_that_faults_is_answered() {
        unsafe extern "C" fn read_there(from: *mut c_void) {
            let mut byte = [0u8; 1];
            // SAFETY: none for an address that faults; `call` answers that, which is what the test is about.
            unsafe { std::ptr::copy_nonoverlapping(from.cast(), byte.as_mut_ptr(), std::hint::black_box(1)) };
            std::hint::black_box(byte);
        }
        prepare();
        let mut here = 7u8;
        // SAFETY: the function owns nothing, and its fault is the purpose.
        let call_it = |argument| unsafe { call(read_there, argument) };
        assert!(call_it((&raw mut here).cast()));
        assert!(!call_it(std::ptr::without_provenance_mut(16)));
        assert!(call_it((&raw mut here).cast()));
    }

    #[test]
    fn a_call_answers_and_a_fault_ends_only_the_call() {
        unsafe extern "system" fn add(a: usize, b: usize, c: usize, d: usize) -> isize {
            (a + b + c + d) as isize
        }
        unsafe extern "system" fn wild(a: usize, _: usize, _: usize, _: usize) -> isize {
            // SAFETY: none; the address faults, and `call_procedure` answers that, which is what
            // the test is about.
            unsafe { std::ptr::without_provenance::<isize>(a).read_volatile() }
        }
        prepare();
        for _ in 0..100 {
            let procedure = add as *const () as usize;
            // SAFETY: a function with the signature of a window procedure, which takes any arguments.
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

    /// Texts of every length at every distance from the end of a page, aligned and not, whole and truncated
    /// by memory that cannot be read.
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
