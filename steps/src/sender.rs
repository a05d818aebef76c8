//! Which window a message speaks of, and which one the pointer is over.

use super::control::control_of;
use super::place::Place;
use message_log::{Event, Key, Message, Point};
use win32_vocabulary::Control;
use win32_vocabulary::messages::{WM_COMMAND, WM_HSCROLL, WM_NOTIFY, WM_VSCROLL};
use win32_vocabulary::notifications::{
    BN_KILLFOCUS, BN_SETFOCUS, CBN_KILLFOCUS, CBN_SETFOCUS, EN_KILLFOCUS, EN_SETFOCUS, LBN_KILLFOCUS,
    LBN_SETFOCUS,
};
use window_tree::{Node, Tree};

/// The control a message speaks of.
pub(crate) fn source_of(message: &Message, event: &Event) -> Option<u64> {
    match message.number {
        WM_COMMAND | WM_NOTIFY => event.params.unsigned(Key::Source).filter(|&source| source != 0),
        WM_HSCROLL | WM_VSCROLL => {
            Some(event.params.unsigned(Key::ScrollBar).filter(|&bar| bar != 0).unwrap_or(message.hwnd))
        }
        _ => Some(message.hwnd),
    }
}

/// Whether a control only reports that it gained or lost the keyboard focus.
pub(crate) fn tells_focus(control: Control, code: i32) -> bool {
    match control {
        Control::Edit | Control::RichEdit | Control::CodeEdit | Control::IpAddress => {
            matches!(code, EN_SETFOCUS | EN_KILLFOCUS)
        }
        Control::ListBox | Control::DropList => matches!(code, LBN_SETFOCUS | LBN_KILLFOCUS),
        Control::ComboBox | Control::ComboBoxEx => matches!(code, CBN_SETFOCUS | CBN_KILLFOCUS),
        kind => kind.is_button() && matches!(code, BN_SETFOCUS | BN_KILLFOCUS),
    }
}

/// Whether two points, each in the client coordinates of a window, are about the same one of the screen. Of a
/// window that is gone nobody knows.
pub(crate) fn is_same_spot(tree: &Tree, a: (u64, Point), b: (u64, Point)) -> bool {
    /// Borders are not known, and a hand is not still.
    const NEAR: u32 = 12;
    let on_screen = |(hwnd, point): (u64, Point)| {
        tree.get(hwnd)?;
        let corners = tree.ancestry(hwnd).into_iter().filter_map(Node::rect);
        Some(
            corners.fold((point.x, point.y), |(x, y), r| (x.saturating_add(r.left), y.saturating_add(r.top))),
        )
    };
    match (on_screen(a), on_screen(b)) {
        (Some(a), Some(b)) => a.0.abs_diff(b.0) <= NEAR && a.1.abs_diff(b.1) <= NEAR,
        _ => true,
    }
}

/// The window under a point that is given in the client coordinates of another: up until it is inside, then
/// down. Borders are not known, so the edge of a window is uncertain by their width. With it the point there.
pub(crate) fn under(tree: &Tree, hwnd: u64, point: Point) -> (Place, (i32, i32)) {
    let (mut at, mut x, mut y) = (hwnd, point.x, point.y);
    let inside = |node: &Node, x: i32, y: i32| {
        node.rect().is_some_and(|r| (r.left..r.right).contains(&x) && (r.top..r.bottom).contains(&y))
    };
    while let Some(node) = tree.get(at).filter(|node| node.parent() != 0) {
        let Some(rect) = node.rect() else { break };
        (x, y) = (x.saturating_add(rect.left), y.saturating_add(rect.top));
        if inside(node, x, y) {
            (x, y) = (x.saturating_sub(rect.left), y.saturating_sub(rect.top));
            break;
        }
        at = node.parent();
    }
    // Those let the pointer through to what lies behind or around them.
    let is_solid = |child: &Node| !matches!(control_of(child), Control::GroupBox | Control::Label);
    for _ in 0..window_tree::MAX_DEPTH {
        let is_there =
            |child: &&Node| child.visible() == Some(true) && is_solid(child) && inside(child, x, y);
        let child = tree.children(at).find(is_there);
        let Some((child, rect)) = child.and_then(|child| Some((child, child.rect()?))) else { break };
        (at, x, y) = (child.hwnd, x.saturating_sub(rect.left), y.saturating_sub(rect.top));
    }
    (Place::of(tree, at, 0), (x, y))
}
