//! The table, line by line: for every rule an interaction that it is chosen for, and what is done then.

use crate::choice::{Choice, Secrets};
use crate::choose::choose;
use crate::driver::{Act, ItemRef, PointerButton};
use crate::rules::{self, RULES, Rule};
use crate::wording;
use Action as A;
use message_log::Rect;
use steps::{
    Action, EditCommand, Effect, EffectKind, Interruption, Item, Means, MenuOrigin, Part, Place, Selection,
    Sketch, Step, WindowCommand,
};
use win32_vocabulary::Control;
use window_tree::Tree;

/// A step done to a control of 200 × 100 pixels.
fn step(control: Control, action: Action) -> Step {
    let top = Sketch { hwnd: 1, window_id: 1, class: "Main".into(), ..Sketch::default() };
    let own = Sketch { hwnd: 2, window_id: 2, class: "Control".into(), id: Some(7), ..Sketch::default() };
    let rect = Some(Rect { left: 10, top: 10, right: 210, bottom: 110 });
    let (ancestry, label) = (vec![top, own], Some("Field".into()));
    let target = Place { control, rect, ancestry, label, ..Place::of(&Tree::new(), 2, 2) };
    Step {
        number: 1,
        time: 0,
        thread: 1,
        first_event: 0,
        target,
        action,
        messages: Vec::new(),
        inputs: Vec::new(),
        effects: Vec::new(),
    }
}

/// The same, followed by a command without source to the window 9.
fn with_command(control: Control, action: Action, command: u64) -> Step {
    let what = EffectKind::Command { command, source: 0, code: 0 };
    let window = Sketch { hwnd: 9, class: "Frame".into(), ..Sketch::default() };
    Step { effects: vec![Effect { what, window }], ..step(control, action) }
}

fn item(text: &str, index: i64) -> Item {
    Item { path: vec![text.into()], index: Some(index), ..Item::default() }
}

fn secrets() -> Secrets {
    Secrets::from([("pin".to_owned(), "1234".to_owned())])
}

/// Every rule with an interaction it is for.
fn examples() -> Vec<(&'static Rule, Step)> {
    use Control::*;
    let mouse = || Means::Mouse;
    let keys = |keys: &str| Means::Keys(keys.into());
    let press = |keys: &str| A::Keys { keys: keys.into(), times: 1 };
    let text = |text: &str| Some(text.to_owned());
    let menu = |command, origin, chosen| A::Menu {
        path: vec!["File".into()],
        command,
        origin,
        chosen,
        by: mouse(),
        point: Some((100, 25)),
    };
    let edit = |command, result| A::Edit { command, by: keys("Ctrl+V"), text: None, result };
    let select = |selection| A::Select { items: vec![item("b", 1)], selection, by: mouse(), now: None };
    let click = |part, item| A::Click {
        button: steps::Button::Left,
        double: false,
        part,
        point: Some((100, 25)),
        modifiers: String::new(),
        item,
        triple: false,
    };
    let right_click = |item| match click(Part::Client, item) {
        A::Click { double, part, point, modifiers, item, triple, .. } => {
            A::Click { button: steps::Button::Right, double, part, point, modifiers, item, triple }
        }
        other => other,
    };
    let window = |command, rect| A::Window { command, by: mouse(), rect };
    let tool = || A::Tool { item: Item { command: Some(5), ..Item::default() }, path: None };
    let drag = |item| A::Drag { item, to: None, from: Some((0, 0)), point: Some((200, 50)) };
    let date = text("2026-11-16");
    vec![
        (&rules::PRESS, step(Button, A::Press { by: keys("Enter"), double: false })),
        (&rules::PRESS_UNTOLD, step(Button, click(Part::Client, None))),
        (&rules::PRESS_TWICE, step(Button, A::Press { by: mouse(), double: true })),
        (&rules::PRESS_OTHER, step(Other, A::Press { by: mouse(), double: false })),
        (&rules::LEAVE, step(Button, A::PressAndLeave)),
        (&rules::CHECK, step(CheckBox, A::SetCheck { state: 1, by: mouse() })),
        (&rules::RADIO, step(RadioButton, A::Choose { by: keys("Down") })),
        (&rules::TYPE_KEYS, step(Other, A::Type { text: "rR".into(), result: None, redacted: false })),
        (&rules::TYPE, step(Edit, A::Type { text: "a\nb".into(), result: text("a\r\nb"), redacted: false })),
        (&rules::TYPE_REDACTED, step(Edit, A::Type { text: "Xx 00".into(), result: None, redacted: true })),
        (&rules::SECRET, step(Edit, A::TypeSecret { name: "pin".into() })),
        (&rules::PASTE, step(Edit, edit(EditCommand::Paste, text("all")))),
        (&rules::CLIPBOARD, step(Edit, edit(EditCommand::Undo, None))),
        (&rules::SELECT, step(ListBox, select(Selection::Add))),
        (&rules::DESELECT, step(ListBox, select(Selection::Remove))),
        (&rules::CHECK_ITEM, step(ListView, A::CheckItem { item: item("b", 1), checked: Some(true) })),
        (&rules::CHECK_UNTOLD, step(TreeView, A::CheckItem { item: item("b", 1), checked: None })),
        (&rules::EXPAND, step(TreeView, A::Expand { item: item("b", 1), open: true })),
        (&rules::ACTIVATE, step(ListBox, A::Activate { item: Some(item("b", 1)), by: mouse() })),
        (&rules::ENTER_ITEM, step(ListBox, A::Activate { item: None, by: keys("Enter") })),
        (&rules::CLICK_IN_ITEM, step(ListBox, click(Part::Client, Some(item("b", 1))))),
        (&rules::RIGHT_CLICK_ITEM, step(ListView, right_click(Some(item("b", 1))))),
        (&rules::CLICK_ITEM, step(ListView, click(Part::Client, Some(item("b", 1))))),
        (&rules::EDIT_LABEL, step(ListView, A::EditLabel { item: item("b", 1) })),
        (&rules::RENAME, step(ListView, A::Rename { item: item("b", 1), text: text("c") })),
        (&rules::RENAME_LEFT, step(ListView, A::Rename { item: item("b", 1), text: None })),
        (&rules::OPEN_LIST, step(ComboBox, A::OpenList { by: mouse() })),
        (&rules::OPEN_MENU, step(Button, A::OpenMenuOf { item: None })),
        (&rules::MENU, with_command(Other, menu(Some(5), MenuOrigin::Bar, true), 5)),
        (&rules::MENU_SYSTEM, step(Other, menu(Some(0x10), MenuOrigin::System, true))),
        (&rules::MENU_ASKED, step(Other, menu(Some(5), MenuOrigin::Context, true))),
        (&rules::MENU_LEFT, step(Other, menu(None, MenuOrigin::Bar, false))),
        (&rules::SHORTCUT, with_command(Edit, A::Shortcut { keys: "F1".into(), command: 5, path: None }, 5)),
        (&rules::WINDOW, step(Other, window(WindowCommand::Close, None))),
        (&rules::PLACE, step(Other, window(WindowCommand::Move, Some([1, 2, 3, 4])))),
        (&rules::PLACE_UNKNOWN, step(Other, window(WindowCommand::Size, None))),
        (&rules::KEY, step(Edit, A::Keys { keys: "Ctrl+Shift+Right".into(), times: 3 })),
        (&rules::KEY_CHARACTER, step(Edit, press("Backspace"))),
        (&rules::KEY_COMMAND, with_command(Other, press("Esc"), 2)),
        (&rules::KEY_UNKNOWN, step(Other, press("a key"))),
        (&rules::VALUE, step(TrackBar, A::SetValue { value: 30 })),
        (&rules::SCROLL, step(Other, A::Scroll { vertical: true, request: 5, position: Some(70), times: 1 })),
        (&rules::WHEEL, step(Edit, A::Wheel { turn: -240, horizontal: false, modifiers: 2 })),
        (&rules::DATE, step(Calendar, A::SetDate { from: date.clone(), to: date })),
        (&rules::COLUMN, step(Header, A::ClickColumn { item: item("Name", 2), double: false })),
        (&rules::COLUMN_SIZE, step(Header, A::SizeColumn { item: item("Name", 2), width: Some(9) })),
        (&rules::COLUMN_MOVE, step(Header, A::MoveColumn { item: item("Name", 2), order: Some(0) })),
        (&rules::TOOL, step(ToolBar, tool())),
        (&rules::TOOL_COMMAND, with_command(Other, tool(), 5)),
        (&rules::LINK_NAMED, step(Link, A::Link { index: Some(1), name: Some("second".into()) })),
        (&rules::LINK, step(Link, A::Link { index: Some(0), name: None })),
        (&rules::LINK_UNKNOWN, step(Link, A::Link { index: None, name: None })),
        (&rules::LINK_OTHER, step(Link, A::Link { index: Some(1), name: None })),
        (&rules::CARET, step(Edit, click(Part::Client, None))),
        (&rules::FOCUS, step(DatePicker, click(Part::Client, None))),
        (&rules::POINT, step(Other, click(Part::Client, None))),
        (&rules::STROKE, step(Edit, drag(None))),
        (&rules::DRAG, step(ListBox, drag(Some(item("b", 1))))),
        (&rules::DROP, step(Other, A::Drop { files: vec!["a.txt".into()] })),
        (&rules::INTERRUPT, step(Other, A::Interrupt { what: Interruption::Focus })),
        (&rules::SYSTEM_KEY, step(Other, A::HotKey { number: 1, code: 0x7A })),
    ]
}

/// A table without a line for an interaction, or a line nothing comes to, is no table.
#[test]
fn every_rule_is_chosen_for_its_interaction() {
    let examples = examples();
    for (rule, step) in &examples {
        let choice = choose(step, &secrets());
        assert_eq!(choice.rule, *rule, "{:?}", step.action);
        // The page says what is done.
        let said = wording::choice(&choice);
        assert_eq!(rule.act == "blocked", choice.blocked.is_some(), "{said}");
        assert_eq!(rule.act == "nothing", said == "nothing", "{}: {said}", rule.interaction);
    }
    let shown: Vec<&Rule> = examples.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(shown, RULES, "an example for each rule, in the order of the page");
}

fn chosen(wanted: &Rule) -> Choice {
    let (_, step) = examples().into_iter().find(|(rule, _)| *rule == wanted).unwrap();
    choose(&step, &secrets())
}

#[track_caller]
fn does(rule: &Rule, acts: &[Act]) -> Choice {
    let choice = chosen(rule);
    let done: Vec<Act> = choice.acts.iter().map(|targeted| targeted.act.clone()).collect();
    assert_eq!(done, acts, "{}", rule.interaction);
    choice
}

#[test]
fn characters_are_characters_and_keys_are_keys() {
    let typed = does(&rules::TYPE, &[Act::Type { text: "a\rb".into() }]);
    assert_eq!(typed.result.as_deref(), Some("a\r\nb"));
    does(&rules::TYPE_KEYS, &[Act::TypeKeys { text: "rR".into() }]);
    does(&rules::KEY_CHARACTER, &[Act::Type { text: "\u{8}".into() }]);
    let right = Act::Key { code: 0x27, modifiers: 3 };
    does(&rules::KEY, &[right.clone(), right.clone(), right]);
    does(&rules::PASTE, &[Act::SetText { text: "all".into() }]);
    does(&rules::CLIPBOARD, &[Act::Edit { message: 0x304 }]);
}

#[test]
fn every_key_that_has_a_name_is_found_by_it() {
    for code in (0x08..=0x87).filter(|code| !matches!(code, 0x10..=0x12 | 0x5B | 0x5C)) {
        let keys = steps::combination(7, code);
        let choice = choose(&step(Control::Other, A::Keys { keys: keys.clone(), times: 1 }), &secrets());
        let key = Act::Key { code, modifiers: 7 };
        assert_eq!(choice.acts.first().map(|targeted| &targeted.act), Some(&key), "{keys}");
    }
}

#[test]
fn commands_go_to_the_window_that_got_them() {
    let to = |choice: &Choice| choice.acts[0].to.as_ref().map(|to| to.hwnd);
    let command = |id, accelerator| [Act::Command { id, accelerator, path: Vec::new() }];
    let labelled = Act::Command { id: 5, accelerator: false, path: vec!["File".into()] };
    assert_eq!(to(&does(&rules::MENU, &[labelled])), Some(9));
    assert_eq!(to(&does(&rules::SHORTCUT, &command(5, true))), Some(9));
    assert_eq!(to(&does(&rules::KEY_COMMAND, &command(2, false))), Some(9));
    assert_eq!(to(&does(&rules::TOOL_COMMAND, &command(5, false))), Some(9));
    // Where nobody was seen to get it, the window above.
    let unseen = step(Control::Edit, A::Shortcut { keys: "F1".into(), command: 5, path: None });
    assert_eq!(to(&choose(&unseen, &secrets())), Some(1));
    assert_eq!(to(&does(&rules::COLUMN, &[Act::ClickColumn { index: 2 }])), None);
    assert_eq!(to(&does(&rules::TOOL, &[Act::Tool { command: 5 }])), None);
}

#[test]
fn items_go_by_text_and_place() {
    let item = ItemRef { path: vec!["b".into()], index: Some(1), index_path: None };
    does(&rules::SELECT, &[Act::Select { items: vec![item.clone()], add: true }]);
    does(
        &rules::CHECK_UNTOLD,
        &[Act::Select { items: vec![item], add: false }, Act::Key { code: 0x20, modifiers: 0 }],
    );
}

#[test]
fn points_are_relative_and_said_to_be_used() {
    let point = Act::Click { button: PointerButton::Left, times: 1, point: (5000, 2500), modifiers: 0 };
    assert_eq!(does(&rules::POINT, &[point]).remarks, ["clicked at a point, relative to the window"]);
    // What followed from the caret's place needs the place.
    let (_, mut edit) = examples().into_iter().find(|(rule, _)| **rule == rules::CARET).unwrap();
    let window = Sketch { hwnd: 9, class: "Status".into(), ..Sketch::default() };
    edit.effects.push(Effect { what: EffectKind::Text { to: "Line 2".into() }, window });
    assert_eq!(choose(&edit, &secrets()).rule, &rules::POINT);
    let stroke = does(&rules::STROKE, &[Act::Stroke { points: vec![(0, 0), (10_000, 5000)] }]);
    assert_eq!(stroke.remarks, ["drawn by points, relative to the window"]);
}

#[test]
fn a_rich_edit_takes_enter_by_its_key() {
    let (_, mut typing) = examples().into_iter().find(|(rule, _)| **rule == rules::TYPE).unwrap();
    typing.action = A::Type { text: "a\r\nb\r".into(), result: None, redacted: false };
    let acts = |step: &Step| {
        choose(step, &secrets()).acts.into_iter().map(|targeted| targeted.act).collect::<Vec<_>>()
    };
    let text = |text: &str| Act::Type { text: text.into() };
    assert_eq!(acts(&typing), [text("a\rb\r")]);
    typing.target.control = Control::RichEdit;
    let enter = || Act::Key { code: 0x0D, modifiers: 0 };
    assert_eq!(acts(&typing), [text("a"), enter(), text("b"), enter()]);
}

#[test]
fn secrets_come_from_outside() {
    does(&rules::SECRET, &[Act::SetText { text: "1234".into() }]);
    let step = step(Control::Edit, A::TypeSecret { name: "door".into() });
    let reason = choose(&step, &secrets()).blocked.unwrap();
    assert_eq!(reason, "the secret door is missing: give it with --secret door=VALUE");
    let shape = does(&rules::TYPE_REDACTED, &[Act::Type { text: "Xx 00".into() }]);
    assert!(shape.remarks[0].contains("--secret \"Field\"=VALUE"), "{:?}", shape.remarks);
    let (_, redacted) = examples().into_iter().find(|(rule, _)| **rule == rules::TYPE_REDACTED).unwrap();
    let known = choose(&redacted, &Secrets::from([("Field".to_owned(), "Jo 42".to_owned())]));
    assert_eq!(known.acts[0].act, Act::Type { text: "Jo 42".into() });
}

#[test]
fn the_wheel_turns_where_it_turned() {
    does(&rules::WHEEL, &[Act::Wheel { turn: -240, horizontal: false, modifiers: 2 }]);
}

#[test]
fn a_menu_that_tells_no_command_is_opened_and_answered() {
    let open = Act::Click { button: PointerButton::Right, times: 1, point: (5000, 2500), modifiers: 0 };
    does(&rules::MENU_ASKED, &[open, Act::ChooseInMenu { path: vec!["File".into()], command: Some(5) }]);
}

#[test]
fn an_item_is_dragged_with_the_real_pointer() {
    let item = ItemRef { path: vec!["b".into()], index: Some(1), index_path: None };
    let drag = does(
        &rules::DRAG,
        &[Act::Grab { item: Some(item), point: (0, 0) }, Act::DropAt { point: (10_000, 5000) }],
    );
    assert_eq!(drag.remarks, ["dragged with the real pointer, to a point relative to the window"]);
}

#[test]
fn the_whole_selection_counts_where_it_is_told() {
    let now = Some(vec![item("a", 0), item("c", 2)]);
    let action = A::Select { items: vec![item("b", 1)], selection: Selection::Remove, by: Means::Mouse, now };
    let choice = choose(&step(Control::ListBox, action), &secrets());
    let Act::Select { items, add: false } = &choice.acts[0].act else { panic!("{choice:?}") };
    assert_eq!(items.iter().map(|item| item.path[0].as_str()).collect::<Vec<_>>(), ["a", "c"]);
}
