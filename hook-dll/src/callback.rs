//! What happens in a hook: enter the barrier, copy, enqueue, pass on.
//!
//! Runs on the host's threads, between the host and its messages. It never blocks, locks, allocates or touches a file, sends no
//! message, reads through host pointers only by `guarded`, leaves the last error as it was and always passes the message on. A
//! panic ends recording and not the host.
#![expect(unsafe_code, reason = "hook procedures are called by the system with pointers it keeps valid")]

use crate::filter::{Filter, Plan, is_action};
use crate::guarded;
use crate::masks;
use crate::ring::Ring;
use crate::thread::{Counters, Memory, ThreadState};
use crate::win32::{self, Window};
use message_log::{Hook, Key, Message, Payload, RECORD_HEADER, Record, RecordKind, Rect};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    CREATESTRUCTW, CWPSTRUCT, HC_ACTION, MSG, PM_REMOVE, STYLESTRUCT, SWP_HIDEWINDOW, SWP_NOMOVE, SWP_NOSIZE,
    SWP_SHOWWINDOW, WINDOWPOS,
};

/// Whether messages are recorded at this moment.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Set by the panic barrier; the recorder's thread writes the note.
pub(crate) static PANICKED: AtomicBool = AtomicBool::new(false);
/// Never freed: a callback may be looking at it.
static FILTER: AtomicPtr<Filter> = AtomicPtr::new(std::ptr::null_mut());
/// The private window whose typing has been noted, until the focus leaves it.
static SECRET: AtomicUsize = AtomicUsize::new(0);

const ES_PASSWORD: u32 = 0x20;
const WS_CHILD: u32 = 0x4000_0000;
const MK_BUTTONS: usize = 0x0001 | 0x0002 | 0x0010 | 0x0020 | 0x0040;
const EN_CHANGE: usize = 0x0300;
const EN_UPDATE: usize = 0x0400;
const WM_NCDESTROY: u32 = 0x0082;
const WM_KEYDOWN: u32 = 0x0100;

/// The name a private field has in the log; a replay asks for it.
const SECRET_NAME: [u16; 8] = [0x70, 0x61, 0x73, 0x73, 0x77, 0x6F, 0x72, 0x64];

/// Makes the filter known to the callbacks. Old ones stay in memory, one of each kind, and serve again.
pub(crate) fn set_filter(filter: Filter) {
    static KNOWN: Mutex<Vec<&'static Filter>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock();
    let same = known.iter().copied().find(|&old| *old == filter);
    let filter = same.unwrap_or_else(|| {
        let new: &'static Filter = Box::leak(Box::new(filter));
        known.push(new);
        new
    });
    FILTER.store(std::ptr::from_ref(filter).cast_mut(), Ordering::Release);
}

/// WH_GETMESSAGE: what is taken from the queue.
pub(crate) unsafe extern "system" fn on_posted(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // A message that is only peeked at will be seen again.
    if code == HC_ACTION as i32 && wparam.0 == PM_REMOVE.0 as usize {
        barrier(|| {
            // SAFETY: the hook's contract keeps the message valid until we return.
            let msg = unsafe { &*std::ptr::with_exposed_provenance::<MSG>(lparam.0.cast_unsigned()) };
            let hwnd = msg.hwnd.0.addr();
            observe(&Seen {
                hook: Hook::Posted,
                hwnd,
                number: msg.message,
                wparam: msg.wParam.0,
                lparam: msg.lParam.0,
                time: msg.time,
            });
        });
    }
    win32::call_next(code, wparam, lparam)
}

/// WH_CALLWNDPROC: what is sent.
pub(crate) unsafe extern "system" fn on_sent(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code == HC_ACTION as i32 {
        barrier(|| {
            // SAFETY: the hook's contract keeps the structure valid until we return.
            let msg = unsafe { &*std::ptr::with_exposed_provenance::<CWPSTRUCT>(lparam.0.cast_unsigned()) };
            let hwnd = msg.hwnd.0.addr();
            observe(&Seen {
                hook: Hook::Sent,
                hwnd,
                number: msg.message,
                wparam: msg.wParam.0,
                lparam: msg.lParam.0,
                time: 0,
            });
        });
    }
    win32::call_next(code, wparam, lparam)
}

/// A message as a hook delivers it.
struct Seen {
    hook: Hook,
    hwnd: usize,
    number: u32,
    wparam: usize,
    lparam: isize,
    time: u32,
}

impl Seen {
    fn pointer<T>(&self) -> *const T {
        std::ptr::with_exposed_provenance(self.lparam.cast_unsigned())
    }
}

#[inline]
fn barrier(work: impl FnOnce()) {
    let error = win32::last_error();
    if RECORDING.load(Ordering::Acquire) && catch_unwind(AssertUnwindSafe(work)).is_err() {
        RECORDING.store(false, Ordering::Release);
        PANICKED.store(true, Ordering::Release);
    }
    win32::set_last_error(error);
}

#[inline]
fn observe(seen: &Seen) {
    // SAFETY: filters are never freed.
    let Some(filter) = (unsafe { FILTER.load(Ordering::Acquire).as_ref() }) else { return };
    let Some(state) = ThreadState::current() else { return };
    Counters::add(&state.counters.received);
    let plan = filter.plan(seen.number);
    if plan == Plan::Reject || !is_wanted(filter, plan, seen) {
        Counters::add(&state.counters.rejected);
        return;
    }
    record(state, plan, seen);
}

/// The second look, for messages that only sometimes matter.
fn is_wanted(filter: &Filter, plan: Plan, seen: &Seen) -> bool {
    match plan {
        Plan::Move => filter.all_moves || seen.wparam & MK_BUTTONS != 0,
        Plan::Key => !masks::contains(seen.hwnd) || is_public_key(seen) || begins_secret(seen.hwnd),
        Plan::Command => {
            let code = seen.wparam >> 16 & 0xFFFF;
            !((code == EN_CHANGE || code == EN_UPDATE) && masks::contains(seen.lparam.cast_unsigned()))
        }
        Plan::Notify => {
            guarded::read(seen.pointer::<NMHDR>()).is_some_and(|header| is_action(header.code.cast_signed()))
        }
        Plan::Position => guarded::read(seen.pointer::<WINDOWPOS>()).is_some_and(|position| {
            let still = SWP_NOMOVE | SWP_NOSIZE;
            position.flags & still != still
                || position.flags & (SWP_SHOWWINDOW | SWP_HIDEWINDOW) != Default::default()
        }),
        _ => true,
    }
}

/// Keys that move on from a private field, and belong to no secret: Tab, Enter, Esc.
fn is_public_key(seen: &Seen) -> bool {
    seen.number == WM_KEYDOWN && matches!(seen.wparam, 0x09 | 0x0D | 0x1B)
}

/// Whether this is the first key in a private field: the only one told, so that not even the length is.
fn begins_secret(hwnd: usize) -> bool {
    SECRET.swap(hwnd, Ordering::AcqRel) != hwnd
}

fn record(state: &ThreadState, plan: Plan, seen: &Seen) {
    let here = 0u8;
    let depth = state.stack_base.load(Ordering::Relaxed).wrapping_sub((&raw const here).addr());
    let tick = win32::ticks();
    let is_private = masks::contains(seen.hwnd);
    let hides = is_private && (plan == Plan::Key && !is_public_key(seen) || plan == Plan::Text);
    let message = Message {
        number: seen.number,
        hwnd: seen.hwnd as u64,
        birth: 0,
        hook: seen.hook,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        posted_at: seen.time,
        wparam: if hides { 0 } else { seen.wparam as u64 },
        lparam: if hides { 0 } else { seen.lparam.cast_unsigned() as u64 },
    };
    state.with_memory(|memory| {
        let Memory { ring, scratch, text } = memory;
        if !close_gap(state, ring, scratch, tick) {
            return drop_one(state);
        }
        let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
        if hides {
            payload.wide(Key::Masked, &SECRET_NAME);
        } else {
            fill(&mut payload, plan, seen, text);
        }
        let len = payload.len();
        let sequence = state.sequence.load(Ordering::Relaxed);
        let record = Record {
            kind: RecordKind::Message,
            thread: state.number(),
            sequence,
            tick,
            message,
            payload: &[],
        };
        match record.seal(len, scratch) {
            Some(size) if ring.push(&scratch[..size]) => {
                state.sequence.store(sequence + 1, Ordering::Relaxed);
                Counters::add(&state.counters.recorded);
            }
            _ => drop_one(state),
        }
    });
    if seen.number == WM_NCDESTROY {
        masks::remove(seen.hwnd);
    }
}

/// A message that found no room: its number is used up, and the next record that finds room states it.
fn drop_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.lost);
    Counters::add(&state.counters.dropped);
}

/// States what was dropped before anything else is written; false while there is no room for that either.
fn close_gap(state: &ThreadState, ring: &Ring, scratch: &mut [u8], tick: u64) -> bool {
    let lost = state.lost.load(Ordering::Relaxed);
    if lost == 0 {
        return true;
    }
    let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
    payload.number(Key::GapDropped, lost);
    let len = payload.len();
    let sequence = state.sequence.load(Ordering::Relaxed);
    let record = Record {
        kind: RecordKind::Gap,
        thread: state.number(),
        sequence,
        tick,
        message: Message::default(),
        payload: &[],
    };
    let written = record.seal(len, scratch).is_some_and(|size| ring.push(&scratch[..size]));
    if written {
        state.sequence.store(sequence + 1, Ordering::Relaxed);
        state.lost.store(0, Ordering::Relaxed);
    }
    written
}

/// A note of the host or of a crash, in the calling thread's own ring, where it survives the process. False when this
/// thread is not recorded.
pub(crate) fn note(kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    ThreadState::current().is_some_and(|state| note_in(state, kind, fill))
}

/// The same in another ring, whose own thread cannot write just now.
pub(crate) fn note_in(state: &ThreadState, kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    let mut written = false;
    state.with_memory(|memory| {
        let tick = win32::ticks();
        if !close_gap(state, &memory.ring, &mut memory.scratch, tick) {
            return;
        }
        let mut payload = Payload::new(&mut memory.scratch[RECORD_HEADER..]);
        fill(&mut payload);
        let len = payload.len();
        let sequence = state.sequence.load(Ordering::Relaxed);
        let record = Record {
            kind,
            thread: state.number(),
            sequence,
            tick,
            message: Message::default(),
            payload: &[],
        };
        written = record
            .seal(len, &mut memory.scratch)
            .is_some_and(|size| memory.ring.push(&memory.scratch[..size]));
        if written {
            state.sequence.store(sequence + 1, Ordering::Relaxed);
        }
    });
    written
}

/// What the message's numbers do not say.
fn fill(payload: &mut Payload<'_>, plan: Plan, seen: &Seen, text: &mut [u8]) {
    match plan {
        Plan::Create => fill_create(payload, seen, text),
        Plan::Text if seen.lparam != 0 => fill_text(payload, Key::Text, seen.pointer(), is_wide(seen), text),
        Plan::Position => {
            if let Some(p) = guarded::read(seen.pointer::<WINDOWPOS>()) {
                payload.rect(Key::WindowRect, rect(p.x, p.y, p.cx, p.cy));
                payload.number(Key::PositionFlags, u64::from(p.flags.0));
            }
        }
        Plan::Style => {
            if let Some(style) = guarded::read(seen.pointer::<STYLESTRUCT>()) {
                payload.number(Key::StyleOffset, (seen.wparam as i64).cast_unsigned());
                payload.number(Key::StyleNew, u64::from(style.styleNew));
            }
        }
        Plan::Notify => {
            if let Some(header) = guarded::read(seen.pointer::<NMHDR>()) {
                payload.number(Key::Source, header.hwndFrom.0.addr() as u64);
                payload.number(Key::Command, header.idFrom as u64);
                payload.number(Key::Notification, i64::from(header.code.cast_signed()).cast_unsigned());
            }
        }
        Plan::PasswordChar if seen.wparam != 0 => {
            masks::insert(seen.hwnd);
        }
        Plan::Focus => {
            SECRET.store(0, Ordering::Release);
        }
        _ => {}
    }
}

fn fill_create(payload: &mut Payload<'_>, seen: &Seen, text: &mut [u8]) {
    let Some(create) = guarded::read(seen.pointer::<CREATESTRUCTW>()) else { return };
    let style = create.style.cast_unsigned();
    payload.number(Key::WindowStyle, u64::from(style));
    payload.number(Key::WindowExStyle, u64::from(create.dwExStyle.0));
    let parent = create.hwndParent.0.addr() as u64;
    if style & WS_CHILD != 0 {
        payload.number(Key::WindowParent, parent);
        // The menu handle of a child is its id; ids are 16 bits wide for all but a few, and signed.
        payload.number(Key::WindowResourceId, i64::from(create.hMenu.0.addr() as u32 as i32).cast_unsigned());
    } else {
        payload.number(Key::WindowParent, 0);
        payload.number(Key::WindowOwner, parent);
    }
    payload.rect(Key::WindowRect, rect(create.x, create.y, create.cx, create.cy));
    let mut buffer = [0; 256];
    let class = Window(seen.hwnd).class(&mut buffer);
    payload.wide(Key::WindowClass, class);
    let is_private = style & ES_PASSWORD != 0 && masks::is_edit_class(class);
    if is_private {
        payload.flag(Key::WindowMasked, true);
        masks::insert(seen.hwnd);
    } else if create.lpszName.0.addr() > 0xFFFF {
        fill_text(payload, Key::WindowName, create.lpszName.0.cast(), true, text);
    }
}

fn fill_text(payload: &mut Payload<'_>, key: Key, from: *const u8, wide: bool, text: &mut [u8]) {
    let len = guarded::read_text(from, if wide { 2 } else { 1 }, text);
    if !wide {
        return payload.ansi(key, win32::code_page(), &text[..len]);
    }
    if let Some(out) = payload.reserve_wide(key, len) {
        out.copy_from_slice(&text[..len]);
    }
}

/// Whether the text of a message is UTF-16. A Unicode window gets that; for an ANSI window it depends on who sent it, and a
/// second byte of zero gives UTF-16 away.
fn is_wide(seen: &Seen) -> bool {
    Window(seen.hwnd).is_unicode()
        || guarded::read(seen.pointer::<[u8; 2]>())
            .is_some_and(|[first, second]| first != 0 && second == 0 && !is_one_letter(seen))
}

/// "A\0" may be one ANSI letter or the beginning of a UTF-16 text.
fn is_one_letter(seen: &Seen) -> bool {
    guarded::read(seen.pointer::<[u8; 4]>()).is_none_or(|bytes| bytes[3] != 0)
}

fn rect(x: i32, y: i32, width: i32, height: i32) -> Rect {
    Rect { left: x, top: y, right: x.wrapping_add(width), bottom: y.wrapping_add(height) }
}
