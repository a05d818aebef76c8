//! The harness's eyes and hands on the desktop: answers requests on standard input, one JSON object per line.
//!
//! A Windows program, so that under Wine it sees what other Windows programs see. It ends when its input
//! ends.

#[cfg(windows)]
mod answer;
#[cfg(windows)]
mod keys;
#[cfg(windows)]
mod programs;
#[cfg(windows)]
mod win32;

#[cfg(windows)]
fn main() -> std::io::Result<()> {
    answer::until_end_of_input()
}

#[cfg(not(windows))]
fn main() {
    println!("The probe looks at a Windows desktop: build it for Windows.");
}
