//! The speed table: runs the benchmarks, prints their rows side by side and checks their bounds.
//!
//! A benchmark is a `[[bench]]` target without harness that prints one JSON object per row on standard output.

use std::fmt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use harness::{Desktop, folders};
use serde::{Deserialize, Serialize};

use crate::{actions, build, cargo, performance, replays, setup, startup};

type Measure = fn() -> Result<Vec<Row>>;

/// What is measured: its name, what it is about, and how.
const PARTS: [(&str, &str, Measure); 8] = [
    ("callback", "What the recorder costs an application", measure_callback),
    ("actions", "64 actions on wordpad", measure_actions),
    ("startup", "The start of a program", measure_startup),
    ("replay", "40 actions of a replay", measure_replays),
    ("report", "Reports", measure_reports),
    ("message-log", "The log", || measure("message-log")),
    ("window-tree", "The tree, and windows found again", || measure("window-tree")),
    ("scenario", "Usage models", || measure("scenario")),
];

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Measure only what contains this in its name: message-log, callback, actions, replay …
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Fail if a row breaks its bound
    #[arg(long)]
    check: bool,
    /// Put tables and plots into docs/performance.md; parts not measured now are those measured last
    #[arg(long)]
    write: bool,
}

/// One measurement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) row: String,
    pub(crate) unit: String,
    pub(crate) ours: f64,
    /// The simplest program that does the same work.
    pub(crate) reference: Option<Reference>,
    /// What no program can beat here.
    pub(crate) floor: Option<Reference>,
    pub(crate) bound: Option<Bound>,
    /// `higher` or `lower`.
    better: String,
    /// Where it lies on a curve, if it does.
    #[serde(default)]
    pub(crate) point: Option<Point>,
    /// What it was measured with.
    #[serde(default)]
    pub(crate) part: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// A point of a curve.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Point {
    /// The curve's name.
    pub(crate) plot: String,
    /// What grows, and how much of it there is here.
    pub(crate) counted: String,
    pub(crate) x: f64,
}

/// Ratios only: an absolute time tells more about the machine than about the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bound {
    /// `ours` divided by the reference is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_ratio: Option<f64>,
    /// `ours` divided by the reference is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ratio: Option<f64>,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.min_ratio.map(|bound| format!("at least {bound}"));
        let most = self.max_ratio.map(|bound| format!("at most {bound}"));
        write!(f, "{}", least.into_iter().chain(most).collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ({})", self.value, self.name)
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    rustc: String,
    os: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    let mut rows = Vec::new();
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for (name, part, measure) in PARTS.into_iter().filter(|(name, ..)| wanted(name)) {
        let measured = measure().with_context(|| name.to_owned())?;
        rows.extend(measured.into_iter().map(|row| Row { part: part.to_owned(), ..row }));
    }
    ensure!(!rows.is_empty(), "nothing is called so");
    let machine = Machine::this();
    println!("{machine}\n");
    print!("{}", table(&rows));
    let file = folders::target().join("bench.json");
    let all = together(&std::fs::read(&file).unwrap_or_default(), &rows);
    std::fs::write(
        &file,
        serde_json::to_vec_pretty(&serde_json::json!({ "machine": machine, "rows": all }))?,
    )?;
    println!("\nwritten to {}", file.display());
    if options.write {
        performance::write(&machine, &all)?;
    }
    let broken: Vec<String> = rows.iter().filter_map(Row::broken_bound).collect();
    if options.check && !broken.is_empty() {
        bail!("too slow: {}", broken.join("; "));
    }
    Ok(())
}

/// These rows, and of parts that were measured before those.
fn together(before: &[u8], rows: &[Row]) -> Vec<Row> {
    #[derive(Deserialize)]
    struct Written {
        rows: Vec<Row>,
    }
    let before = serde_json::from_slice::<Written>(before).map(|it| it.rows).unwrap_or_default();
    let of = |part: &str| -> Vec<Row> {
        let now: Vec<Row> = rows.iter().filter(|row| row.part == part).cloned().collect();
        if now.is_empty() { before.iter().filter(|row| row.part == part).cloned().collect() } else { now }
    };
    PARTS.iter().flat_map(|(_, part, _)| of(part)).collect()
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
        point: None,
        part: String::new(),
    };
    let each =
        |what: &str, bytes: u64| row(what, "bytes an action", bytes as f64 / 64.0, Some(139_000.0 / 64.0));
    Ok(vec![
        row("received", "messages", cost.received as f64, Some(20_221.0)),
        row("recorded", "messages", cost.recorded as f64, Some(506.0)),
        row("in the callbacks", "µs", cost.micros as f64, Some(1_361_000.0)),
        Row {
            bound: Some(Bound { min_ratio: None, max_ratio: Some(1.35) }),
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
        point: None,
        part: String::new(),
    };
    let share = |what: &str, micros: f64, is_bound: bool| Row {
        row: format!("the replayer's own share of a step, median, {what}"),
        unit: "ms".into(),
        ours: micros / 1000.0,
        reference: Some(Reference { name: "wanted".into(), value: 3.0 }),
        floor: None,
        bound: is_bound.then_some(Bound { min_ratio: None, max_ratio: Some(1.0) }),
        better: "lower".into(),
        point: None,
        part: String::new(),
    };
    let (alone, inside, loaded) = (&speed.alone, &speed.recorder, &speed.loaded);
    Ok(vec![
        row("the agent alone", alone.rate, Some(25.0)),
        row("the recorder inside too", inside.rate, Some(10.0)),
        row("both, and four busy loops", loaded.rate, None),
        share("the agent alone", alone.own, true),
        share("the recorder inside too", inside.own, false),
        share("both, and four busy loops", loaded.own, false),
        Row {
            row: "four replays side by side, start and end included".into(),
            unit: "s".into(),
            ours: speed.side_by_side,
            reference: Some(Reference { name: "one after the other".into(), value: speed.in_turn }),
            bound: Some(Bound { min_ratio: None, max_ratio: Some(1.0 / 1.3) }),
            ..share("", 0.0, false)
        },
    ])
}

/// The start of notepad under `dashcam run`.
fn measure_startup() -> Result<Vec<Row>> {
    let (recorded, plain) = startup::measure()?;
    Ok(vec![Row {
        row: "start of notepad until its first message is recorded".into(),
        unit: "ms".into(),
        ours: recorded,
        reference: Some(Reference { name: "plain start until its window is there".into(), value: plain }),
        floor: None,
        bound: None,
        better: "lower".into(),
        point: None,
        part: String::new(),
    }])
}

/// The harness has a browser on Linux only.
#[cfg(windows)]
fn measure_reports() -> Result<Vec<Row>> {
    Ok(Vec::new())
}

/// Reports of sessions that grow, in a browser.
#[cfg(not(windows))]
fn measure_reports() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for page in crate::reports::measure()? {
        let mut add = |what: &str, unit: &str, ours: f64, wanted: Option<f64>, plot: &str| {
            rows.push(Row {
                row: format!("report of {} steps, {what}", page.steps),
                unit: unit.into(),
                ours,
                reference: wanted.map(|value| Reference { name: "wanted".into(), value }),
                floor: None,
                bound: None,
                better: "lower".into(),
                point: Some(Point { plot: plot.into(), counted: "steps".into(), x: page.steps as f64 }),
                part: String::new(),
            });
        };
        let wanted = |value: f64| (page.steps == 10_000).then_some(value);
        add("size", "MB", page.megabytes, wanted(10.0), "The size of a report");
        add("until Chromium shows it", "s", page.opened, wanted(2.0), "The time until a report is shown");
        add("to make it", "s", page.made, None, "The time to make a report");
    }
    Ok(rows)
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

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} cores), {}, {}", self.cpu, self.cores, self.os, self.rustc)
    }
}

impl Row {
    pub(crate) fn ratio(&self) -> Option<f64> {
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
