//! What the fuzzer has found so far, on the stable toolchain: `fuzz/corpus` and every golden, whole and
//! truncated.
//!
//! For new findings run `cargo +nightly fuzz run reader` (or `ring`, `export`) in `message-log/`.

#[path = "../fuzz/checks.rs"]
#[expect(unreachable_pub, reason = "shared with the fuzz targets")]
mod checks;
mod support;

use std::path::Path;
use support::folder;

#[track_caller]
fn check(target: &str, run: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut count = 0;
    for file in std::fs::read_dir(&corpus).unwrap() {
        run(&std::fs::read(file.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count >= 20, "the corpus of {target} has only {count} files");
}

#[test]
fn reader() {
    check("reader", checks::reader);
}

#[test]
fn ring() {
    check("ring", checks::ring);
}

#[test]
fn export() {
    check("export", checks::export);
}

#[test]
fn goldens_whole_and_cut() {
    for name in ["golden", "old-logs", "broken-logs"] {
        let files = std::fs::read_dir(folder(name)).unwrap().map(|file| file.unwrap().path());
        for file in files.filter(|path| path.is_file()) {
            let bytes = std::fs::read(file).unwrap();
            (0..=bytes.len()).rev().step_by(7).for_each(|cut| checks::reader(&bytes[..cut]));
            checks::export(&bytes);
        }
    }
}
