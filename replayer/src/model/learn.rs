//! From a log to what a usage model keeps: each step is an action and the durable identity of its window;
//! what was typed or chosen is an example.

use super::widgets;
use crate::log_files;
use crate::log_files::NO_LOG;
use anyhow::ensure;
use replay_engine::{Reading, RecordedWindows};
use scenario::usage::{Feature, Model, Occurrence, Session};
use scenario::{Action, Direction, Event, Target, check_keys};
use std::path::Path;
use steps::{Action as Done, Button, EditCommand, Item, Place, Step, WindowCommand, control_of, sentence};
use window_tree::Tree;

/// IDCANCEL.
const CANCEL: i64 = 2;

/// What one log tells.
pub(super) fn learn(path: &Path) -> anyhow::Result<Model> {
    let mut reading = Reading::default();
    for entry in log_files::open(path)?.newest() {
        reading.take(&entry?);
    }
    let recording = reading.finish();
    ensure!(recording.is_log, "{} {NO_LOG}", path.display());
    let mut model = Model::new(&recording.program.name);
    // What could not be read the first time was told then.
    let mut recorded_windows = RecordedWindows::new(log_files::open(path)?.newest().map_while(Result::ok));
    let mut steps = Vec::new();
    for step in &recording.plan.steps {
        let tree = recorded_windows.at(step.first_event);
        let open = look(tree, &mut model);
        let millis = u32::try_from(recording.time_of(step) / 1000).unwrap_or(u32::MAX);
        let feature = feature(step, tree, &mut model);
        steps.push(Occurrence { feature: model.feature(feature), millis, open });
    }
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    model.sessions.push(Session { name, is_whole: recording.cut.is_none(), steps });
    Ok(model)
}

/// Notes what is offered, and returns the windows that take input.
fn look(tree: &Tree, model: &mut Model) -> Vec<u32> {
    let mut open = Vec::new();
    for top in tree.children(0).filter(|top| top.visible() == Some(true) && top.enabled() != Some(false)) {
        open.push(model.window(&widgets::window_name(&Place::of(tree, top.hwnd, top.window_id))));
        let mut inside: Vec<_> = tree.children(top.hwnd).collect();
        while let Some(node) = inside.pop().filter(|_| model.offered.len() < 10_000) {
            if node.visible() != Some(true) {
                continue;
            }
            let control = control_of(node);
            if widgets::is_of_use(control) {
                model.offered.insert(widgets::widget_name(&Place::of(tree, node.hwnd, node.window_id)));
            }
            // The edit of a combo box is a part of it.
            if !control.has_items() {
                inside.extend(tree.children(node.hwnd));
            }
        }
    }
    open.sort_unstable();
    open.dedup();
    open
}

fn feature(step: &Step, tree: &Tree, model: &mut Model) -> Feature {
    let at = &step.target;
    let target = widgets::describe(tree, at);
    let action = action(&step.action);
    let is_to_focus = matches!(action, Action::Menu(_));
    let target = if is_to_focus { Target::Focus } else { target };
    let example = Event::new(action, target);
    Feature {
        event: Event::new(bare(&example.action), example.target.clone()),
        label: label(step),
        window: model.window(&widgets::window_name(at)),
        is_cancel: is_cancel(step),
        widget: widgets::widget_name(at),
        examples: vec![example],
    }
}

/// What was done, in the words of the trace language.
fn action(done: &Done) -> Action {
    let path = |item: &Item| item.path.clone();
    let other = |what: &str| Action::Other(what.to_owned());
    match done {
        Done::Click { button, double, item, .. } => {
            let item = item.as_ref().map(path).unwrap_or_default();
            match (button, double) {
                (Button::Left, false) => Action::Click(item),
                (Button::Left, true) => Action::DoubleClick(item),
                (Button::Right, _) => Action::RightClick(item),
                _ => other("click with another button"),
            }
        }
        Done::Press { double: false, .. }
        | Done::SetCheck { .. }
        | Done::Choose { .. }
        | Done::Link { .. } => Action::Click(Vec::new()),
        Done::Press { double: true, .. } => Action::DoubleClick(Vec::new()),
        Done::PressAndLeave => other("press and leave"),
        Done::Type { text, redacted: false, .. } => Action::Type(text.clone()),
        Done::Type { .. } | Done::TypeSecret { .. } => other("type something private"),
        Done::Edit { command, .. } => match command {
            EditCommand::Cut => Action::Keys("Ctrl+X".into()),
            EditCommand::Copy => Action::Keys("Ctrl+C".into()),
            EditCommand::Paste => Action::Keys("Ctrl+V".into()),
            EditCommand::Clear => Action::Keys("Delete".into()),
            EditCommand::Undo => Action::Keys("Ctrl+Z".into()),
        },
        Done::Select { items, .. } if items.len() == 1 && !items[0].path.is_empty() => {
            Action::Select(path(&items[0]))
        }
        Done::Select { .. } => other("select"),
        Done::CheckItem { item, .. } if !item.path.is_empty() => Action::Click(path(item)),
        Done::CheckItem { .. } => other("check an item"),
        Done::Expand { item, .. } if !item.path.is_empty() => Action::DoubleClick(path(item)),
        Done::Expand { .. } => other("expand"),
        Done::Activate { item: Some(item), .. } if !item.path.is_empty() => Action::DoubleClick(path(item)),
        Done::Activate { .. } => Action::Keys("Enter".into()),
        Done::Rename { .. } => other("rename"),
        Done::EditLabel { .. } => other("begin to rename"),
        Done::MoveColumn { .. } => other("move a column"),
        Done::OpenList { .. } => other("open and leave the list"),
        Done::OpenMenuOf { .. } => other("open the menu"),
        Done::Menu { path, chosen: true, .. } if !path.is_empty() => Action::Menu(path.clone()),
        Done::Menu { chosen: true, .. } => other("choose from a menu"),
        Done::Menu { .. } => other("open and leave the menu"),
        Done::Shortcut { keys, .. } | Done::Keys { keys, .. } => match check_keys(keys) {
            Ok(()) => Action::Keys(keys.clone()),
            Err(_) => other("press a key"),
        },
        Done::Window { command, .. } => match command {
            WindowCommand::Close => Action::Close,
            WindowCommand::Minimise => Action::Minimise,
            WindowCommand::Maximise => Action::Maximise,
            WindowCommand::Restore => Action::Restore,
            WindowCommand::Move => other("move the window"),
            WindowCommand::Size => other("resize the window"),
            WindowCommand::Other(_) => other("choose from the system menu"),
        },
        Done::Wheel { turn, .. } => {
            let notches = turn.unsigned_abs().div_ceil(120).clamp(1, 1000) as u32;
            Action::Scroll(if *turn > 0 { Direction::Up } else { Direction::Down }, 3 * notches)
        }
        Done::Tool { item, .. } if !item.path.is_empty() => Action::Click(path(item)),
        // Many tools have a picture alone.
        Done::Tool { item: Item { command: Some(command), .. }, .. } => {
            Action::Click(vec![format!("#{command}")])
        }
        Done::Tool { .. } => other("press a tool"),
        Done::ClickColumn { .. } => other("click a column"),
        Done::SizeColumn { .. } => other("change the width of a column"),
        Done::SetValue { .. } => other("set the value"),
        Done::Scroll { .. } => other("scroll"),
        Done::Drag { .. } => other("drag"),
        Done::Stroke { .. } => other("draw"),
        Done::Drop { .. } => other("drop files"),
        Done::SetDate { .. } => other("set the date"),
        Done::Interrupt { .. } => other("come from outside"),
        Done::HotKey { .. } | Done::AppCommand { .. } => other("press a key of the system"),
    }
}

/// Without what was typed or chosen, which differs from user to user.
fn bare(action: &Action) -> Action {
    match action {
        Action::Type(_) => Action::Type(String::new()),
        Action::Select(_) => Action::Select(Vec::new()),
        Action::DoubleClick(item) if !item.is_empty() => Action::DoubleClick(vec!["…".into()]),
        Action::RightClick(item) if !item.is_empty() => Action::RightClick(vec!["…".into()]),
        Action::Scroll(direction, _) => Action::Scroll(*direction, 1),
        other => other.clone(),
    }
}

/// The step in words, without what was typed or chosen.
fn label(step: &Step) -> String {
    let mut step = step.clone();
    let blank = |item: &mut Item| *item = Item { path: vec!["…".into()], ..Item::default() };
    match &mut step.action {
        Done::Type { text, result, .. } => (*text, *result) = ("…".into(), None),
        Done::Edit { text, result, .. } => (*text, *result) = (None, None),
        Done::Select { items, .. } => {
            items.truncate(1);
            items.iter_mut().for_each(blank);
        }
        Done::Activate { item: Some(item), .. }
        | Done::CheckItem { item, .. }
        | Done::Expand { item, .. } => blank(item),
        Done::Click { item: Some(item), .. } => blank(item),
        Done::Keys { times, .. } => *times = 1,
        Done::Wheel { turn, .. } => *turn = 120 * turn.signum(),
        _ => {}
    }
    let said = sentence(&step);
    // A key that moves on is told without the widget it was pressed in: here it is another feature in each.
    match (&step.action, &step.target.label) {
        (Done::Keys { .. }, Some(label)) if !said.contains(label.as_str()) => format!("{said} in “{label}”"),
        _ => said,
    }
}

/// Whether it gives up what was begun.
fn is_cancel(step: &Step) -> bool {
    match &step.action {
        Done::Press { .. } => step.target.sketch.id == Some(CANCEL),
        Done::Keys { keys, .. } => keys == "Esc",
        Done::Window { command: WindowCommand::Close, .. } => step.target.window.is_dialog,
        Done::PressAndLeave | Done::OpenList { .. } | Done::Rename { text: None, .. } => true,
        Done::Menu { chosen, .. } => !chosen,
        _ => false,
    }
}
