//! The one file a customer sends: a zip archive with the whole log and a manifest that describes it.
//!
//! Writing repairs: segments, rings and damaged files go in, one well-formed XML file comes out. Reading
//! trusts nothing: no entry is ever written to disk, and an entry that would unpack to an absurd size, or has
//! a name that points outside the archive, is refused.

use crate::archive::{self, LOG_NAME, MANIFEST_NAME};
use crate::log::ReadSeek;
use crate::reader::Entry;
use crate::{
    Damage, DamageKind, Error, Event, FORMAT_VERSION, Key, Kind, Log, LogWriter, Params, SegmentHead, Value,
};
use serde::{Deserialize, Serialize};
use std::io::{self, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The most damage and masked names that a manifest lists; the rest is only counted.
const MAX_LISTED: usize = 100;

/// The description inside an exported file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The format's version.
    pub version: u32,
    /// The session's name.
    pub session: String,
    /// The application's name.
    pub application: String,
    /// The application's version.
    pub application_version: String,
    /// When the session began, RFC 3339.
    pub started: String,
    /// Microseconds from the start of the session to the first event in the file and to the last.
    pub first_micros: u64,
    /// See `first_micros`.
    pub last_micros: u64,
    /// The number of events of each kind.
    pub counts: Counts,
    /// The labels under which private texts were masked.
    pub masked: Vec<String>,
    /// The damage in the files that the export was made from.
    pub damage: Vec<String>,
    /// The number of defects, including those that are not listed.
    pub damage_count: u64,
}

/// How many events of each kind an exported file contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// All events.
    pub events: u64,
    /// Window messages.
    pub messages: u64,
    /// Keyframes.
    pub keyframes: u64,
    /// Gaps.
    pub gaps: u64,
    /// Marks of the host.
    pub marks: u64,
    /// Crashes.
    pub crashes: u64,
    /// Hangs.
    pub hangs: u64,
}

impl Manifest {
    /// Packs the newest session of a log, repaired, into one file.
    pub fn export<W: Write + Seek>(log: Log<'_>, out: W) -> Result<Self, Error> {
        let mut manifest = Self { version: FORMAT_VERSION, ..Self::default() };
        let mut entries = log.newest();
        let Some((head, first)) = manifest.find_beginning(&mut entries)? else {
            return Err(Error::NoSession);
        };
        manifest.session = shorten(&head.session);
        manifest.started = shorten(&head.wall);
        // One file is one segment; a gap states what was lost before it.
        let head = SegmentHead { number: 0, ..head };

        let mut zip = ZipWriter::new(out);
        start(&mut zip, LOG_NAME)?;
        let mut writer = LogWriter::begin(zip, &head).map_err(Error::Write)?;
        for entry in first.map(|event| Ok(Entry::Event(event))).into_iter().chain(entries) {
            let event = match entry? {
                Entry::Segment(_) => continue,
                Entry::Event(event) => event,
                Entry::Damage(damage) => {
                    manifest.note(&damage);
                    // A single file has no segment numbers; the gap preserves that some are missing.
                    let DamageKind::SegmentsGone { .. } = damage.kind else { continue };
                    let params = Params::new().with_text(Key::Reason, damage.kind.to_string());
                    Event { stamp: None, kind: Kind::Gap, params }
                }
            };
            manifest.count(&event);
            writer.write(&event).map_err(Error::Write)?;
        }
        let unpacked = writer.written();
        let mut zip = writer.finish().map_err(Error::Write)?;
        start(&mut zip, MANIFEST_NAME)?;
        serde_json::to_writer_pretty(&mut zip, &manifest).map_err(|e| Error::Write(e.into()))?;
        let mut out = zip.finish().map_err(|e| Error::Write(e.into()))?;
        if unpacked > archive::unpacked_limit(out.stream_position().map_err(Error::Write)?) {
            return Err(Error::Write(io::Error::other(
                "the log repeats itself so much that no reader would take it",
            )));
        }
        Ok(manifest)
    }

    /// Reads the manifest of an exported file.
    pub fn read(name: &str, file: impl ReadSeek) -> Result<Self, Error> {
        let bytes = archive::read_manifest(name, file)?;
        let refuse = |reason: String| Error::Refused { name: name.into(), reason };
        let manifest: Self =
            serde_json::from_slice(&bytes).map_err(|e| refuse(format!("its manifest is damaged: {e}")))?;
        match manifest.version {
            found if found > FORMAT_VERSION => {
                Err(Error::NewerVersion { name: name.into(), found, known: FORMAT_VERSION })
            }
            _ => Ok(manifest),
        }
    }

    /// The head of the first segment; the first event, if it comes before any head.
    fn find_beginning(
        &mut self,
        entries: &mut Log<'_>,
    ) -> Result<Option<(SegmentHead, Option<Event>)>, Error> {
        for entry in entries {
            match entry? {
                Entry::Segment(head) => return Ok(Some((head, None))),
                Entry::Event(event) => return Ok(Some((SegmentHead::default(), Some(event)))),
                Entry::Damage(damage) => self.note(&damage),
            }
        }
        Ok(None)
    }

    fn note(&mut self, damage: &Damage) {
        self.damage_count += 1;
        if self.damage.len() < MAX_LISTED {
            self.damage.push(shorten(&damage.to_string()));
        }
    }

    fn count(&mut self, event: &Event) {
        if let Some(stamp) = event.stamp {
            if self.counts.events == 0 {
                self.first_micros = stamp.time;
            }
            self.last_micros = self.last_micros.max(stamp.time);
        }
        let counts = &mut self.counts;
        counts.events += 1;
        match &event.kind {
            Kind::Session => self.describe(event),
            Kind::Message(_) => counts.messages += 1,
            Kind::Keyframe(_) => counts.keyframes += 1,
            Kind::Gap => counts.gaps += 1,
            Kind::Mark => counts.marks += 1,
            Kind::Crash => counts.crashes += 1,
            Kind::Hang => counts.hangs += 1,
            Kind::Act | Kind::Thread | Kind::Recording | Kind::Statistics => {}
        }
        for value in event.params.all(Key::Masked) {
            if let Value::Text(name) = value
                && self.masked.len() < MAX_LISTED
            {
                let name = shorten(&name.to_string());
                if !self.masked.contains(&name) {
                    self.masked.push(name);
                }
            }
        }
    }

    fn describe(&mut self, session: &Event) {
        let text = |key| session.params.text(key).map(|text| shorten(&text.to_string())).unwrap_or_default();
        self.application = text(Key::ApplicationName);
        self.application_version = text(Key::ApplicationVersion);
        self.started = text(Key::Started);
    }
}

/// A manifest is for people: no entry is longer than a few lines.
fn shorten(text: &str) -> String {
    text.chars().take(400).collect()
}

fn start<W: Write + Seek>(zip: &mut ZipWriter<W>, name: &str) -> Result<(), Error> {
    // A fixed date: the same log gives the same bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .large_file(true);
    zip.start_file(name, options).map_err(|e| Error::Write(e.into()))
}
