//! Which scripts run here, and in which order.

use super::history::History;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// More machines than anyone has.
const MANY: usize = 10_000;

/// One of several machines, from 1. Written and read as m/n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Shard {
    pub(crate) number: usize,
    pub(crate) of: usize,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(m, n)| Some((m.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if of <= MANY && (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("a shard is m/n, from 1/n to n/n, and n at most {MANY}")),
        }
    }
}

impl Shard {
    /// The scripts of this shard: the longest first, each to the shard that has least to do. Without a
    /// history each counts the same, and one that is not in it counts as one in the middle. Every shard sees
    /// the same history, or none.
    pub(crate) fn part(self, names: &[String], history: &History) -> Vec<String> {
        let mut known: Vec<f64> = names.iter().filter_map(|name| history.seconds(name)).collect();
        known.sort_by(f64::total_cmp);
        let middle = known.get(known.len() / 2).copied().unwrap_or(1.0);
        let mut all: Vec<(f64, &String)> =
            names.iter().map(|name| (history.seconds(name).unwrap_or(middle), name)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let mut shards = vec![(0.0, Vec::new()); self.of];
        for (seconds, name) in all {
            let least = (0..self.of).min_by(|&a, &b| f64::total_cmp(&shards[a].0, &shards[b].0));
            let (busy, part) = &mut shards[least.expect("there is a shard")];
            *busy += seconds.max(0.001);
            part.push(name.clone());
        }
        let mut part = shards.swap_remove(self.number - 1).1;
        part.sort();
        part
    }
}

/// The order to run in: those that failed first if so wanted, then the longest, so that no long one
/// begins at the end.
pub(crate) fn order(names: &mut [String], history: &History, failed_first: bool) {
    let key = |name: &String| {
        let millis = history.seconds(name).map_or(u64::MAX, |seconds| (seconds * 1000.0) as u64);
        (Reverse(failed_first && history.has_failed(name)), Reverse(millis), name.clone())
    };
    names.sort_by_cached_key(key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::result::Outcome;
    use crate::suite::result::tests::result;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("t{number:02}")).collect()
    }

    fn history(seconds: &[f64]) -> History {
        let mut history = History::default();
        let all = seconds.iter().enumerate();
        history.add(&all.map(|(n, s)| result(&format!("t{n:02}"), Outcome::Passed, *s)).collect::<Vec<_>>());
        history
    }

    fn parts(names: &[String], of: usize, history: &History) -> Vec<Vec<String>> {
        (1..=of).map(|number| Shard { number, of }.part(names, history)).collect()
    }

    /// Every script is in one shard and no other, and no shard has more to do than the best possible by more
    /// than the longest script.
    #[test]
    fn shards_are_a_partition_and_balanced() {
        let mut seed = 7u64;
        let mut random = move |most: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % most
        };
        for _ in 0..300 {
            let (count, of) = (random(40) as usize, random(6) as usize + 1);
            let seconds: Vec<f64> = (0..count).map(|_| random(1000) as f64 / 10.0 + 0.1).collect();
            let (names, history) = (names(count), history(&seconds));
            let parts = parts(&names, of, &history);
            let mut all: Vec<String> = parts.concat();
            all.sort();
            assert_eq!(all, names);
            let busy = |part: &Vec<String>| part.iter().filter_map(|name| history.seconds(name)).sum::<f64>();
            let most = parts.iter().map(busy).fold(0.0, f64::max);
            let (total, longest) = (seconds.iter().sum::<f64>(), seconds.iter().copied().fold(0.0, f64::max));
            assert!(most <= total / of as f64 + longest + 1e-6, "{most} of {total} in {of}");
        }
    }

    #[test]
    fn without_a_history_shards_have_the_same_number() {
        let sizes: Vec<usize> = parts(&names(10), 3, &History::default()).iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 3, 3]);
    }

    #[test]
    fn a_shard_is_one_of_several() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for bad in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/10001"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn failed_ones_come_first_if_wanted_and_long_ones_before_short_ones() {
        let mut history = history(&[1.0, 5.0, 3.0]);
        history.add(&[result("t00", Outcome::Flaky, 1.0)]);
        let mut all = names(4);
        order(&mut all, &history, true);
        assert_eq!(all, ["t00", "t03", "t01", "t02"]);
        order(&mut all, &history, false);
        assert_eq!(all, ["t03", "t01", "t02", "t00"]);
    }
}
