//! Reads the recording of a log, as replays, reports and the minimizer need it.

use crate::log_files::{self, NO_LOG};
use anyhow::ensure;
use replay_engine::oracle::FileMap;
use replay_engine::{Reading, Recording};
use std::path::Path;

/// Reads a log; the map replaces names of recorded files.
pub(crate) fn read(log: &Path, map: &FileMap) -> anyhow::Result<Recording> {
    let mut reading = Reading::default();
    for entry in log_files::open(log)?.newest() {
        reading.take(&map.entry(entry?));
    }
    let mut recording = reading.finish();
    map.plan(&mut recording.plan);
    ensure!(recording.is_log, "{} {NO_LOG}", log.display());
    Ok(recording)
}
