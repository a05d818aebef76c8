//! Which of the messages that the filter admits are recorded: decided by their contents, and by what was
//! recorded before.

use crate::callback::observed_message::ObservedMessage;
use crate::callback::workspace::History;
use crate::callback::{facts, notification_items, text_callbacks};
use crate::shared::controls;
use crate::shared::filter::{Filter, Handling, is_action};
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::guarded;
use crate::system::window::Window;
use win32_vocabulary::ClassName;
use win32_vocabulary::input::GCS_RESULTSTR;
use win32_vocabulary::keys::{VK_DELETE, VK_ESCAPE, VK_RETURN, VK_TAB};
use win32_vocabulary::messages::{
    WM_CONTEXTMENU, WM_DESTROY, WM_KEYDOWN, WM_KEYUP, WM_SYSCHAR, WM_SYSKEYDOWN, WM_SYSKEYUP,
};
use win32_vocabulary::mouse::{MK_LBUTTON, MK_MBUTTON, MK_RBUTTON, MK_XBUTTON1, MK_XBUTTON2};
use win32_vocabulary::notifications::{
    BN_CLICKED, CBN_EDITCHANGE, CBN_EDITUPDATE, EN_CHANGE, EN_KILLFOCUS, EN_SETFOCUS, EN_UPDATE, EN_VSCROLL,
    LVN_ITEMCHANGED,
};
use win32_vocabulary::styles::{BS_3STATE, BS_CHECKBOX, BS_TYPEMASK, WS_CHILD};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    SWP_HIDEWINDOW, SWP_NOMOVE, SWP_NOSIZE, SWP_SHOWWINDOW, WINDOWPOS,
};

const BUTTONS: u32 = MK_LBUTTON | MK_RBUTTON | MK_MBUTTON | MK_XBUTTON1 | MK_XBUTTON2;

/// Whether the contents of a message make it relevant.
#[inline(always)]
pub(crate) fn is_relevant(filter: &Filter, handling: Handling, observed: &ObservedMessage) -> bool {
    match handling {
        Handling::Move => filter.all_moves || observed.wparam & BUTTONS as usize != 0,
        Handling::Ime => {
            observed.lparam & GCS_RESULTSTR as isize != 0 && !is_input_method_window(observed.hwnd)
        }
        Handling::Notify => guarded::read(observed.pointer::<NMHDR>()).is_some_and(|header| {
            let code = header.code.cast_signed();
            is_action(code)
                && (code != LVN_ITEMCHANGED || notification_items::is_item_change(observed.pointer()))
        }),
        Handling::Position => guarded::read(observed.pointer::<WINDOWPOS>())
            .is_some_and(|position| moves_or_resizes(&position) || shows_or_hides(&position)),
        Handling::Check => {
            matches!(Window(observed.hwnd).style() & BS_TYPEMASK, BS_CHECKBOX | BS_3STATE)
        }
        Handling::Inspect => {
            text_callbacks::on_item_text(observed.hwnd, observed.number, observed.lparam.cast_unsigned());
            false
        }
        _ => true,
    }
}

/// Whether this is the input method's own window, to which Windows forwards the messages of the edit.
#[inline(never)]
fn is_input_method_window(hwnd: usize) -> bool {
    let mut buffer = [0; 256];
    Window(hwnd).class(&mut buffer).is_name("IME")
}

fn moves_or_resizes(position: &WINDOWPOS) -> bool {
    let neither = SWP_NOMOVE | SWP_NOSIZE;
    position.flags & neither != neither
}

fn shows_or_hides(position: &WINDOWPOS) -> bool {
    position.flags & (SWP_SHOWWINDOW | SWP_HIDEWINDOW) != Default::default()
}

/// Whether a message says something that earlier records do not.
#[inline(always)]
pub(crate) fn is_new(
    history: &mut History,
    masks: &MaskRules,
    handling: Handling,
    observed: &ObservedMessage,
) -> bool {
    let hwnd = observed.hwnd;
    match handling {
        Handling::Key | Handling::Ime => {
            if matches!(observed.number, WM_KEYDOWN..=WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSKEYUP) {
                let is_down = observed.number & 1 == 0;
                history.modifiers.on_key(observed.key(), is_down, observed.is_alt_down());
            }
            history.focus.set_focus(hwnd, masks);
            if changes_text(observed) {
                history.focus.mark_typed(hwnd);
            }
            // Of a secret only the first key is recorded, so that the log does not reveal the length.
            privacy::privacy_of(hwnd) < Privacy::Secret
                || is_public_key(observed)
                || std::mem::replace(&mut history.secret, hwnd) != hwnd
        }
        Handling::Edit => {
            history.focus.mark_typed(hwnd);
            true
        }
        Handling::FocusIn => {
            history.modifiers.refresh();
            history.focus.set_focus(hwnd, masks);
            true
        }
        // WM_SETFOCUS and WM_KILLFOCUS are recorded; what an edit reports to its parent adds nothing.
        Handling::Command if matches!(observed.code(), EN_SETFOCUS | EN_KILLFOCUS) => {
            !controls::is_edit(Window(observed.lparam.cast_unsigned()))
        }
        // Each change of a password would reveal one more letter, and so would each time that it
        // scrolls or is full.
        Handling::Command
            if matches!(observed.code(), EN_CHANGE..=EN_VSCROLL | CBN_EDITCHANGE | CBN_EDITUPDATE) =>
        {
            let source = observed.lparam.cast_unsigned();
            if matches!(observed.code(), EN_CHANGE | EN_UPDATE) {
                history.focus.mark_typed(source);
            }
            // EN_CHANGE follows EN_UPDATE, and a rich edit sends EN_UPDATE whenever it is painted.
            let is_painting = observed.code() == EN_UPDATE && controls::is_edit(Window(source));
            !is_painting && privacy::privacy_of(source) < Privacy::Secret
        }
        Handling::Position => guarded::read(observed.pointer::<WINDOWPOS>()).is_none_or(|position| {
            let (place, shows_or_hides) = (facts::place_of(&position), shows_or_hides(&position));
            let is_shown = shows_or_hides.then(|| position.flags & SWP_SHOWWINDOW != Default::default());
            // Without a move or a resize the rectangle may be empty.
            let reported_place = moves_or_resizes(&position).then_some(place);
            history.movement.should_record(hwnd, place, shows_or_hides)
                && history.last_reported.set_place(hwnd, reported_place, is_shown)
        }),
        // With a reason in lParam it is a request that may not be granted.
        Handling::Show if observed.lparam == 0 => history.last_reported.set_shown(hwnd, observed.wparam != 0),
        Handling::Style => {
            history.last_reported.on_style_changed(hwnd);
            true
        }
        // WM_NCDESTROY reports the end of every window. WM_DESTROY matters for top-level windows, and
        // for a typed text.
        Handling::Destroy if observed.number == WM_DESTROY => {
            let is_top_level = Window(hwnd).style() & WS_CHILD == 0;
            if is_top_level {
                history.destroyed_root = hwnd;
            }
            is_top_level || history.focus.is_window(hwnd)
        }
        Handling::Destroy => {
            history.last_reported.on_destroyed(hwnd);
            let is_new = !is_destroyed_with_root(history, hwnd);
            // One that is recorded is still needed for its record.
            if !is_new {
                forget_destroyed(hwnd);
            }
            is_new
        }
        _ => true,
    }
}

/// Forgets what is known of a window that is destroyed.
pub(crate) fn forget_destroyed(hwnd: usize) {
    privacy::on_destroyed(hwnd);
    text_callbacks::forget(hwnd);
}

/// Whether a window is destroyed together with its top-level window, whose WM_DESTROY is recorded.
fn is_destroyed_with_root(history: &mut History, hwnd: usize) -> bool {
    if history.destroyed_root == hwnd {
        history.destroyed_root = 0;
    }
    history.destroyed_root != 0 && Window(hwnd).root().is_some_and(|root| root.0 == history.destroyed_root)
}

/// Whether a key may change the text it goes to: characters, and Delete, which is none.
fn changes_text(observed: &ObservedMessage) -> bool {
    match observed.number {
        WM_KEYDOWN => observed.key() == VK_DELETE,
        WM_KEYUP | WM_SYSKEYDOWN..=WM_SYSCHAR => false,
        _ => true,
    }
}

/// Whether what was typed before this message is complete: the user does something else, or the edit
/// loses the focus.
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
        Handling::Command => observed.lparam == 0 || observed.code() == BN_CLICKED,
        Handling::FocusOut | Handling::Destroy => history.focus.is_window(observed.hwnd),
        _ => false,
    }
}

/// Keys that leave a secret field and are not part of a secret: Tab, Enter, Esc.
pub(crate) fn is_public_key(observed: &ObservedMessage) -> bool {
    observed.number == WM_KEYDOWN && matches!(observed.key(), VK_TAB | VK_RETURN | VK_ESCAPE)
}
