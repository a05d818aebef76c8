//! The segments of a session, bounded in time and bytes.
//!
//! Segment 0 is the session's head and stays. Every other segment is deleted when it is older than the
//! retention, or when all segments together exceed the limit. A failed write leaves the segment unchanged;
//! the caller keeps the lines and tries again.

use crate::shared::fault;
use crate::system::files::{create_folder, create_guarded};
use message_log::{FORMAT_VERSION, LogWriter, SegmentHead};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SegmentLimits {
    /// How many seconds are kept after the head.
    pub(crate) retention: u64,
    /// Bytes of all segments together.
    pub(crate) bytes: u64,
}

impl SegmentLimits {
    /// A segment holds a sixteenth, so that little is deleted at once.
    fn segment_bytes(self) -> u64 {
        (self.bytes / 16).max(16 << 10)
    }

    fn segment_micros(self) -> u64 {
        (self.retention.saturating_mul(1_000_000) / 16).max(1_000_000)
    }
}

/// The head holds at most the first minute of the session.
const HEAD_MICROS: u64 = 60_000_000;
/// After so many failed writes in a row another segment is tried: the file may be locked where a new
/// one can be created.
const PATIENCE: u32 = 20;

/// The segments of one session in one folder.
pub(crate) struct Segments {
    folder: PathBuf,
    session: String,
    limits: SegmentLimits,
    current: Option<Current>,
    next: u64,
    /// Finished segments except the head, oldest first.
    finished: VecDeque<Finished>,
    head_bytes: u64,
    /// Bytes written in total.
    pub(crate) written: u64,
}

struct Current {
    number: u64,
    file: File,
    begin: u64,
    /// Whole lines written.
    bytes: u64,
    /// Failed writes in a row.
    failures: u32,
}

struct Finished {
    number: u64,
    end: u64,
    bytes: u64,
}

impl Current {
    /// Truncates the file after the last whole line.
    fn truncate(&mut self) -> io::Result<()> {
        self.file.set_len(self.bytes)?;
        self.file.seek(SeekFrom::Start(self.bytes)).map(drop)
    }
}

impl Segments {
    pub(crate) fn new(folder: &Path, session: &str, limits: SegmentLimits) -> Self {
        Self {
            folder: folder.into(),
            session: session.into(),
            limits,
            current: None,
            next: 0,
            finished: VecDeque::new(),
            head_bytes: 0,
            written: 0,
        }
    }

    /// Whether another segment must begin before anything is written at this time.
    pub(crate) fn is_due(&self, time: u64) -> bool {
        let Some(current) = &self.current else { return true };
        let micros =
            if current.number == 0 { HEAD_MICROS } else { u64::MAX }.min(self.limits.segment_micros());
        current.bytes >= self.limits.segment_bytes() || time.saturating_sub(current.begin) >= micros
    }

    /// Whether there is a segment to write to.
    pub(crate) fn is_open(&self) -> bool {
        self.current.is_some()
    }

    /// Begins another segment and finishes the previous one; a keyframe must follow. Returns its first line.
    /// On failure the previous segment stays.
    pub(crate) fn begin(&mut self, time: u64, wall: &str) -> io::Result<Vec<u8>> {
        let number = self.next;
        let line = self.head_line(number, time, wall);
        fault::point("segment");
        fault::disk()?;
        create_folder(&self.folder)?;
        let path = self.path(number);
        let mut file = create_guarded(&path).inspect_err(|error| {
            // An earlier attempt left a file that it could not remove.
            self.next += u64::from(error.kind() == io::ErrorKind::AlreadyExists);
        })?;
        if let Err(error) = file.write_all(&line) {
            drop(file);
            let _ = fs::remove_file(path);
            return Err(error);
        }
        self.finish(time);
        self.next = number + 1;
        let bytes = line.len() as u64;
        self.written += bytes;
        self.current = Some(Current { number, file, begin: time, bytes, failures: 0 });
        self.expire(time);
        Ok(line)
    }

    /// The first line of a copy of the log that begins now.
    pub(crate) fn head(&self, time: u64, wall: &str) -> Vec<u8> {
        self.head_line(self.next.saturating_sub(1), time, wall)
    }

    fn head_line(&self, number: u64, time: u64, wall: &str) -> Vec<u8> {
        let session = self.session.clone();
        let head = SegmentHead { version: FORMAT_VERSION, session, number, time, wall: wall.into() };
        let mut line = Vec::new();
        // A write to memory does not fail.
        let _ = LogWriter::begin(&mut line, &head);
        line
    }

    /// Appends whole lines: all of them or, on failure, none.
    pub(crate) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some(current) = &mut self.current else { return Err(io::Error::other("no segment is open")) };
        fault::point("write");
        let written = fault::disk().and_then(|()| current.file.write_all(lines));
        match written {
            Ok(()) => {
                current.failures = 0;
                current.bytes += lines.len() as u64;
                self.written += lines.len() as u64;
            }
            Err(_) => {
                current.failures += 1;
                if current.truncate().is_err() || current.failures >= PATIENCE {
                    let begin = current.begin;
                    self.finish(begin);
                }
            }
        }
        written
    }

    /// Closes a segment whose file was deleted. Returns whether it was.
    pub(crate) fn forget_gone(&mut self) -> bool {
        let is_gone = self.current.as_ref().is_some_and(|current| !self.path(current.number).exists());
        if is_gone {
            self.current = None;
        }
        is_gone
    }

    /// Flushes the file to the disk, so that a power failure costs only what comes later.
    pub(crate) fn flush(&self) {
        if let Some(current) = &self.current {
            let _ = current.file.sync_data();
        }
    }

    /// Finishes the current segment.
    pub(crate) fn finish(&mut self, time: u64) {
        let Some(mut current) = self.current.take() else { return };
        if current.file.write_all(b"</dashcam>\n").is_err() {
            let _ = current.truncate();
        }
        match current.number {
            0 => self.head_bytes = current.bytes,
            number => self.finished.push_back(Finished { number, end: time, bytes: current.bytes }),
        }
    }

    fn expire(&mut self, time: u64) {
        let oldest = time.saturating_sub(self.limits.retention.saturating_mul(1_000_000));
        let mut bytes = self.head_bytes
            + self.finished.iter().map(|segment| segment.bytes).sum::<u64>()
            + self.limits.segment_bytes();
        while let Some(segment) = self.finished.front() {
            if segment.end >= oldest && bytes <= self.limits.bytes {
                break;
            }
            bytes -= segment.bytes;
            let _ = fs::remove_file(self.path(segment.number));
            self.finished.pop_front();
        }
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("segment-{number:06}.xml"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Event, Key, Kind, Log, Part, Stamp, encode};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dashcam-segments-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn mark(sequence: u64, time: u64) -> Vec<u8> {
        let mut line = Vec::new();
        let event =
            Event::new(Stamp { sequence, time, thread: 0 }, Kind::Mark).with_text(Key::Text, "x".repeat(900));
        encode(&event, &mut line);
        line
    }

    /// Writes a mark every second; what the folder holds afterwards, as sequence numbers.
    fn run(name: &str, limits: SegmentLimits, seconds: u64) -> (Vec<u64>, u64) {
        let folder = folder(name);
        let mut segments = Segments::new(&folder, "s", limits);
        for second in 0..seconds {
            let time = second * 1_000_000;
            if segments.is_due(time) {
                segments.begin(time, "").unwrap();
            }
            segments.write(&mark(second + 1, time)).unwrap();
        }
        segments.finish(seconds * 1_000_000);
        segments.flush();
        let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        let bytes = files.iter().map(|path| fs::metadata(path).unwrap().len()).sum();
        let parts =
            files.into_iter().map(|path| Part::new(path.display().to_string(), move || File::open(&path)));
        let (events, _) = Log::open(parts.collect()).unwrap().read_all().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        (events.iter().map(|e| e.stamp.unwrap().sequence).collect(), bytes)
    }

    #[test]
    fn a_short_session_is_whole() {
        let (numbers, _) = run("whole", SegmentLimits { retention: 86_400, bytes: 64 << 20 }, 500);
        assert_eq!(numbers, (1..=500).collect::<Vec<_>>());
    }

    #[test]
    fn bytes_are_bounded_and_head_and_tail_stay() {
        let limits = SegmentLimits { retention: 86_400, bytes: 512 << 10 };
        let (numbers, bytes) = run("bytes", limits, 3000);
        assert!(bytes <= limits.bytes, "{bytes} bytes");
        assert_eq!(numbers[..10], (1..=10).collect::<Vec<_>>());
        assert_eq!(numbers.last(), Some(&3000));
        assert!(numbers.len() > 350, "only {} records are kept", numbers.len());
    }

    #[test]
    fn time_is_bounded() {
        let (numbers, _) = run("time", SegmentLimits { retention: 160, bytes: 64 << 20 }, 2000);
        let tail: Vec<_> = numbers.iter().copied().filter(|&n| n > 60).collect();
        assert_eq!(numbers.first(), Some(&1));
        assert!(tail[0] >= 2000 - 160 - 20, "{} is older than the retention", tail[0]);
        assert_eq!(*tail.last().unwrap(), 2000);
    }

    /// Asleep for ten hours between two marks: what is older than the retention goes, order and newest stay.
    #[test]
    fn a_sleep_counts_as_time() {
        let folder = folder("sleep");
        let mut segments = Segments::new(&folder, "s", SegmentLimits { retention: 3600, bytes: 64 << 20 });
        let times = (0..1800).chain(36_000..36_600);
        for (second, sequence) in times.zip(1..) {
            let time = second * 1_000_000;
            if segments.is_due(time) {
                segments.begin(time, "").unwrap();
            }
            segments.write(&mark(sequence, time)).unwrap();
        }
        segments.finish(36_600_000_000);
        let files = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
        let parts = files.map(|path| Part::new(path.display().to_string(), move || File::open(&path)));
        let (events, _) = Log::open(parts.collect()).unwrap().read_all().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let numbers: Vec<u64> = events.iter().map(|e| e.stamp.unwrap().sequence).collect();
        assert!(numbers.is_sorted() && numbers.last() == Some(&2400), "{numbers:?}");
        // The head is kept, and of the evening nothing but the segment that was open when the
        // machine fell asleep.
        let evening = numbers.iter().filter(|&&number| number > 60 && number <= 1800).count();
        assert!(evening <= 225, "{evening} of before the sleep");
        assert_eq!(numbers.iter().filter(|&&number| number > 1800).count(), 600);
    }

    #[test]
    fn a_segment_whose_file_is_gone_makes_room_for_another() {
        let folder = folder("gone");
        let mut segments = Segments::new(&folder, "s", SegmentLimits { retention: 86_400, bytes: 1 << 20 });
        segments.begin(0, "").unwrap();
        assert!(!segments.forget_gone());
        // On Windows that is refused while the segment is open.
        if fs::remove_dir_all(&folder).is_ok() {
            assert!(segments.forget_gone() && !segments.is_open());
            assert!(segments.write(b"<mark/>\n").is_err());
            segments.begin(1, "").unwrap();
            segments.write(&mark(1, 1)).unwrap();
            assert!(folder.join("segment-000001.xml").is_file());
            // A copy that begins now begins as the segment does.
            assert_eq!(
                fs::read(folder.join("segment-000001.xml")).unwrap()[..40],
                segments.head(1, "")[..40]
            );
        }
        drop(segments);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A disk that is really full.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_full_disk_does_not_take_leaves_no_half_line() {
        let Some(disk) = SmallDisk::mount("full") else { return };
        let folder = disk.0.join("session");
        let mut segments = Segments::new(&folder, "s", SegmentLimits { retention: 86_400, bytes: 64 << 20 });
        segments.begin(0, "").unwrap();
        let filler = vec![b'x'; 200 << 10];
        fs::write(disk.0.join("filler"), &filler).unwrap();
        let (mut written, mut failed) = (0, 0);
        for sequence in 1..400 {
            match segments.write(&mark(sequence, sequence)) {
                Ok(()) if failed == 0 => written = sequence,
                Ok(()) => panic!("a full disk took a line"),
                Err(_) => failed += 1,
            }
            if failed == PATIENCE + 5 {
                break;
            }
        }
        assert!(written > 10 && failed > PATIENCE, "{written} lines taken, {failed} not");
        // By now the segment has been given up, and no other can be begun.
        assert!(!segments.is_open() && segments.begin(500, "").is_err());
        fs::remove_file(disk.0.join("filler")).unwrap();
        segments.begin(500, "").unwrap();
        segments.write(&mark(written + 1, 500)).unwrap();
        segments.finish(600);
        let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        assert_eq!(files.len(), 2, "{files:?}");
        let parts =
            files.into_iter().map(|path| Part::new(path.display().to_string(), move || File::open(&path)));
        let (events, damage) = Log::open(parts.collect()).unwrap().read_all().unwrap();
        assert_eq!(damage, []);
        let numbers: Vec<_> = events.iter().map(|event| event.stamp.unwrap().sequence).collect();
        assert_eq!(numbers, (1..=written + 1).collect::<Vec<_>>());
    }

    /// A file system of a quarter megabyte, where this user may mount one.
    #[cfg(target_os = "linux")]
    struct SmallDisk(PathBuf);

    #[cfg(target_os = "linux")]
    impl SmallDisk {
        fn mount(name: &str) -> Option<Self> {
            let place = folder(name);
            let mut mount = std::process::Command::new("mount");
            let mounted = mount.args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&place).output();
            if mounted.is_ok_and(|output| output.status.success()) {
                return Some(Self(place));
            }
            eprintln!("left out: no file system can be mounted here");
            fs::remove_dir_all(place).unwrap();
            None
        }
    }

    #[cfg(target_os = "linux")]
    impl Drop for SmallDisk {
        fn drop(&mut self) {
            let _ = std::process::Command::new("umount").arg(&self.0).status();
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
