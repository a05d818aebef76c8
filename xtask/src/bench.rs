//! Runs the benchmarks, prints their rows as a table and checks their bounds.
//!
//! A benchmark is either a `[[bench]]` target without harness that prints one JSON object per row, or a
//! module here that drives real programs.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use harness::{Desktop, folders};
use serde::Deserialize;

use crate::machine::Machine;
use crate::progress::Progress;
use crate::row::{self, Row, amount};
use crate::{actions, build, cargo, performance, replays, setup, slowdown, startup};

type Measure = fn() -> Result<Vec<Row>>;

/// The parts of the benchmark: name, title, and function.
const PARTS: [(&str, &str, Measure); 9] = [
    ("callback", "What the recorder costs an application", measure_callback),
    ("slowdown", "64 actions on wordpad with hooks and without", slowdown::rows),
    ("actions", "64 actions on wordpad", actions::rows),
    ("startup", "The start of a program", startup::rows),
    ("replay", "40 actions of a replay", replays::rows),
    ("report", "Reports", measure_reports),
    ("message-log", "The log", || measure("message-log")),
    ("window-tree", "The tree, and windows found again", || measure("window-tree")),
    ("scenario", "Usage models", || measure("scenario")),
];

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Measure only parts whose name contains this: message-log, callback, actions, replay …
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Fail if a row breaks its bound
    #[arg(long)]
    check: bool,
    /// Write tables and plots into docs/performance.md; parts that are not measured now keep
    /// their last figures
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(setup::Kit::All, &Progress::new("setup"))?;
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    let machine = Machine::this();
    println!("{machine}\n");
    let file = folders::target().join("bench.json");
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let parts: Vec<_> = PARTS.into_iter().filter(|(name, ..)| wanted(name)).collect();
    ensure!(!parts.is_empty(), "no part has that name");
    for (name, part, measure) in parts {
        let measured = match measure() {
            Ok(measured) => measured,
            Err(error) => {
                failed.push(format!("{name}: {error:#}"));
                continue;
            }
        };
        let measured: Vec<Row> =
            measured.into_iter().map(|row| Row { part: part.to_owned(), ..row }).collect();
        println!("\n{part}\n\n{}", table(&measured));
        rows.extend(measured);
        // Written after each part, so that a later failure loses nothing.
        let all = together(&std::fs::read(&file).unwrap_or_default(), &rows);
        let document = serde_json::json!({ "machine": machine, "rows": all });
        std::fs::write(&file, serde_json::to_vec_pretty(&document)?)?;
        if options.write {
            performance::write(&machine, &all)?;
        }
    }
    println!("written to {}", file.display());
    ensure!(failed.is_empty(), "not measured: {}", failed.join("; "));
    let broken: Vec<String> = rows.iter().filter_map(Row::broken_bound).collect();
    if options.check && !broken.is_empty() {
        bail!("too slow: {}", broken.join("; "));
    }
    Ok(())
}

/// These rows, and the earlier rows of all other parts.
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
    let dll = build::bench_dll(&Progress::new("build"))?;
    let desktop = Desktop::start_private()?;
    let mut command = cargo::command(&["bench", "--package", "hook-dll", "--bench", "callback"]);
    if !cfg!(windows) {
        command.args(["--target", build::X64]);
    }
    command.envs(desktop.environment()).env("DASHCAM_BENCH_DLL", folders::for_windows(&dll));
    read("hook-dll", command)
}

/// The harness has a browser on Linux only.
#[cfg(windows)]
fn measure_reports() -> Result<Vec<Row>> {
    Ok(Vec::new())
}

#[cfg(not(windows))]
use crate::reports::rows as measure_reports;

fn read(package: &str, mut command: Command) -> Result<Vec<Row>> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot run cargo bench")?;
    ensure!(output.status.success(), "the benchmarks of {package} failed ({})", output.status);
    row::read(&String::from_utf8_lossy(&output.stdout))
        .with_context(|| format!("the benchmarks of {package}"))
}

fn table(rows: &[Row]) -> String {
    let head = ["row", "ours", "reference", "floor", "× ref.", "× floor", "wanted", ""].map(str::to_owned);
    let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
    let body = rows.iter().map(|row| {
        let shown =
            |amount: &Option<row::Amount>| amount.as_ref().map_or_else(String::new, ToString::to_string);
        [
            row.row.clone(),
            format!("{} {}", amount(row.ours), row.unit).trim_end().to_owned(),
            shown(&row.reference),
            shown(&row.floor),
            ratio(row.ratio()),
            ratio(row.floor_ratio()),
            row.wanted.to_string(),
            row.is_reached().map_or("", |is| if is { "reached" } else { "missed" }).to_owned(),
        ]
    });
    let lines: Vec<[String; 8]> = std::iter::once(head).chain(body).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..8).map(width).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned() {
        let rows = [
            Row::higher("reader, XML", "MB/s", 312.0).reference("bare loop", 700.0),
            Row::lower("ring", "ns", 9.0).floor("copy", 4.0).at_most(8.0),
        ];
        let expected = "\
row              ours       reference    floor  × ref.  × floor     wanted
reader, XML  312 MB/s  700: bare loop             0.45
ring             9 ns                  4: copy             2.25  at most 8  missed
";
        assert_eq!(table(&rows), expected);
    }
}
