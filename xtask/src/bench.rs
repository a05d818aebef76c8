//! The speed table: runs the benchmarks, prints their rows side by side and checks their bounds.
//!
//! A benchmark is a `[[bench]]` target without harness that prints one JSON object per row on standard output.

use std::fmt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use harness::{Desktop, folders};
use serde::{Deserialize, Serialize};

use crate::{actions, build, cargo, replays, setup};

/// Packages with benchmarks.
const PACKAGES: [&str; 2] = ["message-log", "window-tree"];

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Measure only what contains this in its name: message-log, callback, actions, replay …
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Fail if a row breaks its bound
    #[arg(long)]
    check: bool,
}

/// One measurement.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    row: String,
    unit: String,
    ours: f64,
    /// The simplest program that does the same work.
    reference: Option<Reference>,
    /// What no program can beat here.
    floor: Option<Reference>,
    bound: Option<Bound>,
    /// `higher` or `lower`.
    better: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Reference {
    name: String,
    value: f64,
}

/// Ratios only: an absolute time tells more about the machine than about the program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound {
    /// `ours` divided by the reference is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_ratio: Option<f64>,
    /// `ours` divided by the reference is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ratio: Option<f64>,
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ({})", self.value, self.name)
    }
}

#[derive(Debug, Serialize)]
struct Machine {
    cpu: String,
    cores: usize,
    rustc: String,
    os: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    let mut rows = Vec::new();
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for package in PACKAGES.into_iter().filter(|package| wanted(package)) {
        rows.extend(measure(package)?);
    }
    if wanted("callback") {
        rows.extend(measure_callback()?);
    }
    if wanted("actions") {
        rows.extend(measure_actions()?);
    }
    if wanted("replay") {
        rows.extend(measure_replays()?);
    }
    ensure!(!rows.is_empty(), "nothing is called so");
    let machine = Machine::this();
    println!("{} ({} cores), {}, {}\n", machine.cpu, machine.cores, machine.os, machine.rustc);
    print!("{}", table(&rows));
    let file = folders::target().join("bench.json");
    std::fs::write(
        &file,
        serde_json::to_vec_pretty(&serde_json::json!({ "machine": machine, "rows": rows }))?,
    )?;
    println!("\nwritten to {}", file.display());
    let broken: Vec<String> = rows.iter().filter_map(Row::broken_bound).collect();
    if options.check && !broken.is_empty() {
        bail!("too slow: {}", broken.join("; "));
    }
    Ok(())
}

fn measure(package: &str) -> Result<Vec<Row>> {
    read(package, cargo::command(&["bench", "--package", package, "--bench", "*"]))
}

/// The recorder's callback, inside a Windows program.
fn measure_callback() -> Result<Vec<Row>> {
    let dll = build::bench_dll()?;
    let desktop = Desktop::start_private()?;
    let mut command = cargo::command(&["bench", "--package", "hook-dll", "--bench", "callback"]);
    if !cfg!(windows) {
        command.args(["--target", build::X64]);
    }
    command.envs(desktop.environment()).env("DASHCAM_BENCH_DLL", folders::for_windows(&dll));
    read("hook-dll", command)
}

/// 64 actions on wordpad, beside the paper's 64 on its own program.
fn measure_actions() -> Result<Vec<Row>> {
    let cost = actions::measure()?;
    let row = |what: &str, unit: &str, ours: f64, paper: Option<f64>| Row {
        row: format!("64 actions on wordpad, {what}"),
        unit: unit.into(),
        ours,
        reference: paper.map(|value| Reference { name: "the paper".into(), value }),
        floor: None,
        bound: None,
        better: "lower".into(),
    };
    let each =
        |what: &str, bytes: u64| row(what, "bytes an action", bytes as f64 / 64.0, Some(139_000.0 / 64.0));
    Ok(vec![
        row("received", "messages", cost.received as f64, Some(20_221.0)),
        row("recorded", "messages", cost.recorded as f64, Some(506.0)),
        row("in the callbacks", "µs", cost.micros as f64, Some(1_361_000.0)),
        Row {
            bound: Some(Bound { min_ratio: None, max_ratio: Some(1.1) }),
            ..each("XML without keyframes", cost.bytes)
        },
        each("of that, the program's start", cost.start_bytes),
        each("keyframes", cost.keyframe_bytes),
        Row {
            bound: Some(Bound { min_ratio: None, max_ratio: Some(0.15) }),
            ..each("exported file", cost.exported)
        },
    ])
}

/// 40 actions on notepad, beside posting and sleeping half a second after each.
fn measure_replays() -> Result<Vec<Row>> {
    let speed = replays::measure()?;
    let row = |what: &str, rate: f64, min_ratio: Option<f64>| Row {
        row: format!("40 actions on notepad, {what}"),
        unit: "actions/s".into(),
        ours: rate,
        reference: Some(Reference { name: "posting and sleeping 500 ms".into(), value: speed.reference }),
        floor: None,
        bound: min_ratio.map(|ratio| Bound { min_ratio: Some(ratio), max_ratio: None }),
        better: "higher".into(),
    };
    let share = |what: &str, micros: f64, is_bound: bool| Row {
        row: format!("the replayer's own share of a step, median, {what}"),
        unit: "ms".into(),
        ours: micros / 1000.0,
        reference: Some(Reference { name: "wanted".into(), value: 3.0 }),
        floor: None,
        bound: is_bound.then_some(Bound { min_ratio: None, max_ratio: Some(1.0) }),
        better: "lower".into(),
    };
    let (alone, inside, loaded) = (&speed.alone, &speed.recorder, &speed.loaded);
    Ok(vec![
        row("the agent alone", alone.rate, Some(25.0)),
        row("the recorder inside too", inside.rate, Some(10.0)),
        row("both, and four busy loops", loaded.rate, None),
        share("the agent alone", alone.own, true),
        share("the recorder inside too", inside.own, false),
        share("both, and four busy loops", loaded.own, false),
    ])
}

fn read(package: &str, mut command: Command) -> Result<Vec<Row>> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot run cargo bench")?;
    ensure!(output.status.success(), "the benchmarks of {package} failed ({})", output.status);
    rows(&String::from_utf8_lossy(&output.stdout)).with_context(|| format!("the benchmarks of {package}"))
}

/// Lines that are no JSON object are cargo's own.
fn rows(output: &str) -> Result<Vec<Row>> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    let rows: Result<Vec<Row>> =
        lines.map(|line| serde_json::from_str(line).with_context(|| format!("not a row: {line}"))).collect();
    let rows = rows?;
    ensure!(!rows.is_empty(), "they printed no row");
    Ok(rows)
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        self.reference.as_ref().map(|reference| self.ours / reference.value)
    }

    /// What is wrong, if anything.
    fn broken_bound(&self) -> Option<String> {
        let (row, bounds, ratio) = (&self.row, self.bound.as_ref()?, self.ratio()?);
        let below = bounds.min_ratio.filter(|&bound| ratio < bound);
        let above = bounds.max_ratio.filter(|&bound| ratio > bound);
        let wanted = below
            .map(|bound| format!("at least {bound}"))
            .or_else(|| above.map(|bound| format!("at most {bound}")))?;
        Some(format!("{row}: {ratio:.2} of the reference, {wanted} wanted"))
    }
}

fn table(rows: &[Row]) -> String {
    let head = ["row", "ours", "reference", "floor", "ratio"].map(str::to_owned);
    let body = rows.iter().map(|row| {
        [
            row.row.clone(),
            format!("{:.1} {}", row.ours, row.unit),
            row.reference.as_ref().map_or_else(String::new, ToString::to_string),
            row.floor.as_ref().map_or_else(String::new, ToString::to_string),
            row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
        ]
    });
    let lines: Vec<[String; 5]> = std::iter::once(head).chain(body).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += padded.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

impl Machine {
    fn this() -> Self {
        let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = facts
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .and_then(|rest| rest.split_once(':'));
        let cpu = model
            .map(|(_, name)| name.trim().to_owned())
            .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
        let rustc = Command::new("rustc").arg("--version").output();
        Machine {
            cpu: cpu.unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: rustc.map_or_else(
                |_| String::new(),
                |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            ),
            os: system(),
        }
    }
}

fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = r#"
running
{"row":"reader, XML","unit":"MB/s","ours":312.0,"reference":{"name":"bare loop","value":700.0},"floor":null,"bound":{"min_ratio":0.3},"better":"higher"}
{"row":"ring","unit":"M/s","ours":9.0,"reference":null,"floor":null,"bound":null,"better":"higher"}
{"row":"writer","unit":"MB/s","ours":50.0,"reference":{"name":"loop","value":40.0},"floor":{"name":"copy","value":900.0},"bound":{"max_ratio":1.2},"better":"lower"}
"#;

    #[test]
    fn rows_are_found_among_other_lines_and_aligned() {
        let table = table(&rows(OUTPUT).unwrap());
        let expected = "\
row                ours          reference         floor  ratio
reader, XML  312.0 MB/s  700.0 (bare loop)                 0.45
ring            9.0 M/s
writer        50.0 MB/s        40.0 (loop)  900.0 (copy)   1.25
";
        assert_eq!(table, expected);
    }

    #[test]
    fn only_broken_bounds_are_reported() {
        let broken: Vec<_> = rows(OUTPUT).unwrap().iter().filter_map(Row::broken_bound).collect();
        assert_eq!(broken, ["writer: 1.25 of the reference, at most 1.2 wanted"]);
    }

    #[test]
    fn a_malformed_or_missing_row_is_an_error() {
        assert!(rows(r#"{"row":"reader"}"#).is_err());
        assert!(rows("running 0 tests").is_err(), "silence is no success");
    }
}
