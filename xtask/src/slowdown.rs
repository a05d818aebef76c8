//! What a user notices of the recorder: 64 actions on wordpad with its hooks, with hooks that do nothing, and
//! with none, in turns.
//!
//! Two figures: how long the actions take, waits for dialogs included, and how long wordpad's processes
//! worked meanwhile (on Linux, which tells it to the nanosecond). The noise is how far the middle half of the
//! runs with empty hooks lies apart.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Desktop, Input, Probe, Program, folders, window};

use crate::progress::Progress;
use crate::row::{Row, Wanted};
use crate::{actions, build};

const ROUNDS: usize = 7;

/// How wordpad is started.
#[derive(Clone, Copy)]
enum Hooks {
    On,
    Empty,
    Off,
}

/// Milliseconds of one run.
#[derive(Clone, Copy)]
struct Run {
    wall: f64,
    /// Of the processor, where that is known.
    work: Option<f64>,
}

/// The hooks on, empty and off.
pub(crate) fn rows() -> Result<Vec<Row>> {
    build::run(build::Purpose::Measurements, &Progress::new("build"))?;
    let folder = folders::target().join("bench").join("slowdown");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let bench = Bench::start(&folder)?;
    let mut runs = [const { Vec::new() }; 3];
    // The first round warms up.
    for round in 0..=ROUNDS {
        eprintln!("64 actions on wordpad, round {round} of {ROUNDS}");
        for (hooks, runs) in [Hooks::On, Hooks::Empty, Hooks::Off].into_iter().zip(&mut runs) {
            let run = bench.run(hooks).with_context(|| format!("round {round}"))?;
            if round > 0 {
                runs.push(run);
            }
        }
    }
    let row = |what: &str, of: &dyn Fn(&Run) -> Option<f64>| -> Option<Row> {
        let values = |runs: &[Run]| {
            let mut values: Vec<f64> = runs.iter().map(of).collect::<Option<_>>()?;
            values.sort_by(f64::total_cmp);
            Some(values)
        };
        let [on, empty, off] = [values(&runs[0])?, values(&runs[1])?, values(&runs[2])?];
        let middle = |values: &[f64]| values[values.len() / 2];
        let noise = empty[empty.len() * 3 / 4] - empty[empty.len() / 4];
        let name = format!("64 actions on wordpad, {what}, noise {noise:.0} ms");
        Some(
            Row::lower(name, "ms", middle(&on))
                .reference("empty hooks", middle(&empty))
                .floor("no hooks", middle(&off))
                .wanted(Wanted { over_reference: Some(noise), ..Wanted::default() })
                .max_ratio(1.25),
        )
    };
    let rows = [
        row("from the first to the last", &|run| Some(run.wall)),
        row("work of the processor for wordpad", &|run| run.work),
    ];
    Ok(rows.into_iter().flatten().collect())
}

struct Bench<'a> {
    // Dropped in this order: the input and the probe before the desktop they live on.
    input: Input,
    probe: Arc<Probe>,
    desktop: Arc<Desktop>,
    folder: &'a Path,
    /// `dashcam.exe` beside the DLL whose hooks can be empty.
    emptied: String,
}

impl<'a> Bench<'a> {
    fn start(folder: &'a Path) -> Result<Self> {
        let emptied = actions::program(folder)?;
        let desktop = Arc::new(Desktop::start_private()?);
        let probe = Arc::new(Probe::start(&desktop, folder)?);
        Ok(Self { input: Input::new(&desktop, &probe), probe, desktop, folder, emptied })
    }

    fn run(&self, hooks: Hooks) -> Result<Run> {
        let log = self.folder.join("log");
        let _ = fs::remove_dir_all(&log);
        let log = folders::for_windows(&log);
        let shipped = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
        let recorded = ["run", "--log", &log, "--", actions::WORDPAD];
        let start = |program: &str, args: &[&str], env: &[(&str, &str)]| {
            Program::start(&self.probe, self.folder, program, args, env)
        };
        let program = match hooks {
            Hooks::On => start(&shipped, &recorded, &[]),
            Hooks::Empty => start(&self.emptied, &recorded, &[("DASHCAM_BENCH_EMPTY", "1")]),
            Hooks::Off => start(actions::WORDPAD, &[], &[]),
        }?;
        let main = window().class("WORDPADTOP").wait(&self.probe, DEADLINE)?;
        let worked = self.worked();
        let begin = Instant::now();
        actions::act(&self.input, &self.probe, &main)?;
        let wall = begin.elapsed().as_secs_f64() * 1000.0;
        let work = self.worked().zip(worked).map(|(now, before)| now - before);
        actions::close(&self.input, &self.probe, &main)?;
        ensure!(program.wait(DEADLINE)? == 0, "{}", program.stderr()?);
        Ok(Run { wall, work })
    }

    /// Milliseconds that wordpad's threads have worked so far.
    fn worked(&self) -> Option<f64> {
        let (_, prefix) = self.desktop.environment().find(|(name, _)| *name == "WINEPREFIX")?;
        let prefix = format!("WINEPREFIX={prefix}");
        let is_wordpad = |process: &Path| {
            let has = |file: &str, part: &[u8]| {
                let bytes = fs::read(process.join(file)).unwrap_or_default();
                bytes.split(|&byte| byte == 0).any(|word| word.ends_with(part))
            };
            has("cmdline", b"wordpad.exe") && has("environ", prefix.as_bytes()) && !has("cmdline", b"run")
        };
        let processes = fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path());
        let tasks =
            processes.filter(|path| is_wordpad(path)).filter_map(|path| fs::read_dir(path.join("task")).ok());
        let nanos = tasks.flatten().flatten().filter_map(|task| {
            let told = fs::read_to_string(task.path().join("schedstat")).ok()?;
            told.split(' ').next()?.parse::<u64>().ok()
        });
        Some(nanos.sum::<u64>() as f64 / 1e6).filter(|&millis| millis > 0.0)
    }
}
