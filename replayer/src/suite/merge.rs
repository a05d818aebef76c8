//! `dashcam merge`: the results of several shards become one, in the form that the name of the file asks for.

use super::history::History;
use super::result::{self, TestResult};
use super::test::{exit_code, write};
use super::{junit, page, print};
use crate::output::say;
use anyhow::{bail, ensure};
use std::collections::BTreeSet;
use std::path::PathBuf;
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
    let results = merged(&arguments.results)?;
    let mut history = arguments.history.as_deref().map_or_else(|| Ok(History::default()), History::read)?;
    for path in &arguments.output {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let text = match ending.as_str() {
            "xml" => junit::of_suite(&results)?,
            "jsonl" | "json" => result::to_lines(&results)?,
            "html" => page::of_suite("All shards", &results, &history)?,
            _ => bail!("{} ends in neither .xml, .jsonl nor .html", path.display()),
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

/// All results by name. A script that two shards ran is a mistake of whoever started them.
fn merged(paths: &[PathBuf]) -> anyhow::Result<Vec<TestResult>> {
    let (mut all, mut names) = (Vec::new(), BTreeSet::new());
    for path in paths {
        for result in result::read(path)? {
            ensure!(names.insert(result.name.clone()), "{} is in two of the results", result.name);
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
