//! The files of a session: segments that come and go, bounded in time and in bytes; and the
//! sessions beside it.
//!
//! Segment 0 is the session's head and stays. Every other segment goes when it is older than the retention,
//! or when all together are larger than the cap. A write that fails leaves the segment as it was before; the
//! caller keeps its lines and tries again.

use crate::shared::fault;
use crate::system::files::{create_folder, create_guarded};
use message_log::{FORMAT_VERSION, LogWriter, SegmentHead};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SegmentLimits {
    /// Seconds kept behind the head.
    pub(crate) retention: u64,
    /// Bytes of all segments together.
    pub(crate) bytes: u64,
}

impl SegmentLimits {
    /// One segment holds a sixteenth, so that what is thrown away at once is little.
    fn segment_bytes(self) -> u64 {
        (self.bytes / 16).max(16 << 10)
    }

    fn segment_micros(self) -> u64 {
        (self.retention.saturating_mul(1_000_000) / 16).max(1_000_000)
    }
}

/// The head holds the session's first minute at the most.
const HEAD_MICROS: u64 = 60_000_000;
/// So many failed writes in a row, and another segment is tried: a file can be locked where a new
/// one can be made.
const PATIENCE: u32 = 20;

/// The segments of one session in one folder.
pub(crate) struct Segments {
    folder: PathBuf,
    session: String,
    limits: SegmentLimits,
    current: Option<Current>,
    next: u64,
    /// Finished ones that may go, oldest first: number, end, bytes.
    finished: VecDeque<Finished>,
    head_bytes: u64,
    /// Bytes written in all.
    pub(crate) written: u64,
}

struct Current {
    number: u64,
    file: File,
    begin: u64,
    /// Whole lines written.
    bytes: u64,
    /// Writes that failed in a row.
    failures: u32,
}

struct Finished {
    number: u64,
    end: u64,
    bytes: u64,
}

impl Current {
    /// Back to the last whole line.
    fn cut(&mut self) -> io::Result<()> {
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

    /// Whether another segment should begin before anything is written at this time.
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

    /// Begins another segment and ends the one before; a keyframe must follow. The line it begins with. Where
    /// none can be begun the one before stays.
    pub(crate) fn begin(&mut self, time: u64, wall: &str) -> io::Result<Vec<u8>> {
        let number = self.next;
        let line = self.head_line(number, time, wall);
        fault::point("segment");
        fault::disk()?;
        create_folder(&self.folder)?;
        let path = self.path(number);
        let mut file = create_guarded(&path).inspect_err(|error| {
            // What an earlier try left and could not remove.
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

    /// The line by which a copy of the log can begin at this moment.
    pub(crate) fn head(&self, time: u64, wall: &str) -> Vec<u8> {
        self.head_line(self.next.saturating_sub(1), time, wall)
    }

    fn head_line(&self, number: u64, time: u64, wall: &str) -> Vec<u8> {
        let session = self.session.clone();
        let head = SegmentHead { version: FORMAT_VERSION, session, number, time, wall: wall.into() };
        let mut line = Vec::new();
        // Into memory, which takes everything.
        let _ = LogWriter::begin(&mut line, &head);
        line
    }

    /// Appends whole lines: all of them or, when that fails, none.
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
                if current.cut().is_err() || current.failures >= PATIENCE {
                    let begin = current.begin;
                    self.finish(begin);
                }
            }
        }
        written
    }

    /// Lets go of a segment whose file somebody took away; whether that was so.
    pub(crate) fn forget_gone(&mut self) -> bool {
        let is_gone = self.current.as_ref().is_some_and(|current| !self.path(current.number).exists());
        if is_gone {
            self.current = None;
        }
        is_gone
    }

    /// Makes the system write what it was given, so that a power cut costs no more than what came since.
    pub(crate) fn flush(&self) {
        if let Some(current) = &self.current {
            let _ = current.file.sync_data();
        }
    }

    /// Ends the current segment properly.
    pub(crate) fn finish(&mut self, time: u64) {
        let Some(mut current) = self.current.take() else { return };
        if current.file.write_all(b"</dashcam>\n").is_err() {
            let _ = current.cut();
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

/// How much of ended sessions is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeepRules {
    pub(crate) sessions: usize,
    pub(crate) age: Duration,
    pub(crate) bytes: u64,
}

impl KeepRules {
    /// How many of these sessions stay, given their ends and sizes, newest first. The newest stays whatever
    /// its size: it may be the one that crashed a moment ago.
    fn count(self, sessions: &[(SystemTime, u64)], now: SystemTime) -> usize {
        let mut total = 0u64;
        let stays = |&(i, &(end, bytes)): &(usize, &(SystemTime, u64))| {
            total = total.saturating_add(bytes);
            now.duration_since(end).unwrap_or_default() <= self.age && (i == 0 || total <= self.bytes)
        };
        sessions.iter().enumerate().take(self.sessions).take_while(stays).count()
    }
}

/// Removes ended sessions that are too many, too old or too large together: whole folders, rings and all, and
/// never one that a living recorder writes to.
pub(crate) fn remove_old_sessions(folder: &Path, keep: KeepRules, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut ended: Vec<_> = entries
        .filter_map(|entry| entry.ok().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())))
        .filter_map(|entry| end_and_size(&entry.path()).map(|(end, bytes)| (end, bytes, entry.path())))
        .filter(|(_, _, path)| !is_living(path))
        .collect();
    // One that ended in the future did so before the clock was set back: it is older than what ended since.
    ended.sort_by(|a, b| (b.0 <= now, b).cmp(&(a.0 <= now, a)));
    let sizes: Vec<_> = ended.iter().map(|&(end, bytes, _)| (end, bytes)).collect();
    for (_, _, path) in ended.into_iter().skip(keep.count(&sizes, now)) {
        let _ = fs::remove_dir_all(path);
    }
}

/// When a session's folder was last written to, and how large it is; none if it is no session's.
fn end_and_size(folder: &Path) -> Option<(SystemTime, u64)> {
    let mut found = None;
    let mut is_session = false;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        is_session |= name.starts_with("segment-") && name.ends_with(".xml") || name.ends_with(".ring");
        let file = entry.metadata().ok()?;
        let (end, bytes) = found.unwrap_or((SystemTime::UNIX_EPOCH, 0));
        found = Some((file.modified().ok()?.max(end), bytes + file.len()));
    }
    found.filter(|_| is_session)
}

/// Whether a recorder keeps the session's lock open, so that nobody else may write to it.
fn is_living(session: &Path) -> bool {
    match OpenOptions::new().write(true).open(session.join(LOCK)) {
        Ok(_) => false,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// The file a living recorder keeps open in its session's folder.
pub(crate) const LOCK: &str = "recording";

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

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn sessions_are_kept_by_number_age_and_size() {
        let now = SystemTime::UNIX_EPOCH + HOUR * 1000;
        // Ages in hours and bytes, newest first.
        let check = |sessions: &[(u32, u64)], expected: usize| {
            let keep = KeepRules { sessions: 3, age: HOUR * 24, bytes: 100 };
            let sessions: Vec<_> = sessions.iter().map(|&(age, bytes)| (now - HOUR * age, bytes)).collect();
            assert_eq!(keep.count(&sessions, now), expected, "{sessions:?}");
        };
        check(&[], 0);
        check(&[(1, 10), (2, 10), (3, 10), (4, 10)], 3);
        check(&[(1, 10), (24, 10), (25, 10)], 2);
        check(&[(30, 10)], 0);
        check(&[(1, 60), (2, 40), (3, 1)], 2);
        // The newest is what somebody wants to send.
        check(&[(1, 500), (2, 1)], 1);
        check(&[(1, u64::MAX), (2, u64::MAX)], 1);
    }

    #[test]
    fn old_sessions_go_and_living_ones_stay() {
        let root = folder("sessions");
        for name in ["a", "b", "c", "d", "living"] {
            fs::create_dir_all(root.join(name)).unwrap();
            fs::write(root.join(name).join("segment-000000.xml"), "").unwrap();
        }
        fs::write(root.join("a").join("thread-1.ring"), "").unwrap();
        // What cannot be written to is in use; after a crash the lock is there and free.
        fs::create_dir_all(root.join("living").join(LOCK)).unwrap();
        fs::write(root.join("b").join(LOCK), "").unwrap();
        fs::create_dir_all(root.join("not-ours")).unwrap();
        fs::write(root.join("not-ours").join("letter.txt"), "").unwrap();
        let later = SystemTime::now() + HOUR;
        remove_old_sessions(&root, KeepRules { sessions: 2, age: HOUR * 24, bytes: 1000 }, later);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 4, "two of ours, the living one and a stranger");
        assert!(root.join("not-ours").exists() && root.join("living").exists());
        remove_old_sessions(&root, KeepRules { sessions: 2, age: HOUR / 2, bytes: 1000 }, later);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
        fs::remove_dir_all(&root).unwrap();
    }

    /// Sessions that ended so many hours from now, and which of them are kept.
    fn kept_at(name: &str, ends: &[(&str, i32)], keep: KeepRules, now: SystemTime) -> Vec<String> {
        let root = folder(name);
        for (session, hours) in ends {
            let end = if *hours < 0 {
                now - HOUR * hours.unsigned_abs()
            } else {
                now + HOUR * hours.unsigned_abs()
            };
            fs::create_dir_all(root.join(session)).unwrap();
            let file = File::create(root.join(session).join("segment-000000.xml")).unwrap();
            file.set_modified(end).unwrap();
        }
        remove_old_sessions(&root, keep, now);
        let mut kept: Vec<String> =
            fs::read_dir(&root).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into()).collect();
        kept.sort();
        fs::remove_dir_all(&root).unwrap();
        kept
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_cost_the_newest_session() {
        let keep = KeepRules { sessions: 2, age: HOUR * 24, bytes: 1000 };
        let now = SystemTime::now();
        // Three were written while the clock was two days fast.
        let ends = [("fast-1", 47), ("fast-2", 48), ("fast-3", 49), ("crashed", -1)];
        assert_eq!(kept_at("back", &ends, keep, now), ["crashed", "fast-3"]);
        // None of them goes because of its age, which is not known.
        assert_eq!(kept_at("fast", &ends[..2], keep, now), ["fast-1", "fast-2"]);
    }

    #[test]
    fn summer_time_and_a_clock_set_forward_by_less_than_the_age_cost_nothing() {
        let keep = KeepRules { sessions: 9, age: HOUR * 24, bytes: 1000 };
        let now = SystemTime::now();
        let ends = [("before", -2), ("an-hour-ahead", 1), ("just-now", 0)];
        assert_eq!(kept_at("summer", &ends, keep, now), ["an-hour-ahead", "before", "just-now"]);
        assert_eq!(kept_at("forward", &ends, keep, now + HOUR * 20).len(), 3);
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
