//! Whether the messages of a log tell what its keyframes show, for `dashcam check`.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use window_tree::{COMPARED, Fidelity, Share};

/// What `--json` prints.
#[derive(Serialize)]
pub(crate) struct Report {
    keyframes: u64,
    windows: Agreement,
    existence: Agreement,
    all_properties: Agreement,
    properties: BTreeMap<&'static str, Agreement>,
    in_flight: u64,
    difference_count: u64,
    differences: Vec<String>,
}

#[derive(Serialize)]
struct Agreement {
    compared: u64,
    agreeing: u64,
    /// In percent, rounded down: 100 means all.
    percent: f64,
}

impl From<Share> for Agreement {
    fn from(share: Share) -> Self {
        let percent = (share.value() * 10_000.0).floor() / 100.0;
        Self { compared: share.compared, agreeing: share.agreeing, percent }
    }
}

impl Report {
    /// None if no keyframe could be compared.
    pub(crate) fn of(fidelity: &Fidelity, limit: usize) -> Option<Self> {
        (fidelity.keyframes > 0).then(|| Self {
            keyframes: fidelity.keyframes,
            windows: fidelity.windows.into(),
            existence: fidelity.existence.into(),
            all_properties: fidelity.all_properties().into(),
            properties: COMPARED.map(|p| (p.name(), fidelity.property(p).into())).into(),
            in_flight: fidelity.in_flight,
            difference_count: fidelity.difference_count,
            differences: fidelity.differences.iter().take(limit).map(ToString::to_string).collect(),
        })
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} % ({} of {})", self.percent, self.agreeing, self.compared)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  fidelity   the messages against {} keyframes:", self.keyframes)?;
        writeln!(f, "    windows         {}", self.windows)?;
        writeln!(f, "    properties      {}", self.all_properties)?;
        writeln!(f, "    existence       {}", self.existence)?;
        for (name, agreement) in &self.properties {
            writeln!(f, "    {name:<15} {agreement}")?;
        }
        if self.in_flight > 0 {
            writeln!(f, "    in flight       {} values changed while a keyframe was taken", self.in_flight)?;
        }
        if self.difference_count > 0 {
            writeln!(f, "    differences     {} (messages → keyframe)", self.difference_count)?;
        }
        for line in &self.differences {
            writeln!(f, "      {line}")?;
        }
        match self.difference_count - self.differences.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "      and {more} more: --all lists them"),
        }
    }
}
