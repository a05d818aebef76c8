//! A session as a test of a suite: a script beside it, and a report as a replay has it.

use super::{file, run};
use anyhow::Context;
use fastrand::Rng;
use replay_engine::{Report, StepOutcome, StepReport, Verdict, Verification};
use scenario::{Execution, Outcome, execute};
use std::path::Path;
use std::time::Instant;
use toml_edit::{Array, DocumentMut, value};

/// Writes a script that runs a trace in a program, beside the trace.
pub(super) fn write_script(trace: &Path, app: &[String]) -> anyhow::Result<()> {
    let mut script = DocumentMut::new();
    let name = trace.file_name().context("a trace needs a name")?;
    script["trace"] = value(name.to_string_lossy().as_ref());
    let mut app = app.to_vec();
    // Paths of a script are relative to it.
    if Path::new(&app[0]).is_file() {
        app[0] = std::path::absolute(&app[0])?.display().to_string();
    }
    script["app"] = value(app.into_iter().collect::<Array>());
    file::write(&trace.with_extension("toml"), &script.to_string())
}

/// Runs a trace in a program of its own.
pub(crate) fn test(path: &Path, app: &[String]) -> anyhow::Result<Report> {
    let only = file::traces(path)?.only();
    let only = only.with_context(|| format!("{} is a set of traces: a test needs one", path.display()))?;
    let start = Instant::now();
    let mut live = run::start(app, false, None, true)?;
    let execution = execute(&only, &mut live, &mut Rng::with_seed(0));
    Ok(report(&execution, start.elapsed().as_micros() as u64))
}

/// What is told of an execution; a crash, a property that does not hold and a program that does not answer
/// are divergences.
fn report(execution: &Execution, micros: u64) -> Report {
    let done = execution.executed.len();
    let each = micros / (done as u64).max(1);
    let step_report = |number: usize, text: String, outcome| StepReport {
        number,
        act: String::new(),
        because: String::new(),
        text,
        outcome,
        verification: Verification::Verified,
        remarks: Vec::new(),
        decisions: Vec::new(),
        micros: each,
        is_expectation: false,
        own_micros: 0,
        window: None,
        windows: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
    };
    let steps = execution.executed.iter().enumerate();
    let mut steps: Vec<StepReport> =
        steps.map(|(at, event)| step_report(at + 1, event.to_string(), StepOutcome::Done)).collect();
    let diverged = |step: usize, expected: String| Verdict::Diverged {
        step,
        expected: vec![expected],
        actual: vec![execution.outcome.to_string()],
        difference: Vec::new(),
    };
    let verdict = match &execution.outcome {
        Outcome::Success => Verdict::Passed,
        Outcome::Failed(property) => diverged(done.max(1), property.to_string()),
        Outcome::Crash(_) => diverged(done.max(1), "the application goes on".into()),
        Outcome::Timeout => diverged(done.max(1), "the application becomes idle".into()),
        Outcome::Blocked(event, reason) => {
            steps.push(step_report(done + 1, event.to_string(), StepOutcome::Failed));
            Verdict::Blocked { step: done + 1, reason: reason.clone() }
        }
    };
    if let (Verdict::Diverged { .. }, Some(last)) = (&verdict, steps.last_mut()) {
        last.outcome = StepOutcome::Failed;
    }
    Report { steps, ..Report::of(verdict) }
}
