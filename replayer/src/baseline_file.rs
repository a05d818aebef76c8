//! Reads and writes the files of baselines.

use anyhow::Context;
use replay_engine::oracle::Baseline;
use std::path::Path;

/// Reads a baseline.
pub(crate) fn read(path: &Path) -> anyhow::Result<Baseline> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read: capture it with dashcam baseline", path.display()))?;
    Baseline::parse(&text).with_context(|| format!("{} is no baseline", path.display()))
}

/// Writes a baseline.
pub(crate) fn write(baseline: &Baseline, path: &Path) -> anyhow::Result<()> {
    std::fs::write(path, baseline.to_text()?).with_context(|| format!("cannot write {}", path.display()))
}
