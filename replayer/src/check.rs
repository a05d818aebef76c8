//! `dashcam check`: what a log holds and what is wrong with it.

use crate::fidelity::Report;
use crate::log_files;
use crate::log_files::NO_LOG;
use crate::output::say;
use crate::secrets::{Found, Search};
use message_log::{Damage, DamageKind, Entry, Event, Key, Kind, Manifest, Value};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use steps::one_line;
use window_tree::Rebuild;

/// Damage and differences listed unless `--all` is given.
pub(crate) const FIRST: usize = 20;
/// Names of sessions and masked fields kept; a log of ill will has millions.
const MAX_NAMES: usize = 1000;

pub(crate) fn run(path: &Path, json: bool, all: bool, secrets: Option<&Path>) -> anyhow::Result<ExitCode> {
    let made_from_damage = File::open(path).ok().and_then(|file| Manifest::read("manifest", file).ok());
    let mut search = secrets.map(Search::read).transpose()?;
    if let Some(search) = &mut search {
        for file in log_files::all(path)? {
            search.look_into(&file.display().to_string(), File::open(&file)?)?;
        }
        if let Some(manifest) = &made_from_damage {
            search.look_into("manifest.json", &serde_json::to_vec(manifest)?[..])?;
        }
    }
    let mut summary = Summary { limit: if all { usize::MAX } else { FIRST }, ..Summary::default() };
    let mut rebuild = Rebuild::new();
    for entry in log_files::open(path)? {
        let entry = entry?;
        rebuild.take(&entry);
        match entry {
            Entry::Segment(head) => {
                summary.segments += 1;
                if summary.sessions.len() < MAX_NAMES {
                    summary.sessions.insert(head.session);
                }
            }
            Entry::Event(event) => {
                summary.take(&event);
                if let Some(search) = &mut search {
                    search.take(&event);
                }
            }
            Entry::Damage(damage) => summary.note(&damage),
        }
    }
    summary.fidelity = Report::of(rebuild.finish().fidelity(), summary.limit);
    summary.exported_with_damage = made_from_damage.map_or(0, |manifest| manifest.damage_count);
    summary.words = search.as_ref().map(Search::word_count);
    summary.secrets = search.map(Search::found).unwrap_or_default();
    if summary.events == 0 && summary.segments == 0 {
        anyhow::bail!("{} {NO_LOG}", path.display());
    }
    if json {
        say(&serde_json::to_string_pretty(&summary)?)?;
    } else {
        say(summary.to_string().trim_end())?;
    }
    Ok(ExitCode::from(u8::from(summary.losses > 0 || !summary.secrets.is_empty())))
}

/// What `--json` prints.
#[derive(Default, Serialize)]
struct Summary {
    application: String,
    version: String,
    started: String,
    sessions: BTreeSet<String>,
    segments: u64,
    events: u64,
    messages: u64,
    keyframes: u64,
    windows_in_last_keyframe: u64,
    marks: u64,
    gaps: u64,
    dropped: u64,
    shed: u64,
    hangs: u64,
    crashes: u64,
    /// From the session's start to its last event.
    micros: u64,
    masked: BTreeSet<String>,
    /// Damage that cost records.
    losses: u64,
    damage_count: u64,
    damage: Vec<String>,
    /// Damage of the files an exported file was made from.
    exported_with_damage: u64,
    /// Absent where no keyframe follows messages.
    fidelity: Option<Report>,
    /// How many words were looked for with `--secrets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<usize>,
    /// Those that were found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<Found>,
    #[serde(skip)]
    limit: usize,
}

impl Summary {
    fn take(&mut self, event: &Event) {
        self.events += 1;
        self.micros = self.micros.max(event.stamp.map_or(0, |stamp| stamp.time));
        match &event.kind {
            Kind::Message(_) => self.messages += 1,
            Kind::Mark => self.marks += 1,
            Kind::Hang => self.hangs += 1,
            Kind::Crash => self.crashes += 1,
            // An incomplete one only tells of windows that moved.
            Kind::Keyframe(keyframe) if !keyframe.complete => {}
            Kind::Keyframe(keyframe) => {
                self.keyframes += 1;
                self.windows_in_last_keyframe = keyframe.windows.len() as u64;
            }
            Kind::Gap => {
                self.gaps += 1;
                let number = |key| event.params.unsigned(key).unwrap_or_default();
                self.dropped = self.dropped.saturating_add(number(Key::GapDropped));
                self.shed = self.shed.saturating_add(number(Key::GapShed));
            }
            Kind::Session => {
                let text = |key| event.params.text(key).map(ToString::to_string).unwrap_or_default();
                self.application = text(Key::ApplicationName);
                self.version = text(Key::ApplicationVersion);
                self.started = text(Key::Started);
            }
            Kind::Act | Kind::Thread | Kind::Recording | Kind::Statistics => {}
        }
        for value in event.params.all(Key::Masked) {
            if let Value::Text(name) = value
                && self.masked.len() < MAX_NAMES
            {
                self.masked.insert(name.to_string());
            }
        }
    }

    fn note(&mut self, damage: &Damage) {
        // Rotation takes segments away by design.
        let is_rotation = matches!(damage.kind, DamageKind::SegmentsGone { .. });
        self.losses += u64::from(damage.is_loss() && !is_rotation);
        self.damage_count += 1;
        if self.damage.len() < self.limit {
            self.damage.push(damage.to_string());
        }
    }
}

impl Summary {
    /// Which of the customer's words are in the log, by their lines, and where.
    fn tell_secrets(&self, words: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if words == 1 { "word" } else { "words" };
        if self.secrets.is_empty() {
            return writeln!(f, "  secrets    none of {words} {plural} is in it");
        }
        writeln!(f, "  secrets    {} of {words} {plural} found", self.secrets.len())?;
        for found in &self.secrets {
            writeln!(f, "    the word on line {} is there {} times:", found.line, found.count)?;
            found.places.iter().try_for_each(|place| writeln!(f, "      {}", one_line(place)))?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.application.is_empty() { "unnamed application" } else { &self.application };
        f.write_str(&one_line(name))?;
        if !self.version.is_empty() {
            write!(f, " {}", one_line(&self.version))?;
        }
        if !self.started.is_empty() {
            write!(f, ", started {}", one_line(&self.started))?;
        }
        writeln!(f)?;
        writeln!(f, "  sessions   {} in {} segments", self.sessions.len(), self.segments)?;
        writeln!(f, "  length     {}", duration(self.micros))?;
        writeln!(f, "  messages   {}", self.messages)?;
        writeln!(
            f,
            "  keyframes  {} (the last with {} windows)",
            self.keyframes, self.windows_in_last_keyframe
        )?;
        for (what, count) in [("marks", self.marks), ("hangs", self.hangs), ("crashes", self.crashes)] {
            if count > 0 {
                writeln!(f, "  {what:<10} {count}")?;
            }
        }
        if self.gaps > 0 {
            writeln!(f, "  gaps       {} ({} records dropped, {} shed)", self.gaps, self.dropped, self.shed)?;
        }
        if !self.masked.is_empty() {
            let names: Vec<_> = self.masked.iter().map(|name| one_line(name)).collect();
            writeln!(f, "  masked     {}", names.join(", "))?;
        }
        if self.exported_with_damage > 0 {
            writeln!(
                f,
                "  exported   from files with {} damaged places; manifest.json inside names them",
                self.exported_with_damage
            )?;
        }
        if let Some(report) = &self.fidelity {
            write!(f, "{report}")?;
        }
        if let Some(words) = self.words {
            self.tell_secrets(words, f)?;
        }
        if self.damage_count == 0 {
            return writeln!(f, "  damage     none");
        }
        writeln!(f, "  damage     {} ({} cost records)", self.damage_count, self.losses)?;
        for line in &self.damage {
            writeln!(f, "    {line}")?;
        }
        match self.damage_count - self.damage.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "    and {more} more: --all lists them"),
        }
    }
}

fn duration(micros: u64) -> String {
    let (seconds, millis) = (micros / 1_000_000, micros / 1000 % 1000);
    format!("{:02}:{:02}:{:02}.{millis:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
