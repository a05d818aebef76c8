//! What each event does to the tree, one rule of Windows per test.

use message_log::{
    Entry, Event, Hook, Key, Keyframe, Kind, Log, Message, Params, Rect, SegmentHead, Stamp, Value,
};
use win32_vocabulary::messages::{
    WM_CREATE, WM_DESTROY, WM_ENABLE, WM_LBUTTONDOWN, WM_NCDESTROY, WM_SETTEXT, WM_SHOWWINDOW,
    WM_STYLECHANGED, WM_WINDOWPOSCHANGED,
};
use win32_vocabulary::styles::{WS_CHILD, WS_DISABLED, WS_VISIBLE};
use win32_vocabulary::windows::{GWL_STYLE, SWP_HIDEWINDOW, SWP_NOSIZE, SWP_SHOWWINDOW};
use window_tree::{IN_FLIGHT, MAX_DEPTH, MAX_WINDOWS, Property, Rebuild, Target, Tree, diff, render};

/// A tree, and a clock that advances by a second with every event, so that nothing is in flight.
#[derive(Default)]
struct Story {
    tree: Tree,
    time: u64,
    step: u64,
}

impl Story {
    fn new() -> Self {
        Self { step: 1_000_000, ..Self::default() }
    }

    fn apply(&mut self, kind: Kind, thread: u32, params: Params) -> &mut Self {
        self.time += self.step;
        let stamp = Stamp { sequence: self.time, time: self.time, thread };
        self.tree.apply(&Event { stamp: Some(stamp), kind, params });
        self.tree.check_consistency().unwrap();
        self
    }

    fn send(&mut self, number: u32, hwnd: u64, window_id: u64, params: Params) -> &mut Self {
        let message = Message { number, hwnd, window_id, hook: Hook::Sent, ..Message::default() };
        self.apply(Kind::Message(message), 1, params)
    }

    fn send_number(&mut self, number: u32, hwnd: u64, window_id: u64, wparam: u64, lparam: u64) -> &mut Self {
        let message =
            Message { number, hwnd, window_id, hook: Hook::Sent, wparam, lparam, ..Message::default() };
        self.apply(Kind::Message(message), 1, Params::new())
    }

    /// Creates a child, or a top-level window if the parent is 0.
    fn born(&mut self, hwnd: u64, window_id: u64, parent: u64, class: &str) -> &mut Self {
        let style = if parent == 0 { WS_VISIBLE } else { WS_CHILD | WS_VISIBLE };
        self.send(
            WM_CREATE,
            hwnd,
            window_id,
            created(parent, class).with_number(Key::WindowStyle, style.into()),
        )
    }

    fn keyframe(&mut self, of_thread: Option<u32>, windows: &[Params]) -> &mut Self {
        let keyframe = Keyframe { of_thread, windows: windows.to_vec(), complete: true };
        self.apply(Kind::Keyframe(keyframe), 0, Params::new())
    }

    fn settled(&mut self) -> window_tree::Fidelity {
        let mut fidelity = self.tree.fidelity().clone();
        fidelity.finish();
        fidelity
    }
}

fn created(parent: u64, class: &str) -> Params {
    Params::new()
        .with_number(Key::WindowParent, parent.cast_signed())
        .with_number(Key::WindowResourceId, 7)
        .with_text(Key::WindowClass, class)
        .with_text(Key::WindowName, "name")
}

fn shown(hwnd: u64, window_id: u64, parent: u64, class: &str) -> Params {
    shown_by(1, hwnd, window_id, parent, class)
}

fn shown_by(thread: i64, hwnd: u64, window_id: u64, parent: u64, class: &str) -> Params {
    created(parent, class)
        .with_number(Key::WindowHwnd, hwnd.cast_signed())
        .with_number(Key::WindowId, window_id.cast_signed())
        .with_number(Key::WindowThread, thread)
}

/// The main window with another name and nothing else changed.
fn renamed(name: &str) -> Params {
    let params = Params::new().with_number(Key::WindowHwnd, 1).with_number(Key::WindowId, 1);
    params.with_number(Key::WindowThread, 1).with_text(Key::WindowName, name)
}

#[test]
fn a_handle_used_again_is_another_window() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Button").send(WM_NCDESTROY, 2, 2, Params::new());
    assert!(story.tree.get(2).is_none());
    story.born(2, 3, 1, "Edit");
    let again = story.tree.get(2).unwrap();
    assert_eq!((again.window_id, again.class().unwrap().to_string().as_str()), (3, "Edit"));
    // A late message to the first window changes nothing.
    story.send(WM_SETTEXT, 2, 2, Params::new().with_text(Key::Text, "late"));
    assert_eq!(story.tree.get(2).unwrap().own_text().unwrap().to_string(), "name");
    // Its end is not recorded, and its handle is reused.
    story.born(2, 9, 1, "Static");
    assert_eq!((story.tree.get(2).unwrap().window_id, story.tree.len()), (9, 2));
}

#[test]
fn children_go_with_their_parent_and_keep_the_order_of_their_births() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(5, 2, 1, "A").born(3, 3, 1, "B").born(4, 4, 3, "C");
    assert_eq!([5, 3, 4].map(|hwnd| story.tree.place(hwnd)), [Some(0), Some(1), Some(0)]);
    assert_eq!(story.tree.ancestry(4).iter().map(|node| node.hwnd).collect::<Vec<_>>(), [1, 3, 4]);
    story.send(WM_DESTROY, 1, 1, Params::new());
    assert!(
        story.tree.get(1).unwrap().is_being_destroyed && story.tree.len() == 4,
        "children live until WM_NCDESTROY"
    );
    story.send(WM_NCDESTROY, 1, 1, Params::new());
    assert!(story.tree.is_empty());
}

#[test]
fn a_window_shown_in_another_has_moved_there() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Pane").born(3, 3, 2, "Edit").born(4, 4, 0, "Frame");
    let below = |parent| Params::new().with_number(Key::WindowParent, parent);
    story.send(WM_SHOWWINDOW, 2, 2, below(4));
    assert_eq!(story.tree.ancestry(3).iter().map(|node| node.hwnd).collect::<Vec<_>>(), [4, 2, 3]);
    // An unknown parent is left to the next keyframe.
    story.send(WM_SHOWWINDOW, 2, 2, below(9));
    assert_eq!(story.tree.get(2).unwrap().parent(), 4);
    story.send(WM_SHOWWINDOW, 2, 2, below(0));
    let pane = story.tree.get(2).unwrap();
    assert_eq!((pane.parent(), pane.resource_id()), (0, None), "a window of its own has no id");
    // Nothing can be inside itself.
    story.send(WM_SHOWWINDOW, 2, 2, below(3));
    assert_eq!(story.tree.get(2).unwrap().parent(), 0);
}

#[test]
fn a_window_met_by_a_later_message_is_a_placeholder_until_it_is_known() {
    let mut story = Story::new();
    story.send(WM_LBUTTONDOWN, 8, 4, Params::new());
    let met = story.tree.get(8).unwrap();
    assert!(!met.is_known && met.class().is_none() && met.thread() == 1);
    story.keyframe(None, &[shown(8, 4, 0, "Main")]);
    assert!(story.tree.get(8).unwrap().is_known);
    // The parent of a new window may be unknown too, as long as no keyframe has reported everything.
    let mut story = Story::new();
    story.born(2, 2, 1, "Button");
    assert!(!story.tree.get(1).unwrap().is_known);
    assert_eq!(story.tree.get(2).unwrap().parent(), 1);
    // The end of a window whose creation is unknown leaves nothing.
    story.send(WM_NCDESTROY, 77, 9, Params::new());
    assert!(story.tree.get(77).is_none());
}

#[test]
fn a_window_appears_when_it_is_shown_and_not_when_it_is_born() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main");
    assert_eq!(story.tree.get(1).unwrap().visible(), Some(false));
    story.send_number(WM_SHOWWINDOW, 1, 1, 1, 3);
    assert_eq!(story.tree.get(1).unwrap().visible(), Some(false), "with a reason it is only asked");
    story.send_number(WM_SHOWWINDOW, 1, 1, 1, 0);
    assert_eq!(story.tree.get(1).unwrap().visible(), Some(true));
    let position = |flags| {
        let rect = Rect { left: 5, top: 6, right: 15, bottom: 26 };
        Params::new().with(Key::WindowRect, Value::Rect(rect)).with_number(Key::PositionFlags, flags)
    };
    story.send(WM_WINDOWPOSCHANGED, 1, 1, position(SWP_HIDEWINDOW.into()));
    let node = story.tree.get(1).unwrap();
    assert_eq!((node.visible(), node.rect().unwrap().left), (Some(false), 5));
    // Without a size, only the corner counts.
    let far = Params::new()
        .with(Key::WindowRect, Value::Rect(Rect { left: 50, top: 60, right: 50, bottom: 60 }))
        .with_number(Key::PositionFlags, (SWP_SHOWWINDOW | SWP_NOSIZE).into());
    story.send(WM_WINDOWPOSCHANGED, 1, 1, far);
    let node = story.tree.get(1).unwrap();
    assert_eq!(
        (node.visible(), node.rect()),
        (Some(true), Some(Rect { left: 50, top: 60, right: 60, bottom: 80 }))
    );
}

#[test]
fn a_style_set_before_wm_create_stays() {
    // Combo boxes set their style at WM_NCCREATE: the style of WM_CREATE is older.
    let mut story = Story::new();
    let style = Params::new()
        .with_number(Key::StyleOffset, GWL_STYLE.into())
        .with_number(Key::StyleNew, (WS_CHILD | WS_VISIBLE).into());
    story.born(1, 1, 0, "Main").send(WM_STYLECHANGED, 2, 2, style).born(2, 2, 1, "ComboBox");
    assert_eq!(story.tree.get(2).unwrap().visible(), Some(true));
    // In a 32-bit program the offset has 32 bits.
    let style = Params::new()
        .with_number(Key::StyleOffset, GWL_STYLE.cast_unsigned().into())
        .with_number(Key::StyleNew, (WS_CHILD | WS_DISABLED).into());
    story.send(WM_STYLECHANGED, 2, 2, style);
    let node = story.tree.get(2).unwrap();
    assert_eq!((node.visible(), node.enabled()), (Some(false), Some(false)));
    assert_eq!(node.style(), Some((WS_CHILD | WS_DISABLED).into()));
}

#[test]
fn what_an_edit_holds_is_not_its_name() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Edit").born(3, 3, 1, "Button").born(
        4,
        4,
        1,
        "msctls_statusbar32",
    );
    for hwnd in [2, 3, 4] {
        story.send(WM_SETTEXT, hwnd, hwnd, Params::new().with_text(Key::Text, "new"));
    }
    let name = |hwnd| story.tree.get(hwnd).unwrap().name().unwrap().to_string();
    assert_eq!([name(2), name(3), name(4)], ["", "new", "name"], "a status bar sets its first part");
    let result = Params::new().with_text(Key::ResultText, "typed").with_number(Key::ResultWindow, 2);
    story.send(WM_LBUTTONDOWN, 3, 3, result);
    assert_eq!(story.tree.get(2).unwrap().own_text().unwrap().to_string(), "typed");
    story.send(WM_SETTEXT, 2, 2, Params::new().with_text(Key::Masked, "password"));
    assert_eq!(story.tree.get(2).unwrap().own_text().unwrap().to_string(), "typed");
}

#[test]
fn a_modal_dialog_stands_over_a_disabled_owner() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Button");
    story.send_number(WM_ENABLE, 1, 1, 0, 0);
    // If a child is given as owner, its top-level window becomes the owner.
    let dialog = created(0, "#32770").with_number(Key::WindowStyle, 0).with_number(Key::WindowOwner, 2);
    story.send(WM_CREATE, 3, 3, dialog);
    assert_eq!(story.tree.get(3).unwrap().owner(), 1);
    assert!(story.tree.is_modal(3) && !story.tree.is_modal(1));
    story.send_number(WM_ENABLE, 1, 1, 1, 0);
    assert!(!story.tree.is_modal(3));
}

#[test]
fn windows_outside_the_program_are_in_no_keyframe() {
    let mut story = Story::new();
    story.keyframe(None, &[]).born(1, 1, 0, "Main").keyframe(None, &[shown(1, 1, 0, "Main")]);
    let hidden = created(0, "Ole").with_number(Key::WindowStyle, 0).with_number(Key::WindowOwner, -3);
    story
        .send(WM_CREATE, 2, 2, hidden)
        .born(3, 3, 2, "Child of it")
        .keyframe(None, &[shown(1, 1, 0, "Main")]);
    assert_eq!(story.tree.len(), 3);
    assert_eq!(story.settled().difference_count, 0);
    // The parent is the desktop: once everything is known, an unknown window is not ours.
    story.born(4, 4, 0x1_0020, "ComboLBox");
    assert_eq!(story.tree.get(4).unwrap().parent(), 0);
}

#[test]
fn a_keyframe_tells_what_messages_do_not() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Panel").born(3, 3, 1, "Button").born(4, 4, 0, "Gone");
    let moved = [shown(1, 1, 0, "Main"), shown(2, 2, 1, "Panel"), shown(3, 3, 2, "Button")];
    story.keyframe(None, &moved);
    assert_eq!(story.tree.get(3).unwrap().parent(), 2);
    assert!(story.tree.get(4).is_none(), "its end was not seen");
    // A keyframe of one thread concerns that thread only.
    story.keyframe(Some(2), &[shown_by(2, 9, 9, 0, "Other")]);
    assert_eq!(story.tree.len(), 4);
    story.keyframe(Some(1), &[shown(1, 1, 0, "Main")]);
    assert_eq!(story.tree.len(), 2);
    // An incomplete keyframe removes nothing.
    let some = Keyframe { of_thread: None, windows: vec![shown(5, 5, 1, "New")], complete: false };
    story.apply(Kind::Keyframe(some), 0, Params::new());
    assert_eq!(story.tree.len(), 3);
}

#[test]
fn logs_without_birth_numbers_and_stamps_are_read_too() {
    let xml = include_bytes!("../../tests/old-logs/paper-figure-3.xml");
    let mut rebuild = Rebuild::new();
    for entry in Log::from_bytes("paper", xml).unwrap() {
        rebuild.take(&entry.unwrap());
        rebuild.tree().check_consistency().unwrap();
    }
    let tree = rebuild.finish();
    let dialog = tree.get(657_830).unwrap();
    assert_eq!((dialog.parent(), dialog.resource_id()), (789_102, Some(1034)));
    let mut tree = Tree::new();
    let event = |number, hwnd, params| Event {
        stamp: None,
        kind: Kind::Message(Message { number, hwnd, ..Message::default() }),
        params,
    };
    tree.apply(&event(WM_CREATE, 1, created(0, "A")));
    tree.apply(&event(WM_CREATE, 1, created(0, "B")));
    assert_eq!(tree.get(1).unwrap().class().unwrap().to_string(), "B");
    tree.apply(&event(WM_DESTROY, 1, Params::new()));
    assert!(tree.is_empty(), "the paper's logs have no WM_NCDESTROY");
}

#[test]
fn another_session_begins_with_no_windows() {
    let mut rebuild = Rebuild::new();
    let segment =
        |session: &str| Entry::Segment(SegmentHead { session: session.into(), ..SegmentHead::default() });
    rebuild.take(&segment("one"));
    let event = Event {
        stamp: None,
        kind: Kind::Message(Message { number: WM_CREATE, hwnd: 1, ..Message::default() }),
        params: created(0, "A"),
    };
    rebuild.take(&Entry::Event(event));
    rebuild.take(&segment("one"));
    assert_eq!(rebuild.tree().len(), 1);
    rebuild.take(&segment("two"));
    assert!(rebuild.tree().is_empty());
}

#[test]
fn circles_towers_and_crowds_are_survived() {
    let mut story = Story::new();
    story.keyframe(
        None,
        &[shown(1, 1, 2, "A"), shown(2, 2, 3, "B"), shown(3, 3, 1, "C"), shown(4, 4, 4, "D")],
    );
    assert_eq!(story.tree.len(), 4);
    let mut tree = Tree::new();
    let windows: Vec<Params> = (1..=MAX_WINDOWS as u64 + 10).map(|i| shown(i, i, i - 1, "Tower")).collect();
    tree.apply(&Event {
        stamp: None,
        kind: Kind::Keyframe(Keyframe { of_thread: None, windows, complete: true }),
        params: Params::new(),
    });
    assert_eq!(tree.len(), MAX_WINDOWS);
    assert!(tree.walk().all(|(depth, _)| depth <= MAX_DEPTH));
    tree.check_consistency().unwrap();
    assert_eq!(render(&tree).lines().count(), MAX_WINDOWS);
}

#[test]
fn a_tower_built_from_above_is_survived_too() {
    // Each window is moved below the next: no parent is deep when it gets its child.
    let mut tree = Tree::new();
    for i in 1..5000 {
        let windows = vec![shown(i + 1, i + 1, 0, "Floor"), shown(i, i, i + 1, "Floor")];
        let kind = Kind::Keyframe(Keyframe { of_thread: None, windows, complete: false });
        tree.apply(&Event { stamp: None, kind, params: Params::new() });
    }
    tree.check_consistency().unwrap();
    assert_eq!(tree.ancestry(1).len(), 5000);
    assert_eq!((Target::of(&tree, 1), Target::of(&tree, 5000).is_some()), (None, true));
    assert_eq!(render(&tree).lines().count(), 5000);
}

/// A program with a working hook on its thread, and one window.
fn watched() -> Story {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").keyframe(None, &[shown(1, 1, 0, "Main")]);
    story
}

#[test]
fn differences_are_counted_and_named() {
    let mut story = watched();
    assert_eq!(story.settled().keyframes, 0, "the first keyframe introduces");
    story.born(2, 2, 1, "Button").send(WM_SETTEXT, 1, 1, Params::new().with_text(Key::Text, "told"));
    let otherwise = shown(1, 1, 0, "Main");
    story.keyframe(None, &[otherwise, shown(3, 3, 1, "Edit")]);
    let fidelity = story.settled();
    let lines: Vec<String> = fidelity.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "5.000 s: Edit 0x3 no message reported it",
            "5.000 s: Main 0x1 name: \"told\" → \"name\"",
            "5.000 s: Button 0x2 no message reported its end",
        ]
    );
    assert_eq!((fidelity.windows.compared, fidelity.windows.agreeing), (3, 0));
    assert_eq!((fidelity.existence.compared, fidelity.existence.agreeing), (3, 1));
    let name = fidelity.property(Property::Name);
    assert_eq!((name.compared, name.agreeing), (1, 0));
    // The difference is resolved: the next keyframe finds none.
    story.keyframe(None, &[shown(1, 1, 0, "Main"), shown(3, 3, 1, "Edit")]);
    assert_eq!(story.settled().difference_count, 3);
}

#[test]
fn what_is_about_to_happen_is_in_flight() {
    let new_text = Params::new().with_text(Key::Text, "new");
    // Announced just before the keyframe and done just after it: the message is right.
    let mut story = watched();
    story.step = IN_FLIGHT / 2;
    story.send(WM_SETTEXT, 1, 1, new_text.clone()).keyframe(None, &[shown(1, 1, 0, "Main")]);
    assert_eq!((story.settled().difference_count, story.settled().in_flight), (0, 1));
    assert_eq!(story.tree.get(1).unwrap().name().unwrap().to_string(), "new");
    // In the keyframe, and reported just after it.
    let mut story = watched();
    story.step = IN_FLIGHT / 2;
    story.keyframe(None, &[renamed("new")]).send(WM_SETTEXT, 1, 1, new_text.clone());
    assert_eq!((story.settled().difference_count, story.settled().in_flight), (0, 1));
    // Too late to be the same moment, or another value than before: a difference.
    for (step, text) in [(IN_FLIGHT * 2, "name"), (IN_FLIGHT / 2, "third")] {
        let mut story = watched();
        story.step = step;
        story.send(WM_SETTEXT, 1, 1, new_text.clone()).keyframe(None, &[renamed(text)]);
        assert_eq!((story.settled().difference_count, story.settled().in_flight), (1, 0), "{text}");
    }
}

#[test]
fn births_and_ends_around_a_keyframe_are_in_flight() {
    let mut story = watched();
    story.born(2, 2, 1, "Button");
    story.step = IN_FLIGHT / 2;
    // Created while it was taken: in the keyframe, with its WM_CREATE after it. Destroyed while it was taken:
    // the reverse.
    story.keyframe(None, &[shown(1, 1, 0, "Main"), shown(3, 3, 1, "Edit")]);
    story.born(3, 3, 1, "Edit").send(WM_NCDESTROY, 2, 2, Params::new());
    let fidelity = story.settled();
    assert_eq!((fidelity.difference_count, fidelity.in_flight), (0, 2));
    assert_eq!((fidelity.existence.compared, fidelity.existence.agreeing), (1, 1));
    assert_eq!(story.tree.len(), 2);
}

#[test]
fn nothing_is_compared_behind_a_gap() {
    let mut story = watched();
    story.born(2, 2, 1, "Button").apply(Kind::Gap, 1, Params::new());
    story.keyframe(None, &[shown(1, 1, 0, "Main")]);
    assert_eq!(story.settled().keyframes, 0);
    assert_eq!(story.tree.len(), 1, "but it is believed");
    story.keyframe(None, &[]);
    assert_eq!(story.settled().difference_count, 1);
}

#[test]
fn a_diff_says_what_happened_between_two_moments() {
    let mut story = Story::new();
    story.born(1, 1, 0, "Main").born(2, 2, 1, "Button");
    let before = story.tree.clone();
    story.send(WM_NCDESTROY, 2, 2, Params::new()).born(2, 3, 1, "Edit");
    story.send(WM_SETTEXT, 1, 1, Params::new().with_text(Key::Text, "new"));
    let lines: Vec<String> = diff(&before, &story.tree).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["0x1 name: \"name\" → \"new\"", "0x2 is gone", "0x2 is there"]);
}

/// A window may create its children at WM_NCCREATE, before its own WM_CREATE.
#[test]
fn a_child_that_is_born_before_its_parent_is_below_it() {
    let mut story = Story::new();
    story.keyframe(None, &[]);
    story.born(1, 1, 0, "Frame").born(3, 2, 2, "SysTreeView32");
    assert_eq!(story.tree.get(3).unwrap().parent(), 0, "the parent may be of another program");
    story.born(2, 3, 1, "NamespaceTreeControl");
    assert_eq!(story.tree.get(3).unwrap().parent(), 2);
    assert_eq!(story.tree.top_level(3).unwrap().hwnd, 1);
}
