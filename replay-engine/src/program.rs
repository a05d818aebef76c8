//! The program that was recorded.

use message_log::{Event, Key};
use steps::one_line;

/// The program that was recorded.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Program {
    /// The name of the application.
    pub name: String,
    /// The path of its executable.
    pub path: String,
    /// The command line it was started with.
    pub command_line: String,
    /// Its working directory.
    pub directory: String,
}

impl Program {
    /// Reads a session event.
    pub fn of(event: &Event) -> Self {
        let text =
            |key| event.params.text(key).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
        let path = text(Key::ApplicationPath);
        let file = path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned();
        let name = Some(text(Key::ApplicationName)).filter(|name| !name.is_empty()).unwrap_or(file);
        Self {
            name: one_line(&name),
            path,
            command_line: text(Key::CommandLine),
            directory: text(Key::WorkingDirectory),
        }
    }

    /// Says so where a program of this file name is another one than the recorded; a renamed one is too.
    pub fn other(&self, name: Option<&str>) -> Option<String> {
        let stem = |name: &str| {
            let file = name.rsplit(['\\', '/']).next().unwrap_or_default().to_lowercase();
            file.strip_suffix(".exe").map(str::to_owned).unwrap_or(file)
        };
        let recorded = self.path.rsplit(['\\', '/']).next().filter(|file| !file.is_empty())?;
        let name = name.filter(|name| stem(name) != stem(recorded))?;
        Some(format!("this log is of {}, not of {}", one_line(recorded), one_line(name)))
    }

    /// The recorded command line in one line; the program's own path where there is none.
    pub fn recorded(&self) -> Option<String> {
        const MAX: usize = 300;
        let told = [&self.command_line, &self.path, &self.name].into_iter().find(|text| !text.is_empty())?;
        Some(one_line(told).chars().take(MAX).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_program_is_told_by_its_file_name() {
        let program = Program { path: r"C:\Windows\notepad.exe".into(), ..Program::default() };
        assert_eq!(program.other(Some("NOTEPAD.EXE")), None);
        assert_eq!(program.other(None), None);
        assert_eq!(
            program.other(Some("invoice.exe")).as_deref(),
            Some("this log is of notepad.exe, not of invoice.exe")
        );
        assert_eq!(Program::default().other(Some("invoice.exe")), None, "the log does not tell");
    }

    #[test]
    fn what_a_log_is_of_is_told_in_one_line() {
        let program = |command_line: &str, path: &str| Program {
            command_line: command_line.into(),
            path: path.into(),
            ..Program::default()
        };
        assert_eq!(program("a.exe\n/x\u{1b}[2J", "").recorded().unwrap().lines().count(), 1);
        assert!(!program("a.exe\u{1b}[2J", "").recorded().unwrap().contains('\u{1b}'));
        assert_eq!(program("", r"C:\a.exe").recorded().as_deref(), Some(r"C:\a.exe"));
        assert_eq!(program("", "").recorded(), None);
    }
}
