//! A baseline: the complete state after each step, in lines of JSON beside the script.
//!
//! The first line is a head; each further one has a step and what is otherwise than after the step before, so
//! that a change of the application is a small change of the file.

use super::{State, WindowState};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const VERSION: u32 = 1;

/// The complete state after each step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The states by step number.
    pub states: BTreeMap<usize, State>,
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

/// Why a text is not a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The text has no lines.
    #[error("it is empty")]
    Empty,
    /// A line is not what the format allows there.
    #[error("line {line}: {error}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A newer version of Dashcam wrote it.
    #[error("it has format {0}, and this dashcam knows {VERSION}: use a newer one")]
    Newer(u32),
    /// Two lines describe the same step.
    #[error("step {0} is there twice")]
    Duplicate(usize),
}

impl Baseline {
    /// Reads the written form.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let at = |line: usize| move |error| BaselineError::Line { line, error };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or(BaselineError::Empty)?;
        let Head { dashcam_baseline: version } = serde_json::from_str(head).map_err(at(1))?;
        if version > VERSION {
            return Err(BaselineError::Newer(version));
        }
        let (mut states, mut windows) = (BTreeMap::new(), Windows::new());
        for (number, line) in lines {
            let line: Line = serde_json::from_str(line).map_err(at(number + 1))?;
            line.gone.iter().for_each(|gone| drop(windows.remove(gone)));
            windows.extend(line.windows.into_iter().map(|window| (window.window, window)));
            let state = State { windows: windows.values().cloned().collect() };
            if states.insert(line.step, state).is_some() {
                return Err(BaselineError::Duplicate(line.step));
            }
        }
        Ok(Self { states })
    }

    /// The written form.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
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
        let text = baseline.to_text().unwrap();
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
            let error = Baseline::parse(text).unwrap_err().to_string();
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
