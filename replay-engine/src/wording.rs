//! Acts in words: what `--dry-run` and `--explain` print.

use crate::choice::{Choice, TargetedAct};
use crate::driver::{Act, ItemRef};
use message_log::message_name;
use steps::{WHOLE, combination};

const SECRET: &str = "the secret text";

/// What is done for a step, in a line.
pub(crate) fn choice(choice: &Choice) -> String {
    if let Some(reason) = &choice.blocked {
        return format!("blocked: {reason}");
    }
    if choice.is_secret {
        return SECRET.into();
    }
    let Some(first) = choice.acts.first() else { return "nothing".into() };
    if choice.acts.iter().all(|targeted| targeted == first) {
        let times = choice.acts.len();
        return if times > 1 { format!("{}, {times} times", targeted(first)) } else { targeted(first) };
    }
    choice.acts.iter().map(targeted).collect::<Vec<_>>().join(", then ")
}

/// Each act of a step by itself.
pub(crate) fn acts(choice: &Choice) -> Vec<String> {
    choice.acts.iter().map(|it| if choice.is_secret { SECRET.into() } else { act(&it.act) }).collect()
}

fn targeted(targeted: &TargetedAct) -> String {
    match &targeted.to {
        Some(to) => {
            let name = if to.name.is_empty() { String::new() } else { format!(" “{}”", to.name) };
            format!("{} to {}{name}", act(&targeted.act), to.class)
        }
        None => act(&targeted.act),
    }
}

/// A point in words: thousandths say where it is well enough.
fn at((x, y): (i32, i32)) -> String {
    let part = |parts: i32| parts.div_euclid(WHOLE / 1000);
    format!("{} ‰, {} ‰", part(x), part(y))
}

/// An act in words.
fn act(act: &Act) -> String {
    match act {
        Act::Command { id, accelerator: false, .. } => format!("WM_COMMAND {id}"),
        Act::Command { id, accelerator: true, .. } => format!("WM_COMMAND {id} as an accelerator"),
        Act::SysCommand { code } => format!("WM_SYSCOMMAND {code:#X}"),
        Act::Close => "WM_CLOSE".into(),
        Act::Press => "BM_CLICK".into(),
        Act::SetCheck { state } => format!("check state {state}"),
        Act::Type { text } => format!("WM_CHAR {text:?}"),
        Act::TypeKeys { text } => format!("the keys of {text:?}"),
        Act::SetText { text } => format!("set the text {text:?}"),
        Act::Edit { message } => message_name(*message).to_string(),
        Act::Key { code, modifiers } => {
            format!("WM_KEYDOWN {}", combination(u64::from(*modifiers), *code))
        }
        Act::Click { button, times, point, modifiers } => {
            let verb = ["click", "double click", "triple click"][usize::from(times.clamp(&1, &3) - 1)];
            let held = if *modifiers == 0 { String::new() } else { format!(" with modifiers {modifiers}") };
            format!("{verb} of the {button:?} button at {}{held}", at(*point))
                .replace(" of the Left button", "")
        }
        Act::Stroke { points } => format!("the pointer along {} points", points.len()),
        Act::Select { items, add } => {
            let items: Vec<String> = items.iter().map(item).collect();
            format!("{} {}", if *add { "also select" } else { "select" }, items.join(", "))
        }
        Act::RightClickItem { item: it } => format!("right-click {}", item(it)),
        Act::ClickItem { item: it, x } => format!("click {} at {x} pixels from the left", item(it)),
        Act::Deselect { items } => {
            format!("deselect {}", items.iter().map(item).collect::<Vec<_>>().join(", "))
        }
        Act::EditLabel { item: it } => format!("edit the label of {}", item(it)),
        Act::Rename { item: it, text: Some(text) } => format!("rename {} to {text:?}", item(it)),
        Act::Rename { text: None, .. } => "give up renaming".into(),
        Act::CheckItem { item: it, checked } => {
            format!("{} {}", if *checked { "check" } else { "uncheck" }, item(it))
        }
        Act::Expand { item: it, open } => {
            format!("{} {}", if *open { "expand" } else { "collapse" }, item(it))
        }
        Act::Activate { item: it } => format!("activate {}", item(it)),
        Act::ClickColumn { index } => format!("click column {index}"),
        Act::SizeColumn { index, width } => format!("column {index} {width} wide"),
        Act::MoveColumn { index, order } => format!("column {index} to place {order}"),
        Act::Link { name: Some(name), .. } => format!("the link {name:?}"),
        Act::Link { index, name: None } => format!("link {index}"),
        Act::DropDown { .. } => "the notification of its arrow".into(),
        Act::Wheel { turn, horizontal, .. } => {
            format!("{} {turn}", if *horizontal { "WM_MOUSEHWHEEL" } else { "WM_MOUSEWHEEL" })
        }
        Act::DropFiles { files, .. } => format!("WM_DROPFILES {}", files.join(", ")),
        Act::HotKey { id, .. } => format!("WM_HOTKEY {id}"),
        Act::AppCommand { number } => format!("WM_APPCOMMAND {number}"),
        Act::EnterMenu => "the menu bar".into(),
        Act::ChooseInMenu { path, .. } => format!("choose {} in the open menu", path.join(" ▸ ")),
        Act::Hover { point } => format!("the real pointer to {}", at(*point)),
        Act::Grab { item: Some(it), .. } => format!("the real pointer down on {}", item(it)),
        Act::Grab { item: None, point } => format!("the real pointer down at {}", at(*point)),
        Act::DropAt { point } => format!("the real pointer to {} and up", at(*point)),
        Act::Tool { command } => format!("the tool with command {command}"),
        Act::SetValue { value } => format!("set the value {value}"),
        Act::Scroll { vertical, request, position } => {
            let message = if *vertical { "WM_VSCROLL" } else { "WM_HSCROLL" };
            let position = position.map_or_else(String::new, |position| format!(" to {position}"));
            format!("{message} {request}{position}")
        }
        Act::SetDate { date: Some(date), until: None } => format!("set the date {date}"),
        Act::SetDate { date: Some(date), until: Some(until) } => format!("set the dates {date} to {until}"),
        Act::SetDate { date: None, .. } => "clear the date".into(),
        Act::Place { rect: [left, top, right, bottom] } => {
            format!("place at {left},{top} {}×{}", right.saturating_sub(*left), bottom.saturating_sub(*top))
        }
        Act::Focus => "focus".into(),
        Act::Blur => "no focus".into(),
        Act::Leave { .. } => "another program in front".into(),
        Act::SetDpi { to, .. } => format!("WM_DPICHANGED to {to}"),
    }
}

/// By text, and by place where there is no text.
fn item(item: &ItemRef) -> String {
    match (item.path.as_slice(), item.index, &item.index_path) {
        ([], Some(index), _) => format!("item number {}", index.saturating_add(1)),
        ([], None, Some(path)) => format!("item number {path}"),
        ([], None, None) => "an unknown item".into(),
        (path, ..) => format!("“{}”", path.join(" ▸ ")),
    }
}
