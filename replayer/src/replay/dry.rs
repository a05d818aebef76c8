//! Prints a dry run for people.

use replay_engine::{DryRun, DryStep};
use std::fmt::Write as _;
use steps::Sketch;

/// The whole dry run.
pub(crate) fn text(run: &DryRun<'_>) -> String {
    let mut out = String::new();
    let width = run.steps.last().map_or(1, |step| step.number.max(1)).ilog10() as usize + 1;
    let pad = " ".repeat(width + 2);
    for step in &run.steps {
        let _ = writeln!(out, "{:>width$}. {}", step.number, step.text);
        let _ = writeln!(out, "{pad}target   {}", target(step));
        let _ = writeln!(out, "{pad}act      {}", step.summary);
        let _ = writeln!(out, "{pad}because  {}", step.because);
        for remark in &step.remarks {
            let _ = writeln!(out, "{pad}note     {remark}");
        }
        let _ = writeln!(out, "{pad}messages {}", messages(step));
        if !step.expected.is_empty() {
            let _ = writeln!(out, "{pad}expects  {}", step.expected.join("; "));
        }
    }
    let inputs: usize = run.steps.iter().map(|step| step.inputs.len()).sum();
    let rest = run.unaccounted.len();
    let _ = writeln!(
        out,
        "{} steps stand for {inputs} messages of the user's hands; {rest} more are no step{}",
        run.steps.len(),
        if rest > 0 { ":" } else { "" }
    );
    for input in run.unaccounted {
        let _ = writeln!(out, "  {}:{} {}", input.id.thread, input.id.sequence, input.reason);
    }
    out
}

/// The window with all its ancestors.
fn target(step: &DryStep<'_>) -> String {
    let window = |it: &Sketch| {
        let name = if it.name.is_empty() { String::new() } else { format!(" {:?}", it.name) };
        let id = it.id.map_or_else(String::new, |id| format!(" id {id}"));
        format!("{}{name}{id}", if it.class.is_empty() { "?" } else { &it.class })
    };
    match step.target.ancestry.as_slice() {
        [] => format!("{:#x}, of which the log tells nothing", step.target.hwnd()),
        path => path.iter().map(window).collect::<Vec<_>>().join(" ▸ "),
    }
}

fn messages(step: &DryStep<'_>) -> String {
    let spans = step.messages.iter().map(|span| format!("{}:{}–{}", span.thread, span.first, span.last));
    let spans: Vec<String> = spans.collect();
    format!("{}, {} of them the user's hands", spans.join(", "), step.inputs.len())
}
