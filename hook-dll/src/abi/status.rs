//! What the functions return, with a sentence for each status.

/// An ASCII text as UTF-16 with a final zero, made at compile time.
macro_rules! wide {
    ($text:literal) => {{
        const WIDE: [u16; $text.len() + 1] = {
            let mut wide = [0; $text.len() + 1];
            let mut i = 0;
            while i < $text.len() {
                wide[i] = $text.as_bytes()[i] as u16;
                i += 1;
            }
            wide
        };
        &WIDE
    }};
}

/// What the functions return; `dashcam.h` explains each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// This process is being recorded already; stop that first.
    AlreadyStarted = 1,
    /// Nothing is being recorded; start first.
    NotStarted = 2,
    /// A pointer is invalid, a size is wrong or a number is out of range.
    BadArgument = 3,
    /// The folder cannot be created or written to.
    Folder = 4,
    /// The file to be written exists already.
    Exists = 5,
    /// The file cannot be written.
    Write = 6,
    /// The buffer is too small for the answer.
    TooSmall = 7,
    /// Windows refused a call that should succeed.
    Failed = 8,
}

/// The sentence of each status.
pub(super) const SENTENCES: [&[u16]; 9] = [
    wide!("Done."),
    wide!("This process is being recorded already; stop that first."),
    wide!("Nothing is being recorded; start first."),
    wide!("A pointer is invalid, a size is wrong or a number is out of range."),
    wide!("The folder cannot be created or written to."),
    wide!("The file to be written exists already."),
    wide!("The file cannot be written."),
    wide!("The buffer is too small for the answer."),
    wide!("Windows refused a call that should succeed; nothing is being recorded."),
];

pub(super) use wide;
