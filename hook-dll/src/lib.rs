//! `dashcam.dll`: the recorder. It sits inside the application and keeps the last of what its user did.
//!
//! | question | file |
//! |---|---|
//! | what can a host call? | `abi.rs`, `include/dashcam.h` |
//! | which messages are recorded? | `filter.rs` |
//! | what happens in a hook? | `callback.rs`, with `thread.rs`, `guarded.rs`, `ring.rs` |
//! | what is recorded of a message? | `facts.rs`, with `items.rs`, `notifications.rs`, `menus.rs`, `edits.rs`, `keys.rs`, `positions.rs`, `told.rs`, `classes.rs` |
//! | how is a control asked? | `controls.rs` |
//! | what is private? | `masks.rs`, `private.rs` |
//! | how much may be recorded? | `budget.rs` |
//! | what if we fail, or memory does? | `panics.rs`, `memory.rs`; made to happen by `fault.rs` |
//! | what does the recorder's own thread do? | `recorder.rs`, with `hooks.rs`, `keyframe.rs` |
//! | what is left of a crash? | `crash.rs`, `frames.rs` |
//! | how do records become files? | `drain.rs`, `merge.rs`, `births.rs`, `clock.rs`, `segments.rs` |
//! | what may be asked of Windows? | `win32.rs` |
//!
//! The callback never blocks, locks, allocates or touches a file; everything else happens on the recorder's own
//! thread. `DllMain` is Rust's own and does nothing: work begins with `dashcam_start` and ends with `dashcam_stop`.

pub mod filter;
// Pure, and tested everywhere; used by the recorder alone.
#[cfg(any(windows, test))]
mod births;
#[cfg(any(windows, test))]
mod budget;
#[cfg(windows)]
mod classes;
#[cfg(any(windows, test))]
mod clock;
#[cfg(any(windows, test))]
mod fault;
#[cfg(any(windows, test))]
mod merge;
#[cfg(any(windows, test))]
mod private;
#[cfg(any(windows, test))]
mod segments;
#[cfg(any(windows, test))]
mod told;

#[cfg(windows)]
mod abi;
#[cfg(all(windows, feature = "bench"))]
mod bench;
#[cfg(windows)]
mod callback;
#[cfg(windows)]
mod controls;
#[cfg(windows)]
mod crash;
#[cfg(windows)]
mod drain;
#[cfg(windows)]
mod edits;
#[cfg(windows)]
mod facts;
#[cfg(windows)]
mod frames;
#[cfg(windows)]
mod guarded;
#[cfg(windows)]
mod hooks;
#[cfg(windows)]
mod items;
#[cfg(windows)]
mod keyframe;
#[cfg(windows)]
mod keys;
#[cfg(windows)]
mod line;
#[cfg(windows)]
mod masks;
#[cfg(windows)]
mod memory;
#[cfg(windows)]
mod menus;
#[cfg(windows)]
mod notifications;
#[cfg(windows)]
mod panics;
#[cfg(windows)]
mod positions;
#[cfg(windows)]
mod recorder;
#[cfg(windows)]
mod ring;
#[cfg(all(windows, target_arch = "x86_64"))]
mod swallowed;
#[cfg(windows)]
mod thread;
#[cfg(windows)]
mod win32;
#[cfg(windows)]
mod windows_set;

#[cfg(windows)]
pub use abi::*;
#[cfg(all(windows, feature = "bench"))]
pub use bench::*;
