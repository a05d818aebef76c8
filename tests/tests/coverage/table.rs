//! `docs/coverage.md`: its tables are made by the tests and held to them.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use harness::folders;
use serde_json::Value;

use crate::row::Chapter;

/// The rows of a chapter as the page has them.
pub(crate) fn section(chapter: &Chapter, plans: &[Vec<Value>]) -> String {
    let mut out = String::from(
        "| control | interaction | how it is replayed | by posting alone | real pointer |\n|---|---|---|---|---|\n",
    );
    for (row, plan) in chapter.rows.iter().zip(plans) {
        let Way { how, posting, pointer } = way(plan);
        let _ = writeln!(out, "| {} | {} | {how} | {posting} | {pointer} |", row.control, row.interaction);
    }
    for gap in chapter.gaps {
        let _ = writeln!(
            out,
            "| {} | {} | **not replayed**: {}; instead: {} | — | — |",
            gap.control, gap.interaction, gap.why, gap.instead
        );
    }
    out
}

/// How the steps of a row are replayed, whether posting alone does it, and whether it takes the real pointer.
struct Way {
    how: String,
    posting: &'static str,
    pointer: &'static str,
}

fn way(plan: &[Value]) -> Way {
    let mut ways: Vec<&str> = Vec::new();
    let (mut posting, mut pointer) = (true, false);
    for act in plan.iter().flat_map(|step| step["acts"].as_array().into_iter().flatten()) {
        let way = act["way"].as_str().unwrap_or("?");
        if !ways.contains(&way) {
            ways.push(way);
        }
        posting &= act["agent"] == false;
        pointer |= act["act"].as_str().is_some_and(|act| act.starts_with("the real pointer"));
    }
    let how = if ways.is_empty() { "nothing has to be done".to_owned() } else { ways.join(", ") };
    let said = |is: bool| if is { "yes" } else { "no" };
    Way { how, posting: said(posting), pointer: said(pointer) }
}

/// Holds the page to a section, or writes it with UPDATE_GOLDENS=1.
pub(crate) fn check(name: &str, section: &str) -> Result<()> {
    let file = folders::workspace().join("docs/coverage.md");
    let page = fs::read_to_string(&file)?;
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let start = page.find(&begin).with_context(|| format!("docs/coverage.md has no {begin}"))? + begin.len();
    let stop = start + page[start..].find(&end).with_context(|| format!("docs/coverage.md has no {end}"))?;
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&file, format!("{}{section}{}", &page[..start], &page[stop..]))?;
        return Ok(());
    }
    ensure!(
        page[start..stop] == *section,
        "docs/coverage.md says otherwise of {name}; UPDATE_GOLDENS=1 makes it say:\n{section}"
    );
    Ok(())
}
