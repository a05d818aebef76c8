//! What a person calls a control: its own text, or else the label that stands before it.
//!
//! In a dialog template the label comes right before its field. Where windows are made in another order, the
//! label is the one to the left in the same row, or the nearest above.

use super::control::control_of;
use message_log::Rect;
pub use message_log::clean;
use win32_vocabulary::Control;
use window_tree::{Node, Tree};

/// Longer texts are no names.
const MAX_NAME: usize = 60;
/// Labels are not looked for among more siblings.
const MAX_SIBLINGS: usize = 500;
/// A label farther away belongs to something else.
const MAX_ABOVE: i32 = 30;
const MAX_LEFT: i32 = 250;
/// A frame around a control is no higher than that.
const MAX_FRAME: i32 = 12;

/// The name of a control; none if nothing names it.
pub(crate) fn of(tree: &Tree, node: &Node) -> Option<String> {
    let control = control_of(node);
    if control.shows_its_name() {
        return own(node);
    }
    let parent = tree.get(node.parent())?;
    // A control of the program's own may be a button.
    if control.is_area()
        && let Some(name) = own(node)
    {
        return Some(name);
    }
    if control == Control::UpDown
        && let Some(buddy) = before(tree, node).filter(|before| control_of(before).is_edit())
    {
        return of(tree, buddy);
    }
    if is_part(control_of(parent)) {
        return of(tree, parent);
    }
    // A sentence that explains the whole dialog names a field only if nothing else does.
    let label = label_before(tree, node).filter(|label| !is_sentence(label));
    let label = label.or_else(|| label_beside(tree, node)).or_else(|| label_before(tree, node));
    label.or_else(|| is_frame_of(parent, node).then(|| of(tree, parent)).flatten()).or_else(|| {
        let designed = node.control_name()?.to_string_lossy().into_owned();
        (!designed.is_empty()).then_some(designed)
    })
}

/// Whether a window is no more than the frame around a control, as of a number and its arrows made by a
/// toolkit.
fn is_frame_of(parent: &Node, node: &Node) -> bool {
    let Some((outer, inner)) = parent.rect().zip(node.rect()) else { return false };
    let height = |rect: Rect| rect.bottom.saturating_sub(rect.top);
    control_of(parent).is_area()
        && parent.parent() != 0
        && own(parent).is_none()
        && height(outer) <= height(inner).saturating_add(MAX_FRAME)
}

/// What the user knows as one control: the edit of a combo box, the fields of an address and the header of a
/// list are parts.
pub(crate) fn whole<'a>(tree: &'a Tree, node: &'a Node) -> &'a Node {
    match tree.get(node.parent()) {
        Some(parent) if is_part(control_of(parent)) => whole(tree, parent),
        _ => node,
    }
}

/// Whether what is below such a control is a part of it.
fn is_part(parent: Control) -> bool {
    use Control::{ComboBox, ComboBoxEx, DatePicker, Header, IpAddress, ListView, TreeView, UpDown};
    matches!(parent, ComboBox | ComboBoxEx | ListView | TreeView | Header | IpAddress | DatePicker | UpDown)
}

fn own(node: &Node) -> Option<String> {
    let name = [node.name(), node.own_text()].into_iter().flatten().find(|name| !name.is_empty())?;
    let name = clean(&without_tags(&name.to_string_lossy()));
    (!name.is_empty()).then(|| shorten(&name))
}

/// A link's text has its addresses in tags.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    // Not a tag after all.
    if inside { text.into() } else { plain }
}

/// The label made right before the control.
fn label_before(tree: &Tree, node: &Node) -> Option<String> {
    let label = before(tree, node).filter(|label| is_label(label) && label.visible() != Some(false))?;
    own(label).filter(|_| is_in_front(label, node))
}

/// The sibling made right before a window.
fn before<'a>(tree: &'a Tree, node: &Node) -> Option<&'a Node> {
    let siblings = tree.children(node.parent()).take(MAX_SIBLINGS);
    siblings.take_while(|sibling| sibling.hwnd != node.hwnd).last()
}

/// Left of it or above, as far as that is known.
fn is_in_front(label: &Node, node: &Node) -> bool {
    match (label.rect(), node.rect()) {
        (Some(l), Some(n)) => l.left < n.right && l.top < n.bottom && gap(l, n) <= MAX_LEFT,
        _ => true,
    }
}

/// Whether an id identifies a control. Toolkits count ids down from zero, or use addresses.
pub(crate) fn identifies(id: &i64) -> bool {
    (1..0xFFFF).contains(id)
}

/// The place of a control among siblings that show the same name, from 1; of one without a telling id, among
/// those that are called by the same word. None if there are no others.
pub(crate) fn ordinal(tree: &Tree, node: &Node) -> Option<usize> {
    let node = whole(tree, node);
    let kind = control_of(node);
    let shows = kind.shows_its_name();
    let is_told =
        |node: &Node| node.resource_id().is_some_and(|id| identifies(&id)) || of(tree, node).is_some();
    if kind.is_area() || !shows && is_told(node) {
        return None;
    }
    let name = node.name().filter(|_| shows);
    let is_same = |other: &&Node| match shows {
        true => other.name() == name && control_of(other) == kind && other.visible() != Some(false),
        false => control_of(other).noun() == kind.noun() && other.visible() != Some(false),
    };
    let same: Vec<u64> =
        tree.children(node.parent()).take(MAX_SIBLINGS).filter(is_same).map(|other| other.hwnd).collect();
    let place = same.iter().position(|&hwnd| hwnd == node.hwnd)?;
    (same.len() > 1).then_some(place + 1)
}

/// Whether no sibling is called by the same word.
pub(crate) fn is_only(tree: &Tree, node: &Node) -> bool {
    let node = whole(tree, node);
    let noun = control_of(node).noun();
    let is_other = |other: &Node| {
        other.hwnd != node.hwnd && control_of(other).noun() == noun && other.visible() != Some(false)
    };
    !tree.children(node.parent()).take(MAX_SIBLINGS).any(is_other)
}

fn gap(a: Rect, b: Rect) -> i32 {
    let across = (b.left.saturating_sub(a.right)).max(a.left.saturating_sub(b.right)).max(0);
    let down = (b.top.saturating_sub(a.bottom)).max(a.top.saturating_sub(b.bottom)).max(0);
    across.max(down)
}

/// The nearest label to the left in the same row, or above.
fn label_beside(tree: &Tree, node: &Node) -> Option<String> {
    let field = node.rect()?;
    let distance = |label: Rect| -> Option<i32> {
        let middle = label.top.saturating_add(label.bottom) / 2;
        let left = field.left.saturating_sub(label.right);
        let above = field.top.saturating_sub(label.bottom);
        if (field.top..field.bottom).contains(&middle) && (-4..=MAX_LEFT).contains(&left) {
            Some(left)
        } else if (-4..=MAX_ABOVE).contains(&above) && label.left < field.right && label.right > field.left {
            // A label in the row is nearer than one above.
            Some(MAX_LEFT.saturating_add(above))
        } else {
            None
        }
    };
    let siblings: Vec<&Node> = tree.children(node.parent()).take(MAX_SIBLINGS).collect();
    let is_other_field =
        |other: &Node| other.hwnd != node.hwnd && !is_label(other) && !control_of(other).shows_its_name();
    let mut nearest: Option<(i32, &Node)> = None;
    for (place, label) in siblings.iter().enumerate() {
        if !is_label(label) || label.visible() == Some(false) || own(label).is_some_and(|it| is_sentence(&it))
        {
            continue;
        }
        let Some((rect, away)) = label.rect().and_then(|rect| Some((rect, distance(rect)?))) else {
            continue;
        };
        // A label right before another field is that field's, and so is one that stands nearer to another
        // field in its row.
        let is_before = siblings.get(place + 1).is_some_and(|next| {
            is_other_field(next)
                && is_in_front(label, next)
                && next.rect().is_some_and(|next| gap(rect, next) <= MAX_ABOVE)
        });
        let is_nearer = |other: &&Node| {
            let is_between = |other: Rect| {
                let is_in_row = other.top < rect.bottom && rect.top < other.bottom;
                is_in_row && other.left >= rect.right.saturating_sub(4) && gap(rect, other) < gap(rect, field)
            };
            is_other_field(other) && other.visible() != Some(false) && other.rect().is_some_and(is_between)
        };
        let is_taken = is_before || siblings.iter().any(is_nearer);
        if !is_taken && nearest.is_none_or(|(best, _)| away < best) {
            nearest = Some((away, label));
        }
    }
    nearest.and_then(|(_, label)| own(label))
}

/// Whether a text was too long for a name.
fn is_sentence(name: &str) -> bool {
    name.ends_with('…')
}

fn is_label(node: &Node) -> bool {
    control_of(node) == Control::Label && own(node).is_some()
}

/// A text without line ends and other control characters.
pub fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text fit for a line.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Event, Key, Kind, Message, Stamp, Value};

    struct Form(Tree, u64);

    impl Form {
        fn add(&mut self, class: &str, name: &str, rect: (i32, i32, i32, i32)) -> u64 {
            self.1 += 1;
            let hwnd = self.1;
            let message = Message { number: 1, hwnd, window_id: hwnd, ..Message::default() };
            let (left, top, width, height) = rect;
            let rect = Rect { left, top, right: left + width, bottom: top + height };
            let event = Event::new(Stamp { sequence: hwnd, time: 0, thread: 1 }, Kind::Message(message))
                .with_text(Key::WindowClass, class)
                .with_text(Key::WindowName, name)
                .with(Key::WindowParent, Value::Unsigned(u64::from(hwnd > 1)))
                .with(Key::WindowStyle, Value::Unsigned(if hwnd > 1 { 0x4000_0000 } else { 0 }))
                .with(Key::WindowRect, Value::Rect(rect));
            self.0.apply(&event);
            let shown = Message { number: 0x18, wparam: 1, ..message };
            let stamp = Stamp { sequence: hwnd, time: 0, thread: 1 };
            self.0.apply(&Event::new(stamp, Kind::Message(shown)));
            hwnd
        }

        fn label(&self, hwnd: u64) -> Option<String> {
            of(&self.0, self.0.get(hwnd).unwrap())
        }
    }

    fn form() -> Form {
        let mut form = Form(Tree::new(), 0);
        form.add("#32770", "Add item", (0, 0, 400, 300));
        form
    }

    #[test]
    fn a_field_is_called_by_the_label_made_before_it() {
        let mut form = form();
        form.add("Static", "&Description:", (10, 10, 60, 12));
        let edit = form.add("Edit", "", (80, 8, 100, 16));
        let second = form.add("Edit", "", (300, 200, 100, 16));
        assert_eq!(form.label(edit).as_deref(), Some("Description"));
        assert_eq!(form.label(second), None, "no label is near");
    }

    #[test]
    fn a_label_that_nobody_sees_names_nothing() {
        let mut form = form();
        form.add("Static", "Drives", (10, 10, 60, 12));
        let trouble = form.add("Static", "The drives cannot be read", (10, 30, 100, 12));
        let list = form.add("SysListView32", "", (10, 26, 100, 80));
        let stamp = Stamp { sequence: 9, time: 0, thread: 1 };
        let hidden = Message { number: 0x18, hwnd: trouble, window_id: trouble, ..Message::default() };
        form.0.apply(&Event::new(stamp, Kind::Message(hidden)));
        assert_eq!(form.label(list).as_deref(), Some("Drives"));
    }

    #[test]
    fn a_long_sentence_names_a_field_only_if_nothing_else_does() {
        const SENTENCE: &str =
            "Type the name of a program, folder, document or Internet resource, and it is opened.";
        let mut form = form();
        form.add("Static", "&Open:", (10, 60, 40, 12));
        form.add("Static", SENTENCE, (10, 10, 300, 30));
        let edit = form.add("Edit", "", (60, 58, 200, 16));
        assert_eq!(form.label(edit).as_deref(), Some("Open"));
        form.add("Static", SENTENCE, (10, 110, 300, 30));
        let other = form.add("Edit", "", (60, 158, 200, 16));
        assert_eq!(
            form.label(other).as_deref(),
            Some("Type the name of a program, folder, document or Internet res…")
        );
    }

    #[test]
    fn made_in_another_order_the_label_is_the_one_beside_or_above() {
        let mut form = form();
        let amount = form.add("TEdit", "", (80, 8, 100, 16));
        let notes = form.add("TMemo", "", (10, 60, 170, 100));
        form.add("TStaticText", "Notes", (10, 44, 60, 12));
        form.add("TStaticText", "Amount:", (10, 10, 60, 12));
        assert_eq!(form.label(amount).as_deref(), Some("Amount"));
        assert_eq!(form.label(notes).as_deref(), Some("Notes"));
    }

    #[test]
    fn a_label_of_a_nearer_field_is_not_taken() {
        let mut form = form();
        form.add("Static", "Kind", (10, 40, 50, 20));
        form.add("Button", "Gift", (10, 70, 50, 20));
        let list = form.add("ListBox", "", (200, 10, 150, 100));
        // Made anew later on, as WinForms does.
        let combo = form.add("ComboBox", "", (70, 38, 100, 20));
        assert_eq!(form.label(combo).as_deref(), Some("Kind"));
        assert_eq!(form.label(list), None);
    }

    #[test]
    fn a_button_is_called_by_its_text() {
        let mut form = form();
        form.add("Static", "Price", (10, 10, 60, 12));
        let button = form.add("Button", "&OK", (80, 8, 100, 16));
        let bare = form.add("Button", "", (80, 40, 100, 16));
        assert_eq!(form.label(button).as_deref(), Some("OK"));
        assert_eq!(form.label(bare), None);
    }

    #[test]
    fn links_are_read_without_their_tags() {
        assert_eq!(without_tags("Go <a id=\"x\">there</a>."), "Go there.");
        assert_eq!(without_tags("a < b"), "a < b");
    }
}
