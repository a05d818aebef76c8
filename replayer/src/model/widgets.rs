//! Recorded and live windows in the words of the trace language: what they are for their user, and what
//! identifies them across runs.

use scenario::usage::MAIN_WINDOW;
use scenario::{Description, Id, Role, Target};
use steps::Place;
use win32_vocabulary::Control;
use window_tree::{Sketch, Tree};

/// What a control is for its user.
pub(super) fn role(control: Control) -> Role {
    match control {
        Control::Button => Role::Button,
        Control::CheckBox => Role::CheckBox,
        Control::RadioButton => Role::RadioButton,
        Control::GroupBox => Role::Group,
        Control::Edit | Control::RichEdit | Control::CodeEdit | Control::HotKey | Control::IpAddress => {
            Role::Edit
        }
        Control::Label | Control::ToolTip => Role::Label,
        Control::ListBox | Control::ListView | Control::DropList => Role::List,
        Control::ComboBox | Control::ComboBoxEx => Role::Combo,
        Control::TreeView => Role::Tree,
        Control::Tab => Role::Tab,
        Control::Header => Role::Header,
        Control::ToolBar => Role::ToolBar,
        Control::StatusBar => Role::StatusBar,
        Control::TrackBar => Role::Slider,
        Control::ScrollBar => Role::ScrollBar,
        Control::UpDown => Role::Spin,
        Control::DatePicker | Control::Calendar => Role::Date,
        Control::Link => Role::Link,
        Control::Menu => Role::Menu,
        Control::Rebar
        | Control::ProgressBar
        | Control::InputMethod
        | Control::SystemPopup
        | Control::Dialog
        | Control::MdiClient
        | Control::Other => Role::Other,
    }
}

/// Whether a user could do something with such a control.
pub(super) fn is_of_use(control: Control) -> bool {
    !control.is_area()
        && !matches!(
            control,
            Control::GroupBox
                | Control::Label
                | Control::ToolTip
                | Control::StatusBar
                | Control::Menu
                | Control::DropList
                | Control::Header
        )
}

/// What identifies a window of the tree in another run.
pub(super) fn describe(tree: &Tree, place: &Place) -> Target {
    let sketch = tree.get(place.hwnd()).map(Sketch::of).unwrap_or_default();
    if place.ancestry.len() <= 1 {
        return Target::Widget(top(place, &sketch.class));
    }
    let id = match sketch.id {
        Some(window_tree::Id::Number(id)) => Some(Id::Number(id)),
        Some(window_tree::Id::Name(name)) => Some(Id::Name(name)),
        None => None,
    };
    let mut it = Description { role: Some(role(place.control)), ..Description::default() };
    match (&id, &place.label) {
        (Some(_), _) => it.id = id,
        (None, Some(label)) => {
            it.path = vec![label.clone()];
            it.nth = place.ordinal;
        }
        (None, None) => {
            it.class = Some(sketch.class).filter(|class| !class.is_empty());
            it.nth = place.ordinal;
        }
    }
    if !place.window.is_main {
        let class = tree.top_level(place.hwnd()).map(|top| Sketch::of(top).class).unwrap_or_default();
        it = it.within(top(place, &class));
    }
    Target::Widget(it)
}

/// A top-level window. The main window's title is that of a document; its class stays.
fn top(place: &Place, class: &str) -> Description {
    match place.window.has_title && !place.window.is_main {
        true => Description::named(&place.window.title),
        false => Description { class: Some(class.to_owned()), ..Description::default() },
    }
}

/// How a top-level window is called in a model.
pub(super) fn window_name(place: &Place) -> String {
    match place.window.is_main {
        true => MAIN_WINDOW.into(),
        false => place.window.title.clone(),
    }
}

/// How a control is called in a model.
pub(super) fn widget_name(place: &Place) -> String {
    let noun = place.part_of.noun();
    let name = match (&place.label, place.sketch.id) {
        (Some(label), _) => format!("{noun} “{label}”"),
        (None, Some(id)) if !place.is_only => format!("{noun} (id {id})"),
        (None, _) => noun.to_owned(),
    };
    match place.window.is_main {
        true => name,
        false => format!("{name} in “{}”", place.window.title),
    }
}
