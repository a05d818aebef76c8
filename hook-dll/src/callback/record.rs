//! Makes a record of a relevant message: its numbers and facts, redacted where the window is private.

use crate::callback::facts::Facts;
use crate::callback::observed_message::ObservedMessage;
use crate::callback::relevance::{completes_text, forget_destroyed, is_new, is_public_key};
use crate::callback::ring_writer::{close_gap, drop_one, push, shed_one};
use crate::callback::thread_state::{Counters, OwnState, ThreadState};
use crate::callback::workspace::{History, Workspace};
use crate::shared::budget::Category;
use crate::shared::fault;
use crate::shared::filter::Handling;
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::shared::ring::Ring;
use crate::shared::rules::{BUDGET, Rules};
use crate::system::thread_block;
use crate::system::window::Window;
use message_log::{Hook, Key, Message, Payload, RECORD_HEADER, RecordKind, Rect};
use std::sync::atomic::Ordering;
use win32_vocabulary::input::SCAN_CODE_MASK;
use win32_vocabulary::messages::{self, EM_REPLACESEL, WM_DESTROY, WM_WINDOWPOSCHANGED};

/// How many bytes a thread records before it charges them to the budget: less than a reserve at
/// any sensible rate.
const CHARGE_BATCH: usize = 16 << 10;

/// A message on its way to the ring.
pub(crate) struct CallbackContext<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a OwnState,
    pub(crate) observed: &'a ObservedMessage,
    /// How many bytes of the stack are in use.
    pub(crate) depth: usize,
}

/// Records a message unless earlier records say the same. `handling_of` returns a constant where the compiler
/// makes a copy of this function for one handling.
#[inline(always)]
pub(crate) fn record(context: &CallbackContext<'_>, handling_of: impl Fn() -> Handling + Copy) {
    let &CallbackContext { rules, state, observed, depth } = context;
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    let tick = thread_block::ticks();
    let is_on = state.with_workspace(|ring, workspace| {
        let handling = handling_of();
        if !is_new(&mut workspace.history, &rules.masks, handling, observed) {
            return Counters::add(&state.counters.rejected);
        }
        if !matches!(handling, Handling::Position | Handling::Move) && workspace.history.movement.is_active()
        {
            end_burst(state, ring, workspace, &rules.masks, tick, depth);
        }
        let privacy = match handling {
            Handling::Key | Handling::Ime => privacy::privacy_of(observed.hwnd),
            Handling::Text => privacy::check(observed.hwnd, &rules.masks),
            _ => Privacy::Public,
        };
        let is_hidden = privacy == Privacy::Secret && !is_public_key(observed);
        let (wparam, lparam) = match (handling, privacy) {
            _ if is_hidden => (0, 0),
            (Handling::Key, Privacy::Redacted) => redacted(observed),
            // A pointer of the host means nothing to a reader of the log.
            (
                Handling::Create | Handling::Text | Handling::Position | Handling::Style | Handling::Notify,
                _,
            ) => (observed.wparam, 0),
            _ => (observed.wparam, observed.lparam),
        };
        let message = Message {
            number: observed.number,
            hwnd: observed.hwnd as u64,
            window_id: 0,
            hook: observed.hook,
            depth,
            posted_at: observed.time,
            wparam: wparam as u64,
            lparam: lparam.cast_unsigned() as u64,
        };
        let has_no_facts = has_no_facts(&workspace.history, handling, privacy, observed);
        let head = RecordHead { tick, category: Category::of(handling), has_no_facts };
        write(state, ring, workspace, &rules.masks, head, message, |facts| {
            let handling = handling_of();
            fault::point("facts");
            facts.privacy = privacy;
            if is_hidden {
                facts.secret_name(observed.hwnd);
            } else {
                facts.fill(handling, observed);
            }
            if facts.history.focus.has_typed_text() && completes_text(facts.history, handling, observed) {
                facts.result();
            }
        });
        match handling {
            Handling::Create
                if state.is_new.load(Ordering::Relaxed) && Window(observed.hwnd).parent().is_none() =>
            {
                state.created.store(observed.hwnd, Ordering::Relaxed);
            }
            Handling::PasswordChar if observed.wparam != 0 => privacy::make_secret(observed.hwnd),
            Handling::FocusOut => workspace.history.secret = 0,
            Handling::Style => privacy::check_again(observed.hwnd),
            Handling::Text if observed.number == EM_REPLACESEL => {
                workspace.history.focus.mark_typed(observed.hwnd);
            }
            Handling::Destroy if observed.number != WM_DESTROY => forget_destroyed(observed.hwnd),
            _ => {}
        }
    });
    if !is_on {
        // Recording ended a moment ago.
        Counters::add(&state.counters.rejected);
    }
}

/// A key or character of a redacted window: another of its kind, without the scan code, which
/// would reveal it.
fn redacted(observed: &ObservedMessage) -> (usize, isize) {
    let key = observed.key();
    let redacted = if messages::is_character(observed.number) {
        u32::from(privacy::redact_unit(u16::try_from(key).unwrap_or(u16::MAX)))
    } else {
        privacy::redact_key(key)
    };
    // Keys below the digits stay as they are, with their scan code.
    let lparam = if redacted == key && redacted < u32::from(b'0') {
        observed.lparam
    } else {
        observed.lparam & !(SCAN_CODE_MASK as isize)
    };
    (redacted as usize, lparam)
}

/// Records the last rectangle of every window that moved repeatedly, in place of a message that was rejected.
#[cold]
fn end_burst(
    state: &ThreadState,
    ring: &Ring,
    workspace: &mut Workspace,
    masks: &MaskRules,
    tick: u64,
    depth: u32,
) {
    while let Some((hwnd, recorded)) = workspace.history.movement.take_next() {
        let Some(place) = Window(hwnd).place() else { continue };
        let rect = Rect { left: place.left, top: place.top, right: place.right, bottom: place.bottom };
        if rect == recorded {
            continue;
        }
        let message = Message {
            number: WM_WINDOWPOSCHANGED,
            hwnd: hwnd as u64,
            hook: Hook::Sent,
            depth,
            ..Message::default()
        };
        workspace.history.last_reported.set_place(hwnd, Some(rect), None);
        Counters::take_back(&state.counters.rejected);
        let head = RecordHead { tick, category: Category::Movement, has_no_facts: false };
        write(state, ring, workspace, masks, head, message, |facts| facts.place(rect));
    }
}

/// Whether a record consists of the message's numbers, as of most clicks and keys.
#[inline(always)]
fn has_no_facts(history: &History, handling: Handling, privacy: Privacy, observed: &ObservedMessage) -> bool {
    let has_text = || history.focus.has_typed_text() && completes_text(history, handling, observed);
    match handling {
        Handling::Press => history.modifiers.for_key(0) == 0 && !has_text(),
        Handling::Key => {
            privacy == Privacy::Public && history.modifiers.for_key(observed.key()) == 0 && !has_text()
        }
        Handling::Move => true,
        _ => false,
    }
}

/// What is known of a record before its facts.
struct RecordHead {
    tick: u64,
    category: Category,
    /// Whether it consists of the message's numbers.
    has_no_facts: bool,
}

/// Puts a record together and into the ring, unless the budget sheds its category.
#[inline(always)]
fn write(
    state: &ThreadState,
    ring: &Ring,
    workspace: &mut Workspace,
    masks: &MaskRules,
    RecordHead { tick, category, has_no_facts }: RecordHead,
    message: Message,
    fill: impl FnOnce(&mut Facts<'_, '_>),
) {
    if !BUDGET.admits(category) {
        return shed_one(state);
    }
    let Workspace { scratch, text, history } = workspace;
    if state.missing() != (0, 0) && !close_gap(state, ring, scratch, tick) {
        return drop_one(state);
    }
    let in_timer = message.hook == Hook::Sent && state.in_timer.load(Ordering::Relaxed);
    let has_no_facts = has_no_facts && !in_timer;
    let mut len = 0;
    if !has_no_facts {
        let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
        fill(&mut Facts { payload: &mut payload, text, history, masks, privacy: Privacy::Public });
        if in_timer {
            payload.flag(Key::Timer, true);
        }
        len = payload.len();
    }
    fault::point("ring");
    let kind = (RecordKind::Message, tick);
    // Two calls, because the compiler makes the first much shorter.
    let is_written = if has_no_facts {
        push(state, ring, scratch, kind, message, 0)
    } else {
        push(state, ring, scratch, kind, message, len)
    };
    if is_written {
        Counters::add(&state.counters.recorded);
        history.uncharged += RECORD_HEADER + len;
        if history.uncharged >= CHARGE_BATCH {
            BUDGET.charge(std::mem::take(&mut history.uncharged), tick);
        }
    } else {
        drop_one(state);
    }
}
