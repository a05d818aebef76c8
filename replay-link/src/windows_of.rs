//! The windows of a process, from inside or outside, by calls that send no message.
#![expect(unsafe_code, reason = "the fenced module of questions to windows")]

use message_log::{Key, Keyframe, Params, Rect, Text, Value};
use std::collections::{HashMap, HashSet};
use win32_vocabulary::styles::{WS_DISABLED, WS_VISIBLE};
use windows::Win32::Foundation::{HWND, LPARAM, POINT, RECT};
use windows::Win32::Graphics::Gdi::MapWindowPoints;
use windows::Win32::UI::WindowsAndMessaging::{
    EnumChildWindows, EnumWindows, GA_PARENT, GA_ROOT, GW_OWNER, GWL_EXSTYLE, GWL_ID, GWL_STYLE, GetAncestor,
    GetClassNameW, GetDesktopWindow, GetWindow, GetWindowLongW, GetWindowRect, GetWindowThreadProcessId,
    InternalGetWindowText, IsWindowUnicode, IsWindowVisible,
};
use windows::core::BOOL;

/// A window of any process; questions to one that is gone have empty answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window(pub u64);

impl Window {
    /// As the system calls take it.
    pub fn handle(self) -> HWND {
        HWND(std::ptr::without_provenance_mut(self.0 as usize))
    }

    fn of(handle: HWND) -> Self {
        Self(handle.0.addr() as u64)
    }

    /// Thread and process that own it; zeros if it is gone.
    pub fn thread_and_process(self) -> (u32, u32) {
        let mut process = 0;
        // SAFETY: a handle that is none gives zero.
        let thread = unsafe { GetWindowThreadProcessId(self.handle(), Some(&raw mut process)) };
        (thread, process)
    }

    /// The class name.
    pub fn class(self) -> Text {
        let mut buffer = [0; 256];
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { GetClassNameW(self.handle(), &mut buffer) };
        Text::from_wide(buffer[..usize::try_from(len).unwrap_or(0).min(256)].iter().copied())
    }

    fn text(self) -> Text {
        let mut buffer = [0; 4096];
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { InternalGetWindowText(self.handle(), &mut buffer) };
        Text::from_wide(buffer[..usize::try_from(len).unwrap_or(0).min(4096)].iter().copied())
    }

    /// The style bits.
    pub fn style(self) -> u32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_STYLE) }.cast_unsigned()
    }

    /// The extended style bits.
    pub fn ex_style(self) -> u32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_EXSTYLE) }.cast_unsigned()
    }

    /// The id of a child.
    pub fn id(self) -> i32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_ID) }
    }

    /// The parent; none for a top-level window.
    pub fn parent(self) -> Option<Self> {
        // SAFETY: a handle that is none gives null.
        let parent = unsafe { GetAncestor(self.handle(), GA_PARENT) };
        // SAFETY: no preconditions.
        let desktop = unsafe { GetDesktopWindow() };
        (!parent.is_invalid() && parent != desktop).then(|| Self::of(parent))
    }

    /// The top-level window it is in.
    pub fn root(self) -> Self {
        // SAFETY: a handle that is none gives null.
        Self::of(unsafe { GetAncestor(self.handle(), GA_ROOT) })
    }

    /// The owner of a top-level window.
    pub fn owner(self) -> Option<Self> {
        // SAFETY: a handle that is none gives an error.
        unsafe { GetWindow(self.handle(), GW_OWNER) }.ok().filter(|owner| !owner.is_invalid()).map(Self::of)
    }

    /// Whether it and all windows it is in are shown.
    pub fn is_shown(self) -> bool {
        // SAFETY: a handle that is none gives false.
        unsafe { IsWindowVisible(self.handle()) }.as_bool()
    }

    /// Whether it and all windows it is in take input.
    pub fn takes_input(self) -> bool {
        std::iter::successors(Some(self), |window| window.parent())
            .all(|window| window.style() & WS_DISABLED == 0)
    }

    /// The outer rectangle in the parent's client coordinates; on the screen for a top-level window.
    pub fn place(self, parent: Option<Self>) -> Rect {
        let mut rect = RECT::default();
        // SAFETY: the rectangle is ours to write to.
        let _ = unsafe { GetWindowRect(self.handle(), &raw mut rect) };
        let mut corners = [POINT { x: rect.left, y: rect.top }, POINT { x: rect.right, y: rect.bottom }];
        if let Some(parent) = parent {
            // SAFETY: the points are ours, their number goes along.
            unsafe { MapWindowPoints(None, Some(parent.handle()), &mut corners) };
        }
        let [a, b] = corners;
        // In a mirrored window left is right.
        Rect { left: a.x.min(b.x), top: a.y, right: a.x.max(b.x), bottom: b.y }
    }

    /// All windows below it, parents before children.
    pub fn descendants(self) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
        // SAFETY: the vector outlives the enumeration, which runs on this thread.
        let _ = unsafe { EnumChildWindows(Some(self.handle()), Some(collect), context) };
        found
    }
}

/// The top-level windows of a process, topmost first.
pub fn top_level_windows(process: u32) -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
    // SAFETY: the vector outlives the enumeration, which runs on this thread.
    let _ = unsafe { EnumWindows(Some(collect), context) };
    found.retain(|window| window.thread_and_process().1 == process);
    found
}

unsafe extern "system" fn collect(handle: HWND, context: LPARAM) -> BOOL {
    // SAFETY: the context is the vector of the function that enumerates, on this very thread.
    let found =
        unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Vec<Window>>(context.0.cast_unsigned()) };
    found.push(Window::of(handle));
    true.into()
}

/// Births kept that no look has confirmed.
const MAX_LATER: usize = 1000;

/// The numbers of windows and threads over several snapshots: in the order of their births where that was
/// told, else in the order they were first seen. Of windows first seen together, children are in the order
/// they lie in, which mostly is that of their creation, and top-level windows in the opposite one.
#[derive(Debug, Default)]
pub struct Births {
    windows: HashMap<Window, u64>,
    threads: HashMap<u32, u32>,
    last: u64,
    /// Windows that were told to be born and have no number yet, oldest first.
    born: Vec<Window>,
    /// What lay below each top-level window when that was asked last, and whether windows were told
    /// to be born since.
    below: HashMap<Window, Vec<Window>>,
    is_outdated: bool,
}

/// How the windows below a top-level window are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// By asking for them, window by window.
    Afresh,
    /// As they were at the last look, if no window was told to be born since, every top-level window is still
    /// one, and none has gone to another. Births have to be told.
    AsBefore,
}

impl Births {
    /// Tells of windows that were born, oldest first.
    pub fn tell(&mut self, born: Vec<Window>) {
        self.is_outdated |= !born.is_empty();
        self.born.extend(born);
    }

    fn see(&mut self, windows: &[(Window, u32)]) {
        // A handle may come back as another window.
        self.windows.retain(|window, _| windows.iter().any(|(there, _)| there == window));
        let told = std::mem::take(&mut self.born);
        // One that is not there may have been born after the look.
        let (there, later): (Vec<Window>, _) =
            told.into_iter().partition(|born| windows.iter().any(|(window, _)| window == born));
        self.born = later.into_iter().rev().take(MAX_LATER).rev().collect();
        for window in there {
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
pub fn snapshot(process: u32, births: &mut Births, look: Look) -> Keyframe {
    let tops = top_level_windows(process);
    let is_known = !births.is_outdated
        && tops.len() == births.below.len()
        && tops.iter().all(|top| births.below.contains_key(top));
    if look == Look::AsBefore && is_known {
        let below = std::mem::take(&mut births.below);
        let windows = describe_all(&tops, &below, births);
        births.below = below;
        if are_below_theirs(&windows) {
            return Keyframe { of_thread: None, windows, complete: true };
        }
    }
    let below = tops.iter().map(|top| (*top, top.descendants())).collect();
    let windows = describe_all(&tops, &below, births);
    (births.below, births.is_outdated) = (below, false);
    Keyframe { of_thread: None, windows, complete: true }
}

fn describe_all(tops: &[Window], below: &HashMap<Window, Vec<Window>>, births: &mut Births) -> Vec<Params> {
    // The application goes on while we look: a window that is gone by now has no thread any more.
    let groups: Vec<Vec<(Window, u32)>> = tops
        .iter()
        .map(|top| {
            let all = std::iter::once(top).chain(below.get(top).into_iter().flatten());
            let owned = all.map(|window| (*window, window.thread_and_process().0));
            owned.filter(|(_, thread)| *thread != 0).collect()
        })
        .collect();
    let by_age: Vec<(Window, u32)> = groups.iter().rev().flatten().copied().collect();
    births.see(&by_age);
    let mut windows: Vec<Params> = Vec::with_capacity(by_age.len());
    for (window, thread) in groups.into_iter().flatten() {
        let described = describe(window, thread, births);
        if window.thread_and_process().0 != 0 {
            windows.push(described);
        }
    }
    add_order(&mut windows);
    windows
}

/// Whether each window comes after the one it is in.
fn are_below_theirs(windows: &[Params]) -> bool {
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

fn describe(window: Window, thread: u32, births: &Births) -> Params {
    let parent = window.parent();
    let style = window.style();
    let window_id = births.windows.get(&window).copied().unwrap_or_default();
    let number = births.threads.get(&thread).copied().unwrap_or_default();
    // SAFETY: a handle that is none gives false.
    let is_unicode = unsafe { IsWindowUnicode(window.handle()) }.as_bool();
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
        .with(Key::WindowUnicode, Value::Flag(is_unicode))
        .with_number(Key::WindowThread, i64::from(number));
    if parent.is_some() {
        // A top-level window's id is its menu, which is no id.
        params = params.with_number(Key::WindowResourceId, i64::from(window.id()));
    } else if let Some(owner) = window.owner() {
        params = params.with_number(Key::WindowOwner, owner.0.cast_signed());
        if owner.style() & WS_DISABLED != 0 && style & WS_VISIBLE != 0 {
            params = params.with(Key::WindowModal, Value::Flag(true));
        }
    }
    params.with_text(Key::WindowName, window.text())
}
