//! Reads what the recorder wrote about a program, with the product's own reader.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use message_log::{
    Damage, Entry, Event, Key, Kind, Log, LogWriter, Manifest, Message, Param, Params, Value, files_below,
    message_number, parts_below,
};

use crate::wait::DEADLINE;
use crate::{Program, Stage, Window, folders, wait_until};

/// The folder a recorder writes to.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Where it is.
    pub folder: PathBuf,
}

impl Recording {
    /// Starts a program under `dashcam run`. The returned program is `dashcam`, which exits with the
    /// program's exit code.
    pub fn run(stage: &Stage, program: &str, args: &[&str]) -> Result<(Program, Self)> {
        Self::run_with(stage, &[], program, args)
    }

    /// The same with options of `dashcam run`.
    pub fn run_with(
        stage: &Stage,
        options: &[&str],
        program: &str,
        args: &[&str],
    ) -> Result<(Program, Self)> {
        let folder = stage.folder().join("log");
        let log = folders::for_windows(&folder);
        let arguments = [&["run", "--log", &log], options, &["--", program], args].concat();
        Ok((stage.start_dashcam(&arguments)?, Self { folder }))
    }

    /// Everything recorded so far, and the damage.
    pub fn read(&self) -> Result<(Events, Vec<Damage>)> {
        let (events, damage) = self.open(|_| true)?.read_all()?;
        Ok((Events(events), damage))
    }

    /// Opens the log, restricted to the files whose names satisfy `is_wanted`.
    pub fn open(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Log<'static>> {
        let mut parts = parts_below(&self.folder, 2)?;
        parts.retain(|part| is_wanted(part.name().rsplit('/').next().unwrap_or_default()));
        Ok(Log::open(parts)?)
    }

    /// Packs it into one file, as `dashcam export` does, and removes the paths of this machine.
    pub fn pack(&self, file: &Path) -> Result<()> {
        let mut entries = self.open(|_| true)?;
        let Some(Entry::Segment(head)) = entries.next().transpose()? else { bail!("the log has no head") };
        let mut writer = LogWriter::begin(Vec::new(), &head)?;
        for entry in entries {
            if let Entry::Event(event) = entry? {
                writer.write(&without_folders(event))?;
            }
        }
        let xml = writer.finish()?;
        Manifest::export(Log::from_bytes("log.xml", &xml)?, BufWriter::new(File::create(file)?))?;
        Ok(())
    }

    /// Waits until the log contains a window. A window that is older than the hooks appears with
    /// the next keyframe.
    pub fn wait_known(&self, window: &Window) -> Result<()> {
        self.wait_class_known(&window.class)
    }

    /// Waits until the log contains a window of this class.
    pub fn wait_class_known(&self, class: &str) -> Result<()> {
        let has =
            |params: &Params| params.text(Key::WindowClass).is_some_and(|found| found.to_string() == class);
        wait_until(&format!("the log to have a window of class {class}"), DEADLINE, || {
            let (events, _) = self.read()?;
            let is_known = events.0.iter().any(|event| match &event.kind {
                Kind::Keyframe(keyframe) => keyframe.windows.iter().any(has),
                _ => has(&event.params),
            });
            Ok(is_known.then_some(()))
        })
    }

    /// Everything recorded, which must be undamaged.
    pub fn read_whole(&self) -> Result<Events> {
        let (events, damage) = self.read()?;
        ensure!(damage.is_empty(), "{damage:?}");
        Ok(events)
    }

    /// All files below the folder.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(files_below(&self.folder, 2)?)
    }
}

fn without_folders(mut event: Event) -> Event {
    let here = folders::for_windows(&folders::workspace());
    let neutral = |param: &Param| match param {
        Param::Known(key, Value::Text(text)) if text.to_string_lossy().contains(&here) => {
            let text = text.to_string_lossy().replace(&here, r"C:\Dashcam");
            Param::Known(*key, Value::Text(text.into()))
        }
        other => other.clone(),
    };
    event.params = event.params.iter().map(neutral).collect();
    event
}

/// A message and the event that carries it.
pub type Recorded<'a> = (&'a Message, &'a Event);

/// The events of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Events(pub Vec<Event>);

impl Events {
    /// Messages of this name to this window; 0 means any.
    pub fn messages(&self, name: &str, hwnd: u64) -> Vec<Recorded<'_>> {
        let number = message_number(name).expect("a known message");
        let of = |event: &'_ Event| {
            event.message().is_some_and(|m| m.number == number && (hwnd == 0 || m.hwnd == hwnd))
        };
        self.0.iter().filter(|event| of(event)).filter_map(|event| Some((event.message()?, event))).collect()
    }

    /// The last WM_COMMAND or WM_NOTIFY with this control id and notification code.
    pub fn notification(&self, message: &str, id: u64, code: i64) -> Result<Recorded<'_>> {
        let all = self.messages(message, 0);
        let is = |(_, event): &Recorded<'_>| {
            event.params.unsigned(Key::Command) == Some(id)
                && event.params.signed(Key::Notification) == Some(code)
        };
        let seen: Vec<_> =
            all.iter().filter(|(_, e)| e.params.unsigned(Key::Command) == Some(id)).map(|(_, e)| e).collect();
        all.iter()
            .rfind(|found| is(found))
            .copied()
            .with_context(|| format!("no {message} {id} {code}: {seen:?}"))
    }

    /// The characters typed into a window.
    pub fn typed(&self, hwnd: u64) -> String {
        let units: Vec<u16> = self.messages("WM_CHAR", hwnd).iter().map(|(m, _)| m.wparam as u16).collect();
        String::from_utf16_lossy(&units)
    }
}
