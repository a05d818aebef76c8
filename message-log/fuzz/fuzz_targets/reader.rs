//! Feeds arbitrary bytes to the reader of a log and checks what it promises.

#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::reader(bytes));
