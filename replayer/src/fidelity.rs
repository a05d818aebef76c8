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

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::Log;
    use window_tree::Rebuild;

    #[test]
    fn a_recording_of_notepad_is_told_by_its_messages() {
        let log = include_bytes!("../../tests/recordings/notepad-en.dashcam");
        let mut rebuild = Rebuild::new();
        for entry in Log::from_bytes("notepad-en.dashcam", log).unwrap() {
            rebuild.take(&entry.unwrap());
        }
        let tree = rebuild.finish();
        let report = Report::of(tree.fidelity(), 1).unwrap();
        let text = report.to_string();
        assert!(text.starts_with("  fidelity   the messages against "), "{text}");
        assert!(text.contains("    parent          100.00 % ("), "{text}");
        // Scroll bars come and go without a message: all differences are listed or counted.
        assert!(text.contains("ListBox") && text.contains(" more: --all lists them"), "{text}");
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["existence"]["percent"], 100.0);
        assert_eq!(
            json["properties"]["resource id"]["agreeing"],
            json["properties"]["resource id"]["compared"]
        );
        assert_eq!(json["differences"].as_array().unwrap().len(), 1);
        assert!(Report::of(Rebuild::new().finish().fidelity(), 1).is_none(), "nothing was compared");
    }

    #[test]
    fn a_share_is_never_rounded_up_to_all() {
        let nearly = Agreement::from(Share { compared: 100_000, agreeing: 99_999 });
        assert_eq!(nearly.to_string(), "99.99 % (99999 of 100000)");
    }
}
