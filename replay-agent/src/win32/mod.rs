//! The border to Windows: small safe functions around the foreign calls. Nothing here uses another
//! module of the agent.

pub(crate) mod controls;
pub(crate) mod files;
pub(crate) mod hooks;
pub(crate) mod keyboard;
pub(crate) mod menus;
pub(crate) mod messages;
pub(crate) mod own_window;
pub(crate) mod pictures;
pub(crate) mod pointer;
pub(crate) mod process;
pub(crate) mod recorder;
pub(crate) mod scroll_bars;
pub(crate) mod subclass;
pub(crate) mod windows;
