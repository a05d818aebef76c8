//! The head of a session's log: the program, the system and the modules.

use crate::recorder::settings::Settings;
use crate::recorder::wall_clock::wall;
use crate::system::modules;
use crate::system::process;
use message_log::{Event, Key};

/// How many modules the head lists.
const MAX_MODULES: usize = 200;

/// Adds these facts to an event.
pub(crate) fn session_head(event: Event, settings: &Settings) -> Event {
    let directory = std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_default();
    let modules = modules::modules();
    // The first module is the program.
    let own =
        || modules.first().and_then(|&(_, start, _)| modules::module_version(start)).unwrap_or_default();
    let version = if settings.version.is_empty() { own() } else { settings.version.clone() };
    let event = event
        .with_text(Key::ApplicationName, settings.application.as_str())
        .with_text(Key::ApplicationVersion, version)
        .with_text(Key::ApplicationPath, process::program_path())
        .with_text(Key::CommandLine, process::command_line())
        .with_text(Key::WorkingDirectory, directory)
        .with_number(Key::ProcessId, i64::from(process::current_process_id()))
        .with_number(Key::ProcessBits, i64::from(usize::BITS))
        .with_text(Key::Started, wall())
        .with_text(Key::SystemVersion, process::system_version())
        .with_text(Key::Locale, process::locale())
        .with_text(Key::RecorderVersion, env!("CARGO_PKG_VERSION"))
        .with_number(Key::Retention, settings.limits.retention.cast_signed());
    modules.iter().take(MAX_MODULES).fold(event, |event, (name, start, _)| {
        let version = modules::module_version(*start).unwrap_or_default();
        event.with_text(Key::Module, format!("{name}/{version}"))
    })
}
