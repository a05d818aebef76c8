//! What a gesture was: the most telling thing that came of it, or the bare input where nothing did.

use super::gesture::{Gesture, SLOPPY, distance};
use super::input::{Act, Button, Input};
use super::keys;
use super::keys::{KEY_C, KEY_V, KEY_X, KEY_Z};
use super::menu;
use super::message::ObservedMessage;
use super::notice;
use super::place::Place;
use super::step::{Action, EditCommand, Item, Means, Part, WindowCommand};
use message_log::{Key, Point};
use win32_vocabulary::Control;
use win32_vocabulary::keys::{VK_DELETE, VK_INSERT, VK_PROCESSKEY};
use win32_vocabulary::messages::{
    BM_SETCHECK, EM_UNDO, WM_CLEAR, WM_CLOSE, WM_COMMAND, WM_CONTEXTMENU, WM_COPY, WM_CUT, WM_ENTERMENULOOP,
    WM_ENTERSIZEMOVE, WM_EXITMENULOOP, WM_EXITSIZEMOVE, WM_HSCROLL, WM_MENUCOMMAND, WM_MENUSELECT, WM_NOTIFY,
    WM_PASTE, WM_SYSCOMMAND, WM_UNDO, WM_VSCROLL,
};
use win32_vocabulary::mouse::HTCAPTION;
use win32_vocabulary::styles::{ES_MULTILINE, LBS_EXTENDEDSEL, LBS_MULTIPLESEL};

/// What became of a gesture.
pub(crate) enum Meaning {
    /// This was done to this window.
    Done(Action, Box<Place>),
    /// It is no step, for this reason.
    Nothing(&'static str),
}

/// Farther than a row.
const BEYOND_A_ROW: i32 = 12;
/// A list box in which several items can be selected.
const SEVERAL: u32 = LBS_MULTIPLESEL | LBS_EXTENDEDSEL;

/// What a gesture was.
pub(crate) fn decide(gesture: &Gesture) -> Meaning {
    let done = |(action, place): (Action, Place)| Meaning::Done(action, Box::new(place));
    let here = |action: Action| Meaning::Done(action, Box::new(gesture.target.clone()));
    // The agent needs no menu to open: it tells what is highlighted and chosen, and of which window.
    if gesture.has_menu && gesture.first() != Input::Act(Act::Command) {
        return done(menu::decide(gesture));
    }
    if let Some(secret) = gesture.messages.iter().find(|message| message.kind == Input::Secret) {
        return here(Action::TypeSecret { name: secret.text.clone().unwrap_or_else(|| "password".into()) });
    }
    match gesture.first() {
        Input::Down { button, outside, .. } => {
            let found = window(gesture)
                .or_else(|| drag(gesture))
                .or_else(|| notice::decide(gesture))
                .or_else(|| tool(gesture));
            found.map_or_else(|| here(pointer(gesture, button, outside)), done)
        }
        Input::Key { .. } | Input::Character { .. } => match shortcut(gesture) {
            Some(found) => done(found),
            None => key(gesture),
        },
        Input::Composition => here(typing(gesture, gesture.typed())),
        Input::Wheel { horizontal, .. } => {
            let turns =
                gesture.messages.iter().filter(|message| message.is_fresh).filter_map(
                    |message| match message.kind {
                        Input::Wheel { turn, .. } => Some(turn),
                        _ => None,
                    },
                );
            let modifiers = gesture.opener().modifiers;
            here(Action::Wheel { turn: turns.fold(0, i64::saturating_add), horizontal, modifiers })
        }
        Input::Drop => {
            let files = gesture.observed.iter().flat_map(|observed| observed.params.all(Key::File));
            let files = files.filter_map(|file| match file {
                message_log::Value::Text(file) => Some(file.to_string_lossy().into_owned()),
                _ => None,
            });
            here(Action::Drop { files: files.collect() })
        }
        Input::Act(act) => done_for_user(gesture, act),
        Input::Shell => window(gesture).map_or(Meaning::Nothing("no command to a window"), done),
        Input::HotKey => {
            let code = gesture
                .observed
                .first()
                .and_then(|observed| observed.params.unsigned(Key::KeyCode))
                .unwrap_or(0);
            here(Action::HotKey { number: first_command(gesture), code })
        }
        Input::AppCommand => here(Action::AppCommand { number: first_command(gesture) }),
        _ => Meaning::Nothing("it began nothing"),
    }
}

/// What the agent of a replay did: what it came to, as for the user's own input, or the act itself where
/// nothing came of it.
fn done_for_user(gesture: &Gesture, act: Act) -> Meaning {
    let here = |action: Action| Meaning::Done(action, Box::new(gesture.target.clone()));
    match act {
        Act::Input => Meaning::Nothing("nothing came of it"),
        Act::Interrupt(what) => here(Action::Interrupt { what }),
        Act::Command => here(menu::commanded(gesture)),
        Act::Text => {
            let (command, by) = (EditCommand::Paste, Means::Mouse);
            here(Action::Edit { command, by, text: None, result: None })
        }
        Act::Close => {
            let (command, by) = (WindowCommand::Close, Means::Mouse);
            here(Action::Window { command, by, rect: None })
        }
        Act::Press | Act::Add | Act::Other => {
            let found = window(gesture).or_else(|| notice::decide(gesture));
            let edit = || {
                edit_command(gesture).map(|command| Action::Edit {
                    command,
                    by: Means::Mouse,
                    text: None,
                    result: None,
                })
            };
            let bare = || match act {
                Act::Press => Action::Press { by: Means::Mouse, double: false },
                _ => pointer(gesture, Button::Left, false),
            };
            match found {
                Some((action, place)) => Meaning::Done(action, Box::new(place)),
                None => here(edit().unwrap_or_else(bare)),
            }
        }
    }
}

fn first_command(gesture: &Gesture) -> u64 {
    gesture.observed.first().map_or(0, ObservedMessage::command)
}

/// A key that the program's table of accelerators turned into a command.
fn shortcut(gesture: &Gesture) -> Option<(Action, Place)> {
    let is_shortcut = |observed: &&ObservedMessage| observed.params.flag(Key::Accelerator) == Some(true);
    let observed = gesture.observed.iter().filter(|observed| observed.number == WM_COMMAND).find(is_shortcut);
    if let Some(observed) = observed {
        let keys = combination(gesture)?;
        return Some((
            Action::Shortcut { keys, command: observed.command(), path: None },
            gesture.target.clone(),
        ));
    }
    window(gesture)
}

/// A tool of the program's own making: a click that became a command, as of a menu.
fn tool(gesture: &Gesture) -> Option<(Action, Place)> {
    let is_own = matches!(gesture.target.control, Control::Other | Control::ToolBar);
    let observed =
        gesture.observed.iter().filter(|observed| observed.number == WM_COMMAND && observed.source.is_none());
    let command = observed.map(ObservedMessage::command).next().filter(|_| is_own)?;
    let item = Item { command: Some(command), ..Item::default() };
    Some((Action::Tool { item, path: None }, gesture.target.clone()))
}

fn combination(gesture: &Gesture) -> Option<String> {
    gesture.keys().next_back().map(|code| keys::combination(gesture.opener().modifiers, code))
}

/// Closing, minimising, moving and sizing.
fn window(gesture: &Gesture) -> Option<(Action, Place)> {
    let by = || combination(gesture).map_or(Means::Mouse, Means::Keys);
    let may_command = matches!(
        gesture.first(),
        Input::Down { outside: true, .. } | Input::Shell | Input::Key { .. } | Input::Act(Act::Other)
    );
    let commands = gesture.observed.iter().filter(|observed| may_command && observed.number == WM_SYSCOMMAND);
    // Moving and sizing is told by what it does: a press on the title bar begins a move that need not happen.
    let mut commands = commands.filter_map(|observed| match menu::window_command(observed.command())? {
        WindowCommand::Move | WindowCommand::Size => None,
        command => Some((command, observed)),
    });
    if let Some((command, observed)) = commands.next() {
        let place = observed.source.clone().unwrap_or_else(|| gesture.target.clone());
        return Some((Action::Window { command, by: by(), rect: None }, place));
    }
    let sized = gesture.observed.iter().find(|observed| observed.number == WM_ENTERSIZEMOVE);
    let place = sized.and_then(|observed| observed.source.clone())?;
    let rect = gesture.moved_to.filter(|rect| Some(*rect) != place.rect)?;
    let size = |r: message_log::Rect| (r.right.wrapping_sub(r.left), r.bottom.wrapping_sub(r.top));
    let is_same_size = place.rect.is_none_or(|before| size(before) == size(rect));
    let command = if is_same_size { WindowCommand::Move } else { WindowCommand::Size };
    Some((Action::Window { command, by: by(), rect: Some(menu::edges(rect)) }, place))
}

/// A key: what a control or the clipboard made of it, a text, or the key itself.
fn key(gesture: &Gesture) -> Meaning {
    let here = |action: Action| Meaning::Done(action, Box::new(gesture.target.clone()));
    let typed = gesture.typed();
    let alt = gesture.opener().modifiers & 6 == 4;
    let text: String = typed.chars().filter(|c| !c.is_control() || is_line_end(*c, gesture)).collect();
    let is_text = !text.is_empty() && !alt && gesture.target.control.is_edit();
    if !is_text && let Some((action, place)) = notice::decide(gesture) {
        return Meaning::Done(action, Box::new(place));
    }
    if let Some(command) = edit_command(gesture) {
        return here(Action::Edit { command, by: notice::means(gesture), text: None, result: None });
    }
    // A space on a button or in a list is no text.
    let is_blank = text.trim().is_empty() && !gesture.target.control.is_edit();
    if !text.is_empty() && !alt && !is_blank {
        return here(typing(gesture, text));
    }
    match gesture.keys().next_back() {
        Some(VK_PROCESSKEY) => Meaning::Nothing("a key of the input method, whose result is told by itself"),
        Some(_)
            if gesture.messages.iter().any(|message| message.kind == Input::KeyCharacter)
                && gesture.opener().modifiers & 4 == 0 =>
        {
            Meaning::Nothing("a dead key: the next key brings the character")
        }
        Some(_) => {
            let times = gesture.keys().count();
            here(Action::Keys { keys: combination(gesture).unwrap_or_default(), times })
        }
        None if !typed.is_empty() => here(Action::Keys { keys: control_name(&typed), times: 1 }),
        None => Meaning::Nothing("a modifier key alone"),
    }
}

fn typing(gesture: &Gesture, text: String) -> Action {
    let redacted = gesture.messages.iter().any(|message| message.is_redacted);
    Action::Type { text, result: None, redacted }
}

/// Line ends count as text where lines can be.
fn is_line_end(c: char, gesture: &Gesture) -> bool {
    let is_many_lines = gesture.target.style & ES_MULTILINE != 0;
    matches!(c, '\r' | '\n') && is_many_lines && gesture.target.control.is_edit()
}

/// A control character that came without its key.
fn control_name(typed: &str) -> String {
    match typed.chars().next() {
        Some('\u{8}') => "Backspace".into(),
        Some('\t') => "Tab".into(),
        Some('\r') => "Enter".into(),
        Some('\u{1B}') => "Esc".into(),
        Some(c @ '\u{1}'..='\u{1A}') => format!("Ctrl+{}", char::from(c as u8 + 0x40)),
        _ => "a key".into(),
    }
}

/// Clipboard and undo: by the message an edit gets, or by the key where it makes none of it (rich edits).
fn edit_command(gesture: &Gesture) -> Option<EditCommand> {
    let told = gesture.observed.iter().filter(|observed| observed.hwnd == gesture.target.hwnd()).find_map(
        |observed| {
            Some(match observed.number {
                WM_CUT => EditCommand::Cut,
                WM_COPY => EditCommand::Copy,
                WM_PASTE => EditCommand::Paste,
                WM_CLEAR => EditCommand::Clear,
                WM_UNDO | EM_UNDO => EditCommand::Undo,
                _ => return None,
            })
        },
    );
    told.or_else(|| {
        if !gesture.target.control.is_edit() {
            return None;
        }
        match (gesture.opener().modifiers, gesture.keys().next_back()?) {
            (2, KEY_X) | (1, VK_DELETE) => Some(EditCommand::Cut),
            (2, KEY_C | VK_INSERT) => Some(EditCommand::Copy),
            (2, KEY_V) | (1, VK_INSERT) => Some(EditCommand::Paste),
            (2, KEY_Z) => Some(EditCommand::Undo),
            _ => None,
        }
    })
}

/// A drag of an item, or from one window to another.
fn drag(gesture: &Gesture) -> Option<(Action, Place)> {
    let target = &gesture.target;
    let left = gesture.released_on.as_ref().filter(|on| !on.is(target) && !on.is_within(target.hwnd()));
    let has_begun = gesture.notices().any(|(observed, _)| notice::begins_drag(observed.code()));
    let is_drag = target.control.has_items()
        && !matches!(
            target.control,
            Control::ToolBar | Control::ComboBox | Control::ComboBoxEx | Control::DropList
        )
        && (has_begun && distance(gesture) > SLOPPY || left.is_some() || distance(gesture) > BEYOND_A_ROW);
    if !is_drag {
        return None;
    }
    let item = match notice::decide(gesture) {
        // A rectangle drawn around items, or a stretch of a list: what counts is what it selected.
        Some(found @ (Action::Select { .. }, _))
            if !has_begun
                && left.is_none()
                && (target.control == Control::ListView || target.style & SEVERAL != 0) =>
        {
            return Some(found);
        }
        Some((Action::Drag { item, .. }, _)) if target.control != Control::Header => item,
        // A header tells more exactly what was done.
        Some(found) if target.control == Control::Header => return Some(found),
        Some((Action::Select { mut items, .. }, _)) if items.len() == 1 => items.pop(),
        _ => None,
    };
    let points = gesture.points();
    let at = |point: Option<&Point>| point.map(|p| (p.x, p.y));
    let to = left.cloned().map(Box::new);
    // Another window may have taken the pointer meanwhile, and the last place it had here says nothing.
    let here = at(points.last()).filter(|_| !(gesture.is_released_elsewhere && has_begun));
    let point = gesture.released_at.or(here);
    Some((Action::Drag { item, to, from: at(points.first()), point }, target.clone()))
}

/// A button of the mouse where nothing more is known.
fn pointer(gesture: &Gesture, button: Button, outside: bool) -> Action {
    let points = gesture.points();
    let at = |point: Option<&Point>| point.map(|p| (p.x, p.y));
    let is_moved = distance(gesture) > SLOPPY && !outside;
    let target = &gesture.target;
    match target.control {
        _ if !is_moved => Action::Click {
            button,
            double: gesture.is_double(),
            part: match (outside, gesture.opener().hit_test) {
                (false, _) => Part::Client,
                (true, HTCAPTION) => Part::TitleBar,
                (true, _) => Part::Frame,
            },
            point: at(points.first()),
            modifiers: keys::held(gesture.opener().modifiers),
            item: None,
            triple: gesture.is_triple(),
        },
        kind if kind.is_button() => Action::PressAndLeave,
        Control::Other if button == Button::Left => {
            Action::Stroke { points: points.iter().map(|p| relative((p.x, p.y), target)).collect() }
        }
        _ => {
            let to = gesture.released_on.clone().filter(|on| !on.is(target)).map(Box::new);
            Action::Drag { item: None, to, from: at(points.first()), point: at(points.last()) }
        }
    }
}

/// The whole width or height of a window in the parts that points are kept in: in a window of no more pixels
/// than this a point leads back to the same pixel.
pub const WHOLE: i32 = 10_000;

/// A point in ten-thousandths of the window's width and height.
pub fn relative((x, y): (i32, i32), window: &Place) -> (i32, i32) {
    let (width, height) = window.size().map_or((WHOLE, WHOLE), |(w, h)| (w.max(1), h.max(1)));
    (nearest(x, width), nearest(y, height))
}

fn nearest(at: i32, of: i32) -> i32 {
    let (at, of) = (i64::from(at), i64::from(of));
    let parts = (at * i64::from(WHOLE) + of / 2).div_euclid(of);
    parts.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Messages that tell what a gesture meant, and are therefore kept.
pub(crate) fn is_telling(number: u32) -> bool {
    matches!(
        number,
        WM_CLOSE
            | WM_NOTIFY
            | WM_CONTEXTMENU
            | EM_UNDO
            | BM_SETCHECK
            | WM_COMMAND
            | WM_SYSCOMMAND
            | WM_HSCROLL
            | WM_VSCROLL
            | WM_MENUSELECT
            | WM_MENUCOMMAND
            | WM_ENTERMENULOOP
            | WM_EXITMENULOOP
            | WM_ENTERSIZEMOVE
            | WM_EXITSIZEMOVE
            | WM_CUT..=WM_UNDO
    )
}

/// Whether a window is being moved or sized from or until this message.
pub(crate) fn ends_move(number: u32) -> bool {
    number == WM_EXITSIZEMOVE
}
