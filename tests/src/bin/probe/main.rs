//! Answers the harness's requests on standard input: one JSON object per line.
//!
//! It is a Windows program, so that under Wine it sees what other Windows programs see. It exits
//! when its input ends.

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
