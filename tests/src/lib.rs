//! The harness that drives real programs on a real desktop.
//!
//! On Linux the desktop is a private X server with a private Wine prefix; on Windows it is the user's own.
//! The end-to-end tests use it through [`stage()`], the developer commands through [`Desktop`].

#[cfg(not(windows))]
pub mod browser;
pub mod desktop;
pub mod folders;
pub mod gallery;
pub mod input;
pub mod invoice;
pub mod load;
pub mod probe;
pub mod program;
pub mod protocol;
pub mod recording;
pub mod screenshot;
pub mod stage;
pub mod wait;
pub mod window;
#[cfg(not(windows))]
mod wine;

pub use desktop::Desktop;
pub use input::Input;
pub use load::Load;
pub use probe::Probe;
pub use program::Program;
pub use protocol::Window;
pub use recording::Recording;
pub use stage::{Stage, stage, stage_named};
pub use wait::wait_until;
pub use window::{WindowQuery, window};
