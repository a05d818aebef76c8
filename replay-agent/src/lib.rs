//! `dashcam-agent.dll`: the replayer's hands inside the application under replay. Only
//! `dashcam replay` loads it.
//!
//! | question | file |
//! |---|---|
//! | how does the replayer reach it? | `worker.rs`, with the crate `replay-link` |
//! | how does something run on a GUI thread, and when is that idle? | `threads.rs`, with `effort.rs` |
//! | what does an act come down to? | `acts.rs`, with `values.rs`, `dates.rs` and `keys.rs` |
//! | what does it to parts without a window, to an open menu, with the real pointer? | `parts.rs`, `menus.rs`, `pointer.rs` with `hand.rs` |
//! | how is an item of the menu bar chosen? | `menu_bar.rs` |
//! | which item is meant? | `items.rs` |
//! | what does a control say of itself? | `facts.rs` |
//! | what kind of control is it? | `controls.rs` |
//! | which commands does a window get? | `watch.rs` |
//! | in which order are windows born? | `births.rs` |
//! | what does a window look like? | `pictures.rs` |
//! | what may be asked of Windows? | `win32.rs` |
//!
//! Unlike the recorder, the agent runs code of the host: that is what it is for. Whatever it does to a
//! window it does on the window's own thread, inside an ordinary dispatch of that thread's message loop,
//! as input would be.

#[cfg(windows)]
mod acts;
#[cfg(windows)]
mod births;
#[cfg(any(windows, test))]
mod controls;
// Pure, and tested everywhere.
#[cfg(any(windows, test))]
mod dates;
#[cfg(any(windows, test))]
mod effort;
#[cfg(windows)]
mod facts;
#[cfg(windows)]
mod hand;
#[cfg(windows)]
mod items;
#[cfg(windows)]
mod keys;
#[cfg(windows)]
mod menu_bar;
#[cfg(windows)]
mod menus;
#[cfg(windows)]
mod parts;
#[cfg(windows)]
mod pictures;
#[cfg(windows)]
mod pointer;
#[cfg(windows)]
mod threads;
#[cfg(windows)]
mod values;
#[cfg(windows)]
mod watch;
#[cfg(windows)]
mod win32;
#[cfg(windows)]
pub mod worker;
