//! The list of every file in ARCHITECTURE.md: what each is for, in the first sentence of its
//! own documentation.
//!
//! `cargo xtask map` writes the list between two marks; everything around them is written by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use harness::folders;

use super::sources::{self, Source};

const PAGE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- written by cargo xtask map -->\n";
const END: &str = "<!-- end of what cargo xtask map writes -->\n";

/// Files without documentation, and whether the page's list is the one that would be written.
pub(super) fn check(sources: &[Source], page: &str) -> Result<Vec<String>> {
    let undocumented = sources.iter().filter(|source| first_sentence(&source.text).is_none());
    let mut findings: Vec<String> = undocumented
        .map(|source| format!("{}: it does not begin with //! and a sentence", source.path))
        .collect();
    let wanted = list(sources);
    let (_, listed, _) = parts(page)?;
    if listed != wanted {
        let differs = |text: &str, other: &str| -> Vec<String> {
            let others: Vec<&str> = other.lines().collect();
            text.lines().filter(|line| !others.contains(line)).map(str::to_owned).collect()
        };
        findings.extend(differs(&wanted, listed).into_iter().map(|row| format!("{PAGE} lacks {row}")));
        findings.extend(differs(listed, &wanted).into_iter().map(|row| format!("{PAGE} has {row}")));
        findings.push(format!("{PAGE} is not up to date; run: cargo xtask map"));
    }
    Ok(findings)
}

/// Writes the list into ARCHITECTURE.md.
pub(crate) fn write() -> Result<()> {
    let page = read_page()?;
    let (before, _, after) = parts(&page)?;
    let page = format!("{before}{BEGIN}{}{END}{after}", list(&sources::all()?));
    fs::write(folders::workspace().join(PAGE), page)?;
    println!("wrote the list of files into {PAGE}");
    Ok(())
}

pub(super) fn read_page() -> Result<String> {
    fs::read_to_string(folders::workspace().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))
}

/// What comes before the list, the list, and what comes after it.
fn parts(page: &str) -> Result<(&str, &str, &str)> {
    let (before, rest) = page.split_once(BEGIN).with_context(|| format!("{PAGE} has no mark {BEGIN}"))?;
    let (listed, after) = rest.split_once(END).with_context(|| format!("{PAGE} has no mark {END}"))?;
    ensure!(!after.contains(BEGIN), "{PAGE} has the mark {BEGIN} twice");
    Ok((before, listed, after))
}

/// A table for each folder.
fn list(sources: &[Source]) -> String {
    let mut folders: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for source in sources {
        let (folder, file) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
        let sentence = first_sentence(&source.text).unwrap_or_default();
        folders.entry(folder).or_default().push((file, sentence));
    }
    let mut text = String::new();
    for (folder, files) in folders {
        let _ = write!(text, "\n### `{folder}/`\n\n| file | what it is for |\n|---|---|\n");
        for (file, sentence) in files {
            let _ = writeln!(text, "| `{file}` | {sentence} |");
        }
    }
    text + "\n"
}

/// The first sentence of a file's documentation, without links; nothing if it has none.
fn first_sentence(text: &str) -> Option<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let mut end = paragraph.len();
    for (index, _) in paragraph.match_indices(". ") {
        // Not within `code`, and not an abbreviation: a sentence begins with a capital letter.
        let is_outside = paragraph[..index].matches('`').count().is_multiple_of(2);
        let begins = paragraph[index + 2..].chars().next().is_some_and(|c| c.is_uppercase() || c == '`');
        if is_outside && begins {
            end = index + 1;
            break;
        }
    }
    let sentence = paragraph[..end].replace("[`", "`").replace("`]", "`").replace('|', "\\|");
    (!sentence.is_empty()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    #[test]
    fn the_first_sentence_is_found() {
        let sentence = |text| first_sentence(text).unwrap_or_default();
        assert_eq!(sentence("//! One a. b.\n//! Two.\nuse x;"), "One a. b.");
        assert_eq!(
            sentence("//! What [`a. B`] and\n//! c do: d.\n//!\n//! More."),
            "What `a. B` and c do: d."
        );
        assert_eq!(sentence("// no\n//! Late."), "");
        assert_eq!(sentence("use x;"), "");
    }

    #[test]
    fn an_outdated_list_and_a_file_without_documentation_are_found() -> Result<()> {
        let sources = planted(&[("a/src/b.rs", "//! Does b."), ("a/src/c.rs", "use x;")]);
        let page = |rows: &str| {
            format!("# A\n{BEGIN}\n### `a/src/`\n\n| file | what it is for |\n|---|---|\n{rows}\n{END}end\n")
        };
        assert_eq!(
            check(&sources, &page("| `b.rs` | Does b. |\n| `c.rs` |  |\n"))?,
            ["a/src/c.rs: it does not begin with //! and a sentence"]
        );
        let outdated = check(&sources[..1], &page("| `old.rs` | Was here. |\n"))?;
        assert_eq!(
            outdated,
            [
                "ARCHITECTURE.md lacks | `b.rs` | Does b. |",
                "ARCHITECTURE.md has | `old.rs` | Was here. |",
                "ARCHITECTURE.md is not up to date; run: cargo xtask map"
            ]
        );
        assert!(check(&sources, "# A page without marks").is_err());
        Ok(())
    }
}
