//! How an act is brought about: by a command, a message to the control itself, from inside the application,
//! or at a point. The table of `docs/coverage.md` says it for each interaction.

use crate::driver::{Act, PointerButton};
use serde::Serialize;

/// How an act is brought about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// A message that anybody could post: a character, a key, BM_CLICK.
    Direct,
    /// WM_COMMAND or WM_SYSCOMMAND.
    Command,
    /// The state is set and the parent told, by the agent on the control's thread.
    Agent,
    /// The pointer's messages at points relative to the window.
    #[serde(rename = "relative point")]
    Point,
    /// The machine's own pointer.
    #[serde(rename = "real pointer")]
    Pointer,
}

/// How this act is brought about.
pub(crate) fn way(act: &Act) -> Way {
    match act {
        Act::Command { .. } | Act::SysCommand { .. } | Act::Close => Way::Command,
        Act::Click { .. } | Act::ClickItem { .. } | Act::RightClickItem { .. } | Act::Stroke { .. } => {
            Way::Point
        }
        Act::Hover { .. } | Act::Grab { .. } | Act::DropAt { .. } => Way::Pointer,
        act if needs_agent(act).is_none() => Way::Direct,
        _ => Way::Agent,
    }
}

/// What it is called where posting alone cannot do it; nothing where it can.
pub fn needs_agent(act: &Act) -> Option<&'static str> {
    Some(match act {
        Act::Command { .. } | Act::SysCommand { .. } | Act::Close | Act::Press => return None,
        Act::Type { .. } | Act::TypeKeys { .. } | Act::HotKey { .. } | Act::AppCommand { .. } => return None,
        Act::Edit { .. } | Act::Stroke { .. } | Act::Key { modifiers: 0, .. } => return None,
        Act::Scroll { position: None, .. } => return None,
        Act::Click { button, times: 1, modifiers: 0, .. } => match button {
            PointerButton::X1 | PointerButton::X2 => "a click with a further button",
            _ => return None,
        },
        Act::Key { .. } => "a key with others held",
        Act::Click { .. } => "a double click or a click with keys held",
        Act::SetCheck { .. } => "a check box set to a given state",
        Act::SetText { .. } => "the whole text of a field",
        Act::Select { .. } => "the selection of an item",
        Act::CheckItem { .. } => "the check box of an item",
        Act::Expand { .. } => "opening and closing a branch",
        Act::Activate { .. } => "the activation of an item",
        Act::ClickColumn { .. } => "a click on a column",
        Act::Tool { .. } => "a click on a tool",
        Act::SetValue { .. } => "the value of a slider or spin",
        Act::Scroll { .. } => "scrolling to a given place",
        Act::SetDate { .. } => "a date",
        Act::ClickItem { .. } | Act::RightClickItem { .. } => "a click on an item",
        Act::Deselect { .. } => "taking an item out of a selection",
        Act::EditLabel { .. } | Act::Rename { .. } => "another name for an item",
        Act::SizeColumn { .. } | Act::MoveColumn { .. } => "the width or place of a column",
        Act::Link { .. } => "a click on a link",
        Act::DropDown { .. } => "the arrow of a button",
        Act::Wheel { .. } => "the wheel",
        Act::DropFiles { .. } => "dropping files",
        Act::EnterMenu | Act::ChooseInMenu { .. } => "a choice from an open menu",
        Act::Hover { .. } => "resting on something with the real pointer",
        Act::Grab { .. } | Act::DropAt { .. } => "dragging with the real pointer",
        Act::Place { .. } => "moving and sizing a window",
        Act::Focus | Act::Blur => "giving a control the focus",
        Act::Leave { .. } | Act::SetDpi { .. } => "an interrupt",
    })
}
