//! Measures how long a program takes to start under `dashcam run` until its first message is recorded,
//! compared with a plain start until its window appears.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use harness::wait::{DEADLINE, wait_until};
use harness::{Desktop, Probe, Program, Recording, folders, window};
use message_log::Kind;

use crate::build;
use crate::progress::Progress;
use crate::row::{Row, Wanted};

const ROUNDS: usize = 7;

/// The start of notepad.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let (recorded, plain) = measure()?;
    Ok(vec![
        Row::lower("start of notepad by `dashcam run` until its first message is recorded", "ms", recorded)
            .reference("plain start until its window is there", plain)
            .wanted(Wanted { over_reference: Some(150.0), ..Wanted::default() })
            .max_ratio(3.0),
    ])
}

/// The median in milliseconds, with the recorder and without.
fn measure() -> Result<(f64, f64)> {
    build::run(build::Purpose::Measurements, &Progress::new("build"))?;
    let folder = folders::target().join("bench").join("startup");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let desktop = Arc::new(Desktop::start_private()?);
    let probe = Arc::new(Probe::start(&desktop, &folder)?);
    let (mut recorded, mut plain) = (Vec::new(), Vec::new());
    // The first round warms up.
    for round in 0..=ROUNDS {
        let times = (start_recorded(&probe, &folder, round)?, start_plain(&probe, &folder)?);
        if round > 0 {
            recorded.push(times.0);
            plain.push(times.1);
        }
    }
    Ok((median(recorded), median(plain)))
}

fn start_plain(probe: &Arc<Probe>, folder: &Path) -> Result<f64> {
    let begin = Instant::now();
    let program = Program::start(probe, folder, "notepad", &[], &[])?;
    let main = window().class("Notepad").of_process(program.pid());
    main.wait(probe, DEADLINE)?;
    let millis = begin.elapsed().as_secs_f64() * 1000.0;
    program.end()?;
    main.wait_gone(probe, DEADLINE)?;
    Ok(millis)
}

fn start_recorded(probe: &Arc<Probe>, folder: &Path, round: usize) -> Result<f64> {
    let recording = Recording { folder: folder.join(format!("log-{round}")) };
    let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let log = folders::for_windows(&recording.folder);
    let begin = Instant::now();
    let run = Program::start(probe, folder, &dashcam, &["run", "--log", &log, "--", "notepad"], &[])?;
    wait_until("the first message", DEADLINE, || {
        // The log does not exist yet or is incomplete.
        let events = recording.read().map(|(events, _)| events.0).unwrap_or_default();
        Ok(events.iter().any(|event| matches!(event.kind, Kind::Message(_))).then_some(()))
    })?;
    let millis = begin.elapsed().as_secs_f64() * 1000.0;
    let main = window().class("Notepad");
    main.wait(probe, DEADLINE)?;
    // Also ends the notepad that it started.
    run.end()?;
    main.wait_gone(probe, DEADLINE)?;
    Ok(millis)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
