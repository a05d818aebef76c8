//! Walks up the stack of a crash to the first frame in a module of the application: the program, or a module
//! that is neither in the Windows folder nor this DLL. A replay compares crashes by that frame.
//!
//! A crashed stack may contain anything, so every step is guarded. Uses no heap and holds no lock
//! of the recorder.
#![cfg_attr(any(target_arch = "x86_64", test), expect(unsafe_code, reason = "has Windows unwind frames"))]

use crate::system::guarded;
use crate::system::modules::{self, ModuleName};
use windows::Win32::System::Diagnostics::Debug::CONTEXT;
#[cfg(target_arch = "x86_64")]
use windows::Win32::System::{Diagnostics::Debug::IMAGE_RUNTIME_FUNCTION_ENTRY, Kernel::EXCEPTION_ROUTINE};

pub(crate) const MAX_FRAMES: usize = 256;

/// A place in a module.
pub(crate) struct Frame {
    pub(crate) module: ModuleName,
    pub(crate) offset: u64,
}

/// The innermost frame in a module of the application, if there is one.
pub(crate) fn first_own(context: *const CONTEXT) -> Option<Frame> {
    let mut walk = StackWalk::of(guarded::read(context)?);
    for _ in 0..MAX_FRAMES {
        let (module, offset) = modules::module_at(walk.counter());
        if module.is_applications() {
            return Some(Frame { module, offset });
        }
        walk.up()?;
    }
    None
}

/// The build of the module of a frame, as symbol servers identify it: time stamp and size.
pub(crate) fn build(frame: &Frame) -> Option<u64> {
    let base = frame.module.base();
    let (stamp, size) = (modules::image_time_stamp(base)?, modules::image_size(base)?);
    Some(u64::from(stamp) << 32 | u64::from(size))
}

/// A walk up the stack, with the registers of the current frame.
pub(crate) struct StackWalk {
    pub(crate) context: CONTEXT,
    is_first: bool,
    #[cfg(target_arch = "x86_64")]
    pub(crate) left: UnwoundFrame,
}

/// The frame that was unwound last, as exception handlers get it (DISPATCHER_CONTEXT of winnt.h).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct UnwoundFrame {
    pub(crate) counter: u64,
    pub(crate) base: u64,
    pub(crate) entry: *const IMAGE_RUNTIME_FUNCTION_ENTRY,
    pub(crate) frame: u64,
    pub(crate) target: u64,
    pub(crate) context: *mut CONTEXT,
    pub(crate) handler: EXCEPTION_ROUTINE,
    pub(crate) data: *mut std::ffi::c_void,
    pub(crate) history: *const std::ffi::c_void,
    pub(crate) scope: u32,
}

#[cfg(target_arch = "x86_64")]
impl UnwoundFrame {
    const NOTHING: Self = Self {
        counter: 0,
        base: 0,
        entry: std::ptr::null(),
        frame: 0,
        target: 0,
        context: std::ptr::null_mut(),
        handler: None,
        data: std::ptr::null_mut(),
        history: std::ptr::null(),
        scope: 0,
    };

    /// The address of its function; 0 if unknown.
    pub(crate) fn function(&self) -> u64 {
        let entry = guarded::read(self.entry);
        entry.map_or(0, |entry| self.base + u64::from(entry.BeginAddress))
    }
}

impl StackWalk {
    pub(crate) fn of(context: CONTEXT) -> Self {
        Self {
            context,
            is_first: true,
            #[cfg(target_arch = "x86_64")]
            left: UnwoundFrame::NOTHING,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl StackWalk {
    fn counter(&self) -> u64 {
        self.context.Rip
    }

    /// Goes to the caller.
    pub(crate) fn up(&mut self) -> Option<()> {
        let stack = self.context.Rsp;
        self.is_first = false;
        // SAFETY: `unwind` takes a `StackWalk`; it owns nothing, and a fault in it leaves plain
        // registers behind.
        if !unsafe { guarded::call(unwind, (&raw mut *self).cast()) } {
            return None;
        }
        (self.context.Rip != 0 && self.context.Rsp > stack).then_some(())
    }
}

/// Unwinds one frame. Reads where the registers point, so it is called by `guarded::call`.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn unwind(walk: *mut std::ffi::c_void) {
    use windows::Win32::System::Diagnostics::Debug::{
        RtlLookupFunctionEntry, RtlVirtualUnwind, UNW_FLAG_EHANDLER,
    };
    // SAFETY: `up` alone calls this, with a pointer to itself.
    let StackWalk { context, left, .. } = unsafe { &mut *walk.cast::<StackWalk>() };
    *left = UnwoundFrame::NOTHING;
    let (mut base, mut data, mut frame) = (0, std::ptr::null_mut(), 0);
    // SAFETY: RtlLookupFunctionEntry accepts any address.
    let entry = unsafe { RtlLookupFunctionEntry(context.Rip, &raw mut base, None) };
    if entry.is_null() {
        // A leaf function, or a jump to nowhere: the return address lies on top of the stack.
        let top = std::ptr::with_exposed_provenance::<u64>(context.Rsp as usize);
        context.Rip = guarded::read(top).unwrap_or_default();
        context.Rsp = context.Rsp.wrapping_add(8);
        return;
    }
    let counter = context.Rip;
    // SAFETY: RtlLookupFunctionEntry returned the entry for this address; `guarded::call` answers a fault on
    // a corrupt stack.
    let handler = unsafe {
        RtlVirtualUnwind(
            UNW_FLAG_EHANDLER,
            base,
            counter,
            entry,
            context,
            &raw mut data,
            &raw mut frame,
            None,
        )
    };
    *left = UnwoundFrame { counter, base, entry, frame, handler, data, ..UnwoundFrame::NOTHING };
}

#[cfg(target_arch = "x86")]
impl StackWalk {
    fn counter(&self) -> u64 {
        u64::from(self.context.Eip)
    }

    /// To the caller, by frame pointers; from a jump to nowhere, by the return address on the stack.
    fn up(&mut self) -> Option<()> {
        let at = |address: u32| guarded::read(std::ptr::with_exposed_provenance::<u32>(address as usize));
        let is_first = std::mem::replace(&mut self.is_first, false);
        if is_first && !modules::module_at(self.counter()).0.is_known() {
            self.context.Eip = at(self.context.Esp)?;
            return Some(());
        }
        let frame = self.context.Ebp;
        self.context.Eip = at(frame.wrapping_add(4))?;
        self.context.Ebp = at(frame)?;
        (self.context.Eip != 0 && self.context.Ebp > frame).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windows::Win32::System::Diagnostics::Debug::RtlCaptureContext;

    fn here() -> CONTEXT {
        let mut context = CONTEXT::default();
        // SAFETY: RtlCaptureContext writes to the local structure.
        unsafe { RtlCaptureContext(&raw mut context) };
        context
    }

    /// In a test this module is the program.
    #[test]
    fn the_program_is_found_from_anywhere() {
        let context = here();
        let own =
            |context: &CONTEXT| first_own(context).map(|frame| String::from_utf16_lossy(frame.module.name()));
        assert!(own(&context).is_some_and(|name| name.ends_with(".exe")), "{:?}", own(&context));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_stack_of_nonsense_is_survived() {
        // Above user space, unmapped, unaligned, the end of the address space.
        for stack in [0u64, 16, 0xdead_beef, 0x8000_0000_0000_0000, u64::MAX - 4] {
            let mut context = here();
            context.Rip = 16;
            context.Rsp = stack;
            assert!(first_own(&raw const context).is_none(), "{stack:#x}");
        }
        assert!(first_own(std::ptr::null()).is_none());
    }
}
