//! dashcam.dll inside real programs, with real pointer and keys: what they do is in the log.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, Stage, Window, folders, stage, wait_until, window};
use message_log::{Damage, Event, Hook, Key, Kind, Log, Message, Part, message_number};

/// Everything below a folder that is a log.
fn read_log(folder: &Path) -> Result<(Vec<Event>, Vec<Damage>)> {
    let parts =
        files(folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "xml" || e == "ring"));
    let parts = parts
        .map(|path| Part::new(path.display().to_string(), move || File::open(&path).map(BufReader::new)));
    Ok(Log::open(parts.collect())?.read_all()?)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// Messages of this name to this window, with their events.
fn messages<'a>(events: &'a [Event], name: &str, hwnd: u64) -> Vec<(&'a Message, &'a Event)> {
    let number = message_number(name).expect("a known message");
    let of = |event: &'a Event| event.message().map(|message| (message, event));
    events
        .iter()
        .filter_map(of)
        .filter(|(m, _)| m.number == number && (hwnd == 0 || m.hwnd == hwnd))
        .collect()
}

fn typed(events: &[Event], hwnd: u64) -> String {
    let units: Vec<u16> = messages(events, "WM_CHAR", hwnd).iter().map(|(m, _)| m.wparam as u16).collect();
    String::from_utf16_lossy(&units)
}

/// The minimal host, which loads the recorder itself; its log lies below the stage's folder.
struct Minimal {
    program: Program,
    main: Window,
    edit: Window,
    button: Window,
    log: PathBuf,
}

impl Minimal {
    fn open(stage: &Stage) -> Result<Self> {
        let x64 = folders::dashcam().join("x64");
        let host = stage.folder().join("minimal.exe");
        fs::copy(x64.join("samples").join("minimal.exe"), &host)?;
        fs::copy(x64.join("dashcam.dll"), stage.folder().join("dashcam.dll"))?;
        let local = folders::for_windows(stage.folder());
        let program = stage.start_with(&host.display().to_string(), &[], &[("LOCALAPPDATA", &local)])?;
        let main = stage.wait_for(&window().class("DashcamMinimal").of(&program))?;
        let children = stage.probe.children(&main)?;
        let child =
            |class: &str| children.iter().find(|c| c.class == class).cloned().context(class.to_owned());
        let log = stage.folder().join("Dashcam").join("minimal");
        Ok(Self { edit: child("Edit")?, button: child("Button")?, program, main, log })
    }
}

#[test]
fn a_host_that_loads_the_recorder_is_recorded_whole() {
    stage("a_host_that_loads_the_recorder_is_recorded_whole", |stage| {
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

        let (events, damage) = read_log(&host.log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        ensure!(
            matches!(events[0].kind, Kind::Keyframe(_)) && events[1].kind == Kind::Session,
            "{:?}",
            &events[..2]
        );
        ensure!(typed(&events, host.edit.hwnd) == "Grüße an ÄÖÜ", "{}", typed(&events, host.edit.hwnd));

        let (create, event) = messages(&events, "WM_CREATE", host.edit.hwnd)[0];
        ensure!(
            event
                .params
                .text(Key::WindowClass)
                .is_some_and(|class| class.to_string().eq_ignore_ascii_case("edit"))
        );
        ensure!(event.params.signed(Key::WindowResourceId) == Some(1001));
        ensure!(event.params.unsigned(Key::WindowParent) == Some(host.main.hwnd));
        ensure!(
            create.birth > 0
                && messages(&events, "WM_CHAR", host.edit.hwnd).iter().all(|(m, _)| m.birth == create.birth)
        );

        // The command is sent while the button's release is handled: deeper in the stack, and after it.
        let (up, up_event) =
            *messages(&events, "WM_LBUTTONUP", host.button.hwnd).last().context("no release")?;
        let commands = messages(&events, "WM_COMMAND", host.main.hwnd);
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
        let (_, set) = messages(&events, "WM_SETTEXT", host.main.hwnd)[0];
        ensure!(set.params.text(Key::Text) == Some(&"Greeted".into()), "{set:?}");

        // What is polled leaves nothing, and everything is accounted for.
        ensure!(messages(&events, "WM_GETTEXT", 0).is_empty());
        let statistics = events.iter().find(|e| e.kind == Kind::Statistics).context("no statistics")?;
        let number = |key| statistics.params.unsigned(key).unwrap_or_default();
        let recorded = events.iter().filter(|e| e.message().is_some()).count() as u64;
        ensure!(number(Key::Recorded) == recorded, "{statistics:?}, {recorded} in the log");
        let parts = number(Key::Rejected) + number(Key::Recorded) + number(Key::Shed) + number(Key::Dropped);
        ensure!(number(Key::Received) == parts && number(Key::Rejected) > 0, "{statistics:?}");
        ensure!(
            !files(&host.log)?.iter().any(|file| file.extension().is_some_and(|e| e == "ring")),
            "a ring remains"
        );
        Ok(())
    });
}

#[test]
fn nothing_that_returned_is_missing_after_a_kill() {
    stage("nothing_that_returned_is_missing_after_a_kill", |stage| {
        let host = Minimal::open(stage)?;
        stage.input.click_window(&host.edit)?;
        let text = "The quick brown fox jumps over the lazy dog; ".repeat(4);
        stage.input.type_text(&text)?;
        wait_until("the text", DEADLINE, || Ok((stage.probe.text(&host.edit)? == text).then_some(())))?;
        // No time for the recorder to write anything more.
        host.program.end()?;
        host.program.wait(DEADLINE)?;

        let (events, damage) = read_log(&host.log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        ensure!(typed(&events, host.edit.hwnd) == text, "{}", typed(&events, host.edit.hwnd));

        let export = stage.folder().join("bug.dashcam");
        let (log, bug) = (folders::for_windows(&host.log), folders::for_windows(&export));
        let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
        let exported = stage.start(&dashcam, &["export", &log, "-o", &bug])?;
        ensure!(exported.wait(DEADLINE)? == 0, "{}", exported.stderr()?);
        let packed = fs::read(&export)?;
        let (again, damage) = Log::from_bytes("bug.dashcam", &packed)?.read_all()?;
        ensure!(again == events && damage.is_empty(), "the export differs: {damage:?}");
        Ok(())
    });
}

/// A program that does not know the recorder, started by `dashcam run`.
fn run_recorded(stage: &Stage, program: &str, args: &[&str]) -> Result<(Program, PathBuf)> {
    let log = stage.folder().join("log");
    let (folder, dashcam) = (folders::for_windows(&log), folders::dashcam().join("x64").join("dashcam.exe"));
    let arguments = [&["run", "--log", &folder, "--", program], args].concat();
    Ok((stage.start(&dashcam.display().to_string(), &arguments)?, log))
}

#[test]
fn notepad_is_recorded_without_knowing() {
    stage("notepad_is_recorded_without_knowing", |stage| {
        let (dashcam, log) = run_recorded(stage, "notepad", &[])?;
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

        let (events, damage) = read_log(&log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        ensure!(typed(&events, edit.hwnd).starts_with("hello"), "{}", typed(&events, edit.hwnd));
        // An accelerator's command says so, and has no source.
        let commands = messages(&events, "WM_COMMAND", main.hwnd);
        let accelerator =
            commands.iter().find(|(_, event)| event.params.flag(Key::Accelerator) == Some(true));
        let (_, event) = accelerator.context("the command of ctrl+f")?;
        ensure!(event.params.unsigned(Key::Source) == Some(0), "{event:?}");
        let (_, created) =
            *messages(&events, "WM_CREATE", dialog.hwnd).first().context("the dialog's birth")?;
        ensure!(created.params.text(Key::WindowClass) == Some(&"#32770".into()), "{created:?}");
        ensure!(created.params.unsigned(Key::WindowOwner) == Some(main.hwnd), "{created:?}");
        // The window was there before its thread was hooked, or its birth was seen: either way it is known.
        let known = events.iter().any(|event| match &event.kind {
            Kind::Keyframe(keyframe) => {
                keyframe.windows.iter().any(|w| w.unsigned(Key::WindowHwnd) == Some(main.hwnd))
            }
            _ => false,
        });
        ensure!(
            known || !messages(&events, "WM_CREATE", main.hwnd).is_empty(),
            "nobody knows where notepad came from"
        );
        Ok(())
    });
}

#[test]
fn a_second_gui_thread_is_recorded_under_its_own_number() {
    stage("a_second_gui_thread_is_recorded_under_its_own_number", |stage| {
        let (dashcam, log) = run_recorded(stage, &gallery(), &["--page", "windows"])?;
        let main = stage.wait_for(&window().class("GalleryFrame"))?;
        let control = |parent: &Window, id: i32| {
            wait_until("a control of the gallery", DEADLINE, || {
                Ok(stage.probe.children(parent)?.into_iter().find(|child| child.id == id))
            })
        };
        stage.input.click_window(&control(&main, 2501)?)?;
        let second = stage.wait_for(&window().title("Second thread"))?;
        stage.input.click_window(&control(&second, 2853)?)?;
        // The first window of a thread is noticed by its birth; hooking it takes the recorder a moment.
        let commands = || -> Result<Option<(u32, u32)>> {
            let (events, _) = read_log(&log)?;
            let by = |id| {
                messages(&events, "WM_COMMAND", 0)
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
        let (events, damage) = read_log(&log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        // The second thread's windows were born before it was hooked: its keyframe has them.
        let keyframes = events.iter().filter_map(|event| match &event.kind {
            Kind::Keyframe(keyframe) if keyframe.of_thread == Some(other) => Some(keyframe),
            _ => None,
        });
        ensure!(keyframes.count() == 1, "no keyframe of thread {other}");
        Ok(())
    });
}

fn gallery() -> String {
    folders::for_windows(&folders::sample("gallery"))
}

#[test]
fn a_password_is_in_no_file_and_neither_is_its_length() {
    stage("a_password_is_in_no_file_and_neither_is_its_length", |stage| {
        const SECRET: &str = "geheim4711";
        let (dashcam, log) = run_recorded(stage, &gallery(), &["--page", "edits"])?;
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

        let (events, damage) = read_log(&log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        let keys = ["WM_CHAR", "WM_KEYDOWN", "WM_KEYUP"].map(|name| messages(&events, name, password.hwnd));
        let masked =
            keys.iter().flatten().filter(|(_, event)| event.params.get(Key::Masked).is_some()).count();
        let told = keys.iter().flatten().count();
        ensure!(
            masked == 1 && told <= 2,
            "{masked} masked of {told} keys: only the first, and Tab, may be told"
        );
        let changes = messages(&events, "WM_COMMAND", 0);
        let changes = changes.iter().filter(|(_, e)| {
            e.params.unsigned(Key::Source) == Some(password.hwnd)
                && matches!(e.params.signed(Key::Notification), Some(0x300 | 0x400))
        });
        ensure!(changes.count() == 0, "every change of a password tells of one more letter");
        let wide: Vec<u8> = SECRET.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for file in files(&log)? {
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
