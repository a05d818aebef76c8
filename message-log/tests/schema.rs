//! The specification agrees with the program: an independent validator accepts exports under the XSD, and the
//! tables of `docs/log-format.md` are those of the code.

mod support;

use message_log::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::*;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The XML inside the export of a log.
fn exported(log: &[u8]) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("a log", log).unwrap(), &mut file).unwrap();
    let mut xml = Vec::new();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    archive.by_name(LOG_NAME).unwrap().read_to_end(&mut xml).unwrap();
    xml
}

#[track_caller]
fn validate(files: &[Vec<u8>]) -> std::process::Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("schema-{}", files.len()));
    std::fs::create_dir_all(&folder).unwrap();
    let paths: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(i, bytes)| {
            let path = folder.join(format!("{i}.xml"));
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect();
    Command::new("xmllint")
        .args(["--noout", "--huge", "--schema"])
        .arg(docs().join("dashcam-log.xsd"))
        .args(paths)
        .output()
        .expect("xmllint is missing: run `cargo xtask setup`")
}

#[test]
#[cfg_attr(windows, ignore = "xmllint is not part of Windows; the Linux run validates the same bytes")]
fn exports_are_valid() {
    let mut logs = vec![write(&head(0), &sample_session())];
    // The export of a damaged log, of a log of another maker and of a lone ring is valid as well.
    let mut scratched = logs[0].clone();
    (0..scratched.len()).step_by(97).for_each(|at| scratched[at] ^= 0x05);
    logs.push(scratched);
    logs.push(b"<msg type=\"513\"><param name=\"window.hwnd\" value=\"1\"/><param name=\"n\x01&#60;w\" value=\"\x02\"/></msg>".to_vec());
    logs.push(
        b"<dashcam version=\"1\" session=\"s\" wall=\"16.11.2026 09:00\"><mark escaped=\"1\"/>".to_vec(),
    );
    logs.push(ring(&sample_ring_events(), 4096, 0));
    let mut runner = TestRunner::deterministic();
    for _ in 0..100 {
        let events = any_events(true).new_tree(&mut runner).unwrap().current();
        logs.push(write(&head(0), &events));
    }
    let exports: Vec<_> = logs.iter().map(|log| exported(log)).collect();
    let output = validate(&exports);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg_attr(windows, ignore = "xmllint is not part of Windows; the Linux run validates the same bytes")]
fn the_schema_refuses_what_is_no_log() {
    let good = String::from_utf8(exported(&write(&head(0), &sample_session()))).unwrap();
    for (from, to) in [
        ("<msg type=\"513\"", "<msg type=\"click\""),
        ("</dashcam>", ""),
        ("<mark ", "<marks "),
        ("version=\"2\" session", "version=\"3\" session"),
        ("hook=\"posted\"", "hook=\"both\""),
        ("point=\"12,7\"", "point=\"12\""),
        ("birth=\"2\"", "birth=\"-1\""),
        ("window.name=", "window.nome="),
        ("<keyframe seq=\"3\" time=\"940\" thread=\"0\" windows=\"3\"/>", ""),
    ] {
        assert!(good.contains(from), "{from}");
        let output = validate(&[good.replacen(from, to, 1).into_bytes()]);
        assert!(!output.status.success(), "{from} -> {to} passed");
    }
}

#[test]
fn the_specification_lists_every_fact_with_its_type_and_number() {
    let text = std::fs::read_to_string(docs().join("log-format.md")).unwrap();
    let schema = std::fs::read_to_string(docs().join("dashcam-log.xsd")).unwrap();
    for &key in Key::ALL {
        let row = format!("| `{}` | {} | {:?} | {} |", key.name(), key as u16, key.kind(), key.describe());
        assert!(text.contains(&row), "docs/log-format.md lacks the row\n{row}");
        let kind = match key.kind() {
            Type::Unsigned => "xs:unsignedLong",
            Type::Signed => "xs:long",
            Type::Text => "xs:string",
            Type::Flag => "xs:boolean",
            Type::Point => "point",
            Type::Rect => "rect",
        };
        let attribute = format!("<xs:attribute name=\"{}\" type=\"{kind}\"/>", key.name());
        assert!(schema.contains(&attribute), "docs/dashcam-log.xsd lacks\n{attribute}");
    }
}
