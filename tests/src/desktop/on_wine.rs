//! Desktops made of Xvfb and Wine, and the records that identify the leftovers of killed runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::folders;
use crate::wait::wait_until;
use crate::wine::display::Lifetime;
use crate::wine::process::Process;
use crate::wine::{self, display, prefix};

/// The record of a running desktop.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The process that stops it; `None` for the kept desktop.
    owner: Option<Process>,
    server: Process,
    /// Keeps the Wine desktop open; `None` until Wine is started.
    holder: Option<Process>,
    display: String,
}

impl Record {
    fn write(&self, folder: &Path) -> Result<()> {
        // Renamed into place, never half written: a desktop without a record could not be stopped.
        let unfinished = folder.join("record.unfinished");
        fs::write(&unfinished, serde_json::to_vec(self)?)?;
        Ok(fs::rename(&unfinished, record_file(folder))?)
    }

    fn is_alive(&self) -> bool {
        self.server.is_alive() && self.holder.is_some_and(Process::is_alive)
    }
}

/// A desktop that stops when this value is dropped.
#[derive(Debug)]
pub(super) struct Private {
    folder: PathBuf,
    running: Running,
}

impl Private {
    pub(super) fn start() -> Result<Self> {
        let _lock = lock()?;
        remove_leftovers()?;
        let folder = free_folder()?;
        let running = start(&folder, Lifetime::Private)?;
        Ok(Private { folder, running })
    }

    pub(super) fn environment(&self) -> Vec<(String, String)> {
        wine::environment(&self.running.record.display, &self.folder.join("prefix"))
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        end(&self.folder, Some(&self.running.record));
        for child in &mut self.running.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub(super) fn kept() -> Result<Vec<(String, String)>> {
    let _lock = lock()?;
    let folder = kept_folder();
    let record = read_record(&folder);
    if let Some(record) = record.as_ref().filter(|record| record.is_alive()) {
        return Ok(wine::environment(&record.display, &folder.join("prefix")));
    }
    end(&folder, record.as_ref());
    let running = start(&folder, Lifetime::Kept)?;
    Ok(wine::environment(&running.record.display, &folder.join("prefix")))
}

pub(super) fn stop_kept() -> Result<bool> {
    let _lock = lock()?;
    let folder = kept_folder();
    let record = read_record(&folder);
    let was_alive = record.as_ref().is_some_and(Record::is_alive);
    end(&folder, record.as_ref());
    Ok(was_alive)
}

struct Running {
    record: Record,
    children: Vec<Child>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.record.fmt(f)
    }
}

fn start(folder: &Path, lifetime: Lifetime) -> Result<Running> {
    fs::create_dir_all(folder)?;
    let (server, display) = display::start(folder, lifetime)?;
    let mut children = vec![server];
    let started = start_wine(folder, lifetime, &display, &mut children);
    match started {
        Ok(record) => Ok(Running { record, children }),
        Err(error) => {
            for mut child in children {
                let _ = child.kill();
                let _ = child.wait();
            }
            end(folder, None);
            Err(error)
        }
    }
}

/// Starts Wine on an X server and completes the desktop's record.
fn start_wine(folder: &Path, lifetime: Lifetime, display: &str, children: &mut Vec<Child>) -> Result<Record> {
    let server = Process::find(children[0].id()).context("Xvfb exited at once")?;
    let owner = if lifetime == Lifetime::Private { Process::current() } else { None };
    let mut record = Record { owner, server, holder: None, display: display.to_owned() };
    // Written before anything else starts, so that the next run finds everything that a killed run leaves.
    record.write(folder)?;
    display::set_keyboard(folder, display)?;
    let prefix = folder.join("prefix");
    prefix::create(&prefix, display)?;
    let environment = wine::environment(display, &prefix);
    let mut holder = lifetime.command("wine");
    let holder = holder.arg(prefix::HOLD_PROGRAM).envs(environment.clone()).spawn()?;
    record.holder = Process::find(holder.id());
    record.write(folder)?;
    children.push(holder);
    wait_until("the Wine desktop", Duration::from_secs(60), || {
        if !server.is_alive() {
            bail!("Xvfb exited before Wine was ready");
        }
        let mut search = std::process::Command::new("xdotool");
        search.args(["search", "--onlyvisible", "--name", "Wine desktop"]).envs(environment.clone());
        Ok(wine::run_silently(&mut search).ok())
    })?;
    Ok(record)
}

/// Stops what runs in `folder`, started by this run or by a killed one, and removes the folder.
fn end(folder: &Path, record: Option<&Record>) {
    wine::end_prefix(&folder.join("prefix"));
    if let Some(record) = record {
        record.server.end();
    }
    let _ = fs::remove_dir_all(folder);
}

/// Stops and removes the private desktops whose owner was killed.
fn remove_leftovers() -> Result<()> {
    for entry in fs::read_dir(folders::desktops())? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with("private-") {
            continue;
        }
        let record = read_record(&entry.path());
        let owned = record.as_ref().and_then(|record| record.owner).is_some_and(Process::is_alive);
        if !owned {
            end(&entry.path(), record.as_ref());
        }
    }
    Ok(())
}

/// A lock for creating the template, cleaning up, and starting a desktop. Released when the file is closed.
fn lock() -> Result<File> {
    fs::create_dir_all(folders::desktops())?;
    let file = File::create(folders::desktops().join("lock"))?;
    file.lock()?;
    Ok(file)
}

fn free_folder() -> Result<PathBuf> {
    let pid = std::process::id();
    let candidates = (1..100).map(|number| folders::desktops().join(format!("private-{pid}-{number}")));
    candidates.into_iter().find(|folder| !folder.exists()).context("too many desktops")
}

fn kept_folder() -> PathBuf {
    folders::desktops().join("kept")
}

fn record_file(folder: &Path) -> PathBuf {
    folder.join("record.json")
}

/// Returns `None` for a missing or damaged record.
fn read_record(folder: &Path) -> Option<Record> {
    serde_json::from_slice(&fs::read(record_file(folder)).ok()?).ok()
}
