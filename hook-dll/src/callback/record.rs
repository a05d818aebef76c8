//! What one relevant message becomes: a record with its facts, redacted where the window is private.

use crate::callback::facts::Facts;
use crate::callback::observed_message::ObservedMessage;
use crate::callback::relevance::{completes_text, is_new, is_public_key, on_destroyed};
use crate::callback::ring_writer::{close_gap, drop_one, push, shed_one};
use crate::callback::thread_state::{Counters, History, ThreadState, Workspace};
use crate::shared::budget::Category;
use crate::shared::fault;
use crate::shared::filter::Handling;
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::shared::rules::{BUDGET, Rules};
use crate::system::win32::{self, Window};
use message_log::{Hook, Key, Message, Payload, RECORD_HEADER, RecordKind, Rect};
use std::sync::atomic::Ordering;

/// Bytes that a thread counts by itself before it adds them to the budget: less than a reserve at any rate
/// that is sensible.
const CHARGE_BATCH: usize = 16 << 10;
const WM_DESTROY: u32 = 0x0002;
const WM_WINDOWPOSCHANGED: u32 = 0x0047;
const EM_REPLACESEL: u32 = 0x00C2;

/// A message on its way to the ring.
pub(crate) struct CallbackContext<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a ThreadState,
    pub(crate) observed: &'a ObservedMessage,
    /// How deep in the stack it was met.
    pub(crate) depth: usize,
}

#[inline(always)]
pub(crate) fn record(context: &CallbackContext<'_>, handling_of: impl Fn() -> Handling + Copy) {
    let &CallbackContext { rules, state, observed, depth } = context;
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    let tick = win32::ticks();
    let is_on = state.with_workspace(|workspace| {
        let handling = handling_of();
        if !is_new(&mut workspace.history, &rules.masks, handling, observed) {
            return Counters::add(&state.counters.rejected);
        }
        if !matches!(handling, Handling::Position | Handling::Move) && workspace.history.movement.is_active()
        {
            end_burst(state, workspace, &rules.masks, tick, depth);
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
            // A pointer of the host means nothing to anyone else.
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
        write(state, workspace, &rules.masks, head, message, |facts| {
            let handling = handling_of();
            fault::point("facts");
            facts.privacy = privacy;
            if is_hidden {
                facts.secret_name(observed.hwnd);
            } else {
                facts.fill(handling, observed);
            }
            if facts.history.focus.is_typed() && completes_text(facts.history, handling, observed) {
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
            Handling::Destroy if observed.number != WM_DESTROY => on_destroyed(observed.hwnd),
            _ => {}
        }
    });
    if !is_on {
        // Recording ended a moment ago.
        Counters::add(&state.counters.rejected);
    }
}

/// A key or character of a veiled window: another of its kind, without the scan code that would give it away.
fn redacted(observed: &ObservedMessage) -> (usize, isize) {
    const SCAN_CODE: isize = 0x00FF_0000;
    let is_character = matches!(observed.number, 0x0102 | 0x0103 | 0x0106 | 0x0107 | 0x0109 | 0x0286);
    let redacted = if is_character {
        usize::from(privacy::redact_unit(u16::try_from(observed.wparam).unwrap_or(u16::MAX)))
    } else {
        privacy::redact_key(observed.wparam)
    };
    (
        redacted,
        if redacted == observed.wparam && redacted < 0x30 {
            observed.lparam
        } else {
            observed.lparam & !SCAN_CODE
        },
    )
}

/// Records the last place of every window that moved again and again; each stands for a message that
/// was turned away.
#[cold]
fn end_burst(state: &ThreadState, workspace: &mut Workspace, masks: &MaskRules, tick: u64, depth: u32) {
    while let Some((hwnd, told)) = workspace.history.movement.next_due() {
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
        workspace.history.last_reported.put(hwnd, Some(rect), None);
        Counters::take_back(&state.counters.rejected);
        let head = RecordHead { tick, category: Category::Movement, has_no_facts: false };
        write(state, workspace, masks, head, message, |facts| facts.place(rect));
    }
}

/// Whether a message's numbers say it all: those of most clicks and keys.
#[inline(always)]
fn has_no_facts(history: &History, handling: Handling, privacy: Privacy, observed: &ObservedMessage) -> bool {
    let is_due = || history.focus.is_typed() && completes_text(history, handling, observed);
    match handling {
        Handling::Press => history.modifiers.for_key(0) == 0 && !is_due(),
        Handling::Key => {
            privacy == Privacy::Public && history.modifiers.for_key(observed.wparam) == 0 && !is_due()
        }
        Handling::Move => true,
        _ => false,
    }
}

/// What is known of a record before its facts are.
struct RecordHead {
    tick: u64,
    category: Category,
    /// It has none.
    has_no_facts: bool,
}

/// Puts a record together and into the ring, unless its kind is left out just now.
#[inline(always)]
fn write(
    state: &ThreadState,
    workspace: &mut Workspace,
    masks: &MaskRules,
    RecordHead { tick, category, has_no_facts }: RecordHead,
    message: Message,
    fill: impl FnOnce(&mut Facts<'_, '_>),
) {
    if !BUDGET.admits(category) {
        return shed_one(state);
    }
    let Workspace { ring, scratch, text, history } = workspace;
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
    // Twice, since the first is much shorter.
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
