//! The ended sessions beside the current one: bounded in number, age and bytes.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How many ended sessions are kept.
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
        .filter(|(_, _, path)| !is_running(path))
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
fn is_running(session: &Path) -> bool {
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
    use std::fs::File;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dashcam-sessions-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
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
    fn ended_sessions_are_removed_and_running_ones_stay() {
        let root = folder("sessions");
        for name in ["a", "b", "c", "d", "running"] {
            fs::create_dir_all(root.join(name)).unwrap();
            fs::write(root.join(name).join("segment-000000.xml"), "").unwrap();
        }
        fs::write(root.join("a").join("thread-1.ring"), "").unwrap();
        // What cannot be written to is in use; after a crash the lock is there and free.
        fs::create_dir_all(root.join("running").join(LOCK)).unwrap();
        fs::write(root.join("b").join(LOCK), "").unwrap();
        fs::create_dir_all(root.join("not-ours")).unwrap();
        fs::write(root.join("not-ours").join("letter.txt"), "").unwrap();
        let later = SystemTime::now() + HOUR;
        remove_old_sessions(&root, KeepRules { sessions: 2, age: HOUR * 24, bytes: 1000 }, later);
        assert_eq!(
            fs::read_dir(&root).unwrap().count(),
            4,
            "two ended sessions, the running one and the other folder"
        );
        assert!(root.join("not-ours").exists() && root.join("running").exists());
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
}
