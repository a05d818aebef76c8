//! Measures the replay of 40 actions on notepad and on the gallery: with and without the recorder, on an
//! idle and on a busy machine. The reference posts each action and then sleeps half a second, as the
//! paper's prototype does.
//!
//! The time runs from the first to the last step; starting the program and reading the log do not count. The
//! floor is the time that the application itself needed, measured on its own thread.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Desktop, Input, Load, Probe, Program, folders};
use serde_json::Value;

use crate::build;
use crate::progress::Progress;
use crate::row::{Row, Wanted};
use crate::subjects::{self, ACTIONS, Scene, Subject};

/// Each way is measured this often, alternating; the median counts.
const ROUNDS: usize = 3;
const BUSY_LOOPS: usize = 4;
const AT_ONCE: usize = 4;

/// How a replay is done.
struct Way {
    name: &'static str,
    with_recorder: bool,
    is_loaded: bool,
    /// The target, in multiples of the reference.
    wanted: f64,
    /// The smallest multiple that passes `--check`.
    min_ratio: f64,
}

const WAYS: [Way; 4] = [
    Way { name: "the agent alone", with_recorder: false, is_loaded: false, wanted: 25.0, min_ratio: 10.0 },
    Way {
        name: "the recorder inside too",
        with_recorder: true,
        is_loaded: false,
        wanted: 10.0,
        min_ratio: 4.0,
    },
    Way {
        name: "the agent alone, four busy loops",
        with_recorder: false,
        is_loaded: true,
        wanted: 25.0,
        min_ratio: 4.0,
    },
    Way {
        name: "the recorder inside too, four busy loops",
        with_recorder: true,
        is_loaded: true,
        wanted: 10.0,
        min_ratio: 1.5,
    },
];

/// One replay.
#[derive(Clone, Copy)]
struct Pace {
    /// Actions per second.
    rate: f64,
    /// Actions per second if only the application took time.
    floor: f64,
    /// The median time that the replayer itself takes for a step, in milliseconds.
    own: f64,
}

/// Records and replays.
pub(crate) fn rows() -> Result<Vec<Row>> {
    build::run(build::Purpose::Measurements, &Progress::new("build"))?;
    let mut rows = Vec::new();
    for subject in &subjects::ALL {
        rows.extend(Bench::start(subject)?.rows().with_context(|| subject.name)?);
    }
    Ok(rows)
}

/// A program, its recording, and the desktop it runs on.
struct Bench {
    scene: Scene,
    subject: &'static Subject,
}

impl Bench {
    fn start(subject: &'static Subject) -> Result<Self> {
        let folder = folders::target().join("bench").join("replay").join(subject.name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let desktop = Arc::new(Desktop::start_private()?);
        let probe = Arc::new(Probe::start(&desktop, &folder)?);
        let scene = Scene { input: Input::new(&desktop, &probe), probe, folder };
        Ok(Self { scene, subject })
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let name = self.subject.name;
        let log = self.record()?;
        let script = self.script(&log)?;
        let mut references = Vec::new();
        let mut runs = [const { Vec::new() }; WAYS.len()];
        for round in 1..=ROUNDS {
            eprintln!("40 actions on {name}, round {round} of {ROUNDS}");
            // On a busy machine half a second is not always enough, and posting without checking fails.
            let rate = (0..3).find_map(|_| self.post_and_sleep(&script).ok());
            references.push(rate.context("posting and sleeping failed three times")?);
            for (way, runs) in WAYS.iter().zip(&mut runs) {
                let _load = way.is_loaded.then(|| Load::start(BUSY_LOOPS));
                runs.push(self.replay(&log, way));
            }
        }
        let reference = median(references);
        let mut rows = Vec::new();
        let (mut passed, mut all) = (0, 0);
        for (way, runs) in WAYS.iter().zip(runs) {
            all += runs.len();
            let good: Vec<Pace> =
                runs.into_iter().filter_map(|run| run.inspect_err(|e| eprintln!("{e:#}")).ok()).collect();
            passed += good.len();
            ensure!(!good.is_empty(), "no replay passed: {}", way.name);
            let middle = |of: fn(&Pace) -> f64| median(good.iter().map(of).collect());
            let wanted = Wanted { times_reference: Some(way.wanted), ..Wanted::default() };
            rows.push(
                Row::higher(format!("40 actions on {name}, {}", way.name), "actions/s", middle(|it| it.rate))
                    .reference("posting and sleeping 500 ms", reference)
                    .floor("the application alone", middle(|it| it.floor))
                    .wanted(wanted)
                    .min_ratio(way.min_ratio),
            );
            rows.push(
                Row::lower(
                    format!("the replayer's own share of a step on {name}, {}", way.name),
                    "ms",
                    middle(|it| it.own),
                )
                .at_most(3.0),
            );
        }
        let right = Wanted { at_least: Some(100.0), ..Wanted::default() };
        let share = 100.0 * passed as f64 / all as f64;
        rows.push(
            Row::higher(format!("replays of {name} that did all and saw all"), "%", share)
                .reference("all", 100.0)
                .wanted(right)
                .min_ratio(1.0),
        );
        rows.push(self.side_by_side(&log)?);
        Ok(rows)
    }

    /// Four parallel replays compared with four sequential ones, including start and end of the programs.
    fn side_by_side(&self, log: &str) -> Result<Row> {
        let (mut together, mut in_turn) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            in_turn.push(AT_ONCE as f64 / self.several(log, 1)?);
            together.push(AT_ONCE as f64 / self.several(log, AT_ONCE)?);
        }
        let wanted = Wanted { times_reference: Some(1.3), ..Wanted::default() };
        Ok(Row::higher(
            format!("four replays of {} side by side, start and end included", self.subject.name),
            "replays/s",
            median(together),
        )
        .reference("one after the other", median(in_turn))
        .wanted(wanted)
        .min_ratio(1.1))
    }

    /// Starts the shipped command.
    fn dashcam(&self, args: &[&str]) -> Result<Program> {
        let program = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
        Program::start(&self.scene.probe, &self.scene.folder, &program, args, &[])
    }

    /// Records the user's actions until the program exits; returns the log.
    fn record(&self) -> Result<String> {
        let log = folders::for_windows(&self.scene.folder.join("log"));
        let command = (self.subject.command)(&self.scene.folder);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = self.dashcam(&[&["run", "--log", &log, "--"], &command[..]].concat())?;
        (self.subject.act)(&self.scene)?;
        self.scene.input.press("alt+F4")?;
        ensure!(run.wait(DEADLINE)? == 0, "{}", run.stderr()?);
        Ok(log)
    }

    /// Writes the same actions as a script for `dashcam drive` that sleeps half a second after each.
    fn script(&self, log: &str) -> Result<String> {
        let show = self.dashcam(&["show", log, "--json"])?;
        ensure!(show.wait(DEADLINE)? == 0, "{}", show.stderr()?);
        let lines: Vec<String> =
            (self.subject.lines)(&show.stdout()?)?.iter().map(ToString::to_string).collect();
        let script = self.scene.folder.join("post-and-sleep.jsonl");
        let again = format!("{}\n", lines.join("\n")).repeat(ACTIONS / 2);
        fs::write(&script, format!("{{\"settle\":10000}}\n{again}"))?;
        Ok(folders::for_windows(&script))
    }

    /// Actions per second by posting and sleeping.
    fn post_and_sleep(&self, script: &str) -> Result<f64> {
        let command = (self.subject.command)(&self.scene.folder);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = self.dashcam(&[&["drive", script, "--no-agent", "--"], &command[..]].concat())?;
        ensure!(run.wait(DEADLINE * 4)? == 0, "{}", run.stderr()?);
        let said = run.stdout()?;
        let mut micros = 0;
        for line in said.lines().skip(1) {
            let report: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            ensure!(report["done"] == true || report["slept"].is_u64(), "{line}");
            micros += report["micros"].as_u64().context("no time")?;
        }
        Ok(rate(micros))
    }

    /// The seconds that four replays take, `at_once` in parallel.
    fn several(&self, log: &str, at_once: usize) -> Result<f64> {
        let command = (self.subject.command)(&self.scene.folder);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let args = [&["replay", log, "--json", "--no-recorder", "--app"], &command[..]].concat();
        let begin = Instant::now();
        for _ in 0..AT_ONCE / at_once {
            let runs: Vec<Program> = (0..at_once).map(|_| self.dashcam(&args)).collect::<Result<_>>()?;
            for run in runs {
                ensure!(run.wait(DEADLINE * 4)? == 0, "not passed: {}{}", run.stdout()?, run.stderr()?);
            }
        }
        Ok(begin.elapsed().as_secs_f64())
    }

    fn replay(&self, log: &str, way: &Way) -> Result<Pace> {
        let trace = self.scene.folder.join("trace");
        let _ = fs::remove_dir_all(&trace);
        let trace = folders::for_windows(&trace);
        let inside: &[&str] = if way.with_recorder { &["--trace", &trace] } else { &["--no-recorder"] };
        let command = (self.subject.command)(&self.scene.folder);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = self.dashcam(&[&["replay", log, "--json"], inside, &["--app"], &command[..]].concat())?;
        let code = run.wait(Duration::from_secs(300))?;
        let said = run.stdout()?;
        ensure!(code == 0, "not passed: {said}{}", run.stderr()?);
        let report: Value = serde_json::from_str(&said).with_context(|| said.clone())?;
        // A recording with points may be unverified; that it was replayed to its end is what counts here.
        ensure!(report["verdict"] == "passed" || report["verdict"] == "unverified", "{said}");
        let steps = report["steps"].as_array().context("no steps")?;
        let is_action = |step: &&Value| step["text"].as_str().is_some_and(self.subject.is_action);
        let steps: Vec<&Value> = steps.iter().filter(is_action).collect();
        ensure!(steps.len() == ACTIONS, "{} actions: {said}", steps.len());
        let number = |step: &Value, name: &str| step[name].as_u64().context("no time");
        let sum = |name: &str| steps.iter().map(|step| number(step, name)).sum::<Result<u64>>();
        let (micros, own) = (sum("micros")?, sum("own_micros")?);
        let each: Vec<u64> = steps.iter().map(|step| number(step, "own_micros")).collect::<Result<_>>()?;
        Ok(Pace {
            rate: rate(micros),
            floor: rate(micros.saturating_sub(own).max(1)),
            own: median(each.into_iter().map(|own| own as f64 / 1000.0).collect()),
        })
    }
}

fn rate(micros: u64) -> f64 {
    ACTIONS as f64 / (micros as f64 / 1_000_000.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
