//! Records programs of other toolkits that do not know the recorder: they run unchanged, their controls are
//! read through the system classes they are based on, and their passwords stay secret.

use std::fs;

use anyhow::{Context, Result, ensure};
use harness::protocol::Button;
use harness::recording::Events;
use harness::wait::DEADLINE;
use harness::{Program, Recording, Stage, Window, folders, stage, wait_until, window};
use message_log::{Event, Key, message_number};
use win32_vocabulary::exceptions::EXCEPTION_ACCESS_VIOLATION;

/// The exit code of `foreign` when its window is closed.
const CLOSED: i32 = 7;

struct Foreign<'a> {
    stage: &'a Stage,
    main: Window,
    dashcam: Program,
    log: Recording,
}

impl<'a> Foreign<'a> {
    fn run(stage: &'a Stage, what: &str) -> Result<Self> {
        let program = folders::sample("foreign").display().to_string();
        let (dashcam, log) = Recording::run(stage, &program, &[what])?;
        let main = stage.wait_for(&window().title("Foreign"))?;
        Ok(Self { stage, main, dashcam, log })
    }

    fn control(&self, id: i32) -> Result<Window> {
        wait_until(&format!("control {id}"), DEADLINE, || {
            let all = self.stage.probe.children(&self.main)?;
            Ok(all.into_iter().find(|window| window.id == id && window.parent == self.main.hwnd))
        })
    }

    fn click(&self, id: i32) -> Result<()> {
        self.stage.input.click_window(&self.control(id)?)
    }

    /// Clicks on the second line of a list.
    fn click_second(&self, id: i32) -> Result<()> {
        let list = self.control(id)?.rect;
        self.stage.input.click(Button::Left, list.left + 30, list.top + 24)
    }

    /// Types into an edit, until it is there.
    fn type_into(&self, id: i32, text: &str) -> Result<()> {
        let edit = self.control(id)?;
        self.stage.input.click_window(&edit)?;
        self.stage.input.type_text(text)?;
        wait_until(&format!("{text} in {id}"), DEADLINE, || {
            Ok((self.stage.probe.text(&edit)? == text).then_some(()))
        })
    }

    /// Closes the program and replays the log in another instance started as `what`; returns the output.
    fn close_and_replay(self, what: &str) -> Result<String> {
        let (stage, log) = (self.stage, self.log.clone());
        self.close()?;
        let file = stage.folder().join("foreign.dashcam");
        log.pack(&file)?;
        // The pointer of the desktop is elsewhere.
        stage.input.move_to(5, 5)?;
        let program = folders::for_windows(&folders::sample("foreign"));
        let (code, said) = stage.dashcam(&[
            "replay",
            &folders::for_windows(&file),
            "--allow-unverified",
            "--app",
            &program,
            what,
        ])?;
        // The program's own output verifies what was done by position.
        let is_end = said.contains("passed") || said.contains("unverified: every step had its effects");
        ensure!(code == 0 && is_end, "{code}: {said}");
        Ok(said)
    }

    /// Closes the program as a user would; returns the events.
    fn close(self) -> Result<Events> {
        self.stage.input.press("alt+F4")?;
        let code = self.dashcam.wait(DEADLINE)?;
        ensure!(code == CLOSED, "exit code {code}: {}", self.dashcam.stderr()?);
        self.log.read_whole()
    }
}

fn text(event: &Event, key: Key) -> String {
    event.params.text(key).map(ToString::to_string).unwrap_or_default()
}

fn results(events: &Events) -> Vec<String> {
    let has = |event: &&Event| event.params.get(Key::ResultWindow).is_some();
    events.0.iter().filter(has).map(|event| text(event, Key::ResultText)).collect()
}

#[test]
fn controls_of_toolkits_are_read_by_what_they_are_made_from() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "toolkits")?;
        // WinForms, Delphi and Visual Basic.
        for list in [101, 201, 301] {
            foreign.click_second(list)?;
        }
        foreign.click(103)?;
        foreign.click(305)?;
        foreign.type_into(102, "forms")?;
        foreign.type_into(202, "delphi")?;
        foreign.type_into(203, "database")?;
        foreign.type_into(302, "visual")?;
        foreign.click(401)?;
        let events = foreign.close()?;
        for list in [101, 201, 301] {
            let (_, chosen) = events.notification("WM_COMMAND", list, 1)?;
            let item = (chosen.params.signed(Key::ItemIndex), text(chosen, Key::ItemText));
            ensure!(item == (Some(1), "Copper".into()), "{list}: {chosen:?}");
        }
        for check in [103, 305] {
            let (_, checked) = events.notification("WM_COMMAND", check, 0)?;
            ensure!(checked.params.unsigned(Key::ItemState) == Some(1), "{check}: {checked:?}");
        }
        let results = results(&events);
        ensure!(results == ["forms", "delphi", "database", "visual"], "{results:?}");
        Ok(())
    });
}

#[test]
fn a_password_is_secret_whatever_its_class_is_called() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "toolkits")?;
        let password = foreign.control(303)?;
        foreign.type_into(303, "Sesame99")?;
        foreign.type_into(401, "public")?;
        let events = foreign.close()?;
        ensure!(events.typed(password.hwnd).trim_matches('\0').is_empty(), "{}", events.typed(password.hwnd));
        let told: Vec<_> = events.0.iter().filter(|e| e.params.get(Key::Masked).is_some()).collect();
        ensure!(told.len() == 1 && text(told[0], Key::Masked) == "password-303", "{told:?}");
        ensure!(!format!("{events:?}").contains("Sesame"));
        Ok(())
    });
}

/// A baseline holds what every control says of itself, so it must not hold what a password field keeps: not
/// the text, and not its length, whatever the class of the field is called. See `samples/foreign/secrets.c`.
#[test]
fn no_secret_reaches_a_baseline_or_its_verification() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "secrets")?;
        foreign.click(980)?;
        let log = foreign.log.clone();
        foreign.close()?;
        let packed = stage.folder().join("secrets.dashcam");
        log.pack(&packed)?;
        stage.input.move_to(5, 5)?;
        let dashcam = folders::built().join("dashcam.exe").display().to_string();
        let program = folders::for_windows(&folders::sample("foreign"));
        let script = |app: &str| {
            let log = folders::for_windows(&packed);
            let text = format!("log = '{log}'\napp = ['{program}', \"{app}\"]\nverify = \"complete\"\n");
            fs::write(stage.folder().join("secrets.toml"), text)
        };
        let name = folders::for_windows(&stage.folder().join("secrets.toml"));
        let run = |arguments: &[&str]| -> Result<(i32, String)> {
            let done = stage.start(&dashcam, arguments)?;
            let code = done.wait(DEADLINE * 3)?;
            Ok((code, format!("{}{}", done.stdout()?, done.stderr()?)))
        };
        script("secrets")?;
        let (code, said) = run(&["baseline", &name])?;
        ensure!(code == 0, "{code}: {said}");
        let baseline = fs::read_to_string(stage.folder().join("secrets.baseline.jsonl"))?;
        for public in ["anybody may read this", "good morning", "TMaskEdit", "SecretBox", "Vault"] {
            ensure!(baseline.contains(public), "{public:?} is missing: {baseline}");
        }
        let (code, verified) = run(&["replay", "--script", &name])?;
        ensure!(code == 0 && verified.contains("passed"), "{code}: {verified}");
        // Another secret is no difference; another label is one, and is reported.
        script("secrets-changed")?;
        let (code, changed) = run(&["replay", "--script", &name])?;
        ensure!(code == 1 && changed.contains("good evening"), "{code}: {changed}");
        let reports = [("baseline", &said), ("replay", &verified), ("replay of another", &changed)];
        for (name, text) in reports.into_iter().chain([("the file", &baseline)]) {
            ensure!(!text.contains("QuietHarbour"), "a secret in {name}: {text}");
            ensure!(!text.contains("20..20"), "the length of a secret in {name}: {text}");
        }
        Ok(())
    });
}

#[test]
fn a_text_that_is_only_read_is_not_recorded() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "toolkits")?;
        foreign.click(402)?;
        stage.input.press("Tab")?;
        stage.input.press("ctrl+a")?;
        stage.input.press("ctrl+c")?;
        foreign.type_into(401, "written")?;
        let results = results(&foreign.close()?);
        ensure!(results == ["written"], "{results:?}");
        Ok(())
    });
}

/// The structure of LVN_ITEMACTIVATE is not always there: by the keyboard it is but a header under Wine.
#[test]
fn an_item_activated_by_the_keyboard_is_the_one_with_the_focus() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "toolkits")?;
        foreign.click(105)?;
        for key in ["Home", "Down", "Down", "Return"] {
            stage.input.press(key)?;
        }
        let events = foreign.close()?;
        for code in [-4, -114] {
            let (_, activated) = events.notification("WM_NOTIFY", 105, code)?;
            let item = (activated.params.signed(Key::ItemIndex), text(activated, Key::ItemText));
            ensure!(item == (Some(2), "Row 2".into()), "{code}: {activated:?}");
        }
        Ok(())
    });
}

/// Two threads change texts without a pause and three more have windows. Typing arrives, the counters add up
/// and nothing is damaged.
#[test]
fn a_flood_of_messages_loses_no_typing_and_the_counters_add_up() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "flood")?;
        let edit = foreign.control(902)?;
        foreign.type_into(902, "in the flood")?;
        let events = foreign.close()?;
        let typed = events.typed(edit.hwnd);
        ensure!(typed == "in the flood", "{typed}");
        let number = message_number("WM_SETTEXT").context("no such message")?;
        let texts = events.0.iter().filter(|e| e.message().is_some_and(|m| m.number == number)).count();
        ensure!(texts > 100, "only {texts} texts: no flood");
        for counted in events.0.iter().filter(|e| e.params.get(Key::Received).is_some()) {
            let number = |key| counted.params.unsigned(key).unwrap_or_default();
            let sum: u64 =
                [Key::Rejected, Key::Recorded, Key::Shed, Key::Dropped].into_iter().map(number).sum();
            ensure!(number(Key::Received) == sum, "{counted:?}");
        }
        Ok(())
    });
}

#[test]
fn windows_that_end_in_their_own_handlers_are_gone_from_the_log() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "brief")?;
        for id in 710..715 {
            let brief = foreign.control(id)?.rect;
            stage.input.click(Button::Left, brief.left + 35, brief.top + 60)?;
        }
        wait_until("all to be gone", DEADLINE, || {
            Ok(stage.probe.children(&foreign.main)?.is_empty().then_some(()))
        })?;
        let events = foreign.close()?;
        let count = |name| events.messages(name, 0).len();
        ensure!(count("WM_LBUTTONDOWN") >= 5, "{}", count("WM_LBUTTONDOWN"));
        // A keyframe contains the windows that are older than the hooks.
        ensure!(count("WM_NCDESTROY") >= count("WM_CREATE"), "{events:?}");
        Ok(())
    });
}

/// Edits that differ only in their order of creation, which is the reverse of their order on the screen. The
/// caption shows whether the first one got the text.
#[test]
fn windows_are_found_again_by_their_births_however_they_lie() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "stacked")?;
        let top = wait_until("four edits", DEADLINE, || {
            let all = stage.probe.children(&foreign.main)?;
            Ok((all.len() == 4).then(|| all.into_iter().min_by_key(|edit| edit.rect.top)).flatten())
        })?;
        stage.input.click_window(&top)?;
        stage.input.type_text("one")?;
        stage.wait_for(&window().title("Foreign one"))?;
        let said = foreign.close_and_replay("stacked")?;
        ensure!(!said.contains("the recorded text was set"), "{said}");
        Ok(())
    });
}

/// Another run numbers its commands differently, so that the recorded id of “Remove” now belongs to
/// “Rename”. The label decides: in the menu bar, for a shortcut, and in a menu that exists only while the
/// pointer is on an item.
#[test]
fn menus_are_chosen_from_by_label_where_commands_are_counted() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "counted")?;
        let tree = wait_until("the tree", DEADLINE, || {
            Ok(stage.probe.children(&foreign.main)?.into_iter().find(|child| child.class == "SysTreeView32"))
        })?;
        stage.input.click(Button::Right, tree.rect.left + 30, tree.rect.top + 10)?;
        stage.wait_for(&window().class("#32768"))?;
        for key in ["Down", "Down", "Return"] {
            stage.input.press(key)?;
        }
        stage.wait_for(&window().title("Foreign removed"))?;
        stage.input.press("ctrl+m")?;
        stage.wait_for(&window().title("Foreign removed by key"))?;
        stage.input.press("alt+e")?;
        stage.wait_for(&window().class("#32768"))?;
        stage.input.press("m")?;
        stage.wait_for(&window().title("Foreign removed by bar"))?;
        let said = foreign.close_and_replay("recounted")?;
        ensure!(said.contains("Press Ctrl+M (Edit ▸ Remove)"), "{said}");
        ensure!(said.contains("its command is 298 now and was 299"), "{said}");
        Ok(())
    });
}

/// A canvas that asks for keys and not for characters, and whether the button is up at its release; its loop
/// takes messages of this window only.
#[test]
fn a_window_that_asks_the_keyboard_is_replayed_in_a_loop_of_its_own_messages() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "narrow")?;
        stage.input.click_window(&foreign.main)?;
        stage.wait_for(&window().title("Foreign released"))?;
        stage.input.type_text("rR")?;
        stage.wait_for(&window().title("Foreign releasedrR"))?;
        foreign.close_and_replay("narrow").map(drop)
    });
}

/// A menu bar that reports positions (MNS_NOTIFYBYPOS), where the position of the chosen item is the command
/// id of another. No WM_COMMAND reports the choice.
#[test]
fn a_menu_bar_that_reports_positions_is_opened_and_answered() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "placed")?;
        stage.input.press("alt+v")?;
        stage.wait_for(&window().class("#32768"))?;
        for key in ["z", "l"] {
            stage.input.press(key)?;
        }
        stage.wait_for(&window().title("Foreign &Large"))?;
        let said = foreign.close_and_replay("placed")?;
        ensure!(said.contains("Choose menu View ▸ Zoom ▸ Large"), "{said}");
        Ok(())
    });
}

/// Where WinForms differs from the system's controls: see `samples/foreign/habits.c`.
#[test]
fn habits_of_winforms_are_met() {
    stage(|stage| {
        let foreign = Foreign::run(stage, "habits")?;
        let says = |what: &str| stage.wait_for(&window().title(&format!("Foreign, {what}"))).map(drop);
        foreign.click(970)?;
        says("linked")?;
        let combo = foreign.control(971)?.rect;
        stage.input.click(Button::Left, combo.right - 8, combo.top + 10)?;
        let dropped = stage.wait_for(&window().class("ComboLBox"))?;
        stage.input.click(Button::Left, dropped.rect.left + 20, dropped.rect.bottom - 8)?;
        says("green")?;
        let list = foreign.control(972)?.rect;
        stage.input.click(Button::Left, list.left + 40, list.top + 10)?;
        says("sorted")?;
        stage.input.click(Button::Right, list.left + 30, list.top + 28)?;
        let popup = stage.wait_for(&window().class("ForeignPopup"))?;
        stage.input.click_window(&popup)?;
        says("chosen")?;
        let tree = foreign.control(973)?.rect;
        stage.input.click(Button::Left, tree.left + 10, tree.top + 10)?;
        // It was opened and then got the focus.
        says("selected once")?;
        stage.input.click(Button::Left, tree.left + 52, tree.top + 25)?;
        says("selected again")?;
        // A tree keeps Alt+F4 to itself.
        foreign.click(970)?;
        says("linked")?;
        let said = foreign.close_and_replay("habits")?;
        for told in ["Select “green”", "Right-click “First”", "Expand “Root”", "Select “Root ▸ Leaf”"]
        {
            ensure!(said.contains(told), "{told} is missing: {said}");
        }
        Ok(())
    });
}

/// A button sends its command, and with hooks installed the system delivers it. A fault in the handler must
/// still end the program, and is recorded.
#[test]
fn a_crash_in_the_handler_of_a_button_is_a_crash() {
    const CRASHED: i32 = EXCEPTION_ACCESS_VIOLATION.cast_signed();
    stage(|stage| {
        let foreign = Foreign::run(stage, "faulty")?;
        foreign.click(961)?;
        stage.wait_for(&window().title("Foreign, repaired"))?;
        foreign.click(960)?;
        let code = foreign.dashcam.wait(DEADLINE)?;
        ensure!(code == CRASHED, "exit code {code:#x}: {}", foreign.dashcam.stderr()?);
        let file = stage.folder().join("faulty.dashcam");
        foreign.log.pack(&file)?;
        let program = folders::for_windows(&folders::sample("foreign"));
        let (code, said) =
            stage.dashcam(&["replay", &folders::for_windows(&file), "--app", &program, "faulty"])?;
        let crash = "reproduced at step 2: the application crashed with 0xC0000005 in foreign.exe+";
        ensure!(code == 0 && said.contains(crash), "{code}: {said}");
        Ok(())
    });
}
