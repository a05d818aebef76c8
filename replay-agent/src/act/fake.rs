//! A program in memory that answers what acts ask from tables and records their calls.

use super::gui::{Call, Details, Dpi, Gui, LinkAt, Menu, Message, Notification, Payload, Tool};
use super::prepare::prepare;
use message_log::{Point, Rect};
use replay_link::{Act, ItemRef, Trouble, Window};
use std::cell::RefCell;
use std::collections::HashMap;
use win32_vocabulary::Control;
use win32_vocabulary::items::{
    BTNS_SEP, TBSTATE_CHECKED, TBSTATE_ENABLED, TVGN_CARET, TVGN_CHILD, TVGN_NEXT, TVGN_ROOT,
};
use win32_vocabulary::messages::{
    CB_GETCOUNT, CCM_GETUNICODEFORMAT, LB_GETCOUNT, LVM_GETITEMCOUNT, TCM_GETITEMCOUNT, TVM_GETNEXTITEM,
    WM_COMMAND, WM_GETTEXT, WM_NOTIFY,
};
use win32_vocabulary::styles::WS_VSCROLL;

/// The parent of every control of the fake.
pub(crate) const PARENT: Window = Window(1);
/// The control that tests act on.
pub(crate) const CONTROL: Window = Window(2);
/// Its id.
pub(crate) const ID: i32 = 77;

#[derive(Debug, Clone, Default)]
pub(crate) struct FakeWindow {
    pub(crate) class: String,
    pub(crate) style: u32,
    pub(crate) ex_style: u32,
    pub(crate) parent: Option<Window>,
    pub(crate) owner: Option<Window>,
    pub(crate) is_hidden: bool,
    pub(crate) is_disabled: bool,
    pub(crate) text: String,
    pub(crate) items: Vec<String>,
    /// Handle, handle of the item above (0 at the root), text.
    pub(crate) nodes: Vec<(isize, isize, String)>,
    /// The handle of the selected node.
    pub(crate) selected_node: isize,
    pub(crate) dpi: Option<Dpi>,
    pub(crate) menu: Option<Menu>,
    pub(crate) list_of_combo: Option<Window>,
    pub(crate) takes_double_clicks: bool,
}

/// An item of a menu: its command, its label, the menu below it, whether it is disabled.
pub(crate) type FakeMenuItem = (u32, &'static str, Option<Menu>, bool);

#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) windows: HashMap<u64, FakeWindow>,
    pub(crate) menus: HashMap<usize, Vec<FakeMenuItem>>,
    pub(crate) is_foreground: bool,
    /// What a message is answered, the last answer again and again.
    answers: RefCell<HashMap<(u64, u32), Vec<isize>>>,
    /// What a notification is answered.
    vetoes: HashMap<i32, isize>,
    /// What a receiver puts into a structure.
    fillings: HashMap<u32, Payload>,
    pub(crate) link: Option<(Rect, LinkAt)>,
    calls: RefCell<Vec<Call>>,
    asked: RefCell<Vec<(Window, u32)>>,
}

impl Fake {
    /// A shown window with one control of a class.
    pub(crate) fn with(class: &str) -> Self {
        let mut fake = Self { is_foreground: true, ..Self::default() };
        fake.windows.insert(PARENT.0, FakeWindow { class: "Frame".into(), ..FakeWindow::default() });
        let control = FakeWindow { class: class.into(), parent: Some(PARENT), ..FakeWindow::default() };
        fake.windows.insert(CONTROL.0, control);
        fake
    }

    pub(crate) fn change(mut self, change: impl FnOnce(&mut FakeWindow)) -> Self {
        change(self.windows.get_mut(&CONTROL.0).expect("the control"));
        self
    }

    pub(crate) fn style(self, style: u32) -> Self {
        self.change(|control| control.style = style)
    }

    pub(crate) fn items(self, items: &[&str]) -> Self {
        let items = items.iter().map(|item| (*item).to_owned()).collect();
        self.change(|control| control.items = items)
    }

    pub(crate) fn nodes(self, nodes: &[(isize, isize, &str)]) -> Self {
        let nodes = nodes.iter().map(|(item, above, text)| (*item, *above, (*text).to_owned())).collect();
        self.change(|control| control.nodes = nodes)
    }

    /// Another window.
    pub(crate) fn window(mut self, window: u64, class: &str, parent: Option<Window>) -> Self {
        let other = FakeWindow { class: class.into(), parent, ..FakeWindow::default() };
        self.windows.insert(window, other);
        self
    }

    pub(crate) fn menu(mut self, menu: usize, items: &[FakeMenuItem]) -> Self {
        self.menus.insert(menu, items.to_vec());
        self
    }

    /// The control answers a message so, one answer after the other.
    pub(crate) fn answer(self, message: u32, answers: &[isize]) -> Self {
        self.answer_of(CONTROL, message, answers)
    }

    pub(crate) fn answer_of(self, window: Window, message: u32, answers: &[isize]) -> Self {
        self.answers.borrow_mut().insert((window.0, message), answers.to_vec());
        self
    }

    /// The parent answers a notification so.
    pub(crate) fn veto(mut self, code: i32) -> Self {
        self.vetoes.insert(code, 1);
        self
    }

    /// Whoever gets this message leaves this in its structure.
    pub(crate) fn fills(mut self, message: u32, payload: Payload) -> Self {
        self.fillings.insert(message, payload);
        self
    }

    /// What an act on the control calls, and the remarks about it.
    pub(crate) fn act_with_remarks(&self, act: Act) -> Result<(Vec<Call>, Vec<String>), Trouble> {
        let prepared = prepare(self, CONTROL, act)?;
        (prepared.perform)(self);
        Ok((self.calls.take(), prepared.remarks))
    }

    pub(crate) fn act(&self, act: Act) -> Result<Vec<Call>, Trouble> {
        self.act_with_remarks(act).map(|(calls, _)| calls)
    }

    /// Which windows were asked with a message.
    pub(crate) fn asked(&self, message: u32) -> Vec<Window> {
        self.asked.borrow().iter().filter(|(_, asked)| *asked == message).map(|(window, _)| *window).collect()
    }

    fn get(&self, window: Window) -> FakeWindow {
        self.windows.get(&window.0).cloned().unwrap_or_default()
    }

    fn next_answer(&self, window: Window, message: u32) -> Option<isize> {
        let mut answers = self.answers.borrow_mut();
        let answers = answers.get_mut(&(window.0, message))?;
        if answers.len() > 1 { Some(answers.remove(0)) } else { answers.first().copied() }
    }

    fn next_node(&self, tree: Window, relation: u32, item: isize) -> isize {
        let nodes = self.get(tree).nodes;
        let first_below = |above: isize| nodes.iter().find(|node| node.1 == above).map_or(0, |node| node.0);
        match relation {
            TVGN_ROOT => first_below(0),
            TVGN_CHILD => first_below(item),
            TVGN_CARET => self.get(tree).selected_node,
            TVGN_NEXT => {
                let Some(at) = nodes.iter().position(|node| node.0 == item) else { return 0 };
                nodes[at + 1..].iter().find(|node| node.1 == nodes[at].1).map_or(0, |node| node.0)
            }
            _ => 0,
        }
    }
}

impl Gui for Fake {
    fn call(&self, call: &mut Call) -> isize {
        self.calls.borrow_mut().push(call.clone());
        let Call::Send(Message { to, number, payload, .. }) = call else { return 0 };
        if let Payload::Notification(Notification { code, .. }) = payload {
            return self.vetoes.get(code).copied().unwrap_or(0);
        }
        if let Some(filling) = self.fillings.get(number) {
            *payload = filling.clone();
        }
        self.next_answer(*to, *number).unwrap_or(0)
    }

    fn ask(&self, window: Window, number: u32, wparam: usize, lparam: isize) -> isize {
        self.asked.borrow_mut().push((window, number));
        self.next_answer(window, number).unwrap_or_else(|| match number {
            LB_GETCOUNT | CB_GETCOUNT | LVM_GETITEMCOUNT | TCM_GETITEMCOUNT => {
                self.get(window).items.len() as isize
            }
            TVM_GETNEXTITEM => self.next_node(window, wparam as u32, lparam),
            CCM_GETUNICODEFORMAT => 1,
            _ => 0,
        })
    }

    fn ask_rect(&self, window: Window, number: u32, _: usize, rect: Rect) -> (isize, Rect) {
        match self.fillings.get(&number) {
            Some(Payload::Rect(rect)) => (self.next_answer(window, number).unwrap_or(1), *rect),
            _ => (self.next_answer(window, number).unwrap_or(0), rect),
        }
    }

    fn exists(&self, window: Window) -> bool {
        self.windows.contains_key(&window.0)
    }

    fn class(&self, window: Window) -> String {
        self.get(window).class
    }

    fn style(&self, window: Window) -> u32 {
        self.get(window).style
    }

    fn ex_style(&self, window: Window) -> u32 {
        self.get(window).ex_style
    }

    fn id(&self, window: Window) -> i32 {
        if window == CONTROL { ID } else { 0 }
    }

    fn parent(&self, window: Window) -> Option<Window> {
        self.get(window).parent
    }

    fn owner(&self, window: Window) -> Option<Window> {
        self.get(window).owner
    }

    fn descendants(&self, window: Window) -> Vec<Window> {
        let is_below = |other: &Window| {
            std::iter::successors(self.parent(*other), |above| self.parent(*above))
                .any(|above| above == window)
        };
        let mut all: Vec<Window> =
            self.windows.keys().map(|window| Window(*window)).filter(is_below).collect();
        all.sort_by_key(|window| window.0);
        all
    }

    fn is_shown(&self, window: Window) -> bool {
        !self.get(window).is_hidden
    }

    fn takes_input(&self, window: Window) -> bool {
        !self.get(window).is_disabled
    }

    fn takes_double_clicks(&self, window: Window) -> bool {
        self.get(window).takes_double_clicks
    }

    fn screen_rect(&self, _: Window) -> Rect {
        Rect { left: 100, top: 200, right: 300, bottom: 260 }
    }

    fn client_size(&self, _: Window) -> Option<(i32, i32)> {
        Some((200, 60))
    }

    fn to_screen(&self, _: Window, point: Point) -> Point {
        Point { x: point.x + 100, y: point.y + 200 }
    }

    fn dpi(&self, window: Window) -> Option<Dpi> {
        self.get(window).dpi
    }

    fn is_foreground(&self) -> bool {
        self.is_foreground
    }

    fn focused(&self) -> Option<Window> {
        Some(CONTROL)
    }

    fn file_list(&self, files: &[String], _: (i32, i32)) -> Option<usize> {
        Some(files.len())
    }

    fn scan_code(&self, key: u32) -> u32 {
        key & 0x7F
    }

    fn menu_bar(&self, window: Window) -> Option<Menu> {
        self.get(window).menu
    }

    fn menu_len(&self, menu: Menu) -> i32 {
        self.menus.get(&menu.0).map_or(-1, |items| items.len() as i32)
    }

    fn menu_command(&self, menu: Menu, position: i32) -> u32 {
        let (command, _, inner, _) = self.menus[&menu.0][position as usize];
        if inner.is_some() { u32::MAX } else { command }
    }

    fn sub_menu(&self, menu: Menu, position: i32) -> Option<Menu> {
        self.menus[&menu.0][position as usize].2
    }

    fn menu_label(&self, menu: Menu, position: i32) -> String {
        self.menus[&menu.0][position as usize].1.to_owned()
    }

    fn is_menu_item_disabled(&self, menu: Menu, position: i32) -> bool {
        self.menus[&menu.0][position as usize].3
    }

    fn is_menu_item_checked(&self, _: Menu, _: i32) -> bool {
        false
    }

    fn text(&self, window: Window) -> String {
        self.asked.borrow_mut().push((window, WM_GETTEXT));
        self.get(window).text
    }

    fn item_text(&self, window: Window, _: Control, index: usize) -> Option<String> {
        self.get(window).items.get(index).cloned()
    }

    fn cell_text(&self, view: Window, row: usize, column: usize) -> String {
        let item = self.get(view).items.get(row).cloned().unwrap_or_default();
        if column == 0 { item } else { format!("{item}.{column}") }
    }

    fn tree_text(&self, tree: Window, item: isize) -> String {
        let nodes = self.get(tree).nodes;
        nodes.into_iter().find(|node| node.0 == item).map(|node| node.2).unwrap_or_default()
    }

    fn status_text(&self, bar: Window, index: usize) -> String {
        self.get(bar).items.get(index).cloned().unwrap_or_default()
    }

    fn tool(&self, bar: Window, index: usize) -> Option<Tool> {
        let text = self.get(bar).items.get(index).cloned()?;
        let is_separator = text == "-";
        let state = TBSTATE_ENABLED as u8 | if text == "Bold" { TBSTATE_CHECKED as u8 } else { 0 };
        Some(Tool {
            command: 400 + index as i32,
            state,
            style: if is_separator { BTNS_SEP as u8 } else { 0 },
        })
    }

    fn tool_text(&self, bar: Window, command: i32) -> String {
        self.get(bar).items.get((command - 400) as usize).cloned().unwrap_or_default()
    }

    fn list_of_combo(&self, combo: Window) -> Option<Window> {
        self.get(combo).list_of_combo
    }

    fn link_at(&self, _: Window, point: Point) -> Option<LinkAt> {
        let (rect, link) = self.link.as_ref()?;
        let is_in = (rect.left..rect.right).contains(&point.x) && (rect.top..rect.bottom).contains(&point.y);
        is_in.then(|| link.clone())
    }

    fn spin_range(&self, _: Window) -> (i32, i32) {
        (0, 100)
    }

    fn scroll_info(&self, window: Window, is_control: bool) -> Option<(i32, i32, i32)> {
        (is_control || self.style(window) & WS_VSCROLL != 0).then_some((0, 50, 7))
    }
}

pub(crate) fn send(to: Window, number: u32, wparam: usize, lparam: isize) -> Call {
    Call::Send(Message { to, number, wparam, payload: Payload::Number(lparam) })
}

pub(crate) fn send_with(to: Window, number: u32, wparam: usize, payload: Payload) -> Call {
    Call::Send(Message { to, number, wparam, payload })
}

pub(crate) fn post(to: Window, number: u32, wparam: usize, lparam: isize) -> Call {
    Call::Post(Message { to, number, wparam, payload: Payload::Number(lparam) })
}

/// WM_COMMAND of the control to its parent.
pub(crate) fn command(code: usize) -> Call {
    send(PARENT, WM_COMMAND, ID as usize | code << 16, CONTROL.0 as isize)
}

/// WM_NOTIFY of the control to its parent.
pub(crate) fn notice(code: i32, details: Details) -> Call {
    let payload = Payload::Notification(Notification { control: CONTROL, id: ID, code, details });
    send_with(PARENT, WM_NOTIFY, ID as usize, payload)
}

pub(crate) fn focus() -> Call {
    Call::Focus(CONTROL)
}

pub(crate) fn item(text: &str) -> ItemRef {
    ItemRef { path: vec![text.into()], index: None, index_path: None }
}

pub(crate) fn path(texts: &[&str]) -> ItemRef {
    ItemRef { path: texts.iter().map(|text| (*text).to_owned()).collect(), index: None, index_path: None }
}
