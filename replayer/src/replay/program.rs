//! The program that was recorded, and how to start it again.

use crate::plan::one_line;
use message_log::{Event, Key};

/// The program that was recorded.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) command_line: String,
    pub(crate) directory: String,
}

impl Program {
    pub(crate) fn of(event: &Event) -> Self {
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
    pub(crate) fn other(&self, name: Option<&str>) -> Option<String> {
        let stem = |name: &str| {
            let file = name.rsplit(['\\', '/']).next().unwrap_or_default().to_lowercase();
            file.strip_suffix(".exe").map(str::to_owned).unwrap_or(file)
        };
        let recorded = self.path.rsplit(['\\', '/']).next().filter(|file| !file.is_empty())?;
        let name = name.filter(|name| stem(name) != stem(recorded))?;
        Some(format!("this log is of {}, not of {}", one_line(recorded), one_line(name)))
    }

    /// Program and arguments of the recorded command line; the program's own path where there is none.
    pub(crate) fn command(&self) -> Vec<String> {
        let command = split(&self.command_line);
        if command.is_empty() && !self.path.is_empty() { vec![self.path.clone()] } else { command }
    }
}

/// A command line as Windows takes it apart: the program up to a quote or blank, then arguments in which backslashes escape quotes only.
fn split(line: &str) -> Vec<String> {
    let line = line.trim_start();
    let quoted = line.strip_prefix('"').map(|rest| rest.split_once('"').unwrap_or((rest, "")));
    let (program, rest) = quoted.unwrap_or_else(|| line.split_once([' ', '\t']).unwrap_or((line, "")));
    if program.is_empty() {
        return Vec::new();
    }
    let mut command = vec![program.to_owned()];
    let (mut argument, mut is_quoted, mut slashes) = (None::<String>, false, 0);
    for c in rest.chars().chain([' ']) {
        if c == '\\' {
            slashes += 1;
            continue;
        }
        let kept = if c == '"' { slashes / 2 } else { slashes };
        if slashes > 0 {
            argument.get_or_insert_default().push_str(&"\\".repeat(kept));
        }
        match c {
            '"' if slashes % 2 == 1 => argument.get_or_insert_default().push('"'),
            '"' => {
                is_quoted = !is_quoted;
                argument.get_or_insert_default();
            }
            ' ' | '\t' if !is_quoted => command.extend(argument.take()),
            c => argument.get_or_insert_default().push(c),
        }
        slashes = 0;
    }
    command.extend(argument);
    command
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
    fn a_command_line_is_taken_apart_as_windows_does() {
        let parts = |line: &str, expected: &[&str]| assert_eq!(split(line), expected, "{line}");
        parts(
            r#""C:\Program Files\a.exe" "C:\Büro\märz.inv" /x"#,
            &[r"C:\Program Files\a.exe", r"C:\Büro\märz.inv", "/x"],
        );
        parts(r"notepad.exe  a\b c", &["notepad.exe", r"a\b", "c"]);
        parts(r#"a "b \"c\\" d" ""#, &["a", r#"b "c\"#, "d "]);
        parts(r#"a "" b"#, &["a", "", "b"]);
        parts("", &[]);
        parts("  a", &["a"]);
    }
}
