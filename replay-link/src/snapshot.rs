//! The windows of a process as a keyframe, from inside or outside, by calls that send no message.

use crate::window::{Window, top_level_windows};
use message_log::{Key, Keyframe, Params, Text, Value};
use std::collections::{HashMap, HashSet};
use win32_vocabulary::class_name::may_be_edit;
use win32_vocabulary::styles::{ES_PASSWORD, WS_DISABLED, WS_VISIBLE};

/// Created windows that are kept without having been seen in a snapshot.
const MAX_UNSEEN: usize = 1000;

/// The numbers of windows and threads over several snapshots: in the order of creation where that was
/// reported, else in the order they were first seen. Of windows first seen together, children come in Z
/// order, which mostly is the order of their creation, and top-level windows in the opposite one.
#[derive(Debug, Default)]
pub struct WindowIds {
    windows: HashMap<Window, u64>,
    threads: HashMap<u32, u32>,
    last: u64,
    /// Windows that were created and have no number yet, oldest first.
    created: Vec<Window>,
    /// What lay below each top-level window when that was asked last.
    below: HashMap<Window, Vec<Window>>,
    /// Whether windows were created since.
    is_outdated: bool,
}

/// How a snapshot finds the windows below a top-level window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// By asking for them, window by window.
    Afresh,
    /// As they were in the last snapshot, if no window was created since, every top-level window is still
    /// one, and none has moved to another. Only where [`WindowIds::on_created`] is called.
    AsBefore,
}

impl WindowIds {
    /// Windows were created, oldest first.
    pub fn on_created(&mut self, created: Vec<Window>) {
        self.is_outdated |= !created.is_empty();
        self.created.extend(created);
    }

    fn number(&mut self, windows: &[(Window, u32)]) {
        // Windows may give the handle of a destroyed window to a new one.
        self.windows.retain(|window, _| windows.iter().any(|(existing, _)| existing == window));
        let created = std::mem::take(&mut self.created);
        // A window that is not in the snapshot may have been created after it.
        let (seen, unseen): (Vec<Window>, _) =
            created.into_iter().partition(|created| windows.iter().any(|(window, _)| window == created));
        self.created = unseen.into_iter().rev().take(MAX_UNSEEN).rev().collect();
        for window in seen {
            self.windows.entry(window).or_insert_with(|| {
                self.last += 1;
                self.last
            });
        }
        for &(window, thread) in windows {
            self.windows.entry(window).or_insert_with(|| {
                self.last += 1;
                self.last
            });
            let next = self.threads.len() as u32 + 1;
            self.threads.entry(thread).or_insert(next);
        }
    }
}

/// All windows of a process with every property a keyframe has; parents before children, topmost first.
pub fn snapshot(process: u32, ids: &mut WindowIds, look: Look) -> Keyframe {
    let tops = top_level_windows(process);
    let is_known = !ids.is_outdated
        && tops.len() == ids.below.len()
        && tops.iter().all(|top| ids.below.contains_key(top));
    if look == Look::AsBefore && is_known {
        let below = std::mem::take(&mut ids.below);
        let windows = describe_all(&tops, &below, ids);
        ids.below = below;
        if are_below_their_parents(&windows) {
            return Keyframe { of_thread: None, windows, complete: true };
        }
    }
    let below = tops.iter().map(|top| (*top, top.descendants())).collect();
    let windows = describe_all(&tops, &below, ids);
    (ids.below, ids.is_outdated) = (below, false);
    Keyframe { of_thread: None, windows, complete: true }
}

fn describe_all(tops: &[Window], below: &HashMap<Window, Vec<Window>>, ids: &mut WindowIds) -> Vec<Params> {
    // The application goes on meanwhile: a window that is gone by now has no thread any more.
    let groups: Vec<Vec<(Window, u32)>> = tops
        .iter()
        .map(|top| {
            let all = std::iter::once(top).chain(below.get(top).into_iter().flatten());
            let owned = all.map(|window| (*window, window.thread_and_process().0));
            owned.filter(|(_, thread)| *thread != 0).collect()
        })
        .collect();
    let by_age: Vec<(Window, u32)> = groups.iter().rev().flatten().copied().collect();
    ids.number(&by_age);
    let mut windows: Vec<Params> = Vec::with_capacity(by_age.len());
    for (window, thread) in groups.into_iter().flatten() {
        let described = describe(window, thread, ids);
        if window.thread_and_process().0 != 0 {
            windows.push(described);
        }
    }
    add_order(&mut windows);
    windows
}

/// Whether each window comes after its parent.
fn are_below_their_parents(windows: &[Params]) -> bool {
    let number = |window: &Params, key| window.unsigned(key).unwrap_or_default();
    let mut seen = HashSet::from([0]);
    windows.iter().all(|window| {
        seen.insert(number(window, Key::WindowHwnd));
        seen.contains(&number(window, Key::WindowParent))
    })
}

fn add_order(windows: &mut [Params]) {
    let number = |window: &Params, key| window.unsigned(key).unwrap_or_default();
    let mut by_window_id: Vec<usize> = (0..windows.len()).collect();
    by_window_id.sort_by_key(|&i| number(&windows[i], Key::WindowId));
    let mut siblings: HashMap<u64, i64> = HashMap::new();
    for i in by_window_id {
        let order = siblings.entry(number(&windows[i], Key::WindowParent)).or_default();
        windows[i] = std::mem::take(&mut windows[i]).with_number(Key::WindowOrder, *order);
        *order += 1;
    }
}

fn describe(window: Window, thread: u32, ids: &WindowIds) -> Params {
    let parent = window.parent();
    let style = window.style();
    let window_id = ids.windows.get(&window).copied().unwrap_or_default();
    let number = ids.threads.get(&thread).copied().unwrap_or_default();
    let mut params = Params::new()
        .with_number(Key::WindowHwnd, window.0.cast_signed())
        .with_number(Key::WindowId, window_id.cast_signed())
        .with_number(Key::WindowParent, parent.map_or(0, |parent| parent.0.cast_signed()))
        .with_text(Key::WindowClass, window.class())
        .with_number(Key::WindowStyle, i64::from(style))
        .with_number(Key::WindowExStyle, i64::from(window.ex_style()))
        .with(Key::WindowRect, Value::Rect(window.place(parent)))
        .with(Key::WindowVisible, Value::Flag(style & WS_VISIBLE != 0))
        .with(Key::WindowEnabled, Value::Flag(style & WS_DISABLED == 0))
        .with(Key::WindowUnicode, Value::Flag(window.is_unicode()))
        .with_number(Key::WindowThread, i64::from(number));
    if parent.is_some() {
        // A top-level window has a menu in the place of an id.
        params = params.with_number(Key::WindowResourceId, i64::from(window.id()));
    } else if let Some(owner) = window.owner() {
        params = params.with_number(Key::WindowOwner, owner.0.cast_signed());
        if owner.style() & WS_DISABLED != 0 && style & WS_VISIBLE != 0 {
            params = params.with(Key::WindowModal, Value::Flag(true));
        }
    }
    params.with_text(Key::WindowName, if is_password_field(window) { Text::default() } else { window.text() })
}

/// Whether the name of a window may be a password. An edit keeps its text to itself, but a class that a
/// toolkit draws may have left it to Windows.
fn is_password_field(window: Window) -> bool {
    window.style() & ES_PASSWORD != 0 && may_be_edit(&*window.class().to_string_lossy())
}
