//! Which messages are recorded, and how much of each: one table to review at a glance.
//!
//! The callback looks a message up in an array; this file makes that array. A message that is not listed is
//! turned away.

/// What the callback does with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Plan {
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
    /// lParam is a STYLESTRUCT.
    Style,
    /// lParam is an NMHDR; only the codes that mean an action.
    Notify,
    /// A move of the pointer: only while a button is held, unless all are wanted.
    Move,
    /// A key or character: a secret in a password field.
    Key,
    /// WM_COMMAND: a change of a password field would tell its length.
    Command,
    /// The focus leaves: the end of a secret.
    Focus,
    /// EM_SETPASSWORDCHAR: from now on the window is private.
    PasswordChar,
}

/// A row: message, plan, name.
type Row = (u32, Plan, &'static str);

use Plan::{Command, Create, Focus, Key, Move, Notify, PasswordChar, Plain, Position, Style, Text};

/// Messages that change which windows there are and how they look.
#[rustfmt::skip]
pub const STRUCTURE: &[Row] = &[
    (0x0001, Create, "WM_CREATE"),        (0x0002, Plain, "WM_DESTROY"),       (0x0082, Plain, "WM_NCDESTROY"),
    (0x000C, Text, "WM_SETTEXT"),         (0x0018, Plain, "WM_SHOWWINDOW"),    (0x000A, Plain, "WM_ENABLE"),
    (0x0047, Position, "WM_WINDOWPOSCHANGED"), (0x007D, Style, "WM_STYLECHANGED"),
    (0x0006, Plain, "WM_ACTIVATE"),       (0x001C, Plain, "WM_ACTIVATEAPP"),   (0x0222, Plain, "WM_MDIACTIVATE"),
    (0x0211, Plain, "WM_ENTERMENULOOP"),  (0x0212, Plain, "WM_EXITMENULOOP"),
    (0x0231, Plain, "WM_ENTERSIZEMOVE"),  (0x0232, Plain, "WM_EXITSIZEMOVE"),
    (0x00CC, PasswordChar, "EM_SETPASSWORDCHAR"),
];

/// What the user's hands did.
#[rustfmt::skip]
pub const INPUT: &[Row] = &[
    (0x0201, Plain, "WM_LBUTTONDOWN"),    (0x0202, Plain, "WM_LBUTTONUP"),     (0x0203, Plain, "WM_LBUTTONDBLCLK"),
    (0x0204, Plain, "WM_RBUTTONDOWN"),    (0x0205, Plain, "WM_RBUTTONUP"),     (0x0206, Plain, "WM_RBUTTONDBLCLK"),
    (0x0207, Plain, "WM_MBUTTONDOWN"),    (0x0208, Plain, "WM_MBUTTONUP"),     (0x0209, Plain, "WM_MBUTTONDBLCLK"),
    (0x020B, Plain, "WM_XBUTTONDOWN"),    (0x020C, Plain, "WM_XBUTTONUP"),     (0x020D, Plain, "WM_XBUTTONDBLCLK"),
    (0x00A1, Plain, "WM_NCLBUTTONDOWN"),  (0x00A2, Plain, "WM_NCLBUTTONUP"),   (0x00A3, Plain, "WM_NCLBUTTONDBLCLK"),
    (0x00A4, Plain, "WM_NCRBUTTONDOWN"),  (0x00A5, Plain, "WM_NCRBUTTONUP"),   (0x00A6, Plain, "WM_NCRBUTTONDBLCLK"),
    (0x00A7, Plain, "WM_NCMBUTTONDOWN"),  (0x00A8, Plain, "WM_NCMBUTTONUP"),   (0x00A9, Plain, "WM_NCMBUTTONDBLCLK"),
    (0x00AB, Plain, "WM_NCXBUTTONDOWN"),  (0x00AC, Plain, "WM_NCXBUTTONUP"),   (0x00AD, Plain, "WM_NCXBUTTONDBLCLK"),
    (0x0200, Move, "WM_MOUSEMOVE"),       (0x020A, Plain, "WM_MOUSEWHEEL"),    (0x020E, Plain, "WM_MOUSEHWHEEL"),
    (0x0100, Key, "WM_KEYDOWN"),          (0x0101, Key, "WM_KEYUP"),           (0x0102, Key, "WM_CHAR"),
    (0x0103, Key, "WM_DEADCHAR"),         (0x0104, Key, "WM_SYSKEYDOWN"),      (0x0105, Key, "WM_SYSKEYUP"),
    (0x0106, Key, "WM_SYSCHAR"),          (0x0109, Key, "WM_UNICHAR"),         (0x0286, Key, "WM_IME_CHAR"),
    (0x0312, Plain, "WM_HOTKEY"),         (0x0319, Plain, "WM_APPCOMMAND"),
    (0x0007, Plain, "WM_SETFOCUS"),       (0x0008, Focus, "WM_KILLFOCUS"),
];

/// What the application was told to do.
#[rustfmt::skip]
pub const COMMANDS: &[Row] = &[
    (0x0111, Command, "WM_COMMAND"),      (0x0112, Plain, "WM_SYSCOMMAND"),    (0x004E, Notify, "WM_NOTIFY"),
    (0x0114, Plain, "WM_HSCROLL"),        (0x0115, Plain, "WM_VSCROLL"),       (0x0010, Plain, "WM_CLOSE"),
    (0x0117, Plain, "WM_INITMENUPOPUP"),  (0x011F, Plain, "WM_MENUSELECT"),    (0x0126, Plain, "WM_MENUCOMMAND"),
    (0x007B, Plain, "WM_CONTEXTMENU"),    (0x0233, Plain, "WM_DROPFILES"),     (0x00F5, Plain, "BM_CLICK"),
    (0x0300, Plain, "WM_CUT"),            (0x0301, Plain, "WM_COPY"),          (0x0302, Plain, "WM_PASTE"),
    (0x0303, Plain, "WM_CLEAR"),          (0x0304, Plain, "WM_UNDO"),          (0x00C7, Plain, "EM_UNDO"),
    (0x00C2, Text, "EM_REPLACESEL"),
];

/// Codes of WM_NOTIFY that mean an action of the user, and none that merely ask or paint.
#[rustfmt::skip]
const ACTIONS: &[(i32, &str)] = &[
    (-2, "NM_CLICK"), (-3, "NM_DBLCLK"), (-4, "NM_RETURN"), (-5, "NM_RCLICK"), (-6, "NM_RDBLCLK"),
    (-101, "LVN_ITEMCHANGED"), (-106, "LVN_ENDLABELEDITA"), (-176, "LVN_ENDLABELEDITW"),
    (-108, "LVN_COLUMNCLICK"), (-114, "LVN_ITEMACTIVATE"), (-402, "TVN_SELCHANGEDA"),
    (-451, "TVN_SELCHANGEDW"), (-406, "TVN_ITEMEXPANDEDA"), (-455, "TVN_ITEMEXPANDEDW"),
    (-411, "TVN_ENDLABELEDITA"), (-460, "TVN_ENDLABELEDITW"), (-551, "TCN_SELCHANGE"),
    (-302, "HDN_ITEMCLICKA"), (-322, "HDN_ITEMCLICKW"), (-307, "HDN_ENDTRACKA"), (-327, "HDN_ENDTRACKW"),
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
    plans: Box<[u8; 0x1_0000]>,
    /// Whether moves count without a button held.
    pub all_moves: bool,
}

impl Filter {
    /// The three tables, further messages recorded with their numbers, and messages left out.
    pub fn new(extra: &[u32], suppressed: &[u32], all_moves: bool) -> Self {
        let mut plans = Box::new([Plan::Reject as u8; 0x1_0000]);
        let mut set = |message: u32, plan: Plan| {
            if let Some(slot) = plans.get_mut(message as usize) {
                *slot = plan as u8;
            }
        };
        extra.iter().for_each(|&message| set(message, Plain));
        for &(message, plan, _) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS) {
            set(message, plan);
        }
        suppressed.iter().for_each(|&message| set(message, Plan::Reject));
        Self { plans, all_moves }
    }

    /// What to do with a message.
    #[inline]
    pub fn plan(&self, message: u32) -> Plan {
        const PLANS: [Plan; 12] = [
            Plan::Reject,
            Plain,
            Create,
            Text,
            Position,
            Style,
            Notify,
            Move,
            Key,
            Command,
            Focus,
            PasswordChar,
        ];
        match self.plans.get(message as usize) {
            Some(&code) => PLANS[usize::from(code) % PLANS.len()],
            None => Plan::Reject,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_name_each_message_once_and_rightly() {
        let mut seen = std::collections::HashSet::new();
        for &(message, plan, name) in STRUCTURE.iter().chain(INPUT).chain(COMMANDS) {
            assert!(seen.insert(message), "{name} twice");
            assert_eq!(message_log::message_name(message), name);
            assert_eq!(Filter::new(&[], &[], false).plan(message), plan, "{name}");
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
            assert_eq!(filter.plan(message_log::message_number(name).unwrap()), Plan::Reject, "{name}");
        }
        assert_eq!(filter.plan(0x400), Plan::Reject);
        assert_eq!(filter.plan(0xFFFF_FFFF), Plan::Reject);
    }

    #[test]
    fn a_host_adds_and_suppresses_messages() {
        let filter = Filter::new(&[0x8001, 0x0201], &[0x0100, 0x8002], false);
        assert_eq!(filter.plan(0x8001), Plain);
        assert_eq!(filter.plan(0x0100), Plan::Reject);
        assert_eq!(filter.plan(0x0201), Plain);
    }
}
