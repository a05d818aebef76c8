//! Which messages are recorded, and how: tables to review at a glance.
//!
//! The callback looks a message up in an array that [`Filter`] makes of these tables. A message that is not
//! listed is rejected.

/// What the callback does with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Handling {
    /// Counted and nothing else.
    Reject = 0,
    /// Recorded with its numbers alone.
    Plain,
    /// WM_CREATE: the CREATESTRUCT is copied.
    Create,
    /// lParam is a text, which is copied.
    Text,
    /// lParam is a WINDOWPOS; recorded only if the window moves, is resized, shown or hidden.
    Position,
    /// A window is shown or hidden; recorded unless it is known.
    Show,
    /// lParam is a STYLESTRUCT.
    Style,
    /// lParam is an NMHDR; recorded for the codes that mean an action.
    Notify,
    /// The pointer moves; recorded only while a button is down, unless the host wants all moves.
    Move,
    /// A button goes down, which completes the text typed before.
    Press,
    /// The same outside the client area, with screen coordinates.
    NonClientPress,
    /// Another message with screen coordinates.
    ScreenPoint,
    /// A button goes up, perhaps over another window.
    Release,
    /// A key or character, which is secret in a password field.
    Key,
    /// WM_IME_COMPOSITION; recorded if it is a result.
    Ime,
    /// WM_COMMAND with its item. Changes of a password field are not recorded: they would reveal its length.
    Command,
    /// WM_SYSCOMMAND, perhaps from a menu.
    SysCommand,
    /// WM_CLOSE and others that complete the text typed before.
    EndsTyping,
    /// WM_DROPFILES
    Drop,
    /// A scroll bar's message, whose position is wider than the message's 16 bits.
    Scroll,
    /// A menu opens.
    MenuOpen,
    /// An item of a menu is highlighted.
    MenuSelect,
    /// WM_MENUCOMMAND
    MenuCommand,
    /// Cut, paste and others that change a text.
    Edit,
    /// A window gets the focus.
    FocusIn,
    /// A window loses the focus, which completes a text or a secret.
    FocusOut,
    /// A window is destroyed.
    Destroy,
    /// EM_SETPASSWORDCHAR: the window is secret from now on.
    PasswordChar,
    /// BM_SETCHECK; recorded for check boxes whose state the program sets.
    Check,
    /// The text of an item of a tree or header is set. Inspected, not recorded.
    Inspect,
}

/// A row of a table: a message and its handling.
type Row = (u32, Handling);

use Handling::{
    Check, Command, Create, Destroy, Drop, Edit, EndsTyping, FocusIn, FocusOut, Ime, Inspect, Key,
    MenuCommand, MenuOpen, MenuSelect, Move, NonClientPress, Notify, PasswordChar, Plain, Position, Press,
    Release, ScreenPoint, Scroll, Show, Style, SysCommand, Text,
};
use win32_vocabulary::messages::*;
use win32_vocabulary::notifications::*;

/// Messages that create, destroy and change windows.
#[rustfmt::skip]
pub const STRUCTURE: &[Row] = &[
    (WM_CREATE, Create),        (WM_DESTROY, Destroy),       (WM_NCDESTROY, Destroy),
    (WM_SETTEXT, Text),         (WM_SHOWWINDOW, Show),    (WM_ENABLE, Plain),
    (WM_WINDOWPOSCHANGED, Position), (WM_STYLECHANGED, Style),
    (WM_ACTIVATE, Plain),       (WM_ACTIVATEAPP, Plain),   (WM_MDIACTIVATE, Plain),
    (WM_ENTERMENULOOP, Plain),  (WM_EXITMENULOOP, Plain),
    (WM_ENTERSIZEMOVE, Plain),  (WM_EXITSIZEMOVE, Plain),
    (EM_SETPASSWORDCHAR, PasswordChar),
];

/// Input of the user.
#[rustfmt::skip]
pub const INPUT: &[Row] = &[
    (WM_LBUTTONDOWN, Press),    (WM_LBUTTONUP, Release),   (WM_LBUTTONDBLCLK, Press),
    (WM_RBUTTONDOWN, Press),    (WM_RBUTTONUP, Release),   (WM_RBUTTONDBLCLK, Press),
    (WM_MBUTTONDOWN, Press),    (WM_MBUTTONUP, Release),   (WM_MBUTTONDBLCLK, Press),
    (WM_XBUTTONDOWN, Press),    (WM_XBUTTONUP, Release),   (WM_XBUTTONDBLCLK, Press),
    (WM_NCLBUTTONDOWN, NonClientPress), (WM_NCLBUTTONUP, ScreenPoint), (WM_NCLBUTTONDBLCLK, NonClientPress),
    (WM_NCRBUTTONDOWN, NonClientPress), (WM_NCRBUTTONUP, ScreenPoint), (WM_NCRBUTTONDBLCLK, NonClientPress),
    (WM_NCMBUTTONDOWN, NonClientPress), (WM_NCMBUTTONUP, ScreenPoint), (WM_NCMBUTTONDBLCLK, NonClientPress),
    (WM_NCXBUTTONDOWN, NonClientPress), (WM_NCXBUTTONUP, ScreenPoint), (WM_NCXBUTTONDBLCLK, NonClientPress),
    (WM_MOUSEMOVE, Move),       (WM_MOUSEWHEEL, ScreenPoint),  (WM_MOUSEHWHEEL, ScreenPoint),
    (WM_KEYDOWN, Key),          (WM_KEYUP, Key),           (WM_CHAR, Key),
    (WM_DEADCHAR, Key),         (WM_SYSKEYDOWN, Key),      (WM_SYSKEYUP, Key),
    (WM_SYSCHAR, Key),          (WM_UNICHAR, Key),         (WM_IME_CHAR, Key),
    (WM_IME_COMPOSITION, Ime),  (WM_HOTKEY, EndsTyping),         (WM_APPCOMMAND, EndsTyping),
    (WM_SETFOCUS, FocusIn),     (WM_KILLFOCUS, FocusOut),
];

/// Commands and notifications to the application.
#[rustfmt::skip]
pub const COMMANDS: &[Row] = &[
    (WM_COMMAND, Command),      (WM_SYSCOMMAND, SysCommand), (WM_NOTIFY, Notify),
    (WM_HSCROLL, Scroll),       (WM_VSCROLL, Scroll),      (WM_CLOSE, EndsTyping),
    (WM_INITMENUPOPUP, MenuOpen), (WM_MENUSELECT, MenuSelect), (WM_MENUCOMMAND, MenuCommand),
    (WM_CONTEXTMENU, ScreenPoint),  (WM_DROPFILES, Drop),      (BM_CLICK, EndsTyping),
    (WM_CUT, Edit),             (WM_COPY, Plain),          (WM_PASTE, Edit),
    (WM_CLEAR, Edit),           (WM_UNDO, Edit),           (EM_UNDO, Edit),
    (EM_REPLACESEL, Text),      (WM_QUIT, Plain),          (BM_SETCHECK, Check),
];

/// Inspected and rejected: they show whether reading an item's text would call the host.
#[rustfmt::skip]
const INSPECTED: &[Row] = &[
    (TVM_INSERTITEMA, Inspect),   (TVM_INSERTITEMW, Inspect),
    (TVM_SETITEMA, Inspect),      (TVM_SETITEMW, Inspect),
    (HDM_INSERTITEMA, Inspect),   (HDM_INSERTITEMW, Inspect),
    (HDM_SETITEMA, Inspect),      (HDM_SETITEMW, Inspect),
];

/// Codes of WM_NOTIFY that mean an action of the user; not those that query or paint.
#[rustfmt::skip]
const ACTIONS: &[i32] = &[
    NM_CLICK, NM_DBLCLK, NM_RETURN, NM_RCLICK, NM_RDBLCLK,
    LVN_ITEMCHANGED, LVN_ENDLABELEDITA, LVN_ENDLABELEDITW,
    LVN_BEGINLABELEDITA, LVN_BEGINLABELEDITW,
    TVN_BEGINLABELEDITA, TVN_BEGINLABELEDITW,
    LVN_COLUMNCLICK, LVN_BEGINDRAG, LVN_BEGINRDRAG,
    LVN_ITEMACTIVATE, LVN_ODSTATECHANGED,
    TVN_SELCHANGEDA, TVN_SELCHANGEDW, TVN_ITEMEXPANDEDA, TVN_ITEMEXPANDEDW,
    TVN_BEGINDRAGA, TVN_BEGINDRAGW, TVN_ENDLABELEDITA, TVN_ENDLABELEDITW,
    TCN_SELCHANGE, HDN_ITEMCLICKA, HDN_ITEMCLICKW,
    HDN_ITEMDBLCLICKA, HDN_ITEMDBLCLICKW, HDN_DIVIDERDBLCLICKA, HDN_DIVIDERDBLCLICKW,
    HDN_ENDTRACKA, HDN_ENDTRACKW, HDN_ENDDRAG,
    TBN_DROPDOWN, DTN_DATETIMECHANGE, MCN_SELECT, UDN_DELTAPOS,
    IPN_FIELDCHANGED, BCN_DROPDOWN, PSN_APPLY, PSN_WIZNEXT,
    PSN_WIZBACK, PSN_WIZFINISH, RBN_CHEVRONPUSHED, EN_LINK,
];

/// Whether a notification means an action.
pub fn is_action(code: i32) -> bool {
    ACTIONS.contains(&code)
}

/// What to do with each message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    handlings: Box<[Handling]>,
    /// Whether moves are recorded without a button down.
    pub all_moves: bool,
}

impl Filter {
    /// Makes a filter of the tables, of further messages recorded with their numbers, and of
    /// messages to reject.
    pub fn new(extra: &[u32], suppressed: &[u32], all_moves: bool) -> Self {
        let mut handlings = vec![Handling::Reject; 0x1_0000].into_boxed_slice();
        let mut set = |message: u32, handling: Handling| {
            if let Some(slot) = handlings.get_mut(message as usize) {
                *slot = handling;
            }
        };
        for &(message, handling) in INSPECTED {
            set(message, handling);
        }
        extra.iter().for_each(|&message| set(message, Plain));
        for &(message, handling) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS) {
            set(message, handling);
        }
        suppressed.iter().for_each(|&message| set(message, Handling::Reject));
        Self { handlings, all_moves }
    }

    /// What to do with a message.
    #[inline]
    pub fn handling(&self, message: u32) -> Handling {
        self.handlings.get(message as usize).copied().unwrap_or(Handling::Reject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_each_message_once() {
        let mut known = std::collections::HashSet::new();
        for &(message, handling) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS).chain(INSPECTED) {
            assert!(known.insert(message), "{message:#06x} twice");
            assert_eq!(Filter::new(&[], &[], false).handling(message), handling, "{message:#06x}");
        }
    }

    #[test]
    fn what_is_polled_or_painted_is_turned_away() {
        let filter = Filter::new(&[], &[], false);
        for message in
            [WM_GETTEXT, WM_PAINT, WM_TIMER, WM_SETCURSOR, WM_NCHITTEST, WM_GETDLGCODE, WM_ERASEBKGND]
        {
            assert_eq!(filter.handling(message), Handling::Reject, "{message:#06x}");
        }
        assert_eq!(filter.handling(WM_USER), Handling::Reject);
        assert_eq!(filter.handling(0xFFFF_FFFF), Handling::Reject);
    }

    #[test]
    fn a_host_adds_and_suppresses_messages() {
        let filter = Filter::new(&[WM_APP + 1, WM_LBUTTONDOWN], &[WM_KEYDOWN, WM_APP + 2], false);
        assert_eq!(filter.handling(WM_APP + 1), Plain);
        assert_eq!(filter.handling(WM_KEYDOWN), Handling::Reject);
        assert_eq!(filter.handling(WM_LBUTTONDOWN), Press);
    }
}
