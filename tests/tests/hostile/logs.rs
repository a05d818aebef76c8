//! A log made by an attacker: it is survived, writes nothing, starts nothing and says nothing
//! to the terminal.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, folders, stage, wait_until};
use message_log::{
    Event, Hook, Key, Keyframe, Kind, Log, LogWriter, Message, Param, Params, Rect, SegmentHead, Stamp, Value,
};
use win32_vocabulary::messages::{WM_LBUTTONDOWN, WM_LBUTTONUP};

use crate::dashcam;

fn window(hwnd: i64, parent: i64, name: &str) -> Params {
    Params::new()
        .with_number(Key::WindowHwnd, hwnd)
        .with_number(Key::WindowId, hwnd)
        .with_number(Key::WindowParent, parent)
        .with_text(Key::WindowClass, "Button")
        .with_text(Key::WindowName, name)
        .with(
            Key::WindowRect,
            Value::Rect(Rect { left: i32::MIN, top: i32::MAX, right: i32::MAX, bottom: i32::MIN }),
        )
        .with(Key::WindowVisible, Value::Flag(true))
        .with_number(Key::WindowThread, 1)
}

fn at(sequence: u64, thread: u32) -> Stamp {
    Stamp { sequence, time: sequence * 1000, thread }
}

/// A session of the evil program, with these windows and a click on each of the first.
fn evil(name: &str, windows: Vec<Params>) -> Result<(String, Vec<u8>)> {
    let session = Event::new(at(1, 0), Kind::Session)
        .with_text(Key::ApplicationName, "evil\u{1b}[2J<script>alert(1)</script>")
        .with_text(Key::ApplicationPath, r"C:\windows\system32\cmd.exe")
        .with_text(Key::CommandLine, r"cmd.exe /c echo owned > owned.txt")
        .with_text(Key::WorkingDirectory, r"..\..\..\..\");
    let clicked: Vec<i64> =
        windows.iter().take(50).filter_map(|window| window.signed(Key::WindowHwnd)).collect();
    let mut events = vec![session];
    events.push(Event::new(at(2, 0), Kind::Keyframe(Keyframe { of_thread: None, windows, complete: true })));
    for (hwnd, i) in clicked.into_iter().zip(1..) {
        for (number, sequence) in [(WM_LBUTTONDOWN, 2 * i), (WM_LBUTTONUP, 2 * i + 1)] {
            let message = Message {
                number,
                hwnd: hwnd.cast_unsigned(),
                hook: Hook::Posted,
                lparam: u64::MAX,
                ..Message::default()
            };
            events.push(
                Event::new(at(sequence, 1), Kind::Message(message))
                    .with_text(Key::ResultText, "../../../../etc/passwd\u{7}")
                    .with_number(Key::ResultWindow, hwnd)
                    .with_text(Key::File, r"\\attacker\share\x"),
            );
        }
    }
    let mut writer = LogWriter::begin(
        Vec::new(),
        &SegmentHead { session: "../../evil".into(), ..SegmentHead::default() },
    )?;
    events.iter().try_for_each(|event| writer.write(event))?;
    Ok((name.into(), writer.finish()?))
}

fn logs() -> Result<Vec<(String, Vec<u8>)>> {
    let script = "<script>fetch('http://x')</script>\u{1b}]0;owned\u{7}\u{202e}";
    let many = (1..20_000).map(|i| window(i, (i - 1) / 3, script)).collect();
    let deep = (1..5_000).map(|i| window(i, i - 1, "deep")).collect();
    let circle = (1..500).map(|i| window(i, i % 499 + 1, "circle")).collect();
    let itself = vec![window(7, 7, "its own parent"), window(8, 9, "a"), window(9, 8, "b")];
    let twins = (0..3_000).map(|_| window(5, 0, "again")).collect();
    let absurd =
        vec![window(i64::MIN, i64::MAX, &"A".repeat(1 << 20)), window(-1, -1, ""), window(0, 0, "\0")];
    [
        ("many", many),
        ("deep", deep),
        ("circle", circle),
        ("itself", itself),
        ("twins", twins),
        ("absurd", absurd),
    ]
    .into_iter()
    .map(|(name, windows)| evil(name, windows))
    .collect()
}

/// Everything below a folder.
fn tree(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(tree(&path)?);
        }
        found.push(path);
    }
    found.sort();
    Ok(found)
}

#[test]
fn an_attackers_log_is_survived() -> Result<()> {
    let root = folders::running().join("an_attackers_log_is_survived");
    let _ = fs::remove_dir_all(&root);
    for (name, bytes) in logs()? {
        let folder = root.join(&name).join("a").join("b");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("evil.xml"), bytes)?;
        let before = tree(&root)?;
        let commands: [&[&str]; 8] = [
            &["check", "evil.xml"],
            &["check", "evil.xml", "--json", "--all"],
            &["show", "evil.xml"],
            &["show", "evil.xml", "--json"],
            &["tree", "evil.xml"],
            &["tree", "evil.xml", "--json"],
            &["replay", "evil.xml", "--dry-run", "--explain"],
            &["replay", "evil.xml"],
        ];
        for command in commands {
            let begin = Instant::now();
            let output = dashcam(&folder, command)?;
            let (out, err) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            ensure!(
                matches!(output.status.code(), Some(0..=2)),
                "{name} {command:?}: {:?} {err}",
                output.status
            );
            ensure!(!err.contains("panicked"), "{name} {command:?}: {err}");
            ensure!(
                begin.elapsed() < Duration::from_secs(30),
                "{name} {command:?} took {:?}",
                begin.elapsed()
            );
            let is_control = |c: char| c.is_control() && c != '\n';
            ensure!(
                !out.contains(is_control) && !err.contains(is_control),
                "{name} {command:?} speaks to the terminal"
            );
            ensure!(tree(&root)? == before, "{name} {command:?} wrote something: {:?}", tree(&root)?);
        }
        let output = dashcam(&folder, &["export", "evil.xml", "-o", "out.dashcam"])?;
        ensure!(matches!(output.status.code(), Some(0..=2)), "{name}: {:?}", output.status);
        let mut expected = before;
        expected.push(folder.join("out.dashcam"));
        expected.sort();
        ensure!(!output.status.success() || tree(&root)? == expected, "{name}: {:?}", tree(&root)?);
    }
    fs::remove_dir_all(&root)?;
    Ok(())
}

#[test]
fn a_log_never_names_the_program_that_is_started() -> Result<()> {
    let log = folders::workspace().join("tests/recordings/steps/dialogs.dashcam").display().to_string();
    let output = dashcam(&folders::workspace(), &["replay", &log])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.code() == Some(2) && output.stdout.is_empty(), "{:?} {said}", output.status);
    ensure!(said.contains("the log is of") && said.contains("--app") && said.lines().count() == 1, "{said}");
    Ok(())
}

/// A recording that replays well, but says that its program is the decoy, with this command
/// line, in this folder.
fn log_of_a_decoy(decoy: &Path) -> Result<Vec<u8>> {
    let recording = folders::workspace().join("tests/recordings/steps/invoice.dashcam");
    let (events, _) = Log::from_bytes("invoice", &fs::read(recording)?)?.read_all()?;
    let program = folders::for_windows(decoy);
    let folder = folders::for_windows(decoy.parent().context("a folder")?);
    let lie = |param: &Param| {
        let text = match param {
            Param::Known(Key::ApplicationPath, _) => program.clone(),
            Param::Known(Key::CommandLine, _) => format!("\"{program}\" work \"{folder}\""),
            Param::Known(Key::WorkingDirectory, _) => folder.clone(),
            _ => return param.clone(),
        };
        match param {
            Param::Known(key, _) => Param::Known(*key, Value::Text(text.as_str().into())),
            other @ Param::Other(..) => other.clone(),
        }
    };
    let mut writer =
        LogWriter::begin(Vec::new(), &SegmentHead { session: "decoy".into(), ..SegmentHead::default() })?;
    for mut event in events {
        if event.kind == Kind::Session {
            let mut params = Params::new();
            event.params.iter().map(lie).for_each(|param| params.push(param));
            event.params = params;
        }
        writer.write(&event)?;
    }
    Ok(writer.finish()?)
}

/// What the Windows command says to the end, and its exit code.
fn said(run: &Program) -> Result<(i32, String)> {
    let code = run.wait(DEADLINE * 4)?;
    Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
}

/// The program that a log names leaves a trace when it is started; the replayer does not start it, whatever
/// it is asked for, and writes what the command line names and nothing else.
#[test]
fn a_log_does_not_start_the_program_it_names() {
    stage(|stage| {
        let place = stage.folder().join("place");
        fs::create_dir_all(&place)?;
        let decoy = place.join("decoy.exe");
        fs::copy(folders::sample("hostile"), &decoy)?;
        let trace = place.join("decoy.exe.ran");
        // The trap works.
        stage.start(&decoy.display().to_string(), &[])?.wait(DEADLINE)?;
        wait_until("the decoy's trace", DEADLINE, || Ok(trace.exists().then_some(())))?;
        fs::remove_file(&trace)?;

        let log = place.join("decoy.xml");
        fs::write(&log, log_of_a_decoy(&decoy)?)?;
        let script = place.join("script.toml");
        let invoice = folders::for_windows(&folders::sample("invoice"));
        fs::write(&script, format!("log = 'decoy.xml'\napp = ['{invoice}']\n"))?;
        let (log, report) = (folders::for_windows(&log), place.join("report.html"));
        let (to, folder) = (folders::for_windows(&report), folders::for_windows(&place));
        let before = tree(&place)?;

        let run = |arguments: &[&str]| stage.start_dashcam(arguments);
        let nothing = run(&["replay", &log])?;
        let replay = run(&["replay", &log, "--report", &to, "--app", &invoice])?;
        let (code, words) = said(&nothing)?;
        ensure!(code == 2 && words.contains("--app"), "{code}: {words}");
        let (code, words) = said(&replay)?;
        ensure!(code == 0 && words.contains("passed"), "{code}: {words}");
        let (code, words) = said(&run(&["test", &folder])?)?;
        ensure!(code == 0, "{code}: {words}");
        let mut after = tree(&place)?;
        after.retain(|path| *path != report);
        ensure!(report.exists() && after == before, "{after:?}");
        Ok(())
    });
}
