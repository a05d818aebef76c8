//! What the things of a sentence are called: controls, windows, items, texts, dates.

use super::label::identifies;
use super::label::{one_line, shorten};
use super::place::{Place, WindowName};
use super::step::{Item, Means};
use message_log::Text;
use win32_vocabulary::Control;
use win32_vocabulary::styles::{DTS_SHORTDATECENTURYFORMAT, DTS_TIMEFORMAT, DTS_UPDOWN, ES_MULTILINE};
use window_tree::stable_class;

/// Longer texts are cut in the middle of the story; `--json` has them whole.
const MAX_TEXT: usize = 200;

/// A control by its name, or by what it is.
pub(crate) fn the(place: &Place) -> String {
    let noun = match place.control {
        Control::Edit | Control::RichEdit | Control::CodeEdit
            if place.part_of.is_edit() && place.style & ES_MULTILINE != 0 =>
        {
            "text area"
        }
        _ => place.part_of.noun(),
    };
    match (&place.label, place.control) {
        (Some(label), _) => match place.ordinal {
            Some(ordinal) => format!("“{label}” (number {ordinal} of that name)"),
            None => format!("“{label}”"),
        },
        (None, Control::Other) => area(place),
        (None, _) if place.is_only => format!("the {noun}"),
        (None, _) => match (place.id_of_whole().filter(identifies), place.ordinal) {
            (Some(id), _) => format!("the {noun} (id {id})"),
            (None, Some(ordinal)) => format!("the {noun} (number {ordinal})"),
            (None, None) => format!("the {noun}"),
        },
    }
}

/// A window or something the program draws.
pub(crate) fn area(place: &Place) -> String {
    if !place.control.is_area() {
        return the(place);
    }
    if place.ancestry.len() <= 1 {
        return window(place);
    }
    match (&place.label, place.sketch.class.as_str()) {
        (Some(label), _) => format!("“{label}”"),
        (None, "" | "#32770") => window(place),
        (None, class) => format!("the area {}", shorten(&one_line(&kept(class)))),
    }
}

/// The top-level window of a place.
pub(crate) fn window(place: &Place) -> String {
    let window = &place.window;
    match (window.title.is_empty(), window.is_dialog) {
        (true, _) if place.sketch.class.is_empty() => format!("an unknown window ({:#X})", place.sketch.hwnd),
        (true, _) => format!("the window {}", kept(&place.sketch.class)),
        (false, true) => called(window),
        (false, false) if window.has_title => format!("“{}”", shorten(&window.title)),
        (false, false) => format!("the window {}", shorten(&kept(&window.title))),
    }
}

/// A class without the long tail that WinForms gives it; what others add says more than what would be left.
fn kept(class: &str) -> String {
    if class.starts_with("WindowsForms") { stable_class(&Text::from(class)) } else { class.into() }
}

pub(crate) fn into(place: &Place) -> String {
    match place.control {
        Control::Edit
        | Control::RichEdit
        | Control::CodeEdit
        | Control::ComboBox
        | Control::ComboBoxEx
        | Control::IpAddress
        | Control::HotKey
        | Control::DatePicker => {
            format!("into {}", the(place))
        }
        Control::Other => format!("into {}", area(place)),
        _ => format!("in {}", the(place)),
    }
}

pub(crate) fn with(by: &Means) -> String {
    match by {
        Means::Mouse => String::new(),
        Means::Keys(keys) => format!(" with {keys}"),
    }
}

pub(crate) fn name(item: &Item) -> String {
    match (item.path.as_slice(), item.index, &item.index_path) {
        ([], Some(index), _) if index >= 0 => format!("item {}", index + 1),
        ([], _, Some(path)) => format!("item {path}"),
        ([], ..) => "an item".into(),
        (path, ..) => format!("“{}”", path.iter().map(|part| shorten(part)).collect::<Vec<_>>().join(" ▸ ")),
    }
}

pub(crate) fn list(items: &[Item]) -> String {
    const FEW: usize = 4;
    let names: Vec<String> = items.iter().take(FEW).map(name).collect();
    match items.len().checked_sub(FEW) {
        Some(more @ 1..) => format!("{} and {more} more", names.join(", ")),
        _ => names.join(", "),
    }
}

/// A text in quotation marks; line ends are shown as ⏎, other control characters left out.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut line: String = text
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .map(|c| if c == '\n' { '⏎' } else { c })
        .collect();
    if let Some((end, _)) = line.char_indices().nth(MAX_TEXT) {
        line.truncate(end);
        line.push('…');
    }
    format!("“{line}”")
}

/// `dialog “Add item”`, `window “Second”`.
pub(crate) fn called(window: &WindowName) -> String {
    let noun = if window.is_dialog { "dialog" } else { "window" };
    let title = shorten(&window.title);
    if window.has_title {
        format!("{noun} “{title}”")
    } else {
        format!("a {noun} without a title ({title})")
    }
}

/// `2026-11-16T09:00:00` as far as the field shows it.
pub(crate) fn date(text: &str, at: &Place) -> String {
    let is_time = at.control == Control::DatePicker && shows_time(at.style);
    match text.split_once('T') {
        Some((_, time)) if is_time => time.into(),
        Some((day, _)) => day.into(),
        None => text.into(),
    }
}

/// Whether a date picker shows the time. `DTS_UPDOWN` is one of the bits of `DTS_TIMEFORMAT`, and
/// `DTS_SHORTDATECENTURYFORMAT` contains another one.
fn shows_time(style: u32) -> bool {
    style & DTS_SHORTDATECENTURYFORMAT == DTS_TIMEFORMAT & !DTS_UPDOWN
}

#[cfg(test)]
mod tests {
    use super::shows_time;

    #[test]
    fn a_field_of_a_date_with_a_spin_shows_no_time() {
        // DTS_UPDOWN, DTS_LONGDATEFORMAT, DTS_SHORTDATECENTURYFORMAT with and without DTS_UPDOWN
        assert!([0x00, 0x01, 0x04, 0x0C, 0x0D].iter().all(|style| !shows_time(*style)));
        assert!(shows_time(0x09));
    }
}
