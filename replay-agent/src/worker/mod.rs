//! What runs on the agent's own thread: it serves the replayer's requests, has GUI threads do the work,
//! and waits for them.

mod effort;
#[cfg(windows)]
mod open_menu;
#[cfg(windows)]
mod pointer;
#[cfg(windows)]
mod serve;
#[cfg(windows)]
mod threads;
