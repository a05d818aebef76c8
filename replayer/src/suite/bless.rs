//! `dashcam bless`: accepts an application that has changed. Shows what is otherwise, and writes it down as
//! what is expected from now on.

use super::baseline::{capture, differences, edit};
use super::result::{Attempt, Outcome};
use super::{find, run, test};
use crate::baseline_file;
use crate::output::say;
use crate::script::Script;
use anyhow::ensure;
use replay_engine::Level;
use replay_engine::oracle::Baseline;
use std::path::PathBuf;
use std::process::ExitCode;
use toml_edit::value;

/// What `dashcam bless` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Scripts, and folders of scripts.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only show what is otherwise, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(cfg!(windows), "replaying needs Windows: use dashcam.exe there, or with Wine");
    let scripts = find::find(&arguments.paths)?;
    test::check(&scripts)?;
    for script in &scripts {
        bless(script, arguments.dry_run)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn bless(script: &Script, dry_run: bool) -> anyhow::Result<()> {
    let result = run::run(script, 0, None);
    let (name, Some(attempt)) = (&script.name, result.last()) else { return Ok(()) };
    if result.outcome == Outcome::Passed {
        return say(&format!("{name}: as expected, nothing to accept"));
    }
    // With a baseline in the way, what the application does without it decides.
    if script.level() == Level::Complete
        && let Ok((new, _)) = capture(script)
    {
        return bless_baseline(script, &new, dry_run);
    }
    bless_verdict(script, attempt, dry_run)
}

fn bless_baseline(script: &Script, new: &Baseline, dry_run: bool) -> anyhow::Result<()> {
    let old = baseline_file::read(&script.baseline())?;
    let found = differences(&old, new, &script.rules());
    say(&format!("{}: {} of {} states are otherwise", script.name, found.len(), old.states.len()))?;
    let mut told: Vec<String> = Vec::new();
    for (step, differences) in &found {
        let new: Vec<String> =
            differences.iter().map(ToString::to_string).filter(|line| !told.contains(line)).collect();
        if !new.is_empty() {
            say(&format!("  after step {step}:"))?;
            new.iter().try_for_each(|line| say(&format!("    {line}")))?;
        }
        told.extend(new);
    }
    if !dry_run {
        baseline_file::write(new, &script.baseline())?;
        say(&format!("  accepted: {}", script.baseline().display()))?;
    }
    Ok(())
}

/// The verdict and its step become the expected ones.
fn bless_verdict(script: &Script, attempt: &Attempt, dry_run: bool) -> anyhow::Result<()> {
    const VERDICTS: [&str; 4] = ["passed", "reproduced", "diverged", "blocked"];
    say(&format!("{}: {}, not {}", script.name, attempt.describe(), script.expect().name()))?;
    attempt.why.iter().try_for_each(|line| say(&format!("    {}", line.replace('\n', "\n    "))))?;
    ensure!(
        VERDICTS.contains(&attempt.verdict.as_str()),
        "{}: a replay that told no verdict cannot be accepted",
        script.path.display()
    );
    if dry_run {
        return Ok(());
    }
    edit(script, |text| {
        text["expect"] = value(attempt.verdict.as_str());
        match attempt.step {
            Some(step) => text["expect_step"] = value(i64::try_from(step)?),
            None => drop(text.remove("expect_step")),
        }
        Ok(())
    })?;
    say(&format!("  accepted: {}", script.path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Expect;

    #[test]
    fn a_verdict_is_accepted_with_its_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        std::fs::write(&path, "log = \"l\"\napp = [\"x\"]\nexpect = \"reproduced\" # the crash\n").unwrap();
        let script = Script::read(&path, "s".into()).unwrap();
        let replay = serde_json::json!({ "verdict": "diverged", "step": 24 });
        bless_verdict(&script, &Attempt::of(replay, 1.0), false).unwrap();
        let now = Script::read(&path, "s".into()).unwrap();
        assert_eq!((now.expect(), now.expect_step()), (Expect::Diverged, Some(24)));
        let passed = serde_json::json!({ "verdict": "passed" });
        bless_verdict(&now, &Attempt::of(passed, 1.0), false).unwrap();
        let now = Script::read(&path, "s".into()).unwrap();
        assert_eq!((now.expect(), now.expect_step()), (Expect::Passed, None));
        let late = Attempt::without_replay("timed_out", "late".into(), 1.0);
        assert!(bless_verdict(&now, &late, false).is_err());
    }
}
