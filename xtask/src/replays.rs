//! 40 actions on notepad (twenty times Help ▸ About, OK), recorded with real input and replayed, beside a reference that posts each action and
//! sleeps half a second after it, as the paper's prototype does.
//!
//! What is timed begins with the first step and ends with the last: neither the program's start nor the reading of the log counts, on either side.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::wait::{DEADLINE, wait_until};
use harness::{Desktop, Input, Load, Probe, Program, Recording, folders, window};
use message_log::{Key, Kind, Params};
use serde_json::{Value, json};

use crate::build;

const ACTIONS: usize = 40;
/// What the paper's prototype sleeps after each action.
const SLEEP_MILLIS: u64 = 500;
/// Each way so many times, in turns; the median counts.
const ROUNDS: usize = 3;
const BUSY_LOOPS: usize = 4;
const AT_ONCE: usize = 4;

/// How fast a way of replaying is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Actions in a second.
    pub(crate) rate: f64,
    /// The replayer's own share of a step in microseconds, at the median.
    pub(crate) own: f64,
}

/// All ways, measured in one run.
#[derive(Debug)]
pub(crate) struct Speed {
    /// Actions in a second by posting and sleeping.
    pub(crate) reference: f64,
    pub(crate) alone: Pace,
    pub(crate) recorder: Pace,
    /// With the recorder inside, and all cores busy.
    pub(crate) loaded: Pace,
    /// Seconds of four replays, start and end of the programs included: side by side, and one after the other.
    pub(crate) side_by_side: f64,
    pub(crate) in_turn: f64,
}

/// Records and replays.
pub(crate) fn measure() -> Result<Speed> {
    build::run(build::Purpose::Measurements)?;
    let folder = folders::target().join("bench").join("replay");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let desktop = Arc::new(Desktop::start_private()?);
    let probe = Arc::new(Probe::start(&desktop, &folder)?);
    let bench = Bench { input: Input::new(&desktop, &probe), probe, folder };
    let log = bench.record()?;
    let script = bench.script(&log)?;
    let (mut reference, mut alone, mut recorder, mut loaded) = (vec![], vec![], vec![], vec![]);
    for round in 1..=ROUNDS {
        eprintln!("40 actions on notepad, round {round} of {ROUNDS}");
        // On a busy machine half a second is not always enough, and posting without a look fails.
        let rate = (0..3).find_map(|_| bench.post_and_sleep(&script).ok());
        reference.push(rate.context("posting and sleeping never went through")?);
        alone.push(bench.replay(&log, false)?);
        recorder.push(bench.replay(&log, true)?);
        let _load = Load::start(BUSY_LOOPS);
        loaded.push(bench.replay(&log, true)?);
    }
    let (mut side_by_side, mut in_turn) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        in_turn.push(bench.several(&log, 1)?);
        side_by_side.push(bench.several(&log, AT_ONCE)?);
    }
    let middle = |paces: &[Pace]| Pace {
        rate: median(paces.iter().map(|pace| pace.rate).collect()),
        own: median(paces.iter().map(|pace| pace.own).collect()),
    };
    Ok(Speed {
        reference: median(reference),
        alone: middle(&alone),
        recorder: middle(&recorder),
        loaded: middle(&loaded),
        side_by_side: median(side_by_side),
        in_turn: median(in_turn),
    })
}

struct Bench {
    // Dropped in this order: the input and the probe before the desktop they live on.
    input: Input,
    probe: Arc<Probe>,
    folder: PathBuf,
}

impl Bench {
    fn dashcam(&self, args: &[&str]) -> Result<Program> {
        let program = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
        Program::start(&self.probe, &self.folder, &program, args, &[])
    }

    /// What a user does twenty times, and the end of notepad.
    fn record(&self) -> Result<String> {
        let log = self.folder.join("log");
        let run = self.dashcam(&["run", "--log", &folders::for_windows(&log), "--", "notepad"])?;
        let main = window().class("Notepad").wait(&self.probe, DEADLINE)?;
        wait_until("the log to have notepad's window", DEADLINE, || {
            Ok(has_window(&Recording { folder: log.clone() }, "Notepad")?.then_some(()))
        })?;
        self.input.click(harness::protocol::Button::Left, main.rect.left + 60, main.rect.top + 12)?;
        let about = window().class("#32770").of_process(main.pid);
        for _ in 0..ACTIONS / 2 {
            self.input.press("alt+h")?;
            self.input.press("a")?;
            about.wait(&self.probe, DEADLINE)?;
            self.input.press("Return")?;
            about.wait_gone(&self.probe, DEADLINE)?;
        }
        self.input.press("alt+F4")?;
        ensure!(run.wait(DEADLINE)? == 0, "{}", run.stderr()?);
        Ok(folders::for_windows(&log))
    }

    /// The same actions for `dashcam drive`: posted, and half a second slept after each.
    fn script(&self, log: &str) -> Result<String> {
        let show = self.dashcam(&["show", log, "--json"])?;
        ensure!(show.wait(DEADLINE)? == 0, "{}", show.stderr()?);
        let command = first_menu_command(&show.stdout()?).context("the log has no Help ▸ About")?;
        let lines = [
            json!({ "act": { "Command": { "id": command, "accelerator": false } }, "class": "Notepad" }),
            json!({ "sleep": SLEEP_MILLIS }),
            json!({ "act": "Press", "id": 1, "class": "Button" }),
            json!({ "sleep": SLEEP_MILLIS }),
        ];
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let script = self.folder.join("post-and-sleep.jsonl");
        fs::write(
            &script,
            format!("{{\"settle\":10000}}\n{}", format!("{}\n", lines.join("\n")).repeat(ACTIONS / 2)),
        )?;
        Ok(folders::for_windows(&script))
    }

    /// Actions in a second by posting and sleeping.
    fn post_and_sleep(&self, script: &str) -> Result<f64> {
        let run = self.dashcam(&["drive", script, "--no-agent", "--", "notepad"])?;
        ensure!(run.wait(DEADLINE * 4)? == 0, "{}", run.stderr()?);
        let said = run.stdout()?;
        let mut micros = 0;
        for line in said.lines().skip(1) {
            let told: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            ensure!(told["done"] == true || told["slept"].is_u64(), "{line}");
            micros += told["micros"].as_u64().context("no time")?;
        }
        Ok(rate(micros))
    }

    /// Seconds of four replays, so many of them at once.
    fn several(&self, log: &str, at_once: usize) -> Result<f64> {
        let begin = Instant::now();
        for _ in 0..AT_ONCE / at_once {
            let start = |_| self.dashcam(&["replay", log, "--json", "--no-recorder", "--app", "notepad"]);
            let runs: Vec<Program> = (0..at_once).map(start).collect::<Result<_>>()?;
            for run in runs {
                ensure!(run.wait(DEADLINE * 4)? == 0, "not passed: {}{}", run.stdout()?, run.stderr()?);
            }
        }
        Ok(begin.elapsed().as_secs_f64())
    }

    fn replay(&self, log: &str, with_recorder: bool) -> Result<Pace> {
        let trace = self.folder.join("trace");
        let _ = fs::remove_dir_all(&trace);
        let trace = folders::for_windows(&trace);
        let inside: &[&str] = if with_recorder { &["--trace", &trace] } else { &["--no-recorder"] };
        let run = self.dashcam(&[&["replay", log, "--json"], inside, &["--app", "notepad"]].concat())?;
        let code = run.wait(Duration::from_secs(300))?;
        let said = run.stdout()?;
        ensure!(code == 0, "not passed: {said}{}", run.stderr()?);
        let told: Value = serde_json::from_str(&said).with_context(|| said.clone())?;
        ensure!(told["verdict"] == "passed", "{said}");
        let steps = told["steps"].as_array().context("no steps")?;
        // The actions, without the click before them and the end after them.
        let steps: Vec<&Value> = steps.iter().filter(|step| is_action(step)).collect();
        ensure!(steps.len() == ACTIONS, "{} actions: {said}", steps.len());
        let number = |step: &Value, name: &str| step[name].as_u64().context("no time");
        let micros = steps.iter().map(|step| number(step, "micros")).sum::<Result<u64>>()?;
        let own: Vec<u64> = steps.iter().map(|step| number(step, "own_micros")).collect::<Result<_>>()?;
        Ok(Pace { rate: rate(micros), own: median(own.into_iter().map(|own| own as f64).collect()) })
    }
}

fn is_action(step: &Value) -> bool {
    step["text"].as_str().is_some_and(|text| text.contains("About"))
}

/// The command of the first choice from a menu that `dashcam show --json` tells.
fn first_menu_command(show: &str) -> Option<u64> {
    let told: Value = serde_json::from_str(show).ok()?;
    let mut actions = told["steps"].as_array()?.iter().map(|step| &step["action"]);
    actions.find(|action| action["kind"] == "menu")?["command"].as_u64()
}

fn has_window(recording: &Recording, class: &str) -> Result<bool> {
    let has = |params: &Params| params.text(Key::WindowClass).is_some_and(|it| it.to_string() == class);
    let (events, _) = recording.read()?;
    Ok(events.0.iter().any(|event| match &event.kind {
        Kind::Keyframe(keyframe) => keyframe.windows.iter().any(has),
        _ => has(&event.params),
    }))
}

fn rate(micros: u64) -> f64 {
    ACTIONS as f64 / (micros as f64 / 1_000_000.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
