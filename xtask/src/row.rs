//! A row of the benchmark table: our figure, the figures it is compared with, its target, and the ratios at
//! which `--check` fails.
//!
//! Only ratios can fail, because an absolute time depends more on the machine than on the program. Benchmarks
//! print one row per line as JSON.

use std::fmt;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// One measurement.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) row: String,
    pub(crate) unit: String,
    pub(crate) ours: f64,
    /// The simplest program that does the same work.
    pub(crate) reference: Option<Amount>,
    /// A lower bound that no program can beat.
    pub(crate) floor: Option<Amount>,
    #[serde(default)]
    pub(crate) wanted: Wanted,
    #[serde(default)]
    pub(crate) bound: Option<Bound>,
    /// `higher` or `lower`.
    pub(crate) better: String,
    /// Its point, if the row belongs to a curve.
    #[serde(default)]
    pub(crate) point: Option<Point>,
    /// Which part of the benchmark it belongs to.
    #[serde(default)]
    pub(crate) part: String,
}

/// A figure to compare with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Amount {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// A point of a curve.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Point {
    /// The curve's name.
    pub(crate) plot: String,
    /// The quantity on the x axis, and its value.
    pub(crate) counted: String,
    pub(crate) x: f64,
}

/// The targets of a row; all must be reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    pub(crate) at_most: Option<f64>,
    pub(crate) at_least: Option<f64>,
    /// At most this much above the floor.
    pub(crate) over_floor: Option<f64>,
    /// At most this many times the floor.
    pub(crate) times_floor: Option<f64>,
    /// At most this much above the reference.
    pub(crate) over_reference: Option<f64>,
    /// At least this many times the reference.
    pub(crate) times_reference: Option<f64>,
}

/// The ratios at which `--check` fails.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Bound {
    /// `ours` divided by the reference is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_ratio: Option<f64>,
    /// `ours` divided by the reference is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_ratio: Option<f64>,
    /// `ours` divided by the floor is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_floor_ratio: Option<f64>,
}

impl Row {
    /// A row where lower is better.
    pub(crate) fn lower(row: impl Into<String>, unit: &str, ours: f64) -> Self {
        Self { row: row.into(), unit: unit.into(), ours, better: "lower".into(), ..Self::default() }
    }

    /// A row where higher is better.
    pub(crate) fn higher(row: impl Into<String>, unit: &str, ours: f64) -> Self {
        Self { better: "higher".into(), ..Self::lower(row, unit, ours) }
    }

    pub(crate) fn reference(self, name: &str, value: f64) -> Self {
        Self { reference: Some(Amount { name: name.into(), value }), ..self }
    }

    pub(crate) fn floor(self, name: &str, value: f64) -> Self {
        Self { floor: Some(Amount { name: name.into(), value }), ..self }
    }

    pub(crate) fn wanted(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    pub(crate) fn at_most(self, value: f64) -> Self {
        self.wanted(Wanted { at_most: Some(value), ..Wanted::default() })
    }

    /// `--check` fails where `ours` divided by the reference is less.
    pub(crate) fn min_ratio(self, ratio: f64) -> Self {
        Self { bound: Some(Bound { min_ratio: Some(ratio), ..Bound::default() }), ..self }
    }

    /// `--check` fails where `ours` divided by the reference is more.
    pub(crate) fn max_ratio(self, ratio: f64) -> Self {
        Self { bound: Some(Bound { max_ratio: Some(ratio), ..Bound::default() }), ..self }
    }

    /// Makes the row a point of a curve. Unused on systems without a browser.
    #[cfg(not(windows))]
    pub(crate) fn point(self, plot: &str, counted: &str, x: f64) -> Self {
        Self { point: Some(Point { plot: plot.into(), counted: counted.into(), x }), ..self }
    }

    /// Our figure divided by the reference.
    pub(crate) fn ratio(&self) -> Option<f64> {
        self.reference.as_ref().map(|reference| self.ours / reference.value)
    }

    /// Our figure divided by the floor, unless the floor is 0.
    pub(crate) fn floor_ratio(&self) -> Option<f64> {
        self.floor.as_ref().filter(|floor| floor.value != 0.0).map(|floor| self.ours / floor.value)
    }

    /// Whether it reaches its targets; `None` if it has none.
    pub(crate) fn is_reached(&self) -> Option<bool> {
        let Wanted { at_most, at_least, over_floor, times_floor, over_reference, times_reference } =
            self.wanted;
        let over = |amount: &Option<Amount>| amount.as_ref().map(|amount| self.ours - amount.value);
        let most = [
            (at_most, Some(self.ours)),
            (over_floor, over(&self.floor)),
            (times_floor, self.floor_ratio()),
            (over_reference, over(&self.reference)),
        ];
        let least = [(at_least, Some(self.ours)), (times_reference, self.ratio())];
        let most = most.into_iter().filter_map(|(wanted, is)| Some(is? <= wanted?));
        let least = least.into_iter().filter_map(|(wanted, is)| Some(is? >= wanted?));
        most.chain(least).reduce(|a, b| a && b)
    }

    /// Describes the broken bound, if any.
    pub(crate) fn broken_bound(&self) -> Option<String> {
        let bound = self.bound?;
        let low = (bound.min_ratio, self.ratio(), "the reference");
        let high = [
            (bound.max_ratio, self.ratio(), "the reference"),
            (bound.max_floor_ratio, self.floor_ratio(), "the floor"),
        ];
        let tell = |ratio: f64, of: &str, wanted: String| {
            format!("{}: {ratio:.2} of {of}, {wanted} wanted", self.row)
        };
        let below = |(bound, ratio, of): (Option<f64>, Option<f64>, &str)| {
            let (bound, ratio) = (bound?, ratio?);
            (ratio < bound).then(|| tell(ratio, of, format!("at least {bound}")))
        };
        let above = |(bound, ratio, of): (Option<f64>, Option<f64>, &str)| {
            let (bound, ratio) = (bound?, ratio?);
            (ratio > bound).then(|| tell(ratio, of, format!("at most {bound}")))
        };
        below(low).or_else(|| high.into_iter().find_map(above))
    }
}

/// The rows that a benchmark printed. Lines that are not JSON objects come from cargo.
pub(crate) fn read(output: &str) -> Result<Vec<Row>> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    let rows: Result<Vec<Row>> =
        lines.map(|line| serde_json::from_str(line).with_context(|| format!("not a row: {line}"))).collect();
    let rows = rows?;
    ensure!(!rows.is_empty(), "they printed no row");
    Ok(rows)
}

/// Formats a number with three significant digits: the rest is noise.
pub(crate) fn amount(value: f64) -> String {
    match value.abs() {
        it if it >= 1e6 => format!("{:.2} million", value / 1e6),
        it if it >= 100.0 => format!("{value:.0}"),
        it if it >= 10.0 => format!("{value:.1}"),
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", amount(self.value), self.name)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.at_most, "at most ", ""),
            (self.at_least, "at least ", ""),
            (self.over_floor, "at most ", " over the floor"),
            (self.times_floor, "at most ", " × the floor"),
            (self.over_reference, "at most ", " over the reference"),
            (self.times_reference, "at least ", " × the reference"),
        ];
        let parts = parts
            .into_iter()
            .filter_map(|(value, before, behind)| Some(format!("{before}{}{behind}", amount(value?))));
        write!(f, "{}", parts.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.min_ratio, "at least ", ""),
            (self.max_ratio, "at most ", ""),
            (self.max_floor_ratio, "at most ", " × the floor"),
        ];
        let parts = parts
            .into_iter()
            .filter_map(|(value, before, behind)| Some(format!("{before}{}{behind}", value?)));
        write!(f, "{}", parts.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = r#"
running
{"row":"reader, XML","unit":"MB/s","ours":312.0,"reference":{"name":"bare loop","value":700.0},"floor":null,"bound":{"min_ratio":0.3},"better":"higher"}
{"row":"ring","unit":"M/s","ours":9.0,"reference":null,"floor":null,"bound":null,"better":"higher"}
{"row":"writer","unit":"MB/s","ours":50.0,"reference":{"name":"loop","value":40.0},"floor":{"name":"copy","value":9.0},"bound":{"max_ratio":1.2},"better":"lower"}
{"row":"copy","unit":"ns","ours":50.0,"reference":null,"floor":{"name":"copy","value":10.0},"bound":{"max_floor_ratio":4.0},"better":"lower"}
"#;

    #[test]
    fn only_broken_bounds_are_reported() {
        let broken: Vec<_> = read(OUTPUT).unwrap().iter().filter_map(Row::broken_bound).collect();
        let expected = [
            "writer: 1.25 of the reference, at most 1.2 wanted",
            "copy: 5.00 of the floor, at most 4 wanted",
        ];
        assert_eq!(broken, expected);
    }

    #[test]
    fn a_malformed_or_missing_row_is_an_error() {
        assert!(read(r#"{"row":"reader"}"#).is_err());
        assert!(read("running 0 tests").is_err(), "silence is no success");
    }

    #[test]
    fn all_that_is_wanted_must_be_reached() {
        let row = Row::lower("callback", "ns", 90.0).floor("copy", 31.0).reference("paper", 100.0);
        let reached = |wanted| row.clone().wanted(wanted).is_reached();
        let nothing = Wanted::default();
        assert_eq!(reached(nothing), None);
        let both = Wanted { at_most: Some(100.0), times_floor: Some(3.0), ..nothing };
        assert_eq!(reached(both), Some(true));
        assert_eq!(reached(Wanted { at_most: Some(80.0), ..both }), Some(false));
        assert_eq!(reached(Wanted { over_floor: Some(58.0), ..nothing }), Some(false));
        assert_eq!(reached(Wanted { times_reference: Some(0.9), ..nothing }), Some(true));
        assert_eq!(both.to_string(), "at most 100, at most 3 × the floor");
    }

    #[test]
    fn amounts_have_three_figures() {
        assert_eq!(
            [2_812_345.0, 513.4, 48.96, 1.304, 3.0].map(amount),
            ["2.81 million", "513", "49.0", "1.30", "3"]
        );
    }
}
