//! Processes named so that a reused process id is not mistaken for them.

use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// A process, told apart from later ones with the same id by the tick it started at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    pid: u32,
    started: u64,
}

impl Process {
    /// The running process with this id, unless it has ended.
    pub(crate) fn find(pid: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in brackets and may itself contain brackets and blanks.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        let zombie = fields.next()? == "Z";
        let started = fields.nth(18)?.parse().ok()?;
        (!zombie).then_some(Process { pid, started })
    }

    /// This process.
    pub(crate) fn current() -> Option<Self> {
        Process::find(std::process::id())
    }

    pub(crate) fn is_alive(self) -> bool {
        Process::find(self.pid) == Some(self)
    }

    /// Asks the process to end. Does nothing if it has ended.
    pub(crate) fn end(self) {
        if self.is_alive() {
            // The shell's own `kill`: a small system has no program of that name.
            let _ = Command::new("sh")
                .args(["-c", "kill \"$1\"", "sh", &self.pid.to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_alive_until_it_is_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = Process::find(child.id()).unwrap();
        assert!(process.is_alive());
        process.end();
        child.wait().unwrap();
        assert!(!process.is_alive());
    }

    #[test]
    fn a_reused_id_is_another_process() {
        let now = Process::current().unwrap();
        assert!(!Process { started: now.started + 1, ..now }.is_alive());
    }
}
