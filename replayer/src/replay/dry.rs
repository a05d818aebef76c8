//! `dashcam replay --dry-run`: what would be done for each step, to which window, why, and for which messages.

use super::choose::{Choice, Secrets, choose};
use super::recording::Recording;
use super::tell;
use super::ways::{needs_agent, way};
use crate::plan::{Step, sentence};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// For people.
pub(crate) fn text(recording: &Recording, secrets: &Secrets) -> String {
    let plan = &recording.plan;
    let mut out = String::new();
    let width = plan.steps.last().map_or(1, |step| step.number.max(1)).ilog10() as usize + 1;
    let mut inputs = 0;
    for step in &plan.steps {
        let chosen = choose(step, secrets);
        inputs += step.inputs.len();
        let pad = " ".repeat(width + 2);
        let _ = writeln!(out, "{:>width$}. {}", step.number, sentence(step));
        let _ = writeln!(out, "{pad}target   {}", target(step));
        let _ = writeln!(out, "{pad}act      {}", tell::choice(&chosen));
        let _ = writeln!(out, "{pad}because  {}", chosen.rule.why);
        for remark in &chosen.remarks {
            let _ = writeln!(out, "{pad}note     {remark}");
        }
        let _ = writeln!(out, "{pad}messages {}", messages(step));
        let effects = step.effects.iter().filter_map(super::expect::told).collect::<Vec<_>>();
        if !effects.is_empty() && !chosen.deeds.is_empty() {
            let _ = writeln!(out, "{pad}expects  {}", effects.join("; "));
        }
    }
    let rest = plan.unaccounted.len();
    let _ = writeln!(
        out,
        "{} steps stand for {inputs} messages of the user's hands; {rest} more are no step{}",
        plan.steps.len(),
        if rest > 0 { ":" } else { "" }
    );
    for input in &plan.unaccounted {
        let _ = writeln!(out, "  {}:{} {}", input.id.thread, input.id.sequence, input.reason);
    }
    out
}

/// For programs.
pub(crate) fn to_json(recording: &Recording, secrets: &Secrets) -> Value {
    let step = |step: &Step| {
        let choice = choose(step, secrets);
        let acts = tell::acts(&choice).into_iter().zip(&choice.deeds);
        let acts: Vec<Value> = acts.map(|(act, deed)| {
            json!({ "act": act, "to": deed.to, "way": way(&deed.act), "agent": needs_agent(&deed.act).is_some() })
        }).collect();
        let Choice { rule, blocked, remarks, .. } = &choice;
        json!({
            "number": step.number,
            "text": sentence(step),
            "target": step.target,
            "acts": acts,
            "interaction": rule.interaction,
            "because": rule.why,
            "blocked": blocked,
            "remarks": remarks,
            "messages": step.messages,
            "inputs": step.inputs,
            "effects": step.effects,
        })
    };
    json!({
        "program": recording.program,
        "steps": recording.plan.steps.iter().map(step).collect::<Vec<_>>(),
        "unaccounted": recording.plan.unaccounted,
    })
}

/// The window with all above it.
fn target(step: &Step) -> String {
    let window = |it: &crate::plan::Sketch| {
        let name = if it.name.is_empty() { String::new() } else { format!(" {:?}", it.name) };
        let id = it.id.map_or_else(String::new, |id| format!(" id {id}"));
        format!("{}{name}{id}", if it.class.is_empty() { "?" } else { &it.class })
    };
    match step.target.ancestry.as_slice() {
        [] => format!("{:#x}, of which the log tells nothing", step.target.hwnd()),
        path => path.iter().map(window).collect::<Vec<_>>().join(" ▸ "),
    }
}

fn messages(step: &Step) -> String {
    let spans = step.messages.iter().map(|span| format!("{}:{}–{}", span.thread, span.first, span.last));
    let spans: Vec<String> = spans.collect();
    format!("{}, {} of them the user's hands", spans.join(", "), step.inputs.len())
}
