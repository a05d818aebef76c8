//! Files that people write: scripts, traces, state machines.

use anyhow::Context;
use std::path::Path;

/// A file as text. Byte order marks of editors are left out.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("{} is no text in UTF-8: save it as one", path.display()))?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}
