//! A baseline: the complete state after each step, in lines of JSON beside the script.
//!
//! The first line is a head; each further one has a step and what is otherwise than after the step before, so that a change of the application is a
//! small change of the file.

use super::{State, WindowState};
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: u32 = 1;

/// The complete state after each step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    pub(crate) states: BTreeMap<usize, State>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    dashcam_baseline: u32,
}

#[derive(Serialize, Deserialize)]
struct Line {
    step: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    windows: Vec<WindowState>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gone: Vec<u64>,
}

type Windows = BTreeMap<u64, WindowState>;

impl Baseline {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| {
            format!("{} cannot be read: capture it with dashcam baseline", path.display())
        })?;
        Self::parse(&text).with_context(|| format!("{} is no baseline", path.display()))
    }

    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        std::fs::write(path, self.text()?).with_context(|| format!("cannot write {}", path.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().context("it is empty")?;
        let Head { dashcam_baseline: version } = serde_json::from_str(head).context("line 1")?;
        ensure!(
            version <= VERSION,
            "it has format {version}, and this dashcam knows {VERSION}: use a newer one"
        );
        let (mut states, mut windows) = (BTreeMap::new(), Windows::new());
        for (number, line) in lines {
            let line: Line = serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
            line.gone.iter().for_each(|gone| drop(windows.remove(gone)));
            windows.extend(line.windows.into_iter().map(|window| (window.window, window)));
            let state = State { windows: windows.values().cloned().collect() };
            if states.insert(line.step, state).is_some() {
                bail!("step {} is there twice", line.step);
            }
        }
        Ok(Self { states })
    }

    fn text(&self) -> anyhow::Result<String> {
        let mut text = serde_json::to_string(&Head { dashcam_baseline: VERSION })? + "\n";
        let mut before = Windows::new();
        for (step, state) in &self.states {
            let now: Windows = state.windows.iter().map(|window| (window.window, window.clone())).collect();
            let windows = now.values().filter(|window| before.get(&window.window) != Some(window)).cloned();
            let gone = before.keys().filter(|window| !now.contains_key(window)).copied();
            let line = Line { step: *step, windows: windows.collect(), gone: gone.collect() };
            text += &(serde_json::to_string(&line)? + "\n");
            before = now;
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::state::tests::window;

    #[test]
    fn a_baseline_is_the_same_after_writing_and_reading_and_tells_only_changes() {
        let first = State { windows: vec![window(1, 0, "Frame", "a"), window(2, 1, "Edit", "")] };
        let second = State { windows: vec![window(1, 0, "Frame", "a"), window(3, 0, "#32770", "Find")] };
        let baseline = Baseline { states: [(1, first.clone()), (2, second), (5, first)].into() };
        let text = baseline.text().unwrap();
        assert_eq!(Baseline::parse(&text).unwrap(), baseline);
        let second = text.lines().nth(2).unwrap();
        assert!(second.contains("\"gone\":[2]") && !second.contains("Frame"), "{second}");
    }

    #[test]
    fn what_is_none_is_refused_with_its_line() {
        for (text, wrong) in [
            ("", "it is empty"),
            ("{}", "line 1"),
            ("{\"dashcam_baseline\":2}", "format 2"),
            ("{\"dashcam_baseline\":1}\n{\"step\":1}\nx", "line 3"),
            ("{\"dashcam_baseline\":1}\n{\"step\":1}\n{\"step\":1}", "twice"),
        ] {
            let error = format!("{:#}", Baseline::parse(text).unwrap_err());
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
