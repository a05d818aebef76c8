//! In which order windows are created. Their Z order says little: Lazarus and tabbed dialogs put each new
//! window on top of the others.

use crate::win32::hooks::{CreationHook, OnCreation};
use replay_link::Window;
use std::sync::{Mutex, PoisonError};

/// More are not remembered between two snapshots.
const MAX_CREATED: usize = 10_000;

static CREATED: Mutex<Vec<Window>> = Mutex::new(Vec::new());

/// Notes created windows until the hook is dropped, on the thread that called this.
pub(crate) fn watch() -> Option<CreationHook> {
    CreationHook::set::<Created>()
}

struct Created;

impl OnCreation for Created {
    fn on_creation(window: Window) {
        let mut created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
        if created.len() < MAX_CREATED {
            created.push(window);
        }
    }
}

/// The windows created since the last call, oldest first.
pub(crate) fn take() -> Vec<Window> {
    std::mem::take(&mut CREATED.lock().unwrap_or_else(PoisonError::into_inner))
}
