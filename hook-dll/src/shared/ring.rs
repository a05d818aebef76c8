//! The ring of one thread, in a mapped file that outlives the process.
//!
//! `message-log` defines the layout; this file defines how two threads share it: the callback writes, the
//! recorder thread reads. The unread bytes belong to the reader and the rest to the writer; the two indices,
//! which are atomic, hand bytes over. Indices and slices follow the contract of the `ringbuf` crate.
//!
//! If no file can be mapped, the ring lies in memory, and the log states it. A mapped file faults when its
//! disk is gone. Therefore every access is guarded, and the threads use indices of their own, which the file
//! only has copies of. A ring that has faulted is broken, and the recorder thread replaces it.
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

/// The size of the data area of a thread's ring in bytes.
pub(crate) const CAPACITY: usize = 1 << 20;

/// A ring: one thread writes, one reads.
pub(crate) struct Ring {
    memory: MmapRaw,
    capacity: usize,
    write: AtomicUsize,
    read: AtomicUsize,
    is_broken: AtomicBool,
    /// Kept open so that nobody can delete it.
    file: Option<(File, PathBuf)>,
}

impl Ring {
    /// Creates a ring in a new file, or in memory without a path or if the file cannot be mapped.
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
        // SAFETY: the mapping is longer than its header, and no other thread knows it yet.
        if !unsafe { guarded::copy(page.as_ptr(), ring.memory.as_mut_ptr(), page.len()) } {
            return Err(io::Error::other("the ring cannot be written"));
        }
        Ok(ring)
    }

    fn map(path: &Path, size: usize) -> io::Result<(MmapRaw, (File, PathBuf))> {
        let file = create_guarded(path)?;
        // Writes every page: this allocates the disk space and loads the pages.
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

    /// Whether its file still exists under its path.
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

    /// Writes a whole record; false when there is no room or the memory faults. Only the writer calls this:
    /// whoever has set `busy` of the thread's state.
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
        // In the file first, so that a crash afterwards loses nothing.
        let index = self.index(RingHeader::WRITE_INDEX);
        let is_written = if capacity - at >= record.len() && record.len() <= guarded::SHORT {
            // SAFETY: the bytes from `at` on lie in the data area and are free, so they belong to the writer,
            // which this thread is; nobody else writes the file's write index.
            unsafe { guarded::copy_record(record, self.area().wrapping_add(at), next, index) }
        } else {
            // SAFETY: the index is aligned, and nobody else writes it.
            self.copy_parts(record, at) && unsafe { guarded::store(index, next) }
        };
        if !is_written {
            return self.broke();
        }
        self.write.store(next, Ordering::Release);
        true
    }

    /// Copies a record that is long, or that continues at the beginning of the data area.
    #[cold]
    fn copy_parts(&self, record: &[u8], at: usize) -> bool {
        let (first, second) = record.split_at((self.capacity - at).min(record.len()));
        // SAFETY: `push` made sure that these bytes of the data area are free, and that this
        // thread is the writer.
        let is_copied = unsafe { guarded::copy(first.as_ptr(), self.area().wrapping_add(at), first.len()) };
        // SAFETY: as for the first part, which reaches to the end of the data area.
        is_copied && unsafe { guarded::copy(second.as_ptr(), self.area(), second.len()) }
    }

    #[cold]
    fn broke(&self) -> bool {
        self.is_broken.store(true, Ordering::Relaxed);
        false
    }

    /// Appends unread bytes to `out`, at most `most`; whether that is all. Bytes that cannot be read, because
    /// the disk is gone, are omitted. Only the reader calls this: the recorder thread.
    pub(crate) fn peek(&self, out: &mut Vec<u8>, most: usize) -> bool {
        let (read, write) = (self.read_index(), self.write_index());
        // SAFETY: the bytes between the indices belong to the reader, which this thread is.
        let (first, second) = unsafe { self.unsafe_slices(read, write) };
        let taken = first.len().min(most);
        let is_read = (append(out, &first[..taken])
            && append(out, &second[..second.len().min(most - taken)]))
            || self.broke();
        !is_read || first.len() + second.len() <= most
    }

    /// Releases `bytes` to the writer.
    pub(crate) fn advance(&self, bytes: usize) {
        // SAFETY: `peek` returned these bytes to the recorder thread, which is the only reader.
        unsafe { self.advance_read_index(bytes) };
    }

    /// Writes the conversion of ticks to the header. Only the recorder thread calls this.
    pub(crate) fn set_tick_scale(&self, scale: u64) {
        let bytes = scale.to_le_bytes();
        let to = self.memory.as_mut_ptr().wrapping_add(RingHeader::TICK_SCALE);
        // SAFETY: the field lies in the header, and only the recorder thread uses it while the process lives.
        unsafe { guarded::copy(bytes.as_ptr(), to, bytes.len()) };
    }

    /// Starts to write the pages to the disk.
    pub(crate) fn flush(&self) {
        if self.is_in_file() {
            let _ = self.memory.flush_async();
        }
    }

    /// Deletes the file, after everything in it is in XML.
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

    /// The address of an index in the file, aligned to 8; on x86 that of the lower half of the 64-bit number.
    fn index(&self, offset: usize) -> *mut usize {
        self.memory.as_mut_ptr().wrapping_add(offset).cast()
    }
}

/// The remainder. Avoids the division, which takes longer than the copy of a record, and is
/// hardly ever needed.
#[inline]
fn wrap(index: usize, size: usize) -> usize {
    if index < size { index } else { index % size }
}

/// Appends bytes of a mapped file. Where the file cannot be read any more, `out` stays as it was.
fn append(out: &mut Vec<u8>, bytes: &[MaybeUninit<u8>]) -> bool {
    let from = out.len();
    out.resize(from + bytes.len(), 0);
    let is_read = guarded::copy_into(bytes.as_ptr().cast(), &mut out[from..]);
    if !is_read {
        out.truncate(from);
    }
    is_read
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

// SAFETY: the trait demands that the capacity never changes, that indices stay below twice the
// capacity (`push` and `advance` wrap them), and that slices cover exactly the range between the two
// indices, as they do below.
unsafe impl Raw for Ring {
    unsafe fn unsafe_slices(&self, start: usize, end: usize) -> (&[MaybeUninit<u8>], &[MaybeUninit<u8>]) {
        // SAFETY: the trait has the caller vouch for the range.
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
        // SAFETY: `at + first` is at most the capacity, so it lies in the mapping; the caller
        // vouches for the range.
        let left = unsafe { std::slice::from_raw_parts_mut(self.area().wrapping_add(at).cast(), first) };
        // SAFETY: `len - first` is at most `at`, so the slices do not overlap; the caller
        // vouches for the range.
        let right = unsafe { std::slice::from_raw_parts_mut(self.area().cast(), len - first) };
        (left, right)
    }

    unsafe fn set_read_index(&self, value: usize) {
        // In the file first: nobody overwrites bytes that the file still calls unread.
        // SAFETY: the index is aligned, and only the reader writes it, for which the trait has
        // the caller vouch.
        let _ = unsafe { guarded::store(self.index(RingHeader::READ_INDEX), value) } || self.broke();
        self.read.store(value, Ordering::Release);
    }

    unsafe fn set_write_index(&self, value: usize) {
        // SAFETY: the index is aligned, and only the writer writes it, for which the trait has
        // the caller vouch.
        let _ = unsafe { guarded::store(self.index(RingHeader::WRITE_INDEX), value) } || self.broke();
        self.write.store(value, Ordering::Release);
    }

    // Both ends are held from the beginning: by the hooked thread and by the recorder thread.
    unsafe fn hold_read(&self, _: bool) -> bool {
        true
    }

    unsafe fn hold_write(&self, _: bool) -> bool {
        true
    }
}

impl Producer for Ring {}
impl Consumer for Ring {}
