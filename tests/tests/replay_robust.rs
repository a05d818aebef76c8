//! Replays recordings under changed conditions: other window positions, languages and siblings, a busy
//! machine, many times, and in parallel.
//!
//! The recordings are those of `tests/recordings/steps`, made by the product itself.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Result, ensure};
use harness::wait::{DEADLINE, wait_until};
use harness::{Load, Program, Stage, folders, stage, window};

const WORDPAD: &str = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";
/// How long a replay may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A recording and its program.
struct Case {
    recording: &'static str,
    program: fn() -> String,
    class: &'static str,
    /// How its replay ends.
    verdict: &'static str,
}

const NOTEPAD: Case = Case {
    recording: "notepad",
    program: || "notepad".into(),
    class: "Notepad",
    verdict: "passed: 11 steps",
};
const WORD: Case = Case {
    recording: "wordpad",
    program: || WORDPAD.into(),
    class: "WORDPADTOP",
    // An item of a combo box without texts, and a click after it.
    verdict: "unverified: every step had its effects, but 2 of 10",
};
const INVOICE: Case =
    Case { recording: "invoice", program: invoice, class: "InvoiceFrame", verdict: "passed: " };
const CRASH: Case = Case {
    recording: "invoice-crash",
    program: invoice,
    class: "InvoiceFrame",
    verdict: "reproduced at step 24: the application crashed with 0xC0000005",
};

fn invoice() -> String {
    folders::for_windows(&folders::sample("invoice"))
}

impl Case {
    fn log(&self) -> String {
        folders::recording(self.recording)
    }

    /// Starts its replay in the program with these arguments.
    fn start(&self, stage: &Stage, arguments: &[&str]) -> Result<Program> {
        let program = (self.program)();
        stage.start_dashcam(
            &[&["replay", &self.log(), "--allow-unverified", "--app", &program], arguments].concat(),
        )
    }

    fn end(&self, run: &Program) -> Result<()> {
        let code = run.wait(PATIENCE)?;
        self.judge(code, &format!("{}{}", run.stdout()?, run.stderr()?))
    }

    fn judge(&self, code: i32, said: &str) -> Result<()> {
        ensure!(code == 0 && said.contains(self.verdict), "{} ended with {code}:\n{said}", self.recording);
        Ok(())
    }

    fn replay(&self, stage: &Stage, arguments: &[&str]) -> Result<()> {
        self.end(&self.start(stage, arguments)?)
    }

    /// Replays in a program that speaks the language of a locale.
    fn replay_in(&self, stage: &Stage, locale: &str) -> Result<()> {
        // Not by the probe: Wine takes the language from the environment of this system, not from
        // that of Windows.
        let [out, err] =
            ["out", "err"].map(|kind| stage.folder().join(format!("{}-{locale}.{kind}", self.recording)));
        let mut command = stage.desktop().command(folders::command());
        command
            .args(["replay", &self.log(), "--allow-unverified", "--app", &(self.program)()])
            .env("LC_ALL", locale);
        command.current_dir(stage.folder()).stdin(Stdio::null());
        let mut run = command.stdout(File::create(&out)?).stderr(File::create(&err)?).spawn()?;
        let ended = wait_until("the replay in another language", PATIENCE, || Ok(run.try_wait()?));
        let _ = run.kill();
        let said = fs::read_to_string(out)? + &fs::read_to_string(err)?;
        self.judge(ended?.code().unwrap_or(-1), &said)
    }

    /// Replays in a program that runs, after its window was dragged elsewhere and made larger by hand.
    fn replay_elsewhere(&self, stage: &Stage) -> Result<()> {
        let program = stage.start(&(self.program)(), &[])?;
        let query = window().class(self.class).of(&program);
        let was = stage.wait_for(&query)?.rect;
        stage.input.drag((was.left + 150, was.top + 12), (was.left + 190, was.top + 42))?;
        let is_moved = |now: &harness::Window| now.rect.left != was.left && now.rect.top != was.top;
        wait_until("the window elsewhere", DEADLINE, || Ok(query.find(&stage.probe)?.filter(is_moved)))?;
        // The window may still be moving: the corner is grabbed again at its current place.
        let width = |it: &harness::Window| it.rect.right - it.rect.left;
        wait_until("the window of another size", DEADLINE, || {
            let now = query.find(&stage.probe)?;
            if let Some(now) = now.as_ref().filter(|now| width(now) == was.right - was.left) {
                let corner = (now.rect.right - 1, now.rect.bottom - 1);
                stage.input.drag(corner, (corner.0 - 60, corner.1 - 50))?;
            }
            Ok(now.filter(|now| width(now) != was.right - was.left))
        })?;
        let pid = program.pid().to_string();
        let run = stage.start_dashcam(&["replay", &self.log(), "--allow-unverified", "--attach", &pid])?;
        self.end(&run)
    }
}

#[test]
fn what_was_recorded_happens_again() {
    stage(|stage| [NOTEPAD, WORD, INVOICE].iter().try_for_each(|case| case.replay(stage, &[])));
}

#[test]
fn windows_may_be_elsewhere_and_of_another_size() {
    stage(|stage| {
        NOTEPAD.replay_elsewhere(stage)?;
        WORD.replay_elsewhere(stage)?;
        INVOICE.replay(stage, &["--at", "300,200,640,420"])
    });
}

#[test]
fn the_interface_may_be_german() {
    stage(|stage| {
        NOTEPAD.replay_in(stage, "de_DE.UTF-8")?;
        WORD.replay_in(stage, "de_DE.UTF-8")?;
        INVOICE.replay(stage, &["--lang", "de"])?;
        CRASH.replay(stage, &["--lang", "de"])
    });
}

#[test]
fn the_interface_may_be_japanese() {
    stage(|stage| {
        NOTEPAD.replay_in(stage, "ja_JP.UTF-8")?;
        WORD.replay_in(stage, "ja_JP.UTF-8")?;
        INVOICE.replay(stage, &["--lang", "ja"])
    });
}

#[test]
fn a_sibling_may_come_in_front() {
    stage(|stage| {
        INVOICE.replay(stage, &["--extra-sibling"])?;
        CRASH.replay(stage, &["--extra-sibling"])
    });
}

#[test]
fn the_machine_may_be_busy() {
    stage(|stage| {
        let _load = Load::start(4);
        NOTEPAD.replay(stage, &[])?;
        INVOICE.replay(stage, &[])
    });
}

#[test]
#[ignore = "long"]
fn every_recording_on_a_busy_machine_twenty_times() {
    stage(|stage| {
        let _load = Load::start(4);
        (0..20).try_for_each(|_| {
            [NOTEPAD, WORD, INVOICE, CRASH].iter().try_for_each(|case| case.replay(stage, &[]))
        })
    });
}

#[test]
fn it_happens_again_and_again() {
    stage(|stage| (0..3).try_for_each(|_| NOTEPAD.replay(stage, &[])));
}

#[test]
#[ignore = "long"]
fn it_happens_twenty_times_in_a_row() {
    stage(|stage| {
        for case in [NOTEPAD, WORD, INVOICE, CRASH] {
            (0..20).try_for_each(|_| case.replay(stage, &[]))?;
        }
        Ok(())
    });
}

#[test]
fn four_replays_go_side_by_side() {
    stage(|stage| {
        for cases in [[NOTEPAD, INVOICE, NOTEPAD, INVOICE], [NOTEPAD, NOTEPAD, NOTEPAD, NOTEPAD]] {
            let started = cases.iter().map(|case| case.start(stage, &[])).collect::<Result<Vec<_>>>()?;
            cases.iter().zip(&started).try_for_each(|(case, run)| case.end(run))?;
        }
        Ok(())
    });
}

/// The replay fails at the expected step.
#[track_caller]
fn fails(arguments: &[&str], expected: &str) {
    stage(|stage| {
        let run = CRASH.start(stage, arguments)?;
        let code = run.wait(PATIENCE)?;
        let said = run.stdout()?;
        // The replay leaves the program open for inspection.
        stage.end_all(CRASH.class)?;
        ensure!(
            code == 1 && said.lines().any(|line| line.starts_with(expected)),
            "{code}, not {expected}:\n{said}"
        );
        Ok(())
    });
}

#[test]
fn a_removed_button_is_not_replaced_by_its_neighbour() {
    fails(&["--remove-button"], "diverged at step 5");
}

#[test]
fn another_dialog_is_not_taken_for_the_recorded_one() {
    fails(&["--replace-dialog"], "diverged at step 5");
}

#[test]
fn a_dialog_that_does_not_open_is_missed() {
    fails(&["--fault", "never-opens"], "diverged at step 5");
}

#[test]
fn a_dialog_that_stays_is_missed() {
    fails(&["--fault", "dialog-stays"], "diverged at step 12");
}

#[test]
fn a_box_too_much_is_noticed() {
    fails(&["--fault", "extra-box"], "diverged at step 12");
}
