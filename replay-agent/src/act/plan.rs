//! What all acts share: the act as it is prepared, whether its window can take it, and how a control
//! notifies its parent.
//!
//! An act is prepared first (does the window take input, is the item there), which the replayer learns at
//! once, and performed afterwards: what an act opens may stay open for long.

use super::gui::{Call, Details, Gui, Message, Notification, Payload};
use message_log::{Point, Rect};
use replay_link::{Act, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::DTM_GETMONTHCAL;
use win32_vocabulary::messages::{CCM_GETUNICODEFORMAT, WM_COMMAND, WM_NOTIFY};

/// What remains to be done once it is known that it can be done.
pub(crate) type Perform = Box<dyn FnOnce(&dyn Gui)>;

/// An act that can be performed.
pub(crate) struct Prepared {
    /// How items were found, where that was not by their text at their recorded index.
    pub(crate) remarks: Vec<String>,
    pub(crate) perform: Perform,
}

/// The window of an act while the act is prepared.
pub(crate) struct Preparation<'a> {
    pub(crate) gui: &'a dyn Gui,
    pub(crate) window: Window,
    pub(crate) remarks: Vec<String>,
}

impl<'a> Preparation<'a> {
    pub(crate) fn new(gui: &'a dyn Gui, window: Window) -> Self {
        Self { gui, window, remarks: Vec::new() }
    }

    pub(crate) fn control(&self) -> Control {
        self.gui.control(self.window)
    }

    pub(crate) fn remark(&mut self, remark: String) {
        self.remarks.push(remark);
    }

    /// The error for a control that cannot do this.
    pub(crate) fn not_a_control_that(&self, does: &str) -> Trouble {
        let class = self.gui.class(self.window);
        Trouble::Unable(format!("a window of class {class:?} is not known as a control that {does}"))
    }

    pub(crate) fn require(&self, control: Control, does: &str) -> Result<(), Trouble> {
        if self.control() == control { Ok(()) } else { Err(self.not_a_control_that(does)) }
    }
}

/// A user acts on what is shown and takes input. Commands go to hidden windows too: menus of notification
/// icons and hot keys need that.
pub(crate) fn check_available(gui: &dyn Gui, window: Window, act: &Act) -> Result<(), Trouble> {
    if !gui.exists(window) {
        return Err(Trouble::Gone);
    }
    if matches!(act, Act::Place { .. }) {
        return Ok(());
    }
    if !gui.takes_input(window) {
        return Err(Trouble::Disabled);
    }
    if !gui.is_shown(window) && !matches!(act, Act::Command { .. } | Act::HotKey { .. }) {
        return Err(Trouble::Hidden);
    }
    Ok(())
}

/// An act that is one call.
pub(crate) fn calls(mut call: Call) -> Perform {
    Box::new(move |gui| {
        gui.call(&mut call);
    })
}

/// An act that sends one message.
pub(crate) fn sends(window: Window, number: u32, wparam: usize, lparam: isize) -> Perform {
    Box::new(move |gui| {
        gui.send(window, number, wparam, lparam);
    })
}

/// The window that gets a control's notifications: its parent, or the date field that the
/// calendar belongs to.
fn parent_to_notify(gui: &dyn Gui, control: Window) -> Option<Window> {
    let is_calendar_of = |field: &Window| {
        gui.control(*field) == Control::DatePicker
            && gui.ask(*field, DTM_GETMONTHCAL, 0, 0).cast_unsigned() as u64 == control.0
    };
    let owned = || gui.descendants(gui.owner(control)?).into_iter().find(is_calendar_of);
    gui.parent(control).or_else(owned)
}

/// Sends WM_COMMAND to the parent, as the control would.
pub(crate) fn send_command(gui: &dyn Gui, control: Window, code: i32) {
    if let Some(parent) = parent_to_notify(gui, control) {
        let wparam = word_pair(gui.id(control), code);
        gui.send(parent, WM_COMMAND, wparam, control.0.cast_signed() as isize);
    }
}

/// Sends WM_NOTIFY to the parent, as the control would, and returns the parent's answer.
pub(crate) fn notify(gui: &dyn Gui, control: Window, code: i32, details: Details) -> isize {
    notify_with(gui, control, code, details).0
}

/// The same; also returns the details as the parent left them.
pub(crate) fn notify_with(gui: &dyn Gui, control: Window, code: i32, details: Details) -> (isize, Details) {
    let Some(parent) = parent_to_notify(gui, control) else { return (0, details) };
    let id = gui.id(control);
    let payload = Payload::Notification(Notification { control, id, code, details });
    let mut call = Call::Send(Message { to: parent, number: WM_NOTIFY, wparam: id as usize, payload });
    let answer = gui.call(&mut call);
    match call {
        Call::Send(Message { payload: Payload::Notification(notification), .. }) => {
            (answer, notification.details)
        }
        _ => (answer, Details::None),
    }
}

/// The notification code of a control that talks Unicode, or that of one that talks ANSI.
pub(crate) fn code_by_charset(gui: &dyn Gui, control: Window, wide: i32, narrow: i32) -> i32 {
    if gui.ask(control, CCM_GETUNICODEFORMAT, 0, 0) != 0 { wide } else { narrow }
}

/// Two 16-bit numbers as WPARAM carries them.
pub(crate) fn word_pair(low: i32, high: i32) -> usize {
    (u32::from(low as u16) | u32::from(high as u16) << 16) as usize
}

/// Two 16-bit numbers as LPARAM carries them.
pub(crate) fn point_pair(low: i32, high: i32) -> isize {
    (word_pair(low, high) as u32).cast_signed() as isize
}

pub(crate) fn middle(rect: Rect) -> Point {
    Point { x: i32::midpoint(rect.left, rect.right), y: i32::midpoint(rect.top, rect.bottom) }
}
