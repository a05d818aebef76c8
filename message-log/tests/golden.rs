//! The files under `tests/golden`: the current format, byte for byte.
//!
//! They are what the writer makes of one small session, in every form that a log can have. `UPDATE_GOLDENS=1
//! cargo test -p message-log --test golden` writes them anew; an unintended difference is a change of the
//! format.

mod support;

use message_log::*;
use std::io::Cursor;
use support::*;

fn goldens() -> Vec<(&'static str, Vec<u8>)> {
    let events = sample_session();
    let xml = write(&head(0), &events);
    let mut trace = b"09:00:00.001 host: opening m\xC3\xA4rz.inv\n".to_vec();
    for line in xml.split_inclusive(|&b| b == b'\n') {
        trace.extend([b"UL:", line, b"09:00:00.002 host: <nothing of ours>\n"].concat());
    }
    let mut export = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("sample.xml", &xml).unwrap(), &mut export).unwrap();
    let utf16 = std::str::from_utf8(&xml).unwrap().encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("session.xml", xml),
        ("session.utf16.xml", utf16),
        ("host-trace.txt", trace),
        ("session.dashcam", export.into_inner()),
        ("crashed.ring", ring(&sample_ring_events(), 4096, 3200)),
    ]
}

#[test]
fn the_writer_makes_the_same_bytes_as_ever() {
    for (name, bytes) in goldens() {
        let path = folder("golden").join(name);
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        let golden = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(golden == bytes, "{name} is no longer what the writer makes");
    }
}

#[test]
fn every_golden_is_read_whole() {
    for (name, bytes) in goldens() {
        let expected = if name.ends_with(".ring") { sample_ring_events() } else { sample_session() };
        assert_eq!(read(&bytes), (expected, vec![]), "{name}");
    }
}

/// The same session as version 1 wrote it: every fact is a param, and nothing is omitted.
#[test]
fn what_earlier_versions_wrote_is_read_as_the_same() {
    for name in [
        "session-version-1.xml",
        "session-version-1.dashcam",
        "host-trace-version-1.txt",
        "crashed-version-1.ring",
        "crashed-version-2.ring",
        "crashed-version-3.ring",
    ] {
        let bytes = std::fs::read(folder("old-logs").join(name)).unwrap();
        let expected = if name.ends_with(".ring") { sample_ring_events() } else { sample_session() };
        assert_eq!(read(&bytes), (expected, vec![]), "{name}");
    }
}

/// A truncated log yields what was complete before the cut, and reports only the cut.
#[test]
fn cut_at_every_byte_a_golden_yields_what_came_before() {
    for (name, bytes) in goldens() {
        let whole = read(&bytes).0;
        let mut most = 0;
        for cut in 0..bytes.len() {
            let log = Log::from_bytes(name, &bytes[..cut]).and_then(Log::read_all);
            let (events, damage) = match log {
                Ok(read) => read,
                // Too little of an exported file to find the log in it.
                Err(Error::Refused { .. }) if name.ends_with(".dashcam") && cut < 100 => continue,
                Err(error) => panic!("{name} cut at {cut}: {error}"),
            };
            let (complete, last) = match events.split_last() {
                Some((last, rest)) if is_short_keyframe(last) => (rest, Some(last)),
                _ => (events.as_slice(), None),
            };
            if name.ends_with(".ring") {
                // The oldest record of a ring may be anywhere in it.
                assert!(
                    complete.iter().all(|e| whole.contains(e)),
                    "{name} cut at {cut} yields other events"
                );
            } else {
                assert!(whole.starts_with(complete), "{name} cut at {cut} yields other events");
            }
            if name == "session.xml" && damage.is_empty() {
                assert!(bytes[..cut].trim_ascii_end().ends_with(b">"), "{name} cut at {cut}: untold");
            }
            assert!(last.is_none() || !damage.is_empty(), "{name} cut at {cut}: a short keyframe untold");
            assert!(
                complete.len() >= most || name.ends_with(".ring"),
                "{name} cut at {cut} yields less than before"
            );
            most = most.max(complete.len());
        }
        assert!(most >= whole.len() - 1, "{name}: only {most} of {} events ever came", whole.len());
    }
}

fn is_short_keyframe(event: &Event) -> bool {
    matches!(&event.kind, Kind::Keyframe(keyframe) if !keyframe.complete)
}

/// A changed byte costs the record that contains it, and is reported; all others are intact.
#[test]
fn a_changed_byte_costs_one_record() {
    let events = sample_session();
    for (name, bytes) in
        goldens().into_iter().filter(|(name, _)| name.ends_with("session.xml") || name.ends_with(".txt"))
    {
        for at in 0..bytes.len() {
            for change in [0x01, 0x04, 0x10, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                let (read, damage) = match Log::from_bytes(name, &bytes).and_then(Log::read_all) {
                    Ok(read) => read,
                    Err(Error::NewerVersion { .. }) => continue,
                    Err(error) => panic!("{name}, byte {at}: {error}"),
                };
                let lost = events.iter().filter(|event| !read.contains(event)).count();
                // A changed number can make a record equal to its neighbour, which is a duplicate then.
                let repeated = damage.iter().any(|d| matches!(d.kind, DamageKind::DuplicateRecords { .. }));
                assert!(
                    lost <= 1 + usize::from(repeated),
                    "{name}, byte {at} ^ {change:#x}: {lost} events lost\n{damage:#?}"
                );
                assert!(read.len() + lost >= events.len(), "{name}, byte {at} ^ {change:#x}");
            }
        }
    }
}

#[test]
fn a_changed_byte_of_a_ring_costs_one_record() {
    let bytes = ring(&sample_ring_events(), 4096, 3200);
    for at in 0..bytes.len() {
        for change in [0x01, 0x80] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            match Log::from_bytes("x.ring", &bytes).and_then(Log::read_all) {
                // The bytes of the header: without its signature it is not a ring, and it may state a newer
                // version.
                _ if at < 8 => {}
                Err(Error::NewerVersion { .. }) if at < 12 => {}
                Err(error) => panic!("byte {at}: {error}"),
                // Times depend on the scale in the header, so only numbers are compared.
                Ok((events, _)) => {
                    let is_index = (256..328).contains(&at);
                    let lost = sample_ring_events().len() - events.len();
                    assert!(lost <= 1 || is_index, "byte {at} ^ {change:#x} costs {lost} records");
                }
            }
        }
    }
}
