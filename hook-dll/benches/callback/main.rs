//! What a message costs the application: the body of the callback, compared with an empty one and with
//! the paper's way.
//!
//! Loads the DLL that DASHCAM_BENCH_DLL names, built with the feature `bench`, starts it, and calls the
//! bodies of its hooks on this program's own windows. Prints one JSON object per row for `cargo xtask bench`.
//! Rounds of all contestants are interleaved and the lower quartile counts, since the machine is shared.

#[cfg(not(all(windows, target_arch = "x86_64")))]
fn main() {
    eprintln!(
        "the callback runs on 64-bit Windows or under Wine only: `cargo xtask bench` takes care of that"
    );
}

#[cfg(all(windows, target_arch = "x86_64"))]
mod common;
#[cfg(all(windows, target_arch = "x86_64"))]
mod nothing;
#[cfg(all(windows, target_arch = "x86_64"))]
mod rare;
#[cfg(all(windows, target_arch = "x86_64"))]
mod recorder;
#[cfg(all(windows, target_arch = "x86_64"))]
mod row;
#[cfg(all(windows, target_arch = "x86_64"))]
mod scene;
#[cfg(all(windows, target_arch = "x86_64"))]
mod steps;
#[cfg(all(windows, target_arch = "x86_64"))]
mod threads;

#[cfg(all(windows, target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let windows = scene::Windows::open()?;
    let recorder = recorder::Recorder::start()?;
    common::rows(&recorder, &windows)?;
    nothing::rows(&recorder, &windows)?;
    rare::rows(&recorder, &windows)?;
    threads::rows(&recorder)?;
    recorder.end()
}
