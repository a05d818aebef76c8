//! Texts, paths and lists of the host, read from pointers that may lead anywhere.

use super::status::Status;
use crate::system::guarded;
use crate::system::guarded::plain_data::PlainData;
use std::path::PathBuf;

const MAX_LIST: u32 = 65_536;

/// A text of the host, which may be NULL. An error for a pointer that leads nowhere.
pub(super) fn read_optional_text(text: *const u16) -> Result<Option<Vec<u16>>, Status> {
    if text.is_null() { Ok(None) } else { read_text(text).map(Some).ok_or(Status::BadArgument) }
}

pub(super) fn read_text(text: *const u16) -> Option<Vec<u16>> {
    const MAX: usize = 32 << 10;
    guarded::read(text)?;
    let mut bytes = vec![0; MAX * 2];
    let len = guarded::read_text(text.cast(), 2, &mut bytes);
    Some(bytes[..len].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect())
}

pub(super) fn read_path(path: *const u16) -> Option<PathBuf> {
    read_text(path).filter(|text| !text.is_empty()).map(|text| path_of(&text))
}

pub(super) fn path_of(text: &[u16]) -> PathBuf {
    use std::os::windows::ffi::OsStringExt;
    std::ffi::OsString::from_wide(text).into()
}

pub(super) fn read_list<T: PlainData>(list: *const T, count: u32) -> Result<Vec<T>, Status> {
    let list = (count < MAX_LIST).then(|| guarded::read_list(list, count as usize)).flatten();
    list.ok_or(Status::BadArgument)
}
