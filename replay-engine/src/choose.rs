//! What a step comes to: the one thing that is done for it, to which window, and why.
//!
//! Total: every action has a rule (`rules.rs`). What cannot be done is blocked with a sentence,
//! never done half.

use crate::choice::{Choice, Secrets, TargetedAct, act, acts, blocked, command, command_of, low, nothing};
use crate::driver::{Act, ItemRef, PointerButton};
use crate::keys_and_clicks::{click, parse_keys, pressed, typed};
use crate::rules;
use steps::{
    Action, Button, EditCommand, Effect, EffectKind, Interruption, Item, Means, MenuOrigin, Place, Selection,
    Sketch, Step, WHOLE, WindowCommand, relative,
};
use win32_vocabulary::Control;
use win32_vocabulary::commands::{SC_CLOSE, SC_MAXIMIZE, SC_MINIMIZE, SC_RESTORE};
use win32_vocabulary::keys::{VK_APPS, VK_RETURN, VK_SPACE};
use win32_vocabulary::messages::{WM_CLEAR, WM_COPY, WM_CUT, WM_PASTE, WM_UNDO};
use win32_vocabulary::notifications::{TVN_SELCHANGEDA, TVN_SELCHANGEDW};

/// Longer nobody holds the arrow of a scroll bar.
const MAX_SCROLLS: usize = 10_000;
const MIDDLE: (i32, i32) = (WHOLE / 2, WHOLE / 2);

/// A click in the middle of a window.
fn in_the_middle(times: u8) -> Act {
    Act::Click { button: PointerButton::Left, times, point: MIDDLE, modifiers: 0 }
}

/// What is done for a step. Points are in ten-thousandths of the window's width and height.
pub(crate) fn choose(step: &Step, secrets: &Secrets) -> Choice {
    let at = &step.target;
    match &step.action {
        Action::Press { double: true, .. } => act(&rules::PRESS_TWICE, in_the_middle(2)),
        Action::Press { .. } if at.control.is_area() => act(&rules::PRESS_OTHER, in_the_middle(1)),
        Action::Press { .. } => act(&rules::PRESS, Act::Press),
        Action::PressAndLeave => nothing(&rules::LEAVE),
        Action::SetCheck { state, .. } => act(&rules::CHECK, Act::SetCheck { state: low(*state) }),
        Action::Choose { .. } => act(&rules::RADIO, Act::Press),
        Action::Type { text, result, redacted: false } => {
            typed(&rules::TYPE, text, at).ending_in(result.clone())
        }
        Action::Type { text, redacted: true, .. } => redacted(text, at, secrets),
        Action::TypeSecret { name } => match secrets.get(name) {
            Some(value) => act(&rules::SECRET, Act::SetText { text: value.clone() }).secret(),
            None => blocked(
                &rules::SECRET,
                format!("the secret {name} is missing: give it with --secret {name}=VALUE"),
            ),
        },
        Action::Edit { command: EditCommand::Paste, result: Some(text), .. } => {
            act(&rules::PASTE, Act::SetText { text: text.clone() }).ending_in(Some(text.clone()))
        }
        Action::Edit { command, result, .. } => {
            act(&rules::CLIPBOARD, Act::Edit { message: edit_message(*command) }).ending_in(result.clone())
        }
        Action::Select { now: Some(items), .. } => {
            act(&rules::SELECT, Act::Select { items: items.iter().map(item_ref).collect(), add: false })
        }
        Action::Select { items, selection: Selection::Remove, .. } => {
            act(&rules::DESELECT, Act::Deselect { items: items.iter().map(item_ref).collect() })
        }
        Action::Select { items, selection, .. } => {
            let add = *selection == Selection::Add;
            act(&rules::SELECT, Act::Select { items: items.iter().map(item_ref).collect(), add })
        }
        Action::CheckItem { item, checked: Some(checked) } => {
            act(&rules::CHECK_ITEM, Act::CheckItem { item: item_ref(item), checked: *checked })
        }
        Action::CheckItem { item, checked: None } => {
            acts(&rules::CHECK_UNTOLD, [select(item), Act::Key { code: VK_SPACE, modifiers: 0 }])
        }
        Action::Expand { item, open } => {
            let expand = Act::Expand { item: item_ref(item), open: *open };
            match selects_by_itself(step) {
                true => acts(&rules::EXPAND, [expand, Act::Focus]),
                false => act(&rules::EXPAND, expand),
            }
        }
        Action::Activate { item: Some(item), .. } => {
            act(&rules::ACTIVATE, Act::Activate { item: item_ref(item) })
        }
        Action::Activate { item: None, .. } => {
            act(&rules::ENTER_ITEM, Act::Key { code: VK_RETURN, modifiers: 0 })
        }
        Action::EditLabel { item } => act(&rules::EDIT_LABEL, Act::EditLabel { item: item_ref(item) }),
        Action::Rename { item, text } => {
            let rule = if text.is_some() { &rules::RENAME } else { &rules::RENAME_LEFT };
            act(rule, Act::Rename { item: item_ref(item), text: text.clone() })
        }
        Action::OpenList { .. } => nothing(&rules::OPEN_LIST),
        Action::OpenMenuOf { item } => {
            let item =
                item.as_ref().and_then(|item| item.command.map(low).or(item.index.map(|at| at as u32)));
            act(&rules::OPEN_MENU, Act::DropDown { item })
        }
        Action::Menu { chosen: false, .. } => nothing(&rules::MENU_LEFT),
        Action::Menu { command: Some(command), origin: MenuOrigin::System, .. } => {
            act(&rules::MENU_SYSTEM, Act::SysCommand { code: low(*command) })
        }
        Action::Menu { command, path, by, origin, point, .. } => {
            let opener = (by, *origin, *point);
            menu(step, (*command, path), opener).unwrap_or_else(|| open_menu(step, *command, path, opener))
        }
        Action::Shortcut { command: id, path, .. } => {
            let to = receiver(step, Some(*id)).or_else(|| top(at));
            act(&rules::SHORTCUT, command(*id, true, path.as_deref().unwrap_or_default())).to(to)
        }
        Action::Window { command, rect, .. } => window(*command, *rect),
        Action::Keys { keys, times } => pressed(keys, *times, step),
        Action::SetValue { value } => act(&rules::VALUE, Act::SetValue { value: clamp(*value) }),
        Action::Scroll { vertical, request, position, times } => {
            let position = position.map(clamp);
            let act = Act::Scroll { vertical: *vertical, request: low(*request), position };
            Choice {
                acts: vec![TargetedAct { to: None, act }; (*times).clamp(1, MAX_SCROLLS)],
                ..nothing(&rules::SCROLL)
            }
        }
        Action::Wheel { turn, horizontal, modifiers } => {
            let (turn, horizontal) = (clamp(*turn), *horizontal);
            act(&rules::WHEEL, Act::Wheel { turn, horizontal, modifiers: *modifiers as u8 & 0xF })
        }
        Action::SetDate { from, to } => {
            act(&rules::DATE, Act::SetDate { date: from.clone(), until: to.clone() })
        }
        Action::ClickColumn { item, .. } => match item.index {
            Some(index) => act(&rules::COLUMN, Act::ClickColumn { index: clamp(index) }),
            None => blocked(&rules::COLUMN, "the log does not tell which column"),
        },
        Action::SizeColumn { item, width } => match (item.index, width) {
            (Some(index), Some(width)) => {
                act(&rules::COLUMN_SIZE, Act::SizeColumn { index: clamp(index), width: clamp(*width) })
            }
            _ => nothing(&rules::COLUMN_SIZE),
        },
        Action::MoveColumn { item, order } => match (item.index, order) {
            (Some(index), Some(order)) => {
                act(&rules::COLUMN_MOVE, Act::MoveColumn { index: clamp(index), order: clamp(*order) })
            }
            _ => blocked(&rules::COLUMN_MOVE, "the log does not tell where the column went"),
        },
        Action::Tool { item, .. } => tool(item, step),
        Action::Link { name: name @ Some(_), .. } => {
            act(&rules::LINK_NAMED, Act::Link { index: 0, name: name.clone() })
        }
        Action::Link { index: Some(0), .. } => act(&rules::LINK, Act::Link { index: 0, name: None }),
        Action::Link { index: None, .. } => {
            acts(&rules::LINK_UNKNOWN, [Act::Focus, Act::Key { code: VK_RETURN, modifiers: 0 }])
        }
        Action::Link { .. } => blocked(
            &rules::LINK_OTHER,
            "a link after the first that has neither id nor address is not known by a number that holds everywhere",
        ),
        Action::Click { item: Some(item), double: false, point: Some((x, _)), .. }
            if at.control == Control::ListBox =>
        {
            act(&rules::CLICK_IN_ITEM, Act::ClickItem { item: item_ref(item), x: *x })
        }
        Action::Click { item: Some(item), double: false, button: Button::Right, .. }
            if matches!(at.control, Control::ListBox | Control::ListView | Control::TreeView) =>
        {
            act(&rules::RIGHT_CLICK_ITEM, Act::RightClickItem { item: item_ref(item) })
        }
        Action::Click { item: Some(item), double, .. } => {
            let item = item_ref(item);
            match double {
                true => act(&rules::ACTIVATE, Act::Activate { item }),
                false => act(&rules::CLICK_ITEM, Act::Select { items: vec![item], add: false }),
            }
        }
        Action::Click { button, double, part, point, modifiers, item: None, triple } => {
            let times = 1 + u8::from(*double) + u8::from(*triple);
            click((*button, times), *part, *point, modifiers, step)
        }
        Action::Stroke { points } => act(&rules::STROKE, Act::Stroke { points: points.clone() })
            .remark("drawn by points, relative to the window"),
        Action::Drag { item: None, from: Some(from), point: Some(point), .. } if !at.control.has_items() => {
            let points = [from, point].map(|&point| relative(point, at));
            act(&rules::STROKE, Act::Stroke { points: points.into() })
                .remark("drawn by points, relative to the window")
        }
        Action::Drag { item, to, from: Some(from), point: Some(point) } => {
            let on = to.as_deref().unwrap_or(at);
            let grab = Act::Grab { item: item.as_ref().map(item_ref), point: relative(*from, at) };
            let drop = Act::DropAt { point: relative(*point, on) };
            let acts = vec![
                TargetedAct { to: None, act: grab },
                TargetedAct { to: to.as_ref().map(|to| to.sketch.clone()), act: drop },
            ];
            Choice { acts, ..nothing(&rules::DRAG) }
                .remark("dragged with the real pointer, to a point relative to the window")
        }
        Action::Drag { .. } => blocked(
            &rules::DRAG,
            "the log does not tell from where to where; what is dragged into another program is not followed",
        ),
        Action::Drop { files } => act(&rules::DROP, Act::DropFiles { files: files.clone(), point: MIDDLE }),
        Action::Interrupt { what } => {
            let it = match what {
                Interruption::Focus => Act::Blur,
                Interruption::Switch => Act::Leave { to: 0 },
                Interruption::Dpi { from, to } => Act::SetDpi { from: *from, to: *to },
            };
            act(&rules::INTERRUPT, it)
        }
        Action::HotKey { number, code } => {
            act(&rules::SYSTEM_KEY, Act::HotKey { id: *number as u32, code: *code as u32 })
        }
        Action::AppCommand { number } => act(&rules::SYSTEM_KEY, Act::AppCommand { number: *number as u32 }),
    }
}

fn redacted(text: &str, at: &Place, secrets: &Secrets) -> Choice {
    let name = at.label.clone().unwrap_or_else(|| format!("id-{}", at.sketch.id.unwrap_or(0)));
    match secrets.get(&name) {
        Some(value) => typed(&rules::TYPE_REDACTED, value, at).secret(),
        None => typed(&rules::TYPE_REDACTED, text, at).remark(format!(
            "the text is private: its shape is typed; --secret {name:?}=VALUE types another"
        )),
    }
}

fn edit_message(command: EditCommand) -> u32 {
    match command {
        EditCommand::Cut => WM_CUT,
        EditCommand::Copy => WM_COPY,
        EditCommand::Paste => WM_PASTE,
        EditCommand::Clear => WM_CLEAR,
        EditCommand::Undo => WM_UNDO,
    }
}

/// By what means a menu was opened, of what it is the menu, and where the click was.
type Opener<'a> = (&'a Means, MenuOrigin, Option<(i32, i32)>);

/// A choice from a menu of the program that told it by WM_COMMAND.
fn menu(
    step: &Step,
    (id, path): (Option<u64>, &[String]),
    (by, origin, point): Opener<'_>,
) -> Option<Choice> {
    // The click that opens it also selects what it is about, and some programs know its commands only
    // while it is open.
    let is_openable = point.is_some() || matches!(by, Means::Keys(_));
    if origin == MenuOrigin::Context && is_openable {
        return None;
    }
    // A button that was told of its click opens the menu itself, and its command counts too.
    let own = step.target.hwnd();
    let is_told =
        |effect: &Effect| matches!(effect.what, EffectKind::Command { source, code: 0, .. } if source == own);
    if origin == MenuOrigin::Control && step.target.control.is_button() && step.effects.iter().any(is_told) {
        return None;
    }
    let id = id?;
    let to = receiver(step, Some(id))?;
    let path = if origin == MenuOrigin::Bar { path } else { &[] };
    Some(act(&rules::MENU, command(id, false, path)).to(Some(to)))
}

/// The menu is opened as it was, and the item chosen in it.
fn open_menu(step: &Step, command: Option<u64>, path: &[String], (by, origin, point): Opener<'_>) -> Choice {
    let at = &step.target;
    let open = match (by, origin, point) {
        (_, MenuOrigin::Bar, _) => Act::EnterMenu,
        (Means::Keys(keys), ..) => match parse_keys(keys) {
            Some((modifiers, code)) => Act::Key { code, modifiers },
            None => Act::Key { code: VK_APPS, modifiers: 0 },
        },
        (_, MenuOrigin::Control, _) if at.control.is_button() => Act::Press,
        (_, origin, Some(point)) => {
            let button =
                if origin == MenuOrigin::Context { PointerButton::Right } else { PointerButton::Left };
            Act::Click { button, times: 1, point: relative(point, at), modifiers: 0 }
        }
        _ => Act::Key { code: VK_APPS, modifiers: 0 },
    };
    acts(&rules::MENU_ASKED, [open, Act::ChooseInMenu { path: path.to_vec(), command: command.map(low) }])
}

fn window(command: WindowCommand, rect: Option<[i32; 4]>) -> Choice {
    let code = match command {
        WindowCommand::Move | WindowCommand::Size => {
            return rect.map_or_else(
                || nothing(&rules::PLACE_UNKNOWN),
                |rect| act(&rules::PLACE, Act::Place { rect }),
            );
        }
        WindowCommand::Close => SC_CLOSE,
        WindowCommand::Minimise => SC_MINIMIZE,
        WindowCommand::Maximise => SC_MAXIMIZE,
        WindowCommand::Restore => SC_RESTORE,
        WindowCommand::Other(code) => low(code),
    };
    act(&rules::WINDOW, Act::SysCommand { code })
}

/// Whether a tree told of a selection besides: one without any makes one when it gets the focus, unless the
/// toolkit sees to it that it does not.
fn selects_by_itself(step: &Step) -> bool {
    let is_change = |code| [TVN_SELCHANGEDA, TVN_SELCHANGEDW].map(i64::from).contains(&code);
    let tree = step.target.hwnd();
    let is_selection = |effect: &Effect| matches!(effect.what, EffectKind::Command { source, code, .. } if source == tree && is_change(code));
    step.effects.iter().any(is_selection)
}

fn tool(item: &Item, step: &Step) -> Choice {
    match (item.command.map(low), step.target.control) {
        (Some(command), Control::ToolBar) if receiver(step, item.command).is_none() => {
            act(&rules::TOOL, Act::Tool { command })
        }
        (Some(id), _) => {
            let to = receiver(step, item.command).or_else(|| top(&step.target));
            act(&rules::TOOL_COMMAND, command(id.into(), false, &[])).to(to)
        }
        (None, _) => blocked(&rules::TOOL, "the log does not tell which tool"),
    }
}

fn top(at: &Place) -> Option<Sketch> {
    at.ancestry.first().filter(|_| at.ancestry.len() > 1).cloned()
}

/// The window that got a command without source: of a menu, an accelerator or a dialog key.
fn receiver(step: &Step, command: Option<u64>) -> Option<Sketch> {
    command_of(step, command).map(|(_, to)| to)
}

fn select(item: &Item) -> Act {
    Act::Select { items: vec![item_ref(item)], add: false }
}

fn item_ref(item: &Item) -> ItemRef {
    ItemRef { path: item.path.clone(), index: item.index, index_path: item.index_path.clone() }
}

fn clamp(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
