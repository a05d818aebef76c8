//! What a program shows at a moment: its widgets, and which of them a target means.

use crate::event::{Action, Event};
use crate::target::{Description, Id, Role, Target};

/// A widget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widget {
    /// Its number in this scene; the application knows which it is.
    pub key: u64,
    /// The number of the widget it is in.
    pub parent: Option<u64>,
    /// Its resource id, if it has one.
    pub id: Option<Id>,
    /// Its name: a caption, or the label beside it.
    pub name: String,
    /// Its class.
    pub class: String,
    /// What it is for its user.
    pub role: Role,
    /// The text it holds.
    pub text: String,
    /// Whether it and everything it is in is shown.
    pub is_displayed: bool,
    /// Whether it and everything it is in takes input.
    pub is_enabled: bool,
    /// Whether it is checked; none if it is no check box.
    pub is_checked: Option<bool>,
    /// Whether it has the focus; of windows, whether it is the active one.
    pub is_focused: bool,
}

/// All widgets, each behind the one it is in, siblings in the order of their creation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    /// The widgets.
    pub widgets: Vec<Widget>,
}

impl Widget {
    /// Whether a user could do something to it.
    pub fn is_available(&self) -> bool {
        self.is_displayed && self.is_enabled
    }

    /// Whether it is a window of its own.
    pub fn is_window(&self) -> bool {
        matches!(self.role, Role::Window | Role::Dialog)
    }

    /// Whether an action makes sense for such a widget.
    pub fn takes(&self, action: &Action) -> bool {
        use Role::*;
        match action {
            Action::Click(_) => {
                matches!(
                    self.role,
                    Button
                        | CheckBox
                        | RadioButton
                        | Link
                        | Edit
                        | List
                        | Combo
                        | Tree
                        | Tab
                        | ToolBar
                        | Slider
                        | Spin
                        | Date
                )
            }
            Action::DoubleClick(_) => matches!(self.role, Edit | List | Tree),
            Action::RightClick(_) => matches!(self.role, Edit | List | Tree | Tab | Window),
            Action::Hover => true,
            Action::Type(_) => matches!(self.role, Edit | Combo),
            Action::Select(_) => matches!(self.role, List | Combo | Tree | Tab),
            Action::Scroll(..) => matches!(self.role, Edit | List | Tree | ScrollBar),
            Action::Drag(_) => matches!(self.role, List | Tree),
            Action::Keys(_) => !matches!(self.role, Label | Group | StatusBar | Other),
            Action::Menu(_) => self.role == Window,
            Action::Close | Action::Minimise | Action::Maximise | Action::Restore | Action::Switch => {
                self.is_window()
            }
            Action::Interrupt(_) | Action::Sleep(_) | Action::Shell(_) | Action::Skip | Action::Other(_) => {
                false
            }
        }
    }
}

impl Scene {
    /// The widget with this number.
    pub fn get(&self, key: u64) -> Option<&Widget> {
        self.widgets.iter().find(|widget| widget.key == key)
    }

    /// The widgets above one, nearest first.
    pub fn above<'a>(&'a self, widget: &'a Widget) -> impl Iterator<Item = &'a Widget> {
        let mut left = self.widgets.len();
        std::iter::successors(widget.parent.and_then(|key| self.get(key)), move |above| {
            left = left.checked_sub(1)?;
            above.parent.and_then(|key| self.get(key))
        })
    }

    /// All widgets that a target means, whatever their state. Points and the focus mean at most
    /// one; `*` means all.
    pub fn find(&self, target: &Target) -> Vec<&Widget> {
        match target {
            Target::Any => self.widgets.iter().collect(),
            Target::Focus => self.focus().into_iter().collect(),
            Target::Point(..) => self.active_window().into_iter().collect(),
            Target::Widget(description) => self.described(description),
        }
    }

    fn described(&self, description: &Description) -> Vec<&Widget> {
        let fits = self.widgets.iter().filter(|widget| self.fits(widget, description));
        match description.nth {
            Some(nth) => fits.skip(nth - 1).take(1).collect(),
            None => fits.collect(),
        }
    }

    fn fits(&self, widget: &Widget, description: &Description) -> bool {
        let Description { id, path, class, role, nth: _, within } = description;
        id.as_ref().is_none_or(|id| widget.id.as_ref() == Some(id))
            && class.as_ref().is_none_or(|class| widget.class.eq_ignore_ascii_case(class))
            && role.is_none_or(|role| widget.role == role)
            && self.has_path(widget, path)
            && within.as_ref().is_none_or(|within| {
                let meant = self.described(within);
                self.above(widget).any(|above| meant.iter().any(|it| it.key == above.key))
            })
    }

    /// Whether its name is the last of a path and those above it have the others, in that order.
    fn has_path(&self, widget: &Widget, path: &[String]) -> bool {
        let Some((name, rest)) = path.split_last() else { return true };
        let mut above = self.above(widget);
        widget.name == *name && rest.iter().rev().all(|name| above.any(|widget| widget.name == *name))
    }

    /// The widget with the focus, or the active window.
    pub fn focus(&self) -> Option<&Widget> {
        let focused = || self.widgets.iter().filter(|widget| widget.is_focused);
        focused()
            .find(|widget| !widget.is_window())
            .or_else(|| focused().next())
            .or_else(|| self.active_window())
    }

    /// The window with the focus, else the youngest that takes input.
    pub fn active_window(&self) -> Option<&Widget> {
        let windows = || self.widgets.iter().filter(|widget| widget.is_window() && widget.is_available());
        windows().rfind(|window| window.is_focused).or_else(|| windows().next_back())
    }

    /// The widgets an event can be done to now, best first: those its target means, shown and enabled. For
    /// `*` those for which the action makes sense.
    pub fn candidates(&self, event: &Event) -> Vec<&Widget> {
        let needs_no_widget = matches!(event.action, Action::Sleep(_) | Action::Skip | Action::Shell(_));
        let is_window_action = matches!(
            event.action,
            Action::Close
                | Action::Minimise
                | Action::Maximise
                | Action::Restore
                | Action::Switch
                | Action::Interrupt(_)
        );
        match &event.target {
            _ if needs_no_widget => Vec::new(),
            Target::Any => self
                .widgets
                .iter()
                .filter(|widget| widget.is_available() && widget.takes(&event.action))
                .collect(),
            Target::Focus if is_window_action => self.active_window().into_iter().collect(),
            // A window that is behind another one can be brought to the front, and a disabled one
            // cannot be clicked.
            target => self.find(target).into_iter().filter(|widget| widget.is_available()).collect(),
        }
    }

    /// A target that means this widget and, in this scene, no other.
    pub fn describe(&self, key: u64) -> Option<Target> {
        let widget = self.get(key)?;
        let path = Some(&widget.name).filter(|name| !name.is_empty()).cloned().into_iter().collect();
        let class = Some(&widget.class).filter(|class| !class.is_empty()).cloned();
        let mut it =
            Description { id: widget.id.clone(), path, role: Some(widget.role), ..Description::default() };
        if it.id.is_none() && it.path.is_empty() {
            it.class = class;
        }
        if widget.role == Role::Edit && it.id.is_some() {
            it.path.clear();
        }
        if let Some(window) = self.above(widget).find(|above| above.is_window() && !above.name.is_empty()) {
            it = it.within(Description::named(&window.name));
        }
        let equal = self.described(&it);
        if equal.len() > 1 {
            it.nth = equal.iter().position(|other| other.key == key).map(|at| at + 1);
        }
        Some(Target::Widget(it))
    }
}
