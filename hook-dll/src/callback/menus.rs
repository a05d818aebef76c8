//! Which menus are open, and the path to an item: the labels from the menu bar to the item.
//!
//! Windows reports every popup that opens and every item that is highlighted, but sends the command after the
//! menu has closed. So the callback keeps the path to the last highlighted item until then.

use crate::callback::item_writer::SEPARATOR;
use crate::system::menu::Menu;
use crate::system::window::Window;
const DEPTH: usize = 16;
const PATH: usize = 512;
/// How many items of a menu are searched.
const MAX_ITEMS: u32 = 256;

/// The open menus of a thread.
pub(crate) struct Menus {
    /// From the menu bar, or from a popup without one, to the popup that opened last.
    open: [Menu; DEPTH],
    len: usize,
    path: [u16; PATH],
    path_len: usize,
    /// The item that the path leads to.
    item: Option<u32>,
}

impl Menus {
    pub(crate) const fn new() -> Self {
        Self { open: [Menu(0); DEPTH], len: 0, path: [0; PATH], path_len: 0, item: None }
    }

    /// WM_INITMENUPOPUP: a popup opens, below another or below the menu bar.
    pub(crate) fn on_popup_opened(&mut self, window: Window, popup: Menu) {
        let holds = |menu: Menu| place_of(popup, menu).is_some();
        match self.open[..self.len].iter().rposition(|&menu| menu != popup && holds(menu)) {
            Some(parent) => self.len = parent + 1,
            None => {
                self.len = 0;
                if let Some(bar) = window.menu().filter(|&bar| bar != popup && holds(bar)) {
                    self.push(bar);
                }
            }
        }
        self.push(popup);
    }

    fn push(&mut self, menu: Menu) {
        if let Some(slot) = self.open.get_mut(self.len) {
            *slot = menu;
            self.len += 1;
        }
    }

    /// WM_MENUSELECT: an item is highlighted. Returns the labels that lead to it, separated by U+001F.
    pub(crate) fn on_item_highlighted(
        &mut self,
        window: Window,
        menu: Menu,
        item: u32,
        by_position: bool,
    ) -> &[u16] {
        self.path_len = 0;
        // With TPM_NONOTIFY Windows does not report that a popup opens.
        if !self.open[..self.len].contains(&menu) {
            self.on_popup_opened(window, menu);
        }
        let above = self.open[..self.len].iter().position(|&open| open == menu).unwrap_or(0);
        for i in 0..above {
            let (parent, child) = (self.open[i], self.open[i + 1]);
            if let Some(place) = place_of(child, parent) {
                self.append(parent, place, true);
            }
        }
        self.append(menu, item, by_position);
        self.item = (!by_position).then_some(item);
        &self.path[..self.path_len]
    }

    /// WM_COMMAND of an accelerator: the path to the item of the menu bar that has the same command,
    /// if there is one.
    pub(crate) fn path_of_accelerator(&mut self, window: Window, id: u32) -> Option<&[u16]> {
        self.path_len = 0;
        self.item = None;
        let mut menu = window.menu()?;
        // A search by command includes the submenus.
        let holds = |menu: Menu| menu.label(id, false, &mut [0; 2]) > 0;
        for _ in 0..DEPTH {
            let way = (0..menu.item_count().min(MAX_ITEMS))
                .find_map(|place| Some((place, menu.sub_menu(place).filter(|&inner| holds(inner))?)));
            let Some((place, inner)) = way else { break };
            self.append(menu, place, true);
            menu = inner;
        }
        holds(menu).then(|| self.append(menu, id, false))?;
        Some(&self.path[..self.path_len])
    }

    fn append(&mut self, menu: Menu, item: u32, by_position: bool) {
        if self.path_len > 0 && self.path_len < PATH {
            self.path[self.path_len] = SEPARATOR;
            self.path_len += 1;
        }
        let room = &mut self.path[self.path_len..];
        if !room.is_empty() {
            self.path_len += menu.label(item, by_position, room);
        }
    }

    /// WM_COMMAND or WM_SYSCOMMAND of a menu: the path to its item, if that was highlighted last.
    pub(crate) fn path_of_chosen(&mut self, id: u32) -> Option<&[u16]> {
        (self.item.take() == Some(id)).then(|| &self.path[..self.path_len])
    }
}

fn place_of(child: Menu, parent: Menu) -> Option<u32> {
    (0..parent.item_count().min(MAX_ITEMS)).find(|&place| parent.sub_menu(place) == Some(child))
}
