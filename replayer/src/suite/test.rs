//! `dashcam test`: finds scripts, runs them side by side, and tells what came of them.

use super::choose::{Shard, order};
use super::history::History;
use super::progress::Progress;
use super::result::{Outcome, Summary, TestResult};
use super::{find, junit, page, print, result, run};
use crate::output::say;
use crate::script::Script;
use anyhow::{Context, bail, ensure};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError, mpsc};

/// What `dashcam test` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Scripts, and folders of scripts.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Run so many at a time. Default: as many as there are processors.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Run one that is not as expected so many times more. One that is then is flaky, and not passed.
    #[arg(long, value_name = "K", default_value_t = 0)]
    retries: usize,
    /// Exit with 0 if nothing is worse than flaky.
    #[arg(long)]
    allow_flaky: bool,
    /// Run only this part, such as 2/4: parts of the same length by the durations of the last run.
    #[arg(long, value_name = "M/N")]
    shard: Option<Shard>,
    /// Run only scripts with this tag; may be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Begin with those that were not as expected the last time.
    #[arg(long, requires = "history")]
    failed_first: bool,
    /// The file of the last runs: durations for shards, failures, the trend. It is read and written anew.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Only print which scripts would run, in their order.
    #[arg(long)]
    list: bool,
    /// For programs: a line of JSON for each script, and one for all.
    #[arg(long)]
    json: bool,
    /// Write JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a page to look at: all tests, and what became otherwise since the last run of the history. Each
    /// links to the page of its replay, in a folder of the same name.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scripts = find::find(&arguments.paths)?;
    let mut history = arguments.history.as_deref().map_or_else(|| Ok(History::default()), History::read)?;
    let has = |tag: &&String| scripts.iter().any(|script| script.tags().contains(tag));
    if let Some(tag) = arguments.tag.iter().find(|tag| !has(tag)) {
        bail!("no script has the tag {tag}: check its name, and `tags` of the scripts");
    }
    let scripts = chosen(arguments, scripts, &history);
    if arguments.list {
        return scripts.iter().try_for_each(|script| say(&script.name)).map(|()| ExitCode::SUCCESS);
    }
    ensure!(
        cfg!(windows),
        "replaying needs Windows: use dashcam.exe there, or with Wine; --list works everywhere"
    );
    check(&scripts)?;
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    ensure!(jobs > 0, "--jobs needs a number from 1");
    let started = chrono::Local::now().to_rfc3339();
    let results = run_all(&scripts, jobs, arguments)?;
    if let Some(path) = &arguments.junit {
        write(path, &junit::of_suite(&results)?)?;
    }
    if let Some(path) = &arguments.report {
        write(path, &page::of_suite(&name_of(&arguments.paths), &started, &results, &history)?)?;
    }
    if let Some(path) = &arguments.history {
        history.add(&results);
        history.write(path)?;
    }
    if arguments.json {
        let end = result::Line::Summary { summary: Summary::of(&results), shard: arguments.shard };
        say(&serde_json::to_string(&end)?)?;
    } else {
        say(&print::summary(&results))?;
    }
    Ok(exit_code(&results, arguments.allow_flaky))
}

/// What was run, for a title.
fn name_of(paths: &[PathBuf]) -> String {
    let names = paths.iter().filter_map(|path| path.file_name());
    names.map(|name| name.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// 0 if all are as expected, 1 if some are not.
pub(crate) fn exit_code(results: &[TestResult], allow_flaky: bool) -> ExitCode {
    let is_fine = |result: &TestResult| match result.outcome {
        Outcome::Passed => true,
        Outcome::Flaky => allow_flaky,
        Outcome::Failed => false,
    };
    ExitCode::from(u8::from(!results.iter().all(is_fine)))
}

pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// All that is wrong with scripts, before the first of them runs.
pub(crate) fn check(scripts: &[Script]) -> anyhow::Result<()> {
    let wrong: Vec<String> =
        scripts.iter().filter_map(|script| script.check().err()).map(|error| format!("{error:#}")).collect();
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

/// Those that run here, in their order.
fn chosen(arguments: &Arguments, scripts: Vec<Script>, history: &History) -> Vec<Script> {
    let is_tagged = |script: &Script| {
        arguments.tag.is_empty() || script.tags().iter().any(|tag| arguments.tag.contains(tag))
    };
    let mut scripts: BTreeMap<String, Script> =
        scripts.into_iter().filter(is_tagged).map(|script| (script.name.clone(), script)).collect();
    let mut names: Vec<String> = scripts.keys().cloned().collect();
    if let Some(shard) = arguments.shard {
        names = shard.part(&names, history);
    }
    order(&mut names, history, arguments.failed_first);
    names.iter().filter_map(|name| scripts.remove(name)).collect()
}

/// Side by side; each is told when it is over. The results are in the order of names.
fn run_all(scripts: &[Script], jobs: usize, arguments: &Arguments) -> anyhow::Result<Vec<TestResult>> {
    let queue: Mutex<VecDeque<&Script>> = Mutex::new(scripts.iter().collect());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<TestResult> = std::thread::scope(|scope| {
        for _ in 0..jobs.min(scripts.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(script) = next() {
                    let _ = sender.send(News::Begun(script.name.clone()));
                    let _ = sender.send(News::Done(Box::new(run(script, arguments))));
                }
            });
        }
        drop(sender);
        watch(scripts.len(), arguments.json, receiver)
    })?;
    results.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(results)
}

/// Runs one; with its page, if there is one of all.
fn run(script: &Script, arguments: &Arguments) -> TestResult {
    // The replay runs in a folder of its own.
    let all =
        arguments.report.as_deref().map(|all| std::path::absolute(all).unwrap_or_else(|_| all.to_owned()));
    let page = all.map(|all| page::of_test(&all, &script.name));
    let file = page.as_ref().map(|(_, file)| file.as_path());
    if let Some(file) = file {
        // Of an earlier run; what cannot be written is told by the replay.
        let _ = std::fs::remove_file(file);
        let _ = file.parent().map(std::fs::create_dir_all);
    }
    let result = run::run(script, arguments.retries, file);
    let report = page.filter(|(_, file)| file.is_file()).map(|(name, _)| name);
    TestResult { report, ..result }
}

enum News {
    Begun(String),
    Done(Box<TestResult>),
}

fn watch(tests: usize, is_json: bool, news: mpsc::Receiver<News>) -> anyhow::Result<Vec<TestResult>> {
    let progress = Progress::new(tests);
    let (mut running, mut results) = (Vec::new(), Vec::new());
    for news in news {
        match news {
            News::Begun(name) => running.push(name),
            News::Done(result) => {
                running.retain(|name| *name != result.name);
                let line = if is_json { serde_json::to_string(&result)? } else { print::test(&result) };
                progress.done(|| say(&line))?;
                results.push(*result);
            }
        }
        progress.running(&running);
    }
    Ok(results)
}
