//! A crash as the recorder notes it, and whether two of them are the same.

use message_log::{Event, Key};
use steps::one_line;

/// A recorded crash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crash {
    /// How many events came before it.
    pub event: u64,
    /// The exception code.
    pub code: u32,
    /// The first frame in the application's own modules.
    pub module: Option<String>,
    /// The offset of the frame in that module.
    pub offset: Option<u64>,
    /// Which build of that module it was.
    pub build: Option<u64>,
}

impl Crash {
    /// Reads a crash event; `number` events precede it.
    pub fn of(event: &Event, number: u64) -> Self {
        Self {
            event: number,
            code: event.params.unsigned(Key::CrashCode).unwrap_or(0) as u32,
            module: event.params.text(Key::CrashModule).map(|module| one_line(&module.to_string_lossy())),
            offset: event.params.unsigned(Key::CrashOffset),
            build: event.params.unsigned(Key::CrashBuild),
        }
    }

    /// Where it happened, as far as is known.
    pub fn place(&self) -> String {
        match (&self.module, self.offset) {
            (Some(module), Some(offset)) => format!(" in {module}+{offset:#x}"),
            (Some(module), None) => format!(" in {module}"),
            (None, _) => String::new(),
        }
    }

    /// What was compared of the two besides the step; as an error what is not the same. `exit_code` is all
    /// that is known of a replay without a note.
    pub fn compare(&self, replayed: Option<&Self>, exit_code: u32) -> Result<String, String> {
        let code = replayed.map_or(exit_code, |crash| crash.code);
        let place = replayed.map(Self::place).unwrap_or_default();
        let other = || format!("the application crashed with {code:#010X}{place}");
        if code != self.code {
            return Err(other());
        }
        let said = format!("the exception code {code:#010X}");
        let Some(module) = &self.module else {
            return Ok(format!("{said}; the frame is not known of the recording"));
        };
        let Some((replayed, found)) = replayed.and_then(|it| Some((it, it.module.as_ref()?))) else {
            return Ok(format!("{said}; the frame in {module} is not known of the replay"));
        };
        if !module.eq_ignore_ascii_case(found) {
            return Err(other());
        }
        let (Some(was), Some(is)) = (self.offset, replayed.offset) else {
            return Ok(format!("{said} and the module {module}"));
        };
        let builds = (self.build, replayed.build);
        if was == is && builds.0 == builds.1 {
            return Ok(format!("{said} and the frame {module}+{is:#x}"));
        }
        match builds {
            (Some(was_build), Some(is_build)) if was_build == is_build => Err(other()),
            (Some(_), Some(_)) => Ok(format!(
                "{said} and the module {module}; it is of another build ({was:#x} then, {is:#x} now), whose offsets cannot be compared"
            )),
            _ if was == is => Ok(format!("{said} and the frame {module}+{is:#x}")),
            _ => Ok(format!(
                "{said} and the module {module}; whether {was:#x} then and {is:#x} now are the same place of it is not known, since the log does not tell its build"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(module: &str, offset: u64, build: u64) -> Crash {
        let build = Some(build).filter(|build| *build != 0);
        Crash { event: 0, code: 0xC000_0005, module: Some(module.into()), offset: Some(offset), build }
    }

    #[test]
    fn the_same_crash_is_told_from_another() {
        let was = crash("invoice.exe", 0x4F07, 7);
        let said = |replayed: &Crash| was.compare(Some(replayed), 1);
        assert_eq!(
            said(&crash("Invoice.EXE", 0x4F07, 7)).unwrap(),
            "the exception code 0xC0000005 and the frame invoice.exe+0x4f07"
        );
        assert_eq!(
            said(&crash("invoice.exe", 0x4F08, 7)).unwrap_err(),
            "the application crashed with 0xC0000005 in invoice.exe+0x4f08"
        );
        assert!(said(&crash("plugin.dll", 0x4F07, 7)).is_err(), "another module");
        let other = Crash { code: 0xC000_0094, ..was.clone() };
        assert!(said(&other).unwrap_err().starts_with("the application crashed with 0xC0000094"));
        assert!(said(&crash("invoice.exe", 0x5555, 8)).unwrap().contains("another build"));
        assert!(said(&crash("invoice.exe", 0x5555, 0)).unwrap().contains("does not tell its build"));
    }

    #[test]
    fn what_is_not_known_is_said() {
        let was = crash("invoice.exe", 0x4F07, 7);
        assert_eq!(
            was.compare(None, 0xC000_0005).unwrap(),
            "the exception code 0xC0000005; the frame in invoice.exe is not known of the replay"
        );
        assert!(was.compare(None, 1).is_err());
        let blind = Crash { module: None, ..was.clone() };
        assert!(blind.compare(Some(&was), 1).unwrap().ends_with("not known of the recording"));
    }
}
