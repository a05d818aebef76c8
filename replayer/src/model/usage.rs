//! Usage models: train, stats, generate, coverage, probability, compare.

use super::learn::learn;
use super::{Generating, ModelKind, Sessions, file, seed, test};
use crate::output::{counted, say};
use crate::text_file;
use anyhow::{Context, bail, ensure};
use rayon::prelude::*;
use scenario::usage::{self, Kind, Model, ModelError, Predictor};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is shown of long lists; `--json` has them whole.
const SHOWN: usize = 12;
/// More sequences of one length are not listed.
const MOST: usize = 10_000;

/// A model: from its file, or learnt from a log.
pub(super) fn open(path: &Path) -> anyhow::Result<Model> {
    if is_model(path) {
        let model = Model::from_json(&text_file::read(path)?).with_context(|| path.display().to_string())?;
        return Ok(model);
    }
    learn(path)
}

/// Whether a file tells of use: a usage model, or a log by its name. No state machine or trace is called so.
pub(super) fn is_use(path: &Path) -> bool {
    let is_log = |end: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(end));
    is_model(path) || path.is_dir() || ["dashcam", "xml", "ring"].into_iter().any(is_log)
}

/// Whether a file is a usage model: an object of JSON, which no log is.
fn is_model(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = [0; 64];
    let read =
        path.is_file().then(|| std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).ok());
    let start = read.flatten().map_or(&[][..], |len| &start[..len]);
    start.trim_ascii_start().starts_with(b"{")
}

/// All of them as one; they are read side by side.
fn open_all(paths: &[PathBuf]) -> anyhow::Result<Model> {
    let models: Vec<Model> = paths.par_iter().map(|path| open(path)).collect::<anyhow::Result<_>>()?;
    let mut all = Model::default();
    for (model, path) in models.into_iter().zip(paths) {
        all.merge(model).with_context(|| path.display().to_string())?;
    }
    if all.is_empty() {
        bail!(ModelError::Empty);
    }
    Ok(all)
}

/// What one program is used for says nothing of another.
fn same_program(one: &Model, other: &Model, path: &Path) -> anyhow::Result<()> {
    if !one.program.eq_ignore_ascii_case(&other.program) {
        let different = ModelError::DifferentPrograms(one.program.clone(), other.program.clone());
        return Err(different).with_context(|| path.display().to_string());
    }
    Ok(())
}

pub(super) fn train(logs: &[PathBuf], output: &Path) -> anyhow::Result<ExitCode> {
    let model = open_all(logs)?;
    file::write(output, &model.to_json())?;
    let steps: usize = model.sessions.iter().map(|session| session.steps.len()).sum();
    say(&format!(
        "{}: {}, {}, {}",
        model.program,
        counted(model.sessions.len(), "session"),
        counted(steps, "step"),
        counted(model.features.len(), "feature")
    ))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn stats(models: &[PathBuf], held_out: &[PathBuf], json: bool) -> anyhow::Result<ExitCode> {
    let model = open_all(models)?;
    let told = usage::statistics(&model);
    let losses = match held_out {
        [] => Vec::new(),
        logs => {
            let unseen = open_all(logs)?;
            same_program(&model, &unseen, &logs[0])?;
            losses(&model, &unseen)
        }
    };
    if json {
        let rows: Vec<_> = losses
            .iter()
            .map(|(kind, loss)| {
                serde_json::json!({ "model": kind.name(), "bits_per_step": loss.per_step(), "predicted": loss.predicted, "impossible": loss.impossible })
            })
            .collect();
        let mut value = serde_json::to_value(&told)?;
        value["held_out"] = rows.into();
        say(&serde_json::to_string_pretty(&value)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    say(text_of(&model, &told, &losses).trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn losses(model: &Model, held_out: &Model) -> Vec<(Kind, usage::Loss)> {
    let sessions = model.translate(held_out);
    let kinds = [
        Kind::Chain(0),
        Kind::Chain(1),
        Kind::Chain(2),
        Kind::Chain(3),
        Kind::Ppm(1),
        Kind::Ppm(2),
        Kind::Ppm(3),
        Kind::Ctw(1),
        Kind::Ctw(3),
        Kind::Ctw(5),
    ];
    kinds.into_par_iter().map(|kind| (kind, Predictor::of(model, kind).loss(&sessions))).collect()
}

fn text_of(model: &Model, told: &usage::Statistics, losses: &[(Kind, usage::Loss)]) -> String {
    let (sessions, steps) = (counted(told.sessions, "session"), counted(told.steps, "step"));
    let mut out = format!("{}: {sessions}, {steps}\n", model.program);
    let _ = writeln!(out, "uncertainty of the next step: {:.2} bits\n\nmost used", told.entropy);
    let seconds = |millis: Option<u32>| {
        millis.map_or("—".into(), |millis| format!("{:.1} s", f64::from(millis) / 1000.0))
    };
    for it in told.uses.iter().take(SHOWN) {
        let times = format!("{} (9 of 10 within {})", seconds(it.median), seconds(it.ninth));
        let sessions = counted(it.sessions, "session");
        let _ = writeln!(out, "{:>6} ×  {:<60} in {sessions}, {times}", it.count, it.label);
    }
    let mut list = |title: &str, lines: Vec<String>, all: usize| {
        if lines.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}");
        lines.iter().for_each(|line| {
            let _ = writeln!(out, "  {line}");
        });
        if all > lines.len() {
            let _ = writeln!(out, "  … and {} more", all - lines.len());
        }
    };
    list("never used", told.never.iter().take(SHOWN).cloned().collect(), told.never.len());
    let path = |path: &usage::Path| format!("{:>4} ×  {}", path.count, path.labels.join(" → "));
    list("typical paths", told.paths.iter().map(path).collect(), told.paths.len());
    let cancel = |it: &usage::Cancel| {
        let after = it.after.as_ref().map_or_else(|| "at once".into(), |after| format!("after: {after}"));
        format!("{:>4} ×  in {}, {after}", it.count, it.window)
    };
    list("where users give up", told.cancels.iter().take(SHOWN).map(cancel).collect(), told.cancels.len());
    let loss = |(kind, loss): &(Kind, usage::Loss)| {
        // What a model thinks impossible takes any number of bits, however well it foresees the rest.
        let (bits, all) = (format!("{:.2}", loss.per_step()), loss.impossible + loss.predicted);
        let (bits, note) = match (loss.impossible, loss.predicted) {
            (0, _) => (bits, String::new()),
            (n, 0) => ("∞".into(), format!("  ({n} of {all} steps impossible)")),
            (n, _) => ("∞".into(), format!("  ({n} of {all} steps impossible, the others {bits})")),
        };
        format!("{:<28} {bits:>6} bits{note}", kind.name())
    };
    list("held-out logs, per step", losses.iter().map(loss).collect(), losses.len());
    out
}

pub(super) fn generate(
    model: &Path,
    how: &Generating,
    output: Option<(&Path, &[String])>,
) -> anyhow::Result<ExitCode> {
    let model = open(model)?;
    ensure!(!model.is_empty(), ModelError::Empty);
    let seed = seed(how.seed);
    let mut rng = fastrand::Rng::with_seed(seed);
    let way = match how.sessions {
        Sessions::Random => Some(usage::Way::Random),
        Sessions::Probable => Some(usage::Way::Probable),
        Sessions::Greedy => Some(usage::Way::Greedy),
        Sessions::All => None,
    };
    let sessions = match way {
        Some(way) => usage::generate(&model, how.kind(), way, how.number, how.length, &mut rng),
        None => {
            let (sessions, is_cut) = usage::every(&model, how.length, MOST);
            ensure!(
                !is_cut,
                "there are more than {MOST} sessions of {} steps: ask for shorter ones",
                how.length
            );
            sessions
        }
    };
    ensure!(
        !sessions.is_empty(),
        "no session can be made: no log begins at the program's start, or none is so long"
    );
    if let Some((folder, _)) = output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    for (number, session) in sessions.iter().enumerate() {
        let head = format!("# session {} of seed {seed}", number + 1);
        let labels: Vec<String> =
            session.steps.iter().map(|&step| format!("# {}", model.features[step as usize].label)).collect();
        let text = format!("{head}\n{}\n{}", labels.join("\n"), session.trace(&model, &mut rng).to_file());
        match output {
            Some((folder, app)) => {
                let file = folder.join(format!("session-{:03}.trace", number + 1));
                file::write(&file, &text)?;
                if !app.is_empty() {
                    test::write_script(&file, app)?;
                }
            }
            None => say(&text)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn coverage(model: &Path, suite: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let (model, logs) = (open(model)?, suite);
    let suite = open_all(logs)?;
    same_program(&model, &suite, &logs[0])?;
    for share in usage::coverage(&model.sequences(), &model.translate(&suite), 3) {
        let noun = ["features", "transitions", "rows of three steps"][share.length - 1];
        let mut line =
            format!("{:>5.1} % of the use: {} of {} {noun}", share.weight * 100.0, share.covered, share.all);
        if let Some(missing) = &share.missing {
            let labels: Vec<&str> =
                missing.iter().map(|&at| model.features[at as usize].label.as_str()).collect();
            let _ = write!(line, "; most used without a test: {}", labels.join(" → "));
        }
        say(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn probability(
    model: &Path,
    log: &Path,
    kind: ModelKind,
    order: usize,
) -> anyhow::Result<ExitCode> {
    let (model, path) = (open(model)?, log);
    let log = open(path)?;
    same_program(&model, &log, path)?;
    ensure!(!model.is_empty() && !log.is_empty(), ModelError::Empty);
    let predictor = Predictor::of(&model, kind.kind(order));
    for (session, steps) in log.sessions.iter().zip(model.translate(&log)) {
        let unknown = model.features.len() as u32 + 1;
        let history: Vec<u32> = steps.iter().map(|step| step.unwrap_or(unknown)).collect();
        for (at, step) in session.steps.iter().enumerate() {
            let share = predictor.distribution(&history[..at])[history[at] as usize];
            let label = &log.features[step.feature as usize].label;
            let said = if share > 0.0 { format!("{:>8.3} %", share * 100.0) } else { "impossible".into() };
            say(&format!("{said:>10}  {label}"))?;
        }
        let loss = predictor.loss(std::slice::from_ref(&steps));
        let total = match loss.impossible {
            0 => format!("probability 2^-{:.1}, {:.2} bits per step", loss.bits, loss.per_step()),
            n => format!(
                "{n} of {} steps impossible, the others {:.2} bits each",
                n + loss.predicted,
                loss.per_step()
            ),
        };
        say(&format!("{}: {total} ({})", session.name, kind.kind(order).name()))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn compare(first: &Path, second: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let (first, path) = (open(first)?, second);
    let second = open(path)?;
    same_program(&first, &second, path)?;
    let told = usage::compare(&first, &second);
    if json {
        say(&serde_json::to_string_pretty(&told)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!(
        "difference: {:.3} by features, {:.3} by transitions (0 the same, 1 nothing in common)",
        told.divergence, told.transition_divergence
    ))?;
    for (title, changes) in [("features", &told.features), ("transitions", &told.transitions)] {
        let changed: Vec<_> = changes.iter().filter(|it| (it.before - it.after).abs() > 1e-9).collect();
        say(&format!("\n{title} whose share has changed: {}", changed.len()))?;
        for it in changed.iter().take(SHOWN) {
            let note = match (it.before > 0.0, it.after > 0.0) {
                (false, true) => "  new",
                (true, false) => "  gone",
                _ => "",
            };
            say(&format!(
                "  {:>5.1} % → {:>5.1} %  {}{note}",
                it.before * 100.0,
                it.after * 100.0,
                it.label
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
