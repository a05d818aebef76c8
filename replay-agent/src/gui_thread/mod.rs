//! What runs on the GUI threads of the application: inside the agent's hook, in the procedure of the agent's
//! own window, or in front of a window's own procedure.

pub(crate) mod creation;
pub(crate) mod dispatch;
pub(crate) mod jobs;
pub(crate) mod keyboard;
pub(crate) mod live;
pub(crate) mod notices;
pub(crate) mod own_windows;
pub(crate) mod pointer_input;
mod structures;
