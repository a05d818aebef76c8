//! Some steps of a recording, such as `1-3,7`.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Numbers of steps, as `dashcam show` has them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Only(BTreeSet<usize>);

/// More steps nobody names one by one.
const MAX_NUMBER: usize = 10_000_000;

impl Only {
    /// Whether the list names this step.
    pub fn has(&self, step: usize) -> bool {
        self.0.contains(&step)
    }

    /// The last of them.
    pub fn last(&self) -> usize {
        self.0.last().copied().unwrap_or_default()
    }
}

impl FromIterator<usize> for Only {
    fn from_iter<T: IntoIterator<Item = usize>>(steps: T) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl FromStr for Only {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("“{text}” names no steps: write them like 1-3,7");
        let number = |text: &str| match text.trim().parse() {
            Ok(number @ 1..=MAX_NUMBER) => Ok(number),
            _ => Err(wrong()),
        };
        let mut steps = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            steps.extend(first..=last);
        }
        Ok(Self(steps))
    }
}

impl TryFrom<String> for Only {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Only {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for &step in &self.0 {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == step => *last = step,
                _ => runs.push((step, step)),
            }
        }
        for (i, (first, last)) in runs.into_iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_named_in_short() {
        let only: Only = "7, 1-3,2".parse().unwrap();
        assert_eq!(only.to_string(), "1-3,7");
        assert_eq!([only.has(3), only.has(4), only.has(7)], [true, false, true]);
        assert_eq!(only.last(), 7);
    }

    #[test]
    fn what_names_no_steps_is_refused() {
        for text in ["", ",", "0", "3-1", "a", "1-", "99999999999999999999", "1-99999999"] {
            assert!(text.parse::<Only>().is_err(), "{text}");
        }
    }
}
