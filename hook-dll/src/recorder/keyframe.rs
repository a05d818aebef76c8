//! Snapshots of the windows of this process, by calls that send no message.

use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::shared::rules::rules;
use crate::system::process;
use crate::system::window::{self, Window};
use message_log::{Key, Keyframe, Params, Rect, Text, Value};
use std::collections::HashMap;
use win32_vocabulary::styles::{WS_DISABLED, WS_VISIBLE};

/// The numbers of windows and threads within the session.
pub(crate) trait IdSource {
    /// The window id of a window, a new one if it has none.
    fn window_id(&mut self, window: usize) -> u64;
    /// The number of a thread.
    fn thread(&self, id: u32) -> u32;
}

/// All windows of the process, or those of one thread; parents before children.
pub(crate) fn take(of: Option<(u32, u32)>, numbers: &mut impl IdSource) -> Keyframe {
    let mut windows = Vec::new();
    // The application continues meanwhile: a window that does not exist any more has no thread.
    let is_there = |window: &Window| match (window.thread_and_process().0, of) {
        (0, _) => false,
        (thread, Some((id, _))) => thread == id,
        (_, None) => true,
    };
    for top in window::top_level_windows() {
        for window in std::iter::once(top).chain(top.descendants()).filter(is_there) {
            let described = describe(window, numbers);
            if is_there(&window) {
                windows.push(described);
            }
        }
    }
    add_order(&mut windows);
    Keyframe { of_thread: of.map(|(_, number)| number), windows, complete: true }
}

/// Parent and control id of a window as in a keyframe; none if it does not exist or belongs to
/// another process.
pub(crate) fn place(hwnd: u64) -> Option<(u64, i64)> {
    let window = Window(hwnd as usize);
    let parent = window.parent();
    // A top-level window has a menu in place of an id.
    let id = parent.map_or(0, |_| i64::from(window.id()));
    let is_ours = window.thread_and_process().1 == process::current_process_id();
    is_ours.then_some((parent.map_or(0, |parent| parent.0 as u64), id))
}

/// One window of a keyframe; none if it does not exist.
pub(crate) fn one(hwnd: u64, numbers: &mut impl IdSource) -> Option<Params> {
    let window = Window(hwnd as usize);
    let described = describe(window, numbers);
    (window.thread_and_process().0 != 0).then_some(described)
}

/// Numbers siblings in the order of their creation; the windows themselves come in Z order.
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

fn describe(window: Window, numbers: &mut impl IdSource) -> Params {
    let nothing = MaskRules::default();
    let masks = rules().map_or(&nothing, |rules| &rules.masks);
    let parent = window.parent();
    let style = window.style();
    let mut buffer = [0; 256];
    let class = window.class(&mut buffer);
    // A top-level window has a menu in place of an id.
    let id = parent.is_some().then(|| window.id());
    let privacy = privacy::determine(window.0, class, style, id, masks);
    let mut params = Params::new()
        .with_number(Key::WindowHwnd, window.0 as i64)
        .with_number(Key::WindowId, numbers.window_id(window.0).cast_signed())
        .with_number(Key::WindowParent, parent.map_or(0, |parent| parent.0 as i64))
        .with_text(Key::WindowClass, Text::from_wide(class.iter().copied()))
        .with_number(Key::WindowStyle, i64::from(style))
        .with_number(Key::WindowExStyle, i64::from(window.ex_style()))
        .with(Key::WindowRect, Value::Rect(rect(window)))
        .with(Key::WindowVisible, Value::Flag(style & WS_VISIBLE != 0))
        .with(Key::WindowEnabled, Value::Flag(style & WS_DISABLED == 0))
        .with(Key::WindowUnicode, Value::Flag(window.is_unicode()))
        .with_number(Key::WindowThread, i64::from(numbers.thread(window.thread_and_process().0)));
    if let Some(id) = id {
        params = params.with_number(Key::WindowResourceId, i64::from(id));
    }
    if let Some(owner) = window.owner().filter(|_| parent.is_none()) {
        params = params.with_number(Key::WindowOwner, owner.0 as i64);
        if owner.style() & WS_DISABLED != 0 && style & WS_VISIBLE != 0 {
            params = params.with(Key::WindowModal, Value::Flag(true));
        }
    }
    if privacy != Privacy::Public {
        params = params.with(Key::WindowMasked, Value::Flag(true));
    }
    let name = window.text();
    match privacy {
        Privacy::Secret => params,
        Privacy::Redacted => {
            params.with_text(Key::WindowName, Text::from_wide(name.into_iter().map(privacy::redact_unit)))
        }
        Privacy::Public => params.with_text(Key::WindowName, Text::from_wide(name)),
    }
}

/// The rectangle on the screen for a top-level window, in the parent's client coordinates for a child: as in
/// WM_CREATE and WM_WINDOWPOSCHANGED.
fn rect(window: Window) -> Rect {
    let rect = window.place().unwrap_or_default();
    Rect { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom }
}
