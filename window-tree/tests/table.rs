//! How often matching is right, over trees of real programs with every known kind of change: the table in
//! `docs/matching.md`.
//!
//! `UPDATE_GOLDENS=1` writes the table anew; without it, the test fails if the table differs.

mod support;

use message_log::{Entry, Kind, Log, Rect};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use support::{Window, copies, tree_of_copies};
use window_tree::{Rebuild, Snapshot, Target, Tree, locate, locate_plainly};

/// How many trees are taken from each recording, the largest ones first.
const MOMENTS: usize = 3;

/// The results of one way of matching.
#[derive(Default, Clone, Copy)]
struct Answers {
    right: u32,
    declined: u32,
    wrong: u32,
}

impl Answers {
    fn add(&mut self, expected: Option<u64>, found: Option<u64>) {
        match (expected, found) {
            (expected, found) if expected == found => self.right += 1,
            (_, None) => self.declined += 1,
            _ => self.wrong += 1,
        }
    }

    fn all(self) -> u32 {
        self.right + self.declined + self.wrong
    }
}

/// The results of the paper's way and of ours, by kind of change.
#[derive(Default)]
struct Table {
    rows: BTreeMap<&'static str, (Answers, Answers)>,
}

impl Table {
    fn ask(&mut self, row: &'static str, pair: &Pair, wanted: u64, expected: Option<u64>) {
        let target = Target::of(&pair.recorded, wanted).expect("a window that can be looked for");
        let ours = locate(&target, &Snapshot::of(&pair.live)).found().map(|found| found.hwnd);
        let (paper, mine) = self.rows.entry(row).or_default();
        paper.add(expected, locate_plainly(&pair.recorded, wanted, &pair.live));
        mine.add(expected, ours);
    }

    fn markdown(&self) -> String {
        let mut text = String::from(
            "| change | windows | paper: right | paper: wrong | ours: right | ours: declined | ours: wrong |\n|---|---|---|---|---|---|---|\n",
        );
        for (row, (paper, ours)) in &self.rows {
            let percent = |part: u32| format!("{:.1} %", f64::from(part) * 100.0 / f64::from(ours.all()));
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                row.split_once(' ').map_or(*row, |(_, name)| name),
                ours.all(),
                percent(paper.right),
                percent(paper.wrong),
                percent(ours.right),
                percent(ours.declined),
                percent(ours.wrong),
            );
        }
        text
    }
}

/// A recorded tree and one of another run.
struct Pair {
    recorded: Tree,
    live: Tree,
}

impl Pair {
    fn new(recorded: &[Window], live: &[Window]) -> Self {
        Self { recorded: tree_of_copies(recorded), live: tree_of_copies(live) }
    }
}

/// Handles are different in another run.
fn renamed(hwnd: u64) -> u64 {
    if hwnd == 0 { 0 } else { hwnd * 2 + 0x10_0000 }
}

fn another_run(windows: &[Window]) -> Vec<Window> {
    let window = |it: &Window| Window {
        hwnd: renamed(it.hwnd),
        parent: renamed(it.parent),
        owner: renamed(it.owner),
        ..it.clone()
    };
    windows.iter().map(window).collect()
}

/// Changes of all windows at once. Ids up to 11 are Windows' own.
#[expect(clippy::type_complexity, reason = "a table of functions")]
const OF_ALL: [(&str, fn(&mut Window)); 6] = [
    ("01 nothing but the handles", |_| {}),
    ("02 moved and resized", |it| {
        let Rect { left, top, right, bottom } = it.rect;
        it.rect = Rect { left: left + 7, top: top * 2, right: right + 31, bottom: bottom * 3 };
    }),
    ("03 top-level windows retitled", |it| {
        if it.parent == 0 && !it.name.is_empty() {
            it.name = format!("{} (2)", it.name);
        }
    }),
    ("04 translated", |it| {
        if !it.name.is_empty() {
            it.name = format!("ü{}", it.name.chars().rev().collect::<String>());
        }
    }),
    ("06 ids renumbered", |it| it.id += if it.id > 11 && it.id < 0xFFFF { 7000 } else { 0 }),
    ("07 ids shifted by one", |it| it.id += i64::from(it.id > 11 && it.id < 0xFFFF)),
];

/// What a toolkit makes of a window in a run with this number.
#[expect(clippy::type_complexity, reason = "a table of functions")]
const TOOLKITS: [(&str, fn(&mut Window, u64)); 3] = [
    ("12 MFC classes of another run", |it, run| {
        if it.class.len() > 8 {
            it.class = format!("Afx:{:08X}:b:{:08X}", run * 0x40_0000, run * 77);
        }
    }),
    ("13 WinForms of another run", |it, run| {
        it.control = (it.parent != 0 && it.id > 0).then(|| format!("control{}", it.id));
        it.class = format!("WindowsForms10.{}.app.0.{:x}_r6_ad1", it.class.to_uppercase(), run * 0x14_1B42);
        it.id = it.hwnd.cast_signed();
    }),
    ("14 ids that are handles", |it, _| it.id = it.hwnd.cast_signed()),
];

#[test]
fn the_table_is_what_it_says() {
    let mut table = Table::default();
    let recordings = recordings();
    assert!(recordings.len() >= 9, "three programs in three languages");
    for moments in recordings.values() {
        for windows in moments {
            changes_of_all(windows, &mut table);
            changes_of_one(windows, &mut table);
        }
    }
    // The gallery is in English everywhere.
    for name in ["notepad-en", "wordpad-en"] {
        let english = &recordings[name];
        for language in ["-de", "-ja"] {
            other_language(english, &recordings[&name.replace("-en", language)], &mut table);
        }
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/matching.md");
    let text = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- table -->\n", "<!-- end of table -->");
    let from = text.find(begin).expect("the table's beginning") + begin.len();
    let to = text.find(end).expect("the table's end");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, format!("{}{}{}", &text[..from], table.markdown(), &text[to..])).unwrap();
    } else {
        assert_eq!(text[from..to], table.markdown(), "run with UPDATE_GOLDENS=1 and look at the difference");
    }
    for (row, (_, ours)) in &table.rows {
        assert!(ours.all() > 100, "{row} is hardly tried");
        assert_eq!(ours.wrong, 0, "{row}: a neighbour was taken");
    }
}

fn changes_of_all(windows: &[Window], table: &mut Table) {
    for (row, change) in OF_ALL {
        let mut live = another_run(windows);
        live.iter_mut().for_each(change);
        let pair = Pair::new(windows, &live);
        windows.iter().for_each(|it| table.ask(row, &pair, it.hwnd, Some(renamed(it.hwnd))));
    }
    for (row, toolkit) in TOOLKITS {
        let (mut recorded, mut live) = (windows.to_vec(), another_run(windows));
        recorded.iter_mut().for_each(|it| toolkit(it, 1));
        live.iter_mut().for_each(|it| toolkit(it, 3));
        let pair = Pair::new(&recorded, &live);
        windows.iter().for_each(|it| table.ask(row, &pair, it.hwnd, Some(renamed(it.hwnd))));
    }
}

/// Changes beside or of one window, which is then the target.
fn changes_of_one(windows: &[Window], table: &mut Table) {
    for (i, it) in windows.iter().enumerate() {
        let live = another_run(windows);
        let expected = Some(renamed(it.hwnd));

        let mut inserted = live.clone();
        let new = Window {
            hwnd: 0x999,
            id: if matches!(it.id, 0 | -1 | 0xFFFF) { it.id } else { 9999 },
            name: if it.name.is_empty() { String::new() } else { "New".into() },
            ..live[i].clone()
        };
        inserted.insert(i, new);
        table.ask("08 a sibling inserted before", &Pair::new(windows, &inserted), it.hwnd, expected);

        let removed = without(&live, renamed(it.hwnd));
        table.ask("10 the window itself removed", &Pair::new(windows, &removed), it.hwnd, None);

        let is_neighbour =
            |other: &&Window| other.parent == it.parent && other.class == it.class && other.hwnd != it.hwnd;
        if let Some(neighbour) = windows.iter().find(is_neighbour) {
            let left = without(&live, renamed(neighbour.hwnd));
            // If the neighbour was the owner, it takes the window along.
            if left.iter().any(|other| Some(other.hwnd) == expected) {
                table.ask(
                    "09 a neighbour of its class removed",
                    &Pair::new(windows, &left),
                    it.hwnd,
                    expected,
                );
            }
        }
        if it.parent == 0 && !it.name.is_empty() {
            // An equal window with the same owner and contents: there is no way to distinguish them.
            let inside = below(&live, renamed(it.hwnd));
            let twin = |hwnd: u64| if inside.contains(&hwnd) { hwnd + 0x1_0000_0000 } else { hwnd };
            let twins = live.iter().filter(|other| inside.contains(&other.hwnd)).map(|other| Window {
                hwnd: twin(other.hwnd),
                parent: twin(other.parent),
                ..other.clone()
            });
            let doubled: Vec<Window> = live.iter().cloned().chain(twins).collect();
            let pair = Pair::new(windows, &doubled);
            let back: HashMap<u64, u64> =
                windows.iter().map(|other| (renamed(other.hwnd), other.hwnd)).collect();
            let mut inside: Vec<u64> = inside.into_iter().collect();
            inside.sort_unstable();
            inside
                .iter()
                .for_each(|hwnd| table.ask("11 its top-level window twice", &pair, back[hwnd], None));
        }
    }
}

/// The handles of a window and of all windows below it or owned by these.
fn below(windows: &[Window], hwnd: u64) -> HashSet<u64> {
    let mut inside = HashSet::from([hwnd]);
    for it in windows {
        if inside.contains(&it.parent) {
            inside.insert(it.hwnd);
        }
    }
    inside
}

fn without(windows: &[Window], hwnd: u64) -> Vec<Window> {
    let mut gone = below(windows, hwnd);
    for it in windows {
        if gone.contains(&it.owner) {
            gone.extend(below(windows, it.hwnd));
        }
    }
    windows.iter().filter(|it| !gone.contains(&it.hwnd)).cloned().collect()
}

/// The same session in another language: moments with the same number of windows, and of them the top-level
/// windows with the same contents.
fn other_language(english: &[Vec<Window>], other: &[Vec<Window>], table: &mut Table) {
    for recorded in english {
        for live in other.iter().filter(|live| live.len() == recorded.len()) {
            let live = another_run(live);
            let pair = Pair::new(recorded, &live);
            let (ours, theirs) = (by_shape(recorded), by_shape(&live));
            for (shape, windows) in ours {
                // If several have the same shape, they cannot be assigned to each other.
                let (Some(twins), 1) = (theirs.get(&shape), windows.len()) else { continue };
                for (it, twin) in windows.iter().zip(twins).flat_map(|(it, twin)| it.iter().zip(twin)) {
                    let row = "05 recorded in English, found in German or Japanese";
                    table.ask(row, &pair, it.hwnd, Some(twin.hwnd));
                }
            }
        }
    }
}

/// Each window below a top-level window, as its kind and its parent.
type Shape = Vec<(String, i64, usize)>;

/// Each top-level window with its contents.
fn by_shape(windows: &[Window]) -> BTreeMap<Shape, Vec<Vec<Window>>> {
    let mut shapes: BTreeMap<Shape, Vec<Vec<Window>>> = BTreeMap::new();
    for top in windows.iter().filter(|it| it.parent == 0) {
        let inside = below(windows, top.hwnd);
        let all: Vec<Window> = windows.iter().filter(|it| inside.contains(&it.hwnd)).cloned().collect();
        let place = |hwnd| all.iter().position(|it| it.hwnd == hwnd).unwrap_or(usize::MAX);
        let shape = all.iter().map(|it| (it.class.clone(), it.id, place(it.parent))).collect();
        shapes.entry(shape).or_default().push(all);
    }
    shapes
}

/// The largest trees of each recording.
fn recordings() -> BTreeMap<String, Vec<Vec<Window>>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings");
    let mut recordings = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|e| e != "dashcam") {
            continue;
        }
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&file).unwrap();
        let mut rebuild = Rebuild::new();
        let mut moments: BTreeMap<usize, Vec<Window>> = BTreeMap::new();
        for entry in Log::from_bytes(&name, &bytes).unwrap() {
            let entry = entry.unwrap();
            rebuild.take(&entry);
            if matches!(&entry, Entry::Event(event) if matches!(&event.kind, Kind::Keyframe(it) if it.complete))
            {
                let windows = copies(rebuild.tree());
                moments.insert(windows.len(), windows);
            }
        }
        recordings.insert(name, moments.into_values().rev().take(MOMENTS).collect());
    }
    recordings
}
