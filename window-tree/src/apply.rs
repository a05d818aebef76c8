//! How an event changes the tree.
//!
//! The hook sees most messages before they are handled: WM_SETTEXT announces a text, WM_CREATE a style
//! without WS_VISIBLE, which Windows adds when it shows the window. WM_SHOWWINDOW, WM_ENABLE,
//! WM_WINDOWPOSCHANGED and WM_STYLECHANGED report facts. SetParent sends no message of its own, but the
//! window is hidden and shown again, and the message of that states the new parent. Keyframes report the rest
//! (`keyframe.rs`): a new parent of a hidden window, and a changed id.

use crate::class::{keeps_own_text, takes_text};
use crate::node::{has, plain_style};
use crate::{Change, Node, Property, Tree};
use message_log::{Event, Key, Kind, Message, Params, Rect, Text, Value};
use win32_vocabulary::messages::{
    WM_CREATE, WM_DESTROY, WM_ENABLE, WM_NCDESTROY, WM_SETTEXT, WM_SHOWWINDOW, WM_STYLECHANGED,
    WM_WINDOWPOSCHANGED,
};
use win32_vocabulary::styles::{
    WS_CAPTION, WS_CHILD, WS_CLIPSIBLINGS, WS_DISABLED, WS_DLGFRAME, WS_EX_DLGMODALFRAME, WS_EX_STATICEDGE,
    WS_EX_TOPMOST, WS_EX_WINDOWEDGE, WS_POPUP, WS_THICKFRAME, WS_VISIBLE,
};
use win32_vocabulary::windows::{
    GWL_EXSTYLE, GWL_STYLE, HWND_MESSAGE, SWP_HIDEWINDOW, SWP_NOMOVE, SWP_NOSIZE, SWP_SHOWWINDOW,
};

/// More threads than any program has.
const MAX_THREADS: usize = 65_536;
/// The parent of message-only windows, in programs of 32 and of 64 bits.
const MESSAGE_WINDOWS: [u64; 2] = [HWND_MESSAGE as u32 as u64, HWND_MESSAGE as i64 as u64];

impl Tree {
    /// Applies an event and returns the changes in order. Any sequence of events is accepted.
    pub fn apply(&mut self, event: &Event) -> Vec<Change> {
        let time = event.stamp.map_or(0, |stamp| stamp.time);
        let thread = event.stamp.map_or(0, |stamp| stamp.thread);
        self.fidelity.settle(time);
        match &event.kind {
            Kind::Message(message) => {
                self.apply_message(message, &event.params, thread, event.stamp.is_some());
                self.fidelity.remember(time, &self.changes);
            }
            Kind::Keyframe(keyframe) => self.apply_keyframe(keyframe, time),
            Kind::Gap => self.note_gap(),
            // Nothing is recorded while recording is paused.
            Kind::Recording => {
                let state = event.params.text(Key::State).and_then(|state| state.as_str());
                if matches!(state, Some("paused" | "resumed" | "disabled")) {
                    self.note_gap();
                }
            }
            _ => {}
        }
        std::mem::take(&mut self.changes)
    }

    /// Events are missing here: until the next keyframe the tree may be wrong.
    pub fn note_gap(&mut self) {
        self.is_whole = false;
        self.known_threads.clear();
        self.fidelity.forget();
    }

    fn apply_message(&mut self, message: &Message, params: &Params, thread: u32, is_stamped: bool) {
        let hwnd = message.hwnd;
        if thread != 0 && self.hooked_threads.len() < MAX_THREADS {
            self.hooked_threads.insert(thread);
        }
        if !self.meet(message, thread) {
            return;
        }
        if matches!(message.number, WM_SHOWWINDOW | WM_WINDOWPOSCHANGED) && is_stamped {
            self.move_below(hwnd, params);
        }
        match message.number {
            WM_CREATE => self.create(hwnd, params),
            // Our recorder also records WM_NCDESTROY, the last message of a window; the paper's does not.
            WM_DESTROY if !is_stamped => self.remove(hwnd),
            WM_DESTROY => {
                if let Some(node) = self.node_mut(hwnd) {
                    node.is_being_destroyed = true;
                }
            }
            WM_NCDESTROY => self.remove(hwnd),
            WM_SETTEXT => self.set_text(hwnd, params),
            // With a reason in lParam this is a request; ShowWindow follows if it is granted.
            WM_SHOWWINDOW if message.lparam == 0 => {
                let shown = params.flag(Key::Shown).unwrap_or(message.wparam != 0);
                self.report(hwnd, Property::Visible, Value::Flag(shown));
            }
            WM_ENABLE => {
                let enabled = params.flag(Key::Enabled).unwrap_or(message.wparam != 0);
                self.report(hwnd, Property::Enabled, Value::Flag(enabled));
            }
            WM_WINDOWPOSCHANGED => self.set_position(hwnd, params),
            WM_STYLECHANGED => self.set_style(hwnd, params),
            _ => {}
        }
        // The result of typing comes with the message that ended it.
        if let Some(text) = params.get(Key::ResultText) {
            let edit = params.unsigned(Key::ResultWindow).unwrap_or(hwnd);
            self.report(edit, Property::OwnText, text.clone());
        }
    }

    /// Finds the window of a message. An unknown window gets a placeholder, unless the message destroys it.
    /// Returns false if the window no longer exists.
    fn meet(&mut self, message: &Message, thread: u32) -> bool {
        let (hwnd, window_id) = (message.hwnd, message.window_id);
        let is_end = matches!(message.number, WM_DESTROY | WM_NCDESTROY);
        match self.get(hwnd).map(|node| (node.window_id, node.is_known)) {
            Some((known, _)) if window_id != 0 && window_id < known => return false,
            Some((known, _)) if known != 0 && window_id > known => self.remove(hwnd),
            // In logs without window ids, a second creation with the same handle is another window.
            Some((_, true)) if message.number == WM_CREATE && window_id == 0 => self.remove(hwnd),
            Some((0, _)) if window_id != 0 => self.set_window_id(hwnd, window_id),
            _ => {}
        }
        if is_end {
            self.fidelity.explain_end(hwnd);
        }
        if self.get(hwnd).is_none() && (is_end || !self.insert(hwnd, window_id)) {
            return false;
        }
        if thread != 0 {
            self.set(hwnd, Property::Thread, Some(Value::Unsigned(u64::from(thread))));
        }
        true
    }

    fn create(&mut self, hwnd: u64, params: &Params) {
        self.fidelity.explain_creation(hwnd);
        let Some(node) = self.node_mut(hwnd) else { return };
        // A keyframe contained the window before its WM_CREATE was read, with newer values.
        if std::mem::replace(&mut node.is_known, true) {
            return;
        }
        let style = params.unsigned(Key::WindowStyle);
        let (parent, owner) = self.resolve_parent(hwnd, params, style);
        self.set_parent(hwnd, parent);
        self.adopt(hwnd);
        self.set(hwnd, Property::Owner, Some(Value::Unsigned(owner)));
        for property in CREATED {
            if let Some(value) = property.key().and_then(|key| params.get(key)) {
                self.set_if_unknown(hwnd, property, value.clone());
            }
        }
        if !self.get(hwnd).is_some_and(Node::is_masked) {
            if let Some(text) = params.get(Key::WindowName) {
                let property = if self.is(hwnd, keeps_own_text) { Property::OwnText } else { Property::Name };
                self.set_if_unknown(hwnd, property, text.clone());
            }
            self.set_if_unknown(hwnd, Property::Name, Value::Text("".into()));
        }
        if let Some(style) = style {
            let (style, ex_style) = as_created(style, params.unsigned(Key::WindowExStyle).unwrap_or(0));
            self.set_if_unknown(hwnd, Property::Style, Value::Unsigned(plain_style(style)));
            self.set_if_unknown(hwnd, Property::ExStyle, Value::Unsigned(ex_style));
            self.set_if_unknown(hwnd, Property::Visible, Value::Flag(false));
            self.set_if_unknown(hwnd, Property::Enabled, Value::Flag(!has(style, WS_DISABLED)));
        }
    }

    /// A child whose parent is not known yet.
    fn await_parent(&mut self, hwnd: u64, parent: u64) {
        /// Windows of other programs are few, and a window that is being created will be known soon.
        const MAX_ORPHANS: usize = 1000;
        if self.orphans.len() < MAX_ORPHANS {
            self.orphans.push((parent, hwnd));
        }
    }

    /// Children that were known before their parent.
    fn adopt(&mut self, parent: u64) {
        let own: Vec<_> = self.orphans.extract_if(.., |(awaited, _)| *awaited == parent).collect();
        for (_, child) in own {
            if self.get(child).is_some_and(|child| child.parent() == 0 && child.is_known) {
                self.set_parent(child, parent);
            }
        }
    }

    /// Values of WM_CREATE are older than those of messages read before it: some controls set their style at
    /// WM_NCCREATE.
    fn set_if_unknown(&mut self, hwnd: u64, property: Property, value: Value) {
        if self.get(hwnd).is_some_and(|node| node.peek(property).is_none()) {
            self.set(hwnd, property, Some(value));
        }
    }

    /// Parent and owner of a new window.
    fn resolve_parent(&mut self, hwnd: u64, params: &Params, style: Option<u64>) -> (u64, u64) {
        let parent = params.unsigned(Key::WindowParent).unwrap_or(0);
        let owner = params.unsigned(Key::WindowOwner).unwrap_or(0);
        let is_outside = MESSAGE_WINDOWS.iter().any(|&it| it == parent || it == owner)
            || self.get(parent).is_some_and(|parent| parent.is_outside);
        self.set_outside(hwnd, is_outside);
        if MESSAGE_WINDOWS.contains(&parent) || MESSAGE_WINDOWS.contains(&owner) {
            return (0, 0);
        }
        // The paper's logs have no owners: GetParent returns the owner as the parent of a window that is not
        // a child.
        let is_child = style.is_none_or(|style| has(style, WS_CHILD));
        let (parent, owner) = if is_child { (parent, owner) } else { (0, owner.max(parent)) };
        if parent != 0 && self.get(parent).is_none() && (self.is_whole || !self.insert(parent, 0)) {
            // The parent is the desktop, a window of another program, or one that creates its children before
            // its own WM_CREATE.
            self.await_parent(hwnd, parent);
            return (0, owner);
        }
        // If a child is given as owner, its top-level window becomes the owner.
        (parent, self.top_level(owner).map_or(owner, |top| top.hwnd))
    }

    /// The window has another parent now. The paper's logs give the owner as parent, with every message, so
    /// this is done for our logs only.
    fn move_below(&mut self, hwnd: u64, params: &Params) {
        let Some(parent) = params.unsigned(Key::WindowParent) else { return };
        let is_other = self.get(hwnd).is_some_and(|node| node.is_known && node.parent() != parent);
        if !is_other || parent != 0 && self.get(parent).is_none_or(|parent| !parent.is_known) {
            return;
        }
        self.fidelity.explain_value(hwnd, Property::Parent, &Value::Unsigned(parent));
        self.set_parent(hwnd, parent);
        // The id of a top-level window is its menu.
        if parent == 0 {
            self.set(hwnd, Property::ResourceId, None);
        }
    }

    fn set_text(&mut self, hwnd: u64, params: &Params) {
        if params.get(Key::Masked).is_some() {
            return;
        }
        let text = params.get(Key::Text).cloned().unwrap_or_else(|| Value::Text("".into()));
        let property = if self.is(hwnd, takes_text) { Property::OwnText } else { Property::Name };
        self.report(hwnd, property, text);
    }

    fn is(&self, hwnd: u64, kind: impl Fn(&Text) -> bool) -> bool {
        self.get(hwnd).and_then(Node::class).is_some_and(kind)
    }

    fn set_position(&mut self, hwnd: u64, params: &Params) {
        let flags = params.unsigned(Key::PositionFlags).unwrap_or(0);
        if let Some(Value::Rect(reported)) = params.get(Key::WindowRect) {
            let known = self.get(hwnd).and_then(Node::rect);
            self.report(hwnd, Property::Rect, Value::Rect(moved(known, *reported, flags)));
        }
        if has(flags, SWP_SHOWWINDOW) {
            self.report(hwnd, Property::Visible, Value::Flag(true));
        } else if has(flags, SWP_HIDEWINDOW) {
            self.report(hwnd, Property::Visible, Value::Flag(false));
        }
    }

    fn set_style(&mut self, hwnd: u64, params: &Params) {
        let Some(new) = params.unsigned(Key::StyleNew) else { return };
        // Sign and width depend on the bitness of the program.
        match params.signed(Key::StyleOffset).map(|offset| offset as i32) {
            Some(GWL_STYLE) => {
                let bits = plain_style(new);
                self.report(hwnd, Property::Style, Value::Unsigned(bits));
                self.report(hwnd, Property::Visible, Value::Flag(has(new, WS_VISIBLE)));
                self.report(hwnd, Property::Enabled, Value::Flag(!has(new, WS_DISABLED)));
            }
            Some(GWL_EXSTYLE) => self.report(hwnd, Property::ExStyle, Value::Unsigned(new)),
            _ => {}
        }
    }

    /// Sets a value from a message; a keyframe shortly before may contain it already.
    fn report(&mut self, hwnd: u64, property: Property, value: Value) {
        self.fidelity.explain_value(hwnd, property, &value);
        self.set(hwnd, property, Some(value));
    }
}

/// Properties that WM_CREATE states as they are.
const CREATED: [Property; 7] = [
    Property::Class,
    Property::ResourceId,
    Property::ControlName,
    Property::Rect,
    Property::Modal,
    Property::Unicode,
    Property::Masked,
];

/// Style and extended style that Windows makes of the requested ones.
fn as_created(style: u64, ex_style: u64) -> (u64, u64) {
    let added = match (has(style, WS_CHILD), has(style, WS_POPUP)) {
        (false, false) => WS_CAPTION | WS_CLIPSIBLINGS,
        (false, true) => WS_CLIPSIBLINGS,
        (true, _) => 0,
    };
    let style = style | u64::from(added);
    let has_edge = has(ex_style, WS_EX_DLGMODALFRAME)
        || !has(ex_style, WS_EX_STATICEDGE) && has(style, WS_DLGFRAME | WS_THICKFRAME);
    let edge = if has_edge { WS_EX_WINDOWEDGE } else { 0 };
    // Only top-level windows can be topmost.
    let never = WS_EX_WINDOWEDGE | if has(style, WS_CHILD) { WS_EX_TOPMOST } else { 0 };
    (style, ex_style & !u64::from(never) | u64::from(edge))
}

/// The rectangle after WM_WINDOWPOSCHANGED: with SWP_NOMOVE or SWP_NOSIZE, that half of it is unreliable.
fn moved(known: Option<Rect>, reported: Rect, flags: u64) -> Rect {
    let Some(known) = known else { return reported };
    let (width, height) = match has(flags, SWP_NOSIZE) {
        false => (reported.right.wrapping_sub(reported.left), reported.bottom.wrapping_sub(reported.top)),
        true => (known.right.wrapping_sub(known.left), known.bottom.wrapping_sub(known.top)),
    };
    let (left, top) =
        if has(flags, SWP_NOMOVE) { (known.left, known.top) } else { (reported.left, reported.top) };
    Rect { left, top, right: left.wrapping_add(width), bottom: top.wrapping_add(height) }
}
