//! What runs on the threads of the host, inside a hook.
//!
//! Nothing here blocks, locks, allocates, touches a file or sends a message. The recorder thread reads the
//! state of hooked threads (`thread_state.rs`).

#[cfg(windows)]
pub(crate) mod ascii_text;
#[cfg(windows)]
pub(crate) mod class_cache;
#[cfg(windows)]
pub(crate) mod command_items;
#[cfg(windows)]
pub(crate) mod facts;
#[cfg(windows)]
pub(crate) mod focused_edit;
#[cfg(windows)]
pub(crate) mod hook_procedures;
#[cfg(windows)]
pub(crate) mod item_writer;
#[cfg(any(windows, test))]
pub(crate) mod last_reported;
#[cfg(windows)]
pub(crate) mod menus;
#[cfg(windows)]
pub(crate) mod modifiers;
#[cfg(windows)]
pub(crate) mod movement;
#[cfg(windows)]
pub(crate) mod notification_items;
#[cfg(windows)]
pub(crate) mod observed_message;
#[cfg(windows)]
pub(crate) mod record;
#[cfg(windows)]
pub(crate) mod relevance;
#[cfg(windows)]
pub(crate) mod ring_writer;
#[cfg(windows)]
pub(crate) mod text_callbacks;
#[cfg(windows)]
pub(crate) mod text_encoding;
#[cfg(windows)]
pub(crate) mod thread_state;
#[cfg(windows)]
pub(crate) mod workspace;
