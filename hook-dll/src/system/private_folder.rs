//! Folders that only the user can access, and the kind of drive a folder lies on.
#![expect(unsafe_code, reason = "calls Windows")]

use std::os::windows::ffi::OsStrExt;
use std::path::Path;
use win32_vocabulary::files::{DRIVE_FIXED, DRIVE_RAMDISK};
use windows::Win32::Foundation::{CloseHandle, HANDLE, HLOCAL, LocalFree};
use windows::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows::Win32::Security::{
    GetTokenInformation, PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
};
use windows::Win32::Storage::FileSystem::{CreateDirectoryW, GetDriveTypeW, GetVolumePathNameW};
use windows::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows::core::{PCWSTR, PWSTR};

/// A path as Windows accepts it, with its final zero. One that is too long gets a prefix.
fn long_path(path: &Path) -> Vec<u16> {
    // CreateDirectoryW keeps room for a file name of 8.3 characters.
    const MAX: usize = 248;
    let path: Vec<u16> = path.as_os_str().encode_wide().collect();
    const BACKSLASH: u16 = 0x5C;
    let (prefix, from) = match path.as_slice() {
        short if short.len() < MAX => ("", 0),
        // It has a prefix: \\?\ or \\.\
        [BACKSLASH, BACKSLASH, 0x3F | 0x2E, ..] => ("", 0),
        [BACKSLASH, BACKSLASH, ..] => (r"\\?\UNC", 1),
        [_, 0x3A, ..] => (r"\\?\", 0),
        _ => ("", 0),
    };
    prefix.encode_utf16().chain(path[from..].iter().copied()).chain([0]).collect()
}

/// Whether a folder lies on a drive that stays while the machine runs: a fixed disk or a RAM disk.
pub(crate) fn is_on_local_drive(folder: &Path) -> bool {
    let folder = long_path(folder);
    let mut root = [0; 1024];
    // SAFETY: GetVolumePathNameW reads the path up to its final zero and writes to the local buffer alone,
    // whose length it gets.
    if unsafe { GetVolumePathNameW(PCWSTR(folder.as_ptr()), &mut root) }.is_err() {
        return false;
    }
    // SAFETY: GetVolumePathNameW ended the root in a zero.
    matches!(unsafe { GetDriveTypeW(PCWSTR(root.as_ptr())) }, DRIVE_FIXED | DRIVE_RAMDISK)
}

/// Creates a folder that only the user can access, with inheritance to everything in it.
pub(crate) fn create_private_folder(path: &Path) -> std::io::Result<()> {
    let rights: Vec<u16> = format!("D:P(A;OICI;FA;;;{})", user_id()?).encode_utf16().chain([0]).collect();
    let mut descriptor = PSECURITY_DESCRIPTOR::default();
    let (text, version) = (PCWSTR(rights.as_ptr()), SDDL_REVISION_1);
    // SAFETY: the text ends in a zero, and the call writes to the local descriptor.
    unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(text, version, &raw mut descriptor, None)?;
    };
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.0,
        bInheritHandle: false.into(),
    };
    let path = long_path(path);
    // SAFETY: the path ends in a zero; the attributes and their descriptor live until the call returns.
    let made = unsafe { CreateDirectoryW(PCWSTR(path.as_ptr()), Some(&raw const attributes)) };
    // SAFETY: Windows allocated it with LocalAlloc for the caller to free, and it is not used any more.
    unsafe { LocalFree(Some(HLOCAL(descriptor.0))) };
    Ok(made?)
}

/// The security id of the user, such as `S-1-5-21-…`.
fn user_id() -> std::io::Result<String> {
    let mut token = HANDLE::default();
    // SAFETY: GetCurrentProcess has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the pseudo handle is always valid, and the call writes to the local token.
    unsafe { OpenProcessToken(process, TOKEN_QUERY, &raw mut token)? };
    // Numbers of 8 bytes, so that the structure is aligned.
    let mut user = [0u64; 32];
    let (mut len, room) = (0, size_of_val(&user) as u32);
    let place = Some(user.as_mut_ptr().cast());
    // SAFETY: GetTokenInformation writes to the local buffer alone, whose length it gets.
    let asked = unsafe { GetTokenInformation(token, TokenUser, place, room, &raw mut len) };
    // SAFETY: opened above and closed nowhere else.
    let _ = unsafe { CloseHandle(token) };
    asked?;
    // SAFETY: GetTokenInformation succeeded, so the buffer begins with a TOKEN_USER; it is aligned to 8
    // bytes.
    let sid = unsafe { (*user.as_ptr().cast::<TOKEN_USER>()).User.Sid };
    let mut text = PWSTR::null();
    // SAFETY: the id lies in the buffer above, and the call writes to the local pointer.
    unsafe { ConvertSidToStringSidW(sid, &raw mut text)? };
    // SAFETY: ConvertSidToStringSidW made a text that ends in a zero.
    let id = unsafe { text.to_string() }.map_err(std::io::Error::other);
    // SAFETY: Windows allocated it with LocalAlloc for the caller to free, and it is not used any more.
    unsafe { LocalFree(Some(HLOCAL(text.0.cast()))) };
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_that_is_too_long_gets_a_prefix() {
        let of = |path: &str| String::from_utf16(&long_path(Path::new(path))).unwrap();
        let long = "n".repeat(250);
        assert_eq!(of(r"C:\short"), "C:\\short\0");
        assert_eq!(of(&format!(r"C:\{long}")), format!("\\\\?\\C:\\{long}\0"));
        assert_eq!(of(&format!(r"\\server\share\{long}")), format!("\\\\?\\UNC\\server\\share\\{long}\0"));
        assert_eq!(of(&format!(r"\\?\C:\{long}")), format!("\\\\?\\C:\\{long}\0"));
    }
}
