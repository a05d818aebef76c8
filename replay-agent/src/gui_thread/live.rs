//! The real windows of the calling thread, as acts see them.

use super::structures::send_message;
use crate::act::gui::{Call, Dpi, Gui, LinkAt, Menu, Message, Payload, Tool};
use crate::gui_thread::keyboard;
use crate::win32::{controls, files, menus, messages, scroll_bars, windows};
use message_log::{Point, Rect};
use replay_link::Window;
use win32_vocabulary::Control;

/// The windows of the calling thread.
pub(crate) struct Live;

impl Gui for Live {
    fn call(&self, call: &mut Call) -> isize {
        match call {
            Call::Send(message) => return send_message(message),
            Call::Post(Message { to, number, wparam, payload: Payload::Number(lparam) }) => {
                messages::post(*to, *number, *wparam, *lparam);
            }
            // A posted structure would be gone before it is read.
            Call::Post(_) => {}
            Call::Focus(window) => windows::focus(*window),
            Call::Activate(window) => windows::activate(*window),
            Call::Blur => windows::blur(),
            Call::BringToFront(window) => windows::bring_to_front(*window),
            Call::Place { window, rect } => windows::place(*window, *rect),
            Call::SetScrollPosition { window, bar, position } => {
                scroll_bars::set_position(*window, *bar, *position);
            }
            Call::Repaint(window) => windows::repaint(*window),
            Call::HoldKeys { modifiers, also } => keyboard::hold(*modifiers, *also),
            Call::TurnKey { key, is_down } => keyboard::turn_later(*key, *is_down),
            Call::RestoreKeys => keyboard::restore_later(),
            Call::PressKey { window, keystroke } => keyboard::press(*window, keystroke.clone()),
            Call::TypeKeys { window, text } => keyboard::type_text(*window, text),
        }
        0
    }

    fn ask(&self, window: Window, number: u32, wparam: usize, lparam: isize) -> isize {
        messages::send(window, number, wparam, lparam)
    }

    fn ask_rect(&self, window: Window, number: u32, wparam: usize, rect: Rect) -> (isize, Rect) {
        controls::ask_rect(window, number, wparam, rect)
    }

    fn exists(&self, window: Window) -> bool {
        window.thread_and_process().0 != 0
    }

    fn class(&self, window: Window) -> String {
        window.class().to_string_lossy().into_owned()
    }

    fn style(&self, window: Window) -> u32 {
        window.style()
    }

    fn ex_style(&self, window: Window) -> u32 {
        window.ex_style()
    }

    fn id(&self, window: Window) -> i32 {
        window.id()
    }

    fn parent(&self, window: Window) -> Option<Window> {
        window.parent()
    }

    fn owner(&self, window: Window) -> Option<Window> {
        window.owner()
    }

    fn descendants(&self, window: Window) -> Vec<Window> {
        window.descendants()
    }

    fn is_shown(&self, window: Window) -> bool {
        window.is_shown()
    }

    fn takes_input(&self, window: Window) -> bool {
        window.takes_input()
    }

    fn takes_double_clicks(&self, window: Window) -> bool {
        windows::takes_double_clicks(window)
    }

    fn screen_rect(&self, window: Window) -> Rect {
        window.place(None)
    }

    fn client_size(&self, window: Window) -> Option<(i32, i32)> {
        windows::client_size(window)
    }

    fn to_screen(&self, window: Window, point: Point) -> Point {
        windows::to_screen(window, point)
    }

    fn dpi(&self, window: Window) -> Option<Dpi> {
        windows::dpi(window).map(|(value, tells_children)| Dpi { value, tells_children })
    }

    fn is_foreground(&self) -> bool {
        windows::is_foreground()
    }

    fn focused(&self) -> Option<Window> {
        windows::focused()
    }

    fn scan_code(&self, key: u32) -> u32 {
        crate::win32::keyboard::scan_code(key)
    }

    fn file_list(&self, files: &[String], point: (i32, i32)) -> Option<usize> {
        files::list(files, point)
    }

    fn menu_bar(&self, window: Window) -> Option<Menu> {
        menus::bar(window).map(Menu)
    }

    fn menu_len(&self, menu: Menu) -> i32 {
        menus::len(menu.0)
    }

    fn menu_command(&self, menu: Menu, position: i32) -> u32 {
        menus::command(menu.0, position)
    }

    fn sub_menu(&self, menu: Menu, position: i32) -> Option<Menu> {
        menus::sub_menu(menu.0, position).map(Menu)
    }

    fn menu_label(&self, menu: Menu, position: i32) -> String {
        menus::label(menu.0, position)
    }

    fn is_menu_item_disabled(&self, menu: Menu, position: i32) -> bool {
        menus::is_disabled(menu.0, position)
    }

    fn is_menu_item_checked(&self, menu: Menu, position: i32) -> bool {
        menus::is_checked(menu.0, position)
    }

    fn text(&self, window: Window) -> String {
        controls::text(window)
    }

    fn item_text(&self, window: Window, control: Control, index: usize) -> Option<String> {
        match control {
            Control::ListBox => controls::list_box_text(window, index),
            Control::ComboBox => controls::combo_box_text(window, index),
            Control::ComboBoxEx => controls::combo_box_ex_text(window, index),
            Control::ListView => Some(controls::list_view_text(window, index)),
            Control::Tab => controls::tab_text(window, index),
            _ => None,
        }
    }

    fn cell_text(&self, view: Window, row: usize, column: usize) -> String {
        controls::cell_text(view, row, column)
    }

    fn tree_text(&self, tree: Window, item: isize) -> String {
        controls::tree_text(tree, item)
    }

    fn status_text(&self, bar: Window, index: usize) -> String {
        controls::status_text(bar, index)
    }

    fn tool(&self, bar: Window, index: usize) -> Option<Tool> {
        controls::tool(bar, index).map(|(command, state, style)| Tool { command, state, style })
    }

    fn tool_text(&self, bar: Window, command: i32) -> String {
        controls::tool_text(bar, command)
    }

    fn list_of_combo(&self, combo: Window) -> Option<Window> {
        controls::list_of_combo(combo)
    }

    fn link_at(&self, window: Window, point: Point) -> Option<LinkAt> {
        controls::link_at(window, point).map(|(index, id, url)| LinkAt { index, id, url })
    }

    fn spin_range(&self, window: Window) -> (i32, i32) {
        controls::spin_range(window)
    }

    fn scroll_info(&self, window: Window, is_control: bool) -> Option<(i32, i32, i32)> {
        scroll_bars::info(window, is_control)
    }
}
