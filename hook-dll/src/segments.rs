//! The files of a session: segments that come and go, bounded in time and in bytes.
//!
//! Segment 0 is the session's head and stays. Every other segment goes when it is older than the retention, or when all together
//! are larger than the cap. Where the disk does not take a line it is lost, and the number of lines lost is known.

use message_log::{FORMAT_VERSION, LogWriter, SegmentHead};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Seconds kept behind the head.
    pub(crate) retention: u64,
    /// Bytes of all segments together.
    pub(crate) bytes: u64,
}

impl Limits {
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

/// The segments of one session in one folder.
pub(crate) struct Segments {
    folder: PathBuf,
    session: String,
    limits: Limits,
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
    bytes: u64,
}

struct Finished {
    number: u64,
    end: u64,
    bytes: u64,
}

impl Segments {
    pub(crate) fn new(folder: &Path, session: &str, limits: Limits) -> Self {
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

    /// Ends the current segment and begins another; a keyframe must follow.
    pub(crate) fn begin(&mut self, time: u64, wall: &str) -> io::Result<()> {
        self.finish(time);
        let number = self.next;
        self.next += 1;
        let head = SegmentHead {
            version: FORMAT_VERSION,
            session: self.session.clone(),
            number,
            time,
            wall: wall.into(),
        };
        let file = File::create_new(self.path(number))?;
        let mut line = Vec::new();
        LogWriter::begin(&mut line, &head)?;
        self.current = Some(Current { number, file, begin: time, bytes: 0 });
        self.expire(time);
        self.write(&line)
    }

    /// Appends whole lines.
    pub(crate) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some(current) = &mut self.current else { return Err(io::Error::other("no segment is open")) };
        current.file.write_all(lines)?;
        current.bytes += lines.len() as u64;
        self.written += lines.len() as u64;
        Ok(())
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
        let _ = current.file.write_all(b"</dashcam>\n");
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

/// Removes the oldest ended sessions beside the one that begins: folders that no living process keeps open.
pub(crate) fn remove_old_sessions(folder: &Path, keep: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut sessions: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join("segment-000000.xml").is_file())
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    sessions.sort();
    let surplus = sessions.len().saturating_sub(keep);
    for (_, path) in sessions.into_iter().take(surplus) {
        // A lock held by a living recorder makes this fail, which is what it is for.
        if fs::remove_file(path.join(LOCK)).is_ok() || !path.join(LOCK).exists() {
            let _ = fs::remove_dir_all(path);
        }
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
    fn run(name: &str, limits: Limits, seconds: u64) -> (Vec<u64>, u64) {
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
        let (numbers, _) = run("whole", Limits { retention: 86_400, bytes: 64 << 20 }, 500);
        assert_eq!(numbers, (1..=500).collect::<Vec<_>>());
    }

    #[test]
    fn bytes_are_bounded_and_head_and_tail_stay() {
        let limits = Limits { retention: 86_400, bytes: 512 << 10 };
        let (numbers, bytes) = run("bytes", limits, 3000);
        assert!(bytes <= limits.bytes, "{bytes} bytes");
        assert_eq!(numbers[..10], (1..=10).collect::<Vec<_>>());
        assert_eq!(numbers.last(), Some(&3000));
        assert!(numbers.len() > 350, "only {} records are kept", numbers.len());
    }

    #[test]
    fn time_is_bounded() {
        let (numbers, _) = run("time", Limits { retention: 160, bytes: 64 << 20 }, 2000);
        let tail: Vec<_> = numbers.iter().copied().filter(|&n| n > 60).collect();
        assert_eq!(numbers.first(), Some(&1));
        assert!(tail[0] >= 2000 - 160 - 20, "{} is older than the retention", tail[0]);
        assert_eq!(*tail.last().unwrap(), 2000);
    }

    #[test]
    fn old_sessions_go_and_living_ones_stay() {
        let root = folder("sessions");
        for name in ["a", "b", "c", "d"] {
            fs::create_dir_all(root.join(name)).unwrap();
            fs::write(root.join(name).join("segment-000000.xml"), "").unwrap();
        }
        fs::create_dir_all(root.join("not-ours")).unwrap();
        remove_old_sessions(&root, 2);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 3);
        assert!(root.join("not-ours").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}
