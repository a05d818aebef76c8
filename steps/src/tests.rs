//! Small sessions, message by message, and the sentences they become. What real programs do is in
//! `replayer/tests/show.rs`.

use super::*;
use input::Input;
use message::MessageId;
use message_log::{
    Entry, Event, Hook, Key, Keyframe, Kind, Log, Message, Params, Part, Rect, Stamp, Value, add_facts,
};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

const MAIN: u64 = 0x10;
const DIALOG: u64 = 0x20;

/// A session being written.
struct Script {
    events: Vec<Event>,
    windows: u64,
}

impl Script {
    /// A program with a main window.
    fn new() -> Self {
        let mut script = Self { events: Vec::new(), windows: 0 };
        script.window(MAIN, 0, "Main", "Shop", 0x10CF_0000);
        script
    }

    fn window(&mut self, hwnd: u64, parent: u64, class: &str, name: &str, style: u64) -> &mut Self {
        self.windows += 1;
        let at = i32::try_from(self.windows).unwrap() * 40;
        let style = style | if parent == 0 { 0x1000_0000 } else { 0x5000_0000 };
        let params = Params::new()
            .with(Key::WindowHwnd, Value::Unsigned(hwnd))
            .with(Key::WindowParent, Value::Unsigned(parent))
            .with(Key::WindowId, Value::Unsigned(self.windows))
            .with_text(Key::WindowClass, class)
            .with_text(Key::WindowName, name)
            .with(Key::WindowStyle, Value::Unsigned(style))
            .with(Key::WindowVisible, Value::Flag(true))
            .with(Key::WindowEnabled, Value::Flag(true))
            .with(Key::WindowRect, Value::Rect(Rect { left: 0, top: at, right: 200, bottom: at + 30 }));
        let keyframe = Keyframe { of_thread: None, windows: vec![params], complete: false };
        let event = self.event(Kind::Keyframe(keyframe), 0);
        self.events.push(event);
        self
    }

    fn event(&self, kind: Kind, thread: u32) -> Event {
        let sequence = self.events.len() as u64 + 1;
        Event::new(Stamp { sequence, time: sequence * 1000, thread }, kind)
    }

    fn message(&mut self, hook: Hook, number: u32, hwnd: u64, wparam: u64, lparam: u64) -> &mut Self {
        let message = Message { number, hwnd, hook, wparam, lparam, ..Message::default() };
        let mut event = self.event(Kind::Message(message), 1);
        add_facts(&mut event);
        self.events.push(event);
        self
    }

    fn post(&mut self, number: u32, hwnd: u64, wparam: u64) -> &mut Self {
        self.message(Hook::Posted, number, hwnd, wparam, 1)
    }

    /// A command of a control with its code.
    fn command(&mut self, to: u64, source: u64, id: u64, code: u64) -> &mut Self {
        self.message(Hook::Sent, 0x111, to, code << 16 | id, source)
    }

    /// Adds a fact to the last event.
    fn with(&mut self, key: Key, value: Value) -> &mut Self {
        self.events.last_mut().unwrap().params.push(message_log::Param::Known(key, value));
        self
    }

    fn click(&mut self, hwnd: u64) -> &mut Self {
        self.message(Hook::Posted, 0x201, hwnd, 1, 5 << 16 | 5).message(
            Hook::Posted,
            0x202,
            hwnd,
            0,
            5 << 16 | 5,
        )
    }

    fn key(&mut self, hwnd: u64, code: u64) -> &mut Self {
        self.post(0x100, hwnd, code)
    }

    /// Something the agent of a replay does.
    fn act(&mut self, hwnd: u64, what: &str) -> &mut Self {
        let event = self.event(Kind::Act, 1).with(Key::WindowHwnd, Value::Unsigned(hwnd));
        self.events.push(event.with_text(Key::Text, what));
        self
    }

    fn type_text(&mut self, hwnd: u64, text: &str) -> &mut Self {
        for unit in text.encode_utf16() {
            self.key(hwnd, 0x41).post(0x102, hwnd, u64::from(unit)).post(0x101, hwnd, 0x41);
        }
        self
    }

    fn plan(&self) -> Plan {
        let mut planner = Planner::default();
        self.events.iter().for_each(|event| planner.take(&Entry::Event(event.clone())));
        planner.finish()
    }

    #[track_caller]
    fn reads(&self, expected: &[&str]) -> Plan {
        let plan = self.plan();
        let said: Vec<String> = plan.steps.iter().map(sentence).collect();
        assert_eq!(said, expected);
        accounts(&plan, &self.events, "script");
        plan
    }
}

/// Every message of the user's hands belongs to exactly one step, or is listed with a reason.
#[track_caller]
fn accounts(plan: &Plan, events: &[Event], name: &str) -> usize {
    let mut times: HashMap<MessageId, usize> = HashMap::new();
    let stepped = plan.steps.iter().flat_map(|step| step.inputs.iter().copied());
    stepped
        .chain(plan.unaccounted.iter().map(|input| input.id))
        .for_each(|id| *times.entry(id).or_default() += 1);
    let mut inputs = 0;
    for (number, event) in events.iter().enumerate() {
        let Some(message) = event.message().filter(|message| Input::of(message, event).is_some()) else {
            continue;
        };
        let id = event.stamp.map_or(MessageId { thread: 0, sequence: number as u64 }, |stamp| MessageId {
            thread: stamp.thread,
            sequence: stamp.sequence,
        });
        inputs += 1;
        let count = times.remove(&id).unwrap_or(0);
        let what = message_log::message_name(message.number);
        assert_eq!(count, 1, "{name}: {what} {}:{} counts {count} times", id.thread, id.sequence);
    }
    assert!(times.is_empty(), "{name}: not of the log: {times:?}");
    let mut spans: Vec<_> = plan.steps.iter().flat_map(|step| step.messages.iter()).collect();
    spans.sort_by_key(|span| (span.thread, span.first));
    for pair in spans.windows(2) {
        let is_apart = pair[0].thread != pair[1].thread || pair[0].last < pair[1].first;
        assert!(is_apart, "{name}: two steps stand for the same messages: {pair:?}");
    }
    inputs
}

#[test]
fn a_double_click_that_brings_another_window_under_the_pointer_is_no_drag() {
    const LIST: u64 = 0x30;
    let press = |script: &mut Script, number: u32, hwnd: u64| {
        script.message(Hook::Posted, number, hwnd, 1, 5 << 16 | 5);
    };
    for is_gone in [true, false] {
        let mut script = Script::new();
        script.window(LIST, MAIN, "SysListView32", "", 0);
        press(&mut script, 0x201, LIST);
        press(&mut script, 0x202, LIST);
        press(&mut script, 0x203, LIST);
        script.message(Hook::Sent, 0x4E, MAIN, 1, 0).with(Key::Source, Value::Unsigned(LIST));
        script.with(Key::Notification, Value::Signed(-114)).with(Key::ItemIndex, Value::Signed(2));
        if is_gone {
            script.message(Hook::Sent, 0x82, LIST, 0, 0);
        }
        // Where the list was, or on top of it.
        script.window(0x40, MAIN, "SysListView32", "", 0);
        script.message(Hook::Posted, 0x202, 0x40, 0, if is_gone { 5 << 16 | 5 } else { 0xFFDD << 16 | 5 });
        let (plan, told) = (script.plan(), "Double-click item 3 in the list");
        let said: Vec<String> = plan.steps.iter().map(sentence).collect();
        assert!(said.len() == 1 && said[0].starts_with(told), "{said:?}");
    }
}

#[test]
fn a_menu_that_was_left_and_answers_zero_chose_nothing() {
    let mut script = Script::new();
    script.window(0x30, MAIN, "SysListView32", "", 0);
    script.message(Hook::Posted, 0x204, 0x30, 2, 5 << 16 | 5).message(
        Hook::Posted,
        0x205,
        0x30,
        0,
        5 << 16 | 5,
    );
    script.message(Hook::Sent, 0x7B, MAIN, 0x30, 0).message(Hook::Sent, 0x211, MAIN, 1, 0);
    script.key(0x30, 0x1B).message(Hook::Sent, 0x212, MAIN, 1, 0).command(MAIN, 0, 0, 0);
    let plan = script.plan();
    assert!(
        matches!(&plan.steps[..], [Step { action: Action::Menu { chosen: false, .. }, .. }]),
        "{:?}",
        plan.steps
    );
}

/// Alt+V, Down onto an item, Enter.
fn menu_with_an_item(flags: u64) -> Script {
    let mut script = Script::new();
    script.post(0x104, MAIN, 0x56).with(Key::KeyModifiers, Value::Unsigned(4));
    script.message(Hook::Sent, 0x112, MAIN, 0xF100, 0x76).message(Hook::Sent, 0x211, MAIN, 0, 0);
    script.message(Hook::Sent, 0x11F, MAIN, flags << 16 | 121, 7);
    script.with(Key::MenuPath, Value::Text("&View\u{1F}&Hidden".into()));
    script.key(MAIN, 0x0D).message(Hook::Sent, 0x11F, MAIN, 0xFFFF << 16, 0);
    script.message(Hook::Sent, 0x212, MAIN, 0, 0);
    script
}

#[test]
fn a_grey_item_of_a_menu_is_not_chosen() {
    menu_with_an_item(0x80).reads(&["Choose menu View ▸ Hidden"]);
    menu_with_an_item(0x81).reads(&["Open menu View, and leave it"]);
}

#[test]
fn a_document_is_closed_by_its_own_title() {
    let mut script = Script::new();
    script.window(0x30, MAIN, "MDIClient", "", 0).window(0x31, 0x30, "Document", "Letter", 0);
    script.post(0x100, 0x31, 0x73).with(Key::KeyModifiers, Value::Unsigned(2));
    script.message(Hook::Sent, 0x112, 0x31, 0xF060, 0);
    script.reads(&["Close “Letter” with Ctrl+F4"]);
}

#[test]
fn what_the_agent_of_a_replay_does_is_told_like_what_a_user_does() {
    const OK: u64 = 0x30;
    const NAME: u64 = 0x40;
    let mut script = Script::new();
    script.window(OK, MAIN, "Button", "OK", 0).window(NAME, MAIN, "Edit", "", 0);
    // Sent, not posted: without the act it would be the program's own doing.
    script.act(OK, "press").message(Hook::Sent, 0xF5, OK, 0, 0).command(MAIN, OK, 1, 0);
    script.act(NAME, "input").post(0x102, NAME, 0x61).post(0x102, NAME, 0x62);
    script.act(MAIN, "command").message(Hook::Sent, 0x111, MAIN, 4030, 0);
    script.act(MAIN, "command").message(Hook::Sent, 0x111, MAIN, 1 << 16 | 4031, 0);
    script.act(NAME, "input").key(NAME, 0x74);
    script.act(OK, "press");
    script.act(NAME, "text").act(MAIN, "close");
    script.reads(&[
        "Press “OK”",
        "Type “ab” into the text field",
        "Choose menu item 4030",
        "Press a shortcut",
        "Press F5",
        "Press “OK”",
        "Paste into the text field",
        "Close “Shop”",
    ]);
    // An act whose input never came is none, and takes no later input from the user.
    let mut script = Script::new();
    script
        .window(OK, MAIN, "Button", "OK", 0)
        .act(OK, "input")
        .act(OK, "press")
        .click(OK)
        .command(MAIN, OK, 1, 0);
    script.reads(&["Press “OK”", "Press “OK”"]);
}

#[test]
fn nothing_the_user_did_in_real_programs_is_lost() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests");
    let mut inputs = 0;
    for folder in ["recordings", "recordings/steps", "golden", "old-logs", "broken-logs"] {
        for file in fs::read_dir(tests.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let Ok(bytes) = fs::read(&path) else { continue };
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let open = || Log::open(vec![Part::from_bytes(name.clone(), &bytes)]).unwrap().newest();
            let mut planner = Planner::default();
            open().for_each(|entry| planner.take(&entry.unwrap()));
            let (events, _) = open().read_all().unwrap();
            inputs += accounts(&planner.finish(), &events, &name);
        }
    }
    assert!(inputs > 500, "{inputs} inputs");
}

/// Lazarus draws the boxes itself, and its list tells no more than the selection, wherever it was hit.
#[test]
fn a_click_into_a_list_with_drawn_check_boxes_is_told_with_its_place() {
    const OWNER_DRAWN: u64 = 0x11;
    let clicked = |class: &str| {
        let mut script = Script::new();
        script.window(3, MAIN, class, "", OWNER_DRAWN).click(3).command(MAIN, 3, 0, 1);
        script.with(Key::ItemIndex, Value::Signed(0)).with(Key::ItemText, Value::Text("Apple".into()));
        script
    };
    let plan = clicked("LCLCheckListBox").reads(&["Click “Apple” in the list"]);
    assert!(matches!(plan.steps[0].action, Action::Click { point: Some((5, 5)), item: Some(_), .. }));
    clicked("LCLListBox").reads(&["Select “Apple” in the list"]);
}

/// Their ids are addresses or counted down, and tell nothing.
#[test]
fn fields_without_name_and_id_are_numbered() {
    let mut script = Script::new();
    script.window(3, MAIN, "Edit", "", 0).window(4, MAIN, "ListBox", "", 0).window(5, MAIN, "Edit", "", 0);
    script.window(6, MAIN, "SysListView32", "", 0).type_text(5, "a").click(4).click(6);
    script.reads(&[
        "Type “a” into the text field (number 2)",
        "Click into the list (number 1)",
        "Click into the list (number 2)",
    ]);
}

/// A program that refuses the new position and counts by itself, as Lazarus does.
#[test]
fn arrows_are_told_with_the_number_that_the_program_shows() {
    let mut script = Script::new();
    script.window(3, MAIN, "Edit", "", 0).window(4, MAIN, "msctls_updown32", "", 0).click(4);
    script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(4));
    script.with(Key::Notification, Value::Signed(-722)).with(Key::ItemValue, Value::Signed(-1));
    script.message(Hook::Sent, 0x0C, 3, 0, 0).with(Key::Text, Value::Text("7".into()));
    script.reads(&["Set the arrows to 7"]);
}

#[test]
fn letters_make_a_text_and_backspace_takes_them_back() {
    let mut script = Script::new();
    script.window(2, MAIN, "Static", "&Description:", 0).window(3, MAIN, "Edit", "", 0x80);
    script.type_text(3, "blue lamps").key(3, 8).post(0x102, 3, 8);
    script.reads(&["Type “blue lamp” into “Description”"]);
}

#[test]
fn more_backspaces_than_letters_delete_what_was_there() {
    let mut script = Script::new();
    script.window(3, MAIN, "TEdit", "", 0);
    script.type_text(3, "ab");
    for _ in 0..3 {
        script.key(3, 8).post(0x102, 3, 8);
    }
    script.reads(&["Type “a” into the text field", "Press Backspace 2 times in the text field"]);
}

#[test]
fn a_held_key_is_one_step() {
    let mut script = Script::new();
    script.window(3, MAIN, "Edit", "", 0).key(3, 0x27);
    for _ in 0..4 {
        script.message(Hook::Posted, 0x100, 3, 0x27, 1 << 30);
    }
    script.post(0x101, 3, 0x27);
    script.reads(&["Press Right 5 times in the text field"]);
}

#[test]
fn letters_outside_the_basic_plane_dead_keys_and_input_methods() {
    let mut script = Script::new();
    script.window(3, MAIN, "Edit", "", 0).type_text(3, "😀");
    // A dead key, then its letter.
    script.key(3, 0xDB).post(0x103, 3, 0xB4).post(0x101, 3, 0xDB).key(3, 0x45).post(0x102, 3, 0xE9);
    // The keys of an input method, its result, and the result once more as characters.
    script.key(3, 0xE5).post(0x101, 3, 0x4E);
    script.message(Hook::Sent, 0x10F, 3, 0, 0x800).with(Key::Text, Value::Text("名".into()));
    script.post(0x102, 3, 0x540D);
    let plan = script.reads(&["Type “😀é名” into the text field"]);
    let reasons: Vec<_> = plan.unaccounted.iter().map(|input| input.reason).collect();
    assert!(
        reasons.iter().any(|r| r.contains("dead key")) && reasons.iter().any(|r| r.contains("input method"))
    );
}

#[test]
fn alt_gr_types_and_alt_does_not() {
    let mut script = Script::new();
    script.window(3, MAIN, "Edit", "", 0);
    let held = |bits| Value::Unsigned(bits);
    script.key(3, 0x11).key(3, 0x12).key(3, 0x51).with(Key::KeyModifiers, held(6));
    script.post(0x102, 3, 0x40).with(Key::KeyModifiers, held(6));
    script.post(0x104, 3, 0x51).with(Key::KeyModifiers, held(4)).post(0x106, 3, 0x71);
    script.reads(&["Type “@” into the text field", "Press Alt+Q"]);
}

#[test]
fn a_modifier_alone_is_no_step() {
    let mut script = Script::new();
    script.key(MAIN, 0x10).post(0x101, MAIN, 0x10);
    let plan = script.reads(&[]);
    assert_eq!(plan.unaccounted.len(), 2);
    assert!(plan.unaccounted.iter().all(|input| input.reason == "a modifier key alone"));
}

/// A message box has a loop for its system menu, which knows no letters.
#[test]
fn alt_and_a_letter_that_no_menu_knows_is_that_key() {
    let mut script = Script::new();
    script.window(DIALOG, 0, "#32770", "Ask", 0x00C8_0000).window(3, DIALOG, "Button", "OK", 1);
    script.post(0x104, 3, 0x12).post(0x104, 3, 0x46).with(Key::KeyModifiers, Value::Unsigned(4));
    script.post(0x106, 3, 0x66).with(Key::KeyModifiers, Value::Unsigned(4));
    script.message(Hook::Sent, 0x112, DIALOG, 0xF100, 0x66).message(Hook::Sent, 0x211, DIALOG, 0, 0);
    script.message(Hook::Sent, 0x212, DIALOG, 0, 0).post(0x105, 3, 0x46).post(0x101, 3, 0x12);
    script.reads(&["In dialog “Ask”, press Alt+F"]);
}

#[test]
fn alt_alone_goes_to_the_menu_bar() {
    let mut script = Script::new();
    script.post(0x104, MAIN, 0x12).post(0x105, MAIN, 0x12);
    script.message(Hook::Sent, 0x112, MAIN, 0xF100, 0).message(Hook::Sent, 0x211, MAIN, 0, 0);
    let path = |path: &str| Value::Text(path.into());
    script
        .message(Hook::Sent, 0x11F, MAIN, 0x80 << 16 | 7, 99)
        .with(Key::MenuPath, path("&File\u{1F}&Save\tCtrl+S"));
    script.key(MAIN, 0x0D).message(Hook::Sent, 0x212, MAIN, 0, 0);
    script.message(Hook::Posted, 0x111, MAIN, 7, 0).with(Key::MenuPath, path("&File\u{1F}&Save\tCtrl+S"));
    // The path is known now, for the key as well.
    script.key(MAIN, 0x53).with(Key::KeyModifiers, Value::Unsigned(2)).message(
        Hook::Sent,
        0x111,
        MAIN,
        1 << 16 | 7,
        0,
    );
    script.reads(&["Choose menu File ▸ Save", "Press Ctrl+S (File ▸ Save)"]);
}

#[test]
fn the_task_bar_speaks_for_the_user_and_a_program_for_itself() {
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "Exit", 0);
    script.click(2).command(MAIN, 2, 100, 0).message(Hook::Posted, 0x112, MAIN, 0xF020, 0);
    script.message(Hook::Posted, 0x112, MAIN, 0xF120, 0);
    script.events.last_mut().unwrap().stamp.as_mut().unwrap().time += 5_000_000;
    script.reads(&["Press “Exit”", "Restore “Shop”"]);
}

#[test]
fn an_item_gets_another_name() {
    let mut script = Script::new();
    script.window(2, MAIN, "SysTreeView32", "", 0).window(3, 2, "Edit", "", 0);
    script.type_text(3, "Plan").key(3, 0x0D);
    script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(2));
    script
        .with(Key::Notification, Value::Signed(-460))
        .with(Key::ItemPath, Value::Text("Files\u{1F}Budget".into()));
    script.with(Key::Text, Value::Text("Plan".into()));
    script.reads(&["Type “Plan” into the tree", "Rename “Files ▸ Budget” in the tree to “Plan”"]);
}

#[test]
fn a_tool_bar_of_the_program_s_own_becomes_its_command() {
    let mut script = Script::new();
    script.window(2, MAIN, "Afx:ToolBar:400000:8:10003", "", 0);
    script.click(2).message(Hook::Sent, 0x111, MAIN, 57603, 0);
    script.reads(&["Press the tool with command 57603 in the area Afx:ToolBar:400000:8:10003"]);
}

#[test]
fn a_secret_is_named_and_not_told() {
    let mut script = Script::new();
    script.window(2, MAIN, "Static", "Password", 0).window(3, MAIN, "Edit", "", 0x20);
    script.click(3).key(3, 0).with(Key::Masked, Value::Text("password-1205".into())).key(3, 9);
    script.reads(&["Click into “Password”", "Type the secret “password-1205” into “Password”", "Press Tab"]);
}

#[test]
fn buttons_of_every_toolkit() {
    let mut script = Script::new();
    script.window(2, MAIN, "WindowsForms10.BUTTON.app.0.141b42a_r6_ad1", "&Save", 0xB);
    script.window(3, MAIN, "TCheckBox", "Gift wrap", 0);
    script.window(4, MAIN, "FancyPush", "Fancy", 0);
    script.click(2).command(MAIN, 2, 100, 0);
    script.click(3).command(MAIN, 3, 101, 0).with(Key::ItemState, Value::Unsigned(1));
    script.click(4).command(MAIN, 4, 102, 0);
    script.reads(&["Press “Save”", "Check “Gift wrap”", "Press “Fancy”"]);
}

#[test]
fn a_check_box_that_the_program_sets_is_told_by_what_it_is_set_to() {
    let style = u64::from(win32_vocabulary::styles::BS_CHECKBOX);
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "&Gift", style).window(3, MAIN, "Button", "Card", style);
    let set = |script: &mut Script, hwnd, state| {
        script.message(Hook::Sent, 0xF1, hwnd, state, 0).with(Key::ItemState, Value::Unsigned(state));
    };
    script.click(2).command(MAIN, 2, 50, 0);
    set(&mut script, 2, 1);
    script.click(2).command(MAIN, 2, 50, 0);
    set(&mut script, 3, 1);
    set(&mut script, 2, 0);
    // One that stays as it was.
    script.click(3).command(MAIN, 3, 51, 0);
    script.reads(&["Check “Gift”", "Uncheck “Gift”", "Press “Card”"]);
}

#[test]
fn a_dialog_s_keys_mean_its_buttons() {
    let mut script = Script::new();
    script.window(DIALOG, 0, "#32770", "Add item", 0x00C8_0000).window(3, DIALOG, "Edit", "", 0);
    script.window(4, DIALOG, "Button", "OK", 1).window(5, DIALOG, "Button", "Cancel", 0);
    script.key(3, 0x0D).command(DIALOG, 4, 1, 0);
    script.key(3, 0x1B).command(DIALOG, 5, 2, 0);
    script.reads(&[
        "In dialog “Add item”, press “OK” with Enter",
        "In dialog “Add item”, press “Cancel” with Esc",
    ]);
}

#[test]
fn what_the_program_does_by_itself_is_no_step() {
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "Add", 0).window(3, MAIN, "SysListView32", "", 0);
    // Before any input, and not of the control that was clicked.
    script.command(MAIN, 2, 100, 0);
    script.click(2).command(MAIN, 2, 100, 0);
    script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(3));
    script.with(Key::Notification, Value::Signed(-101)).with(Key::ItemState, Value::Unsigned(2));
    script.message(Hook::Sent, 0x201, 2, 1, 0);
    let plan = script.reads(&["Press “Add”"]);
    assert_eq!(plan.steps[0].effects.len(), 2, "{:?}", plan.steps[0].effects);
}

#[test]
fn threads_do_not_disturb_each_other() {
    let mut script = Script::new();
    script.window(2, MAIN, "Edit", "", 0).window(3, MAIN, "Button", "Go", 0);
    script.type_text(2, "a");
    script.click(3);
    for event in script.events.iter_mut().rev().take(2) {
        event.stamp.as_mut().unwrap().thread = 2;
    }
    script.type_text(2, "b");
    script.reads(&["Type “ab” into the text field", "Click “Go”"]);
}

#[test]
fn a_drag_goes_from_one_window_to_another() {
    let mut script = Script::new();
    script.window(2, MAIN, "SysListView32", "", 0).window(3, MAIN, "SysTreeView32", "", 0);
    let at = |x: u64, y: u64| y << 16 | x;
    script.message(Hook::Posted, 0x201, 2, 1, at(5, 5));
    script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(2));
    script.with(Key::Notification, Value::Signed(-109)).with(Key::ItemText, Value::Text("Lamp".into()));
    script.message(Hook::Posted, 0x200, 2, 1, at(5, 30)).message(Hook::Posted, 0x202, 2, 0, at(5, 45));
    script.reads(&["Drag “Lamp” from the list to the tree"]);
}

/// A letter that goes on with a name that is found already changes nothing, and alone it would.
#[test]
fn letters_that_choose_an_item_are_one_choice() {
    let typed = |commands: bool| {
        let mut script = Script::new();
        script.window(2, MAIN, "SysListView32", "", 0).key(2, 0x54).post(0x102, 2, 0x74);
        script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(2));
        script.with(Key::Notification, Value::Signed(-101)).with(Key::ItemText, Value::Text("Taxes".into()));
        script.with(Key::ItemState, Value::Unsigned(2)).with(Key::ItemOldState, Value::Unsigned(0));
        script.post(0x101, 2, 0x54).key(2, 0x41).post(0x102, 2, 0x61);
        if commands {
            script.command(MAIN, 0, 7, 0);
        }
        script
    };
    typed(false).reads(&["Select “Taxes” in the list with T"]);
    // The program made something of it.
    typed(true).reads(&["Select “Taxes” in the list with T", "Type “a” in the list"]);
}

/// OLE has the pointer meanwhile: a window of its own gets the release, and the recorder says
/// what lies there.
#[test]
fn a_drag_by_ole_goes_to_what_lies_under_the_release() {
    let dragged = |over: u64| {
        let mut script = Script::new();
        script.window(2, MAIN, "SysListView32", "", 0).window(3, MAIN, "SysTreeView32", "", 0);
        let at = |x: u64, y: u64| y << 16 | x;
        script.message(Hook::Posted, 0x201, 2, 1, at(5, 5)).message(Hook::Posted, 0x200, 2, 1, at(5, 12));
        script.message(Hook::Sent, 0x4E, MAIN, 0, 0).with(Key::Source, Value::Unsigned(2));
        script.with(Key::Notification, Value::Signed(-109)).with(Key::ItemText, Value::Text("Lamp".into()));
        script.window(9, 0, "WineDragDropTracker32", "TrackerWindow", 0x8000_0000);
        script.message(Hook::Posted, 0x200, 9, 1, at(300, 300)).message(
            Hook::Posted,
            0x202,
            9,
            0,
            at(300, 400),
        );
        script.with(Key::OverWindow, Value::Unsigned(over));
        script.with(Key::OverPoint, Value::Point(message_log::Point { x: 20, y: 130 }));
        script
    };
    let plan = dragged(MAIN).reads(&["Drag “Lamp” from the list to the tree"]);
    assert!(matches!(plan.steps[0].action, Action::Drag { point: Some((20, 10)), .. }));
    // To another program: nothing is known of it.
    let plan = dragged(0).reads(&["Drag “Lamp” in the list"]);
    assert!(matches!(plan.steps[0].action, Action::Drag { to: None, point: None, .. }));
}

/// A frame around controls lets the pointer through.
#[test]
fn a_drag_into_a_group_box_goes_to_what_lies_inside() {
    let mut script = Script::new();
    script.window(2, MAIN, "SysListView32", "", 0).window(3, MAIN, "Button", "Things", 7);
    // The next window lies where the frame is.
    script.windows -= 1;
    script.window(4, MAIN, "SysTreeView32", "", 0);
    script.message(Hook::Posted, 0x201, 2, 1, 5 << 16 | 5).message(Hook::Posted, 0x202, 2, 0, 45 << 16 | 5);
    script.reads(&["Drag from the list to the tree"]);
}

#[test]
fn strokes_are_points_of_ten_thousand() {
    let mut script = Script::new();
    script.window(2, MAIN, "Canvas", "", 0);
    script.message(Hook::Posted, 0x201, 2, 1, 3 << 16 | 20).message(
        Hook::Posted,
        0x200,
        2,
        1,
        15 << 16 | 100,
    );
    script.message(Hook::Posted, 0x202, 2, 0, 15 << 16 | 100);
    let plan = script.reads(&["Drag the mouse in the area Canvas from 10 %, 10 % to 50 %, 50 %"]);
    let Action::Stroke { points } = &plan.steps[0].action else { panic!("{:?}", plan.steps[0].action) };
    assert_eq!(points[..], [(1000, 1000), (5000, 5000), (5000, 5000)]);
}

#[test]
fn files_are_dropped() {
    let mut script = Script::new();
    script.post(0x233, MAIN, 0).with(Key::File, Value::Text("C:\\märz.inv".into()));
    script.reads(&["Drop “C:\\märz.inv” onto “Shop”"]);
}

#[test]
fn effects_are_what_is_left_at_the_end_of_a_step() {
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "About", 0);
    script.click(2).command(MAIN, 2, 100, 0);
    script.window(DIALOG, 0, "#32770", "About", 0x00C8_0000).window(3, DIALOG, "Button", "OK", 0);
    // What comes and goes within the step is none.
    script.window(9, 0, "tooltips_class32", "", 0).message(Hook::Sent, 0x82, 9, 0, 0);
    script.message(Hook::Sent, 0x0A, MAIN, 0, 0);
    script.key(3, 0x0D).message(Hook::Sent, 0x82, 3, 0, 0).message(Hook::Sent, 0x82, DIALOG, 0, 0);
    let plan = script.plan();
    let told = |step: usize| {
        let effects = &plan.steps[step].effects;
        effects.iter().map(|effect| (effect.what.clone(), effect.window.name.clone())).collect::<Vec<_>>()
    };
    use effects::EffectKind::{Command, Created, Destroyed, Disabled};
    let command = Command { command: 100, source: 2, code: 0 };
    assert_eq!(told(0), [(Disabled, "Shop".into()), (Created, "About".into()), (command, "Shop".into())]);
    assert_eq!(told(1), [(Destroyed, "About".into())]);
}

#[test]
fn what_a_timer_does_again_and_again_is_no_effect() {
    let mut script = Script::new();
    script
        .window(2, MAIN, "Button", "Go", 0)
        .window(3, MAIN, "Static", "idle", 0)
        .window(4, MAIN, "Static", "", 0);
    let set = |script: &mut Script, hwnd: u64, text: &str| {
        script.message(Hook::Sent, 0x0C, hwnd, 0, 0).with(Key::Text, Value::Text(text.into()));
        script.with(Key::Timer, Value::Flag(true));
    };
    script.click(2);
    // The clock goes on, whatever the user does; the status follows from what he did, a moment later.
    set(&mut script, MAIN, "Shop 9:00:01");
    set(&mut script, 3, "working");
    script.command(MAIN, 4, 77, 0).with(Key::Timer, Value::Flag(true));
    set(&mut script, MAIN, "Shop 9:00:02");
    script.click(2);
    set(&mut script, MAIN, "Shop 9:00:03");
    set(&mut script, 3, "done");
    let plan = script.plan();
    let told = |step: usize| plan.steps[step].effects.iter().map(|it| it.what.clone()).collect::<Vec<_>>();
    let renamed = |from: &str, to: &str| EffectKind::Renamed { from: Some(from.into()), to: to.into() };
    assert_eq!(told(0), [renamed("idle", "working")]);
    assert_eq!(told(1), [renamed("working", "done")]);
}

#[test]
fn equal_names_are_told_apart_and_documents_are_named() {
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "Add", 0).window(3, MAIN, "Button", "Add", 0);
    script.window(4, MAIN, "MDIClient", "", 0).window(5, 4, "Doc", "Letter", 0).window(6, 5, "Edit", "", 4);
    script.click(3).command(MAIN, 3, 100, 0).type_text(6, "a");
    script.reads(&["Press “Add” (number 2 of that name)", "In “Letter”, type “a” into the text area"]);
}

#[test]
fn no_text_of_a_log_reaches_the_terminal_s_controls() {
    let mut script = Script::new();
    let evil = "\u{1b}[2J\u{9b}1m\r\nX";
    script.window(2, MAIN, "Button", evil, 0).window(DIALOG, 0, evil, evil, 0x00C8_0000);
    script.window(3, DIALOG, evil, evil, 0).window(4, DIALOG, "Edit", "", 0).window(
        5,
        DIALOG,
        "SysListView32",
        "",
        0,
    );
    script.click(2).command(MAIN, 2, 1, 0).click(3).type_text(4, evil);
    script.key(4, 0).with(Key::Masked, Value::Text(evil.into()));
    script.click(5).message(Hook::Sent, 0x4E, DIALOG, 0, 0).with(Key::Source, Value::Unsigned(5));
    script.with(Key::Notification, Value::Signed(-114)).with(Key::ItemText, Value::Text(evil.into()));
    script.post(0x233, MAIN, 0).with(Key::File, Value::Text(evil.into()));
    let plan = script.plan();
    assert!(plan.steps.len() >= 5);
    for step in &plan.steps {
        let said = sentence(step);
        assert!(!said.chars().any(char::is_control), "{said:?}");
    }
}

/// Whatever a log says, nothing the user did is lost or counted twice.
#[test]
fn any_sequence_of_messages_is_accounted_for() {
    const NUMBERS: [u32; 34] = [
        0x01, 0x82, 0xA1, 0xA2, 0x4E, 0x7B, 0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x10F, 0x111,
        0x112, 0x114, 0x11F, 0x200, 0x201, 0x202, 0x203, 0x204, 0x205, 0x20A, 0x20B, 0x211, 0x212, 0x231,
        0x232, 0x233, 0x286, 0x302, 0x312,
    ];
    const CLASSES: [&str; 8] =
        ["Button", "Edit", "ComboBox", "SysListView32", "SysTreeView32", "Canvas", "#32768", "ListBox"];
    // A small generator of numbers, the same every time.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..300 {
        let mut script = Script::new();
        for (i, class) in CLASSES.iter().enumerate() {
            script.window(i as u64 + 2, MAIN, class, "Name", next(0x1_0000));
        }
        for _ in 0..120 {
            let hook = [Hook::Posted, Hook::Sent, Hook::Unknown][next(3) as usize];
            let number = NUMBERS[next(NUMBERS.len() as u64) as usize];
            let wparam = [next(256), next(16) << 16 | next(16)][next(2) as usize];
            script.message(hook, number, next(10) + 1, wparam, next(0x4000_0000) | next(2) << 30);
            let event = script.events.last_mut().unwrap();
            if let Kind::Message(message) = &mut event.kind {
                message.depth = next(4) as u32 * 1000;
            }
            event.stamp.as_mut().unwrap().thread = next(2) as u32 + 1;
            match next(8) {
                0 => script.with(Key::Source, Value::Unsigned(next(10) + 1)),
                1 => script.with(Key::Notification, Value::Signed(-(next(800) as i64))),
                2 => script.with(Key::Masked, Value::Text("password".into())),
                3 => script.with(Key::ResultWindow, Value::Unsigned(next(10) + 1)),
                _ => &mut script,
            };
        }
        let plan = script.plan();
        accounts(&plan, &script.events, "random");
        assert!(plan.steps.iter().all(|step| !sentence(step).is_empty()));
    }
}

/// Logs of other makers, and of our first recorders, tell no modifiers: the keys do.
#[test]
fn held_keys_are_known_without_being_told() {
    let mut script = Script::new();
    script.key(MAIN, 0x11).key(MAIN, 0x46).post(0x101, MAIN, 0x46);
    script.key(MAIN, 0x53).post(0x101, MAIN, 0x11).key(MAIN, 0x54);
    script.reads(&["Press Ctrl+F", "Press Ctrl+S", "Press T"]);
}

/// A window made before the hooks were set is told by a keyframe, a moment after the user used it.
#[test]
fn a_window_told_late_is_known_all_the_same() {
    let mut script = Script::new();
    script.key(3, 9).key(MAIN, 0x70);
    script.window(DIALOG, 0, "#32770", "Find", 0x00C8_0000).window(3, DIALOG, "Edit", "", 0);
    let plan = script.reads(&["In dialog “Find”, press Tab", "Press F1"]);
    assert_eq!(plan.steps[0].target.sketch.class, "Edit");
}

/// The icon beside the clock has no window of the program's: its menu must not become part of
/// the step before.
#[test]
fn a_menu_that_opens_long_after_the_last_input_is_a_step_of_its_own() {
    let mut script = Script::new();
    script.window(2, MAIN, "Button", "Save", 0).window(3, 0, "TrayOwner", "", 0);
    script.click(2).command(MAIN, 2, 100, 0);
    script.message(Hook::Sent, 0x211, 3, 1, 0);
    let later =
        |script: &mut Script| script.events.last_mut().unwrap().stamp.as_mut().unwrap().time += 60_000_000;
    later(&mut script);
    script.message(Hook::Sent, 0x11F, 3, 0x80 << 16 | 9, 99).with(Key::MenuPath, Value::Text("E&xit".into()));
    later(&mut script);
    script.message(Hook::Sent, 0x212, 3, 1, 0).message(Hook::Posted, 0x111, 3, 9, 0);
    later(&mut script);
    script.reads(&["Press “Save”", "Choose Exit from the context menu of the window TrayOwner"]);
}

/// The agent tells which item is highlighted before it is chosen, as a menu does, and opens none.
#[test]
fn a_command_of_the_agent_is_told_by_its_labels() {
    let mut script = Script::new();
    let path = || Value::Text("&File\u{1F}&Save\tCtrl+S".into());
    script.act(MAIN, "command");
    script.message(Hook::Sent, 0x11F, MAIN, 0x8000 << 16 | 7, 99).with(Key::MenuPath, path());
    script.message(Hook::Sent, 0x11F, MAIN, 0xFFFF_0000, 0);
    script.message(Hook::Sent, 0x111, MAIN, 7, 0).with(Key::MenuPath, path());
    let plan = script.reads(&["Choose menu File ▸ Save"]);
    let Action::Menu { origin, .. } = &plan.steps[0].action else { panic!("{:?}", plan.steps[0].action) };
    assert_eq!(*origin, MenuOrigin::Bar);
}

/// What the agent made come from outside is done again: it may be what a session failed for.
#[test]
fn an_interrupt_of_the_agent_is_a_step() {
    let mut script = Script::new();
    script.act(MAIN, "interrupt focus").act(MAIN, "interrupt switch").act(MAIN, "interrupt dpi 96 144");
    let plan = script.reads(&[
        "Lose the focus",
        "Switch to another program and back",
        "Go to a screen of 144 dots per inch",
    ]);
    let what = Interruption::Dpi { from: 96, to: 144 };
    assert_eq!(plan.steps[2].action, Action::Interrupt { what });
}

/// A log that ends while a menu is open does not say that its last item was chosen.
#[test]
fn an_open_menu_is_no_choice() {
    let mut script = Script::new();
    script.message(Hook::Posted, 0xA1, MAIN, 5, 0).message(Hook::Sent, 0x112, MAIN, 0xF090, 0);
    script.message(Hook::Sent, 0x211, MAIN, 0, 0);
    script
        .message(Hook::Sent, 0x11F, MAIN, 0x80 << 16 | 7, 99)
        .with(Key::MenuPath, Value::Text("&File\u{1F}&Save".into()));
    script.message(Hook::Posted, 0x202, MAIN, 0, 0);
    script.reads(&["Open menu File, and leave it"]);
}

/// WinForms gives the keys of an open menu to the menu, whose windows are its own.
#[test]
fn a_key_whose_character_goes_elsewhere_is_one_key() {
    let mut script = Script::new();
    script.window(2, MAIN, "WindowsForms10.LISTBOX.app.0.1", "", 0).window(
        3,
        0,
        "WindowsForms10.Window.808.app.0.1",
        "",
        0x8000_0000,
    );
    script.key(2, 0x4E).post(0x102, 3, 0x6E).post(0x101, 2, 0x4E);
    script.reads(&["Press N in the list"]);
}

/// Lazarus closes the list of a combo box before Enter arrives there.
#[test]
fn an_item_that_was_told_is_chosen_however_the_list_closes() {
    let mut script = Script::new();
    script.window(2, MAIN, "LCLComboBox", "", 3).click(2).command(MAIN, 2, 7, 7);
    script.key(2, 0x28).command(MAIN, 2, 7, 1).with(Key::ItemIndex, Value::Signed(1));
    script.with(Key::ItemText, Value::Text("Iron".into()));
    script.key(2, 0x0D).command(MAIN, 2, 7, 10).command(MAIN, 2, 7, 8);
    script.reads(&["Select “Iron” in the combo box"]);
    let mut left = Script::new();
    left.window(2, MAIN, "ComboBox", "", 3).click(2).command(MAIN, 2, 7, 7);
    left.key(2, 0x1B).command(MAIN, 2, 7, 10).command(MAIN, 2, 7, 8);
    left.reads(&["Open the list of the combo box and close it again"]);
}

#[test]
fn a_drag_that_moves_nothing_is_a_click() {
    let mut script = Script::new();
    script.window(2, MAIN, "SysListView32", "", 0).message(Hook::Posted, 0x201, 2, 1, 5 << 16 | 5);
    let notify = |script: &mut Script, code: i64| {
        script.message(Hook::Sent, 0x4E, MAIN, 7, 0x1234).with(Key::Source, Value::Unsigned(2));
        script.with(Key::Notification, Value::Signed(code)).with(Key::ItemIndex, Value::Signed(1));
        script.with(Key::ItemText, Value::Text("Thing 2".into()));
    };
    notify(&mut script, -101);
    script.with(Key::ItemState, Value::Unsigned(2)).with(Key::ItemOldState, Value::Unsigned(0));
    notify(&mut script, -109);
    script.message(Hook::Posted, 0x202, 2, 0, 5 << 16 | 5);
    script.reads(&["Select “Thing 2” in the list"]);
}

/// A page to the right has no position of its own.
#[test]
fn a_slider_that_does_not_tell_its_position_is_not_said_to_have_one() {
    let mut script = Script::new();
    script.window(2, MAIN, "msctls_trackbar32", "", 0).message(Hook::Posted, 0x201, 2, 1, 5 << 16 | 5);
    script.message(Hook::Sent, 0x114, MAIN, 3, 2).message(Hook::Sent, 0x114, MAIN, 8, 2);
    script.message(Hook::Posted, 0x202, 2, 0, 5 << 16 | 5);
    assert!(!script.plan().steps.iter().any(|step| matches!(step.action, Action::SetValue { .. })));
}
