//! Properties that hold for any events and any windows.

mod support;

use message_log::{Event, Hook, Key, Keyframe, Kind, Message, Params, Rect, Stamp, Text, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use support::{Window, copies, tree_of_copies};
use win32_vocabulary::messages::{
    WM_CREATE, WM_DESTROY, WM_ENABLE, WM_LBUTTONDOWN, WM_NCDESTROY, WM_SETTEXT, WM_SHOWWINDOW,
    WM_STYLECHANGED, WM_WINDOWPOSCHANGED,
};
use win32_vocabulary::windows::{GWL_EXSTYLE, GWL_STYLE};
use window_tree::{Outcome, Snapshot, Target, Tree, diff, locate, render};

/// Few handles, so that they are reused and become each other's parents.
fn handle() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..12u64, 1 => Just(u64::MAX - 2), 1 => any::<u64>()]
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        3 => prop::sample::select(vec!["", "OK", "Edit", "Button", "#32770", "ComboBox"]).prop_map(Text::from),
        1 => vec(any::<u16>(), 0..4).prop_map(Text::from_wide),
    ]
}

fn facts() -> impl Strategy<Value = Params> {
    let fact = prop_oneof![
        (select(&[Key::WindowHwnd, Key::WindowParent, Key::WindowOwner, Key::ResultWindow]), handle())
            .prop_map(|(key, n)| (key, Value::Unsigned(n))),
        (select(&[Key::WindowId, Key::WindowThread]), 0..4u64).prop_map(|(key, n)| (key, Value::Unsigned(n))),
        (select(&[Key::WindowStyle, Key::PositionFlags, Key::StyleNew]), any::<u64>())
            .prop_map(|(key, n)| (key, Value::Unsigned(n))),
        (
            select(&[Key::WindowResourceId, Key::StyleOffset]),
            prop_oneof![Just(i64::from(GWL_STYLE)), Just(i64::from(GWL_EXSTYLE)), any::<i64>()]
        )
            .prop_map(|(key, n)| (key, Value::Signed(n))),
        (select(&[Key::WindowClass, Key::WindowName, Key::Text, Key::ResultText]), text())
            .prop_map(|(key, text)| (key, Value::Text(text))),
        any::<[i32; 4]>().prop_map(|[left, top, right, bottom]| {
            (Key::WindowRect, Value::Rect(Rect { left, top, right, bottom }))
        }),
        (select(&[Key::WindowVisible, Key::WindowEnabled, Key::Shown, Key::WindowMasked]), any::<bool>())
            .prop_map(|(key, flag)| (key, Value::Flag(flag))),
        // A fact of the wrong type, which no reader produces.
        select(&[Key::WindowClass, Key::WindowRect, Key::WindowStyle])
            .prop_map(|key| (key, Value::Flag(true))),
    ];
    vec(fact, 0..8).prop_map(|facts| {
        facts.into_iter().fold(Params::new(), |params, (key, value)| params.with(key, value))
    })
}

fn select(keys: &'static [Key]) -> impl Strategy<Value = Key> {
    prop::sample::select(keys)
}

fn event() -> impl Strategy<Value = Event> {
    let number = prop::sample::select(vec![
        WM_CREATE,
        WM_DESTROY,
        WM_NCDESTROY,
        WM_SETTEXT,
        WM_SHOWWINDOW,
        WM_ENABLE,
        WM_WINDOWPOSCHANGED,
        WM_STYLECHANGED,
        WM_LBUTTONDOWN,
    ]);
    let message = (number, handle(), 0..4u64, 0..2u64).prop_map(|(number, hwnd, window_id, lparam)| {
        Kind::Message(Message {
            number,
            hwnd,
            window_id,
            hook: Hook::Sent,
            wparam: 1,
            lparam,
            ..Message::default()
        })
    });
    let keyframe = (prop::option::of(0..3u32), vec(facts(), 0..6), any::<bool>())
        .prop_map(|(of_thread, windows, complete)| Kind::Keyframe(Keyframe { of_thread, windows, complete }));
    let kind = prop_oneof![8 => message, 2 => keyframe, 1 => Just(Kind::Gap)];
    (kind, facts(), prop::option::of((0..3u32, 0..2_000_000u64))).prop_map(|(kind, params, stamp)| Event {
        stamp: stamp.map(|(thread, time)| Stamp { sequence: 1, time, thread }),
        kind,
        params,
    })
}

/// Any tree that a snapshot could have: every window has a class, most have no id, many look the same.
fn any_copies() -> impl Strategy<Value = Vec<Window>> {
    let window = (
        0..20usize,
        0..20usize,
        prop::sample::select(vec!["Edit", "Button", "#32770", "Afx:1", "Static"]),
        prop::sample::select(vec!["", "", "OK", "Cancel", "a.txt"]),
        prop::sample::select(vec![0, -1, 1, 1001, 1002, 104]),
    );
    vec(window, 1..20).prop_map(|windows| {
        let handle = |i: usize| 100 + i as u64;
        let make = |(i, (parent, owner, class, name, id)): (usize, (usize, usize, &str, &str, i64))| {
            let parent = if parent < i { handle(parent) } else { 0 };
            let owner = if parent == 0 && owner < i { handle(owner) } else { 0 };
            let (class, name) = (class.to_owned(), name.to_owned());
            Window { hwnd: handle(i), parent, owner, class, name, id, control: None, rect: Rect::default() }
        };
        windows.into_iter().enumerate().map(make).collect()
    })
}

proptest! {
    #[test]
    fn any_events_leave_a_tree(events in vec(event(), 0..40)) {
        let mut tree = Tree::new();
        for event in &events {
            let before = tree.clone();
            let changes = tree.apply(event);
            prop_assert_eq!(tree.check_consistency(), Ok(()), "after {:?}", event);
            // The reported changes are the actual ones.
            if changes.is_empty() {
                prop_assert_eq!(diff(&before, &tree), vec![]);
            }
        }
        prop_assert_eq!(diff(&tree, &tree), vec![]);
        prop_assert_eq!(render(&tree).lines().count(), tree.len());
    }

    #[test]
    fn matching_a_tree_against_itself_is_exact(copies in any_copies()) {
        let tree = tree_of_copies(&copies);
        let live = Snapshot::of(&tree);
        for (_, node) in tree.walk() {
            let target = Target::of(&tree, node.hwnd).unwrap();
            let decision = locate(&target, &live);
            prop_assert_eq!(decision.found().map(|found| found.hwnd), Some(node.hwnd), "{}", decision);
        }
    }

    #[test]
    fn an_unrelated_window_changes_no_unique_match(all in any_copies(), below in 0..20usize, at in 0..20usize) {
        let recorded = tree_of_copies(&all);
        let before = Snapshot::of(&recorded);
        let mut more = copies(&recorded);
        let parent = more.get(below).map_or(0, |copy| copy.hwnd);
        let unrelated =
            Window { hwnd: 999, parent, owner: 0, class: "Unrelated".into(), name: "unrelated".into(), id: 77, control: None, rect: Rect::default() };
        // Created at any time, so at any place among its siblings; parents come first.
        more.insert(at.clamp(below + 1, more.len().max(below + 1)).min(more.len()), unrelated);
        let more = tree_of_copies(&more);
        let after = Snapshot::of(&more);
        for (_, node) in recorded.walk() {
            let target = Target::of(&recorded, node.hwnd).unwrap();
            let found = locate(&target, &before).found();
            let again = locate(&target, &after);
            if found.is_some_and(|found| found.margin > 0) {
                prop_assert_eq!(again.found().map(|again| again.hwnd), found.map(|found| found.hwnd), "{}", again);
            }
        }
    }

    /// A removed window is never found in another one, unless that has everything that identified it.
    #[test]
    fn a_window_taken_away_is_not_its_neighbour(all in any_copies(), which in 0..20usize) {
        let which = which % all.len();
        let gone = all[which].clone();
        if all.iter().any(|other| other.parent == gone.hwnd || other.owner == gone.hwnd) {
            return Ok(());
        }
        let recorded = tree_of_copies(&all);
        let left: Vec<Window> = all.iter().filter(|copy| copy.hwnd != gone.hwnd).cloned().collect();
        let left = tree_of_copies(&left);
        let decision = locate(&Target::of(&recorded, gone.hwnd).unwrap(), &Snapshot::of(&left));
        if let Outcome::Match(found) = decision.outcome {
            let taken = all.iter().find(|copy| copy.hwnd == found.hwnd).unwrap();
            let why = (taken.id == gone.id && gone.id > 0) || (taken.name == gone.name && !gone.name.is_empty());
            prop_assert!(why && taken.parent == gone.parent, "{}", decision);
        }
    }
}
