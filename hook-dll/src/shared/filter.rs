//! Which messages are recorded, and how much of each: one table to review at a glance.
//!
//! The callback looks a message up in an array; this file makes that array. A message that is not listed is
//! turned away.

/// What the callback does with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Handling {
    /// Count it and nothing else.
    Reject = 0,
    /// Its numbers say it all.
    Plain,
    /// A window is born: copy its CREATESTRUCT.
    Create,
    /// lParam is a text.
    Text,
    /// lParam is a WINDOWPOS; only what moves, sizes, shows or hides.
    Position,
    /// A window is shown or hidden, unless that was told already.
    Show,
    /// lParam is a STYLESTRUCT.
    Style,
    /// lParam is an NMHDR; only the codes that mean an action.
    Notify,
    /// A move of the pointer: only while a button is held, unless all are wanted.
    Move,
    /// A button goes down: the text typed before is complete.
    Press,
    /// The same with its point on the screen.
    NonClientPress,
    /// A point on the screen.
    ScreenPoint,
    /// A button goes up: perhaps over another window.
    Release,
    /// A key or character: a secret in a password field.
    Key,
    /// WM_IME_COMPOSITION; only a result.
    Ime,
    /// WM_COMMAND: its item; a change of a password field would tell its length.
    Command,
    /// WM_SYSCOMMAND: perhaps from a menu.
    SysCommand,
    /// WM_CLOSE and its like: the text typed before is complete.
    EndsTyping,
    /// WM_DROPFILES
    Drop,
    /// A scroll bar's position is wider than the message.
    Scroll,
    /// A menu opens.
    MenuOpen,
    /// An item of a menu is highlighted.
    MenuSelect,
    /// WM_MENUCOMMAND
    MenuCommand,
    /// Cut, paste and their like change a text.
    Edit,
    /// The focus comes.
    FocusIn,
    /// The focus leaves: the end of a secret, and of a text.
    FocusOut,
    /// A window dies.
    Destroy,
    /// EM_SETPASSWORDCHAR: from now on the window is private.
    PasswordChar,
    /// BM_SETCHECK: only of a check box whose state is the program's to set.
    Check,
    /// An item is put into a tree or header. Looked at, not recorded.
    Inspect,
}

/// A row: message, plan, name.
type Row = (u32, Handling, &'static str);

use Handling::{
    Check, Command, Create, Destroy, Drop, Edit, EndsTyping, FocusIn, FocusOut, Ime, Inspect, Key,
    MenuCommand, MenuOpen, MenuSelect, Move, NonClientPress, Notify, PasswordChar, Plain, Position, Press,
    Release, ScreenPoint, Scroll, Show, Style, SysCommand, Text,
};

/// Messages that change which windows there are and how they look.
#[rustfmt::skip]
pub const STRUCTURE: &[Row] = &[
    (0x0001, Create, "WM_CREATE"),        (0x0002, Destroy, "WM_DESTROY"),       (0x0082, Destroy, "WM_NCDESTROY"),
    (0x000C, Text, "WM_SETTEXT"),         (0x0018, Show, "WM_SHOWWINDOW"),    (0x000A, Plain, "WM_ENABLE"),
    (0x0047, Position, "WM_WINDOWPOSCHANGED"), (0x007D, Style, "WM_STYLECHANGED"),
    (0x0006, Plain, "WM_ACTIVATE"),       (0x001C, Plain, "WM_ACTIVATEAPP"),   (0x0222, Plain, "WM_MDIACTIVATE"),
    (0x0211, Plain, "WM_ENTERMENULOOP"),  (0x0212, Plain, "WM_EXITMENULOOP"),
    (0x0231, Plain, "WM_ENTERSIZEMOVE"),  (0x0232, Plain, "WM_EXITSIZEMOVE"),
    (0x00CC, PasswordChar, "EM_SETPASSWORDCHAR"),
];

/// What the user's hands did.
#[rustfmt::skip]
pub const INPUT: &[Row] = &[
    (0x0201, Press, "WM_LBUTTONDOWN"),    (0x0202, Release, "WM_LBUTTONUP"),   (0x0203, Press, "WM_LBUTTONDBLCLK"),
    (0x0204, Press, "WM_RBUTTONDOWN"),    (0x0205, Release, "WM_RBUTTONUP"),   (0x0206, Press, "WM_RBUTTONDBLCLK"),
    (0x0207, Press, "WM_MBUTTONDOWN"),    (0x0208, Release, "WM_MBUTTONUP"),   (0x0209, Press, "WM_MBUTTONDBLCLK"),
    (0x020B, Press, "WM_XBUTTONDOWN"),    (0x020C, Release, "WM_XBUTTONUP"),   (0x020D, Press, "WM_XBUTTONDBLCLK"),
    (0x00A1, NonClientPress, "WM_NCLBUTTONDOWN"), (0x00A2, ScreenPoint, "WM_NCLBUTTONUP"), (0x00A3, NonClientPress, "WM_NCLBUTTONDBLCLK"),
    (0x00A4, NonClientPress, "WM_NCRBUTTONDOWN"), (0x00A5, ScreenPoint, "WM_NCRBUTTONUP"), (0x00A6, NonClientPress, "WM_NCRBUTTONDBLCLK"),
    (0x00A7, NonClientPress, "WM_NCMBUTTONDOWN"), (0x00A8, ScreenPoint, "WM_NCMBUTTONUP"), (0x00A9, NonClientPress, "WM_NCMBUTTONDBLCLK"),
    (0x00AB, NonClientPress, "WM_NCXBUTTONDOWN"), (0x00AC, ScreenPoint, "WM_NCXBUTTONUP"), (0x00AD, NonClientPress, "WM_NCXBUTTONDBLCLK"),
    (0x0200, Move, "WM_MOUSEMOVE"),       (0x020A, ScreenPoint, "WM_MOUSEWHEEL"),  (0x020E, ScreenPoint, "WM_MOUSEHWHEEL"),
    (0x0100, Key, "WM_KEYDOWN"),          (0x0101, Key, "WM_KEYUP"),           (0x0102, Key, "WM_CHAR"),
    (0x0103, Key, "WM_DEADCHAR"),         (0x0104, Key, "WM_SYSKEYDOWN"),      (0x0105, Key, "WM_SYSKEYUP"),
    (0x0106, Key, "WM_SYSCHAR"),          (0x0109, Key, "WM_UNICHAR"),         (0x0286, Key, "WM_IME_CHAR"),
    (0x010F, Ime, "WM_IME_COMPOSITION"),  (0x0312, EndsTyping, "WM_HOTKEY"),         (0x0319, EndsTyping, "WM_APPCOMMAND"),
    (0x0007, FocusIn, "WM_SETFOCUS"),     (0x0008, FocusOut, "WM_KILLFOCUS"),
];

/// What the application was told to do.
#[rustfmt::skip]
pub const COMMANDS: &[Row] = &[
    (0x0111, Command, "WM_COMMAND"),      (0x0112, SysCommand, "WM_SYSCOMMAND"), (0x004E, Notify, "WM_NOTIFY"),
    (0x0114, Scroll, "WM_HSCROLL"),       (0x0115, Scroll, "WM_VSCROLL"),      (0x0010, EndsTyping, "WM_CLOSE"),
    (0x0117, MenuOpen, "WM_INITMENUPOPUP"), (0x011F, MenuSelect, "WM_MENUSELECT"), (0x0126, MenuCommand, "WM_MENUCOMMAND"),
    (0x007B, ScreenPoint, "WM_CONTEXTMENU"),  (0x0233, Drop, "WM_DROPFILES"),      (0x00F5, EndsTyping, "BM_CLICK"),
    (0x0300, Edit, "WM_CUT"),             (0x0301, Plain, "WM_COPY"),          (0x0302, Edit, "WM_PASTE"),
    (0x0303, Edit, "WM_CLEAR"),           (0x0304, Edit, "WM_UNDO"),           (0x00C7, Edit, "EM_UNDO"),
    (0x00C2, Text, "EM_REPLACESEL"),      (0x0012, Plain, "WM_QUIT"),          (0x00F1, Check, "BM_SETCHECK"),
];

/// Looked at and turned away: they tell whether reading an item's text would call the host.
#[rustfmt::skip]
const INSPECTED: &[Row] = &[
    (0x1100, Inspect, "TVM_INSERTITEMA"),   (0x1132, Inspect, "TVM_INSERTITEMW"),
    (0x110D, Inspect, "TVM_SETITEMA"),      (0x113F, Inspect, "TVM_SETITEMW"),
    (0x1201, Inspect, "HDM_INSERTITEMA"),   (0x120A, Inspect, "HDM_INSERTITEMW"),
    (0x1204, Inspect, "HDM_SETITEMA"),      (0x120C, Inspect, "HDM_SETITEMW"),
];

/// Codes of WM_NOTIFY that mean an action of the user, and none that merely ask or paint.
#[rustfmt::skip]
const ACTIONS: &[(i32, &str)] = &[
    (-2, "NM_CLICK"), (-3, "NM_DBLCLK"), (-4, "NM_RETURN"), (-5, "NM_RCLICK"), (-6, "NM_RDBLCLK"),
    (-101, "LVN_ITEMCHANGED"), (-106, "LVN_ENDLABELEDITA"), (-176, "LVN_ENDLABELEDITW"),
    (-105, "LVN_BEGINLABELEDITA"), (-175, "LVN_BEGINLABELEDITW"),
    (-410, "TVN_BEGINLABELEDITA"), (-459, "TVN_BEGINLABELEDITW"),
    (-108, "LVN_COLUMNCLICK"), (-109, "LVN_BEGINDRAG"), (-111, "LVN_BEGINRDRAG"),
    (-114, "LVN_ITEMACTIVATE"), (-115, "LVN_ODSTATECHANGED"),
    (-402, "TVN_SELCHANGEDA"), (-451, "TVN_SELCHANGEDW"), (-406, "TVN_ITEMEXPANDEDA"), (-455, "TVN_ITEMEXPANDEDW"),
    (-407, "TVN_BEGINDRAGA"), (-456, "TVN_BEGINDRAGW"), (-411, "TVN_ENDLABELEDITA"), (-460, "TVN_ENDLABELEDITW"),
    (-551, "TCN_SELCHANGE"), (-302, "HDN_ITEMCLICKA"), (-322, "HDN_ITEMCLICKW"),
    (-303, "HDN_ITEMDBLCLICKA"), (-323, "HDN_ITEMDBLCLICKW"), (-305, "HDN_DIVIDERDBLCLICKA"), (-325, "HDN_DIVIDERDBLCLICKW"),
    (-307, "HDN_ENDTRACKA"), (-327, "HDN_ENDTRACKW"), (-311, "HDN_ENDDRAG"),
    (-710, "TBN_DROPDOWN"), (-759, "DTN_DATETIMECHANGE"), (-746, "MCN_SELECT"), (-722, "UDN_DELTAPOS"),
    (-860, "IPN_FIELDCHANGED"), (-1248, "BCN_DROPDOWN"), (-202, "PSN_APPLY"), (-207, "PSN_WIZNEXT"),
    (-206, "PSN_WIZBACK"), (-208, "PSN_WIZFINISH"), (-841, "RBN_CHEVRONPUSHED"), (1803, "EN_LINK"),
];

/// Whether a notification means an action.
pub fn is_action(code: i32) -> bool {
    ACTIONS.iter().any(|&(action, _)| action == code)
}

/// What to do with each message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    handlings: Box<[Handling]>,
    /// Whether moves count without a button held.
    pub all_moves: bool,
}

impl Filter {
    /// The tables, further messages recorded with their numbers, and messages left out.
    pub fn new(extra: &[u32], suppressed: &[u32], all_moves: bool) -> Self {
        let mut handlings = vec![Handling::Reject; 0x1_0000].into_boxed_slice();
        let mut set = |message: u32, handling: Handling| {
            if let Some(slot) = handlings.get_mut(message as usize) {
                *slot = handling;
            }
        };
        for &(message, handling, _) in INSPECTED {
            set(message, handling);
        }
        extra.iter().for_each(|&message| set(message, Plain));
        for &(message, handling, _) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS) {
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
    fn the_tables_name_each_message_once_and_rightly() {
        let mut seen = std::collections::HashSet::new();
        for &(message, handling, name) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS) {
            assert!(seen.insert(message), "{name} twice");
            assert_eq!(message_log::message_name(message), name);
            assert_eq!(Filter::new(&[], &[], false).handling(message), handling, "{name}");
        }
    }

    #[test]
    fn what_is_polled_or_painted_is_turned_away() {
        let filter = Filter::new(&[], &[], false);
        for name in [
            "WM_GETTEXT",
            "WM_PAINT",
            "WM_TIMER",
            "WM_SETCURSOR",
            "WM_NCHITTEST",
            "WM_GETDLGCODE",
            "WM_ERASEBKGND",
        ] {
            assert_eq!(
                filter.handling(message_log::message_number(name).unwrap()),
                Handling::Reject,
                "{name}"
            );
        }
        assert_eq!(filter.handling(0x400), Handling::Reject);
        assert_eq!(filter.handling(0xFFFF_FFFF), Handling::Reject);
    }

    #[test]
    fn a_host_adds_and_suppresses_messages() {
        let filter = Filter::new(&[0x8001, 0x0201], &[0x0100, 0x8002], false);
        assert_eq!(filter.handling(0x8001), Plain);
        assert_eq!(filter.handling(0x0100), Handling::Reject);
        assert_eq!(filter.handling(0x0201), Press);
    }
}
