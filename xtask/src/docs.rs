//! Builds the documentation as a book with mdBook and checks its links before and after.
//!
//! In the repository, pages also link to source files. The book does not contain those, so it shows the
//! link's text instead. Web addresses are not checked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::cargo;
use crate::progress::Progress;
use crate::setup::mdbook::{self, Origin};

/// Builds the book into `target/book`.
pub(crate) fn run() -> Result<()> {
    let place = folders::target().join("book");
    build_into(&place, Origin::Prebuilt)?;
    println!("{}", place.join("index.html").display());
    Ok(())
}

/// Builds the book into a folder and replaces its content.
pub(crate) fn build_into(place: &Path, origin: Origin) -> Result<()> {
    let (docs, source) = (folders::workspace().join("docs"), folders::target().join("book-source"));
    let wrong = wrong_links(&folders::workspace())?;
    ensure!(wrong.is_empty(), "broken links:\n  {}", wrong.join("\n  "));
    for folder in [&source, place] {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
    }
    for file in files_below(&docs)? {
        let (from, to) = (docs.join(&file), source.join(&file));
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        if is_page(&file) {
            fs::write(to, without_sources(&fs::read_to_string(from)?, &file))?;
        } else {
            fs::copy(from, to)?;
        }
    }
    let mdbook = mdbook::install(origin, &Progress::new("docs"))?;
    cargo::check(
        Command::new(mdbook).env("MDBOOK_LOG", "warn").arg("build").arg(&source).arg("--dest-dir").arg(place),
    )?;
    let _ = fs::remove_file(place.join("book.toml"));
    let wrong = wrong_references(place)?;
    ensure!(wrong.is_empty(), "broken links in the book:\n  {}", wrong.join("\n  "));
    Ok(())
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "md")
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = open.pop() {
        for entry in
            fs::read_dir(folder.join(&below)).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.path().is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// Links to missing files or headings in all pages, and pages that are missing from the table of contents.
fn wrong_links(root: &Path) -> Result<Vec<String>> {
    let docs = files_below(&root.join("docs"))?.into_iter().map(|file| Path::new("docs").join(file));
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from);
    let (mut wrong, mut listed) = (Vec::new(), BTreeSet::new());
    let pages: Vec<PathBuf> = docs.filter(|file| is_page(file)).chain(top).collect();
    for page in &pages {
        for link in links(&fs::read_to_string(root.join(page))?) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { resolve(page, path) };
            if page.ends_with("SUMMARY.md") {
                listed.insert(target.clone());
            }
            let leads = root.join(&target).exists()
                && (anchor.is_empty()
                    || !is_page(&target)
                    || anchors(&fs::read_to_string(root.join(&target))?).contains(anchor));
            if !leads {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    let forgotten = pages
        .iter()
        .filter(|page| page.starts_with("docs") && !page.ends_with("SUMMARY.md") && !listed.contains(*page));
    wrong.extend(forgotten.map(|page| format!("docs/SUMMARY.md: {} is missing", page.display())));
    Ok(wrong)
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// The links of a page, except web addresses.
fn links(text: &str) -> Vec<String> {
    let of = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    parser(text).filter_map(of).filter(|link| !link.contains("://") && !link.starts_with("mailto:")).collect()
}

/// The anchors of a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut heading) = (BTreeSet::new(), None);
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    *heading += &text;
                }
            }
            Event::End(TagEnd::Heading(_)) => found.extend(heading.take().map(|heading| anchor(&heading))),
            _ => {}
        }
    }
    found
}

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// The target of `link` in `page`, relative to the same root as `page`.
fn resolve(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

/// Replaces links that leave the book by their text.
fn without_sources(text: &str, page: &Path) -> String {
    let depth = page.components().count() - 1;
    let leaves = "../".repeat(depth + 1);
    let mut cuts = Vec::new();
    for (event, range) in parser(text).into_offset_iter() {
        if let Event::Start(Tag::Link { dest_url, .. }) = event
            && dest_url.starts_with(&leaves)
            && let Some(label) = text[range.clone()]
                .strip_prefix('[')
                .and_then(|link| link.rsplit_once("]("))
                .map(|(label, _)| label)
        {
            cuts.push((range, label.to_owned()));
        }
    }
    let mut text = text.to_owned();
    for (range, label) in cuts.into_iter().rev() {
        text.replace_range(range, &label);
    }
    text
}

/// References of the book's pages to files that do not exist.
fn wrong_references(book: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for page in
        files_below(book)?.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "html"))
    {
        // Its links are relative to the address that was not found.
        if page.ends_with("404.html") {
            continue;
        }
        let html = fs::read_to_string(book.join(&page))?;
        for attribute in ["href=\"", "src=\""] {
            for rest in html.split(attribute).skip(1) {
                let link = rest.split('"').next().unwrap_or_default();
                let path = link.split(['#', '?']).next().unwrap_or_default();
                let is_local = !path.is_empty() && !link.contains(':');
                if is_local && !book.join(resolve(&page, path)).exists() {
                    wrong.push(format!("{}: {link}", page.display()));
                }
            }
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found() {
        let page = "# What `it` is\n[a](b.md#c) ![p](x.png) <https://example.org> `[no](no.md)`\n\n## One, two & three\n";
        assert_eq!(links(page), ["b.md#c", "x.png"]);
        assert_eq!(Vec::from_iter(anchors(page)), ["one-two--three", "what-it-is"]);
    }

    #[test]
    fn links_are_relative_to_their_page() {
        assert_eq!(resolve(Path::new("docs/decisions/1.md"), "../ci.md"), Path::new("docs/ci.md"));
        assert_eq!(resolve(Path::new("README.md"), "docs/ci.md"), Path::new("docs/ci.md"));
    }

    #[test]
    fn links_to_sources_are_replaced_by_their_text() {
        let page = "The [`filter.rs`](../hook-dll/src/filter.rs), [CI](ci.md) and [more](../ci.md).";
        assert_eq!(without_sources(page, Path::new("a.md")), "The `filter.rs`, [CI](ci.md) and more.");
        assert_eq!(without_sources(page, Path::new("decisions/1.md")), page);
    }

    #[test]
    fn broken_links_and_missing_pages_are_found() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("docs"))?;
        for (page, text) in [
            ("README.md", "[one](docs/a.md#here)"),
            ("ARCHITECTURE.md", "[two](docs/a.md#there)"),
            ("CONTRIBUTING.md", "[three](docs/gone.md)"),
            ("docs/SUMMARY.md", "- [A](a.md)"),
            ("docs/a.md", "# Here"),
            ("docs/b.md", ""),
        ] {
            fs::write(folder.path().join(page), text)?;
        }
        let wrong = wrong_links(folder.path())?;
        assert_eq!(
            wrong,
            [
                "ARCHITECTURE.md: docs/a.md#there",
                "CONTRIBUTING.md: docs/gone.md",
                "docs/SUMMARY.md: docs/b.md is missing"
            ]
        );
        Ok(())
    }
}
