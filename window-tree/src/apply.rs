//! What an event does to the tree.
//!
//! The hook sees most messages before they are handled: WM_SETTEXT tells a text that will be set, WM_CREATE a style of which the
//! system still keeps WS_VISIBLE back until it shows the window. WM_SHOWWINDOW, WM_ENABLE, WM_WINDOWPOSCHANGED and WM_STYLECHANGED
//! say what is. SetParent sends nothing of its own, but the window is hidden and shown again, and that tells where it is by then; what is not shown, and a changed id, keyframes
//! tell (`keyframe.rs`).

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

/// More threads than a program has.
const MAX_THREADS: usize = 65_536;
/// The parent of windows that are never seen, in programs of 32 and of 64 bits.
const MESSAGE_WINDOWS: [u64; 2] = [HWND_MESSAGE as u32 as u64, HWND_MESSAGE as i64 as u64];

impl Tree {
    /// Takes an event into account; what it changed, in order. Any sequence of events is survived.
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
            // What happens while recording is paused is not told.
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

    /// Events are missing here: until the next keyframe anything may be otherwise.
    pub fn note_gap(&mut self) {
        self.is_whole = false;
        self.met_threads.clear();
        self.fidelity.forget();
    }

    fn apply_message(&mut self, message: &Message, params: &Params, thread: u32, is_stamped: bool) {
        let hwnd = message.hwnd;
        if thread != 0 && self.speaking_threads.len() < MAX_THREADS {
            self.speaking_threads.insert(thread);
        }
        if !self.meet(message, thread) {
            return;
        }
        if matches!(message.number, WM_SHOWWINDOW | WM_WINDOWPOSCHANGED) && is_stamped {
            self.move_below(hwnd, params);
        }
        match message.number {
            WM_CREATE => self.create(hwnd, params),
            // Our recorder tells of WM_NCDESTROY too, after which there is nothing; the paper's does not.
            WM_DESTROY if !is_stamped => self.remove(hwnd),
            WM_DESTROY => {
                if let Some(node) = self.node_mut(hwnd) {
                    node.is_dying = true;
                }
            }
            WM_NCDESTROY => self.remove(hwnd),
            WM_SETTEXT => self.set_text(hwnd, params),
            // With a reason in lParam it is a request, and ShowWindow follows where it is granted.
            WM_SHOWWINDOW if message.lparam == 0 => {
                let shown = params.flag(Key::Shown).unwrap_or(message.wparam != 0);
                self.tell(hwnd, Property::Visible, Value::Flag(shown));
            }
            WM_ENABLE => {
                let enabled = params.flag(Key::Enabled).unwrap_or(message.wparam != 0);
                self.tell(hwnd, Property::Enabled, Value::Flag(enabled));
            }
            WM_WINDOWPOSCHANGED => self.set_position(hwnd, params),
            WM_STYLECHANGED => self.set_style(hwnd, params),
            _ => {}
        }
        // The result of typing, told with the message that ended it.
        if let Some(text) = params.get(Key::ResultText) {
            let edit = params.unsigned(Key::ResultWindow).unwrap_or(hwnd);
            self.tell(edit, Property::OwnText, text.clone());
        }
    }

    /// Finds the window of a message. One that is not known gets a placeholder, unless the message ends it; false if the
    /// message is of a window that is no more.
    fn meet(&mut self, message: &Message, thread: u32) -> bool {
        let (hwnd, window_id) = (message.hwnd, message.window_id);
        let is_end = matches!(message.number, WM_DESTROY | WM_NCDESTROY);
        match self.get(hwnd).map(|node| (node.window_id, node.is_known)) {
            Some((known, _)) if window_id != 0 && window_id < known => return false,
            Some((known, _)) if known != 0 && window_id > known => self.remove(hwnd),
            // Logs without window ids: a handle created again is another window.
            Some((_, true)) if message.number == WM_CREATE && window_id == 0 => self.remove(hwnd),
            Some((0, _)) if window_id != 0 => self.set_window_id(hwnd, window_id),
            _ => {}
        }
        if is_end {
            self.fidelity.tell_end(hwnd);
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
        self.fidelity.tell_birth(hwnd);
        let Some(node) = self.node_mut(hwnd) else { return };
        // A keyframe saw the window before its WM_CREATE was read, and saw it later than that.
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
                self.begin_with(hwnd, property, value.clone());
            }
        }
        if !self.get(hwnd).is_some_and(Node::is_masked) {
            if let Some(text) = params.get(Key::WindowName) {
                let property = if self.is(hwnd, keeps_own_text) { Property::OwnText } else { Property::Name };
                self.begin_with(hwnd, property, text.clone());
            }
            self.begin_with(hwnd, Property::Name, Value::Text("".into()));
        }
        if let Some(style) = style {
            let (style, ex_style) = as_created(style, params.unsigned(Key::WindowExStyle).unwrap_or(0));
            self.begin_with(hwnd, Property::Style, Value::Unsigned(plain_style(style)));
            self.begin_with(hwnd, Property::ExStyle, Value::Unsigned(ex_style));
            self.begin_with(hwnd, Property::Visible, Value::Flag(false));
            self.begin_with(hwnd, Property::Enabled, Value::Flag(!has(style, WS_DISABLED)));
        }
    }

    /// A child whose parent is not known yet.
    fn await_parent(&mut self, hwnd: u64, parent: u64) {
        /// Windows of others are few, and a window that is being made comes soon.
        const MAX_ORPHANS: usize = 1000;
        if self.orphans.len() < MAX_ORPHANS {
            self.orphans.push((parent, hwnd));
        }
    }

    /// Children that were there before their parent.
    fn adopt(&mut self, parent: u64) {
        let own: Vec<_> = self.orphans.extract_if(.., |(awaited, _)| *awaited == parent).collect();
        for (_, child) in own {
            if self.get(child).is_some_and(|child| child.parent() == 0 && child.is_known) {
                self.set_parent(child, parent);
            }
        }
    }

    /// What WM_CREATE says is older than what other messages said before: some controls set their style at WM_NCCREATE.
    fn begin_with(&mut self, hwnd: u64, property: Property, value: Value) {
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
        // The paper's logs have no owners: GetParent gives it as the parent of a window that is no child.
        let is_child = style.is_none_or(|style| has(style, WS_CHILD));
        let (parent, owner) = if is_child { (parent, owner) } else { (0, owner.max(parent)) };
        if parent != 0 && self.get(parent).is_none() && (self.is_whole || !self.insert(parent, 0)) {
            // The desktop, a window of another program, or one that makes its children before its own WM_CREATE.
            self.await_parent(hwnd, parent);
            return (0, owner);
        }
        // Whoever names a child as owner gets its top-level window.
        (parent, self.top_level(owner).map_or(owner, |top| top.hwnd))
    }

    /// The window is in another than it was. The paper's logs have the owner for a parent, and tell it with every message: only ours are asked.
    fn move_below(&mut self, hwnd: u64, params: &Params) {
        let Some(parent) = params.unsigned(Key::WindowParent) else { return };
        let is_other = self.get(hwnd).is_some_and(|node| node.is_known && node.parent() != parent);
        if !is_other || parent != 0 && self.get(parent).is_none_or(|parent| !parent.is_known) {
            return;
        }
        self.fidelity.tell(hwnd, Property::Parent, &Value::Unsigned(parent));
        self.set_parent(hwnd, parent);
        // The id of a window of its own is its menu.
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
        self.tell(hwnd, property, text);
    }

    fn is(&self, hwnd: u64, kind: impl Fn(&Text) -> bool) -> bool {
        self.get(hwnd).and_then(Node::class).is_some_and(kind)
    }

    fn set_position(&mut self, hwnd: u64, params: &Params) {
        let flags = params.unsigned(Key::PositionFlags).unwrap_or(0);
        if let Some(Value::Rect(told)) = params.get(Key::WindowRect) {
            let known = self.get(hwnd).and_then(Node::rect);
            self.tell(hwnd, Property::Rect, Value::Rect(moved(known, *told, flags)));
        }
        if has(flags, SWP_SHOWWINDOW) {
            self.tell(hwnd, Property::Visible, Value::Flag(true));
        } else if has(flags, SWP_HIDEWINDOW) {
            self.tell(hwnd, Property::Visible, Value::Flag(false));
        }
    }

    fn set_style(&mut self, hwnd: u64, params: &Params) {
        let Some(new) = params.unsigned(Key::StyleNew) else { return };
        // Sign and width depend on the program's bits.
        match params.signed(Key::StyleOffset).map(|offset| offset as i32) {
            Some(GWL_STYLE) => {
                let bits = plain_style(new);
                self.tell(hwnd, Property::Style, Value::Unsigned(bits));
                self.tell(hwnd, Property::Visible, Value::Flag(has(new, WS_VISIBLE)));
                self.tell(hwnd, Property::Enabled, Value::Flag(!has(new, WS_DISABLED)));
            }
            Some(GWL_EXSTYLE) => self.tell(hwnd, Property::ExStyle, Value::Unsigned(new)),
            _ => {}
        }
    }

    /// Sets what a message tells; a keyframe just before may have seen it already.
    fn tell(&mut self, hwnd: u64, property: Property, value: Value) {
        self.fidelity.tell(hwnd, property, &value);
        self.set(hwnd, property, Some(value));
    }
}

/// Properties that WM_CREATE tells as they are.
const CREATED: [Property; 7] = [
    Property::Class,
    Property::ResourceId,
    Property::ControlName,
    Property::Rect,
    Property::Modal,
    Property::Unicode,
    Property::Masked,
];

/// Style and extended style as the system makes them of what a program asks for.
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
    // Only windows of their own can be above all others.
    let never = WS_EX_WINDOWEDGE | if has(style, WS_CHILD) { WS_EX_TOPMOST } else { 0 };
    (style, ex_style & !u64::from(never) | u64::from(edge))
}

/// Where a window is after WM_WINDOWPOSCHANGED: with SWP_NOMOVE or SWP_NOSIZE, that half is not to be relied on.
fn moved(known: Option<Rect>, told: Rect, flags: u64) -> Rect {
    let Some(known) = known else { return told };
    let (width, height) = match has(flags, SWP_NOSIZE) {
        false => (told.right.wrapping_sub(told.left), told.bottom.wrapping_sub(told.top)),
        true => (known.right.wrapping_sub(known.left), known.bottom.wrapping_sub(known.top)),
    };
    let (left, top) = if has(flags, SWP_NOMOVE) { (known.left, known.top) } else { (told.left, told.top) };
    Rect { left, top, right: left.wrapping_add(width), bottom: top.wrapping_add(height) }
}
