//! An exception, as far as it is recorded.

use crate::system::guarded;
use crate::system::threads;
use windows::Win32::System::Diagnostics::Debug::{CONTEXT, EXCEPTION_POINTERS};

/// An exception, as far as it is recorded.
pub(crate) struct Crash {
    pub(crate) thread: u32,
    pub(crate) code: u32,
    pub(crate) address: usize,
    pub(crate) context: *const CONTEXT,
}

impl Crash {
    pub(crate) fn read(pointers: *const EXCEPTION_POINTERS) -> Option<Self> {
        let pointers = guarded::read(pointers)?;
        let record = guarded::read(pointers.ExceptionRecord.cast_const())?;
        Some(Self {
            thread: threads::current_thread_id(),
            code: record.ExceptionCode.0.cast_unsigned(),
            address: record.ExceptionAddress.addr(),
            context: pointers.ContextRecord,
        })
    }
}
