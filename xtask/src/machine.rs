//! The machine on which something is measured.

use std::fmt;
use std::process::Command;

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    rustc: String,
    os: String,
    /// The load average of the minute before.
    load: Option<f64>,
}

impl Machine {
    pub(crate) fn this() -> Self {
        let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = facts
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .and_then(|rest| rest.split_once(':'));
        let cpu = model
            .map(|(_, name)| name.trim().to_owned())
            .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
        let rustc = Command::new("rustc").arg("--version").output();
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        Machine {
            cpu: cpu.unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: rustc.map_or_else(
                |_| String::new(),
                |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            ),
            os: system(),
            load: load.and_then(|load| load.split(' ').next()?.parse().ok()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} cores), {}, {}", self.cpu, self.cores, self.os, self.rustc)?;
        self.load.map_or(Ok(()), |load| write!(f, "; load {load:.1} when it began"))
    }
}

fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map_or_else(|| std::env::consts::OS.to_owned(), |name| name.trim_matches('"').to_owned())
}
