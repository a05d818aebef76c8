//! Opens an exported file, whoever made it.
//!
//! No entry is ever written to disk. Names that point outside the archive, encrypted entries and entries that
//! would unpack to an absurd size are refused. A file that is merely truncated or corrupted is read as far as
//! possible.

use crate::log::ReadSeek;
use crate::reader::{Entry, Reader};
use crate::{Damage, DamageKind, Error, Place};
use crc32fast::Hasher;
use flate2::read::DeflateDecoder;
use std::collections::VecDeque;
use std::io::{self, Read, SeekFrom, Take};
use zip::{CompressionMethod, ZipArchive};

/// The log inside an exported file. It is the first entry, so that a truncated file is still readable.
pub const LOG_NAME: &str = "log.xml";
/// The manifest inside an exported file.
pub const MANIFEST_NAME: &str = "manifest.json";

/// The most unpacked bytes without an event in them: no record is that long.
const MAX_WITHOUT_EVENT: u64 = 64 << 20;
/// A log of this size is always accepted; a larger one only if each packed byte becomes at most this many
/// bytes.
const ALWAYS_ACCEPTED: u64 = 1 << 30;
const MAX_RATIO: u64 = 200;
const MAX_MANIFEST: u64 = 1 << 20;
const MAX_ENTRIES: usize = 64;
const LOCAL_HEADER: usize = 30;
const SIGNATURE: &[u8; 4] = b"PK\x03\x04";

/// Whether a file with these first bytes is an exported file.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// The place of an entry's packed bytes.
struct PackedRange {
    start: u64,
    len: u64,
    method: CompressionMethod,
    crc: Option<u32>,
}

impl PackedRange {
    fn open<R: ReadSeek>(&self, mut file: R) -> io::Result<EntryReader<R>> {
        file.seek(SeekFrom::Start(self.start))?;
        let packed = file.take(self.len);
        let input = match self.method {
            CompressionMethod::Stored => Input::Stored(packed),
            _ => Input::Deflated(DeflateDecoder::new(packed)),
        };
        let (left, crc) = (unpacked_limit(self.len), self.crc);
        Ok(EntryReader { input, left, barren: 0, hasher: Hasher::new(), crc, trouble: None, ended: false })
    }
}

/// The most bytes that this many packed bytes may become. Exports keep this limit too.
pub(crate) fn unpacked_limit(packed: u64) -> u64 {
    ALWAYS_ACCEPTED.max(packed.saturating_mul(MAX_RATIO))
}

/// Unpacks one entry. An error ends the stream and is kept.
struct EntryReader<R: Read> {
    input: Input<R>,
    left: u64,
    /// Bytes since the last event.
    barren: u64,
    hasher: Hasher,
    crc: Option<u32>,
    trouble: Option<String>,
    ended: bool,
}

enum Input<R: Read> {
    Stored(Take<R>),
    Deflated(DeflateDecoder<Take<R>>),
}

/// Marks an I/O error that is a refusal.
#[derive(Debug, thiserror::Error)]
#[error("it unpacks to far more bytes than a log has")]
struct UnpacksTooLarge;

impl<R: Read> Read for EntryReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.ended || out.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.input {
            Input::Stored(input) => input.read(out),
            Input::Deflated(input) => input.read(out),
        };
        let n = read.unwrap_or_else(|e| {
            self.trouble = Some(e.to_string());
            0
        });
        self.left = self.left.checked_sub(n as u64).ok_or_else(|| io::Error::other(UnpacksTooLarge))?;
        self.barren += n as u64;
        if self.barren > MAX_WITHOUT_EVENT {
            return Err(io::Error::other(UnpacksTooLarge));
        }
        self.hasher.update(&out[..n]);
        if n == 0 {
            self.ended = true;
            if self.trouble.is_none() && self.crc.is_some_and(|crc| crc != self.hasher.clone().finalize()) {
                self.trouble = Some("its checksum is wrong".into());
            }
        }
        Ok(n)
    }
}

/// The log inside an exported file, as a stream of entries.
pub(crate) struct InflatedStream<'a> {
    name: String,
    before: VecDeque<Entry>,
    reader: Reader<EntryReader<Box<dyn ReadSeek + 'a>>>,
    ended: bool,
}

impl<'a> InflatedStream<'a> {
    pub(crate) fn open(name: &str, mut file: Box<dyn ReadSeek + 'a>) -> Result<Self, Error> {
        let mut wrong = Vec::new();
        let packed = find(name, &mut file, LOG_NAME, &mut wrong)?;
        let unpack = packed.open(file).map_err(|cause| Error::Io { name: name.into(), cause })?;
        let before = wrong.into_iter().map(|kind| Entry::Damage(damage(name, kind))).collect();
        Ok(Self { name: name.into(), before, reader: Reader::new(name, unpack, false)?, ended: false })
    }
}

impl Iterator for InflatedStream<'_> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entry) = self.before.pop_front() {
            return Some(Ok(entry));
        }
        match self.reader.next() {
            Some(Err(Error::Io { name, cause }))
                if cause.get_ref().is_some_and(|e| e.is::<UnpacksTooLarge>()) =>
            {
                Some(Err(Error::Refused { name, reason: UnpacksTooLarge.to_string() }))
            }
            None if !self.ended => {
                self.ended = true;
                let reason = self.reader.input().trouble.clone()?;
                Some(Ok(Entry::Damage(damage(&self.name, DamageKind::Archive { reason }))))
            }
            entry => {
                if let Some(Ok(Entry::Event(_))) = entry {
                    self.reader.input().barren = 0;
                }
                entry
            }
        }
    }
}

/// The bytes of the manifest.
pub(crate) fn read_manifest(name: &str, mut file: impl ReadSeek) -> Result<Vec<u8>, Error> {
    let packed = find(name, &mut file, MANIFEST_NAME, &mut Vec::new())?;
    let mut bytes = Vec::new();
    let read = packed.open(file).and_then(|unpack| unpack.take(MAX_MANIFEST).read_to_end(&mut bytes));
    read.map_err(|cause| Error::Io { name: name.into(), cause })?;
    Ok(bytes)
}

fn damage(name: &str, kind: DamageKind) -> Damage {
    Damage { place: Place { name: name.into(), offset: 0, line: 0 }, kind }
}

/// Finds an entry in the archive's directory or, if that is missing, the first entry by its own header.
fn find(
    name: &str,
    file: &mut impl ReadSeek,
    wanted: &str,
    wrong: &mut Vec<DamageKind>,
) -> Result<PackedRange, Error> {
    let refuse = |reason: String| Error::Refused { name: name.into(), reason };
    let length = file.seek(SeekFrom::End(0)).map_err(|cause| Error::Io { name: name.into(), cause })?;
    let mut archive = match ZipArchive::new(&mut *file) {
        Ok(archive) => archive,
        Err(e) => {
            wrong.push(DamageKind::Archive { reason: e.to_string() });
            return find_first(file, wanted)
                .map_err(|cause| Error::Io { name: name.into(), cause })?
                .ok_or_else(|| refuse(format!("it is damaged, and {wanted} is not its first entry")));
        }
    };
    if archive.len() > MAX_ENTRIES {
        return Err(refuse(format!("it has {} entries", archive.len())));
    }
    let mut found = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|e| refuse(e.to_string()))?;
        let entry_name = entry.name().map_err(|e| refuse(e.to_string()))?.into_owned();
        if is_path(&entry_name) || entry.is_symlink() {
            return Err(refuse(format!("the entry {entry_name:?} is a path or a link")));
        }
        if entry.encrypted() {
            return Err(refuse("it is encrypted".into()));
        }
        if entry_name != wanted {
            if entry_name != LOG_NAME && entry_name != MANIFEST_NAME {
                wrong.push(DamageKind::ForeignEntry { name: entry_name });
            }
            continue;
        }
        let method = entry.compression();
        if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(refuse(format!("it is compressed with {method}, which is not supported")));
        }
        let start = entry.data_start().ok_or_else(|| refuse(format!("it does not contain {wanted}")))?;
        // The directory may state any size; the number of bytes in the file is a fact.
        let len = entry.compressed_size().min(length.saturating_sub(start));
        found = Some(PackedRange { start, len, method, crc: Some(entry.crc32()) });
    }
    found.ok_or_else(|| refuse(format!("it does not contain {wanted}")))
}

/// Whether a name is a path, or a trick to write somewhere else.
fn is_path(name: &str) -> bool {
    name.strip_suffix('/')
        .unwrap_or(name)
        .split('/')
        .any(|part| part.is_empty() || part == "." || part == "..")
        || name.contains(['\\', ':'])
        || name.chars().any(char::is_control)
}

/// The first entry, found by its local header, which survives a truncated end.
fn find_first(file: &mut impl ReadSeek, wanted: &str) -> io::Result<Option<PackedRange>> {
    file.seek(SeekFrom::Start(0))?;
    let mut header = Vec::new();
    file.take(LOCAL_HEADER as u64 + 64).read_to_end(&mut header)?;
    let len = file.seek(SeekFrom::End(0))?;
    let u16_at = |at: usize| header.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
    let (flags, method, name_len, extra_len) = (u16_at(6), u16_at(8), u16_at(26), u16_at(28));
    let name = header.get(LOCAL_HEADER..LOCAL_HEADER + usize::from(name_len));
    let start = LOCAL_HEADER as u64 + u64::from(name_len) + u64::from(extra_len);
    // The length of a stored entry would be a guess; our entries are always deflated.
    if flags & 1 != 0 || method != 8 || name != Some(wanted.as_bytes()) || start > len {
        return Ok(None);
    }
    Ok(Some(PackedRange { start, len: len - start, method: CompressionMethod::Deflated, crc: None }))
}
