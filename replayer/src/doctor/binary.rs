//! What the file of a Windows program or DLL says about itself. Pure; a file that is none says nothing.

use memchr::memmem;

/// The processor a binary was built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    X86,
    X64,
    /// Neither of those there is a recorder for.
    Other(u16),
}

impl Machine {
    /// Ours.
    pub(super) const OWN: Machine =
        if cfg!(target_pointer_width = "64") { Machine::X64 } else { Machine::X86 };

    pub(super) fn name(self) -> &'static str {
        match self {
            Machine::X86 => "x86",
            Machine::X64 => "x64",
            Machine::Other(_) => "another processor's",
        }
    }
}

/// The machine of a PE file.
pub(super) fn machine(file: &[u8]) -> Option<Machine> {
    let place = u32::from_le_bytes(file.get(0x3C..0x40)?.try_into().ok()?) as usize;
    let head = file.get(place..place.checked_add(6)?)?;
    if !file.starts_with(b"MZ") || !head.starts_with(b"PE\0\0") {
        return None;
    }
    Some(match u16::from_le_bytes([head[4], head[5]]) {
        0x014C => Machine::X86,
        0x8664 => Machine::X64,
        other => Machine::Other(other),
    })
}

/// The file version of its version resource, such as `0.1.0`.
pub(super) fn version(file: &[u8]) -> Option<String> {
    // The signature of VS_FIXEDFILEINFO and the version of that structure.
    let at = memmem::find(file, &[0xBD, 0x04, 0xEF, 0xFE, 0x00, 0x00, 0x01, 0x00])?;
    let word =
        |offset: usize| Some(u16::from_le_bytes(file.get(at + offset..at + offset + 2)?.try_into().ok()?));
    Some(format!("{}.{}.{}", word(10)?, word(8)?, word(14)?))
}

/// Whether its manifest wants an administrator.
pub(super) fn wants_administrator(file: &[u8]) -> bool {
    memmem::find(file, b"requireAdministrator").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_its_machine() {
        let mut file = vec![0; 0x90];
        file[..2].copy_from_slice(b"MZ");
        file[0x3C] = 0x80;
        file[0x80..0x86].copy_from_slice(b"PE\0\0\x64\x86");
        assert_eq!(machine(&file), Some(Machine::X64));
        file[0x84..0x86].copy_from_slice(&[0x64, 0xAA]);
        assert_eq!(machine(&file), Some(Machine::Other(0xAA64)));
        file[0x3C..0x40].fill(0xFF);
        assert_eq!(machine(&file), None);
        assert_eq!(machine(b"MZ"), None);
    }

    #[test]
    fn a_version_resource_is_found() {
        let fixed = [0xBD, 0x04, 0xEF, 0xFE, 0, 0, 1, 0, 2, 0, 1, 0, 4, 0, 3, 0];
        assert_eq!(version(&[&[7; 9][..], &fixed].concat()).as_deref(), Some("1.2.3"));
        assert_eq!(version(&fixed[..12]), None);
        assert_eq!(version(b"none"), None);
    }
}
