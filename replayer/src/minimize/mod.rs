//! `dashcam minimize`: removes the steps of a recording that its verdict does not need, and pins the rest as
//! a regression script.
//!
//! | question | file |
//! |---|---|
//! | which steps are tried without? | `shrink.rs` |
//! | what came of it? | here, by replays as `dashcam test` makes them |

mod shrink;

use crate::output::say;
use crate::recording_file;
use crate::script::Script;
use crate::suite::result::Attempt;
use crate::suite::run::attempt;
use crate::text_file;
use anyhow::{Context, bail, ensure};
use replay_engine::Only;
use replay_engine::oracle::FileMap;
use shrink::{Steps, shrink};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use steps::sentence;
use toml_edit::{DocumentMut, value};

/// What `dashcam minimize` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The log; or a regression script, whose application and set-up are used.
    log: PathBuf,
    /// The program to start, with its arguments; all that follows is theirs.
    #[arg(long, value_name = "APP", num_args = 1.., allow_hyphen_values = true)]
    app: Vec<String>,
    /// The script to write. Default: beside the log, with the ending `.min.toml`.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over an existing file.
    #[arg(long)]
    force: bool,
    /// Run so many replays at a time. Default: as many as there are processors.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Make no more than so many replays, and stop with what is left by then.
    #[arg(long, value_name = "N", default_value_t = 200)]
    budget: usize,
}

/// How much longer than the slowest step of the whole replay a window is waited for: most candidates fail by
/// waiting in vain.
const SLOWER: u32 = 5;
/// The replay of the whole log, and the one that confirms what is left.
const ALWAYS: usize = 2;
const SHORTEST_PATIENCE: Duration = Duration::from_millis(1500);

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let is_script = arguments.log.extension().is_some_and(|ending| ending == "toml");
    ensure!(is_script || !arguments.app.is_empty(), "name the program to start with --app");
    ensure!(!is_script || arguments.app.is_empty(), "a script names its application itself: leave --app out");
    let output = arguments.output.clone().unwrap_or_else(|| arguments.log.with_extension("min.toml"));
    ensure!(
        arguments.force || !output.exists(),
        "{} is there already: use --force to write over it",
        output.display()
    );
    let text = if is_script { text_file::read(&arguments.log)? } else { script_of(arguments, &output)? };
    // Paths of a script are relative to it, so the new one is tried where it will stand, or where
    // the old one stands.
    let script = if is_script {
        Script::read(&arguments.log, name_of(&arguments.log))?
    } else {
        let folder =
            output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let draft = tempfile::Builder::new().prefix(".dashcam-").suffix(".toml").tempfile_in(folder);
        let draft = draft.with_context(|| format!("cannot write into {}", folder.display()))?;
        std::fs::write(draft.path(), &text)?;
        let script = Script::read(draft.path(), name_of(&arguments.log))?;
        return minimize(arguments, &script, &text, &output);
    };
    ensure!(
        output.parent() == arguments.log.parent(),
        "write the script into the folder of {}: its paths are relative to that",
        arguments.log.display()
    );
    minimize(arguments, &script, &text, &output)
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The least script for a log and a program.
fn script_of(arguments: &Arguments, output: &Path) -> anyhow::Result<String> {
    let log = std::path::absolute(&arguments.log)?;
    let folder = std::path::absolute(output)?;
    let near = folder.parent().and_then(|folder| log.strip_prefix(folder).ok());
    let mut text = DocumentMut::new();
    text["log"] = value(near.unwrap_or(&log).display().to_string());
    let mut app = toml_edit::Array::new();
    arguments.app.iter().for_each(|part| app.push(part));
    text["app"] = value(app);
    Ok(text.to_string())
}

fn minimize(arguments: &Arguments, script: &Script, text: &str, output: &Path) -> anyhow::Result<ExitCode> {
    let recording = recording_file::read(&script.log()?, &FileMap(Vec::new()))?;
    let plan = &recording.plan;
    ensure!(!plan.steps.is_empty(), "the log has no steps to replay");
    ensure!(cfg!(windows), "replaying needs Windows: use dashcam.exe there, or with Wine");
    script.check()?;
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    ensure!(jobs > 0, "--jobs needs a number from 1");
    ensure!(
        arguments.budget >= ALWAYS,
        "--budget needs a number from {ALWAYS}: the first and the last replay are made in any case"
    );
    let start = Instant::now();
    let whole = attempt(script, &[]);
    let Some(step) = whole.step else {
        let why = whole.why.join("; ");
        match whole.verdict.as_str() {
            "passed" | "unverified" => bail!("no step of the replay fails, so there is nothing to pin"),
            _ => bail!("the whole replay ended in {}: {why}", whole.describe()),
        }
    };
    say(&format!("{} with all {} steps, in {:.1} s", whole.describe(), plan.steps.len(), whole.seconds))?;
    let all: Steps = (1..=step).filter(|&step| script.only().is_none_or(|only| only.has(step))).collect();
    let patience = patience(&whole).as_millis().to_string();
    let (mut known, mut replays, mut saved) = (HashMap::<Steps, bool>::new(), ALWAYS, 0);
    let mut is_spent = false;
    let left = shrink(plan, all, jobs, |candidates| {
        let mut new: Vec<&Steps> = candidates.iter().filter(|steps| !known.contains_key(*steps)).collect();
        new.sort_unstable();
        new.dedup();
        saved += candidates.len() - new.len();
        if replays + new.len() > arguments.budget {
            is_spent = true;
            return None;
        }
        replays += new.len();
        let tried = std::thread::scope(|scope| {
            let threads: Vec<_> = new
                .iter()
                .map(|&steps| {
                    let (whole, patience) = (&whole, &patience);
                    scope.spawn(move || {
                        let only: Only = steps.iter().copied().collect();
                        let again = attempt(script, &["--steps", &only.to_string(), "--patience", patience]);
                        (steps.clone(), again.verdict == whole.verdict && again.step == whole.step)
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect::<Vec<_>>()
        });
        known.extend(tried);
        let found = candidates.iter().position(|steps| known.get(steps) == Some(&true));
        if let Some(found) = found {
            let _ = say(&format!("  {} steps are enough", candidates[found].len()));
        }
        Some(found)
    });
    let only: Only = left.iter().copied().collect();
    // Once more, with all the patience there is: what is pinned must hold.
    let last = attempt(script, &["--steps", &only.to_string()]);
    ensure!(
        last.verdict == whole.verdict && last.step == whole.step,
        "with steps {only} the replay was {} and then {}: it does not go the same way each time",
        whole.describe(),
        last.describe()
    );
    write(text, &whole, &only, output)?;
    let seconds = start.elapsed().as_secs_f64();
    say(&format!("{} with {} of {step} steps:", whole.describe(), left.len()))?;
    for &number in &left {
        say(&format!("{number:>4}. {}", sentence(&plan.steps[number - 1])))?;
    }
    let spent = if is_spent { "; the budget is spent, fewer may do" } else { "" };
    say(&format!("{replays} replays, {saved} known from before, {seconds:.0} s{spent}"))?;
    say(&format!("wrote {}", output.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// How long a window is waited for.
fn patience(whole: &Attempt) -> Duration {
    let steps = whole.replay.as_ref().and_then(|replay| replay["steps"].as_array()).into_iter().flatten();
    let slowest = steps.filter_map(|step| step["micros"].as_u64()).max().unwrap_or_default();
    (Duration::from_micros(slowest) * SLOWER).max(SHORTEST_PATIENCE)
}

/// The script with its steps and its verdict pinned.
fn write(text: &str, whole: &Attempt, only: &Only, output: &Path) -> anyhow::Result<()> {
    let mut text: DocumentMut = text.parse()?;
    text["steps"] = value(only.to_string());
    text["expect"] = value(whole.verdict.as_str());
    if let Some(step) = whole.step {
        text["expect_step"] = value(i64::try_from(step)?);
    }
    // What was expected after a step that is gone.
    if let Some(expected) = text.get_mut("expect_window").and_then(|item| item.as_array_of_tables_mut()) {
        expected.retain(|table| {
            let after = table.get("after_step").and_then(|item| item.as_integer());
            after.and_then(|step| usize::try_from(step).ok()).is_none_or(|step| only.has(step))
        });
    }
    std::fs::write(output, text.to_string()).with_context(|| format!("cannot write {}", output.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_pinned_with_its_comments() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("s.min.toml");
        let text = "# the bug\nlog = \"l\"\napp = [\"x\"]\n[[expect_window]]\nafter_step = 3\nwindow = \"A\"\n[[expect_window]]\nafter_step = 5\nwindow = \"B\"\n";
        let whole = Attempt::of(serde_json::json!({ "verdict": "reproduced", "step": 7 }), 1.0);
        write(text, &whole, &"1,5,7".parse().unwrap(), &output).unwrap();
        let written = std::fs::read_to_string(&output).unwrap();
        assert!(written.starts_with("# the bug\n") && !written.contains("\"A\""), "{written}");
        let script = Script::read(&output, "s".into()).unwrap();
        assert_eq!(script.only().unwrap().to_string(), "1,5,7");
        assert_eq!((script.expect().name(), script.expect_step()), ("reproduced", Some(7)));
    }

    #[test]
    fn steps_that_fail_are_not_waited_for_as_long() {
        let steps = serde_json::json!({ "verdict": "reproduced", "step": 2, "steps": [{ "micros": 900_000 }, { "micros": 5 }] });
        assert_eq!(patience(&Attempt::of(steps, 1.0)), Duration::from_millis(4500));
        assert_eq!(patience(&Attempt::without_replay("broken", String::new(), 1.0)), SHORTEST_PATIENCE);
    }
}
