//! Windows' names and numbers, and what a control is. Each is defined here, once.
//!
//! Pure: no dependencies, no standard library, no unsafe code. Every other crate of the workspace may depend
//! on this one, and this one depends on none.
//!
//! | question | file |
//! |---|---|
//! | what number has a message, and what is a message called? | `messages.rs`, `class_messages.rs` |
//! | what does a control report to its parent? | `notifications.rs` |
//! | what does a style bit mean? | `styles.rs` |
//! | commands, keys, items, menus, scroll bars, the mouse, exit codes, … | one file per kind |
//! | what control is a window of this class, and which toolkit made it? | `classes.rs`: one row per class; `toolkit.rs` |
//! | which control is a class that programs derived from one of these? | `lookup.rs` |
//! | what follows from being that control? | `control.rs`: one `match` per question |
//! | what does the spelling of a class name say? | `class_name.rs` |
//!
//! # The rule
//!
//! **No other crate defines a number that Windows defines.** A definition is a `const` whose value comes from
//! the Windows SDK, whatever its name, and also a bare number of that kind in an expression or pattern: `-101
//! | -455`, `0x0302`, `style & 0x20`. Three things are no definitions:
//!
//! - constants of the `windows` crate, where code calls Windows through that crate and needs its types;
//! - numbers of Dashcam's own (`WM_APP + 1` for a message of ours, limits, sizes of buffers);
//! - masks that take a word apart, such as `& 0xFFFF` for the low word of wParam.
//!
//! Numbers are `u32`, so that a style, a message and a key combine without casts; notification codes and
//! hit-test codes are `i32`, because Windows counts them below zero.
//!
//! `docs/adding-a-control.md` describes how to add a class, `docs/decisions/0009-one-vocabulary.md` why this
//! crate exists.
#![no_std]
#![forbid(unsafe_code)]

#[macro_use]
mod names;

pub mod class_messages;
pub mod class_name;
mod classes;
pub mod commands;
mod control;
pub mod exceptions;
pub mod files;
pub mod input;
pub mod items;
pub mod keys;
mod lookup;
pub mod menus;
pub mod messages;
pub mod mouse;
pub mod notifications;
pub mod scroll;
pub mod styles;
mod toolkit;
pub mod windows;

pub use class_name::ClassName;
pub use classes::{CLASSES, Class};
pub use control::Control;
pub use toolkit::Toolkit;
