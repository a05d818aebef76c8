//! Nobody is spied on: what the DLL could do by its import table, and what it does in a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::ensure;
#[cfg(not(windows))]
use anyhow::{Context, Result};
#[cfg(not(windows))]
use harness::folders;
use harness::stage;

use crate::Host;

/// The Linux process of the hostile host that runs in this folder.
#[cfg(target_os = "linux")]
pub(crate) fn process_of(folder: &Path) -> Option<u32> {
    let wanted = folders::for_windows(&folder.join("hostile.exe"));
    let is = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).starts_with(&wanted)
    };
    fs::read_dir("/proc").ok()?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).find(is)
}

/// Size and time of every file below some folders.
fn files(folders: &[PathBuf]) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let mut found = BTreeMap::new();
    let mut left = folders.to_vec();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // Wine's prefix has links to the whole file system.
            match entry.metadata() {
                Ok(about) if about.is_dir() => left.push(entry.path()),
                Ok(about) if about.is_file() => {
                    found.insert(
                        entry.path(),
                        (about.len(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH)),
                    );
                }
                _ => {}
            }
        }
    }
    found
}

/// The Internet sockets a process has open.
#[cfg(target_os = "linux")]
fn connections(pid: u32) -> Result<Vec<String>> {
    let mut inodes = Vec::new();
    for kind in ["tcp", "tcp6", "udp", "udp6"] {
        let table = fs::read_to_string(format!("/proc/{pid}/net/{kind}")).unwrap_or_default();
        inodes.extend(
            table
                .lines()
                .skip(1)
                .filter_map(|line| line.split_whitespace().nth(9).map(|i| format!("socket:[{i}]"))),
        );
    }
    let open =
        fs::read_dir(format!("/proc/{pid}/fd"))?.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    Ok(open.map(|link| link.display().to_string()).filter(|link| inodes.contains(link)).collect())
}

#[test]
fn a_run_writes_to_its_folder_and_nowhere_else() {
    stage(|stage| {
        // The host itself first: what it and the system leave in a run is none of the recorder's.
        Host::finish(stage, "work", &[])?;
        let prefix = std::env::var_os("WINEPREFIX").map(|prefix| Path::new(&prefix).join("drive_c"));
        let watched: Vec<PathBuf> = prefix.into_iter().chain([stage.folder().to_path_buf()]).collect();
        let before = files(&watched);
        ensure!(before.len() > 10, "nothing is watched: {watched:?}");
        let log = stage.folder().join("watched");
        let host = Host::start_in(stage, &log, "work", &[], &[])?;
        #[cfg(target_os = "linux")]
        let mut looked = 0;
        while host.program.exit_code()?.is_none() {
            #[cfg(target_os = "linux")]
            if let Some(pid) = process_of(stage.folder()) {
                let open = connections(pid).unwrap_or_default();
                ensure!(open.is_empty(), "connections: {open:?}");
                looked += 1;
            }
        }
        #[cfg(target_os = "linux")]
        ensure!(looked > 3, "it was looked at {looked} times only");
        let host = host.end("work")?;
        host.check(&[("children", 0), ("done", 300), ("stop", 0)])?;
        let after = files(&watched);
        let is_output = |path: &Path| {
            path.parent() == Some(stage.folder())
                && path.extension().is_some_and(|e| e == "out" || e == "err")
        };
        let changed: Vec<_> = after
            .iter()
            .filter(|(path, about)| before.get(*path) != Some(about))
            .map(|(path, _)| path)
            .collect();
        let (inside, outside): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|path| path.starts_with(&log));
        let outside: Vec<_> = outside.into_iter().filter(|path| !is_output(path)).collect();
        ensure!(outside.is_empty(), "{outside:?}");
        ensure!(!inside.is_empty(), "not even the log was written");
        let gone: Vec<_> = before.keys().filter(|path| !after.contains_key(*path)).collect();
        ensure!(gone.is_empty(), "{gone:?}");
        Ok(())
    });
}

/// What it imports is on this list, and none of it opens a connection, starts a process or looks for other
/// programs' secrets.
#[test]
#[cfg(not(windows))]
fn the_dll_imports_nothing_that_could_send_data() -> Result<()> {
    const KNOWN: [&str; 9] = [
        "kernel32.dll",
        "user32.dll",
        "gdi32.dll",
        "advapi32.dll",
        "ntdll.dll",
        "msvcrt.dll",
        "imm32.dll",
        "shell32.dll",
        "ole32.dll",
    ];
    const FORBIDDEN: [&str; 14] = [
        "createprocess",
        "winexec",
        "shellexecute",
        "createremotethread",
        "writeprocessmemory",
        "createservice",
        "regsetvalue",
        "socket",
        "connect",
        "internetopen",
        "winhttp",
        "dnsquery",
        "createnamedpipe",
        "urldownload",
    ];
    for (folder, machine) in [("x64", "x86_64"), ("x86", "i686")] {
        let dll = folders::dashcam().join(folder).join("dashcam.dll");
        let output = std::process::Command::new(format!("{machine}-w64-mingw32-objdump"))
            .arg("-p")
            .arg(&dll)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
        let (imports, _) = text.split_once("[ordinal/name pointer] table").context("no exports")?;
        let imported: Vec<&str> =
            imports.lines().filter_map(|line| line.trim().strip_prefix("dll name: ")).collect();
        ensure!(imported.len() > 3, "{imported:?}");
        for name in imported {
            let is_known = KNOWN.contains(&name)
                || name.starts_with("api-ms-win-core-")
                || name.starts_with("api-ms-win-crt-");
            ensure!(is_known || name == "bcryptprimitives.dll", "{folder} imports {name}");
        }
        for word in FORBIDDEN {
            ensure!(!imports.contains(word), "{folder} imports {word}");
        }
        // The tests' fault points are not in what is shipped.
        let bytes = fs::read(&dll)?;
        ensure!(!bytes.windows(13).any(|window| window == b"DASHCAM_FAULT"), "{folder} has fault points");
    }
    Ok(())
}
