//! The state of a hooked thread, and how the callback finds it.
//!
//! A state lives as long as the process, because a callback may be running when recording ends. It is used
//! again for the same thread, or for any other once its own has ended. Its memory (`ThreadMemory`) is freed
//! when no callback uses it.
//!
//! Who may use the memory:
//! - The ring is shared by the thread that writes and the recorder thread that reads; all of its
//!   methods take `&self`.
//! - The workspace belongs to whoever has set `busy`. Usually that is the thread's own callback
//!   ([`OwnState`]). The other is the handler of a crash (`with_memory_of_crash`), which runs while no
//!   callback of the thread can.
//! - The recorder thread alone frees it: after `switch_off`, which returns an [`Idle`] once `busy` is clear
//!   and cannot be set again.
//!
//! The callback finds its state through a TLS slot, and the first time through a table; neither
//! locks nor allocates.
#![expect(
    unsafe_code,
    reason = "states are shared by pointer between a thread's callback and the recorder thread"
)]

use crate::callback::workspace::Workspace;
use crate::shared::ring::Ring;
use crate::system::thread_block;
use crate::system::threads::{self, ThreadHandle, ThreadIdentity};
use parking_lot::Mutex;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence};

const MAX_THREADS: usize = 1024;

static TABLE: [AtomicPtr<ThreadState>; MAX_THREADS] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; MAX_THREADS];
static SLOT: AtomicU32 = AtomicU32::new(u32::MAX);

/// States without a thread, each with the thread it last belonged to. Only the recorder thread uses it.
static POOL: Mutex<Vec<(&'static ThreadState, Option<ThreadIdentity>)>> = Mutex::new(Vec::new());

/// A hooked thread.
pub(crate) struct ThreadState {
    /// The thread's number within the session.
    number: AtomicU32,
    /// The thread's id; 0 for a state that belongs to no thread.
    id: AtomicU32,
    /// Cleared before the hooks are removed and after the thread has ended.
    enabled: AtomicBool,
    /// Whether its thread has found it. Another thread that looks for it has the id of one that ended.
    is_found: AtomicBool,
    /// Whether the workspace is in use. A callback that finds it set was caused by the recorder's own work.
    busy: AtomicBool,
    memory: AtomicPtr<ThreadMemory>,
    pub(crate) counters: Counters,
    /// The next sequence number; only the thread writes it.
    pub(crate) sequence: AtomicU64,
    /// Records dropped since the last one that was written.
    pub(crate) lost: AtomicU64,
    /// Messages shed by the budget since then.
    pub(crate) shed: AtomicU64,
    /// Whether the message taken from the queue last is a WM_TIMER.
    pub(crate) in_timer: AtomicBool,
    /// Whether it has taken no message from the queue since it was hooked.
    pub(crate) is_new: AtomicBool,
    /// The top-level window whose WM_CREATE was recorded last.
    pub(crate) created: AtomicUsize,
}

/// What a thread records with. The two parts have different owners, so nobody borrows the whole exclusively.
struct ThreadMemory {
    ring: Ring,
    workspace: UnsafeCell<Workspace>,
}

/// received = rejected + recorded + shed + dropped.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) received: AtomicU64,
    pub(crate) rejected: AtomicU64,
    pub(crate) recorded: AtomicU64,
    pub(crate) shed: AtomicU64,
    pub(crate) dropped: AtomicU64,
}

impl Counters {
    /// Only the counter's own thread adds, so no locked instruction is needed.
    #[inline]
    pub(crate) fn add(counter: &AtomicU64) {
        counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Subtracts one again.
    pub(crate) fn take_back(counter: &AtomicU64) {
        counter.store(counter.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    }
}

impl ThreadState {
    /// Makes a state that the thread's callback can find. It is never freed; once retired it is used again.
    pub(crate) fn publish(number: u32, id: u32, ring: Ring) -> Option<&'static Self> {
        let state = Self::from_pool(id).or_else(Self::add)?;
        state.number.store(number, Ordering::Relaxed);
        state.sequence.store(1, Ordering::Relaxed);
        state.is_new.store(true, Ordering::Relaxed);
        state.is_found.store(false, Ordering::Relaxed);
        state.created.store(0, Ordering::Relaxed);
        state.forget_missing();
        let Counters { received, rejected, recorded, shed, dropped } = &state.counters;
        for counter in [received, rejected, recorded, shed, dropped] {
            counter.store(0, Ordering::Relaxed);
        }
        let memory = ThreadMemory { ring, workspace: UnsafeCell::new(Workspace::new()) };
        state.memory.store(Box::into_raw(Box::new(memory)), Ordering::Release);
        state.id.store(id, Ordering::Release);
        state.enabled.store(true, Ordering::SeqCst);
        Some(state)
    }

    /// A state of this very thread, whose callback may still hold it, or one of a thread that has ended.
    fn from_pool(id: u32) -> Option<&'static Self> {
        let mut pool = POOL.lock();
        let ended = |thread: &Option<ThreadIdentity>| thread.is_some_and(ThreadIdentity::has_ended);
        let at = pool.iter().position(|(state, thread)| state.id() == id || ended(thread))?;
        Some(pool.swap_remove(at).0)
    }

    fn add() -> Option<&'static Self> {
        let slot = TABLE.iter().find(|entry| entry.load(Ordering::Acquire).is_null())?;
        let state: &'static Self = Box::leak(Box::new(Self {
            number: AtomicU32::new(0),
            id: AtomicU32::new(0),
            enabled: AtomicBool::new(false),
            is_found: AtomicBool::new(false),
            busy: AtomicBool::new(false),
            memory: AtomicPtr::new(std::ptr::null_mut()),
            counters: Counters::default(),
            sequence: AtomicU64::new(1),
            lost: AtomicU64::new(0),
            shed: AtomicU64::new(0),
            in_timer: AtomicBool::new(false),
            is_new: AtomicBool::new(true),
            created: AtomicUsize::new(0),
        }));
        slot.store(std::ptr::from_ref(state).cast_mut(), Ordering::Release);
        Some(state)
    }

    /// The thread's number within the session.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number.load(Ordering::Relaxed)
    }

    /// The thread's id.
    pub(crate) fn id(&self) -> u32 {
        self.id.load(Ordering::Acquire)
    }

    /// The calling thread's state, if it is being recorded.
    #[inline]
    pub(crate) fn current() -> Option<OwnState> {
        let slot = SLOT.load(Ordering::Acquire);
        let known = if thread_block::tls_is_direct() { Self::at(thread_block::tls_read(slot)) } else { None };
        known.or_else(|| Self::look_up(slot)).map(|state| OwnState(state, PhantomData))
    }

    #[inline]
    fn at(known: *mut c_void) -> Option<&'static Self> {
        // SAFETY: only `find` writes to the slot, a pointer to a leaked state or nothing.
        unsafe { known.cast::<Self>().as_ref() }.filter(|state| state.enabled.load(Ordering::Acquire))
    }

    #[cold]
    fn look_up(slot: u32) -> Option<&'static Self> {
        let error = thread_block::last_error();
        let state = Self::at(thread_block::tls_get(slot)).or_else(|| Self::find(slot));
        thread_block::set_last_error(error);
        state
    }

    fn find(slot: u32) -> Option<&'static Self> {
        let state = Self::of(threads::current_thread_id())?;
        if state.is_found.swap(true, Ordering::Relaxed) {
            return None;
        }
        thread_block::tls_set(slot, std::ptr::from_ref(state).cast());
        Some(state)
    }

    /// The state of a thread that is being recorded.
    pub(crate) fn of(id: u32) -> Option<&'static Self> {
        // `add` fills the table from the beginning.
        TABLE
            .iter()
            .map_while(|entry| {
                // SAFETY: an entry is null or the pointer to a state that `add` leaked.
                unsafe { entry.load(Ordering::Acquire).as_ref() }
            })
            .find(|state| state.id() == id && state.enabled.load(Ordering::Acquire))
    }

    /// Whether the workspace is in use: what the calling thread does now is the recorder's own work.
    #[inline]
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Messages dropped and shed that no record states yet.
    #[inline]
    pub(crate) fn missing(&self) -> (u64, u64) {
        (self.lost.load(Ordering::Relaxed), self.shed.load(Ordering::Relaxed))
    }

    /// A record states them now.
    pub(crate) fn forget_missing(&self) {
        self.lost.store(0, Ordering::Relaxed);
        self.shed.store(0, Ordering::Relaxed);
    }

    /// Counts a message as dropped that was received and that a panic kept from being counted any further.
    #[cold]
    pub(crate) fn count_as_dropped(&self) {
        let Counters { received, rejected, recorded, shed, dropped } = &self.counters;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        if read(received) > read(rejected) + read(recorded) + read(shed) + read(dropped) {
            Counters::add(dropped);
            Counters::add(&self.lost);
        }
    }

    /// Runs `body` with the ring and the workspace, for the handler of a crash. False if recording has ended
    /// or the workspace is in use.
    ///
    /// # Safety
    /// No callback of the state's thread can run meanwhile: the caller is that thread, or that thread waits
    /// until this returns, or the state belongs to no thread. Several callers may try at once.
    pub(crate) unsafe fn with_memory_of_crash(&self, body: impl FnOnce(&Ring, &mut Workspace)) -> bool {
        if self.busy.swap(true, Ordering::SeqCst) {
            return false;
        }
        BusyGuard(self).use_memory(body)
    }

    /// The ring, for the recorder thread: it reads, and it alone frees.
    pub(crate) fn ring(&self) -> Option<&Ring> {
        // SAFETY: null, or made by `publish`; only the recorder thread, which is the caller, frees it.
        // The reference covers no part that a callback borrows exclusively, because the workspace lies in
        // an `UnsafeCell`.
        unsafe { self.memory.load(Ordering::Acquire).as_ref() }.map(|memory| &memory.ring)
    }

    /// Keeps callbacks out from here on, for the recorder thread. None while one is still running.
    pub(crate) fn switch_off(&'static self) -> Option<Idle> {
        self.enabled.store(false, Ordering::SeqCst);
        threads::flush_write_buffers();
        // A callback takes microseconds. One that takes longer is stopped in a debugger, and
        // its memory stays.
        let is_idle = (0..1000).any(|_| {
            let is_idle = !self.busy.load(Ordering::SeqCst);
            if !is_idle {
                std::thread::yield_now();
            }
            is_idle
        });
        is_idle.then_some(Idle(self))
    }
}

/// The state of the calling thread. Not `Send`, so that only this thread's callback uses the
/// workspace through it.
pub(crate) struct OwnState(&'static ThreadState, PhantomData<*const ()>);

impl std::ops::Deref for OwnState {
    type Target = ThreadState;

    fn deref(&self) -> &ThreadState {
        self.0
    }
}

impl OwnState {
    /// Runs the body of a callback with the ring and the workspace. False if recording has ended or the
    /// workspace is in use already.
    #[inline(always)]
    pub(crate) fn with_workspace(&self, body: impl FnOnce(&Ring, &mut Workspace)) -> bool {
        if self.is_busy() {
            return false;
        }
        // No locked instruction and no fence: another thread sets `busy` only while this one cannot run a
        // callback (`with_memory_of_crash`), and `switch_off` makes every processor finish its writes before
        // it reads `busy`.
        self.busy.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        BusyGuard(self.0).use_memory(body)
    }
}

/// A state whose memory nobody uses: it is switched off and no callback is running. Made on the recorder
/// thread and used there.
pub(crate) struct Idle(&'static ThreadState);

impl Idle {
    /// The state itself.
    pub(crate) fn state(&self) -> &'static ThreadState {
        self.0
    }

    /// Runs `body` with the ring and the workspace, if the state still has them.
    pub(crate) fn with_memory(&mut self, body: impl FnOnce(&Ring, &mut Workspace)) {
        // SAFETY: null, or made by `publish`; `retire` alone frees it, and takes the only
        // `Idle` of this state.
        if let Some(memory) = unsafe { self.0.memory.load(Ordering::Acquire).as_ref() } {
            // SAFETY: `switch_off` saw `busy` clear after it cleared `enabled`, so nobody else
            // uses the workspace.
            body(&memory.ring, unsafe { &mut *memory.workspace.get() });
        }
    }

    /// Frees the memory and returns the ring, after the last look at it. The state may be used again: for
    /// this thread, or for any other once this one has ended.
    pub(crate) fn retire(self, thread: Option<ThreadHandle>) -> Option<Ring> {
        let memory = self.0.memory.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if memory.is_null() {
            return None;
        }
        // The handle is closed: hosts count their handles.
        POOL.lock().push((self.0, thread.map(|thread| thread.identity())));
        // SAFETY: `publish` made the pointer with `Box::into_raw`, and the swap above takes it once. Nobody
        // else uses the memory, as `Idle` says.
        Some(unsafe { Box::from_raw(memory) }.ring)
    }
}

/// Made by whoever has set `busy`. Clears it when dropped, also when the callback panics.
struct BusyGuard<'a>(&'a ThreadState);

impl BusyGuard<'_> {
    /// Runs `body` with the ring and the workspace. False if recording has ended.
    #[inline(always)]
    fn use_memory(&mut self, body: impl FnOnce(&Ring, &mut Workspace)) -> bool {
        let state = self.0;
        if !state.enabled.load(Ordering::Acquire) {
            return false;
        }
        // SAFETY: null, or made by `publish`. It is not freed meanwhile: `Idle`, which alone frees it, exists
        // only after `enabled` was cleared and `busy` was seen clear.
        let Some(memory) = (unsafe { state.memory.load(Ordering::Acquire).as_ref() }) else { return false };
        // SAFETY: the workspace belongs to whoever has set `busy`: to the owner of this guard, of which there
        // is one at a time.
        body(&memory.ring, unsafe { &mut *memory.workspace.get() });
        true
    }
}

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}

/// Allocates the TLS slot, once in the life of the process.
pub(crate) fn prepare() -> bool {
    if SLOT.load(Ordering::Acquire) == u32::MAX {
        let slot = thread_block::tls_alloc();
        thread_block::try_direct_tls(slot);
        thread_block::try_direct_last_error();
        SLOT.store(slot, Ordering::Release);
    }
    SLOT.load(Ordering::Acquire) != u32::MAX
}
