//! The named facts of an event, each with one type.
//!
//! The table below is the only place that defines a fact's name in XML, its number in a ring record and its
//! type. Numbers are never reused. A fact with an unknown name is kept as text, so that a log passes through
//! an older program unchanged.

use crate::Text;
use std::sync::LazyLock;

/// The type of a fact's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A handle, id, code or set of flags: any 64 bits, written as an unsigned decimal.
    Unsigned,
    /// A position or amount that may be negative.
    Signed,
    /// Text.
    Text,
    /// `true` or `false`.
    Flag,
    /// `x,y`.
    Point,
    /// `left,top,right,bottom`.
    Rect,
}

/// A point, in the coordinates that the description of the fact states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels downwards.
    pub y: i32,
}

/// A rectangle, in the coordinates that the description of the fact states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge, not part of the rectangle.
    pub right: i32,
    /// Bottom edge, not part of the rectangle.
    pub bottom: i32,
}

impl Rect {
    /// Its form in a ring record: two edges per word.
    #[inline]
    pub fn words(self) -> [u64; 2] {
        let pair =
            |low: i32, high: i32| u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << 32;
        [pair(self.left, self.top), pair(self.right, self.bottom)]
    }
}

/// A fact's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// See [`Type::Unsigned`].
    Unsigned(u64),
    /// See [`Type::Signed`].
    Signed(i64),
    /// See [`Type::Text`].
    Text(Text),
    /// See [`Type::Flag`].
    Flag(bool),
    /// See [`Type::Point`].
    Point(Point),
    /// See [`Type::Rect`].
    Rect(Rect),
}

impl Value {
    /// The type of this value.
    pub fn kind(&self) -> Type {
        match self {
            Self::Unsigned(_) => Type::Unsigned,
            Self::Signed(_) => Type::Signed,
            Self::Text(_) => Type::Text,
            Self::Flag(_) => Type::Flag,
            Self::Point(_) => Type::Point,
            Self::Rect(_) => Type::Rect,
        }
    }
}

/// The size of the hash table of names, four times the number of keys.
const PLACES: usize = 512;

/// The slots in which a name may be, in the order of the search.
fn looks(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let at = |i: usize| usize::from(bytes.get(i).copied().unwrap_or_default());
    let first = bytes.len() * 37
        + at(0) * 7
        + at(bytes.len() / 2) * 31
        + at(bytes.len().wrapping_sub(2)) * 3
        + at(bytes.len().wrapping_sub(1));
    (0..PLACES).map(move |i| (first + i) % PLACES)
}

macro_rules! keys {
    ($($code:literal $key:ident $name:literal $kind:ident $doc:literal;)*) => {
        /// A fact that the format defines.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Key { $(#[doc = $doc] $key = $code),* }

        impl Key {
            /// Every key, in the order of the table.
            pub const ALL: &[Key] = &[$(Key::$key),*];

            /// The name in XML.
            pub fn name(self) -> &'static str {
                match self { $(Key::$key => $name),* }
            }

            /// The type of the value.
            pub fn kind(self) -> Type {
                match self { $(Key::$key => Type::$kind),* }
            }

            /// The key of this name in XML.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::from_bytes(name.as_bytes())
            }

            /// The same for a name in UTF-8.
            pub(crate) fn from_bytes(name: &[u8]) -> Option<Self> {
                // Called for every fact of a log: most names are found in the first slot.
                static BY_NAME: LazyLock<[Option<Key>; PLACES]> = LazyLock::new(|| {
                    let mut places = [None; PLACES];
                    for &key in Key::ALL {
                        if let Some(free) = looks(key.name().as_bytes()).find(|&i| places[i].is_none()) {
                            places[free] = Some(key);
                        }
                    }
                    places
                });
                let known = looks(name).map_while(|i| BY_NAME[i]);
                known.into_iter().find(|key| key.name().as_bytes() == name)
            }

            /// The key of this number in a ring record.
            pub fn from_code(code: u16) -> Option<Self> {
                match code { $($code => Some(Key::$key),)* _ => None }
            }

            /// The meaning of the fact, in one sentence.
            pub fn describe(self) -> &'static str {
                match self { $(Key::$key => $doc),* }
            }
        }
    };
}

keys! {
    // Windows. A message's own window is its `window.hwnd`, a field of `Message`.
    1 WindowHwnd "window.hwnd" Unsigned "The window's handle.";
    2 WindowId "window.birth" Unsigned "The window id: the number of the window within its session, from 1 and never reused, unlike handles.";
    3 WindowParent "window.parent.hwnd" Unsigned "The parent's handle; 0 for a top-level window.";
    4 WindowOwner "window.owner.hwnd" Unsigned "The handle of a top-level window's owner.";
    5 WindowResourceId "window.resourceId" Signed "The control id.";
    6 WindowClass "window.class" Text "The class name.";
    7 WindowName "window.name" Text "The caption or text the system keeps.";
    8 WindowStyle "window.style" Unsigned "The style bits.";
    9 WindowExStyle "window.exStyle" Unsigned "The extended style bits.";
    10 WindowRect "window.rect" Rect "The outer rectangle: in its parent's client coordinates for a child, on the screen for a top-level window.";
    11 WindowVisible "window.visible" Flag "Whether WS_VISIBLE is set.";
    12 WindowEnabled "window.enabled" Flag "Whether WS_DISABLED is not set.";
    13 WindowModal "window.modal" Flag "Whether the window is modal: its owner is disabled.";
    14 WindowThread "window.thread" Unsigned "The session's number of the thread that owns the window.";
    15 WindowUnicode "window.unicode" Flag "Whether the window procedure is a Unicode one.";
    16 WindowMasked "window.masked" Flag "Whether the window's texts are private: a password is left out, another text has each letter and digit replaced.";
    17 WindowControlName "window.controlName" Text "The name a toolkit's designer gave the control (WinForms).";
    18 WindowParentId "window.parent.birth" Unsigned "The parent's window id.";
    19 WindowOrder "window.order" Unsigned "The place among the siblings by creation, from 0.";

    // Text.
    32 Text "text" Text "The text set, pasted, composed or replaced.";
    33 ResultText "result.text" Text "The whole text of an edit after the user typed into it: when it loses the focus, or before the next step that is not typing.";
    36 ResultWindow "result.hwnd" Unsigned "The edit that `result.text` is the text of.";
    37 ResultLength "result.length" Unsigned "The length of that text in UTF-16 units, where it is too long to be recorded.";
    34 Masked "masked" Text "Instead of a private text: the name under which a replay asks for it.";
    35 File "file" Text "A file name; repeated for several.";

    // Commands.
    48 Command "command" Unsigned "The command, control or menu item id.";
    49 Source "source" Unsigned "The handle of the control the command came from; 0 for menu and accelerator.";
    50 Notification "notification" Signed "The notification code.";
    51 Accelerator "accelerator" Flag "Whether an accelerator caused the command.";
    52 MenuHandle "menu.handle" Unsigned "The menu's handle.";
    53 MenuItem "menu.item" Unsigned "The menu item's id or position.";
    54 MenuPath "menu.path" Text "The labels from the menu bar to the item, separated by U+001F.";
    55 MenuFlags "menu.flags" Unsigned "The MF_ flags of a menu message.";

    // Items of lists, trees, tabs, headers and tool bars.
    64 ItemIndex "item.index" Signed "The item's index.";
    65 ItemText "item.text" Text "The item's text.";
    66 ItemPath "item.path" Text "The texts from the root to the item, separated by U+001F; of a list box with multiple selection those of all selected items.";
    67 ItemState "item.state" Unsigned "The item's state bits after the notification; for a button its check state (0, 1, 2).";
    68 ItemOldState "item.oldState" Unsigned "The item's state bits before the notification.";
    69 ItemColumn "item.column" Signed "The sub-item or column.";
    70 ItemCommand "item.command" Unsigned "The command id of a tool bar's button.";
    71 ItemHandle "item.handle" Unsigned "The item's handle or parameter.";
    72 ItemIndexPath "item.indexPath" Text "The places among siblings from the root to the item of a tree, each from 0, separated by `/`.";
    73 ItemSelection "item.selection" Text "The indices of all selected items of a list box with multiple selection, separated by commas.";
    74 ItemValue "item.value" Signed "The value the user chose: a spin's or a track bar's position, a field of an IP address.";

    // Input.
    80 KeyCode "key.code" Unsigned "The virtual key.";
    81 KeyModifiers "key.modifiers" Unsigned "Keys held: 1 Shift, 2 Ctrl, 4 Alt, 8 Windows, 16 Caps Lock on, 32 Num Lock on.";
    82 Character "character" Unsigned "The character's UTF-16 unit or code point.";
    83 PointClient "point" Point "The pointer in the window's client coordinates.";
    84 Wheel "wheel" Signed "The wheel's turn; 120 is one notch.";
    85 Button "button" Unsigned "Which X button.";
    86 HitTest "hitTest" Signed "The HT_ code of a non-client message.";
    87 OverWindow "over.hwnd" Unsigned "Of a button released outside the window that has the pointer: the top-level window of the program that lies there; 0 if none does.";
    88 OverPoint "over.point" Point "The pointer in the client coordinates of `over.hwnd`.";

    // Scrolling.
    96 ScrollRequest "scroll.request" Unsigned "The SB_ code.";
    97 ScrollPosition "scroll.position" Signed "The position.";
    98 ScrollBar "scroll.bar" Unsigned "The scroll bar control's handle; 0 for a standard bar.";

    // Changes of windows.
    112 Shown "shown" Flag "Whether the window is shown.";
    113 Enabled "enabled" Flag "Whether the window is enabled.";
    114 Active "active" Unsigned "The WA_ code of an activation.";
    115 OtherWindow "other.hwnd" Unsigned "The other window of a change of focus, activation or capture.";
    116 PositionFlags "position.flags" Unsigned "The SWP_ flags, of a change that shows or hides the window.";
    117 StyleOffset "style.offset" Signed "GWL_STYLE or GWL_EXSTYLE.";
    118 StyleNew "style.new" Unsigned "The new style bits.";
    119 Timer "timer" Flag "Whether it was sent while the message of a timer was handled: the program did it by itself.";

    // The session.
    128 ApplicationName "application.name" Text "The host's name for itself.";
    129 ApplicationVersion "application.version" Text "The host's version.";
    130 ApplicationPath "application.path" Text "The host's program file.";
    131 CommandLine "commandLine" Text "The host's command line.";
    132 WorkingDirectory "workingDirectory" Text "The host's working directory at the start.";
    133 ProcessId "process.id" Unsigned "The host's process id.";
    134 ProcessBits "process.bits" Unsigned "32 or 64.";
    135 Started "started" Text "Wall-clock time of the session's start, RFC 3339 with offset.";
    136 SystemVersion "system.version" Text "The version of Windows (or Wine).";
    137 Locale "locale" Text "The user's locale.";
    138 Module "module" Text "A loaded module: file name, `/`, version.";
    139 RecorderVersion "recorder.version" Text "The version of dashcam.dll.";
    140 Retention "retention" Unsigned "Seconds kept.";
    141 ThreadId "thread.id" Unsigned "The system's id of the thread.";
    142 Wall "wall" Text "Wall-clock time of this event, RFC 3339 with offset.";

    // Notes.
    160 CrashCode "crash.code" Unsigned "The exception code.";
    161 CrashAddress "crash.address" Unsigned "The address of the exception.";
    162 CrashModule "crash.module" Text "The module of the first frame in the application's own modules.";
    163 CrashOffset "crash.offset" Unsigned "The offset of that frame in its module.";
    164 GapDropped "gap.dropped" Unsigned "Records lost because the ring was full.";
    165 GapShed "gap.shed" Unsigned "Messages left out because of the byte-rate budget.";
    166 Reason "reason" Text "Why, in words.";
    167 HangMillis "hang.millis" Unsigned "How long the thread had not answered.";
    168 State "state" Text "What recording became: started, paused, resumed, stopped, disabled, failed, memory-only, on-disk, shedding, complete.";
    169 CrashBuild "crash.build" Unsigned "Which build that module is: its file's time stamp in the upper half, its size in memory in the lower.";

    // Statistics: received = rejected + recorded + shed + dropped.
    176 Received "received" Unsigned "Messages the hooks saw.";
    177 Rejected "rejected" Unsigned "Messages the filter turned away.";
    178 Recorded "recorded" Unsigned "Messages written to a ring.";
    179 Shed "shed" Unsigned "Messages left out because of the byte-rate budget.";
    180 Dropped "dropped" Unsigned "Messages lost because a ring was full.";
    181 BytesWritten "bytes" Unsigned "Bytes of XML written.";
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Param {
    /// A fact of the table with a value of the right type.
    Known(Key, Value),
    /// A fact that this version does not know, or a value of the wrong type.
    Other(String, Text),
}

impl Param {
    /// Its name in a log.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(key, _) => key.name(),
            Self::Other(name, _) => name,
        }
    }
}

/// The facts of one event; a key may occur more than once. Only the order of facts with the same name is
/// significant, and only that order survives in a log.
#[derive(Debug, Clone, Eq, Default)]
pub struct Params(Vec<Param>);

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        let named = |params: &Self, name: &str| -> Vec<Param> {
            params.0.iter().filter(|param| param.name() == name).cloned().collect()
        };
        let is_same = |param: &Param| named(self, param.name()) == named(other, param.name());
        self.0 == other.0 || (self.0.len() == other.0.len() && self.0.iter().all(is_same))
    }
}

impl Params {
    /// No facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fact. A value of the wrong type is kept, but written and read as [`Param::Other`]; use the
    /// typed methods below if the key is known.
    pub fn push(&mut self, param: Param) {
        self.0.push(param);
    }

    /// Adds a number to a key of type [`Type::Unsigned`] or [`Type::Signed`].
    #[must_use]
    pub fn with_number(mut self, key: Key, value: i64) -> Self {
        let value = match key.kind() {
            Type::Signed => Value::Signed(value),
            _ => Value::Unsigned(value.cast_unsigned()),
        };
        self.push(Param::Known(key, value));
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn with_text(mut self, key: Key, text: impl Into<Text>) -> Self {
        self.push(Param::Known(key, Value::Text(text.into())));
        self
    }

    /// Adds a value of any type.
    #[must_use]
    pub fn with(mut self, key: Key, value: Value) -> Self {
        self.push(Param::Known(key, value));
        self
    }

    /// The first value of a key.
    pub fn get(&self, key: Key) -> Option<&Value> {
        self.all(key).next()
    }

    /// Every value of a key, in order.
    pub fn all(&self, key: Key) -> impl Iterator<Item = &Value> {
        self.0.iter().filter_map(move |p| match p {
            Param::Known(k, v) if *k == key => Some(v),
            _ => None,
        })
    }

    /// The first value of an unsigned key.
    pub fn unsigned(&self, key: Key) -> Option<u64> {
        match self.get(key)? {
            Value::Unsigned(n) => Some(*n),
            _ => None,
        }
    }

    /// The first value of a signed key.
    pub fn signed(&self, key: Key) -> Option<i64> {
        match self.get(key)? {
            Value::Signed(n) => Some(*n),
            _ => None,
        }
    }

    /// The first value of a text key.
    pub fn text(&self, key: Key) -> Option<&Text> {
        match self.get(key)? {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// The first value of a flag.
    pub fn flag(&self, key: Key) -> Option<bool> {
        match self.get(key)? {
            Value::Flag(b) => Some(*b),
            _ => None,
        }
    }

    /// Every fact in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Param> {
        self.0.iter()
    }

    /// The number of facts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no facts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn with_capacity(n: usize) -> Self {
        Self(Vec::with_capacity(n))
    }
}

impl FromIterator<Param> for Params {
    fn from_iter<I: IntoIterator<Item = Param>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Params {
    type Item = &'a Param;
    type IntoIter = std::slice::Iter<'a, Param>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_numbers_are_unique_and_lead_back() {
        let names: HashSet<_> = Key::ALL.iter().map(|k| k.name()).collect();
        assert_eq!(names.len(), Key::ALL.len());
        for &key in Key::ALL {
            assert_eq!(Key::from_name(key.name()), Some(key));
            assert_eq!(Key::from_code(key as u16), Some(key));
        }
    }

    #[test]
    fn a_number_takes_the_type_of_its_key() {
        let params = Params::new().with_number(Key::WindowResourceId, -1).with_number(Key::Source, -1);
        assert_eq!(params.signed(Key::WindowResourceId), Some(-1));
        assert_eq!(params.unsigned(Key::Source), Some(u64::MAX));
    }
}
