//! `dashcam show`: the steps of a log, in words.

use crate::log_files;
use crate::log_files::NO_LOG;
use crate::output::{colour, say};
use anyhow::bail;
use message_log::{DamageKind, Entry, Event, Key, Kind};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use steps::{Note, Plan, Planner, Step, one_line, sentence};

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const PLAIN: &str = "\u{1b}[0m";

pub(crate) fn run(path: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let story = Story::read(path)?;
    if json {
        say(&serde_json::to_string_pretty(&story.to_json())?)?;
    } else {
        say(story.text(colour()).trim_end())?;
    }
    if story.damage > 0 {
        let places = if story.damage == 1 { "place" } else { "places" };
        let losses = match story.losses {
            0 => "without losses".into(),
            losses => format!("{losses} of them with losses"),
        };
        eprintln!(
            "dashcam: the log is damaged at {} {places}, {losses}: `dashcam check` lists them",
            story.damage
        );
    }
    Ok(ExitCode::from(u8::from(story.losses > 0)))
}

/// A log told.
struct Story {
    application: Application,
    plan: Plan,
    damage: u64,
    /// Damage that cost records, rotation apart.
    losses: u64,
}

/// The program that was recorded.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Application {
    name: String,
    version: String,
    command_line: String,
    started: String,
}

impl Application {
    pub(crate) fn of(event: &Event) -> Self {
        let text = |key| event.params.text(key).map(|t| one_line(&t.to_string_lossy())).unwrap_or_default();
        let path = text(Key::ApplicationPath);
        let file = path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned();
        let name = Some(text(Key::ApplicationName)).filter(|name| !name.is_empty()).unwrap_or(file);
        Self {
            name,
            version: text(Key::ApplicationVersion),
            command_line: text(Key::CommandLine),
            started: text(Key::Started),
        }
    }
}

impl Story {
    /// The newest session of a log.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut story =
            Self { application: Application::default(), plan: Plan::default(), damage: 0, losses: 0 };
        let mut planner = Planner::default();
        let mut is_log = false;
        for entry in log_files::open(path)?.newest() {
            let entry = entry?;
            planner.take(&entry);
            match &entry {
                Entry::Damage(damage) => {
                    story.damage += 1;
                    let is_rotation = matches!(damage.kind, DamageKind::SegmentsGone { .. });
                    story.losses += u64::from(damage.is_loss() && !is_rotation);
                }
                Entry::Event(event) => {
                    is_log = true;
                    if event.kind == Kind::Session {
                        story.application = Application::of(event);
                    }
                }
                Entry::Segment(_) => is_log = true,
            }
        }
        if !is_log {
            bail!("{} {NO_LOG}", path.display());
        }
        story.plan = planner.finish();
        Ok(story)
    }

    fn text(&self, colour: bool) -> String {
        let paint =
            |code: &str, text: &str| if colour { format!("{code}{text}{PLAIN}") } else { text.into() };
        let mut out = String::new();
        let Application { name, version, started, .. } = &self.application;
        if !name.is_empty() {
            let since = started.get(..16).map(|time| format!(", recorded {}", time.replace('T', " ")));
            let title = [name.as_str(), version].join(" ");
            let _ = writeln!(out, "{}{}\n", paint(BOLD, title.trim_end()), since.unwrap_or_default());
        }
        let width = self.plan.steps.len().max(1).ilog10() as usize + 1;
        let mut notes = self.plan.notes.iter().peekable();
        let note = |note: &Note, out: &mut String| {
            let time = note.time.map_or_else(|| "     ".into(), clock);
            let text = format!("{:width$}  {time}  — {} —", "", note.text);
            let _ = writeln!(out, "{}", paint(if note.is_bad() { RED } else { DIM }, &text));
        };
        for step in &self.plan.steps {
            while let Some(before) = notes.next_if(|note| note.event <= step.first_event) {
                note(before, &mut out);
            }
            let time = if step.time == 0 { "     ".into() } else { clock(step.time) };
            let _ = writeln!(out, "{:>width$}. {}  {}", step.number, paint(DIM, &time), sentence(step));
        }
        notes.for_each(|rest| note(rest, &mut out));
        if self.plan.steps.is_empty() {
            let _ = writeln!(out, "no steps: the user did nothing");
        }
        out
    }

    fn to_json(&self) -> serde_json::Value {
        let step = |step: &Step| {
            let mut value = serde_json::to_value(step).unwrap_or_default();
            value["text"] = sentence(step).into();
            value
        };
        json!({
            "application": self.application,
            "steps": self.plan.steps.iter().map(step).collect::<Vec<_>>(),
            "notes": self.plan.notes,
            "unaccounted": self.plan.unaccounted,
            "events": self.plan.events,
            "damage": self.damage,
            "losses": self.losses,
        })
    }
}

/// Minutes and seconds since the session's start.
fn clock(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    match seconds / 3600 {
        0 => format!("{:02}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}
