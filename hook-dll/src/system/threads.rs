//! Threads of the process: ids, handles, and which of them have ended.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::process::current_process_id;
use std::os::windows::io::AsRawHandle;
use std::thread::JoinHandle;
use std::time::Duration;
use windows::Win32::Foundation::{CloseHandle, FILETIME, HANDLE, WAIT_OBJECT_0};
use windows::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows::Win32::System::Threading::{
    FlushProcessWriteBuffers, GetCurrentThreadId, GetThreadId, GetThreadTimes, OpenThread, QueueUserAPC,
    Sleep, THREAD_QUERY_LIMITED_INFORMATION, THREAD_SET_CONTEXT, THREAD_SYNCHRONIZE, WaitForSingleObject,
};
use windows::Win32::UI::WindowsAndMessaging::IsGUIThread;

pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: GetCurrentThreadId has no preconditions.
    unsafe { GetCurrentThreadId() }
}

/// Makes every processor that runs a thread of this process finish its writes. Callbacks
/// therefore need no fence.
pub(crate) fn flush_write_buffers() {
    // SAFETY: FlushProcessWriteBuffers has no preconditions.
    unsafe { FlushProcessWriteBuffers() }
}

/// Makes the calling thread a GUI thread, which can be hooked. Returns its id, or nothing if Windows refuses.
pub(crate) fn make_gui_thread() -> Option<u32> {
    // SAFETY: IsGUIThread has no preconditions and dispatches no message.
    unsafe { IsGUIThread(true) }.as_bool().then(current_thread_id)
}

/// Queues a function to a thread of this process that has not started yet, which calls it
/// before anything else.
pub(crate) fn run_first_on(thread: u32, function: unsafe extern "system" fn(usize)) -> bool {
    // SAFETY: OpenThread has no preconditions.
    let Ok(thread) = (unsafe { OpenThread(THREAD_SET_CONTEXT, false, thread) }) else { return false };
    // SAFETY: the handle is open, and the function lies in this module, which `pin_module` keeps loaded.
    let is_queued = unsafe { QueueUserAPC(Some(function), thread, 0) } != 0;
    // SAFETY: opened above and closed nowhere else.
    let _ = unsafe { CloseHandle(thread) };
    is_queued
}

/// Sleeps, with little use of the stack.
pub(crate) fn sleep_millis(millis: u32) {
    // SAFETY: Sleep has no preconditions.
    unsafe { Sleep(millis) }
}

/// Whether the calling thread is the only one left, so that the process runs for it alone.
pub(crate) fn is_last_thread() -> bool {
    // SAFETY: CreateToolhelp32Snapshot has no preconditions.
    let Ok(threads) = (unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) }) else { return false };
    let (process, own) = (current_process_id(), current_thread_id());
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
    // SAFETY: the handle is open, and the local structure states its size.
    let mut found = unsafe { Thread32First(threads, &raw mut entry) };
    let mut is_last = found.is_ok();
    while found.is_ok() && is_last {
        is_last = entry.th32OwnerProcessID != process || entry.th32ThreadID == own;
        // SAFETY: the snapshot is open, and the local structure states its size.
        found = unsafe { Thread32Next(threads, &raw mut entry) };
    }
    // SAFETY: opened above and closed nowhere else.
    let _ = unsafe { CloseHandle(threads) };
    is_last
}

/// A thread of this process, kept open to see when it ends.
pub(crate) struct ThreadHandle(HANDLE);

// SAFETY: Windows allows the use of a kernel handle from any thread of the process.
unsafe impl Send for ThreadHandle {}

impl ThreadHandle {
    pub(crate) fn open(id: u32) -> Option<Self> {
        // SAFETY: OpenThread has no preconditions.
        unsafe { OpenThread(THREAD_SYNCHRONIZE | THREAD_QUERY_LIMITED_INFORMATION, false, id) }.ok().map(Self)
    }

    /// What distinguishes the thread from a later one with the same id.
    pub(crate) fn identity(&self) -> ThreadIdentity {
        let mut times = [FILETIME::default(); 4];
        let [created, exited, kernel, user] = &mut times;
        // SAFETY: `self` keeps the handle open, and the call writes to the local times.
        let _ = unsafe { GetThreadTimes(self.0, created, exited, kernel, user) };
        // SAFETY: `self` keeps the handle open.
        let id = unsafe { GetThreadId(self.0) };
        ThreadIdentity { id, created: (times[0].dwHighDateTime, times[0].dwLowDateTime) }
    }

    pub(crate) fn has_ended(&self) -> bool {
        // SAFETY: `self` keeps the handle open.
        unsafe { WaitForSingleObject(self.0, 0) == WAIT_OBJECT_0 }
    }
}

impl Drop for ThreadHandle {
    fn drop(&mut self) {
        // SAFETY: opened by `open` and closed nowhere else.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// A thread by its id and creation time. Ids are used again, and an open handle would count among the host's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadIdentity {
    id: u32,
    created: (u32, u32),
}

impl ThreadIdentity {
    pub(crate) fn has_ended(self) -> bool {
        ThreadHandle::open(self.id).is_none_or(|thread| thread.has_ended() || thread.identity() != self)
    }
}

/// Whether a thread ends within a time.
pub(crate) fn has_ended(thread: &JoinHandle<()>, patience: Duration) -> bool {
    let millis = u32::try_from(patience.as_millis()).unwrap_or(u32::MAX);
    // SAFETY: `thread` keeps the handle open.
    unsafe { WaitForSingleObject(HANDLE(thread.as_raw_handle()), millis) == WAIT_OBJECT_0 }
}
