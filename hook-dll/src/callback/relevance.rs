//! Which of the messages that the filter admits are recorded: a look at their contents, and at what was
//! recorded before.

use crate::callback::observed_message::ObservedMessage;
use crate::callback::thread_state::History;
use crate::callback::{facts, notification_items, text_callbacks};
use crate::shared::controls::{self, is_name};
use crate::shared::filter::{Filter, Handling, is_action};
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::guarded;
use crate::system::win32::Window;
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    SWP_HIDEWINDOW, SWP_NOMOVE, SWP_NOSIZE, SWP_SHOWWINDOW, WINDOWPOS, WS_CHILD,
};

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
const WM_CONTEXTMENU: u32 = 0x007B;
const WM_KEYDOWN: u32 = 0x0100;
const WM_KEYUP: u32 = 0x0101;
const WM_SYSKEYDOWN: u32 = 0x0104;
const WM_SYSKEYUP: u32 = 0x0105;
const WM_SYSCHAR: u32 = 0x0106;

/// The second look, for messages that only sometimes matter.
#[inline(always)]
pub(crate) fn is_relevant(filter: &Filter, handling: Handling, observed: &ObservedMessage) -> bool {
    match handling {
        Handling::Move => filter.all_moves || observed.wparam & MK_BUTTONS != 0,
        Handling::Ime => observed.lparam & GCS_RESULTSTR != 0 && !is_ime_window(observed.hwnd),
        Handling::Notify => guarded::read(observed.pointer::<NMHDR>()).is_some_and(|header| {
            let code = header.code.cast_signed();
            is_action(code)
                && (code != LVN_ITEMCHANGED || notification_items::is_item_change(observed.pointer()))
        }),
        Handling::Position => guarded::read(observed.pointer::<WINDOWPOS>()).is_some_and(|position| {
            let still = SWP_NOMOVE | SWP_NOSIZE;
            position.flags & still != still || shows_or_hides(&position)
        }),
        // BS_CHECKBOX, BS_3STATE
        Handling::Check => matches!(Window(observed.hwnd).style() & 0xF, 2 | 5),
        Handling::Inspect => {
            text_callbacks::on_item_text(observed.hwnd, observed.number, observed.lparam.cast_unsigned());
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
pub(crate) fn is_new(
    history: &mut History,
    masks: &MaskRules,
    handling: Handling,
    observed: &ObservedMessage,
) -> bool {
    match handling {
        Handling::Key | Handling::Ime => {
            let key = observed.wparam;
            if matches!(observed.number, WM_KEYDOWN..=WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSKEYUP) {
                let is_down = observed.number & 1 == 0;
                history.modifiers.key(key, is_down, observed.lparam & ALT_IS_DOWN != 0);
            }
            history.focus.set_focus(observed.hwnd, masks);
            if changes_text(observed) {
                history.focus.mark_typed(observed.hwnd);
            }
            // Of a secret the first key alone is told, so that not even the length is.
            privacy::privacy_of(observed.hwnd) < Privacy::Secret
                || is_public_key(observed)
                || std::mem::replace(&mut history.secret, observed.hwnd) != observed.hwnd
        }
        Handling::Edit => {
            history.focus.mark_typed(observed.hwnd);
            true
        }
        Handling::FocusIn => {
            history.modifiers.refresh();
            history.focus.set_focus(observed.hwnd, masks);
            true
        }
        // The focus itself was told: what an edit says of it to its parent is nothing new.
        Handling::Command if matches!(observed.code(), EN_SETFOCUS | EN_KILLFOCUS) => {
            !controls::is_edit(Window(observed.lparam.cast_unsigned()))
        }
        // Every change of a password would tell of one more letter, and so would each time it
        // scrolls or is full.
        Handling::Command
            if matches!(observed.code(), EN_CHANGE..=EN_VSCROLL | CBN_EDITCHANGE | CBN_EDITUPDATE) =>
        {
            let source = observed.lparam.cast_unsigned();
            if matches!(observed.code(), EN_CHANGE | EN_UPDATE) {
                history.focus.mark_typed(source);
            }
            // EN_CHANGE follows, and a rich edit tells EN_UPDATE whenever it is painted.
            let is_painting = observed.code() == EN_UPDATE && controls::is_edit(Window(source));
            !is_painting && privacy::privacy_of(source) < Privacy::Secret
        }
        Handling::Position => guarded::read(observed.pointer::<WINDOWPOS>()).is_none_or(|position| {
            let (place, shows_or_hides) = (facts::place_of(&position), shows_or_hides(&position));
            let is_shown = shows_or_hides.then(|| position.flags & SWP_SHOWWINDOW != Default::default());
            // One that neither moves nor sizes may say nothing of the place.
            let still = SWP_NOMOVE | SWP_NOSIZE;
            let told_place = (position.flags & still != still).then_some(place);
            history.movement.is_relevant(observed.hwnd, place, shows_or_hides)
                && history.last_reported.put(observed.hwnd, told_place, is_shown)
        }),
        // With a reason in lParam it is a request, which may not be granted.
        Handling::Show if observed.lparam == 0 => {
            history.last_reported.show(observed.hwnd, observed.wparam != 0)
        }
        Handling::Style => {
            history.last_reported.on_style_changed(observed.hwnd);
            true
        }
        // WM_NCDESTROY tells the end of every window; that it begins to end matters for those of their
        // own, and for a text.
        Handling::Destroy if observed.number == WM_DESTROY => {
            let is_own = Window(observed.hwnd).style() & WS_CHILD.0 == 0;
            if is_own {
                history.destroyed_root = observed.hwnd;
            }
            is_own || history.focus.is(observed.hwnd)
        }
        Handling::Destroy => {
            history.last_reported.on_destroyed(observed.hwnd);
            let is_new = !ends_with_its_parent(history, observed.hwnd);
            // One whose end is told is still needed for that.
            if !is_new {
                on_destroyed(observed.hwnd);
            }
            is_new
        }
        _ => true,
    }
}

/// Forgets what is known of a window that has ended.
pub(crate) fn on_destroyed(hwnd: usize) {
    privacy::on_destroyed(hwnd);
    text_callbacks::forget(hwnd);
}

/// Whether a window ends because the window it is in does, whose end was told and takes it along.
fn ends_with_its_parent(history: &mut History, hwnd: usize) -> bool {
    if history.destroyed_root == hwnd {
        history.destroyed_root = 0;
    }
    history.destroyed_root != 0 && Window(hwnd).root().is_some_and(|root| root.0 == history.destroyed_root)
}

/// Whether a key may change the text it goes to: characters, and the key that deletes without being one.
fn changes_text(observed: &ObservedMessage) -> bool {
    const VK_DELETE: usize = 0x2E;
    match observed.number {
        WM_KEYDOWN => observed.wparam == VK_DELETE,
        WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSCHAR => false,
        _ => true,
    }
}

/// Whether what was typed before this message is complete: the next step is not typing, or the edit is left.
#[inline(always)]
pub(crate) fn completes_text(history: &History, handling: Handling, observed: &ObservedMessage) -> bool {
    match handling {
        Handling::Press
        | Handling::NonClientPress
        | Handling::SysCommand
        | Handling::EndsTyping
        | Handling::Drop => true,
        Handling::ScreenPoint => observed.number == WM_CONTEXTMENU,
        Handling::Key => observed.number == WM_SYSKEYDOWN,
        Handling::Command => observed.lparam == 0 || observed.code() == 0,
        Handling::FocusOut | Handling::Destroy => history.focus.is(observed.hwnd),
        _ => false,
    }
}

/// Keys that move on from a private field, and belong to no secret: Tab, Enter, Esc.
pub(crate) fn is_public_key(observed: &ObservedMessage) -> bool {
    observed.number == WM_KEYDOWN && matches!(observed.wparam, 0x09 | 0x0D | 0x1B)
}
