//! Long stages as one line each. What their commands print goes to a log file, whose path an error names.
//!
//! Lines go to standard error: standard output may be for `eval`. On a terminal the line of the running stage
//! shows how long it has taken and what the command printed last.

use std::fs::{self, File};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use harness::folders;

/// How often the line of a running stage is written again.
const REFRESH: Duration = Duration::from_millis(200);
/// How many lines of a failed command's output are shown.
const SHOWN: usize = 40;

/// Stages of one developer command and their log.
pub(crate) struct Progress {
    path: PathBuf,
    /// Created with the first stage: most runs have none.
    log: Mutex<Option<File>>,
}

impl Progress {
    /// `name` is that of the developer command; its log is `target/logs/NAME.log`.
    pub(crate) fn new(name: &str) -> Self {
        Self { path: folders::target().join("logs").join(format!("{name}.log")), log: Mutex::new(None) }
    }

    /// Runs a command and reports it by one line.
    ///
    /// # Errors
    /// If it cannot be run or fails; the end of its output is printed then.
    pub(crate) fn stage(&self, title: &str, command: &mut Command) -> Result<()> {
        let mut log = self.log()?;
        writeln!(log, "\n=== {title}\n{command:?}")?;
        let begin = log.stream_position()?;
        let start = Instant::now();
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let is_terminal = std::io::stderr().is_terminal();
        if !is_terminal {
            eprintln!("{title} …");
        }
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if is_terminal {
                let last = self.last_line(begin).unwrap_or_default();
                rewrite(&format!("{title} … {} s  {last}", start.elapsed().as_secs()));
            }
            std::thread::sleep(REFRESH);
        };
        if is_terminal {
            rewrite("");
        }
        if !status.success() {
            for line in tail(&self.output(begin)?, SHOWN) {
                eprintln!("  {line}");
            }
            bail!("{title} failed ({status}); all of its output is in {}", self.path.display());
        }
        eprintln!("{title}: {:.0} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    fn log(&self) -> Result<File> {
        let mut log = self.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if log.is_none() {
            fs::create_dir_all(folders::target().join("logs"))?;
            *log = Some(File::create(&self.path).with_context(|| self.path.display().to_string())?);
            eprintln!("details: {}", self.path.display());
        }
        let mut file = log.as_ref().context("the log was just created")?.try_clone()?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }

    /// What was printed since this position.
    fn output(&self, begin: u64) -> Result<String> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn last_line(&self, begin: u64) -> Option<String> {
        tail(&self.output(begin).ok()?, 1).pop()
    }
}

/// The last lines that are not empty. A program that writes a line again, as apt does, ends it with a return.
fn tail(output: &str, count: usize) -> Vec<String> {
    let lines: Vec<&str> = output.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Replaces the terminal's current line, cut to a width that every terminal has.
fn rewrite(line: &str) {
    let line: String = line.chars().filter(|c| !c.is_control()).take(79).collect();
    eprint!("\r\x1b[K{line}");
    let _ = std::io::stderr().flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn planted(folder: &std::path::Path) -> Progress {
        Progress {
            path: folder.join("a.log"),
            log: Mutex::new(Some(File::create(folder.join("a.log")).unwrap())),
        }
    }

    #[test]
    fn the_last_lines_are_found() {
        assert_eq!(tail("a\nb\rc\n\n", 2), ["b", "c"]);
        assert_eq!(tail("a", 2), ["a"]);
        assert!(tail("\n \n", 2).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn output_goes_to_the_log_and_a_failure_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let progress = planted(folder.path());
        progress.stage("one", Command::new("sh").args(["-c", "echo first; echo second >&2"])).unwrap();
        let failure =
            progress.stage("two", Command::new("sh").args(["-c", "echo third; exit 3"])).unwrap_err();
        assert!(
            failure.to_string().contains("two failed") && failure.to_string().contains("a.log"),
            "{failure}"
        );
        let log = fs::read_to_string(folder.path().join("a.log")).unwrap();
        for part in ["=== one", "first\nsecond\n", "=== two", "third\n"] {
            assert!(log.contains(part), "{log}");
        }
    }
}
