//! Exported files that are malicious or were damaged on the way.

mod support;

use message_log::*;
use std::io::{Cursor, Write};
use support::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[track_caller]
fn check_refused(bytes: &[u8], sentence: &str) {
    match Log::from_bytes("bug.dashcam", bytes).and_then(Log::read_all) {
        Err(error @ Error::Refused { .. }) => assert_eq!(error.to_string(), sentence),
        other => panic!("{sentence}: {other:?}"),
    }
}

fn sample_xml() -> Vec<u8> {
    write(&head(0), &sample_session())
}

#[test]
fn names_that_want_to_be_somewhere_else_are_refused() {
    for name in ["../log.xml", "/etc/passwd", "a/../../b", "C:log.xml", "..\\log.xml", "a\\b", "a//b", "x\ny"]
    {
        let bytes = archive(&[("log.xml", &sample_xml()), (name, b"")]);
        check_refused(&bytes, &format!("bug.dashcam is refused: the entry {name:?} is a path or a link"));
    }
}

#[test]
fn a_symbolic_link_is_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("log.xml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    check_refused(&bytes, "bug.dashcam is refused: the entry \"log.xml\" is a path or a link");
}

#[test]
fn a_zip_bomb_is_refused_in_bounded_time() {
    let bomb = vec![b' '; 100 << 20];
    let bytes = archive(&[("log.xml", &bomb)]);
    assert!(bytes.len() < 200 << 10);
    check_refused(&bytes, "bug.dashcam is refused: it unpacks to far more bytes than a log has");
}

#[test]
fn a_large_repetitive_log_is_no_bomb() {
    // 1 MB of the same character packs a thousandfold and is still a log.
    let event = Event::new(Stamp { sequence: 1, time: 1, thread: 1 }, Kind::Mark)
        .with_text(Key::Text, "a".repeat(1 << 20));
    let xml = write(&head(0), std::slice::from_ref(&event));
    assert!(read(&archive(&[("log.xml", &xml)])) == (vec![event], vec![]));
}

#[test]
fn what_is_no_export_says_so() {
    check_refused(&archive(&[("readme.txt", b"hi")]), "bug.dashcam is refused: it does not contain log.xml");
    let many: Vec<_> = (0..65).map(|i| format!("{i}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    check_refused(&archive(&many), "bug.dashcam is refused: it has 65 entries");
}

#[test]
fn entries_that_do_not_belong_are_told_and_ignored() {
    let (events, damage) = read(&archive(&[("log.xml", &sample_xml()), ("notes/readme.txt", b"hi")]));
    assert_eq!(events, sample_session());
    assert_eq!(damage.len(), 1);
    assert_eq!(damage[0].kind, DamageKind::ForeignEntry { name: "notes/readme.txt".into() });
}

#[test]
fn a_newer_export_is_refused() {
    let xml = String::from_utf8(sample_xml()).unwrap().replacen("version=\"2\" s", "version=\"3\" s", 1);
    let error = Log::from_bytes("bug.dashcam", &archive(&[("log.xml", xml.as_bytes())])).err();
    assert!(matches!(error, Some(Error::NewerVersion { found: 3, .. })), "{error:?}");
    let manifest = archive(&[("manifest.json", b"{\"version\": 3}")]);
    assert!(matches!(Manifest::read("x", Cursor::new(manifest)), Err(Error::NewerVersion { found: 3, .. })));
    let manifest = archive(&[("manifest.json", b"{]")]);
    assert!(matches!(Manifest::read("x", Cursor::new(manifest)), Err(Error::Refused { .. })));
}

#[test]
fn changed_bytes_are_noticed() {
    let xml = sample_xml();
    let mut stored = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    stored.start_file("log.xml", options).unwrap();
    stored.write_all(&xml).unwrap();
    let mut bytes = stored.finish().unwrap().into_inner();
    assert_eq!(read(&bytes), (sample_session(), vec![]));
    let text = bytes.windows(7).position(|w| w == b"Invoice").unwrap();
    bytes[text] = b'i';
    let (events, damage) = read(&bytes);
    assert_eq!(events.len(), sample_session().len());
    assert_eq!(damage[0].kind, DamageKind::Archive { reason: "its checksum is wrong".into() });
}

/// Whatever byte of an export changes: the log is read, refused, or reported as damaged; nothing else
/// happens.
#[test]
fn a_changed_byte_of_an_export_is_told() {
    let mut file = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("a log", &sample_xml()).unwrap(), &mut file).unwrap();
    let bytes = file.into_inner();
    for at in 0..bytes.len() {
        for change in [0x01, 0x40, 0xFF] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            if let Ok((events, damage)) = Log::from_bytes("x", &changed).and_then(Log::read_all) {
                assert!(events == sample_session() || !damage.is_empty(), "byte {at} ^ {change:#x}");
            }
        }
    }
}

#[test]
fn damage_is_named_in_the_manifest() {
    let mut xml = sample_xml();
    let at = xml.windows(6).position(|w| w == b"<mark ").unwrap();
    xml[at + 1] = b'<';
    let mut file = Cursor::new(Vec::new());
    let manifest = Manifest::export(Log::from_bytes("a log", &xml).unwrap(), &mut file).unwrap();
    assert_eq!(manifest.application, "Invoice");
    assert_eq!(manifest.application_version, "3.1.4");
    assert_eq!(manifest.counts.messages, 9);
    assert_eq!(manifest.counts.crashes, 1);
    assert!(
        manifest.damage_count >= 1 && manifest.damage[0].contains("a log, line 18"),
        "{:?}",
        manifest.damage
    );
}

#[test]
fn a_log_without_anything_cannot_be_exported() {
    let error = Manifest::export(Log::from_bytes("x", b"nothing").unwrap(), Cursor::new(Vec::new()));
    assert!(matches!(error, Err(Error::NoSession)), "{error:?}");
}
