//! Requests and replies in a named piece of shared memory, with an event for each direction.
//!
//! One request is under way at a time. Each carries a number, and so does its reply: a reply that comes too
//! late is recognised and thrown away. Every wait of the replayer has a deadline; what the agent waits for
//! includes the end of the replayer.
#![expect(unsafe_code, reason = "the fenced module of shared memory")]

use crate::awake::Awake;
use crate::{Reply, Request};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use windows::Win32::Foundation::{CloseHandle, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
use windows::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_ALL_ACCESS, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile, OpenFileMappingW,
    PAGE_READWRITE, UnmapViewOfFile,
};
use windows::Win32::System::Threading::{
    CreateEventW, EVENT_ALL_ACCESS, GetCurrentProcessorNumber, GetCurrentThread, INFINITE, OpenEventW,
    OpenProcess, PROCESS_SYNCHRONIZE, SetEvent, SetThreadAffinityMask, WaitForMultipleObjects,
};
use windows::core::HSTRING;

const REQUEST_ROOM: usize = 4 << 20;
const REPLY_ROOM: usize = 16 << 20;
const HEAD: usize = 64;
/// Kinds of replies that are bytes; all others are JSON.
const WINDOWS: u32 = 1;
const PICTURE: u32 = 2;
const SIZE: usize = HEAD + REQUEST_ROOM + REPLY_ROOM;
/// Where the number of the last reply stands once all of it is there.
const READY: usize = 56;

/// A handle, closed when dropped.
#[derive(Debug)]
pub struct Handle(HANDLE);

// SAFETY: a handle may be used from any thread.
unsafe impl Send for Handle {}

impl Handle {
    /// A process, for waiting until it ends.
    pub fn process(pid: u32) -> Option<Self> {
        // SAFETY: no preconditions.
        unsafe { OpenProcess(PROCESS_SYNCHRONIZE, false, pid) }.ok().map(Self)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: ours, and closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// Something that can be waited for.
#[derive(Debug, Clone, Copy)]
pub struct Signal(HANDLE);

impl From<HANDLE> for Signal {
    fn from(handle: HANDLE) -> Self {
        Self(handle)
    }
}

impl From<&Handle> for Signal {
    fn from(handle: &Handle) -> Self {
        Self(handle.0)
    }
}

/// Keeps the calling thread on the processor it runs on.
pub(crate) fn stay_on_this_processor() {
    // SAFETY: no preconditions.
    let processor = unsafe { GetCurrentProcessorNumber() };
    // SAFETY: no preconditions.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: of the calling thread. Refused, nothing is lost but time.
    unsafe { SetThreadAffinityMask(thread, 1usize.checked_shl(processor).unwrap_or(0)) };
}

/// Which of several happened first; none after the deadline, if there is one.
pub fn wait_any(signals: &[Signal], patience: Option<Duration>) -> Option<usize> {
    let handles: Vec<HANDLE> = signals.iter().map(|signal| signal.0).collect();
    // Rounded up: a wait that ends early would be asked again and again.
    let millis = patience.map_or(INFINITE, |patience| {
        u32::try_from(patience.as_micros().div_ceil(1000)).unwrap_or(INFINITE - 1)
    });
    // SAFETY: the handles are open as long as their owners live, which the callers hold.
    let first = unsafe { WaitForMultipleObjects(&handles, false, millis) };
    let first = first.0.wrapping_sub(WAIT_OBJECT_0.0) as usize;
    (first < handles.len()).then_some(first)
}

/// Who uses the channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Makes it, asks.
    Replayer,
    /// Finds it, answers.
    Agent,
}

/// Shared memory and two events.
#[derive(Debug)]
pub struct Channel {
    view: MEMORY_MAPPED_VIEW_ADDRESS,
    _section: Handle,
    asked: Handle,
    answered: Handle,
    /// Of the replayer.
    awake: Option<Awake>,
}

// SAFETY: the memory is used by one side at a time, in turns that the events tell.
unsafe impl Send for Channel {}

impl Drop for Channel {
    fn drop(&mut self) {
        // SAFETY: mapped by us, and no reference into it is left.
        let _ = unsafe { UnmapViewOfFile(self.view) };
    }
}

impl Channel {
    /// The channel of this name.
    pub fn open(name: &str, side: Side) -> windows::core::Result<Self> {
        let named = |part: &str| HSTRING::from(format!("Local\\{name}-{part}"));
        let (section, asked, answered) = (named("memory"), named("asked"), named("answered"));
        let is_new = side == Side::Replayer;
        let event = |name: &HSTRING| {
            if is_new {
                // SAFETY: the name is a text that ends in a zero.
                unsafe { CreateEventW(None, false, false, name) }.map(Handle)
            } else {
                // SAFETY: as above.
                unsafe { OpenEventW(EVENT_ALL_ACCESS, false, name) }.map(Handle)
            }
        };
        let section = if is_new {
            // SAFETY: as above; memory of the page file.
            unsafe {
                CreateFileMappingW(INVALID_HANDLE_VALUE, None, PAGE_READWRITE, 0, SIZE as u32, &section)
            }
        } else {
            // SAFETY: as above.
            unsafe { OpenFileMappingW(FILE_MAP_ALL_ACCESS.0, false, &section) }
        };
        let section = Handle(section?);
        // SAFETY: the section is open and as large as asked for.
        let view = unsafe { MapViewOfFile(section.0, FILE_MAP_ALL_ACCESS, 0, 0, SIZE) };
        if view.Value.is_null() {
            return Err(windows::core::Error::from_thread());
        }
        let awake = if is_new { Awake::start() } else { None };
        Ok(Self { view, _section: section, asked: event(&asked)?, answered: event(&answered)?, awake })
    }

    /// What the agent waits for.
    pub fn asked(&self) -> Signal {
        Signal::from(&self.asked)
    }

    /// Puts a request into the memory and tells the agent; false if it is too large.
    pub fn ask(&self, number: u32, request: &Request) -> bool {
        let bytes = serde_json::to_vec(request).unwrap_or_default();
        if !self.write(0, HEAD, REQUEST_ROOM, number, 0, &bytes) {
            return false;
        }
        // SAFETY: the event is open.
        unsafe { SetEvent(self.asked.0) }.is_ok()
    }

    /// The request that is there, with its number.
    pub fn request(&self) -> Option<(u32, Request)> {
        let (number, _, bytes) = self.read(0, HEAD, REQUEST_ROOM);
        serde_json::from_slice(&bytes).ok().map(|request| (number, request))
    }

    /// Puts a reply into the memory and tells the replayer.
    pub fn answer(&self, number: u32, reply: &Reply) {
        let (kind, bytes) = match reply {
            Reply::Windows(bytes) => (WINDOWS, bytes.clone()),
            Reply::Picture(bytes) => (PICTURE, bytes.clone()),
            other => (0, serde_json::to_vec(other).unwrap_or_default()),
        };
        if !self.write(HEAD / 2, HEAD + REQUEST_ROOM, REPLY_ROOM, number, kind, &bytes) {
            let trouble = crate::Trouble::Unable("the answer is larger than sixteen megabytes".into());
            let bytes = serde_json::to_vec(&Reply::Trouble(trouble)).unwrap_or_default();
            self.write(HEAD / 2, HEAD + REQUEST_ROOM, REPLY_ROOM, number, 0, &bytes);
        }
        self.ready().store(number, Ordering::Release);
        // SAFETY: the event is open.
        let _ = unsafe { SetEvent(self.answered.0) };
    }

    /// Waits for the reply to a request; none if the deadline passes or `end` comes first.
    pub fn reply(&self, number: u32, end: Signal, patience: Duration) -> Option<Reply> {
        if let Some(awake) = &self.awake {
            awake.stay();
        }
        let start = Instant::now();
        let signals = [Signal::from(&self.answered), end];
        while self.ready().load(Ordering::Acquire) != number {
            let left = patience.saturating_sub(start.elapsed());
            if wait_any(&signals, Some(left)) != Some(0) {
                return None;
            }
        }
        let (_, kind, bytes) = self.read(HEAD / 2, HEAD + REQUEST_ROOM, REPLY_ROOM);
        match kind {
            WINDOWS => Some(Reply::Windows(bytes)),
            PICTURE => Some(Reply::Picture(bytes)),
            _ => serde_json::from_slice(&bytes).ok(),
        }
    }

    fn ready(&self) -> &AtomicU32 {
        // SAFETY: the head is mapped as long as `self`, the offset is aligned, and both sides use it as
        // this atomic alone.
        unsafe { AtomicU32::from_ptr(self.view.Value.cast::<u8>().wrapping_add(READY).cast()) }
    }

    /// Bytes into one half: number, kind and length in the head, then the bytes.
    fn write(&self, head: usize, at: usize, room: usize, number: u32, kind: u32, bytes: &[u8]) -> bool {
        if bytes.len() > room {
            return false;
        }
        let base = self.view.Value.cast::<u8>();
        let words = [number, kind, bytes.len() as u32];
        // SAFETY: the head lies in the view, and no one reads it before the event says so.
        unsafe { base.wrapping_add(head).cast::<[u32; 3]>().write_volatile(words) };
        let to = base.wrapping_add(at);
        // SAFETY: both as long as said; the memory is shared, so it never is the same as a vector of ours.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        true
    }

    fn read(&self, head: usize, at: usize, room: usize) -> (u32, u32, Vec<u8>) {
        let base = self.view.Value.cast::<u8>();
        // SAFETY: the head lies in the view.
        let [number, kind, len] = unsafe { base.wrapping_add(head).cast::<[u32; 3]>().read_volatile() };
        let len = (len as usize).min(room);
        let mut bytes = vec![0; len];
        let from = base.wrapping_add(at);
        // SAFETY: as long as said, checked above.
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(from, len) };
        (number, kind, bytes)
    }
}
