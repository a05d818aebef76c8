//! How many actions it takes to find the invoice sample's planted crash: by a monkey that knows points, one that knows widgets, a model of the use
//! and a state machine, with ten seeds each. The table goes to the page about scenarios.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use harness::{Desktop, Probe, Program, folders};

use crate::build;

const BEGIN: &str = "<!-- hunt: written by cargo xtask hunt -->";
const END: &str = "<!-- end of hunt -->";

/// How many attempts run at a time.
const SIDE_BY_SIDE: usize = 5;
/// No attempt takes as long.
const PATIENCE: Duration = Duration::from_secs(1800);

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many seeds each gets
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// An attempt ends without a crash after so many actions
    #[arg(long, default_value_t = 500)]
    actions: usize,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    build::run(build::Purpose::Tests)?;
    let folder = folders::target().join("hunt");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let desktop = Arc::new(Desktop::start_private()?);
    let probe = Arc::new(Probe::start(&desktop, &folder)?);
    let program = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let dashcam = |args: &[&str]| Program::start(&probe, &folder, &program, args, &[]);
    // The crash itself is in neither of the logs.
    let log = |name: &str| {
        folders::for_windows(
            &folders::workspace().join("tests/recordings/steps").join(format!("{name}.dashcam")),
        )
    };
    let usage = folders::for_windows(&folder.join("invoice.model"));
    let trained =
        dashcam(&["model", "train", &log("invoice"), &log("invoice-tour"), "-o", &usage])?.wait(PATIENCE)?;
    ensure!(trained == 0, "the usage model was not learnt");
    let example =
        |name: &str| folders::for_windows(&folders::workspace().join("samples/scenarios/models").join(name));
    let hunters = [
        ("monkey at points", example("monkey.trace")),
        ("monkey at widgets", example("relevant-monkey.trace")),
        ("usage model", usage),
        ("state machine", example("invoice.smid")),
    ];
    let (most, app) = (options.actions.to_string(), folders::for_windows(&folders::sample("invoice")));
    let mut table =
        String::from("| by | found | actions until then, each seed | median |\n|---|---|---|---|\n");
    for (name, file) in hunters {
        let mut found = Vec::new();
        let seeds: Vec<String> = (1..=options.seeds).map(|seed| seed.to_string()).collect();
        // Most of the time a program is waited for.
        for seeds in seeds.chunks(SIDE_BY_SIDE) {
            let start = |seed: &String| {
                let how = ["--hunt", &most, "--length", "40", "--seed", seed, "--app", &app];
                dashcam(&[&["model", "run", &file], &how[..]].concat())
            };
            let runs = seeds.iter().map(start).collect::<Result<Vec<_>>>()?;
            for (seed, run) in seeds.iter().zip(runs) {
                run.wait(PATIENCE)?;
                let said = run.stdout()?;
                let last = said.lines().last().unwrap_or_default().trim();
                eprintln!("{name}, seed {seed}: {last}");
                ensure!(last.contains("crash after"), "{name}, seed {seed}:\n{said}");
                let count = last.strip_prefix("crash after ").and_then(|rest| rest.split(' ').next());
                let count = count.map(str::parse::<usize>).transpose()?;
                found.push(count.filter(|count| *count <= options.actions));
            }
        }
        table += &row(name, &found);
    }
    print!("{table}");
    write(&format!(
        "{} seeds; an attempt ends without a crash after {} actions.\n\n{table}",
        options.seeds, options.actions
    ))
}

/// One line: what was not found counts as more than all that was.
fn row(name: &str, found: &[Option<usize>]) -> String {
    let each: Vec<String> = found.iter().map(|it| it.map_or("—".into(), |count| count.to_string())).collect();
    let mut counts: Vec<usize> = found.iter().map(|it| it.unwrap_or(usize::MAX)).collect();
    counts.sort_unstable();
    let median = match counts.get((counts.len().max(1) - 1) / 2) {
        Some(&usize::MAX) | None => "none".into(),
        Some(median) => median.to_string(),
    };
    format!(
        "| {name} | {} of {} | {} | {median} |\n",
        found.iter().flatten().count(),
        found.len(),
        each.join(", ")
    )
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
