//! What the recorder knows of a hooked thread, and how the callback finds it.
//!
//! The state itself lives as long as the process, since a callback may be in flight when recording ends; it
//! serves again for the same thread, or for any once its own has ended. Its memory is given back once no
//! callback uses it. The callback finds its state through a slot of the system's thread storage, and the
//! first time through a table; neither locks nor allocates.
#![expect(
    unsafe_code,
    reason = "states are shared by pointer between a thread's callback and the recorder's thread"
)]

use crate::callback::class_cache::ClassCache;
use crate::callback::focused_edit::FocusedEdit;
use crate::callback::last_reported::LastReported;
use crate::callback::menus::Menus;
use crate::callback::modifiers::Modifiers;
use crate::callback::movement::MovementBurst;
use crate::shared::limits::MAX_RECORD;
use crate::shared::ring::Ring;
use crate::system::win32::{self, ThreadHandle, ThreadIdentity};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence};

/// The longest text recorded whole, in bytes of UTF-16.
pub(crate) const MAX_TEXT: usize = 60 << 10;
const MAX_THREADS: usize = 1024;

static TABLE: [AtomicPtr<ThreadState>; MAX_THREADS] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; MAX_THREADS];
static SLOT: AtomicU32 = AtomicU32::new(u32::MAX);

/// Those that serve no thread now, each with the thread it served last. Touched by the
/// recorder's thread alone.
static POOL: Mutex<Vec<(&'static ThreadState, Option<ThreadIdentity>)>> = Mutex::new(Vec::new());

/// A hooked thread.
pub(crate) struct ThreadState {
    /// The session's number of it.
    number: AtomicU32,
    /// The system's id of it; 0 for a place that belongs to no thread.
    id: AtomicU32,
    /// Off before the hooks are removed and after the thread has ended.
    pub(crate) on: AtomicBool,
    /// Whether its thread has found it. Another that looks for it has got the id of one that ended.
    is_found: AtomicBool,
    /// The thread's own callback uses the memory just now: what it is called for meanwhile is its own doing.
    busy: AtomicBool,
    memory: AtomicPtr<Workspace>,
    pub(crate) counters: Counters,
    /// The next sequence number; written by the thread alone.
    pub(crate) sequence: AtomicU64,
    /// Records dropped since the last that was written.
    pub(crate) lost: AtomicU64,
    /// Messages left out since then because of the budget.
    pub(crate) shed: AtomicU64,
    /// Whether the message that was taken from the queue last is a timer's.
    pub(crate) in_timer: AtomicBool,
    /// Whether it has not taken a message from the queue yet since it was hooked.
    pub(crate) is_new: AtomicBool,
    /// The top-level window whose WM_CREATE was seen last.
    pub(crate) created: AtomicUsize,
}

/// What a thread is recorded into.
pub(crate) struct Workspace {
    pub(crate) ring: Ring,
    /// Where the callback puts a record together.
    pub(crate) scratch: Box<[u8]>,
    /// Where it puts a text of the host before its length is known.
    pub(crate) text: Box<[u16]>,
    pub(crate) history: History,
}

/// What the callback remembers from one message to the next.
pub(crate) struct History {
    pub(crate) focus: FocusedEdit,
    pub(crate) menus: Menus,
    pub(crate) modifiers: Modifiers,
    pub(crate) movement: MovementBurst,
    pub(crate) classes: ClassCache,
    pub(crate) last_reported: LastReported,
    /// The top-level window that is being destroyed, whose end was told.
    pub(crate) destroyed_root: usize,
    /// The private window whose typing has been noted, until the focus leaves it.
    pub(crate) secret: usize,
    /// Bytes recorded that the budget has not been told of yet.
    pub(crate) uncharged: usize,
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
    /// Only the counter's own thread adds, so that no locked instruction is needed.
    #[inline]
    pub(crate) fn add(counter: &AtomicU64) {
        counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Takes one back.
    pub(crate) fn take_back(counter: &AtomicU64) {
        counter.store(counter.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    }
}

impl ThreadState {
    /// Makes a state known to the thread's callback. It is never freed, but serves again once it is retired.
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
        let history = History {
            focus: FocusedEdit::new(),
            menus: Menus::new(),
            modifiers: Modifiers::default(),
            movement: MovementBurst::new(),
            classes: ClassCache::new(),
            last_reported: LastReported::new(),
            destroyed_root: 0,
            secret: 0,
            uncharged: 0,
        };
        let memory = Workspace {
            ring,
            scratch: vec![0; MAX_RECORD].into(),
            text: vec![0; MAX_TEXT / 2].into(),
            history,
        };
        state.memory.store(Box::into_raw(Box::new(memory)), Ordering::Release);
        state.id.store(id, Ordering::Release);
        state.on.store(true, Ordering::SeqCst);
        Some(state)
    }

    /// A state that served this very thread, whose callback may still hold it, or one that
    /// ended, which cannot.
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
            on: AtomicBool::new(false),
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

    /// The session's number of the thread.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number.load(Ordering::Relaxed)
    }

    /// The system's id of the thread.
    pub(crate) fn id(&self) -> u32 {
        self.id.load(Ordering::Acquire)
    }

    /// The calling thread's state, if it is being recorded.
    #[inline]
    pub(crate) fn current() -> Option<&'static Self> {
        let slot = SLOT.load(Ordering::Acquire);
        let known = if win32::tls_is_direct() { Self::at(win32::tls_read(slot)) } else { None };
        known.or_else(|| Self::look_for(slot))
    }

    #[inline]
    fn at(known: *mut c_void) -> Option<&'static Self> {
        // SAFETY: the slot holds nothing but what `find` put there, and states are never freed.
        unsafe { known.cast::<Self>().as_ref() }.filter(|state| state.on.load(Ordering::Acquire))
    }

    #[cold]
    fn look_for(slot: u32) -> Option<&'static Self> {
        let error = win32::last_error();
        let state = Self::at(win32::tls_get(slot)).or_else(|| Self::find(slot));
        win32::set_last_error(error);
        state
    }

    fn find(slot: u32) -> Option<&'static Self> {
        let state = Self::of(win32::current_thread_id())?;
        if state.is_found.swap(true, Ordering::Relaxed) {
            return None;
        }
        win32::tls_set(slot, std::ptr::from_ref(state).cast());
        Some(state)
    }

    /// The state of a thread that is being recorded.
    pub(crate) fn of(id: u32) -> Option<&'static Self> {
        // New ones are added behind the others.
        TABLE
            .iter()
            .map_while(|entry| {
                // SAFETY: states are never freed.
                unsafe { entry.load(Ordering::Acquire).as_ref() }
            })
            .find(|state| state.id() == id && state.on.load(Ordering::Acquire))
    }

    /// Whether the calling thread, whose state this is, is using its memory already.
    #[inline]
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Messages dropped and left out that no record has stated yet.
    #[inline]
    pub(crate) fn missing(&self) -> (u64, u64) {
        (self.lost.load(Ordering::Relaxed), self.shed.load(Ordering::Relaxed))
    }

    /// They have been stated.
    pub(crate) fn forget_missing(&self) {
        self.lost.store(0, Ordering::Relaxed);
        self.shed.store(0, Ordering::Relaxed);
    }

    /// A message was received, and a panic kept it from being counted any further: it is dropped.
    #[cold]
    pub(crate) fn count_as_dropped(&self) {
        let Counters { received, rejected, recorded, shed, dropped } = &self.counters;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        if read(received) > read(rejected) + read(recorded) + read(shed) + read(dropped) {
            Counters::add(dropped);
            Counters::add(&self.lost);
        }
    }

    /// Lets the thread's own callback use the memory, unless recording has ended or it is using it
    /// already. Whether it did.
    #[inline(always)]
    pub(crate) fn with_workspace(&self, use_it: impl FnOnce(&mut Workspace)) -> bool {
        if self.is_busy() {
            return false;
        }
        // `switch_off` makes every processor of the process finish its writes before it looks at
        // `inside`: no fence here.
        self.busy.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let _leave = BusyGuard(self);
        if !self.on.load(Ordering::Acquire) {
            return false;
        }
        // SAFETY: `retire` frees it only when `on` is off and nobody is busy. The callback is not inside
        // twice, and the recorder's thread takes only the ring's reading end, so this is the only `&mut`.
        let memory = unsafe { self.memory.load(Ordering::Acquire).as_mut() };
        memory.map(use_it).is_some()
    }

    /// The ring's reading end, for the recorder's thread, which is also the one that retires.
    pub(crate) fn ring(&self) -> Option<&Ring> {
        // SAFETY: only the caller's own thread frees it; the callback's `&mut Memory` reaches the ring only
        // through `&Ring` methods, whose shared parts are atomic.
        let memory = self.memory.load(Ordering::Acquire);
        // SAFETY: as above; a field is borrowed without making a reference to the whole.
        (!memory.is_null()).then(|| unsafe { &(*memory).ring })
    }

    /// No more callbacks from here on. True when none is in flight any more.
    pub(crate) fn switch_off(&self) -> bool {
        self.on.store(false, Ordering::SeqCst);
        win32::flush_write_buffers();
        // A callback takes microseconds; one that takes longer is stuck in a debugger, and its memory stays.
        (0..1000).any(|_| {
            let idle = !self.busy.load(Ordering::SeqCst);
            if !idle {
                std::thread::yield_now();
            }
            idle
        })
    }

    /// Takes the memory back, after `switch_off` found no callback in flight and the last look at the ring.
    /// The state may serve again: this thread, or any other once this one has ended.
    pub(crate) fn retire(&'static self, thread: Option<ThreadHandle>) -> Option<Ring> {
        let memory = self.memory.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if memory.is_null() {
            return None;
        }
        // No handle is kept: a host counts its handles.
        POOL.lock().push((self, thread.map(|thread| thread.identity())));
        // SAFETY: the pointer came from `Box::into_raw` and was swapped out, so it is taken once.
        Some(unsafe { Box::from_raw(memory) }.ring)
    }
}

/// Undoes `inside`, also when the callback panics.
struct BusyGuard<'a>(&'a ThreadState);

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}

/// Takes the slot of the system's thread storage, once in the life of the process.
pub(crate) fn prepare() -> bool {
    if SLOT.load(Ordering::Acquire) == u32::MAX {
        let slot = win32::tls_alloc();
        win32::try_direct_tls(slot);
        win32::try_direct_last_error();
        SLOT.store(slot, Ordering::Release);
    }
    SLOT.load(Ordering::Acquire) != u32::MAX
}
