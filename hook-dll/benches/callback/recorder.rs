//! The recorder, as a host sees it, and how long its callbacks take.
#![expect(unsafe_code, reason = "loads a DLL and calls it, as a host does")]

use std::error::Error;
use std::ffi::c_void;
use std::hint::black_box;
use std::os::windows::ffi::OsStrExt;
use std::time::Instant;
use windows::Win32::Foundation::{HMODULE, HWND, LPARAM, WPARAM};
use windows::Win32::System::LibraryLoader::{GetProcAddress, LoadLibraryW};
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, MSG};
use windows::core::{PCSTR, PCWSTR, s};

pub(crate) type Failure = Box<dyn Error>;

/// Messages per round: as many as a ring holds.
pub(crate) const MESSAGES: usize = 2000;
const ROUNDS: usize = 41;
/// Frames that together cover a page of the stack.
const DEPTHS: usize = 20;

/// The DLL's functions.
#[derive(Clone, Copy)]
pub(crate) struct Recorder {
    empty: unsafe extern "system" fn(*const MSG),
    posted: unsafe extern "system" fn(*const MSG),
    sent: unsafe extern "system" fn(*const CWPSTRUCT),
    allocations: unsafe extern "system" fn() -> u64,
    allocate: unsafe extern "system" fn(),
    stop: unsafe extern "C" fn() -> i32,
    get_stats: unsafe extern "C" fn(*mut Stats) -> i32,
}

#[repr(C)]
#[derive(Default)]
pub(crate) struct Stats {
    size: u32,
    threads: u32,
    /// received, rejected, recorded, shed, dropped, bytes
    pub(crate) counts: [u64; 6],
}

/// `dashcam_config`, of which only the budget is set.
#[repr(C)]
#[derive(Default)]
struct Config {
    size: u32,
    retention_seconds: u32,
    max_bytes: u64,
    names: [usize; 3],
    kept: [u32; 2],
    kept_bytes: u64,
    all_mouse_moves: u32,
    extra_messages: usize,
    counts: [u32; 2],
    suppressed_messages: usize,
    masked_classes: usize,
    masked_counts: [u32; 2],
    masked_ids: usize,
    bytes_per_second: u32,
}

/// A function of the DLL.
///
/// # Safety
/// `T` is the type of the function.
unsafe fn symbol<T>(module: HMODULE, name: PCSTR) -> Result<T, Failure> {
    // SAFETY: GetProcAddress reads the name up to its final zero.
    let found = unsafe { GetProcAddress(module, name) };
    let found = found.ok_or("the DLL was built without the feature `bench`")?;
    // SAFETY: the caller promises the type.
    Ok(unsafe { std::mem::transmute_copy::<_, T>(&found) })
}

impl Recorder {
    pub(crate) fn start() -> Result<Self, Failure> {
        let path = std::env::var_os("DASHCAM_BENCH_DLL").ok_or("DASHCAM_BENCH_DLL names no DLL")?;
        let path: Vec<u16> = path.encode_wide().chain([0]).collect();
        // SAFETY: the text ends in a zero.
        let module = unsafe { LoadLibraryW(PCWSTR(path.as_ptr())) }?;
        // SAFETY: the signature of `dashcam.h`.
        let start: unsafe extern "C" fn(*const c_void) -> i32 =
            unsafe { symbol(module, s!("dashcam_start")) }?;
        let recorder = Self {
            // SAFETY: the signatures of `src/bench.rs`.
            empty: unsafe { symbol(module, s!("dashcam_bench_empty")) }?,
            // SAFETY: the signature in `src/bench.rs` or `dashcam.h`.
            posted: unsafe { symbol(module, s!("dashcam_bench_posted")) }?,
            // SAFETY: the signature in `src/bench.rs` or `dashcam.h`.
            sent: unsafe { symbol(module, s!("dashcam_bench_sent")) }?,
            // SAFETY: the signature in `src/bench.rs` or `dashcam.h`.
            allocations: unsafe { symbol(module, s!("dashcam_bench_allocations")) }?,
            // SAFETY: the signature in `src/bench.rs` or `dashcam.h`.
            allocate: unsafe { symbol(module, s!("dashcam_bench_allocate")) }?,
            // SAFETY: the signatures of `dashcam.h`.
            stop: unsafe { symbol(module, s!("dashcam_stop")) }?,
            // SAFETY: the signature in `src/bench.rs` or `dashcam.h`.
            get_stats: unsafe { symbol(module, s!("dashcam_get_stats")) }?,
        };
        // Beyond the budget nothing is recorded, and nothing would be measured.
        let config =
            Config { size: size_of::<Config>() as u32, bytes_per_second: u32::MAX, ..Config::default() };
        // SAFETY: the structure of `dashcam.h`.
        let status = unsafe { start((&raw const config).cast()) };
        if status == 0 { Ok(recorder) } else { Err(format!("dashcam_start answers {status}").into()) }
    }

    /// Stops the recorder; an error when not everything was recorded.
    pub(crate) fn end(self) -> Result<(), Failure> {
        let stats = self.drain();
        let [received, rejected, recorded, shed, dropped, _] = stats.counts;
        if received != rejected + recorded || shed + dropped != 0 {
            return Err(format!("not everything was recorded: {:?}", stats.counts).into());
        }
        // SAFETY: nothing else uses the recorder.
        unsafe { (self.stop)() };
        Ok(())
    }

    pub(crate) fn empty(&self, message: &MSG) {
        // SAFETY: the message is there.
        unsafe { (self.empty)(message) }
    }

    pub(crate) fn posted(&self, message: &MSG) {
        // SAFETY: as above.
        unsafe { (self.posted)(message) }
    }

    pub(crate) fn sent(&self, message: &CWPSTRUCT) {
        // SAFETY: as above.
        unsafe { (self.sent)(message) }
    }

    /// The number of allocations of the recorder on this thread.
    pub(crate) fn allocations(&self) -> u64 {
        // SAFETY: no preconditions.
        unsafe { (self.allocations)() }
    }

    /// Makes one allocation.
    pub(crate) fn allocate(&self) {
        // SAFETY: no preconditions.
        unsafe { (self.allocate)() }
    }

    /// Drains the rings.
    pub(crate) fn drain(&self) -> Stats {
        let mut stats = Stats { size: size_of::<Stats>() as u32, ..Stats::default() };
        // SAFETY: the structure is a local that states its size.
        unsafe { (self.get_stats)(&raw mut stats) };
        stats
    }

    /// Nanoseconds per call, which a quarter of the rounds stayed below: of a shared machine's rounds many
    /// are disturbed by others.
    pub(crate) fn measure<const N: usize>(&self, contestants: [&dyn Fn(); N]) -> [f64; N] {
        self.rounds(contestants, |contestant| {
            let start = Instant::now();
            for _ in 0..MESSAGES {
                contestant();
            }
            start.elapsed().as_nanos() as f64 / MESSAGES as f64
        })
    }

    /// Nanoseconds that all but one of a thousand calls stay below, of the same quarter of the rounds.
    pub(crate) fn tails<const N: usize>(&self, contestants: [&dyn Fn(); N]) -> [f64; N] {
        let mut ticks = vec![0; MESSAGES];
        self.rounds(contestants, |contestant| {
            let (start, first) = (Instant::now(), now());
            for tick in &mut ticks {
                let begin = now();
                contestant();
                *tick = now() - begin;
            }
            let nanos_per_tick = start.elapsed().as_nanos() as f64 / (now() - first) as f64;
            ticks.sort_unstable();
            ticks[MESSAGES - 1 - MESSAGES / 1000] as f64 * nanos_per_tick
        })
    }

    fn rounds<const N: usize>(
        &self,
        contestants: [&dyn Fn(); N],
        mut measure: impl FnMut(&dyn Fn()) -> f64,
    ) -> [f64; N] {
        let mut times = [const { Vec::new() }; N];
        for round in 0..ROUNDS {
            for (contestant, times) in contestants.iter().zip(&mut times) {
                self.drain();
                deeper(round % DEPTHS, &mut || times.push(measure(contestant)));
            }
        }
        times.map(|mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 4]
        })
    }
}

/// Works so far down the stack: each round somewhere else on the page. Where what is stored on the stack and
/// what is loaded from elsewhere happen to have the same place on their pages, a processor waits, which says
/// nothing about the code.
#[inline(never)]
fn deeper(depth: usize, work: &mut dyn FnMut()) {
    let frame = black_box([depth; 16]);
    if depth == 0 {
        work();
    } else {
        deeper(depth - 1, work);
    }
    black_box(&frame);
}

/// The time stamp counter.
fn now() -> u64 {
    // SAFETY: every x64 processor has the instruction.
    unsafe { std::arch::x86_64::_rdtsc() }
}

pub(crate) fn posted(window: HWND, message: u32, wparam: usize, lparam: isize) -> MSG {
    MSG { hwnd: window, message, wParam: WPARAM(wparam), lParam: LPARAM(lparam), ..Default::default() }
}

pub(crate) fn sent(window: HWND, message: u32, wparam: usize, lparam: isize) -> CWPSTRUCT {
    CWPSTRUCT { lParam: LPARAM(lparam), wParam: WPARAM(wparam), message, hwnd: window }
}
