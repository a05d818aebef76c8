//! One thing the user did, with all that came of it on its thread: the inputs, and the messages that tell
//! what they meant.
//!
//! A gesture begins with an input and lasts until the next one that begins something. The rest of a menu, of
//! an open drop-down list and of a double click belong to the gesture that began them.

use super::input::{Act, Button, Input};
use super::message::{InputMessage, MessageId, ObservedMessage};
use super::place::Place;
use message_log::{Key, Point, Rect};
use win32_vocabulary::Control;
use win32_vocabulary::items::TVHT_ONITEMBUTTON;
use win32_vocabulary::keys::{VK_BROWSER_BACK, VK_LAUNCH_APP2};
use win32_vocabulary::menus::MENU_CLOSED;
use win32_vocabulary::messages::{WM_COMMAND, WM_ENTERMENULOOP, WM_EXITMENULOOP, WM_MENUSELECT, WM_NOTIFY};
use win32_vocabulary::notifications::{CBN_CLOSEUP, CBN_DROPDOWN, NM_CLICK, NM_DBLCLK};
use win32_vocabulary::styles::{BS_NOTIFY, BS_OWNERDRAW, BS_TYPEMASK};
use window_tree::Tree;

/// More messages than these do not make a gesture any clearer.
const MAX_HEARD: usize = 2000;
const MAX_POINTS: usize = 10_000;

/// One thing the user did.
#[derive(Debug, Clone)]
pub(crate) struct Gesture {
    /// How many events of the log came before it.
    pub first_event: u64,
    /// Microseconds since the session's start.
    pub time: u64,
    /// First and last message of its thread that belong to it.
    pub span: (u64, u64),
    /// The window of its first input.
    pub target: Place,
    pub messages: Vec<InputMessage>,
    /// Every input that belongs to it, also those of too many moves.
    pub inputs: Vec<MessageId>,
    pub observed: Vec<ObservedMessage>,
    /// The window under the pointer when the button was released.
    pub released_on: Option<Place>,
    /// Where in that window.
    pub released_at: Option<(i32, i32)>,
    /// Whether no window of the program was there.
    pub is_released_elsewhere: bool,
    /// Where a window that was moved or sized is now.
    pub moved_to: Option<Rect>,
    /// The text an edit had after this, where it was told before the next gesture.
    pub result: Option<(u64, String)>,
    /// Whether a menu was opened.
    pub has_menu: bool,
    is_menu_open: bool,
    /// How many inputs came before the menu.
    before_menu: Option<usize>,
    /// Menu windows there are: a menu that tells nobody (TPM_NONOTIFY) still has them.
    menu_windows: usize,
    open_list: Option<u64>,
    is_double: bool,
    is_triple: bool,
}

impl Gesture {
    pub(crate) fn begin(first: InputMessage, target: Place, first_event: u64, time: u64) -> Self {
        let is_double = matches!(first.kind, Input::Down { double: true, .. });
        Self {
            first_event,
            time,
            span: (first.id.sequence, first.id.sequence),
            target,
            inputs: if matches!(first.kind, Input::Shell | Input::Act(_)) {
                Vec::new()
            } else {
                vec![first.id]
            },
            messages: vec![first],
            observed: Vec::new(),
            released_on: None,
            released_at: None,
            is_released_elsewhere: false,
            moved_to: None,
            result: None,
            has_menu: false,
            is_menu_open: false,
            before_menu: None,
            menu_windows: 0,
            open_list: None,
            is_double,
            is_triple: false,
        }
    }

    /// Whether it is an act of which the input itself has not come yet.
    pub(crate) fn awaits_input(&self) -> bool {
        self.first() == Input::Act(Act::Input)
    }

    /// Whether an input that could begin another gesture goes on with this one. `on` is the
    /// control it went to.
    pub(crate) fn continues_with(&self, next: &InputMessage, on: Control) -> bool {
        // A menu takes its input deeper in the stack: whatever it failed to tell, it is over
        // when that is not so.
        let is_deeper = next.depth == 0 || next.depth > self.opener().depth;
        if (self.is_menu_open || self.menu_windows > 0) && is_deeper {
            return true;
        }
        let is_same = next.hwnd == self.target.hwnd();
        match next.kind {
            // The other half of a character outside the basic plane.
            Input::Key { .. } if is_same && self.has_half_a_character() => true,
            // It belongs to the key it came from, even where the program gave the key to another window
            // (menus of WinForms).
            Input::Character { .. } => self.last_key_hwnd() == Some(next.hwnd) || self.awaits_character(),
            // A held key is one key.
            Input::Key { code, again: true } => {
                is_same && self.open_list.is_none() && self.keys().last() == Some(code)
            }
            // What the system makes of a button at the side, or of a key of the shell.
            Input::AppCommand => {
                matches!(self.first(), Input::Down { button: Button::Extra | Button::Further, .. })
                    || matches!(self.keys().next_back(), Some(VK_BROWSER_BACK..=VK_LAUNCH_APP2))
            }
            _ if self.open_list.is_some() => {
                on == Control::DropList
                    || self.open_list == Some(next.hwnd)
                    || self.target.hwnd() == next.hwnd && !matches!(next.kind, Input::Wheel { .. })
            }
            // To most buttons, two clicks are two clicks.
            Input::Down { button, double: true, outside } => {
                let first = Input::Down { button, double: false, outside };
                let knows = knows_double_clicks(&self.target) && !self.is_on_a_sign();
                is_same && self.first() == first && !self.is_double && knows
            }
            // Edits know a third click, right after a double one.
            Input::Down { button: Button::Left, double: false, outside: false } => {
                is_same && self.is_double && !self.is_triple && self.is_third(next)
            }
            Input::Wheel { turn, horizontal } => match self.first() {
                Input::Wheel { turn: before, horizontal: way } => {
                    is_same && way == horizontal && (turn < 0) == (before < 0)
                }
                _ => false,
            },
            _ => false,
        }
    }

    pub(crate) fn join(&mut self, message: InputMessage) {
        self.inputs.push(message.id);
        self.is_triple |= self.is_double && matches!(message.kind, Input::Down { double: false, .. });
        self.is_double |= matches!(message.kind, Input::Down { double: true, .. });
        if message.kind != Input::Move || self.messages.len() < MAX_POINTS {
            self.messages.push(message);
        }
    }

    /// Keys pressed before and held: Ctrl of Ctrl+S.
    pub(crate) fn hold(&mut self, before: Vec<InputMessage>) {
        if let Some(first) = before.first() {
            self.span.0 = self.span.0.min(first.id.sequence);
        }
        self.inputs.extend(before.iter().map(|message| message.id));
        let own = std::mem::replace(&mut self.messages, before);
        self.messages.extend(own);
    }

    /// Whether the menu it opened is still there when it ends.
    pub(crate) fn leaves_menu_open(&self) -> bool {
        self.is_menu_open || self.menu_windows > 0
    }

    /// A window of a menu comes or goes.
    pub(crate) fn see_menu(&mut self, comes: bool) {
        self.has_menu |= comes;
        self.menu_windows = if comes { self.menu_windows + 1 } else { self.menu_windows.saturating_sub(1) };
    }

    /// Takes note of a message that may tell what the gesture meant.
    pub(crate) fn hear(&mut self, observed: ObservedMessage) {
        match observed.number {
            WM_ENTERMENULOOP => {
                (self.has_menu, self.is_menu_open) = (true, true);
                self.before_menu.get_or_insert(self.messages.len());
            }
            WM_MENUSELECT => {
                let is_closed = observed.params.unsigned(Key::MenuFlags) == Some(MENU_CLOSED.into());
                self.has_menu = true;
                self.is_menu_open = !is_closed;
            }
            WM_EXITMENULOOP => (self.is_menu_open, self.menu_windows) = (false, 0),
            WM_COMMAND if observed.source.as_ref().is_some_and(|from| from.control.is_combo_box()) => {
                let combo = observed.source.as_ref().map(Place::hwnd);
                match observed.code() {
                    CBN_DROPDOWN => self.open_list = combo,
                    CBN_CLOSEUP if self.open_list == combo => self.open_list = None,
                    _ => {}
                }
            }
            _ => {}
        }
        // The first tell most; of a flood the rest is left out.
        if self.observed.len() < MAX_HEARD {
            self.observed.push(observed);
        }
    }

    /// Looks again at windows that were not known when they were met.
    pub(crate) fn settle(&mut self, tree: &Tree) {
        self.target.settle(tree);
        self.observed.iter_mut().filter_map(|observed| observed.source.as_mut()).for_each(|source| {
            source.settle(tree);
        });
    }

    /// The input that began it, modifiers left out.
    pub(crate) fn first(&self) -> Input {
        self.opener().kind
    }

    pub(crate) fn opener(&self) -> &InputMessage {
        // Of Alt alone, which opens the menu bar, there is nothing else before the menu.
        let is_opener = |message: &&InputMessage| {
            !message.is_modifier() && message.is_fresh && message.kind != Input::Act(Act::Input)
        };
        let before_menu = self.messages.iter().take(self.before_menu.unwrap_or(usize::MAX));
        before_menu.into_iter().find(is_opener).unwrap_or(&self.messages[0])
    }

    pub(crate) fn is_double(&self) -> bool {
        self.is_double
    }

    /// Every key pressed, modifiers left out.
    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.messages.iter().filter_map(|message| match message.kind {
            Input::Key { code, .. } if message.is_fresh && !message.is_modifier() => Some(code),
            _ => None,
        })
    }

    /// What was typed, as characters; control characters too.
    pub(crate) fn typed(&self) -> String {
        if let Some(composed) = self.messages.iter().find(|message| message.kind == Input::Composition) {
            // The characters that follow are the same text once more.
            return composed.text.clone().unwrap_or_default();
        }
        let mut units: Vec<u16> = Vec::new();
        let key = self
            .messages
            .iter()
            .find(|message| matches!(message.kind, Input::Key { .. }) && message.is_fresh);
        // What a key became in another window is that key, no text of this one.
        let is_here =
            |message: &&InputMessage| message.is_fresh && key.is_none_or(|key| key.hwnd == message.hwnd);
        for message in self.messages.iter().filter(is_here) {
            if let Input::Character { unit } = message.kind {
                match (u16::try_from(unit), u32::try_from(unit).ok().and_then(char::from_u32)) {
                    (Ok(unit), _) => units.push(unit),
                    (_, Some(c)) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
                    _ => {}
                }
            }
        }
        String::from_utf16_lossy(&units)
    }

    /// The points of the pointer while the button was held.
    pub(crate) fn points(&self) -> Vec<Point> {
        let is_pointer = |message: &&InputMessage| {
            matches!(message.kind, Input::Down { .. } | Input::Move | Input::Up { .. })
        };
        self.messages
            .iter()
            .filter(is_pointer)
            .filter(|message| message.hwnd == self.target.hwnd())
            .filter_map(|message| message.point)
            .collect()
    }

    /// Commands and notifications with a source.
    pub(crate) fn notices(&self) -> impl DoubleEndedIterator<Item = (&ObservedMessage, &Place)> {
        self.observed.iter().filter_map(|observed| Some((observed, observed.source.as_ref()?)))
    }

    pub(crate) fn is_triple(&self) -> bool {
        self.is_triple
    }

    /// Whether a click comes soon after the double click, and as near to it.
    fn is_third(&self, next: &InputMessage) -> bool {
        const SOON: u64 = 500_000;
        const NEAR: i32 = 4;
        let last = self
            .messages
            .iter()
            .rev()
            .find(|message| matches!(message.kind, Input::Down { double: true, .. }));
        let is_near =
            |a: Point, b: Point| a.x.abs_diff(b.x) <= NEAR as u32 && a.y.abs_diff(b.y) <= NEAR as u32;
        self.target.control.is_edit()
            && last.is_some_and(|last| {
                next.time.saturating_sub(last.time) <= SOON
                    && matches!((last.point, next.point), (Some(a), Some(b)) if is_near(a, b))
            })
    }

    /// Whether a branch was clicked on its plus or minus sign, which is a button: the next
    /// click turns it back.
    fn is_on_a_sign(&self) -> bool {
        self.target.control == Control::TreeView && self.observed.iter().any(is_on_sign)
    }

    fn has_half_a_character(&self) -> bool {
        let last = self.messages.iter().rev().find(|message| message.is_fresh);
        last.is_some_and(|message| matches!(message.kind, Input::Character { unit: 0xD800..=0xDBFF }))
    }

    /// Whether the last thing the user did was to press a key, whose character has not come yet.
    fn awaits_character(&self) -> bool {
        let last = self.messages.iter().rev().find(|message| message.is_fresh);
        last.is_some_and(|message| matches!(message.kind, Input::Key { .. }) && !message.is_modifier())
    }

    /// The window of the last key, if that was the last thing the user did.
    fn last_key_hwnd(&self) -> Option<u64> {
        let last = self.messages.iter().rev().find(|message| message.is_fresh)?;
        let is_key = matches!(last.kind, Input::Key { .. } | Input::Character { .. } | Input::Composition);
        is_key.then_some(last.hwnd)
    }
}

/// A pointer that moves farther than this was moved on purpose.
pub(crate) const SLOPPY: i32 = 5;

/// How far the pointer went with the button held.
pub(crate) fn distance(gesture: &Gesture) -> i32 {
    let points = gesture.points();
    let Some(first) = points.first() else { return 0 };
    let far = |p: &Point| {
        p.x.saturating_sub(first.x).saturating_abs().max(p.y.saturating_sub(first.y).saturating_abs())
    };
    points.iter().map(far).max().unwrap_or(0)
}

/// Whether a tree tells of a click on a plus or minus sign.
pub(crate) fn is_on_sign(observed: &ObservedMessage) -> bool {
    let is_click = observed.number == WM_NOTIFY && matches!(observed.code(), NM_CLICK | NM_DBLCLK);
    is_click && observed.params.signed(Key::ItemValue).unwrap_or(0) as u32 & TVHT_ONITEMBUTTON != 0
}

/// Whether a control tells a double click from two clicks.
fn knows_double_clicks(place: &Place) -> bool {
    match place.control {
        Control::Button => place.style & BS_NOTIFY != 0 || place.style & BS_TYPEMASK == BS_OWNERDRAW,
        kind => !kind.is_button(),
    }
}
