//! Programs of the other bitness are the business of the `dashcam.exe` beside us that has theirs:
//! `x64\dashcam.exe` and `x86\dashcam.exe`.

use crate::win32::{self, Process};
use anyhow::{Context, bail};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::ExitCode;

/// Has the other `dashcam.exe` do what we were told, if the program is of its kind. None if it is of ours, or
/// nobody can tell.
pub(crate) fn hand_over_start(program: &str) -> anyhow::Result<Option<ExitCode>> {
    let file = win32::find_program(program);
    let machine = file.and_then(|file| File::open(file).ok()).and_then(|mut file| machine(&mut file));
    match machine {
        Some(machine) if machine != OWN => hand_over(program).map(Some),
        _ => Ok(None),
    }
}

/// The same for a program that runs.
pub(crate) fn hand_over_running(process: &Process) -> anyhow::Result<Option<ExitCode>> {
    if process.has_own_bitness()? {
        return Ok(None);
    }
    hand_over(&format!("process {}", process.id())).map(Some)
}

const X86: u16 = 0x014C;
const X64: u16 = 0x8664;
const OWN: u16 = if cfg!(target_pointer_width = "64") { X64 } else { X86 };
const OTHER: &str = if cfg!(target_pointer_width = "64") { "x86" } else { "x64" };

fn hand_over(what: &str) -> anyhow::Result<ExitCode> {
    let own = std::env::current_exe()?;
    let above = own.parent().and_then(Path::parent).unwrap_or(Path::new(".."));
    let other = above.join(OTHER).join("dashcam.exe");
    if !other.is_file() {
        bail!(
            "{what} is an {OTHER} program: use the dashcam.exe for {OTHER}, which is not at {}",
            other.display()
        );
    }
    if OTHER == "x86" && !win32::runs_x86() {
        bail!("{what} is an x86 program, and this system does not run those: use a Windows that does");
    }
    let status = std::process::Command::new(&other).args(std::env::args_os().skip(1)).status();
    let status = status.with_context(|| {
        format!("{what} is an {OTHER} program, and {} cannot be started here", other.display())
    })?;
    std::process::exit(status.code().unwrap_or(2));
}

/// The machine a program was built for, of those that there is a `dashcam.exe` for.
fn machine(file: &mut (impl Read + Seek)) -> Option<u16> {
    let mut word = |at: u64, bytes: &mut [u8]| {
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(bytes).ok()
    };
    let (mut magic, mut place, mut head) = ([0; 2], [0; 4], [0; 6]);
    word(0, &mut magic)?;
    word(0x3C, &mut place)?;
    word(u64::from(u32::from_le_bytes(place)), &mut head)?;
    let machine = u16::from_le_bytes([head[4], head[5]]);
    (&magic == b"MZ" && &head[..4] == b"PE\0\0" && [X86, X64].contains(&machine)).then_some(machine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_machine_is_told_by_the_head_of_a_program() {
        let program = |machine: [u8; 2]| {
            let mut bytes = vec![0; 0x90];
            bytes[..2].copy_from_slice(b"MZ");
            bytes[0x3C] = 0x80;
            bytes[0x80..0x84].copy_from_slice(b"PE\0\0");
            bytes[0x84..0x86].copy_from_slice(&machine);
            Cursor::new(bytes)
        };
        assert_eq!(machine(&mut program([0x4C, 0x01])), Some(X86));
        assert_eq!(machine(&mut program([0x64, 0x86])), Some(X64));
        assert_eq!(machine(&mut program([0x64, 0xAA])), None, "nothing for ARM");
        assert_eq!(machine(&mut Cursor::new(b"#!/bin/sh".to_vec())), None);
        assert_eq!(machine(&mut Cursor::new(Vec::new())), None);
    }
}
