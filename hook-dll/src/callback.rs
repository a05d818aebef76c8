//! What happens in a hook: enter the barrier, copy, enqueue, pass on.
//!
//! Runs on the host's threads, between the host and its messages. It never blocks, locks, allocates or touches a file, sends no
//! message, reads through host pointers only by `guarded`, leaves the last error as it was and always passes the message on. A
//! panic ends recording and not the host.
#![expect(unsafe_code, reason = "hook procedures are called by the system with pointers it keeps valid")]

use crate::budget::{Budget, Kind};
use crate::controls::{self, is_name};
use crate::facts::{self, Facts};
use crate::fault;
use crate::filter::{Filter, Plan, is_action};
use crate::guarded;
use crate::items;
use crate::masks::{self, Masked, Privacy};
use crate::notifications;
use crate::ring::Ring;
use crate::thread::{Counters, Local, Memory, ThreadState};
use crate::win32::{self, Window};
use message_log::{Hook, Key, Message, Payload, RECORD_HEADER, Record, RecordKind, Rect};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    CWPSTRUCT, HC_ACTION, MSG, PM_REMOVE, SWP_HIDEWINDOW, SWP_NOMOVE, SWP_NOSIZE, SWP_SHOWWINDOW, WINDOWPOS,
    WS_CHILD,
};

/// Whether messages are recorded at this moment.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Set by the panic barrier; the recorder's thread writes the note.
pub(crate) static PANICKED: AtomicBool = AtomicBool::new(false);
/// Bytes that a thread counts by itself before it adds them to the budget: less than a reserve at any rate that is sensible.
const STRETCH: usize = 16 << 10;
/// How much may be recorded.
pub(crate) static BUDGET: Budget = Budget::new();
/// Never freed: a callback may be looking at it.
static RULES: AtomicPtr<Rules> = AtomicPtr::new(std::ptr::null_mut());

/// What recording a message takes of the stack at the most, and what the system's controls take that are asked meanwhile.
const ENOUGH_STACK: usize = 32 << 10;

const MK_BUTTONS: usize = 0x0001 | 0x0002 | 0x0010 | 0x0020 | 0x0040;
const GCS_RESULTSTR: isize = 0x0800;
const ALT_IS_DOWN: isize = 1 << 29;
const EN_SETFOCUS: usize = 0x0100;
const EN_KILLFOCUS: usize = 0x0200;
const CBN_EDITCHANGE: usize = 5;
const CBN_EDITUPDATE: usize = 6;
const EN_CHANGE: usize = 0x0300;
const EN_UPDATE: usize = 0x0400;
const EN_VSCROLL: usize = 0x0602;
const LVN_ITEMCHANGED: i32 = -101;
const WM_DESTROY: u32 = 0x0002;
const WM_WINDOWPOSCHANGED: u32 = 0x0047;
const WM_CONTEXTMENU: u32 = 0x007B;
const EM_REPLACESEL: u32 = 0x00C2;
const WM_TIMER: u32 = 0x0113;
const WM_KEYDOWN: u32 = 0x0100;
const WM_KEYUP: u32 = 0x0101;
const WM_SYSKEYDOWN: u32 = 0x0104;
const WM_SYSKEYUP: u32 = 0x0105;
const WM_SYSCHAR: u32 = 0x0106;

/// What the host chose, for the callbacks.
#[derive(PartialEq)]
pub(crate) struct Rules {
    pub(crate) filter: Filter,
    pub(crate) masked: Masked,
}

/// Makes the rules known to the callbacks. Old ones stay in memory, one of each kind, and serve again.
pub(crate) fn set_rules(rules: Rules) {
    static KNOWN: Mutex<Vec<&'static Rules>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock();
    let same = known.iter().copied().find(|&old| *old == rules);
    let rules = same.unwrap_or_else(|| {
        let new: &'static Rules = Box::leak(Box::new(rules));
        known.push(new);
        new
    });
    RULES.store(std::ptr::from_ref(rules).cast_mut(), Ordering::Release);
}

/// The rules of this recording.
#[inline]
pub(crate) fn rules() -> Option<&'static Rules> {
    // SAFETY: rules are never freed.
    unsafe { RULES.load(Ordering::Acquire).as_ref() }
}

/// WH_GETMESSAGE: what is taken from the queue.
pub(crate) unsafe extern "system" fn on_posted(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // A message that is only peeked at will be seen again.
    if code == HC_ACTION as i32 && wparam.0 == PM_REMOVE.0 as usize {
        // SAFETY: the hook's contract keeps the message valid until we return.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<MSG>(lparam.0.cast_unsigned()) };
        time(|| see_posted(message));
    }
    win32::call_next(code, wparam, lparam)
}

/// WH_CALLWNDPROC: what is sent.
pub(crate) unsafe extern "system" fn on_sent(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code == HC_ACTION as i32 {
        // SAFETY: the hook's contract keeps the structure valid until we return.
        let message = unsafe { &*std::ptr::with_exposed_provenance::<CWPSTRUCT>(lparam.0.cast_unsigned()) };
        time(|| see_sent(message));
    }
    win32::call_next(code, wparam, lparam)
}

#[cfg(feature = "bench")]
use crate::bench::time;
/// Only the benchmark takes the time.
#[cfg(not(feature = "bench"))]
#[inline]
fn time(body: impl FnOnce()) {
    body();
}

/// The body of the hook on posted messages.
#[inline]
pub(crate) fn see_posted(msg: &MSG) {
    observe(&Seen {
        hook: Hook::Posted,
        hwnd: msg.hwnd.0.addr(),
        number: msg.message,
        wparam: msg.wParam.0,
        lparam: msg.lParam.0,
        time: msg.time,
    });
}

/// The body of the hook on sent messages.
#[inline]
pub(crate) fn see_sent(msg: &CWPSTRUCT) {
    observe(&Seen {
        hook: Hook::Sent,
        hwnd: msg.hwnd.0.addr(),
        number: msg.message,
        wparam: msg.wParam.0,
        lparam: msg.lParam.0,
        time: 0,
    });
}

/// A message as a hook delivers it.
pub(crate) struct Seen {
    hook: Hook,
    pub(crate) hwnd: usize,
    pub(crate) number: u32,
    pub(crate) wparam: usize,
    pub(crate) lparam: isize,
    time: u32,
}

impl Seen {
    pub(crate) fn pointer<T>(&self) -> *const T {
        std::ptr::with_exposed_provenance(self.lparam.cast_unsigned())
    }

    /// The notification code of a WM_COMMAND.
    fn code(&self) -> usize {
        self.wparam >> 16 & 0xFFFF
    }
}

/// Most messages are none of ours and must go by at once: until one is recorded nothing is called that could fail or would touch
/// the last error.
#[inline]
fn observe(seen: &Seen) {
    if !RECORDING.load(Ordering::Acquire) {
        return;
    }
    let Some(rules) = rules() else { return };
    let Some(state) = ThreadState::current() else { return };
    if state.is_inside() {
        return;
    }
    Counters::add(&state.counters.received);
    if seen.hook == Hook::Posted {
        state.in_timer.store(seen.number == WM_TIMER, Ordering::Relaxed);
        state.is_new.store(false, Ordering::Relaxed);
    }
    let plan = rules.filter.plan(seen.number);
    if plan == Plan::Reject {
        return Counters::add(&state.counters.rejected);
    }
    let here = here();
    // A host deep in a recursion needs the rest for itself.
    if here.wrapping_sub(win32::stack_end()) < ENOUGH_STACK {
        return drop_one(state);
    }
    let at = At { rules, state, seen, depth: win32::stack_base().wrapping_sub(here) };
    // Of what comes often the compiler makes a copy of all that follows, without what this plan never does.
    match plan {
        Plan::Press => look_closer(&at, || Plan::Press),
        Plan::Key => look_closer(&at, || Plan::Key),
        Plan::Move => look_closer(&at, || Plan::Move),
        Plan::Text => look_closer(&at, || Plan::Text),
        Plan::Create => look_closer(&at, || Plan::Create),
        plan => look_closer(&at, move || plan),
    }
}

/// A message on its way to the ring.
struct At<'a> {
    rules: &'a Rules,
    state: &'a ThreadState,
    seen: &'a Seen,
    /// How deep in the stack it was met.
    depth: usize,
}

/// Records a message unless the second look turns it away.
#[inline(never)]
fn look_closer(at: &At<'_>, plan: impl Fn() -> Plan + Copy) {
    barrier(at.state, || {
        fault::point("filter");
        if is_wanted(&at.rules.filter, plan(), at.seen) {
            record(at, plan);
        } else {
            Counters::add(&at.state.counters.rejected);
        }
    });
}

/// About where the stack has got to.
#[inline]
fn here() -> usize {
    let here = 0u8;
    (&raw const here).addr()
}

/// Keeps a panic from the host, and the host's last error as it was.
#[inline]
fn barrier(state: &ThreadState, work: impl FnOnce()) {
    let error = win32::last_error();
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        RECORDING.store(false, Ordering::Release);
        PANICKED.store(true, Ordering::Release);
        state.balance();
    }
    win32::set_last_error(error);
}

/// The second look, for messages that only sometimes matter.
#[inline(always)]
fn is_wanted(filter: &Filter, plan: Plan, seen: &Seen) -> bool {
    match plan {
        Plan::Move => filter.all_moves || seen.wparam & MK_BUTTONS != 0,
        Plan::Ime => seen.lparam & GCS_RESULTSTR != 0 && !is_ime_window(seen.hwnd),
        Plan::Notify => guarded::read(seen.pointer::<NMHDR>()).is_some_and(|header| {
            let code = header.code.cast_signed();
            is_action(code) && (code != LVN_ITEMCHANGED || notifications::is_item_change(seen.pointer()))
        }),
        Plan::Position => guarded::read(seen.pointer::<WINDOWPOS>()).is_some_and(|position| {
            let still = SWP_NOMOVE | SWP_NOSIZE;
            position.flags & still != still || shows_or_hides(&position)
        }),
        // BS_CHECKBOX, BS_3STATE
        Plan::Check => matches!(Window(seen.hwnd).style() & 0xF, 2 | 5),
        Plan::Watch => {
            items::see_insertion(seen.hwnd, seen.number, seen.lparam.cast_unsigned());
            false
        }
        _ => true,
    }
}

/// The input method's own window, to which the system passes on what the edit was told.
#[inline(never)]
fn is_ime_window(hwnd: usize) -> bool {
    let mut buffer = [0; 256];
    is_name(Window(hwnd).class(&mut buffer), "ime")
}

fn shows_or_hides(position: &WINDOWPOS) -> bool {
    position.flags & (SWP_SHOWWINDOW | SWP_HIDEWINDOW) != Default::default()
}

/// The third look, at what went before.
#[inline(always)]
fn is_news(local: &mut Local, masked: &Masked, plan: Plan, seen: &Seen) -> bool {
    match plan {
        Plan::Key | Plan::Ime => {
            let key = seen.wparam;
            if matches!(seen.number, WM_KEYDOWN..=WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSKEYUP) {
                let is_down = seen.number & 1 == 0;
                local.modifiers.key(key, is_down, seen.lparam & ALT_IS_DOWN != 0);
            }
            local.focus.meet(seen.hwnd, masked);
            if changes_text(seen) {
                local.focus.type_into(seen.hwnd);
            }
            // Of a secret the first key alone is told, so that not even the length is.
            masks::privacy(seen.hwnd) < Privacy::Secret
                || is_public_key(seen)
                || std::mem::replace(&mut local.secret, seen.hwnd) != seen.hwnd
        }
        Plan::Edit => {
            local.focus.type_into(seen.hwnd);
            true
        }
        Plan::FocusIn => {
            local.modifiers.refresh();
            local.focus.meet(seen.hwnd, masked);
            true
        }
        // The focus itself was told: what an edit says of it to its parent is nothing new.
        Plan::Command if matches!(seen.code(), EN_SETFOCUS | EN_KILLFOCUS) => {
            !controls::is_edit(Window(seen.lparam.cast_unsigned()))
        }
        // Every change of a password would tell of one more letter, and so would each time it scrolls or is full.
        Plan::Command if matches!(seen.code(), EN_CHANGE..=EN_VSCROLL | CBN_EDITCHANGE | CBN_EDITUPDATE) => {
            let source = seen.lparam.cast_unsigned();
            if matches!(seen.code(), EN_CHANGE | EN_UPDATE) {
                local.focus.type_into(source);
            }
            // EN_CHANGE follows, and a rich edit tells EN_UPDATE whenever it is painted.
            let is_painting = seen.code() == EN_UPDATE && controls::is_edit(Window(source));
            !is_painting && masks::privacy(source) < Privacy::Secret
        }
        Plan::Position => guarded::read(seen.pointer::<WINDOWPOS>()).is_none_or(|position| {
            let (place, shows_or_hides) = (facts::place_of(&position), shows_or_hides(&position));
            let is_shown = shows_or_hides.then(|| position.flags & SWP_SHOWWINDOW != Default::default());
            // One that neither moves nor sizes may say nothing of the place.
            let still = SWP_NOMOVE | SWP_NOSIZE;
            let told_place = (position.flags & still != still).then_some(place);
            local.positions.is_wanted(seen.hwnd, place, shows_or_hides)
                && local.told.put(seen.hwnd, told_place, is_shown)
        }),
        // With a reason in lParam it is a request, which may not be granted.
        Plan::Show if seen.lparam == 0 => local.told.show(seen.hwnd, seen.wparam != 0),
        Plan::Style => {
            local.told.see_style(seen.hwnd);
            true
        }
        // WM_NCDESTROY tells the end of every window; that it begins to end matters for those of their own, and for a text.
        Plan::Death if seen.number == WM_DESTROY => {
            let is_own = Window(seen.hwnd).style() & WS_CHILD.0 == 0;
            if is_own {
                local.dying = seen.hwnd;
            }
            is_own || local.focus.is(seen.hwnd)
        }
        Plan::Death => {
            local.told.see_death(seen.hwnd);
            let is_news = !ends_with_its_parent(local, seen.hwnd);
            // One whose end is told is still needed for that.
            if !is_news {
                bury(seen.hwnd);
            }
            is_news
        }
        _ => true,
    }
}

/// Forgets what is known of a window that has ended.
fn bury(hwnd: usize) {
    masks::bury(hwnd);
    items::forget(hwnd);
}

/// Whether a window ends because the window it is in does, whose end was told and takes it along.
fn ends_with_its_parent(local: &mut Local, hwnd: usize) -> bool {
    if local.dying == hwnd {
        local.dying = 0;
    }
    local.dying != 0 && Window(hwnd).root().is_some_and(|root| root.0 == local.dying)
}

/// Whether a key may change the text it goes to: characters, and the key that deletes without being one.
fn changes_text(seen: &Seen) -> bool {
    const VK_DELETE: usize = 0x2E;
    match seen.number {
        WM_KEYDOWN => seen.wparam == VK_DELETE,
        WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSCHAR => false,
        _ => true,
    }
}

/// Whether what was typed before this message is complete: the next step is not typing, or the edit is left.
#[inline(always)]
fn completes_text(local: &Local, plan: Plan, seen: &Seen) -> bool {
    match plan {
        Plan::Press | Plan::PressOutside | Plan::SysCommand | Plan::Step | Plan::Drop => true,
        Plan::Outside => seen.number == WM_CONTEXTMENU,
        Plan::Key => seen.number == WM_SYSKEYDOWN,
        Plan::Command => seen.lparam == 0 || seen.code() == 0,
        Plan::FocusOut | Plan::Death => local.focus.is(seen.hwnd),
        _ => false,
    }
}

/// Keys that move on from a private field, and belong to no secret: Tab, Enter, Esc.
fn is_public_key(seen: &Seen) -> bool {
    seen.number == WM_KEYDOWN && matches!(seen.wparam, 0x09 | 0x0D | 0x1B)
}

#[inline(always)]
fn record(at: &At<'_>, plan_of: impl Fn() -> Plan + Copy) {
    let &At { rules, state, seen, depth } = at;
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    let tick = win32::ticks();
    let is_on = state.with_memory(|memory| {
        let plan = plan_of();
        if !is_news(&mut memory.local, &rules.masked, plan, seen) {
            return Counters::add(&state.counters.rejected);
        }
        if !matches!(plan, Plan::Position | Plan::Move) && memory.local.positions.is_burst() {
            end_burst(state, memory, &rules.masked, tick, depth);
        }
        let privacy = match plan {
            Plan::Key | Plan::Ime => masks::privacy(seen.hwnd),
            Plan::Text => masks::look_at(seen.hwnd, &rules.masked),
            _ => Privacy::Public,
        };
        let is_hidden = privacy == Privacy::Secret && !is_public_key(seen);
        let (wparam, lparam) = match (plan, privacy) {
            _ if is_hidden => (0, 0),
            (Plan::Key, Privacy::Veiled) => veiled(seen),
            // A pointer of the host means nothing to anyone else.
            (Plan::Create | Plan::Text | Plan::Position | Plan::Style | Plan::Notify, _) => (seen.wparam, 0),
            _ => (seen.wparam, seen.lparam),
        };
        let message = Message {
            number: seen.number,
            hwnd: seen.hwnd as u64,
            window_id: 0,
            hook: seen.hook,
            depth,
            posted_at: seen.time,
            wparam: wparam as u64,
            lparam: lparam.cast_unsigned() as u64,
        };
        let is_bare = is_bare(&memory.local, plan, privacy, seen);
        let head = Head { tick, kind: Kind::of(plan), is_bare };
        write(state, memory, &rules.masked, head, message, |facts| {
            let plan = plan_of();
            fault::point("facts");
            facts.privacy = privacy;
            if is_hidden {
                facts.secret_name(seen.hwnd);
            } else {
                facts.fill(plan, seen);
            }
            if facts.local.focus.is_typed() && completes_text(facts.local, plan, seen) {
                facts.result();
            }
        });
        match plan {
            Plan::Create if state.is_new.load(Ordering::Relaxed) && Window(seen.hwnd).parent().is_none() => {
                state.created.store(seen.hwnd, Ordering::Relaxed);
            }
            Plan::PasswordChar if seen.wparam != 0 => masks::make_secret(seen.hwnd),
            Plan::FocusOut => memory.local.secret = 0,
            Plan::Style => masks::look_again(seen.hwnd),
            Plan::Text if seen.number == EM_REPLACESEL => memory.local.focus.type_into(seen.hwnd),
            Plan::Death if seen.number != WM_DESTROY => bury(seen.hwnd),
            _ => {}
        }
    });
    if !is_on {
        // Recording ended a moment ago.
        Counters::add(&state.counters.rejected);
    }
}

/// A key or character of a veiled window: another of its kind, without the scan code that would give it away.
fn veiled(seen: &Seen) -> (usize, isize) {
    const SCAN_CODE: isize = 0x00FF_0000;
    let is_character = matches!(seen.number, 0x0102 | 0x0103 | 0x0106 | 0x0107 | 0x0109 | 0x0286);
    let veiled = if is_character {
        usize::from(masks::veil_unit(u16::try_from(seen.wparam).unwrap_or(u16::MAX)))
    } else {
        masks::veil_key(seen.wparam)
    };
    (veiled, if veiled == seen.wparam && veiled < 0x30 { seen.lparam } else { seen.lparam & !SCAN_CODE })
}

/// Records the last place of every window that moved again and again; each stands for a message that was turned away.
#[cold]
fn end_burst(state: &ThreadState, memory: &mut Memory, masked: &Masked, tick: u64, depth: u32) {
    while let Some((hwnd, told)) = memory.local.positions.next_due() {
        let Some(place) = Window(hwnd).place() else { continue };
        let rect = Rect { left: place.left, top: place.top, right: place.right, bottom: place.bottom };
        if rect == told {
            continue;
        }
        let message = Message {
            number: WM_WINDOWPOSCHANGED,
            hwnd: hwnd as u64,
            hook: Hook::Sent,
            depth,
            ..Message::default()
        };
        memory.local.told.put(hwnd, Some(rect), None);
        Counters::take_back(&state.counters.rejected);
        let head = Head { tick, kind: Kind::Motion, is_bare: false };
        write(state, memory, masked, head, message, |facts| facts.place(rect));
    }
}

/// Whether a message's numbers say it all: those of most clicks and keys.
#[inline(always)]
fn is_bare(local: &Local, plan: Plan, privacy: Privacy, seen: &Seen) -> bool {
    let is_due = || local.focus.is_typed() && completes_text(local, plan, seen);
    match plan {
        Plan::Press => local.modifiers.for_key(0) == 0 && !is_due(),
        Plan::Key => privacy == Privacy::Public && local.modifiers.for_key(seen.wparam) == 0 && !is_due(),
        Plan::Move => true,
        _ => false,
    }
}

/// What is known of a record before its facts are.
struct Head {
    tick: u64,
    kind: Kind,
    /// It has none.
    is_bare: bool,
}

/// Puts a record together and into the ring, unless its kind is left out just now.
#[inline(always)]
fn write(
    state: &ThreadState,
    memory: &mut Memory,
    masked: &Masked,
    Head { tick, kind, is_bare }: Head,
    message: Message,
    fill: impl FnOnce(&mut Facts<'_, '_>),
) {
    if !BUDGET.admits(kind) {
        return shed_one(state);
    }
    let Memory { ring, scratch, text, local } = memory;
    if state.missing() != (0, 0) && !close_gap(state, ring, scratch, tick) {
        return drop_one(state);
    }
    let in_timer = message.hook == Hook::Sent && state.in_timer.load(Ordering::Relaxed);
    let is_bare = is_bare && !in_timer;
    let mut len = 0;
    if !is_bare {
        let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
        fill(&mut Facts { payload: &mut payload, text, local, masked, privacy: Privacy::Public });
        if in_timer {
            payload.flag(Key::Timer, true);
        }
        len = payload.len();
    }
    fault::point("ring");
    let kind = (RecordKind::Message, tick);
    // Twice, since the first is much shorter.
    let is_written = if is_bare {
        push(state, ring, scratch, kind, message, 0)
    } else {
        push(state, ring, scratch, kind, message, len)
    };
    if is_written {
        Counters::add(&state.counters.recorded);
        local.unpaid += RECORD_HEADER + len;
        if local.unpaid >= STRETCH {
            BUDGET.charge(std::mem::take(&mut local.unpaid), tick);
        }
    } else {
        drop_one(state);
    }
}

/// Seals a record whose payload, so long, is there, and pushes it; false if it found no room.
#[inline(always)]
fn push(
    state: &ThreadState,
    ring: &Ring,
    scratch: &mut [u8],
    (kind, tick): (RecordKind, u64),
    message: Message,
    len: usize,
) -> bool {
    let sequence = state.sequence.load(Ordering::Relaxed);
    let record = Record { kind, thread: state.number(), sequence, tick, message, payload: &[] };
    let Some(size) = record.seal(len, scratch) else { return false };
    let is_written = ring.push(&scratch[..size]);
    if is_written {
        state.sequence.store(sequence + 1, Ordering::Relaxed);
    }
    is_written
}

/// A message that the budget left out: its number is used up, and the next record states it.
fn shed_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.shed);
    Counters::add(&state.counters.shed);
}

/// A message that found no room: its number is used up, and the next record that finds room states it.
fn drop_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.lost);
    Counters::add(&state.counters.dropped);
}

/// States what is missing before anything else is written; false while there is no room for that either.
#[cold]
fn close_gap(state: &ThreadState, ring: &Ring, scratch: &mut [u8], tick: u64) -> bool {
    let (lost, shed) = state.missing();
    if lost + shed == 0 {
        return true;
    }
    let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
    if lost > 0 {
        payload.number(Key::GapDropped, lost);
    }
    if shed > 0 {
        payload.number(Key::GapShed, shed);
    }
    let len = payload.len();
    let written = push(state, ring, scratch, (RecordKind::Gap, tick), Message::default(), len);
    if written {
        state.forget_missing();
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
        let Memory { ring, scratch, .. } = memory;
        written = push(state, ring, scratch, (kind, tick), Message::default(), len);
    });
    written
}
