//! What a control told its parent because of the user's input: the most telling of its notifications is what
//! he did.

use super::gesture::{Gesture, SLOPPY, distance, is_on_sign};
use super::input::{Act, Button, Input};
use super::keys;
use super::label;
use super::message::ObservedMessage;
use super::place::Place;
use super::step::{Action, Item, Means, Part, Selection};
use message_log::Key;
use win32_vocabulary::Control;
use win32_vocabulary::items::{
    LVIS_SELECTED, LVIS_STATEIMAGEMASK, STATE_IMAGE_SHIFT, TVC_UNKNOWN, TVE_COLLAPSE, TVE_TOGGLE,
    TVHT_ONITEMSTATEICON,
};
use win32_vocabulary::messages::{BM_SETCHECK, WM_COMMAND, WM_HSCROLL, WM_NOTIFY, WM_VSCROLL};
use win32_vocabulary::notifications::*;
use win32_vocabulary::scroll::{SB_ENDSCROLL, SB_PAGEDOWN};
use win32_vocabulary::styles::{
    BS_3STATE, BS_CHECKBOX, BS_TYPEMASK, LBS_EXTENDEDSEL, LBS_MULTIPLESEL, LBS_OWNERDRAWFIXED,
    LBS_OWNERDRAWVARIABLE,
};

const SHIFT_OR_CTRL: u64 = 3;
/// The state image of a checked item: the second one.
const CHECKED_IMAGE: u32 = 2 << STATE_IMAGE_SHIFT;

/// What the controls told, as an action; none if they told nothing that the user can have meant.
pub(crate) fn decide(gesture: &Gesture) -> Option<(Action, Place)> {
    buttons(gesture)
        .or_else(|| combos(gesture))
        .or_else(|| items(gesture))
        .or_else(|| values(gesture))
        .or_else(|| scrolls(gesture))
}

/// How it was brought about.
pub(crate) fn means(gesture: &Gesture) -> Means {
    match (gesture.first(), gesture.keys().next_back()) {
        (Input::Key { .. }, Some(code)) => Means::Keys(keys::combination(gesture.opener().modifiers, code)),
        _ => Means::Mouse,
    }
}

/// Whether a control can have spoken because of this input: it is where the input went, holds it or is part
/// of it; a key may also mean another control of the same dialog.
fn is_related(gesture: &Gesture, source: &Place) -> bool {
    let target = &gesture.target;
    let is_near = target.is_within(source.hwnd()) || source.is_within(target.hwnd());
    let is_of_list = target.control == Control::DropList && source.control.is_combo_box();
    let is_key = matches!(gesture.first(), Input::Key { .. } | Input::Character { .. });
    let answers_keys = source.control.is_button() || matches!(source.control, Control::Tab | Control::UpDown);
    is_near || is_of_list || is_key && answers_keys && source.top() == target.top()
}

fn related(gesture: &Gesture, number: u32) -> impl DoubleEndedIterator<Item = (&ObservedMessage, &Place)> {
    gesture
        .notices()
        .filter(move |(observed, source)| observed.number == number && is_related(gesture, source))
}

/// Push buttons, check boxes, radio buttons, tool bars.
fn buttons(gesture: &Gesture) -> Option<(Action, Place)> {
    let mut commands = related(gesture, WM_COMMAND).filter(|(observed, source)| {
        source.control.is_button() && matches!(observed.code(), BN_CLICKED | BN_DOUBLECLICKED)
            || source.control == Control::ToolBar && observed.code() == BN_CLICKED
            // A control we do not know that says it was clicked is a button to its user.
            || source.control.is_area() && observed.code() == BN_CLICKED && source.is(&gesture.target)
    });
    if let Some((observed, source)) = commands.next() {
        let by = means(gesture);
        let double =
            commands.any(|(next, _)| next.code() == BN_DOUBLECLICKED) || observed.code() == BN_DOUBLECLICKED;
        let state = observed.params.unsigned(Key::ItemState);
        let action = match source.control {
            Control::ToolBar => Action::Tool { item: item(observed), path: None },
            // The program sets these itself, after it was told.
            Control::CheckBox if matches!(source.style & BS_TYPEMASK, BS_CHECKBOX | BS_3STATE) => {
                match set_to(gesture, source) {
                    Some(state) => Action::SetCheck { state, by },
                    None => Action::Press { by, double },
                }
            }
            Control::CheckBox => match state {
                Some(state) => Action::SetCheck { state, by },
                None => Action::Press { by, double },
            },
            Control::RadioButton => Action::Choose { by },
            _ => Action::Press { by, double },
        };
        return Some((action, source.clone()));
    }
    let is_arrow = |code| matches!(code, BCN_DROPDOWN | TBN_DROPDOWN | RBN_CHEVRONPUSHED);
    let (observed, source) = related(gesture, WM_NOTIFY).find(|(h, _)| is_arrow(h.code()))?;
    let item = Some(item(observed)).filter(|item| item.command.is_some() || item.index.is_some());
    Some((Action::OpenMenuOf { item }, source.clone()))
}

/// The state that the program gave to a check box.
fn set_to(gesture: &Gesture, check_box: &Place) -> Option<u64> {
    let is_set =
        |observed: &&ObservedMessage| observed.number == BM_SETCHECK && observed.hwnd == check_box.hwnd();
    gesture.observed.iter().rfind(is_set)?.params.unsigned(Key::ItemState)
}

/// Combo boxes: what is chosen when the list closes is chosen.
fn combos(gesture: &Gesture) -> Option<(Action, Place)> {
    let commands: Vec<_> =
        related(gesture, WM_COMMAND).filter(|(_, source)| source.control.is_combo_box()).collect();
    let opened = commands.iter().position(|(observed, _)| observed.code() == CBN_DROPDOWN);
    let since = &commands[opened.unwrap_or(0)..];
    let (_, combo) = since.first()?;
    let by = means(gesture);
    let ended = since.iter().find(|(h, _)| matches!(h.code(), CBN_SELENDOK | CBN_SELENDCANCEL));
    // What was told stays told, however the list closes: LCL closes it before Enter arrives.
    let is_told = since.iter().any(|(observed, _)| observed.code() == CBN_SELCHANGE);
    if opened.is_some() && !is_told && ended.is_some_and(|(observed, _)| observed.code() == CBN_SELENDCANCEL)
    {
        return Some((Action::OpenList { by }, (*combo).clone()));
    }
    let chosen = since.iter().rfind(|(observed, _)| observed.code() == CBN_SELCHANGE).or_else(|| {
        // The same item once more.
        since.iter().rfind(|(observed, _)| opened.is_some() && observed.code() == CBN_SELENDOK)
    });
    match chosen {
        Some((observed, source)) => {
            let action =
                Action::Select { items: vec![item(observed)], selection: Selection::Replace, by, now: None };
            Some((action, (*source).clone()))
        }
        None => opened.map(|_| (Action::OpenList { by }, (*combo).clone())),
    }
}

/// Lists, trees, tabs, headers, links.
fn items(gesture: &Gesture) -> Option<(Action, Place)> {
    let by = means(gesture);
    let is_moved =
        distance(gesture) > SLOPPY || gesture.released_on.as_ref().is_some_and(|on| !on.is(&gesture.target));
    let mut best: Option<(u32, Action, &Place)> = None;
    let notices = related(gesture, WM_NOTIFY).chain(related(gesture, WM_COMMAND));
    for (observed, source) in notices {
        let found = match source.control {
            Control::ListView => of_list_view(observed, &by),
            Control::TreeView => of_tree(observed, gesture, &by),
            Control::ListBox => of_list(observed, source, gesture, &by),
            Control::Tab if observed.code() == TCN_SELCHANGE => {
                Some((50, select(observed, Selection::Replace, &by)))
            }
            Control::Header => of_header(observed),
            Control::Link if matches!(observed.code(), NM_CLICK | NM_RETURN) => {
                let name = observed.text(Key::ItemText).filter(|name| !name.is_empty());
                Some((50, Action::Link { index: observed.params.signed(Key::ItemIndex), name }))
            }
            _ => None,
        };
        // Some lists tell of a drag at every click.
        let found = found.filter(|(_, action)| !matches!(action, Action::Drag { .. }) || is_moved);
        // Of equals the last: it says how things are now.
        if let Some((rank, action)) = found
            && best.as_ref().is_none_or(|(best, ..)| *best <= rank)
        {
            best = Some((rank, action, source));
        }
    }
    let (rank, action, source) = best?;
    if rank == SELECTED && source.control == Control::ListView {
        return Some((list_view_selection(gesture, source, by), source.clone()));
    }
    Some((action, source.clone()))
}

const SELECTED: u32 = 50;
/// A right click selects too.
const RIGHT_CLICKED: u32 = 55;
const CHECKED: u32 = 60;

fn select(observed: &ObservedMessage, selection: Selection, by: &Means) -> Action {
    Action::Select { items: vec![item(observed)], selection, by: by.clone(), now: selected(observed) }
}

fn click(observed: &ObservedMessage, button: Button, double: bool) -> Option<Action> {
    let item = item(observed);
    let is_item =
        item.index.is_some_and(|index| index >= 0) || !item.path.is_empty() || item.index_path.is_some();
    let modifiers = String::new();
    is_item.then_some(Action::Click {
        button,
        double,
        part: Part::Client,
        point: None,
        modifiers,
        item: Some(item),
        triple: false,
    })
}

fn of_list_view(observed: &ObservedMessage, by: &Means) -> Option<(u32, Action)> {
    if observed.number != WM_NOTIFY {
        return None;
    }
    let state = |key| observed.params.unsigned(key).unwrap_or(0) as u32;
    Some(match observed.code() {
        LVN_BEGINLABELEDITA | LVN_BEGINLABELEDITW => (85, Action::EditLabel { item: item(observed) }),
        LVN_ENDLABELEDITA | LVN_ENDLABELEDITW => {
            (90, Action::Rename { item: item(observed), text: observed.text(Key::Text) })
        }
        LVN_ITEMACTIVATE => (80, Action::Activate { item: Some(item(observed)), by: by.clone() }),
        NM_DBLCLK => (75, click(observed, Button::Left, true)?),
        LVN_COLUMNCLICK => (70, Action::ClickColumn { item: column(observed), double: false }),
        LVN_BEGINDRAG | LVN_BEGINRDRAG => {
            (65, Action::Drag { item: Some(item(observed)), to: None, from: None, point: None })
        }
        LVN_ITEMCHANGED => {
            let (new, old) = (state(Key::ItemState), state(Key::ItemOldState));
            if (new ^ old) & LVIS_STATEIMAGEMASK != 0 && old & LVIS_STATEIMAGEMASK != 0 {
                let checked = Some(new & LVIS_STATEIMAGEMASK == CHECKED_IMAGE);
                (CHECKED, Action::CheckItem { item: item(observed), checked })
            } else if (new ^ old) & LVIS_SELECTED != 0 {
                (SELECTED, select(observed, Selection::Replace, by))
            } else {
                return None;
            }
        }
        LVN_ODSTATECHANGED => (SELECTED, select(observed, Selection::Replace, by)),
        NM_RCLICK => (RIGHT_CLICKED, click(observed, Button::Right, false)?),
        NM_CLICK => (30, click(observed, Button::Left, false)?),
        _ => return None,
    })
}

/// All items whose selection a gesture changed.
fn list_view_selection(gesture: &Gesture, view: &Place, by: Means) -> Action {
    let (mut on, mut off): (Vec<Item>, Vec<Item>) = (Vec::new(), Vec::new());
    for (observed, _) in related(gesture, WM_NOTIFY).filter(|(_, source)| source.is(view)) {
        let state = |key| observed.params.unsigned(key).unwrap_or(0) as u32 & LVIS_SELECTED;
        let (new, old) = (state(Key::ItemState), state(Key::ItemOldState));
        if !matches!(observed.code(), LVN_ITEMCHANGED | LVN_ODSTATECHANGED) || new == old {
            continue;
        }
        let item = item(observed);
        on.retain(|other| *other != item);
        off.retain(|other| *other != item);
        if new != 0 { on.push(item) } else { off.push(item) }
    }
    let (items, selection) = match (on.is_empty(), off.is_empty()) {
        (true, _) => (off, Selection::Remove),
        (false, true) if is_extended(gesture) => (on, Selection::Add),
        (false, _) => (on, Selection::Replace),
    };
    Action::Select { items, selection, by, now: None }
}

/// Whether it adds to a selection.
fn is_extended(gesture: &Gesture) -> bool {
    gesture.opener().modifiers & SHIFT_OR_CTRL != 0 || gesture.first() == Input::Act(Act::Add)
}

/// Whether a control reports with this code that the user begins to drag an item.
pub fn begins_drag(code: i32) -> bool {
    matches!(code, LVN_BEGINDRAG | LVN_BEGINRDRAG | TVN_BEGINDRAGA | TVN_BEGINDRAGW)
}

fn of_tree(observed: &ObservedMessage, gesture: &Gesture, by: &Means) -> Option<(u32, Action)> {
    let value = observed.params.signed(Key::ItemValue).unwrap_or(0) as u32;
    Some(match observed.code() {
        TVN_BEGINLABELEDITA | TVN_BEGINLABELEDITW => (85, Action::EditLabel { item: item(observed) }),
        TVN_ENDLABELEDITA | TVN_ENDLABELEDITW => {
            (90, Action::Rename { item: item(observed), text: observed.text(Key::Text) })
        }
        NM_DBLCLK if gesture.is_double() && !is_on_sign(observed) => {
            (80, click(observed, Button::Left, true)?)
        }
        TVN_BEGINDRAGA | TVN_BEGINDRAGW => {
            (65, Action::Drag { item: Some(item(observed)), to: None, from: None, point: None })
        }
        NM_CLICK if value & TVHT_ONITEMSTATEICON != 0 => {
            (CHECKED, Action::CheckItem { item: item(observed), checked: None })
        }
        TVN_ITEMEXPANDEDA | TVN_ITEMEXPANDEDW => {
            (58, Action::Expand { item: item(observed), open: value & TVE_TOGGLE != TVE_COLLAPSE })
        }
        // What the tree or the program selects by itself is not the user's choice.
        TVN_SELCHANGEDA | TVN_SELCHANGEDW
            if value != TVC_UNKNOWN || matches!(gesture.first(), Input::Act(_)) =>
        {
            (SELECTED, select(observed, Selection::Replace, by))
        }
        NM_RETURN => (45, Action::Activate { item: Some(item(observed)), by: by.clone() }),
        NM_RCLICK => (RIGHT_CLICKED, click(observed, Button::Right, false)?),
        NM_CLICK => (30, click(observed, Button::Left, false)?),
        _ => return None,
    })
}

fn of_list(observed: &ObservedMessage, list: &Place, gesture: &Gesture, by: &Means) -> Option<(u32, Action)> {
    if observed.number != WM_COMMAND {
        return None;
    }
    let is_on = observed.params.unsigned(Key::ItemState) != Some(0);
    let one = if is_on { Selection::Add } else { Selection::Remove };
    let selection = match list.style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL) {
        0 => Selection::Replace,
        LBS_EXTENDEDSEL if !is_extended(gesture) => Selection::Replace,
        _ => one,
    };
    match observed.code() {
        LBN_DBLCLK => Some((80, Action::Activate { item: Some(item(observed)), by: by.clone() })),
        // The click may have been on the check box, which the program draws and minds itself: it tells no
        // more than the selection.
        LBN_SELCHANGE if has_checks(list) && gesture.first() == PLAIN_CLICK => {
            let mut clicked = click(observed, Button::Left, false)?;
            if let Action::Click { point, .. } = &mut clicked {
                *point = gesture.opener().point.map(|point| (point.x, point.y));
            }
            Some((SELECTED, clicked))
        }
        LBN_SELCHANGE => Some((SELECTED, select(observed, selection, by))),
        _ => None,
    }
}

const PLAIN_CLICK: Input = Input::Down { button: Button::Left, double: false, outside: false };

/// Whether it is a list with check boxes, as Delphi and Lazarus make them: drawn by the program.
fn has_checks(list: &Place) -> bool {
    list.style & (LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE) != 0
        && list.sketch.class.to_lowercase().ends_with("checklistbox")
}

fn of_header(observed: &ObservedMessage) -> Option<(u32, Action)> {
    Some(match observed.code() {
        HDN_ITEMDBLCLICKA | HDN_ITEMDBLCLICKW | HDN_DIVIDERDBLCLICKA | HDN_DIVIDERDBLCLICKW => {
            (66, Action::ClickColumn { item: item(observed), double: true })
        }
        HDN_ITEMCLICKA | HDN_ITEMCLICKW => (64, Action::ClickColumn { item: item(observed), double: false }),
        HDN_ENDTRACKA | HDN_ENDTRACKW => {
            let width = observed.params.signed(Key::ItemValue);
            (68, Action::SizeColumn { item: item(observed), width })
        }
        HDN_ENDDRAG => {
            (68, Action::MoveColumn { item: item(observed), order: observed.params.signed(Key::ItemValue) })
        }
        _ => return None,
    })
}

/// Dates, calendars and spins.
fn values(gesture: &Gesture) -> Option<(Action, Place)> {
    related(gesture, WM_NOTIFY).rev().find_map(|(observed, source)| {
        let text = observed.text(Key::Text);
        let action = match observed.code() {
            UDN_DELTAPOS => Action::SetValue { value: observed.params.signed(Key::ItemValue)? },
            DTN_DATETIMECHANGE => Action::SetDate { from: text, to: None },
            MCN_SELECT => {
                let text = text?;
                let (from, to) = text.split_once('/').unwrap_or((&text, ""));
                // A calendar of one day tells no second one.
                let to =
                    Some(to.to_owned()).filter(|to| !to.is_empty() && !to.starts_with("0000") && to != from);
                Action::SetDate { from: Some(from.to_owned()), to }
            }
            _ => return None,
        };
        Some((action, source.clone()))
    })
}

fn request(observed: &ObservedMessage) -> u32 {
    observed.params.unsigned(Key::ScrollRequest).map_or(SB_ENDSCROLL, |request| request as u32)
}

/// Track bars and scroll bars: where they ended.
fn scrolls(gesture: &Gesture) -> Option<(Action, Place)> {
    let is_scroll = |(observed, source): &(&ObservedMessage, &Place)| {
        matches!(observed.number, WM_HSCROLL | WM_VSCROLL) && is_related(gesture, source)
    };
    let (first, source) =
        gesture.notices().filter(is_scroll).find(|(observed, _)| request(observed) != SB_ENDSCROLL)?;
    let same: Vec<_> = gesture.notices().filter(is_scroll).filter(|(_, other)| other.is(source)).collect();
    let position = same.iter().rev().find_map(|(observed, _)| observed.params.signed(Key::ScrollPosition));
    let action = match (source.control, position) {
        (Control::TrackBar | Control::UpDown, Some(value)) => Action::SetValue { value },
        // It does not tell where it is: the key or the point is all there is.
        (Control::TrackBar, None) => return None,
        _ => {
            let last = same
                .iter()
                .rfind(|(observed, _)| request(observed) != SB_ENDSCROLL)
                .map_or(first, |(h, _)| h);
            let request = request(last);
            // A line or page each; a thumb goes to one place, wherever it came along.
            let is_step =
                |observed: &ObservedMessage| request <= SB_PAGEDOWN && self::request(observed) == request;
            let times = same.iter().filter(|(observed, _)| is_step(observed)).count().max(1);
            Action::Scroll { vertical: first.number == WM_VSCROLL, request: request.into(), position, times }
        }
    };
    Some((action, source.clone()))
}

/// All selected items of a list box with multiple selection; each by its text where the log tells it.
fn selected(observed: &ObservedMessage) -> Option<Vec<Item>> {
    let all = observed.text(Key::ItemSelection).filter(|_| observed.number == WM_COMMAND)?;
    let texts = observed.text(Key::ItemPath).unwrap_or_default();
    let texts: Vec<String> = texts.split('\u{1F}').map(label::one_line).collect();
    let indices: Vec<i64> = all.split(',').filter_map(|index| index.parse().ok()).collect();
    let is_told = texts.len() == indices.len();
    let item = |(place, index): (usize, i64)| Item {
        path: if is_told && !texts[place].is_empty() { vec![texts[place].clone()] } else { Vec::new() },
        index: Some(index),
        ..Item::default()
    };
    Some(indices.into_iter().enumerate().map(item).collect())
}

/// The item a notification is about.
fn item(observed: &ObservedMessage) -> Item {
    // Of a list with several selected items the path has the texts of all.
    let path = observed.text(Key::ItemPath).filter(|_| observed.params.get(Key::ItemSelection).is_none());
    let path = path.or_else(|| observed.text(Key::ItemText)).unwrap_or_default();
    let path = if path.is_empty() { Vec::new() } else { path.split('\u{1F}').map(label::one_line).collect() };
    Item {
        path,
        index: observed.params.signed(Key::ItemIndex),
        index_path: observed.text(Key::ItemIndexPath),
        command: observed.params.unsigned(Key::ItemCommand),
    }
}

fn column(observed: &ObservedMessage) -> Item {
    Item { index: observed.params.signed(Key::ItemColumn), ..item(observed) }
}
