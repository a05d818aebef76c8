//! The ring of one thread, in a mapped file that outlives the process.
//!
//! Its layout is `message-log`'s; here is only how it is shared by the callback, which writes, and the
//! recorder's thread, which reads. Indices and slices follow the contract of the `ringbuf` crate. Where no
//! file can be mapped the ring is in memory, and the log says so. A mapped file faults when its disk is gone:
//! every touch of it is guarded, and the two go by indices of their own, of which the file has copies. A ring
//! that has faulted is broken, and another takes its place.
#![expect(unsafe_code, reason = "shares mapped memory between two threads")]

use memmap2::{MmapMut, MmapRaw};
use message_log::{RING_DATA_OFFSET, RingHeader};
use ringbuf::traits::{Consumer, Observer, Producer, Raw};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::system::files::create_guarded;
use crate::system::guarded;

/// Bytes of the data area of a thread's ring.
pub(crate) const CAPACITY: usize = 1 << 20;

/// A ring: one thread writes, one reads.
pub(crate) struct Ring {
    memory: MmapRaw,
    capacity: usize,
    write: AtomicUsize,
    read: AtomicUsize,
    is_broken: AtomicBool,
    /// Kept open so that nobody deletes it under us.
    file: Option<(File, PathBuf)>,
}

impl Ring {
    /// A ring in a new file, or in memory where that cannot be or is not wanted.
    pub(crate) fn create(path: Option<&Path>, header: &RingHeader) -> io::Result<Self> {
        let capacity = header.capacity as usize;
        let size = RING_DATA_OFFSET + capacity;
        let (memory, file) = match path.and_then(|path| Self::map(path, size).ok()) {
            Some((memory, file)) => (memory, Some(file)),
            None => (MmapMut::map_anon(size)?.into(), None),
        };
        let (write, read) = (header.write_index as usize, header.read_index as usize);
        let (write, read) = (AtomicUsize::new(write), AtomicUsize::new(read));
        let ring = Self { memory, capacity, write, read, is_broken: AtomicBool::new(false), file };
        let page = header.encode();
        if !guarded::copy(page.as_ptr(), ring.memory.as_mut_ptr(), page.len()) {
            return Err(io::Error::other("the ring cannot be written"));
        }
        Ok(ring)
    }

    fn map(path: &Path, size: usize) -> io::Result<(MmapRaw, (File, PathBuf))> {
        let file = create_guarded(path)?;
        // Written, not only sized: the space is there from now on, and every page has been touched.
        let mapped = io::copy(&mut io::Read::take(io::repeat(0), size as u64), &mut &file)
            .and_then(|_| MmapRaw::map_raw(&file));
        match mapped {
            Ok(memory) => Ok((memory, (file, path.into()))),
            Err(error) => {
                drop(file);
                let _ = std::fs::remove_file(path);
                Err(error)
            }
        }
    }

    /// Whether its file is still where it was.
    pub(crate) fn is_findable(&self) -> bool {
        self.file.as_ref().is_some_and(|(_, path)| path.exists())
    }

    /// Whether its memory has faulted.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Whether it outlives the process.
    pub(crate) fn is_in_file(&self) -> bool {
        self.file.is_some()
    }

    /// Writes a whole record; false when there is no room or the memory faults. Only the ring's own
    /// thread may call this.
    #[inline(always)]
    pub(crate) fn push(&self, record: &[u8]) -> bool {
        let (write, read) = (self.write_index(), self.read_index());
        let capacity = self.capacity;
        let used = if write >= read { write - read } else { write + 2 * capacity - read };
        if used + record.len() > capacity {
            return false;
        }
        let at = if write < capacity { write } else { write - capacity };
        let next = wrap(write + record.len(), 2 * capacity);
        // In the file first: what this thread goes on from has been noted there.
        let index = self.index(RingHeader::WRITE_INDEX);
        let is_written = if capacity - at >= record.len() && record.len() <= guarded::SHORT {
            guarded::copy_record(record, self.area().wrapping_add(at), next, index)
        } else {
            self.copy_parts(record, at) && guarded::store(index, next)
        };
        if !is_written {
            return self.broke();
        }
        self.write.store(next, Ordering::Release);
        true
    }

    /// Copies a record that is long, or begins at the end of the area and goes on at its beginning.
    #[cold]
    fn copy_parts(&self, record: &[u8], at: usize) -> bool {
        let (first, second) = record.split_at((self.capacity - at).min(record.len()));
        guarded::copy(first.as_ptr(), self.area().wrapping_add(at), first.len())
            && guarded::copy(second.as_ptr(), self.area(), second.len())
    }

    #[cold]
    fn broke(&self) -> bool {
        self.is_broken.store(true, Ordering::Relaxed);
        false
    }

    /// Appends what has been written and not been taken to `out`, so many bytes at the most; whether
    /// that is all. What cannot be read, since the disk is gone, is not there. Only the recorder's
    /// thread may call this.
    pub(crate) fn peek(&self, out: &mut Vec<u8>, most: usize) -> bool {
        let (first, second) = self.as_slices();
        let taken = first.len().min(most);
        let is_there = (append(out, &first[..taken])
            && append(out, &second[..second.len().min(most - taken)]))
            || self.broke();
        !is_there || first.len() + second.len() <= most
    }

    /// Gives `bytes` back to the writer.
    pub(crate) fn advance(&self, bytes: usize) {
        // SAFETY: `bytes` were seen by `peek` and copied; this thread is the only reader.
        unsafe { self.advance_read_index(bytes) };
    }

    /// Refines the conversion of ticks.
    pub(crate) fn set_tick_scale(&self, scale: u64) {
        let bytes = scale.to_le_bytes();
        guarded::copy(
            bytes.as_ptr(),
            self.memory.as_mut_ptr().wrapping_add(RingHeader::TICK_SCALE),
            bytes.len(),
        );
    }

    /// Hands the pages to the system to be written.
    pub(crate) fn flush(&self) {
        if self.is_in_file() {
            let _ = self.memory.flush_async();
        }
    }

    /// Removes the file; everything in it is in XML.
    pub(crate) fn remove(self) {
        let Self { memory, file, .. } = self;
        drop(memory);
        if let Some((file, path)) = file {
            drop(file);
            let _ = std::fs::remove_file(path);
        }
    }

    fn area(&self) -> *mut u8 {
        self.memory.as_mut_ptr().wrapping_add(RING_DATA_OFFSET)
    }

    /// Where an index is in the file, aligned to 8; on x86 it is the lower half of the 64-bit number.
    fn index(&self, offset: usize) -> *mut usize {
        self.memory.as_mut_ptr().wrapping_add(offset).cast()
    }
}

/// The remainder, whatever a damaged file says; nearly always the index itself, and a division takes longer
/// than the copy of a record.
#[inline]
fn wrap(index: usize, size: usize) -> usize {
    if index < size { index } else { index % size }
}

/// Copies bytes of a mapped file, which fault where it cannot be read any more; then `out` stays as it was.
fn append(out: &mut Vec<u8>, bytes: &[u8]) -> bool {
    let from = out.len();
    out.resize(from + bytes.len(), 0);
    let is_there = guarded::copy(bytes.as_ptr(), out[from..].as_mut_ptr(), bytes.len());
    if !is_there {
        out.truncate(from);
    }
    is_there
}

impl Observer for Ring {
    type Item = u8;

    fn capacity(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.capacity).unwrap_or(NonZeroUsize::MIN)
    }

    fn read_index(&self) -> usize {
        self.read.load(Ordering::Acquire)
    }

    fn write_index(&self) -> usize {
        self.write.load(Ordering::Acquire)
    }

    fn read_is_held(&self) -> bool {
        true
    }

    fn write_is_held(&self) -> bool {
        true
    }
}

// SAFETY: the capacity never changes, indices stay below twice the capacity, and slices cover exactly the
// range asked for.
unsafe impl Raw for Ring {
    unsafe fn unsafe_slices(&self, start: usize, end: usize) -> (&[MaybeUninit<u8>], &[MaybeUninit<u8>]) {
        // SAFETY: passed on to the caller.
        let (first, second) = unsafe { self.unsafe_slices_mut(start, end) };
        (first, second)
    }

    unsafe fn unsafe_slices_mut(
        &self,
        start: usize,
        end: usize,
    ) -> (&mut [MaybeUninit<u8>], &mut [MaybeUninit<u8>]) {
        let capacity = self.capacity;
        let len = ((end + 2 * capacity - start) % (2 * capacity)).min(capacity);
        let at = start % capacity;
        let first = len.min(capacity - at);
        // SAFETY: `at + first` lies within the mapped area; the caller owns this range.
        let left = unsafe { std::slice::from_raw_parts_mut(self.area().wrapping_add(at).cast(), first) };
        // SAFETY: `len - first` is at most `at`; the caller owns this range.
        let right = unsafe { std::slice::from_raw_parts_mut(self.area().cast(), len - first) };
        (left, right)
    }

    unsafe fn set_read_index(&self, value: usize) {
        // In the file first: the room is not written to while the file says that it is needed.
        let _ = guarded::store(self.index(RingHeader::READ_INDEX), value) || self.broke();
        self.read.store(value, Ordering::Release);
    }

    unsafe fn set_write_index(&self, value: usize) {
        let _ = guarded::store(self.index(RingHeader::WRITE_INDEX), value) || self.broke();
        self.write.store(value, Ordering::Release);
    }

    // Both ends are held from the beginning: by the hooked thread and by the recorder's.
    unsafe fn hold_read(&self, _: bool) -> bool {
        true
    }

    unsafe fn hold_write(&self, _: bool) -> bool {
        true
    }
}

impl Producer for Ring {}
impl Consumer for Ring {}
