//! What was chosen from a menu: the command it led to, or, where the program asked for the answer itself
//! (TPM_RETURNCMD), the item that was highlighted when a key or button ended the menu.

use super::gesture::Gesture;
use super::input::{Button, Input};
use super::keys;
use super::keys::{KEY_0, KEY_Z};
use super::label;
use super::message::ObservedMessage;
use super::place::Place;
use super::step::{Action, Means, MenuOrigin, WindowCommand};
use message_log::Key;
use win32_vocabulary::commands::{
    SC_CLOSE, SC_HSCROLL, SC_KEYMENU, SC_MASK, SC_MAXIMIZE, SC_MINIMIZE, SC_MOUSEMENU, SC_MOVE, SC_RESTORE,
    SC_SIZE, SC_VSCROLL,
};
use win32_vocabulary::keys::VK_ESCAPE;
use win32_vocabulary::menus::{MENU_CLOSED, MF_DISABLED, MF_GRAYED, MF_POPUP, MF_SYSMENU};
use win32_vocabulary::messages::{
    WM_COMMAND, WM_CONTEXTMENU, WM_ENTERMENULOOP, WM_MENUCOMMAND, WM_MENUSELECT, WM_SYSCOMMAND,
};
use win32_vocabulary::mouse::{HTMENU, HTSYSMENU};

/// An item that cannot be chosen.
const MF_GREY: u32 = MF_GRAYED | MF_DISABLED;

/// The labels of a path, cleaned.
pub(crate) fn labels(path: &str) -> Vec<String> {
    path.split('\u{1F}').map(label::clean).collect()
}

/// What a gesture that opened a menu came to.
pub(crate) fn decide(gesture: &Gesture) -> (Action, Place) {
    let chosen = command(gesture).or_else(|| answer(gesture));
    let last = selections(gesture).last();
    let is_system = last.is_some_and(|item| flags(item) & MF_SYSMENU != 0)
        || gesture.opener().hit_test == HTSYSMENU && !is_inside(gesture);
    let origin = origin(gesture, is_system);
    let by = means(gesture);
    // Alt and a letter that no menu knows: the loop of the menu bar begins and ends at once.
    if let (Means::Keys(keys), None, None) = (&by, &chosen, &last)
        && gesture.keys().next().is_some_and(|code| matches!(code, KEY_0..=KEY_Z))
    {
        return (Action::Keys { keys: keys.clone(), times: 1 }, gesture.target.clone());
    }
    if let Some((_, Some(number))) = &chosen
        && is_system
        && let Some(command) = window_command(*number)
    {
        return (Action::Window { command, by, rect: gesture.moved_to.map(edges) }, window_of(gesture));
    }
    let target = match origin {
        MenuOrigin::Bar | MenuOrigin::System => window_of(gesture),
        MenuOrigin::Context | MenuOrigin::Control => gesture.target.clone(),
    };
    let action = match chosen {
        Some((path, command)) => {
            Action::Menu { path, command, origin, chosen: true, by, point: opened_at(gesture) }
        }
        None => {
            // Of the bar, the menu that was looked at.
            let path = last.and_then(path_of).map(|mut path| {
                path.truncate(1);
                path
            });
            let path = path.filter(|_| origin == MenuOrigin::Bar).unwrap_or_default();
            Action::Menu { path, command: None, origin, chosen: false, by, point: opened_at(gesture) }
        }
    };
    (action, target)
}

/// A command of a menu or an accelerator that came without either.
pub(crate) fn commanded(gesture: &Gesture) -> Action {
    let observed = gesture.observed.iter().find(|observed| observed.number == WM_COMMAND);
    let command = observed.map_or(0, ObservedMessage::command);
    if observed.is_some_and(|observed| observed.params.flag(Key::Accelerator) == Some(true)) {
        return Action::Shortcut { keys: "a shortcut".into(), command, path: None };
    }
    let (path, by) = (observed.and_then(path_of).unwrap_or_default(), Means::Mouse);
    Action::Menu { path, command: Some(command), origin: MenuOrigin::Bar, chosen: true, by, point: None }
}

/// Where the click was that opened it.
fn opened_at(gesture: &Gesture) -> Option<(i32, i32)> {
    let opener = gesture.opener();
    let is_click = matches!(opener.kind, Input::Down { outside: false, .. });
    opener.point.filter(|_| is_click && opener.hwnd == gesture.target.hwnd()).map(|point| (point.x, point.y))
}

pub(crate) fn edges(rect: message_log::Rect) -> [i32; 4] {
    [rect.left, rect.top, rect.right, rect.bottom]
}

/// A system command by its number.
pub(crate) fn window_command(number: u64) -> Option<WindowCommand> {
    Some(match number as u32 & SC_MASK {
        SC_SIZE => WindowCommand::Size,
        SC_MOVE => WindowCommand::Move,
        SC_MINIMIZE => WindowCommand::Minimise,
        SC_MAXIMIZE => WindowCommand::Maximise,
        SC_CLOSE => WindowCommand::Close,
        SC_RESTORE => WindowCommand::Restore,
        // Scroll bars and menus are described by what they do.
        SC_VSCROLL | SC_HSCROLL | SC_MOUSEMENU | SC_KEYMENU => return None,
        other => WindowCommand::Other(other.into()),
    })
}

/// Whether a `WM_SYSCOMMAND` opens a menu.
pub(crate) fn opens_menu(observed: &ObservedMessage) -> bool {
    matches!(observed.command() as u32, SC_MOUSEMENU | SC_KEYMENU)
}

fn is_inside(gesture: &Gesture) -> bool {
    !matches!(gesture.first(), Input::Down { outside: true, .. })
}

fn selections(gesture: &Gesture) -> impl DoubleEndedIterator<Item = &ObservedMessage> {
    let is_selection =
        |observed: &&ObservedMessage| observed.number == WM_MENUSELECT && flags(observed) != MENU_CLOSED;
    gesture.observed.iter().filter(is_selection)
}

fn flags(observed: &ObservedMessage) -> u32 {
    observed.params.unsigned(Key::MenuFlags).unwrap_or(0) as u32
}

fn path_of(observed: &ObservedMessage) -> Option<Vec<String>> {
    observed.text(Key::MenuPath).filter(|path| !path.is_empty()).map(|path| labels(&path))
}

/// The command the menu led to, with its path.
fn command(gesture: &Gesture) -> Option<(Vec<String>, Option<u64>)> {
    let highlighted = |id: u64| {
        let found = selections(gesture).rfind(|item| item.params.unsigned(Key::MenuItem) == Some(id));
        found.and_then(path_of).unwrap_or_default()
    };
    // A press on a title bar begins a move before its menu opens.
    let opened =
        gesture.observed.iter().position(|observed| observed.number == WM_ENTERMENULOOP).unwrap_or(0);
    gesture.observed.iter().skip(opened).find_map(|observed| {
        let from_menu = match observed.number {
            WM_COMMAND => {
                // Zero is what a menu that was left answers (TPM_RETURNCMD), and some programs tell
                // themselves that too.
                let is_item = observed.command() != 0 || path_of(observed).is_some();
                observed.params.unsigned(Key::Source).unwrap_or(0) == 0
                    && observed.params.flag(Key::Accelerator) != Some(true)
                    && is_item
            }
            WM_SYSCOMMAND => !opens_menu(observed) && observed.command() != 0,
            // It tells a place in a menu; the command is that of the item that was highlighted.
            WM_MENUCOMMAND => {
                let path = path_of(observed);
                let is_it = |item: &&ObservedMessage| path.is_some() && path_of(item) == path;
                let id =
                    selections(gesture).rfind(is_it).and_then(|item| item.params.unsigned(Key::MenuItem));
                return Some((path.unwrap_or_default(), id));
            }
            _ => false,
        };
        from_menu.then(|| {
            let path = path_of(observed).unwrap_or_else(|| highlighted(observed.command()));
            (path, Some(observed.command()))
        })
    })
}

/// What was highlighted when a key or the release of a button ended the menu.
fn answer(gesture: &Gesture) -> Option<(Vec<String>, Option<u64>)> {
    // A grey item is not chosen, whatever ends the menu.
    let item = selections(gesture).last().filter(|item| flags(item) & (MF_POPUP | MF_GREY) == 0)?;
    // The end of the log, or of the program, is no choice.
    if gesture.leaves_menu_open() {
        return None;
    }
    let end = gesture.messages.iter().rfind(|message| match message.kind {
        Input::Key { .. } | Input::Down { .. } => message.is_fresh,
        Input::Up { .. } => true,
        _ => false,
    })?;
    let is_choice = match end.kind {
        Input::Key { code, .. } => code != VK_ESCAPE,
        Input::Up { .. } => true,
        // Beside the menu.
        _ => false,
    };
    let path = path_of(item)?;
    is_choice.then(|| (path, item.params.unsigned(Key::MenuItem)))
}

fn origin(gesture: &Gesture, is_system: bool) -> MenuOrigin {
    let has_context = gesture.observed.iter().any(|observed| observed.number == WM_CONTEXTMENU);
    let is_bar = gesture.opener().hit_test == HTMENU
        || gesture.observed.iter().any(|observed| observed.number == WM_SYSCOMMAND && opens_menu(observed));
    if is_system {
        MenuOrigin::System
    } else if has_context
        || matches!(gesture.first(), Input::Down { button: Button::Right, .. } | Input::Shell)
    {
        MenuOrigin::Context
    } else if is_bar {
        MenuOrigin::Bar
    } else {
        MenuOrigin::Control
    }
}

fn means(gesture: &Gesture) -> Means {
    match gesture.first() {
        Input::Key { code, .. } => Means::Keys(keys::combination(gesture.opener().modifiers, code)),
        _ => Means::Mouse,
    }
}

/// The window whose menu it is.
fn window_of(gesture: &Gesture) -> Place {
    let entered = gesture.observed.iter().find(|observed| observed.number == WM_ENTERMENULOOP);
    entered.and_then(|observed| observed.source.clone()).unwrap_or_else(|| gesture.target.clone())
}
