//! `dashcam-agent.dll`: the replayer's hands inside the application under replay. Only
//! `dashcam replay` loads it.
//!
//! | question | folder |
//! |---|---|
//! | how does the replayer reach the agent, and when is the application idle? | `worker/`, on the agent's own thread |
//! | what runs on the application's threads? | `gui_thread/` |
//! | which messages does an act send, and what does a control say of itself? | `act/`, pure |
//! | what may be asked of Windows? | `win32/` |
//!
//! `worker` and `gui_thread` use `act` and `win32`; those two use neither each other nor anything
//! else of the agent.
//!
//! Unlike the recorder, the agent runs code of the host: that is its purpose. Whatever it does to a
//! window it does on the window's own thread, inside an ordinary dispatch of that thread's message loop,
//! as input would be.

#[cfg(any(windows, test))]
mod act;
#[cfg(windows)]
mod gui_thread;
#[cfg(windows)]
mod win32;
#[cfg(any(windows, test))]
mod worker;
