//! A regression script: a TOML file that says what is replayed, in which application, and what must come of
//! it. `docs/suites.md` tells each key.

mod words;

use crate::model;
use crate::text_file;
use anyhow::bail;
use replay_engine::oracle::{CrashExpected, Every, Expectation, Rule, Rules};
use replay_engine::{Level, Only};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml_edit::Document;
use words::Words;

/// A script, read and checked.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// The file.
    pub(crate) path: PathBuf,
    /// The file's name without its ending, behind the folders below the one that was named.
    pub(crate) name: String,
    text: Text,
}

/// The keys of a script, as they are written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    log: Option<PathBuf>,
    /// A session in the language of traces, instead of a log.
    trace: Option<PathBuf>,
    app: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    expect: Option<Expect>,
    expect_step: Option<usize>,
    /// Whether steps that nothing could verify count as passed.
    #[serde(default)]
    allow_unverified: bool,
    /// Only these steps of the log.
    steps: Option<Only>,
    #[serde(default)]
    verify: LevelName,
    #[serde(default)]
    every: EveryName,
    baseline: Option<PathBuf>,
    /// Seconds.
    timeout: Option<u64>,
    #[serde(default)]
    tags: Vec<String>,
    /// The name of a secret, and that of the environment variable that has it.
    #[serde(default)]
    secrets: BTreeMap<String, String>,
    #[serde(default)]
    map_file: Vec<FromTo>,
    #[serde(default)]
    setup: Setup,
    #[serde(default)]
    cleanup: Cleanup,
    #[serde(default)]
    ignore: Vec<Rule>,
    #[serde(default)]
    expect_window: Vec<Expectation>,
    expect_crash: Option<CrashExpected>,
}

/// The verdict that must come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Expect {
    Passed,
    Unverified,
    Reproduced,
    Diverged,
    Blocked,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LevelName {
    #[default]
    Changed,
    Relevant,
    Complete,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum EveryName {
    Steps(usize),
    Word(String),
}

impl Default for EveryName {
    fn default() -> Self {
        Self::Steps(1)
    }
}

/// A file and what becomes of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FromTo {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// What is done before.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setup {
    /// Files or folders, from the script's folder into the one the application runs in.
    #[serde(default)]
    pub(crate) copy: Vec<FromTo>,
    #[serde(default)]
    pub(crate) registry: Vec<RegistryValue>,
}

/// What is done afterwards. The folder the application ran in goes anyway, and registry values of the
/// set-up come back.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cleanup {
    /// Files or folders.
    #[serde(default)]
    pub(crate) remove: Vec<String>,
    /// Values that the application leaves behind.
    #[serde(default)]
    pub(crate) registry: Vec<RegistryName>,
}

/// A registry value to set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistryValue {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) value: RegistryData,
}

/// A text or a number.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum RegistryData {
    Number(u32),
    Text(String),
}

/// A registry value to remove.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistryName {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) name: String,
}

/// Keys that compare with a recording.
const ONLY_OF_LOGS: &[&str] = &[
    "steps",
    "verify",
    "every",
    "baseline",
    "secrets",
    "map_file",
    "ignore",
    "expect_window",
    "expect_crash",
];

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

impl Script {
    /// Reads a script. An error names the file and the line.
    pub(crate) fn read(path: &Path, name: String) -> anyhow::Result<Self> {
        let path = std::path::absolute(path)?;
        let text = text_file::read(&path)?;
        match parse(&text) {
            Ok(text) => Ok(Self { path, name, text }),
            Err((line, wrong)) => bail!("{}:{line}: {wrong}", path.display()),
        }
    }

    /// What must be there before anything is replayed.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let here = |wrong: String| anyhow::anyhow!("{}:{}: {wrong}", self.path.display(), 1);
        if let Some(trace) = self.trace().map_err(|error| here(format!("{error:#}")))? {
            model::traces(&trace).map_err(|error| self.at("trace", &format!("{error:#}")))?;
            return self.command(self.folder()).map(drop);
        }
        let log = self.log().map_err(|error| here(format!("{error:#}")))?;
        if !log.exists() {
            return Err(self.at("log", &format!("there is no log {}", log.display())));
        }
        if self.level() == Level::Complete && !self.baseline().is_file() {
            let baseline = self.baseline();
            let wrong =
                format!("there is no baseline {}: capture it with dashcam baseline", baseline.display());
            return Err(self.at("verify", &wrong));
        }
        self.command(self.folder()).map(drop)
    }

    /// An error at a key.
    fn at(&self, key: &str, wrong: &str) -> anyhow::Error {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let span =
            Document::parse(text.as_str()).ok().and_then(|all| all.get(key).and_then(|item| item.span()));
        anyhow::anyhow!(
            "{}:{}: {wrong}",
            self.path.display(),
            line_at(&text, span.map_or(0, |span| span.start))
        )
    }

    /// Its folder: paths are relative to it.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    fn fill(&self, key: &str, text: &str, work: &Path) -> anyhow::Result<String> {
        let words = Words { here: self.folder(), work, env: |name| std::env::var(name).ok() };
        words.fill(text).map_err(|wrong| self.at(key, &wrong))
    }

    pub(crate) fn log(&self) -> anyhow::Result<PathBuf> {
        let log = self.text.log.as_ref().ok_or_else(|| self.at("trace", "this needs a log, not a trace"))?;
        let log = self.fill("log", &log.display().to_string(), self.folder())?;
        Ok(self.folder().join(log))
    }

    /// The trace that is run instead of a log.
    pub(crate) fn trace(&self) -> anyhow::Result<Option<PathBuf>> {
        let Some(trace) = &self.text.trace else { return Ok(None) };
        let trace = self.fill("trace", &trace.display().to_string(), self.folder())?;
        Ok(Some(self.folder().join(trace)))
    }

    /// The program and its arguments. A name without a folder is a program beside the script, or one
    /// that Windows finds.
    pub(crate) fn command(&self, work: &Path) -> anyhow::Result<Vec<String>> {
        let filled = self.text.app.iter().map(|part| self.fill("app", part, work));
        let mut command = filled.collect::<anyhow::Result<Vec<String>>>()?;
        let program = command.first_mut().ok_or_else(|| self.at("app", "the program is missing"))?;
        let beside = self.folder().join(&*program);
        let exe = self.folder().join(format!("{program}.exe"));
        let found = [beside.clone(), exe].into_iter().find(|path| path.is_file());
        if let Some(found) = found {
            *program = found.display().to_string();
        } else if program.contains(['/', '\\']) {
            return Err(self.at("app", &format!("there is no program {}", beside.display())));
        }
        Ok(command)
    }

    pub(crate) fn env(&self, work: &Path) -> anyhow::Result<Vec<(String, String)>> {
        let all = self.text.env.iter();
        all.map(|(name, value)| Ok((name.clone(), self.fill("env", value, work)?))).collect()
    }

    pub(crate) fn map_file(&self, work: &Path) -> anyhow::Result<Vec<(String, String)>> {
        let all = self.text.map_file.iter();
        all.map(|map| Ok((self.fill("map_file", &map.from, work)?, self.fill("map_file", &map.to, work)?)))
            .collect()
    }

    /// Secrets from the environment; one whose variable is not set is missing, which the replay says.
    pub(crate) fn secrets(&self) -> BTreeMap<String, String> {
        let all = self.text.secrets.iter();
        all.filter_map(|(secret, name)| Some((secret.clone(), std::env::var(name).ok()?))).collect()
    }

    pub(crate) fn level(&self) -> Level {
        match self.text.verify {
            LevelName::Changed => Level::Changed,
            LevelName::Relevant => Level::Relevant,
            LevelName::Complete => Level::Complete,
        }
    }

    pub(crate) fn every(&self) -> Every {
        match self.text.every {
            EveryName::Steps(steps) => Every::Steps(steps),
            EveryName::Word(_) => Every::Last,
        }
    }

    /// The file of the baseline; beside the script if it does not say where.
    pub(crate) fn baseline(&self) -> PathBuf {
        let own = || self.path.with_extension("baseline.jsonl");
        self.text.baseline.as_ref().map_or_else(own, |path| self.folder().join(path))
    }

    /// An expected crash is a verdict of its own.
    pub(crate) fn expect(&self) -> Expect {
        let otherwise = if self.crash().is_some() { Expect::Reproduced } else { Expect::Passed };
        self.text.expect.unwrap_or(otherwise)
    }

    pub(crate) fn expect_step(&self) -> Option<usize> {
        self.text.expect_step
    }

    /// Whether steps that nothing could verify count as passed.
    pub(crate) fn allows_unverified(&self) -> bool {
        self.text.allow_unverified
    }

    /// The steps of the log that are replayed, if not all.
    pub(crate) fn only(&self) -> Option<&Only> {
        self.text.steps.as_ref()
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.text.timeout.map_or(DEFAULT_TIMEOUT, Duration::from_secs)
    }

    pub(crate) fn tags(&self) -> &[String] {
        &self.text.tags
    }

    pub(crate) fn rules(&self) -> Rules {
        Rules(self.text.ignore.clone())
    }

    pub(crate) fn expectations(&self) -> &[Expectation] {
        &self.text.expect_window
    }

    pub(crate) fn crash(&self) -> Option<&CrashExpected> {
        self.text.expect_crash.as_ref()
    }

    /// Files to copy, absolute.
    pub(crate) fn copies(&self, work: &Path) -> anyhow::Result<Vec<(PathBuf, PathBuf)>> {
        let all = self.text.setup.copy.iter();
        all.map(|FromTo { from, to }| {
            let from = self.folder().join(self.fill("setup", from, work)?);
            Ok((from, work.join(self.fill("setup", to, work)?)))
        })
        .collect()
    }

    /// Files to remove afterwards, absolute.
    pub(crate) fn removals(&self, work: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let all = self.text.cleanup.remove.iter();
        all.map(|path| Ok(work.join(self.fill("cleanup", path, work)?))).collect()
    }

    /// Registry values to set before, with their words filled, and to remove afterwards.
    pub(crate) fn registry(&self, work: &Path) -> anyhow::Result<(Vec<RegistryValue>, &[RegistryName])> {
        let fill = |value: &RegistryValue| {
            let data = match &value.value {
                RegistryData::Text(text) => RegistryData::Text(self.fill("setup", text, work)?),
                number => number.clone(),
            };
            Ok(RegistryValue { value: data, ..value.clone() })
        };
        let set = self.text.setup.registry.iter().map(fill).collect::<anyhow::Result<Vec<_>>>()?;
        Ok((set, &self.text.cleanup.registry))
    }
}

/// The keys, or the line and what is wrong there.
fn parse(text: &str) -> Result<Text, (usize, String)> {
    let read: Text = toml_edit::de::from_str(text).map_err(|error| {
        let line = line_at(text, error.span().map_or(0, |span| span.start));
        (line, wrong_key(error.message().lines().next().unwrap_or_default()))
    })?;
    let wrong = |key: &str, wrong: &str| {
        let span = Document::parse(text).ok().and_then(|all| all.get(key).and_then(|item| item.span()));
        Err((line_at(text, span.map_or(0, |span| span.start)), wrong.to_owned()))
    };
    if read.app.is_empty() {
        return wrong("app", "the program is missing: app = [\"program.exe\", \"argument\"]");
    }
    match (&read.log, &read.trace) {
        (None, None) => return Err((1, wrong_key("missing field `log`"))),
        (Some(_), Some(_)) => return wrong("trace", "a script has a log or a trace, not both"),
        (None, Some(_)) => {
            if let Some(key) = ONLY_OF_LOGS.iter().find(|key| is_said(text, key)) {
                return wrong(key, "this is said of a log, not of a trace");
            }
            if read.expect == Some(Expect::Reproduced) {
                return wrong("expect", "a trace passes, diverges or is blocked");
            }
        }
        (Some(_), None) => {}
    }
    match &read.every {
        EveryName::Steps(0) => return wrong("every", "a number of steps from 1, or \"last\""),
        EveryName::Word(word) if word != "last" => {
            return wrong("every", "a number of steps from 1, or \"last\"");
        }
        _ => {}
    }
    if read.timeout == Some(0) {
        return wrong("timeout", "a time-out has at least a second");
    }
    Ok(read)
}

/// What is wrong with a key, and what to write instead.
fn wrong_key(told: &str) -> String {
    let quoted: Vec<&str> = told.split('`').skip(1).step_by(2).collect();
    match quoted[..] {
        ["log"] if told.starts_with("missing") => "the recording is missing: log = \"bug.dashcam\"".into(),
        ["app"] if told.starts_with("missing") => {
            "the program is missing: app = [\"program.exe\", \"argument\"]".into()
        }
        [unknown, ref known @ ..] if told.starts_with("unknown field") && !known.is_empty() => {
            let likeness = |name: &&&str| (strsim::jaro_winkler(unknown, name) * 1000.0) as u32;
            match known.iter().filter(|name| likeness(name) > 800).max_by_key(likeness) {
                Some(name) => format!("there is no `{unknown}`: did you mean `{name}`?"),
                None => format!("there is no `{unknown}`: there are {}", known.join(", ")),
            }
        }
        _ => told.into(),
    }
}

fn is_said(text: &str, key: &str) -> bool {
    Document::parse(text).is_ok_and(|all| all.contains_key(key))
}

fn line_at(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

impl Expect {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Reproduced => "reproduced",
            Self::Diverged => "diverged",
            Self::Blocked => "blocked",
            Self::Unverified => "unverified",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "log = \"a.dashcam\"\napp = [\"a.exe\"]\n";

    #[test]
    fn the_least_script_is_two_lines() {
        let text = parse(LEAST).unwrap();
        assert_eq!((text.expect, text.timeout), (None, None));
    }

    #[test]
    fn a_script_that_expects_a_crash_expects_it_reproduced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        let expect = |more: &str| {
            std::fs::write(&path, format!("{LEAST}{more}")).unwrap();
            Script::read(&path, "s".into()).unwrap().expect()
        };
        assert_eq!(expect(""), Expect::Passed);
        assert_eq!(expect("[expect_crash]\nafter_step = 3\n"), Expect::Reproduced);
        assert_eq!(expect("expect = \"diverged\"\n[expect_crash]\nafter_step = 3\n"), Expect::Diverged);
    }

    #[test]
    fn everything_can_be_said() {
        let text = parse(
            r#"
log = "a.dashcam"
app = ["a.exe", "{work}/x"]
env = { LANG = "de" }
expect = "reproduced"
expect_step = 7
verify = "complete"
every = "last"
baseline = "b.jsonl"
timeout = 30
tags = ["smoke"]
secrets = { "password-1205" = "CI_PASSWORD" }
map_file = [{ from = 'C:\a.txt', to = "{work}/a.txt" }]
[setup]
copy = [{ from = "a.txt", to = "a.txt" }]
registry = [{ key = 'HKCU\Software\A', name = "B", value = 3 }, { key = 'HKCU\Software\A', value = "x" }]
[cleanup]
remove = ["out"]
registry = [{ key = 'HKCU\Software\A', name = "C" }]
[[ignore]]
window = "Frame > msctls_statusbar32"
property = "text"
[[expect_window]]
after_step = 3
window = "Frame"
text_matches = "^A"
enabled = true
[expect_crash]
after_step = 7
code = 0xC0000005
"#,
        )
        .unwrap();
        assert_eq!(text.expect_crash.unwrap().code, Some(0xC000_0005));
        assert_eq!(text.expect_window[0].describe(), "Frame is enabled and has a text that matches “^A”");
        assert_eq!(text.setup.registry.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let check = |more: &str, line: usize, wrong: &str| {
            let error = parse(&format!("{LEAST}{more}")).unwrap_err();
            assert!(error.0 == line && error.1.contains(wrong), "{more}: {error:?}");
        };
        check("colour = 1", 3, "there is no `colour`: there are log, trace, app");
        check("expct = \"passed\"", 3, "there is no `expct`: did you mean `expect`?");
        check("[setup]\ncpoy = []", 4, "there is no `cpoy`: did you mean `copy`?");
        check("expect = \"fine\"", 3, "unknown variant `fine`");
        check("\nevery = 0", 4, "from 1");
        check("every = \"first\"", 3, "from 1");
        check("timeout = 0", 3, "at least a second");
        check("[[expect_window]]\nwindow = \"Frame\"\ntext_matches = \"(\"", 3, "no pattern");
        check("[[ignore]]\nwindow = \"\"\nproperty = \"text\"", 4, "a window is named");
        check("[[expect_window]]\nwindow = \"Frame\"\ncolor = \"(\"", 3, "color");
        check("x", 3, "");
        assert_eq!(
            parse("app = [\"b\"]\n").unwrap_err().1,
            "the recording is missing: log = \"bug.dashcam\""
        );
        assert!(parse("").unwrap_err().1.starts_with("the program is missing: app = "));
        let error = parse("trace = \"a\"\napp = [\"b\"]\nverify = \"relevant\"").unwrap_err();
        assert!(error.0 == 3 && error.1.contains("not of a trace"), "{error:?}");
        check("trace = \"a.trace\"", 3, "not both");
        let error = parse("log = \"a\"\n\napp = []").unwrap_err();
        assert!(error.0 == 3 && error.1.contains("the program is missing"), "{error:?}");
    }
}
