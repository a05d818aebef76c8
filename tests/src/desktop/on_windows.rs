//! On Windows there is only the user's own desktop, which is neither started nor stopped.

use anyhow::Result;

/// Represents the right to use the desktop.
#[derive(Debug)]
pub(super) struct Private;

impl Private {
    pub(super) fn start() -> Result<Self> {
        Ok(Private)
    }

    pub(super) fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

pub(super) fn kept() -> Result<Vec<(String, String)>> {
    Ok(Vec::new())
}

pub(super) fn stop_kept() -> Result<bool> {
    Ok(false)
}
