//! The head of a session's log: the program, the system and the modules.

use crate::recorder::drain::wall;
use crate::recorder::settings::Settings;
use crate::system::win32;
use message_log::{Event, Key};

/// How many modules the session's head lists.
const MAX_MODULES: usize = 200;

/// Adds them to an event.
pub(crate) fn session_head(event: Event, settings: &Settings) -> Event {
    let directory = std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_default();
    let modules = win32::modules();
    // The first module is the program itself.
    let own = || modules.first().and_then(|&(_, start, _)| win32::module_version(start)).unwrap_or_default();
    let version = if settings.version.is_empty() { own() } else { settings.version.clone() };
    let event = event
        .with_text(Key::ApplicationName, settings.application.as_str())
        .with_text(Key::ApplicationVersion, version)
        .with_text(Key::ApplicationPath, win32::program_path())
        .with_text(Key::CommandLine, win32::command_line())
        .with_text(Key::WorkingDirectory, directory)
        .with_number(Key::ProcessId, i64::from(win32::current_process_id()))
        .with_number(Key::ProcessBits, i64::from(usize::BITS))
        .with_text(Key::Started, wall())
        .with_text(Key::SystemVersion, win32::system_version())
        .with_text(Key::Locale, win32::locale())
        .with_text(Key::RecorderVersion, env!("CARGO_PKG_VERSION"))
        .with_number(Key::Retention, settings.limits.retention.cast_signed());
    modules.iter().take(MAX_MODULES).fold(event, |event, (name, start, _)| {
        let version = win32::module_version(*start).unwrap_or_default();
        event.with_text(Key::Module, format!("{name}/{version}"))
    })
}
