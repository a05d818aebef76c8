//! `dashcam show` on recordings of real programs (`tests/recordings/steps`), on old, mixed, cut
//! and broken logs.
//!
//! The texts are read by people: a change of one is a change of what customers and developers see.
//! `UPDATE_GOLDENS=1 cargo test -p dashcam --test show` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests")
}

fn dashcam(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dashcam")).args(args).output().unwrap()
}

#[track_caller]
fn show(log: &Path) -> String {
    let output = dashcam(&["show", &log.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Sessions of many controls, and the same programs in three languages.
fn recordings() -> Vec<PathBuf> {
    let folders = ["recordings/steps", "recordings"].map(|folder| tests().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "dashcam")).collect();
    files.sort();
    assert!(files.len() >= 25, "{files:?}");
    files
}

/// When a session was recorded, and how fast, is not compared.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.find(", recorded ") {
        Some(end) => line[..end].to_owned(),
        // A note between steps.
        None if line.trim_start().get(2..3) == Some(":") => {
            line.replace(&line[..line.len() - line.trim_start().len() + 5], "")
        }
        None => match line.find(". ").filter(|end| line.get(end + 4..end + 5) == Some(":")) {
            Some(end) => format!("{}{}", &line[..end + 2], &line[end + 9..]),
            None => line.to_owned(),
        },
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn real_sessions_read_as_a_person_would_write_them() {
    for recording in recordings() {
        let text = without_times(&show(&recording));
        let name = recording.file_stem().unwrap().to_str().unwrap();
        let path = tests().join("golden/show").join(format!("{name}.txt"));
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(text, golden, "{name}");
    }
}

/// A log of the program's own trace, of another encoding or of an export tells the same story.
#[test]
fn the_same_session_reads_the_same_in_every_form() {
    let golden = tests().join("golden");
    let text = show(&golden.join("session.xml"));
    assert_eq!(
        text,
        "Invoice 3.1.4, recorded 2026-11-16 09:00\n\n\
         1. 00:01  Press “Add item”\n\
         2. 00:01  Type “Lämp” into an unknown window (0xA09B4)\n   \
            00:02  — The program notes: ok\u{FFFD} —\n   \
            00:02  — The program does not answer for 6 s —\n   \
            00:02  — The program crashes: 0xC0000005 (access violation) in invoice.exe+0x1a2b —\n"
    );
    for form in ["session.utf16.xml", "session.dashcam", "host-trace.txt"] {
        assert_eq!(show(&golden.join(form)), text, "{form}");
    }
}

#[test]
fn the_paper_s_example_is_one_step() {
    let text = show(&tests().join("old-logs/paper-figure-3.xml"));
    assert_eq!(text, "1.        Press an unknown window (0xE06F0)\n");
}

#[test]
fn a_pipe_gets_no_colour() {
    for recording in recordings() {
        assert!(!show(&recording).contains('\u{1b}'));
    }
}

/// What can be read is told, the damage in one sentence on standard error.
#[test]
fn a_damaged_log_is_told_as_far_as_it_goes() {
    for log in ["cut-in-a-record.xml", "cut.dashcam", "scratched.xml", "torn-page.ring"] {
        let path = tests().join("broken-logs").join(log).display().to_string();
        let output = dashcam(&["show", &path]);
        let (out, err) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), dashcam(&["check", &path]).status.code(), "{log}: {out}{err}");
        assert_eq!(err.lines().count(), 1, "{log}: {err}");
        assert!(err.starts_with("dashcam: the log is damaged at "), "{log}: {err}");
        assert!(!out.is_empty(), "{log}");
    }
}

#[test]
fn what_is_no_log_gets_one_sentence() {
    let no_log = tests().join("src/lib.rs").display().to_string();
    for args in [&["show", "no-such-file"], &["show", no_log.as_str()]] {
        let output = dashcam(args);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(
            output.stdout.is_empty() && err.lines().count() == 1 && err.starts_with("dashcam: "),
            "{err}"
        );
    }
    assert_eq!(dashcam(&["show"]).status.code(), Some(2));
}

/// `tree --at N` is the tree after step N: before the first step there is no dialog, after it there is.
#[test]
fn the_tree_is_shown_after_a_step() {
    let log = tests().join("recordings/steps/dialogs.dashcam").display().to_string();
    let tree = |args: &[&str]| {
        let output = dashcam(&[&["tree", &log], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let has_dialog = |tree: &str| tree.lines().any(|line| line.starts_with("#32770 \"Modal\""));
    assert!(!has_dialog(&tree(&["--at", "0"])) && has_dialog(&tree(&["--at", "1"])));
    assert!(!has_dialog(&tree(&["--event", "0"])) && tree(&["--event", "0"]).contains("no windows"));
    let output = dashcam(&["tree", &log, "--at", "9999"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--at takes 0 to"));
}

/// Programs get everything: the window with its ancestry, the messages, the effects.
#[test]
fn programs_get_the_whole_step() {
    let log = tests().join("recordings/steps/dialogs.dashcam").display().to_string();
    let output = dashcam(&["show", "--json", &log]);
    let story: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let step = &story["steps"][0];
    assert_eq!(step["text"], "Press “Modal”");
    assert_eq!(step["action"]["kind"], "press");
    assert_eq!(step["target"]["id"], 2100);
    assert_eq!(step["target"]["ancestry"][0]["class"], "GalleryFrame");
    assert!(step["messages"][0]["first"].as_u64() < step["messages"][0]["last"].as_u64());
    let effects = step["effects"].as_array().unwrap();
    let has = |effect: &str, name: &str| {
        effects.iter().any(|e| e["effect"] == effect && e["window"]["name"] == name)
    };
    assert!(has("created", "Modal") && has("disabled", "Gallery"), "{effects:#?}");
}

/// A log whose first segments are gone begins with saying so, and tells the rest.
#[test]
fn a_log_without_its_beginning_is_told_from_where_it_begins() {
    let session = fs::read_to_string(tests().join("golden/session.xml")).unwrap();
    let later = session.replace("segment=\"0\"", "segment=\"7\"");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("later.xml");
    fs::write(&path, later).unwrap();
    let output = dashcam(&["show", &path.display().to_string()]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().skip(2).take(2).map(str::trim).collect();
    assert_eq!(lines, ["— The beginning of the recording is gone —", "1. 00:01  Press “Add item”"]);
    assert_eq!(output.status.code(), Some(0), "rotation is no damage");
}
