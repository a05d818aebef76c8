//! dashcam.dll records real programs under real input.

use std::fs;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, Recording, Stage, Window, folders, stage, wait_until, window};
use message_log::{Damage, DamageKind, Event, Hook, Key, Kind, Log};
use win32_vocabulary::messages::WM_CREATE;
use win32_vocabulary::notifications::{EN_CHANGE, EN_UPDATE};

/// The minimal host, which loads the recorder itself; its log lies below the stage's folder.
struct Minimal {
    program: Program,
    main: Window,
    edit: Window,
    button: Window,
    recording: Recording,
}

impl Minimal {
    fn open(stage: &Stage) -> Result<Self> {
        let x64 = folders::built();
        let host = stage.folder().join("minimal.exe");
        fs::copy(x64.join("samples").join("minimal.exe"), &host)?;
        fs::copy(x64.join("dashcam.dll"), stage.folder().join("dashcam.dll"))?;
        let local = folders::for_windows(stage.folder());
        let program = stage.start_with(&host.display().to_string(), &[], &[("LOCALAPPDATA", &local)])?;
        let main = stage.wait_for(&window().class("DashcamMinimal").of(&program))?;
        let children = stage.probe.children(&main)?;
        let child =
            |class: &str| children.iter().find(|c| c.class == class).cloned().context(class.to_owned());
        let recording = Recording { folder: stage.folder().join("Dashcam").join("minimal") };
        Ok(Self { edit: child("Edit")?, button: child("Button")?, program, main, recording })
    }
}

#[test]
fn a_host_that_loads_the_recorder_is_recorded_whole() {
    stage(|stage| {
        let host = Minimal::open(stage)?;
        stage.input.click_window(&host.edit)?;
        stage.input.type_text("Grüße an ÄÖÜ")?;
        wait_until("the text", DEADLINE, || {
            Ok((stage.probe.text(&host.edit)? == "Grüße an ÄÖÜ").then_some(()))
        })?;
        stage.input.click_window(&host.button)?;
        stage.wait_for(&window().title("Greeted").of(&host.program))?;
        stage.input.press("alt+F4")?;
        ensure!(host.program.wait(DEADLINE)? == 0);

        let events = host.recording.read_whole()?;
        ensure!(
            matches!(events.0[0].kind, Kind::Keyframe(_)) && events.0[1].kind == Kind::Session,
            "{:?}",
            &events.0[..2]
        );
        let modules: Vec<String> = events.0[1]
            .params
            .all(Key::Module)
            .filter_map(|value| match value {
                message_log::Value::Text(text) => Some(text.to_string()),
                _ => None,
            })
            .collect();
        let is_named = |name: &str| modules.iter().any(|module| module.starts_with(name));
        ensure!(
            is_named("minimal.exe/")
                && modules.iter().any(|m| m.starts_with("user32.dll/") && m.ends_with(char::is_numeric)),
            "{modules:?}"
        );
        ensure!(events.typed(host.edit.hwnd) == "Grüße an ÄÖÜ", "{}", events.typed(host.edit.hwnd));

        let (create, event) = events.messages("WM_CREATE", host.edit.hwnd)[0];
        ensure!(
            event
                .params
                .text(Key::WindowClass)
                .is_some_and(|class| class.to_string().eq_ignore_ascii_case("edit"))
        );
        ensure!(event.params.signed(Key::WindowResourceId) == Some(1001));
        ensure!(event.params.unsigned(Key::WindowParent) == Some(host.main.hwnd));
        ensure!(
            create.window_id > 0
                && events
                    .messages("WM_CHAR", host.edit.hwnd)
                    .iter()
                    .all(|(m, _)| m.window_id == create.window_id)
        );

        // The command is sent while the button's release is handled: deeper in the stack, and after it.
        let (up, up_event) =
            *events.messages("WM_LBUTTONUP", host.button.hwnd).last().context("no release")?;
        let commands = events.messages("WM_COMMAND", host.main.hwnd);
        let (command, event) = commands
            .iter()
            .find(|(_, event)| event.params.unsigned(Key::Command) == Some(1002))
            .context("the button's command")?;
        ensure!(event.params.unsigned(Key::Source) == Some(host.button.hwnd));
        ensure!(
            up.hook == Hook::Posted && command.hook == Hook::Sent && command.depth > up.depth,
            "{up:?} {command:?}"
        );
        ensure!(event.stamp > up_event.stamp);
        let (_, set) = events.messages("WM_SETTEXT", host.main.hwnd)[0];
        ensure!(set.params.text(Key::Text) == Some(&"Greeted".into()), "{set:?}");

        // Polled messages leave no record, and the counters add up.
        ensure!(events.messages("WM_GETTEXT", 0).is_empty());
        let statistics = events.0.iter().find(|e| e.kind == Kind::Statistics).context("no statistics")?;
        let number = |key| statistics.params.unsigned(key).unwrap_or_default();
        let recorded = events.0.iter().filter(|e| e.message().is_some()).count() as u64;
        ensure!(number(Key::Recorded) == recorded, "{statistics:?}, {recorded} in the log");
        let parts = number(Key::Rejected) + number(Key::Recorded) + number(Key::Shed) + number(Key::Dropped);
        ensure!(number(Key::Received) == parts && number(Key::Rejected) > 0, "{statistics:?}");
        ensure!(
            !host.recording.files()?.iter().any(|file| file.extension().is_some_and(|e| e == "ring")),
            "a ring remains"
        );
        Ok(())
    });
}

#[test]
fn nothing_that_returned_is_missing_after_a_kill() {
    stage(|stage| {
        let host = Minimal::open(stage)?;
        stage.input.click_window(&host.edit)?;
        let text = "The quick brown fox jumps over the lazy dog; ".repeat(4);
        stage.input.type_text(&text)?;
        wait_until("the text", DEADLINE, || Ok((stage.probe.text(&host.edit)? == text).then_some(())))?;
        // No time for the recorder to write anything more.
        host.program.end()?;
        host.program.wait(DEADLINE)?;

        let events = host.recording.read_whole()?;
        ensure!(events.typed(host.edit.hwnd) == text, "{}", events.typed(host.edit.hwnd));

        let export = stage.folder().join("bug.dashcam");
        let (log, bug) = (folders::for_windows(&host.recording.folder), folders::for_windows(&export));
        let exported = stage.start_dashcam(&["export", &log, "-o", &bug])?;
        ensure!(exported.wait(DEADLINE)? == 0, "{}", exported.stderr()?);
        let packed = fs::read(&export)?;
        let (again, damage) = Log::from_bytes("bug.dashcam", &packed)?.read_all()?;
        ensure!(again == events.0 && damage.is_empty(), "the export differs: {damage:?}");
        Ok(())
    });
}

#[test]
fn notepad_is_recorded_without_knowing() {
    stage(|stage| {
        let (dashcam, log) = Recording::run(stage, "notepad", &[])?;
        let main = stage.wait_for(&window().class("Notepad"))?;
        let children = stage.probe.children(&main)?;
        let edit = children.into_iter().find(|child| child.class == "Edit").context("notepad's edit")?;
        stage.input.click_window(&edit)?;
        stage.input.type_text("hello")?;
        stage.input.press("ctrl+f")?;
        let dialog = stage.wait_for(&window().class("#32770"))?;
        stage.input.press("Escape")?;
        stage.wait_gone(&window().class("#32770"))?;
        stage.input.press("alt+F4")?;
        stage.wait_for(&window().class("#32770"))?;
        stage.input.press("alt+n")?;
        ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);

        let events = log.read_whole()?;
        ensure!(events.typed(edit.hwnd).starts_with("hello"), "{}", events.typed(edit.hwnd));
        // An accelerator's command says so, and has no source.
        let commands = events.messages("WM_COMMAND", main.hwnd);
        let accelerator =
            commands.iter().find(|(_, event)| event.params.flag(Key::Accelerator) == Some(true));
        let (_, event) = accelerator.context("the command of ctrl+f")?;
        ensure!(event.params.unsigned(Key::Source) == Some(0), "{event:?}");
        let (_, created) =
            *events.messages("WM_CREATE", dialog.hwnd).first().context("the dialog's birth")?;
        ensure!(created.params.text(Key::WindowClass) == Some(&"#32770".into()), "{created:?}");
        ensure!(created.params.unsigned(Key::WindowOwner) == Some(main.hwnd), "{created:?}");
        // The window existed before its thread was hooked, or its creation was recorded. It is
        // known in both cases.
        let known = events.0.iter().any(|event| match &event.kind {
            Kind::Keyframe(keyframe) => {
                keyframe.windows.iter().any(|w| w.unsigned(Key::WindowHwnd) == Some(main.hwnd))
            }
            _ => false,
        });
        ensure!(
            known || !events.messages("WM_CREATE", main.hwnd).is_empty(),
            "nobody knows where notepad came from"
        );
        Ok(())
    });
}

#[test]
fn a_running_program_is_recorded_from_now_on() {
    stage(|stage| {
        let wordpad = stage.start(r"C:\Program Files\Windows NT\Accessories\wordpad.exe", &[])?;
        let main = stage.wait_for(&window().class("WORDPADTOP").of(&wordpad))?;
        let edit = wait_until("wordpad's edit", DEADLINE, || {
            let children = stage.probe.children(&main)?;
            Ok(children.into_iter().find(|child| child.class.to_lowercase().contains("richedit")))
        })?;
        let log = Recording { folder: stage.folder().join("log") };
        let folder = folders::for_windows(&log.folder);
        let attach = |arguments: &[&str]| -> Result<(i32, String)> {
            let attach = stage.start_dashcam(&[&["attach", "--log", &folder], arguments].concat())?;
            Ok((attach.wait(DEADLINE)?, attach.stderr()?))
        };
        ensure!(attach(&["--window", "WORDPADTOP"])?.0 == 0);
        let (code, sentence) = attach(&["--pid", &wordpad.pid().to_string()])?;
        ensure!(code == 2 && sentence.contains("recorded already"), "{code}: {sentence}");
        stage.input.click_window(&edit)?;
        stage.input.type_text("from now on")?;
        wait_until("the text", DEADLINE, || Ok((stage.probe.text(&edit)? == "from now on").then_some(())))?;
        wordpad.end()?;
        wordpad.wait(DEADLINE)?;
        let events = log.read_whole()?;
        ensure!(events.typed(edit.hwnd) == "from now on", "{}", events.typed(edit.hwnd));
        // The window already existed: a keyframe contains it.
        let tells = |event: &Event| match &event.kind {
            Kind::Keyframe(keyframe) => {
                keyframe.windows.iter().any(|w| w.unsigned(Key::WindowHwnd) == Some(edit.hwnd))
            }
            _ => false,
        };
        ensure!(events.0.iter().any(tells), "no keyframe knows wordpad's edit");
        Ok(())
    });
}

#[test]
fn a_second_gui_thread_is_recorded_under_its_own_number() {
    stage(|stage| {
        let (dashcam, log) = Recording::run(stage, &gallery(), &["--page", "windows"])?;
        let main = stage.wait_for(&window().class("GalleryFrame"))?;
        let control = |parent: &Window, id: i32| {
            wait_until("a control of the gallery", DEADLINE, || {
                Ok(stage.probe.children(parent)?.into_iter().find(|child| child.id == id))
            })
        };
        stage.input.click_window(&control(&main, 2501)?)?;
        let second = stage.wait_for(&window().title("Second thread"))?;
        stage.input.click_window(&control(&second, 2853)?)?;
        // The recorder notices a thread by its first window; hooking it takes a moment.
        let commands = || -> Result<Option<(u32, u32)>> {
            let (events, _) = log.read()?;
            let by = |id| {
                events
                    .messages("WM_COMMAND", 0)
                    .iter()
                    .find(|(_, e)| e.params.unsigned(Key::Command) == Some(id))
                    .and_then(|(_, e)| e.stamp)
                    .map(|s| s.thread)
            };
            Ok(by(2501).zip(by(2853)))
        };
        let (first, other) = wait_until("both commands in the log", DEADLINE, commands)?;
        ensure!(first != other, "both on thread {first}");
        for shown in [&second, &main] {
            stage.input.click(harness::protocol::Button::Left, shown.rect.right - 14, shown.rect.top + 13)?;
        }
        ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);
        let events = log.read_whole()?;
        // The second thread's windows existed before it was hooked: its keyframe has them.
        let keyframes = events.0.iter().filter_map(|event| match &event.kind {
            Kind::Keyframe(keyframe) if keyframe.of_thread == Some(other) => Some(keyframe),
            _ => None,
        });
        ensure!(keyframes.count() >= 1, "no keyframe of thread {other}");
        Ok(())
    });
}

fn gallery() -> String {
    folders::for_windows(&folders::sample("gallery"))
}

#[test]
fn a_password_is_in_no_file_and_neither_is_its_length() {
    stage(|stage| {
        const SECRET: &str = "geheim4711";
        let (dashcam, log) = Recording::run(stage, &gallery(), &["--page", "edits"])?;
        let main = stage.wait_for(&window().class("GalleryFrame"))?;
        let password = wait_until("the password field", DEADLINE, || {
            let children = stage.probe.children(&main)?;
            Ok(children.into_iter().find(|child| child.id == 1205))
        })?;
        stage.input.click_window(&password)?;
        stage.input.type_text(SECRET)?;
        wait_until("the password", DEADLINE, || Ok((stage.probe.text(&password)? == SECRET).then_some(())))?;
        stage.input.press("Tab")?;
        stage.input.press("alt+F4")?;
        ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);

        let events = log.read_whole()?;
        let keys = ["WM_CHAR", "WM_KEYDOWN", "WM_KEYUP"].map(|name| events.messages(name, password.hwnd));
        let name = |event: &Event| event.params.text(Key::Masked).map(ToString::to_string);
        let masked = keys
            .iter()
            .flatten()
            .filter(|(_, event)| name(event).as_deref() == Some("password-1205"))
            .count();
        let told = keys.iter().flatten().count();
        ensure!(
            masked == 1 && told <= 2,
            "{masked} masked of {told} keys: only the first, and Tab, may be told"
        );
        let changes = events.messages("WM_COMMAND", 0);
        let changes = changes.iter().filter(|(_, e)| {
            e.params.unsigned(Key::Source) == Some(password.hwnd)
                && [EN_CHANGE, EN_UPDATE]
                    .map(|code| Some(code.into()))
                    .contains(&e.params.signed(Key::Notification))
        });
        ensure!(changes.count() == 0, "every change of a password tells of one more letter");
        let wide: Vec<u8> = SECRET.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for file in log.files()? {
            let bytes = fs::read(&file)?;
            for secret in [SECRET.as_bytes(), &wide] {
                ensure!(
                    !bytes.windows(secret.len()).any(|w| w == secret),
                    "the password is in {}",
                    file.display()
                );
            }
        }
        Ok(())
    });
}

/// Undecorated in both, and no way out of the process.
#[test]
#[cfg(not(windows))]
fn the_dll_exports_the_contract_and_imports_no_network() -> Result<()> {
    let header = fs::read_to_string(folders::workspace().join("hook-dll/include/dashcam.h"))?;
    let declared: Vec<&str> = header
        .lines()
        .filter_map(|line| line.split_once("__cdecl ").map(|(_, rest)| rest))
        .filter_map(|rest| rest.split_once('(').map(|(name, _)| name))
        .filter(|name| name.starts_with("dashcam_"))
        .collect();
    ensure!(declared.len() == 13, "{declared:?}");
    for (folder, machine) in [("x64", "x86_64"), ("x86", "i686")] {
        let dll = folders::dashcam().join(folder).join("dashcam.dll");
        let output = std::process::Command::new(format!("{machine}-w64-mingw32-objdump"))
            .arg("-p")
            .arg(&dll)
            .output()?;
        ensure!(output.status.success(), "{}", dll.display());
        let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
        let (imports, exports) = text.split_once("[ordinal/name pointer] table").context("no exports")?;
        for name in &declared {
            ensure!(
                exports.lines().any(|line| line.split_whitespace().last() == Some(*name)),
                "{folder} lacks {name}"
            );
        }
        for network in ["ws2_32", "wininet", "winhttp", "createprocess", "shellexecute"] {
            ensure!(!imports.contains(network), "{folder} imports {network}");
        }
    }
    Ok(())
}

#[test]
fn a_log_that_has_rotated_rebuilds_its_tree_from_its_first_keyframe() {
    stage(|stage| {
        let program = folders::for_windows(&folders::sample("gallery"));
        // A segment covers a sixteenth of the retention, and at least a second.
        let (_dashcam, log) =
            Recording::run_with(stage, &["--retention", "3s"], &program, &["--page", "buttons"])?;
        let main = stage.wait_for(&window().class("GalleryFrame"))?;
        let check = wait_until("a check box of the gallery", DEADLINE, || {
            Ok(stage.probe.children(&main)?.into_iter().find(|child| child.id == 1107 && child.visible))
        })?;
        // Until segments after the first are deleted.
        let numbers = || -> Result<Vec<u64>> {
            let names =
                log.files()?.into_iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()));
            let mut numbers: Vec<u64> =
                names.filter_map(|name| name.strip_prefix("segment-")?.parse().ok()).collect();
            numbers.sort_unstable();
            Ok(numbers)
        };
        wait_until("segments to go", DEADLINE, || {
            stage.input.click_window(&check)?;
            Ok((numbers()?.get(1) > Some(&2)).then_some(()))
        })?;
        stage.input.press("F1")?;
        stage.wait_for(&window().title("About").of_process(main.pid))?;
        // The recorder writes every 50 ms; the next segment begins within a second or two of messages.
        let last = *numbers()?.last().context("no segment")?;
        wait_until("another segment", DEADLINE, || {
            stage.input.press("Tab")?;
            Ok((numbers()?.last() > Some(&last)).then_some(()))
        })?;
        let tree = |log: Log<'_>| -> Result<window_tree::Tree> {
            let mut rebuild = window_tree::Rebuild::new();
            for entry in log {
                rebuild.take(&entry?);
            }
            Ok(rebuild.finish())
        };
        let whole = tree(log.open(|_| true)?)?;
        let rest = tree(log.open(|name| name != "segment-000000.xml")?)?;
        let shown = rest.walk().filter(|(_, node)| node.visible() == Some(true)).count();
        ensure!(shown > 20, "only {shown} windows are left");
        let about =
            rest.walk().any(|(_, node)| node.name().is_some_and(|name| name.to_string().contains("About")));
        ensure!(about, "{}", window_tree::render(&rest));
        let mut changes = window_tree::diff(&whole, &rest);
        // Message-only windows are below a window of the system's own, and in no complete keyframe.
        changes.retain(|change| whole.get(change.hwnd).is_none_or(|node| !node.is_outside));
        ensure!(changes.is_empty(), "{changes:?}");
        let (_, damage) = log.read()?;
        let is_stated = |damage: &Damage| matches!(damage.kind, DamageKind::SegmentsGone { .. });
        ensure!(
            damage.iter().all(is_stated),
            "nothing but the middle that was thrown away is gone: {damage:?}"
        );
        Ok(())
    });
}

/// The thread is hooked when it starts, so that even the creation of its first window is recorded.
#[test]
fn the_creation_of_a_programs_first_window_is_recorded() {
    stage(|stage| {
        let (_dashcam, log) = Recording::run(stage, &gallery(), &["--page", "windows"])?;
        let windows = |event: &Event| match &event.kind {
            Kind::Keyframe(keyframe) => keyframe.windows.len(),
            _ => 0,
        };
        let is_there = |event: &Event| event.message().is_some() || windows(event) > 0;
        let first = wait_until("the first of its windows", DEADLINE, || {
            Ok(log.read().ok().and_then(|(events, _)| events.0.into_iter().find(is_there)))
        })?;
        ensure!(
            first.message().is_some_and(|message| message.number == WM_CREATE),
            "no WM_CREATE: {first:?}"
        );
        Ok(())
    });
}
