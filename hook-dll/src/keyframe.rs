//! The window tree of this process at a moment, by calls that send no message.

use crate::callback;
use crate::masks::{self, Masked, Privacy};
use crate::win32::{self, Window};
use message_log::{Key, Keyframe, Params, Rect, Text, Value};
use std::collections::HashMap;

const WS_VISIBLE: u32 = 0x1000_0000;
const WS_DISABLED: u32 = 0x0800_0000;

/// The numbers the recorder gave to windows and threads.
pub(crate) trait Numbers {
    /// The birth number of a window, a new one if it has none.
    fn birth(&mut self, window: usize) -> u64;
    /// The session's number of a thread.
    fn thread(&self, id: u32) -> u32;
}

/// All windows of the process, or those of one thread; parents before children.
pub(crate) fn take(of: Option<(u32, u32)>, numbers: &mut impl Numbers) -> Keyframe {
    let nothing = Masked::default();
    let masked = callback::rules().map_or(&nothing, |rules| &rules.masked);
    let mut windows = Vec::new();
    let mut children_of: HashMap<Option<Window>, u64> = HashMap::new();
    for top in win32::top_level_windows() {
        for window in std::iter::once(top).chain(top.descendants()) {
            if of.is_some_and(|(id, _)| window.thread_and_process().0 != id) {
                continue;
            }
            windows.push(describe(window, &mut children_of, numbers, masked));
        }
    }
    Keyframe { of_thread: of.map(|(_, number)| number), windows, complete: true }
}

fn describe(
    window: Window,
    children_of: &mut HashMap<Option<Window>, u64>,
    numbers: &mut impl Numbers,
    masked: &Masked,
) -> Params {
    let parent = window.parent();
    let style = window.style();
    let mut buffer = [0; 256];
    let class = window.class(&mut buffer);
    let id = parent.is_some().then(|| window.id());
    let privacy = masks::find_out(window.0, class, style, id, masked);
    let order = children_of.entry(parent).or_default();
    let mut params = Params::new()
        .with_number(Key::WindowHwnd, window.0 as i64)
        .with_number(Key::WindowBirth, numbers.birth(window.0).cast_signed())
        .with_number(Key::WindowParent, parent.map_or(0, |parent| parent.0 as i64))
        .with_number(Key::WindowOrder, order.cast_signed())
        .with_text(Key::WindowClass, Text::from_wide(class.iter().copied()))
        .with_number(Key::WindowStyle, i64::from(style))
        .with_number(Key::WindowExStyle, i64::from(window.ex_style()))
        .with(Key::WindowRect, Value::Rect(place(window)))
        .with(Key::WindowVisible, Value::Flag(style & WS_VISIBLE != 0))
        .with(Key::WindowEnabled, Value::Flag(style & WS_DISABLED == 0))
        .with(Key::WindowUnicode, Value::Flag(window.is_unicode()))
        .with_number(Key::WindowThread, i64::from(numbers.thread(window.thread_and_process().0)));
    *order += 1;
    // A top-level window's id is its menu, which is no id.
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
        Privacy::Veiled => {
            params.with_text(Key::WindowName, Text::from_wide(name.into_iter().map(masks::veil_unit)))
        }
        Privacy::Public => params.with_text(Key::WindowName, Text::from_wide(name)),
    }
}

/// On the screen for a top-level window, in the parent's client coordinates for a child.
fn place(window: Window) -> Rect {
    let rect = window.place().unwrap_or_default();
    Rect { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom }
}
