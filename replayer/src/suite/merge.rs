//! `dashcam merge`: the results of several shards become one, in the form that the name of the file asks for.

use super::history::History;
use super::result::{self, TestResult};
use super::test::{exit_code, write};
use super::{junit, page, print};
use crate::output::say;
use crate::wildcards;
use anyhow::{bail, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `dashcam merge` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// What `dashcam test --json` said, one file for each shard.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The file to write: .xml is JUnit, .jsonl lines of JSON, .html a page to look at. May be given several times.
    #[arg(short, long, required = true)]
    output: Vec<PathBuf>,
    /// The file of the last runs, which is read and written anew.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Exit with 0 if nothing is worse than flaky.
    #[arg(long)]
    allow_flaky: bool,
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let results = merged(&wildcards::expand(&arguments.results)?)?;
    let mut history = arguments.history.as_deref().map_or_else(|| Ok(History::default()), History::read)?;
    for path in &arguments.output {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let text = match ending.as_str() {
            "xml" => junit::of_suite(&results)?,
            "jsonl" | "json" => result::to_lines(&results)?,
            "html" => page::of_suite("All shards", "", &with_pages_beside(path, &results), &history)?,
            _ => bail!("{}: the name must end in .xml, .jsonl or .html", path.display()),
        };
        write(path, &text)?;
    }
    if let Some(path) = &arguments.history {
        history.add(&results);
        history.write(path)?;
    }
    say(&print::summary(&results))?;
    Ok(exit_code(&results, arguments.allow_flaky))
}

/// A page of a replay is linked to only where it lies beside the page of all, as its shard has written it.
fn with_pages_beside(page: &Path, results: &[TestResult]) -> Vec<TestResult> {
    let is_there = |report: &String| page.with_file_name(report).is_file();
    let beside =
        |result: &TestResult| TestResult { report: result.report.clone().filter(is_there), ..result.clone() };
    results.iter().map(beside).collect()
}

/// All results by name. A script that two shards ran is a mistake of whoever started them.
fn merged(paths: &[PathBuf]) -> anyhow::Result<Vec<TestResult>> {
    let (mut all, mut names) = (Vec::new(), BTreeSet::new());
    for path in paths {
        for result in result::read(path)? {
            ensure!(
                names.insert(result.name.clone()),
                "{} is in two of the results: name each shard once",
                result.name
            );
            all.push(result);
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::result::Outcome;
    use crate::suite::result::tests::result;

    #[test]
    fn a_page_that_was_not_brought_along_is_not_linked_to() {
        let folder = tempfile::tempdir().unwrap();
        let with = |name: &str| TestResult {
            report: Some(format!("{name}.html")),
            ..result(name, Outcome::Passed, 1.0)
        };
        std::fs::write(folder.path().join("a.html"), "").unwrap();
        let linked = with_pages_beside(&folder.path().join("all.html"), &[with("a"), with("b")]);
        assert_eq!(
            linked.iter().map(|result| result.report.as_deref()).collect::<Vec<_>>(),
            [Some("a.html"), None]
        );
    }

    #[test]
    fn shards_become_one_and_nothing_is_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, results: &[TestResult]| {
            let path = folder.path().join(name);
            std::fs::write(&path, result::to_lines(results).unwrap()).unwrap();
            path
        };
        let (b, a) = (result("b", Outcome::Passed, 1.0), result("a", Outcome::Failed, 2.0));
        let (one, two) = (file("1", std::slice::from_ref(&b)), file("2", std::slice::from_ref(&a)));
        assert_eq!(merged(&[one.clone(), two]).unwrap(), [a, b]);
        assert!(merged(&[one.clone(), one]).unwrap_err().to_string().contains("b is in two"));
    }
}
