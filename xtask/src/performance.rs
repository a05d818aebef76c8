//! Writes the tables and plots of `docs/performance.md`.
//!
//! Between two marks the page belongs to `cargo xtask bench --write`; everything around them is
//! written by hand.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use harness::folders;

use crate::machine::Machine;
use crate::plot::{self, Line};
use crate::row::{Row, amount};

const BEGIN: &str = "<!-- measured: cargo xtask bench --write -->\n";
const END: &str = "<!-- end of what was measured -->\n";

/// Writes the pictures and the page.
pub(crate) fn write(machine: &Machine, rows: &[Row]) -> Result<()> {
    let docs = folders::workspace().join("docs");
    let pictures = docs.join("performance");
    fs::create_dir_all(&pictures)?;
    let mut section = format!("\nMeasured on {machine}.\n");
    for part in parts(rows) {
        let of_part: Vec<&Row> = rows.iter().filter(|row| row.part == part).collect();
        let _ = write!(section, "\n### {part}\n\n{}", table(&of_part));
        for (name, picture) in plots(&of_part) {
            let file = format!("{}.svg", name.replace(|c: char| !c.is_alphanumeric(), "-").to_lowercase());
            fs::write(pictures.join(&file), picture)?;
            let _ = write!(section, "\n![{name}](performance/{file})\n");
        }
    }
    let page = docs.join("performance.md");
    let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    fs::write(&page, replaced(&text, &section)?)?;
    println!("written to {}", page.display());
    Ok(())
}

/// The page with another section between the marks.
fn replaced(page: &str, section: &str) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).context("the page has no mark where the tables begin")?;
    let (_, after) = rest.split_once(END).context("the page has no mark where the tables end")?;
    ensure!(!after.contains(BEGIN), "the page has the mark twice");
    Ok(format!("{before}{BEGIN}{section}\n{END}{after}"))
}

/// In the order in which they were measured.
fn parts(rows: &[Row]) -> Vec<&str> {
    let mut parts = Vec::new();
    for row in rows {
        if !parts.contains(&row.part.as_str()) {
            parts.push(&row.part);
        }
    }
    parts
}

fn table(rows: &[&Row]) -> String {
    let mut text = String::from(
        "| row | ours | reference | floor | × reference | × floor | wanted | `--check` |\n|---|---|---|---|---|---|---|---|\n",
    );
    let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
    for row in rows {
        let [reference, floor] =
            [&row.reference, &row.floor].map(|it| it.as_ref().map_or_else(String::new, ToString::to_string));
        let reached = row.is_reached().map_or("", |is| if is { " ✓" } else { " ✗" });
        let bound = row.bound.as_ref().map_or_else(String::new, ToString::to_string);
        let _ = writeln!(
            text,
            "| {} | {} {} | {reference} | {floor} | {} | {} | {}{reached} | {bound} |",
            row.row,
            amount(row.ours),
            row.unit,
            ratio(row.ratio()),
            ratio(row.floor_ratio()),
            row.wanted,
        );
    }
    text
}

/// The plots of rows that are points of curves: ours, and the reference where it is measured
/// at each point too.
fn plots(rows: &[&Row]) -> BTreeMap<String, String> {
    let mut curves: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let Some(point) = &row.point {
            curves.entry(&point.plot).or_default().push(row);
        }
    }
    let draw = |(name, rows): (&str, Vec<&Row>)| {
        let line = |name: &str, of: &dyn Fn(&Row) -> Option<f64>| {
            let points = rows.iter().filter_map(|row| Some((row.point.as_ref()?.x, of(row)?))).collect();
            Line { name: name.to_owned(), points }
        };
        let reference = |row: &Row| row.reference.as_ref().map(|it| it.value);
        let mut lines = vec![line("ours", &|row| Some(row.ours))];
        let is_same = |pair: &[&Row]| reference(pair[0]) == reference(pair[1]);
        if let Some(first) = rows[0].reference.as_ref().filter(|_| !rows.windows(2).all(is_same)) {
            lines.push(line(&first.name, &reference));
        }
        let counted = rows[0].point.as_ref().map_or("", |point| &point.counted);
        (name.to_owned(), plot::svg(name, counted, &rows[0].unit, &lines))
    };
    curves.into_iter().map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_the_marks_is_replaced() {
        let page = format!("# Speed\n{BEGIN}old\n{END}by hand\n");
        let new = replaced(&page, "new\n").unwrap();
        assert_eq!(new, format!("# Speed\n{BEGIN}new\n\n{END}by hand\n"));
        assert_eq!(replaced(&new, "new\n").unwrap(), new, "writing twice changes nothing");
        assert!(replaced("# Speed", "new").is_err());
    }
}
