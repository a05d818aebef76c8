//! The border to Windows: small safe functions, each around one call; copies that survive bad
//! pointers; the heap.
//!
//! Nothing here sends a message to a window.

#[cfg(any(windows, test))]
pub(crate) mod files;
#[cfg(windows)]
pub(crate) mod guarded;
#[cfg(windows)]
pub(crate) mod heap;
#[cfg(windows)]
pub(crate) mod hooks;
#[cfg(windows)]
pub(crate) mod input;
#[cfg(all(windows, feature = "bench"))]
pub(crate) mod measurement;
#[cfg(windows)]
pub(crate) mod menu;
#[cfg(windows)]
pub(crate) mod modules;
#[cfg(windows)]
pub(crate) mod private_folder;
#[cfg(windows)]
pub(crate) mod process;
#[cfg(windows)]
pub(crate) mod thread_block;
#[cfg(windows)]
pub(crate) mod threads;
#[cfg(windows)]
pub(crate) mod window;
