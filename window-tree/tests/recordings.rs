//! Recordings of real programs through the pure code: `tests/recordings/NAME.dashcam`, made by the product
//! itself, and beside each one the largest tree of a keyframe as text. `UPDATE_GOLDENS=1` writes the texts
//! anew.

use message_log::{Entry, Kind, Log};
use std::fs;
use std::path::PathBuf;
use window_tree::{Property, Rebuild, Share, Snapshot, Target, Tree, locate, render};

#[test]
fn recordings_of_real_programs_tell_the_windows_that_were_there() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "dashcam"));
    assert!(files.len() >= 9, "three programs in three languages");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&file).unwrap();
        let (largest, end) = read(&name, &bytes);
        check_fidelity(&name, &end);
        check_rendering(&file.with_extension("txt"), &render(&largest));
        check_matching(&name, &largest);
    }
}

/// The largest tree of a log, and the last one.
fn read(name: &str, bytes: &[u8]) -> (Tree, Tree) {
    let mut rebuild = Rebuild::new();
    let mut largest = Tree::new();
    for entry in Log::from_bytes(name, bytes).unwrap() {
        let entry = entry.unwrap();
        assert!(!matches!(entry, Entry::Damage(_)), "{name}: {entry:?}");
        rebuild.take(&entry);
        // Between keyframes a window may be incomplete.
        let is_whole =
            matches!(&entry, Entry::Event(event) if matches!(&event.kind, Kind::Keyframe(it) if it.complete));
        let tree = rebuild.tree();
        if is_whole && tree.len() > largest.len() {
            largest = tree.clone();
        }
    }
    (largest, rebuild.finish())
}

fn check_fidelity(name: &str, tree: &Tree) {
    let fidelity = tree.fidelity();
    let differences: Vec<String> = fidelity.differences.iter().map(ToString::to_string).collect();
    let all = |what: &str, share: Share| {
        assert!(
            share.compared > 20 && share.agreeing == share.compared,
            "{name}, {what}: {share:?}\n{differences:#?}"
        );
    };
    all("existence", fidelity.existence);
    for property in [Property::Parent, Property::Class, Property::ResourceId] {
        all(property.name(), fidelity.property(property));
    }
    for property in [Property::Visible, Property::Enabled, Property::Name] {
        let share = fidelity.property(property);
        assert!(
            share.compared > 20 && share.value() >= 0.99,
            "{name}, {}: {share:?}\n{differences:#?}",
            property.name()
        );
    }
}

fn check_rendering(golden: &PathBuf, text: &str) {
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        return fs::write(golden, text).unwrap();
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(text, expected, "{} is not current", golden.display());
}

/// Every window of a real tree is found in that tree.
fn check_matching(name: &str, tree: &Tree) {
    let live = Snapshot::of(tree);
    for (_, node) in tree.walk().filter(|(_, node)| !node.is_outside) {
        let decision = locate(&Target::of(tree, node.hwnd).unwrap(), &live);
        assert_eq!(decision.found().map(|found| found.hwnd), Some(node.hwnd), "{name}: {decision}");
    }
}
