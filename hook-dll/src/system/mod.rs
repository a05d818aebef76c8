//! The border to Windows: the only folder whose files call it for the rest, the copies that survive bad
//! pointers, and the heap.

#[cfg(any(windows, test))]
pub(crate) mod files;
#[cfg(windows)]
pub(crate) mod guarded;
#[cfg(windows)]
pub(crate) mod heap;
#[cfg(all(windows, feature = "bench"))]
pub(crate) mod measurement;
#[cfg(windows)]
pub(crate) mod win32;
