//! What is looked at and tried. The recorder itself is tried: it records a hidden window of ours for a
//! moment, as it would record a program, into the folder that logs go to.

use super::Arguments;
use super::binary::{self, Machine};
use super::finding::Finding;
use crate::win32::{self, HiddenWindow, Process};
use anyhow::{Context, bail};
use dashcam_host::{Config, Dashcam};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How long the recorder may take to see a message.
const PATIENCE: Duration = Duration::from_secs(5);

/// All checks, those of the installation first.
pub(super) fn all(arguments: &Arguments) -> anyhow::Result<Vec<Finding>> {
    let app = arguments.app.as_deref().map(find).transpose()?;
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let mut findings: Vec<Finding> =
        ["dashcam.dll", "dashcam-agent.dll"].map(|name| beside_us(&own, name)).into_iter().collect();
    findings.push(sibling(&own));
    let folder = log_folder(arguments)?;
    let place = writable(&folder);
    // What is amiss there would look as if hooks were forbidden.
    let can_try = !findings[0].is_bad() && !place.is_bad();
    findings.push(place);
    findings.push(match can_try {
        true => recorded(&own.with_file_name("dashcam.dll"), &folder),
        false => Finding::warning("hooks", "not tried", "mend the recorder and the folder first"),
    });
    findings.push(elevation());
    match (app, arguments.pid) {
        (Some(app), _) => findings.extend(program(&own, &app)?),
        (None, Some(pid)) => findings.push(running(pid)),
        (None, None) => {}
    }
    Ok(findings)
}

/// The file of a program that was named.
fn find(app: &str) -> anyhow::Result<PathBuf> {
    match win32::find_program(app) {
        Some(file) if file.is_file() => Ok(file),
        _ => bail!("there is no program {app}: name its file"),
    }
}

/// A file of ours that has to lie beside `dashcam.exe`, of the same version and bitness.
fn beside_us(own: &Path, name: &'static str) -> Finding {
    let check = if name == "dashcam.dll" { "recorder" } else { "agent" };
    let file = own.with_file_name(name);
    let again = "install Dashcam again";
    let Ok(bytes) = fs::read(&file) else {
        return Finding::bad(check, format!("{} is missing", file.display()), again);
    };
    match (binary::machine(&bytes), binary::version(&bytes)) {
        (Some(Machine::OWN), Some(version)) if version == VERSION => {
            Finding::good(check, format!("{name} {version} ({}) is beside dashcam.exe", Machine::OWN.name()))
        }
        (Some(Machine::OWN), version) => {
            let version = version.unwrap_or_else(|| "without a version".into());
            Finding::bad(
                check,
                format!("{} is {version}, and dashcam.exe is {VERSION}", file.display()),
                again,
            )
        }
        (Some(machine), _) => {
            let found = format!(
                "{} is for {}, and dashcam.exe for {}",
                file.display(),
                machine.name(),
                Machine::OWN.name()
            );
            Finding::bad(check, found, again)
        }
        (None, _) => Finding::bad(check, format!("{} is no DLL", file.display()), again),
    }
}

/// The `dashcam.exe` of the other bitness.
fn sibling(own: &Path) -> Finding {
    let other = if Machine::OWN == Machine::X64 { Machine::X86 } else { Machine::X64 };
    let above = own.parent().and_then(Path::parent).unwrap_or(Path::new(".."));
    let file = above.join(other.name()).join("dashcam.exe");
    match (file.is_file(), other != Machine::X86 || win32::runs_x86()) {
        (true, true) => Finding::good(
            "bitness",
            format!("{} programs are handed over to {}", other.name(), file.display()),
        ),
        (true, false) => Finding::warning(
            "bitness",
            "this system does not run x86 programs",
            "record those on one that does",
        ),
        (false, _) => Finding::warning(
            "bitness",
            format!("{} is missing", file.display()),
            format!("to record {} programs, install Dashcam again", other.name()),
        ),
    }
}

fn log_folder(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    if let Some(folder) = &arguments.log {
        return std::path::absolute(folder).context("the folder of the log has no name");
    }
    let data =
        std::env::var_os("LOCALAPPDATA").context("LOCALAPPDATA is not set: name a folder with --log")?;
    Ok(PathBuf::from(data).join("Dashcam"))
}

fn writable(folder: &Path) -> Finding {
    let remedy = "choose another with --log, or get the right to write there";
    let trial = folder.join(format!("doctor-{}.txt", std::process::id()));
    let was_there = folder.exists();
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&trial, "x"));
    let _ = fs::remove_file(&trial);
    if !was_there {
        let _ = fs::remove_dir(folder);
    }
    match written {
        Err(error) => {
            Finding::bad("folder", format!("{} cannot be written to ({error})", folder.display()), remedy)
        }
        Ok(()) if !win32::is_on_local_drive(folder) => Finding::warning(
            "folder",
            format!("{} is not on a local drive", folder.display()),
            "after a crash the last moments are missing there; choose a local folder with --log",
        ),
        Ok(()) => Finding::good("folder", format!("logs can be written to {}", folder.display())),
    }
}

/// Records a window of ours.
fn recorded(dll: &Path, folder: &Path) -> Finding {
    let trial = folder.join(format!("doctor-{}", std::process::id()));
    let was_there = folder.exists();
    let outcome = record(dll, &trial);
    let _ = fs::remove_dir_all(&trial);
    if !was_there {
        let _ = fs::remove_dir(folder);
    }
    match outcome {
        Ok(()) => Finding::good("hooks", "a window of our own was recorded"),
        Err(error) => Finding::bad(
            "hooks",
            format!("nothing can be recorded ({error:#})"),
            "ask whoever looks after this machine to allow dashcam.dll in its security program",
        ),
    }
}

fn record(dll: &Path, folder: &Path) -> anyhow::Result<()> {
    let window = HiddenWindow::open()?;
    let dashcam = Dashcam::load_from(dll)?;
    let recording = dashcam.start(&Config { folder: Some(folder.to_owned()), ..Config::default() })?;
    let end = Instant::now() + PATIENCE;
    loop {
        window.knock();
        if recording.stats()?.received > 0 {
            return Ok(());
        }
        if Instant::now() > end {
            bail!("the hooks are set, and no message comes through them");
        }
    }
}

fn elevation() -> Finding {
    if win32::is_elevated() {
        Finding::good("rights", "running as administrator: every program of this user can be recorded")
    } else {
        Finding::good(
            "rights",
            "running as a user: programs that run as administrator need a dashcam that does too",
        )
    }
}

/// A program that is to be started.
fn program(own: &Path, app: &Path) -> anyhow::Result<Vec<Finding>> {
    let bytes =
        fs::read(app).with_context(|| format!("{} cannot be read: check its rights", app.display()))?;
    let name = app.file_name().unwrap_or_default().display().to_string();
    let Some(machine) = binary::machine(&bytes) else {
        bail!("{} is no Windows program: name an .exe", app.display());
    };
    let mut findings = vec![match machine {
        machine if machine == Machine::OWN => {
            Finding::good("program", format!("{name} is an {} program, as dashcam.exe is", machine.name()))
        }
        Machine::X86 if !win32::runs_x86() => Finding::bad(
            "program",
            format!("{name} is an x86 program, and this system does not run those"),
            "use a Windows that does",
        ),
        Machine::X86 | Machine::X64 => {
            let finding = sibling(own);
            if finding.remedy.is_none() {
                Finding::good(
                    "program",
                    format!("{name} is an {} program: the other dashcam.exe is used", machine.name()),
                )
            } else {
                Finding::bad(
                    "program",
                    format!(
                        "{name} is an {} program, and the dashcam.exe for those is missing",
                        machine.name()
                    ),
                    "install Dashcam again",
                )
            }
        }
        Machine::Other(_) => Finding::bad(
            "program",
            format!("{name} is built for {} machine", machine.name()),
            "there is a recorder for x64 and x86 only",
        ),
    }];
    if binary::wants_administrator(&bytes) && !win32::is_elevated() {
        findings.push(Finding::bad(
            "rights",
            format!("{name} wants to run as administrator"),
            "start dashcam from a command prompt of the administrator",
        ));
    }
    findings.push(host_dll(app, machine));
    Ok(findings)
}

/// The recorder that a host brings along.
fn host_dll(app: &Path, machine: Machine) -> Finding {
    let file = app.with_file_name("dashcam.dll");
    let Ok(bytes) = fs::read(&file) else {
        let found = "no dashcam.dll lies beside the program";
        return Finding::good(
            "host",
            format!("{found}: dashcam run brings its own; a program that loads it itself needs it there"),
        );
    };
    match (binary::machine(&bytes), binary::version(&bytes)) {
        (Some(found), _) if found != machine => Finding::bad(
            "host",
            format!("{} is for {}, and the program for {}", file.display(), found.name(), machine.name()),
            format!("put bin\\{}\\dashcam.dll there", machine.name()),
        ),
        (Some(_), Some(version)) if version == VERSION => {
            Finding::good("host", format!("the program's own dashcam.dll is {version}, as we are"))
        }
        (Some(_), version) => Finding::warning(
            "host",
            format!(
                "the program's own dashcam.dll is {}, and this is {VERSION}",
                version.unwrap_or_else(|| "without a version".into())
            ),
            "logs of an older one can be read; ship the newer one with the next release",
        ),
        (None, _) => Finding::bad(
            "host",
            format!("{} is no DLL", file.display()),
            format!("put bin\\{}\\dashcam.dll there", machine.name()),
        ),
    }
}

/// A program that runs.
fn running(pid: u32) -> Finding {
    let process = match Process::open(pid) {
        Ok(process) => process,
        Err(error) => {
            return Finding::bad(
                "program",
                format!("{error:#}"),
                "if it runs, start dashcam with the same rights as the program",
            );
        }
    };
    match process.has_own_bitness() {
        Ok(true) => Finding::good("program", format!("process {pid} can be entered")),
        Ok(false) => {
            Finding::good("program", format!("process {pid} can be entered by the other dashcam.exe"))
        }
        Err(error) => {
            Finding::bad("program", format!("{error:#}"), "start dashcam with the same rights as the program")
        }
    }
}
