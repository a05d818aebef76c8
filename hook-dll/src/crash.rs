//! The note of a crash: written into the ring of the thread that crashed, so that it needs no other thread to survive.

use crate::callback;
use crate::win32;
use message_log::{Key, RecordKind};

/// Notes an exception; false when this thread is not recorded.
pub(crate) fn note(code: u32, address: u64) -> bool {
    let (module, offset) = win32::module_at(address);
    callback::note(RecordKind::Crash, |payload| {
        payload.number(Key::CrashCode, u64::from(code));
        payload.number(Key::CrashAddress, address);
        if let Some(name) = module.as_slice() {
            payload.wide(Key::CrashModule, name);
            payload.number(Key::CrashOffset, offset);
        }
    })
}
