//! Requests and replies in named shared memory, with an event for each direction.
//!
//! One request is under way at a time. Each carries a number, and so does its reply, so that a late reply
//! is recognised and dropped. Every wait of the replayer has a deadline; the agent also waits for the end
//! of the replayer.
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
    CreateEventW, EVENT_ALL_ACCESS, INFINITE, OpenEventW, OpenProcess, PROCESS_SYNCHRONIZE, SetEvent,
    WaitForMultipleObjects,
};
use windows::core::HSTRING;

const MAX_REQUEST: usize = 4 << 20;
const MAX_REPLY: usize = 16 << 20;
const HEADER: usize = 64;
/// Kinds of replies that consist of bytes; all others are JSON.
const WINDOWS: u32 = 1;
const PICTURE: u32 = 2;
const SIZE: usize = HEADER + MAX_REQUEST + MAX_REPLY;
/// Offset of the number of the last complete reply.
const READY: usize = 56;

/// A handle, closed when dropped.
#[derive(Debug)]
pub struct Handle(HANDLE);

// SAFETY: Windows allows any thread of the process to use a kernel handle.
unsafe impl Send for Handle {}

impl Handle {
    /// A process, for waiting until it ends.
    pub fn process(pid: u32) -> Option<Self> {
        // SAFETY: OpenProcess refuses an id that belongs to no process.
        unsafe { OpenProcess(PROCESS_SYNCHRONIZE, false, pid) }.ok().map(Self)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: this is the only owner of the handle, which is closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// A handle that can be waited for, borrowed from its owner.
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

/// The index of the first signal that is set; none after the deadline, if there is one.
pub fn wait_any(signals: &[Signal], patience: Option<Duration>) -> Option<usize> {
    let handles: Vec<HANDLE> = signals.iter().map(|signal| signal.0).collect();
    // Rounded up: a wait that ends early would be repeated again and again.
    let millis = patience.map_or(INFINITE, |patience| {
        u32::try_from(patience.as_micros().div_ceil(1000)).unwrap_or(INFINITE - 1)
    });
    // SAFETY: the callers hold the owners of the handles, which keep them open.
    let first = unsafe { WaitForMultipleObjects(&handles, false, millis) };
    let first = first.0.wrapping_sub(WAIT_OBJECT_0.0) as usize;
    (first < handles.len()).then_some(first)
}

/// Who uses the channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Creates the channel and asks.
    Replayer,
    /// Opens the channel and answers.
    Agent,
}

/// Shared memory and two events.
#[derive(Debug)]
pub struct Channel {
    view: MEMORY_MAPPED_VIEW_ADDRESS,
    _section: Handle,
    asked: Handle,
    answered: Handle,
    /// Only on the replayer's side.
    awake: Option<Awake>,
}

// SAFETY: the two sides use the memory in turns, which the events announce.
unsafe impl Send for Channel {}

impl Drop for Channel {
    fn drop(&mut self) {
        // SAFETY: `open` mapped the view, and no reference into it outlives the channel.
        let _ = unsafe { UnmapViewOfFile(self.view) };
    }
}

impl Channel {
    /// Creates or opens the channel of this name.
    pub fn open(name: &str, side: Side) -> windows::core::Result<Self> {
        let named = |part: &str| HSTRING::from(format!("Local\\{name}-{part}"));
        let (section, asked, answered) = (named("memory"), named("asked"), named("answered"));
        let is_new = side == Side::Replayer;
        let event = |name: &HSTRING| {
            if is_new {
                // SAFETY: an HSTRING ends in a zero.
                unsafe { CreateEventW(None, false, false, name) }.map(Handle)
            } else {
                // SAFETY: as above.
                unsafe { OpenEventW(EVENT_ALL_ACCESS, false, name) }.map(Handle)
            }
        };
        let section = if is_new {
            // SAFETY: an HSTRING ends in a zero; the invalid handle stands for the page file.
            unsafe {
                CreateFileMappingW(INVALID_HANDLE_VALUE, None, PAGE_READWRITE, 0, SIZE as u32, &section)
            }
        } else {
            // SAFETY: as above.
            unsafe { OpenFileMappingW(FILE_MAP_ALL_ACCESS.0, false, &section) }
        };
        let section = Handle(section?);
        // SAFETY: the section is open and has at least the requested size.
        let view = unsafe { MapViewOfFile(section.0, FILE_MAP_ALL_ACCESS, 0, 0, SIZE) };
        if view.Value.is_null() {
            return Err(windows::core::Error::from_thread());
        }
        let awake = if is_new { Awake::start() } else { None };
        Ok(Self { view, _section: section, asked: event(&asked)?, answered: event(&answered)?, awake })
    }

    /// Set when there is a request.
    pub fn asked(&self) -> Signal {
        Signal::from(&self.asked)
    }

    /// Writes a request into the memory and signals the agent; false if it is too large.
    pub fn ask(&self, number: u32, request: &Request) -> bool {
        let bytes = serde_json::to_vec(request).unwrap_or_default();
        if !self.write(0, HEADER, MAX_REQUEST, number, 0, &bytes) {
            return false;
        }
        // SAFETY: the channel keeps the event open.
        unsafe { SetEvent(self.asked.0) }.is_ok()
    }

    /// The current request with its number.
    pub fn request(&self) -> Option<(u32, Request)> {
        let (number, _, bytes) = self.read(0, HEADER, MAX_REQUEST);
        serde_json::from_slice(&bytes).ok().map(|request| (number, request))
    }

    /// Writes a reply into the memory and signals the replayer.
    pub fn answer(&self, number: u32, reply: &Reply) {
        let (kind, bytes) = match reply {
            Reply::Windows(bytes) => (WINDOWS, bytes.clone()),
            Reply::Picture(bytes) => (PICTURE, bytes.clone()),
            other => (0, serde_json::to_vec(other).unwrap_or_default()),
        };
        if !self.write(HEADER / 2, HEADER + MAX_REQUEST, MAX_REPLY, number, kind, &bytes) {
            let trouble = crate::Trouble::Unable("the answer is larger than 16 MB".into());
            let bytes = serde_json::to_vec(&Reply::Trouble(trouble)).unwrap_or_default();
            self.write(HEADER / 2, HEADER + MAX_REQUEST, MAX_REPLY, number, 0, &bytes);
        }
        self.ready().store(number, Ordering::Release);
        // SAFETY: the channel keeps the event open.
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
        let (_, kind, bytes) = self.read(HEADER / 2, HEADER + MAX_REQUEST, MAX_REPLY);
        match kind {
            WINDOWS => Some(Reply::Windows(bytes)),
            PICTURE => Some(Reply::Picture(bytes)),
            _ => serde_json::from_slice(&bytes).ok(),
        }
    }

    fn ready(&self) -> &AtomicU32 {
        // SAFETY: the header stays mapped as long as `self`, the offset is aligned, and both sides access
        // these bytes only as this atomic.
        unsafe { AtomicU32::from_ptr(self.view.Value.cast::<u8>().wrapping_add(READY).cast()) }
    }

    /// Writes one half: number, kind and length into the header, then the bytes.
    fn write(&self, header: usize, at: usize, max: usize, number: u32, kind: u32, bytes: &[u8]) -> bool {
        if bytes.len() > max {
            return false;
        }
        let base = self.view.Value.cast::<u8>();
        let words = [number, kind, bytes.len() as u32];
        // SAFETY: the header lies in the view, and the other side does not read it before the event is set.
        unsafe { base.wrapping_add(header).cast::<[u32; 3]>().write_volatile(words) };
        let to = base.wrapping_add(at);
        // SAFETY: both ranges have this length, checked above; the view does not overlap memory
        // of the allocator.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        true
    }

    fn read(&self, header: usize, at: usize, max: usize) -> (u32, u32, Vec<u8>) {
        let base = self.view.Value.cast::<u8>();
        // SAFETY: the header lies in the view.
        let [number, kind, len] = unsafe { base.wrapping_add(header).cast::<[u32; 3]>().read_volatile() };
        let len = (len as usize).min(max);
        let mut bytes = vec![0; len];
        let from = base.wrapping_add(at);
        // SAFETY: both ranges have this length, which the line above limits to the half's size.
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(from, len) };
        (number, kind, bytes)
    }
}
