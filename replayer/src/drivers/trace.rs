//! The recorder inside the application under replay: its log is the trace of the replay, and tells
//! where a crash was.
//!
//! Without `--trace` it goes to a folder of its own that is removed afterwards. Where the application
//! outlives the replay, so does its trace; the next replay removes it.

use crate::log_files;
use crate::run;
use crate::win32::{Bond, Process};
use anyhow::ensure;
use message_log::{Entry, Keyframe, Kind};
use replay_engine::Crash;
use replay_engine::driver::{Act, Answer, Driver, Notices, Picture, Question, State, Trouble};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where traces go that nobody keeps, one folder for each process.
const FOLDER: &str = "dashcam-replay";

/// A folder for a trace.
pub(crate) struct Trace {
    folder: PathBuf,
    is_kept: bool,
}

impl Trace {
    /// Brings the recorder into a process that does not run yet. Without a folder to keep it in, a recorder
    /// that cannot be brought in is a remark.
    pub(crate) fn begin(
        process: &Process,
        kept: Option<&Path>,
        remarks: &mut Vec<String>,
    ) -> anyhow::Result<Option<Self>> {
        let begin = |folder: PathBuf, is_kept| {
            let recording = run::Recording { folder: Some(folder.clone()), retention: None };
            run::insert(process, &recording).map(|()| Self { folder, is_kept })
        };
        if let Some(folder) = kept {
            // What is in there would be taken for a part of the trace.
            let is_empty = fs::read_dir(folder).map_or(true, |mut files| files.next().is_none());
            ensure!(is_empty, "{} is not empty: a trace needs a folder of its own", folder.display());
            return begin(folder.into(), true).map(Some);
        }
        let all = std::env::temp_dir().join(FOLDER);
        sweep(&all);
        let own = all.join(process.id().to_string());
        // Of an earlier process with this number.
        let _ = fs::remove_dir_all(&own);
        match begin(own, false) {
            Ok(trace) => Ok(Some(trace)),
            Err(error) => {
                remarks.push(format!("the replay is not recorded: {error:#}"));
                Ok(None)
            }
        }
    }

    /// The crash the recorder noted.
    fn crash(&self) -> Option<Crash> {
        let entries = log_files::open(&self.folder).ok()?.newest().map_while(Result::ok);
        let mut events = 0;
        let mut found = None;
        for entry in entries {
            if let Entry::Event(event) = entry {
                if event.kind == Kind::Crash {
                    found = Some(Crash::of(&event, events));
                }
                events += 1;
            }
        }
        found
    }
}

/// Removes traces of programs that are no longer there.
fn sweep(all: &Path) {
    for folder in fs::read_dir(all).into_iter().flatten().flatten() {
        let pid = folder.file_name().to_str().and_then(|name| name.parse().ok());
        let runs = |pid| Process::open(pid).is_ok_and(|process| process.exit_code().is_none());
        if pid.is_some_and(|pid: u32| !runs(pid)) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

/// An application under replay, with the recorder inside if that was possible.
pub(crate) struct Traced {
    driver: Box<dyn Driver>,
    trace: Option<Trace>,
    /// Ends the application before its trace goes.
    bond: Option<Bond>,
}

impl Traced {
    pub(crate) fn new(driver: Box<dyn Driver>, trace: Option<Trace>, bond: Option<Bond>) -> Self {
        Self { driver, trace, bond }
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        drop(self.bond.take());
        let has_ended = matches!(self.driver.snapshot(), Err(Trouble::Ended(_)));
        if let Some(trace) = self.trace.as_ref().filter(|trace| has_ended && !trace.is_kept) {
            // What cannot be removed now is by the next replay.
            let _ = fs::remove_dir_all(&trace.folder);
        }
    }
}

impl Driver for Traced {
    fn snapshot(&mut self) -> Result<Keyframe, Trouble> {
        self.driver.snapshot()
    }

    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble> {
        self.driver.act(window, act)
    }

    fn settle(&mut self, patience: Duration) -> State {
        self.driver.settle(patience)
    }

    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble> {
        self.driver.ask(window, question)
    }

    fn worked(&mut self) -> Duration {
        self.driver.worked()
    }

    fn remarks(&mut self) -> Vec<String> {
        self.driver.remarks()
    }

    fn watch(&mut self, windows: &[u64]) -> Result<(), Trouble> {
        self.driver.watch(windows)
    }

    fn notices(&mut self) -> Result<Notices, Trouble> {
        self.driver.notices()
    }

    fn picture(&mut self, window: u64) -> Option<Picture> {
        self.driver.picture(window)
    }

    fn switch_away(&mut self, window: u64) -> Result<(), Trouble> {
        self.driver.switch_away(window)
    }

    fn crash(&mut self) -> Option<Crash> {
        self.trace.as_ref()?.crash()
    }
}
