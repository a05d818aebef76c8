//! `dashcam merge`: the results of several shards become one, in the form that the name of the file asks for.

use super::choose::Shard;
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
    /// The file to write: .xml is JUnit, .jsonl lines of JSON, .html a page to look at. May be
    /// given several times.
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

/// All results by name. A script that two shards ran is a mistake of whoever started them, and so is a shard
/// that is not there.
fn merged(paths: &[PathBuf]) -> anyhow::Result<Vec<TestResult>> {
    let (mut all, mut names, mut shards) = (Vec::new(), BTreeSet::new(), Vec::new());
    for path in paths {
        let (results, shard) = result::read(path)?;
        shards.extend(shard.map(|shard| (shard, path)));
        for result in results {
            ensure!(
                names.insert(result.name.clone()),
                "{} is in two of the results: name each shard once",
                result.name
            );
            all.push(result);
        }
    }
    check(&shards)?;
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// Whether all shards are there: what nobody ran would look as if it did not exist.
fn check(shards: &[(Shard, &PathBuf)]) -> anyhow::Result<()> {
    let Some(&(first, whose)) = shards.first() else { return Ok(()) };
    if let Some((other, path)) = shards.iter().find(|(shard, _)| shard.of != first.of) {
        bail!(
            "{} is shard {first} and {} is shard {other}: merge the shards of one run",
            whose.display(),
            path.display()
        );
    }
    let is_there = |number: &usize| shards.iter().any(|(shard, _)| shard.number == *number);
    let missing: Vec<String> = (1..=first.of)
        .filter(|number| !is_there(number))
        .map(|number| Shard { number, ..first }.to_string())
        .collect();
    match &missing[..] {
        [] => Ok(()),
        [one] => bail!("the result of shard {one} is missing: name its file too, or run it"),
        all => bail!(
            "the results of the shards {} are missing: name their files too, or run them",
            all.join(", ")
        ),
    }
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

    #[test]
    fn a_shard_that_is_missing_is_missed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, shard: &str| {
            let path = folder.path().join(name);
            let all = result::to_lines(&[result(name, Outcome::Passed, 1.0)]).unwrap();
            let (tests, end) = all.trim_end().rsplit_once('\n').unwrap();
            let mut end: serde_json::Value = serde_json::from_str(end).unwrap();
            end["shard"] = shard.into();
            std::fs::write(&path, format!("{tests}\n{end}\n")).unwrap();
            path
        };
        let parts = ["1/3", "2/3", "3/3"].map(|shard| file(&shard.replace('/', "-"), shard));
        assert_eq!(merged(&parts).unwrap().len(), 3);
        let why = |paths: &[PathBuf]| merged(paths).unwrap_err().to_string();
        assert!(why(&parts[..2]).starts_with("the result of shard 3/3 is missing:"));
        assert!(why(&parts[1..2]).contains("of the shards 1/3, 3/3 are missing"));
        let other = file("other", "1/2");
        assert!(why(&[parts[0].clone(), other]).contains("merge the shards of one run"));
    }
}
