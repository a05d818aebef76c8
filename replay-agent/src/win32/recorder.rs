//! The recorder, if it is loaded beside the agent.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::process::function;
use replay_link::Window;
use std::sync::atomic::{AtomicBool, Ordering};
use windows::core::{s, w};

/// Notes in the recorder's log that what follows on this thread is done for the user.
pub(crate) fn note_act(window: Window, act: &str) {
    type NoteAct = unsafe extern "C" fn(usize, *const u16) -> i32;
    // Asked once if the module is missing: Wine searches folders for it, which takes longer than most acts.
    static IS_MISSING: AtomicBool = AtomicBool::new(false);
    if IS_MISSING.load(Ordering::Relaxed) {
        return;
    }
    let Some(note) = function(w!("dashcam.dll"), s!("dashcam_act")) else {
        return IS_MISSING.store(true, Ordering::Relaxed);
    };
    // SAFETY: the recorder exports a function of this type under this name.
    let note: NoteAct = unsafe { std::mem::transmute(note) };
    let act: Vec<u16> = act.encode_utf16().chain([0]).collect();
    // SAFETY: the text ends in a zero and outlives the call.
    unsafe { note(window.0 as usize, act.as_ptr()) };
}
