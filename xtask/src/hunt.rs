//! Measures how many actions different methods need to find the invoice sample's planted crash: a monkey that
//! clicks points, one that knows widgets, a usage model and a state machine, with ten seeds each. Writes the
//! table of docs/scenarios.md.
//!
//! Monkeys can do anything a user can, and a file dialog shows the whole disk. The attempts therefore run
//! where only their own folder is writable.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use harness::wait::wait_until;
use harness::{Desktop, Probe, Program, folders};

use crate::build;
use crate::progress::Progress;

const BEGIN: &str = "<!-- hunt: written by cargo xtask hunt -->";
const END: &str = "<!-- end of hunt -->";

/// The deadline of an attempt.
const PATIENCE: Duration = Duration::from_secs(4 * 3600);

const POINTS: &str = "monkey at points";
const WIDGETS: &str = "monkey at widgets";
const USAGE: &str = "usage model of two recordings";
const MORE_USAGE: &str = "usage model of twenty sessions more";
const MACHINE: &str = "state machine";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The number of seeds per method
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Give up an attempt after this many actions
    #[arg(long, default_value_t = 3000)]
    actions: usize,
    /// The number of parallel attempts
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Continue an interrupted run
    #[arg(long = "continue")]
    goes_on: bool,
    /// Confirm that this is a disposable virtual machine
    #[arg(long)]
    confined: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if options.confined {
        return attempts(options);
    }
    ensure!(
        cfg!(target_os = "linux"),
        "monkeys can do anything a user can: run this in a virtual machine, with --confined"
    );
    build::run(build::Purpose::Tests, &Progress::new("build"))?;
    let folder = folder();
    if !options.goes_on {
        let _ = fs::remove_dir_all(&folder);
    }
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(folders::target().join("desktop"))?;
    let script = folders::workspace().join("xtask/src/confine.sh");
    let (seeds, actions, jobs) =
        (options.seeds.to_string(), options.actions.to_string(), options.jobs.to_string());
    let ended = Command::new("unshare")
        .args(["-Urm", "sh"])
        .args([&script, &folders::workspace(), &folders::target(), &std::env::current_exe()?])
        .args(["hunt", "--confined", "--seeds", &seeds, "--actions", &actions, "--jobs", &jobs])
        .status()
        .context("unshare (from util-linux) is missing")?;
    let table = table(&read(&folder)?, options);
    print!("{table}");
    ensure!(ended.success(), "the hunt was interrupted; continue it with --continue");
    write(&table)
}

fn folder() -> PathBuf {
    folders::target().join("hunt")
}

/// The result of an attempt.
struct Attempt {
    by: String,
    seed: u64,
    /// `None` if it found no crash.
    found: Option<usize>,
    actions: usize,
    seconds: f64,
}

/// The results of this run so far.
fn read(folder: &Path) -> Result<Vec<Attempt>> {
    let text = fs::read_to_string(folder.join("attempts")).unwrap_or_default();
    let attempt = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [by, seed, is_found, actions, seconds] = parts[..] else { bail!("not an attempt: {line}") };
        let actions: usize = actions.parse()?;
        let found = (is_found == "found").then_some(actions);
        Ok(Attempt { by: by.into(), seed: seed.parse()?, found, actions, seconds: seconds.parse()? })
    };
    text.lines().map(attempt).collect()
}

/// Runs all remaining attempts, several in parallel.
fn attempts(options: &Options) -> Result<()> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    let desktop = Arc::new(Desktop::start_private()?);
    let probe = Arc::new(Probe::start(&desktop, &folder)?);
    let program = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let dashcam = |args: &[&str]| Program::start(&probe, &folder, &program, args, &[]);
    // Neither log contains the crash.
    let log = |name: &str| {
        let steps = folders::workspace().join("tests/recordings/steps");
        folders::for_windows(&steps.join(format!("{name}.dashcam")))
    };
    let train = |name: &str, logs: &[String]| -> Result<String> {
        let model = folders::for_windows(&folder.join(name));
        let logs = logs.iter().map(String::as_str);
        let args: Vec<&str> = ["model", "train"].into_iter().chain(logs).chain(["-o", &model]).collect();
        ensure!(dashcam(&args)?.wait(PATIENCE)? == 0, "cannot train the usage model");
        Ok(model)
    };
    let example =
        |name: &str| folders::for_windows(&folders::workspace().join("samples/scenarios/models").join(name));
    let app = folders::for_windows(&folders::sample("invoice"));
    let mut logs = vec![log("invoice"), log("invoice-tour")];
    let usage = train("invoice.model", &logs)?;
    // Two recordings are too few. The state machine describes sensible use, so its sessions without a crash
    // are added.
    let corpus = folder.join("corpus");
    if !corpus.is_dir() {
        let kept = folders::for_windows(&corpus);
        let how = ["-n", "20", "--length", "20", "--seed", "1000", "-o", &kept, "--app", &app];
        dashcam(&[&["model", "run", &example("invoice.smid")], &how[..]].concat())?.wait(PATIENCE)?;
    }
    for entry in fs::read_dir(&corpus).context("there are no sessions to learn from")? {
        let trace = entry?.path();
        let is_trace = trace.extension().is_some_and(|end| end == "trace");
        if is_trace
            && !fs::read_to_string(&trace)?.lines().next().is_some_and(|head| head.contains(": crash"))
        {
            logs.push(folders::for_windows(&trace.with_extension("dashcam")));
        }
    }
    let more_usage = train("invoice-more.model", &logs)?;
    let hunters = [
        (MACHINE, example("invoice.smid")),
        (MORE_USAGE, more_usage),
        (USAGE, usage),
        (WIDGETS, example("relevant-monkey.trace")),
        (POINTS, example("monkey.trace")),
    ];
    let done = read(&folder)?;
    let mut open: Vec<(&str, &String, u64)> = Vec::new();
    for (by, file) in &hunters {
        let is_new = |seed: &u64| !done.iter().any(|it| it.by == *by && it.seed == *seed);
        open.extend((1..=options.seeds).filter(is_new).map(|seed| (*by, file, seed)));
    }
    open.reverse();
    let mut results = File::options().create(true).append(true).open(folder.join("attempts"))?;
    let most = options.actions.to_string();
    let mut running = Vec::new();
    while !open.is_empty() || !running.is_empty() {
        while let Some((by, file, seed)) = open.pop_if(|_| running.len() < options.jobs) {
            let how = ["--hunt", &most, "--length", "40", "--seed", &seed.to_string(), "--app", &app];
            running.push((by, seed, Instant::now(), dashcam(&[&["model", "run", file], &how[..]].concat())?));
        }
        let ended = wait_until("an attempt to end", PATIENCE, || {
            let codes = running.iter().map(|(.., run)| run.exit_code());
            Ok(codes.collect::<Result<Vec<_>>>()?.iter().position(Option::is_some))
        })?;
        let (by, seed, start, run) = running.remove(ended);
        let said = run.stdout()?;
        let last = said.lines().last().unwrap_or_default().trim();
        eprintln!("{by}, seed {seed}: {last}");
        let (is_found, rest) = match last.strip_prefix("no ") {
            Some(rest) => ("not found", rest),
            None => ("found", last),
        };
        let actions = rest.strip_prefix("crash after ").and_then(|rest| rest.split(' ').next());
        let actions = actions
            .with_context(|| format!("{by}, seed {seed}:\n{said}{}", run.stderr().unwrap_or_default()))?;
        writeln!(results, "{by}\t{seed}\t{is_found}\t{actions}\t{:.1}", start.elapsed().as_secs_f64())?;
    }
    Ok(())
}

fn table(all: &[Attempt], options: &Options) -> String {
    let mut table = format!(
        "An attempt ends without a crash after {} actions; {} attempts at a time.\n\n\
         | by | found | actions until then, each seed | median | actions a second |\n|---|---|---|---|---|\n",
        options.actions, options.jobs
    );
    for by in [POINTS, WIDGETS, USAGE, MORE_USAGE, MACHINE] {
        let mut own: Vec<&Attempt> = all.iter().filter(|it| it.by == by).collect();
        own.sort_by_key(|it| it.seed);
        let found: Vec<Option<usize>> =
            own.iter().map(|it| it.found.filter(|count| *count <= options.actions)).collect();
        let (actions, seconds) =
            own.iter().fold((0, 0.0), |(actions, seconds), it| (actions + it.actions, seconds + it.seconds));
        let speed = if seconds > 0.0 { actions as f64 / seconds } else { 0.0 };
        let _ = writeln!(table, "| {by} | {} | {speed:.1} |", row(&found));
    }
    table
}

/// One line of the table. An attempt that found nothing ranks behind all others.
fn row(found: &[Option<usize>]) -> String {
    let each: Vec<String> = found.iter().map(|it| it.map_or("—".into(), |count| count.to_string())).collect();
    let mut counts: Vec<usize> = found.iter().map(|it| it.unwrap_or(usize::MAX)).collect();
    counts.sort_unstable();
    let middle = counts.len().saturating_sub(1) / 2..counts.len() / 2 + 1;
    let median = match counts.get(middle) {
        Some(middle) if !middle.is_empty() && !middle.contains(&usize::MAX) => {
            (middle.iter().sum::<usize>() / middle.len()).to_string()
        }
        _ => "none".into(),
    };
    format!("{} of {} | {} | {median}", found.iter().flatten().count(), found.len(), each.join(", "))
}

fn write(table: &str) -> Result<()> {
    let page = folders::workspace().join("docs/scenarios.md");
    let text = fs::read_to_string(&page)?;
    let (before, rest) = text.split_once(BEGIN).context("the page has no place for the table")?;
    let (_, after) = rest.split_once(END).context("the place for the table does not end")?;
    fs::write(&page, format!("{before}{BEGIN}\n{table}\n{END}{after}"))?;
    println!("written to {}", page.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_between_the_two_in_the_middle() {
        assert_eq!(row(&[Some(7), None, Some(3)]), "2 of 3 | 7, —, 3 | 7");
        assert_eq!(row(&[Some(7), Some(4)]), "2 of 2 | 7, 4 | 5");
        assert_eq!(row(&[Some(7), None]), "1 of 2 | 7, — | none");
        assert_eq!(row(&[]), "0 of 0 |  | none");
    }
}
