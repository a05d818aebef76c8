//! `dashcam replay` as a command: what works without Windows, and what is answered where it does not.

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests")
}

fn replay(log: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dashcam")).arg("replay").arg(log).args(args).output().unwrap()
}

fn recording(name: &str) -> PathBuf {
    tests().join("recordings/steps").join(name).with_extension("dashcam")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every message of the user's hands belongs to one step or is listed with its reason; every step has a rule.
#[test]
fn a_dry_run_accounts_for_every_message() {
    for file in fs::read_dir(tests().join("recordings/steps")).unwrap() {
        let path = file.unwrap().path();
        let output = replay(&path, &["--dry-run", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
        let steps = plan["steps"].as_array().unwrap();
        let mut seen = HashSet::new();
        let inputs = steps.iter().flat_map(|step| step["inputs"].as_array().unwrap());
        for input in inputs.chain(plan["unaccounted"].as_array().unwrap()) {
            let id = (input["thread"].as_u64().unwrap(), input["sequence"].as_u64().unwrap());
            assert!(seen.insert(id), "{}: {id:?} counts twice", path.display());
        }
        let said = text(&replay(&path, &["--dry-run"]).stdout);
        let sum = format!("{} steps stand for ", steps.len());
        let line = said.lines().find(|line| line.starts_with(&sum)).unwrap_or_else(|| panic!("{said}"));
        let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers[1] + numbers[2], seen.len(), "{line}");
        for step in steps {
            assert!(!step["because"].as_str().unwrap().is_empty());
            let does = !step["acts"].as_array().unwrap().is_empty();
            assert!(!(does && step["blocked"].is_string()), "{step}");
        }
    }
}

#[test]
fn a_dry_run_says_what_is_done_and_why() {
    let said = text(&replay(&recording("menus"), &["--dry-run"]).stdout);
    let from = said.find(" 9. Press F1\n").unwrap_or_else(|| panic!("{said}"));
    let step: Vec<&str> = said[from..].lines().take(6).collect();
    assert!(step[1].starts_with("    target   GalleryFrame \"Gallery\" ▸ "), "{step:?}");
    assert_eq!(step[2], "    act      WM_COMMAND 4040 as an accelerator to GalleryFrame “Gallery”");
    assert_eq!(step[3], "    because  the key may be another one in another language, the command is not");
    assert!(step[4].ends_with(", 2 of them the user's hands"), "{step:?}");
    assert_eq!(step[5], "    expects  GalleryFrame “Gallery” is disabled; #32770 “About” appears");
    assert!(!said.contains('\u{1b}'));
    let some = text(&replay(&recording("menus"), &["--dry-run", "--steps", "2,9"]).stdout);
    assert!(some.starts_with("2. Choose menu View ▸ Large\n") && some.contains("\n9. Press F1\n"), "{some}");
    assert!(some.contains("\n2 steps stand for "), "{some}");
    let beyond = replay(&recording("menus"), &["--dry-run", "--steps", "2,9000"]);
    assert!(text(&beyond.stderr).contains("there is no step 9000: the log has"), "{beyond:?}");
}

/// A number below zero is a wrong number, not an option that nobody knows.
#[test]
fn numbers_below_zero_are_told_as_such() {
    let output = replay(&recording("menus"), &["--dry-run", "--every", "-3"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("invalid value '-3' for '--every"), "{said}");
}

#[test]
fn a_secret_is_asked_for_by_its_name() {
    let asked = text(&replay(&recording("edits"), &["--dry-run"]).stdout);
    assert!(asked.contains("--secret password-1205=VALUE"), "{asked}");
    for args in [
        &["--dry-run", "--secret", "password-1205=hunter2"][..],
        &["--json", "--dry-run", "--secret", "password-1205=hunter2"],
    ] {
        let told = text(&replay(&recording("edits"), args).stdout);
        assert!(told.contains("the secret text") && !told.contains("hunter2"), "{told}");
    }
    let output = replay(&recording("edits"), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("blocked at step 8: "), "{}", text(&output.stdout));
    assert_eq!(replay(&recording("edits"), &["--secret", "nothing"]).status.code(), Some(2));
}

#[test]
fn what_cannot_be_replayed_gets_one_sentence() {
    let no_log = tests().join("src/lib.rs");
    for log in [Path::new("no-such-file"), &no_log] {
        let output = replay(log, &[]);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(
            output.stdout.is_empty() && err.lines().count() == 1 && err.starts_with("dashcam: "),
            "{err}"
        );
    }
}

/// The first segment is missing.
#[test]
fn a_log_without_its_beginning_is_invalid() {
    let folder = std::env::temp_dir().join(format!("dashcam-replay-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let log = fs::read_to_string(tests().join("golden/session.xml")).unwrap();
    let late = log.replacen("segment=\"0\"", "segment=\"3\"", 1);
    assert_ne!(log, late);
    fs::write(folder.join("late.xml"), late).unwrap();
    let output = replay(&folder, &[]);
    let json = replay(&folder, &["--json"]);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("invalid: the beginning is gone"), "{}", text(&output.stdout));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["verdict"], "invalid");
}

#[cfg(not(windows))]
#[test]
fn without_windows_there_is_one_sentence() {
    let output = replay(&recording("dialogs"), &["--app", "gallery.exe"]);
    assert_eq!(output.status.code(), Some(2));
    let err = text(&output.stderr);
    assert!(output.stdout.is_empty() && err.lines().count() == 1, "{err}");
    assert!(err.starts_with("dashcam: replaying needs Windows: "), "{err}");
}

#[test]
fn a_log_does_not_choose_the_program() {
    let output = replay(&recording("dialogs"), &[]);
    assert_eq!(output.status.code(), Some(2));
    let err = text(&output.stderr);
    assert!(output.stdout.is_empty() && err.lines().count() == 1, "{err}");
    assert!(err.contains("the log is of") && err.contains("gallery.exe") && err.contains("--app"), "{err}");
}
