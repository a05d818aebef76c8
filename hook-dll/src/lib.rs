//! `dashcam.dll`: the recorder. It sits inside the application and continuously records the user's
//! most recent actions.
//!
//! The folders show which thread runs what. A folder uses those below it in this table and none above.
//!
//! | folder or file | what it holds | where it runs |
//! |---|---|---|
//! | `abi/` | the functions of `include/dashcam.h` | on whichever host thread calls them |
//! | `recorder/` | start and stop, hooks, rings to XML, window ids, keyframes, segments | on the recorder thread |
//! | `crash/` | the record of a crash, the exception filter, the walk up the stack | on the thread that crashed |
//! | `callback/` | the hook procedures, the facts of a message, the state of a hooked thread | on host threads, inside a hook |
//! | `shared/` | the table of messages, rules, privacy, budget, controls, the ring | on all of them |
//! | `system/` | calls to Windows, fault-guarded copies, the recorder's heap | on all of them |
//!
//! | question | file |
//! |---|---|
//! | what can a host call? | `abi/mod.rs`, `include/dashcam.h` |
//! | which messages are recorded? | `shared/filter.rs`, then `callback/relevance.rs` |
//! | what happens in a hook? | `callback/hook_procedures.rs`, `callback/record.rs`, `callback/ring_writer.rs` |
//! | what is recorded of a message? | `callback/facts.rs` and the files it uses |
//! | how is a control queried? | `shared/controls.rs` |
//! | what is private? | `shared/privacy.rs` |
//! | how much may be recorded? | `shared/budget.rs` |
//! | what does the recorder thread do? | `recorder/worker.rs`, `recorder/drain.rs` |
//! | what does a crash leave? | `crash/crash_record.rs` |
//! | what if the recorder itself fails, or memory runs out? | `shared/panics.rs`, `system/heap.rs`; tests provoke it with `shared/fault.rs` |
//! | which functions of Windows are called? | `system/` |
//!
//! The callback never blocks, locks, allocates or touches a file; everything else happens on the
//! recorder thread. `DllMain` is Rust's own and does nothing: work begins with `dashcam_start` and ends
//! with `dashcam_stop`.

#[cfg(windows)]
mod abi;
#[cfg(all(windows, feature = "bench"))]
mod bench;
#[cfg(any(windows, test))]
mod callback;
#[cfg(windows)]
mod crash;
#[cfg(any(windows, test))]
mod recorder;
pub mod shared;
#[cfg(any(windows, test))]
mod system;

#[cfg(windows)]
pub use abi::*;
#[cfg(all(windows, feature = "bench"))]
pub use bench::*;
