//! A row of the speed table, as `cargo xtask bench` reads it.

use serde_json::{Value, json};

/// What a figure is compared with: its name and its value.
pub(crate) type Amount<'a> = (&'a str, f64);

/// One row, being put together.
pub(crate) struct Row(Value);

impl Row {
    /// A figure of which less is better.
    pub(crate) fn new(name: &str, unit: &str, ours: f64) -> Self {
        Self(json!({ "row": name, "unit": unit, "ours": ours, "better": "lower" }))
    }

    pub(crate) fn reference(self, of: Amount<'_>) -> Self {
        self.with("reference", json!({ "name": of.0, "value": of.1 }))
    }

    pub(crate) fn floor(self, of: Amount<'_>) -> Self {
        self.with("floor", json!({ "name": of.0, "value": of.1 }))
    }

    /// What it must reach.
    pub(crate) fn wanted(self, what: Value) -> Self {
        self.with("wanted", what)
    }

    /// The ratios at which `--check` fails.
    pub(crate) fn bound(self, bound: Value) -> Self {
        self.with("bound", bound)
    }

    /// Where it lies on a curve.
    pub(crate) fn point(self, plot: &str, counted: &str, x: usize) -> Self {
        self.with("point", json!({ "plot": plot, "counted": counted, "x": x }))
    }

    pub(crate) fn print(self) {
        println!("{}", self.0);
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.0[name] = value;
        self
    }
}
