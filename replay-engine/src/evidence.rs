//! Whether a step is verified: how its target was found, and what of its effects was compared.
//!
//! A target found by name, id or text is the recorded one. A target found by its position may be a neighbour,
//! and then only an effect that depends on the target shows that the step did what it did in the recording.
//! Everything here is decided from data: the step, what was chosen for it, and what was compared after it.

use crate::choice::Choice;
use crate::driver::{Act, ItemRef};
use crate::expect::is_expected;
use crate::rules;
use serde::{Deserialize, Serialize};
use steps::{Action, Button, Effect, EffectKind, Part, Place, Step};
use win32_vocabulary::Control;
use win32_vocabulary::notifications::{
    BN_KILLFOCUS, BN_SETFOCUS, CBN_KILLFOCUS, CBN_SELENDCANCEL, CBN_SETFOCUS, EN_KILLFOCUS, EN_SETFOCUS,
    LBN_KILLFOCUS, LBN_SETFOCUS, NM_CLICK, NM_KILLFOCUS, NM_RCLICK, NM_RELEASEDCAPTURE, NM_SETFOCUS,
};

/// Whether a step is known to have done what it did in the recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Verification {
    /// Its target is the recorded one, or a compared effect shows what it did.
    #[default]
    Verified,
    /// A click on the background of a standard control, after which nothing changed, then or now.
    Harmless,
    /// Its target was found by its position, and nothing that was compared depends on the target.
    Unverified {
        /// How the target was found, and what is missing.
        reason: String,
        /// What would verify the step.
        remedy: String,
    },
}

/// How a target was found, where that was by its position alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Position {
    /// A left click at a point of a window that the program draws itself.
    Point,
    /// A double click, a right click, a drag or a line there: it is about whatever the program
    /// draws at that point.
    Object,
    /// A click at a point of a standard control.
    Background,
    /// A click at a point of a control that shows items.
    AmongItems,
    /// An item without a recorded text.
    Item(String),
    /// An item whose recorded text is not there: in another language its place was used.
    TranslatedItem,
    /// A column by its number.
    Column,
    /// Keys or the wheel in a window that the program draws itself: what has the focus in there is not known.
    Drawn,
    /// A window that only its order tells from its equals.
    Window,
    /// A point in a window whose recorded size could not be restored.
    OtherSize(String),
}

/// What was compared after a step, and held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// A window came, went or changed as recorded.
    pub window: bool,
    /// A window opened as recorded, with its texts.
    pub opened: bool,
    /// The text or state that the step gives its target was read back from it.
    pub state: bool,
    /// A command came, whose number says which it is.
    pub command: bool,
    /// The control that was acted upon sent its notification.
    pub notification: bool,
    /// A script's expectation held.
    pub expectation: bool,
    /// Every property of every window was compared with a baseline.
    pub baseline: bool,
}

impl Position {
    /// Whether what was compared shows that this was the recorded target.
    fn is_shown_by(&self, compared: Compared) -> bool {
        let Compared { window, opened, state, command, notification, expectation, baseline } = compared;
        match self {
            _ if expectation => true,
            // What a button opens or commands shows which button it was. That something changed does not: a
            // status line or a title may change whatever was clicked.
            Self::Point | Self::Drawn | Self::Background => opened || command,
            // The same happens to whatever object it is about.
            Self::Object | Self::OtherSize(_) => false,
            Self::AmongItems | Self::Item(_) | Self::TranslatedItem | Self::Column => baseline,
            Self::Window => window || state || command || notification || baseline,
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Point => "it clicked at a point of a window that the program draws itself".into(),
            Self::Object => "it acted on whatever the program draws at a point".into(),
            Self::Background | Self::AmongItems => "it clicked at a point".into(),
            Self::Item(place) => format!("item {place} was found by its place: the log has no text for it"),
            Self::TranslatedItem => {
                "the item's text is not there in this language, so it was found by its place".into()
            }
            Self::Column => "the column was found by its number".into(),
            Self::Drawn => {
                "the program draws this window itself, so it is not known what in it the input reached".into()
            }
            Self::Window => "only its order tells the window from others like it".into(),
            Self::OtherSize(sizes) => {
                format!("it acted at a point, and the window has another size: {sizes}")
            }
        }
    }

    fn remedy(&self, step: usize) -> String {
        let expectation =
            format!("an [[expect_window]] with after_step = {step} for something that the step changes");
        match self {
            Self::Item(_) | Self::TranslatedItem | Self::AmongItems | Self::Column | Self::Window => {
                format!("{expectation}, or a baseline (verify = \"complete\")")
            }
            _ => expectation,
        }
    }
}

/// What is known of how a step found its target, gathered while it is replayed.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    positions: Vec<Position>,
    /// Whether nothing followed from it in the recording, and nothing need follow now.
    pub may_be_harmless: bool,
    /// What was there before a step that may be harmless.
    pub before: Option<Quiet>,
    /// Whether the size of its window was looked at.
    pub is_sized: bool,
}

/// What a click on a background must not change: the windows, and what is selected in the control.
#[derive(Debug, PartialEq)]
pub(crate) struct Quiet {
    pub windows: Vec<QuietWindow>,
    pub selection: Option<Vec<String>>,
}

/// One of those windows.
#[derive(Debug, PartialEq)]
pub(crate) struct QuietWindow {
    pub hwnd: u64,
    pub window_id: u64,
    pub visible: Option<bool>,
    pub enabled: Option<bool>,
    pub name: String,
}

impl Evidence {
    /// What the step itself says.
    pub(crate) fn of(step: &Step, choice: &Choice) -> Self {
        let positions = positions(step, choice);
        let may_be_harmless = !positions.is_empty() && may_be_harmless(step, &positions);
        Self { positions, may_be_harmless, ..Self::default() }
    }

    /// Adds a position. Whether it was not known yet.
    pub(crate) fn add(&mut self, position: Position) -> bool {
        let is_new = !self.positions.contains(&position);
        if is_new {
            self.positions.push(position);
        }
        is_new
    }

    /// The verification of a step that had its effects.
    pub(crate) fn judge(&self, step: usize, compared: Compared, is_harmless: bool) -> Verification {
        match self.positions.iter().find(|position| !position.is_shown_by(compared)) {
            None => Verification::Verified,
            Some(_) if is_harmless => Verification::Harmless,
            Some(position) => Verification::Unverified {
                reason: format!("{}, and nothing that was compared depends on it", position.reason()),
                remedy: position.remedy(step),
            },
        }
    }
}

/// Whether a step finds its target by position, and must be shown to have done what it did.
pub(crate) fn acts_by_position(step: &Step, choice: &Choice) -> bool {
    let positions = positions(step, choice);
    !positions.is_empty() && !may_be_harmless(step, &positions)
}

/// Where a step acts by position alone, as far as the step itself says. Windows found by their order are
/// added while it is replayed.
pub(crate) fn positions(step: &Step, choice: &Choice) -> Vec<Position> {
    let mut found: Vec<Position> =
        choice.acts.iter().filter_map(|targeted| position(step, choice, &targeted.act)).collect();
    found.dedup();
    found
}

fn position(step: &Step, choice: &Choice, act: &Act) -> Option<Position> {
    let at = &step.target;
    match act {
        // Their middle is a button's; no recorded point is used.
        Act::Click { .. } if [&rules::PRESS_TWICE, &rules::PRESS_OTHER].contains(&choice.rule) => None,
        Act::Click { .. } if choice.rule == &rules::MENU_ASKED => match draws_itself(at) {
            true => Some(Position::Object),
            false if at.control.has_items() => Some(Position::AmongItems),
            // The menu of a text field or of a dialog is the same wherever it is asked for.
            false => None,
        },
        Act::Click { .. } if draws_itself(at) => Some(match &step.action {
            Action::Click { button: Button::Left, double: false, triple: false, .. } => Position::Point,
            _ => Position::Object,
        }),
        Act::Click { .. } if at.control.has_items() => Some(Position::AmongItems),
        Act::Click { .. } => Some(Position::Background),
        Act::Stroke { .. } if at.control.is_edit() => Some(Position::Background),
        Act::Stroke { .. } | Act::Grab { item: None, .. } | Act::DropAt { .. } => Some(Position::Object),
        Act::Select { items, .. } | Act::Deselect { items } => items.iter().find_map(by_place),
        Act::ClickItem { item, .. }
        | Act::RightClickItem { item }
        | Act::EditLabel { item }
        | Act::Rename { item, .. }
        | Act::CheckItem { item, .. }
        | Act::Expand { item, .. }
        | Act::Activate { item }
        | Act::Grab { item: Some(item), .. } => by_place(item),
        Act::ClickColumn { .. } | Act::MoveColumn { .. } => Some(Position::Column),
        Act::Key { .. } | Act::TypeKeys { .. } | Act::Type { .. } | Act::Wheel { .. } if draws_itself(at) => {
            Some(Position::Drawn)
        }
        _ => None,
    }
}

fn by_place(item: &ItemRef) -> Option<Position> {
    item.path.is_empty().then(|| Position::Item(item.name()))
}

/// Whether the program draws the inside of a window, so that a point in there may be anything.
fn draws_itself(at: &Place) -> bool {
    // A dialog with a title bar is a window of its own, and still nothing but a background.
    at.control == Control::Other && Control::of_class(&at.sketch.class) == Control::Other
}

/// Whether a step may be a click on the background of a standard control: nothing followed from it
/// in the recording.
pub(crate) fn may_be_harmless(step: &Step, positions: &[Position]) -> bool {
    let is_plain_click = match &step.action {
        // In a text they move the caret and select words.
        Action::Click { part: Part::Client, item: None, .. } | Action::Stroke { .. }
            if step.target.control.is_edit() =>
        {
            true
        }
        Action::Click { double: false, triple: false, part: Part::Client, item: None, .. } => true,
        _ => false,
    };
    let is_nothing = |effect: &Effect| match effect.what {
        EffectKind::Command { code, .. } => is_silent(code),
        _ => !is_expected(effect),
    };
    is_plain_click
        && positions.iter().all(|it| matches!(it, Position::Background | Position::AmongItems))
        && step.effects.iter().all(is_nothing)
}

/// Whether a notification only says that the control was clicked or has the focus.
fn is_silent(code: i64) -> bool {
    const SILENT: [i32; 14] = [
        NM_CLICK,
        NM_RCLICK,
        NM_SETFOCUS,
        NM_KILLFOCUS,
        NM_RELEASEDCAPTURE,
        EN_SETFOCUS,
        EN_KILLFOCUS,
        LBN_SETFOCUS,
        LBN_KILLFOCUS,
        CBN_SETFOCUS,
        CBN_KILLFOCUS,
        CBN_SELENDCANCEL,
        BN_SETFOCUS,
        BN_KILLFOCUS,
    ];
    SILENT.iter().any(|&silent| i64::from(silent) == code)
}
