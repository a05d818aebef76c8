//! How a step reads: the sentence a person would write into a bug report.

use super::effects::EffectKind;
use super::input::Button;
use super::input::Interruption;
use super::label::{one_line, shorten};
use super::nouns::{area, called, date, into, list, name, quoted, the, window, with};
use super::place::Place;
use super::step::{Action, EditCommand, Item, Means, MenuOrigin, Part, Selection, Step, WindowCommand};
use win32_vocabulary::Control;

/// One sentence without a full stop: `In dialog “Add item”, check “Gift wrap”`.
pub fn sentence(step: &Step) -> String {
    let said = match shown_number(step) {
        Some(number) => format!("set {} to {number}", the(&step.target)),
        None => action(&step.action, &step.target),
    };
    let window = &step.target.window;
    let is_named = window.title.is_empty() || names_window(&step.action, &step.target);
    match &step.target.document {
        Some(document) if !is_named => return format!("In “{}”, {said}", shorten(document)),
        _ if is_named || window.is_main => return capital(&said),
        _ => {}
    }
    format!("In {}, {said}", called(window))
}

/// The number that a program shows after a press on arrows whose position it does not use: it counts by
/// itself (Lazarus), and the position stays.
fn shown_number(step: &Step) -> Option<&str> {
    let Action::SetValue { value } = step.action else { return None };
    let mut shown = step.effects.iter().filter_map(|effect| match &effect.what {
        EffectKind::Text { to } => Some(to.as_str()),
        _ => None,
    });
    let text = shown.next().filter(|_| step.target.control == Control::UpDown && shown.next().is_none())?;
    let is_number = text.len() < 20 && text.parse::<f64>().is_ok_and(f64::is_finite);
    (is_number && text != value.to_string()).then_some(text)
}

/// Whether the action's own words name the window, so that naming it in front would say it twice.
fn names_window(action: &Action, at: &Place) -> bool {
    let is_window = at.ancestry.len() <= 1;
    match action {
        Action::Window { .. } | Action::Menu { origin: MenuOrigin::System, .. } => true,
        Action::Menu { origin: MenuOrigin::Bar, .. } | Action::Keys { .. } | Action::Shortcut { .. } => false,
        _ => is_window && at.control.is_area(),
    }
}

/// A window that is closed, moved or sized: a document by its own title, not by that of the window around it.
fn itself(at: &Place) -> String {
    let is_document = at.ancestry.len() > 1 && !at.sketch.name.is_empty();
    if is_document { format!("“{}”", shorten(&one_line(&at.sketch.name))) } else { window(at) }
}

fn action(action: &Action, at: &Place) -> String {
    match action {
        Action::Click { button, double, part, point, modifiers, item, .. } => {
            let verb = format!("{modifiers}{}", click_verb(*button, *double));
            match item {
                Some(item) => format!("{verb} {} in {}", name(item), the(at)),
                None => click(&verb, *part, *point, at),
            }
        }
        Action::Press { by: Means::Mouse, double: true } => format!("double-click {}", the(at)),
        Action::Press { by, .. } => format!("press {}{}", the(at), with(by)),
        Action::PressAndLeave => format!("press {}, but release the mouse beside it", the(at)),
        Action::SetCheck { state: 0, by } => format!("uncheck {}{}", the(at), with(by)),
        Action::SetCheck { state: 1, by } => format!("check {}{}", the(at), with(by)),
        Action::SetCheck { by, .. } => format!("set {} to its third state{}", the(at), with(by)),
        Action::Choose { by } => format!("choose {}{}", the(at), with(by)),
        Action::Type { text, .. } => format!("type {} {}", quoted(text), into(at)),
        Action::TypeSecret { name } => format!("type the secret {} {}", quoted(name), into(at)),
        Action::Edit { command, by, text, result } => {
            edit(*command, by, text.as_deref(), result.as_deref(), at)
        }
        Action::Select { items, selection, by, .. } => {
            let verb = match selection {
                Selection::Replace => "select",
                Selection::Add => "also select",
                Selection::Remove => "deselect",
            };
            if at.control == Control::Tab && items.iter().all(|item| *item == Item::default()) {
                return format!("turn to another tab{}", with(by));
            }
            if at.control == Control::Tab {
                return format!("turn to tab {}{}", list(items), with(by));
            }
            format!("{verb} {} in {}{}", list(items), the(at), with(by))
        }
        Action::CheckItem { item, checked } => {
            let verb = match checked {
                Some(true) => "check",
                Some(false) => "uncheck",
                None => "click the check box of",
            };
            format!("{verb} {} in {}", name(item), the(at))
        }
        Action::Expand { item, open: true } => format!("expand {} in {}", name(item), the(at)),
        Action::Expand { item, open: false } => format!("collapse {} in {}", name(item), the(at)),
        Action::Activate { item, by } => {
            let what = item.as_ref().map_or_else(|| "the item".into(), name);
            match by {
                Means::Mouse => format!("double-click {what} in {}", the(at)),
                Means::Keys(keys) => format!("open {what} in {} with {keys}", the(at)),
            }
        }
        Action::EditLabel { item } => format!("begin to rename {} in {}", name(item), the(at)),
        Action::Rename { item, text: Some(text) } => {
            format!("rename {} in {} to {}", name(item), the(at), quoted(text))
        }
        Action::Rename { item, text: None } => {
            format!("begin to rename {} in {}, and leave it", name(item), the(at))
        }
        Action::OpenList { by } => format!("open the list of {}{} and close it again", the(at), with(by)),
        Action::OpenMenuOf { item: None } => format!("open the menu of {}", the(at)),
        Action::OpenMenuOf { item: Some(item) } => format!("open the menu of {} in {}", name(item), the(at)),
        Action::Menu { path, command, origin, chosen, by, .. } => {
            menu(path, *command, *origin, *chosen, by, at)
        }
        Action::Shortcut { keys, path, .. } => match path {
            Some(path) => format!("press {keys} ({})", path.join(" ▸ ")),
            None => format!("press {keys}"),
        },
        Action::Window { command, by, .. } => format!("{} {}{}", window_verb(*command), itself(at), with(by)),
        Action::Keys { keys, times } => {
            let times = if *times > 1 { format!(" {times} times") } else { String::new() };
            // Keys that go on from a control are not said to be pressed in it.
            let goes_on = keys.starts_with('F') && keys.len() > 1 || keys.starts_with("Alt+");
            let goes_on = goes_on || ["Tab", "Esc", "Enter"].iter().any(|key| keys.ends_with(key));
            let is_plain = goes_on || at.control.is_area() || at.control.is_button();
            let place = if is_plain { String::new() } else { format!(" in {}", the(at)) };
            format!("press {keys}{times}{place}")
        }
        Action::SetValue { value } => format!("set {} to {value}", the(at)),
        Action::Scroll { vertical, request, position, .. } => scroll(*vertical, *request, *position, at),
        Action::Wheel { turn, horizontal, .. } => wheel(*turn, *horizontal, at),
        Action::Drag { item, to, from, point } => drag(item.as_ref(), to.as_deref(), *from, *point, at),
        Action::Stroke { points } => {
            let at_point = |p: Option<&(i32, i32)>| {
                p.map_or_else(String::new, |(x, y)| format!("{} %, {} %", x / 100, y / 100))
            };
            let (from, to) = (at_point(points.first()), at_point(points.last()));
            format!("drag the mouse in {} from {from} to {to}", the(at))
        }
        Action::Drop { files } => {
            let files: Vec<String> = files.iter().map(|file| quoted(file)).collect();
            format!("drop {} onto {}", files.join(", "), the(at))
        }
        Action::SetDate { from: None, .. } => format!("clear the date {}", the(at)),
        Action::SetDate { from: Some(from), to: None } => format!("set {} to {}", the(at), date(from, at)),
        Action::SetDate { from: Some(from), to: Some(to) } => {
            format!("select {} to {} in {}", date(from, at), date(to, at), the(at))
        }
        Action::ClickColumn { item, double } => {
            let verb = if *double { "double-click" } else { "click" };
            format!("{verb} the column header {} of {}", name(item), the(at))
        }
        Action::MoveColumn { item, .. } => format!("move column {} of {}", name(item), the(at)),
        Action::SizeColumn { item, .. } => {
            format!("change the width of column {} of {}", name(item), the(at))
        }
        Action::Tool { item, path } => match (path, item.path.is_empty()) {
            (_, false) => format!("press {} in the tool bar", name(item)),
            (Some(path), true) => format!("press the tool for {}", path.join(" ▸ ")),
            (None, true) => match (item.index, item.command) {
                (Some(index), _) => format!("press button {} of the tool bar", index + 1),
                (None, Some(command)) => format!("press the tool with command {command} in {}", area(at)),
                (None, None) => format!("press a tool in {}", area(at)),
            },
        },
        Action::Link { name: Some(name), .. } => format!("click the link “{name}” of {}", the(at)),
        Action::Link { index, name: None } => {
            let which =
                index.filter(|&index| index >= 0).map_or_else(String::new, |i| format!("link {} of ", i + 1));
            format!("click {which}{}", the(at))
        }
        Action::HotKey { number, .. } => format!("press the hot key {number}"),
        Action::AppCommand { number } => format!("press {}", app_command(*number)),
        Action::Interrupt { what } => match what {
            Interruption::Focus => "lose the focus".into(),
            Interruption::Switch => "switch to another program and back".into(),
            Interruption::Dpi { to, .. } => format!("go to a screen of {to} dots per inch"),
        },
    }
}

fn click_verb(button: Button, double: bool) -> &'static str {
    match (button, double) {
        (Button::Left, false) => "click",
        (Button::Left, true) => "double-click",
        (Button::Right, false) => "right-click",
        (Button::Right, true) => "right-double-click",
        (Button::Middle, _) => "middle-click",
        (Button::Extra | Button::Further, _) => "click with an extra button",
    }
}

fn click(verb: &str, part: Part, point: Option<(i32, i32)>, at: &Place) -> String {
    match (part, at.control) {
        (Part::TitleBar, _) => return format!("{verb} the title bar of {}", area(at)),
        (Part::Frame, _) => return format!("{verb} the frame of {}", area(at)),
        (_, kind) if kind.shows_its_name() => return format!("{verb} {}", the(at)),
        _ => {}
    }
    match point.filter(|&(x, y)| at.size().is_some_and(|(w, h)| inside(x, w) && inside(y, h))) {
        Some((x, y)) if at.control.is_area() => format!("{verb} into {} at {x}, {y}", area(at)),
        _ => format!("{verb} into {}", area(at)),
    }
}

fn inside(at: i32, size: i32) -> bool {
    (0..size).contains(&at)
}

fn edit(command: EditCommand, by: &Means, text: Option<&str>, result: Option<&str>, at: &Place) -> String {
    match (command, text) {
        (EditCommand::Cut, _) => format!("cut from {}", the(at)),
        (EditCommand::Copy, _) => format!("copy from {}", the(at)),
        (EditCommand::Paste, Some(text)) => format!("paste {} {}", quoted(text), into(at)),
        (EditCommand::Paste, None) => {
            let then = result.map_or_else(String::new, |text| format!(", which then reads {}", quoted(text)));
            format!("paste {}{then}", into(at))
        }
        (EditCommand::Clear, _) => format!("delete the selected text in {}", the(at)),
        (EditCommand::Undo, _) => format!("undo in {}{}", the(at), with(by)),
    }
}

fn menu(
    path: &[String],
    command: Option<u64>,
    origin: MenuOrigin,
    chosen: bool,
    by: &Means,
    at: &Place,
) -> String {
    // What the program draws itself has no label.
    let unnamed = || command.map_or_else(|| "an item".into(), |id| format!("item {id}"));
    let way = match path.split_last() {
        None => unnamed(),
        Some((last, above)) if last.is_empty() => [above, &[unnamed()]].concat().join(" ▸ "),
        Some(_) => path.join(" ▸ "),
    };
    match (origin, chosen) {
        (MenuOrigin::Bar, true) => format!("choose menu {way}"),
        (MenuOrigin::Bar, false) if path.is_empty() => "go to the menu bar, and leave it".into(),
        (MenuOrigin::Bar, false) => format!("open menu {way}, and leave it"),
        (MenuOrigin::System, true) => format!("choose {way} from the system menu of {}", window(at)),
        (MenuOrigin::System, false) => format!("open the system menu of {}, and leave it", window(at)),
        (MenuOrigin::Context, true) => format!("choose {way} from the context menu of {}", area(at)),
        (MenuOrigin::Context, false) => format!("open the context menu of {}, and leave it", area(at)),
        (MenuOrigin::Control, true) if at.control == Control::ToolBar => {
            format!("choose {way} from a menu of the tool bar")
        }
        (MenuOrigin::Control, true) => format!("press {}{} and choose {way}", the(at), with(by)),
        (MenuOrigin::Control, false) => format!("open the menu of {}{}, and leave it", the(at), with(by)),
    }
}

fn window_verb(command: WindowCommand) -> String {
    match command {
        WindowCommand::Close => "close",
        WindowCommand::Minimise => "minimise",
        WindowCommand::Maximise => "maximise",
        WindowCommand::Restore => "restore",
        WindowCommand::Move => "move",
        WindowCommand::Size => "resize",
        WindowCommand::Other(number) => return format!("send system command {number:#X} to"),
    }
    .into()
}

fn scroll(vertical: bool, request: u64, position: Option<i64>, at: &Place) -> String {
    let how = match (request, vertical) {
        (0, true) => "up a line",
        (1, true) => "down a line",
        (2, true) => "up a page",
        (3, true) => "down a page",
        (0, false) => "left a bit",
        (1, false) => "right a bit",
        (2, false) => "left a page",
        (3, false) => "right a page",
        (6, _) => "to the beginning",
        (7, _) => "to the end",
        _ => "",
    };
    let how = match (how, position) {
        ("", Some(position)) => format!("to {position}"),
        (how, _) => how.into(),
    };
    format!("scroll {} {how}", the(at)).trim_end().to_owned()
}

fn wheel(turn: i64, horizontal: bool, at: &Place) -> String {
    let way = match (horizontal, turn < 0) {
        (false, true) => "down",
        (false, false) => "up",
        (true, true) => "left",
        (true, false) => "right",
    };
    let notches = (turn.unsigned_abs() / 120).max(1);
    let unit = if notches == 1 { "notch" } else { "notches" };
    format!("turn the wheel {notches} {unit} {way} over {}", area(at))
}

fn drag(
    item: Option<&Item>,
    to: Option<&Place>,
    from: Option<(i32, i32)>,
    point: Option<(i32, i32)>,
    at: &Place,
) -> String {
    if at.control.is_edit() && to.is_none() {
        return format!("select text in {} with the mouse", the(at));
    }
    let way = match (from, point) {
        (Some((ax, ay)), Some((bx, by))) => direction(bx.saturating_sub(ax), by.saturating_sub(ay)),
        _ => String::new(),
    };
    match (item, to) {
        (Some(item), Some(to)) => format!("drag {} from {} to {}", name(item), the(at), area(to)),
        (Some(item), None) => format!("drag {} in {}{way}", name(item), the(at)),
        (None, Some(to)) => format!("drag from {} to {}", the(at), area(to)),
        (None, None) => format!("drag in {}{way}", the(at)),
    }
}

fn direction(x: i32, y: i32) -> String {
    let (across, down) = (x.unsigned_abs(), y.unsigned_abs());
    match (across >= down, x < 0, y < 0) {
        (true, false, _) => format!(" {across} pixels to the right"),
        (true, true, _) => format!(" {across} pixels to the left"),
        (false, _, false) => format!(" {down} pixels down"),
        (false, _, true) => format!(" {down} pixels up"),
    }
}

fn app_command(number: u64) -> String {
    match number {
        1 => "Back".into(),
        2 => "Forward".into(),
        3 => "Refresh".into(),
        5 => "Search".into(),
        8 => "Mute".into(),
        9 => "Volume Down".into(),
        10 => "Volume Up".into(),
        _ => format!("the key of app command {number}"),
    }
}

fn capital(said: &str) -> String {
    let mut rest = said.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
