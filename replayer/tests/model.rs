//! `dashcam model` as its user meets it: recorded logs in, words, files and exit codes out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn model(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dashcam"))
        .arg("model")
        .args(arguments)
        .current_dir(repository())
        .output()
        .expect("dashcam runs")
}

fn said(arguments: &[&str]) -> String {
    let output = model(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(arguments: &[&str]) -> String {
    let output = model(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// A file of this test, in a folder of its own.
fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").into()
}

const INVOICE: &str = "tests/recordings/steps/invoice-crash.dashcam";
const NOTEPAD: &str = "tests/recordings/steps/notepad.dashcam";
const NOTEPAD_TOO: &str = "tests/recordings/notepad-en.dashcam";

#[test]
fn a_model_is_trained_told_and_makes_sessions() {
    let trained = file("notepad.model", "");
    assert!(said(&["train", NOTEPAD, NOTEPAD_TOO, "-o", &trained]).starts_with("notepad: 2 sessions, "));
    let told = said(&["stats", &trained, "--held-out", NOTEPAD]);
    for part in [
        "most used",
        "Press Ctrl+F",
        "never used",
        "button “Find Next” in “Find”",
        "where users give up",
        "context tree, up to 3",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // No handle gets into a model.
    let text = std::fs::read_to_string(&trained).expect("the model");
    assert!(!text.contains("hwnd"));
    let sessions = said(&["generate", &trained, "-n", "3", "--length", "6", "--seed", "5"]);
    assert_eq!(sessions, said(&["generate", &trained, "-n", "3", "--length", "6", "--seed", "5"]));
    assert!(sessions.contains("\nclick class \"edit\"") || sessions.contains("role edit"), "{sessions}");
    let all = said(&["coverage", &trained, NOTEPAD, NOTEPAD_TOO]);
    assert!(all.lines().all(|line| line.starts_with("100.0 %")), "{all}");
    assert!(
        said(&["probability", &trained, NOTEPAD, "--kind", "chain", "--order", "1"])
            .contains("bits per step")
    );
    assert!(said(&["compare", &trained, NOTEPAD]).contains("Press Ctrl+H  gone"));
    assert!(said(&["draw", &trained]).starts_with("<svg"));
    assert!(said(&["stats", INVOICE]).contains("In dialog “Add item”"));
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    assert!(
        refused(&["train", INVOICE, NOTEPAD, "-o", &file("mixed.model", "")])
            .contains("logs of different programs: invoice and notepad")
    );
    let newer = file("newer.model", "{\"dashcam_model\": 99}");
    assert!(refused(&["stats", &newer]).contains("version 99, newer than this program knows"));
    assert!(
        refused(&["stats", &file("broken.model", "{\"dashcam_model\": 1")]).contains("not a usage model")
    );
    assert!(refused(&["stats", "nowhere.model"]).contains("cannot read nowhere.model"));
    let empty = file("empty.xml", "<?xml version=\"1.0\"?><dashcam version=\"1\">");
    assert!(!refused(&["train", &empty, "-o", &file("none.model", "")]).is_empty());
    let machine = file("wrong.smid", "initial a\nfinal z\na -- kyes [x] --> z\n");
    let told = refused(&["check", &machine]);
    assert!(
        told.contains("line 3, column 6: expected `keys`")
            && told.contains("3 | a -- kyes [x] --> z\n  |      ^"),
        "{told}"
    );
    let unknown =
        file("unknown.smid", "initial a\nfinal z\na -- keys [x] --> z\nall-except b -- keys [y] --> z\n");
    assert!(refused(&["walk", &unknown]).contains("state `b` is unknown"));
    let shell = file("shell.smid", "initial a\nfinal z\na -- shell { echo } --> z\n");
    let told = refused(&["walk", &shell]);
    assert!(told.contains("line 3 cannot be run: `shell { echo }` runs a command of the shell"), "{told}");
    assert!(said(&["walk", &shell, "--allow-shell"]).contains("shell { echo }"));
    let never = file("never.trace", "click \"a\" >>\nassert exists \"b\" and not exists \"b\"\n");
    assert!(refused(&["run", &never, "--app", "x.exe"]).contains("line 2, column 8: this never can hold"));
    // Before the program is started, in whatever part of the file it stands.
    let shell = file("shell.trace", "(click \"a\" | repeat 3 (when exists \"b\" then (shell { echo })))\n");
    let told = refused(&["run", &shell, "--app", "x.exe"]);
    assert!(told.contains("shell.trace cannot be run") && told.contains("--allow-shell lets it"), "{told}");
    for (name, text) in [
        ("own.trace", "assert not (exists \"a\" or is_saved(\"b\"))\n"),
        ("own.smid", "initial a\nfinal z\na -- assert is_saved(\"b\") --> z\n"),
    ] {
        let told = refused(&["run", &file(name, text), "--app", "x.exe"]);
        assert!(told.contains("nobody has defined the predicate is_saved: check its name"), "{told}");
    }
    // Nothing to be made is a slip, and no reason to blame a log.
    assert!(refused(&["generate", NOTEPAD, "-n", "0"]).contains("1 is the least"));
    assert!(refused(&["generate", NOTEPAD, "--length", "0"]).contains("1 is the least"));
    let picture = file("picture.png", "");
    assert!(refused(&["draw", NOTEPAD, "-o", &picture]).contains("picture.png: a picture is an .svg"));
    // Whose programs differ is said with the file.
    let told = refused(&["compare", INVOICE, NOTEPAD]);
    assert!(told.contains(NOTEPAD) && told.contains("invoice and notepad"), "{told}");
}

#[test]
fn a_log_will_do_where_a_model_is_asked_for() {
    assert!(said(&["draw", NOTEPAD, "--dot"]).contains("Press Ctrl+F"));
    for command in ["stats", "generate"] {
        assert!(!said(&[command, NOTEPAD]).is_empty());
    }
    // As far as a log can be run here.
    let told = refused(&["run", NOTEPAD, "--app", "x.exe"]);
    assert!(cfg!(windows) || told.contains("running needs Windows"), "{told}");
}

#[test]
fn what_a_model_thinks_impossible_is_no_small_number_of_bits() {
    let told = said(&["stats", NOTEPAD_TOO, "--held-out", "tests/recordings/notepad-ja.dashcam"]);
    let chain = told.lines().find(|line| line.contains("Markov chain, order 3")).expect("its line");
    assert!(chain.contains("∞ bits  (") && !chain.contains("0.00"), "{chain}");
}

#[test]
fn the_examples_are_sound() {
    for example in ["invoice.smid", "notepad.smid"] {
        let path = format!("samples/scenarios/models/{example}");
        assert!(said(&["check", &path]).starts_with("sound: "));
        let covering = said(&["walk", &path, "--cover", "pairs", "--length", "60", "--seed", "1"]);
        let last = covering.trim_end().lines().last().expect("a last line");
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!(words[1], words[3], "{last}");
        assert!(said(&["draw", &path, "--dot"]).starts_with("digraph"));
    }
}
