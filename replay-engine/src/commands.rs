//! The commands and notifications that a step is expected to bring: what the recording shows of them, held
//! against what the windows were told.
//!
//! Expected is what the act of the step makes by nature: commands of menus, accelerators, dialog keys,
//! buttons and tools, and what the control that was acted upon tells of it. Which control has the focus,
//! which list is open and which text changes is told by other means or depends on the way.

use crate::driver::{Driver, Notice, Notices, Trouble};
use crate::evidence::Compared;
use crate::live_windows::LiveWindows;
use crate::miss::Miss;
use crate::text::describe_window;
use steps::{Action, Effect, EffectKind, Step, begins_drag, control_of};
use win32_vocabulary::Control;
use win32_vocabulary::notifications::{
    BN_CLICKED, BN_DOUBLECLICKED, CBN_SELCHANGE, LBN_DBLCLK, LBN_SELCHANGE, LVN_COLUMNCLICK,
    LVN_ITEMACTIVATE, PSN_APPLY, PSN_WIZBACK, PSN_WIZFINISH, PSN_WIZNEXT, TCN_SELCHANGE,
};
use window_tree::Tree;

/// One command that is awaited.
#[derive(Debug, Clone, PartialEq)]
struct Awaited {
    /// The live window that gets it.
    window: u64,
    /// The live control it comes from, if there is one.
    source: Option<u64>,
    /// Its id, where that tells more than its source.
    id: Option<u64>,
    /// Whether it comes from the control that is acted upon.
    is_own: bool,
    code: Option<i64>,
    description: String,
}

/// The commands awaited of a step.
#[derive(Debug, Default)]
pub(crate) struct Commands {
    awaited: Vec<Awaited>,
}

impl Commands {
    /// Those of a step whose windows are there before it, which are watched from now on.
    pub(crate) fn of(
        step: &Step,
        recorded: &Tree,
        live_windows: &mut LiveWindows,
        driver: &mut dyn Driver,
    ) -> Result<Self, Trouble> {
        let awaited = step.effects.iter().filter_map(|effect| awaited(effect, step, recorded, live_windows));
        let awaited: Vec<Awaited> = awaited.collect();
        if !awaited.is_empty() {
            let mut windows: Vec<u64> = awaited.iter().map(|it| it.window).collect();
            windows.sort_unstable();
            windows.dedup();
            driver.watch(&windows)?;
        }
        Ok(Self { awaited })
    }

    /// Those that did not come, and what those that came show.
    pub(crate) fn compare(&self, driver: &mut dyn Driver) -> (Vec<Miss>, Compared) {
        let mut compared = Compared::default();
        if self.awaited.is_empty() {
            return (Vec::new(), compared);
        }
        let Ok(Notices { all, lost }) = driver.notices() else { return (Vec::new(), compared) };
        let mut misses = Vec::new();
        for awaited in self.awaited.iter().filter(|it| !lost.contains(&it.window)) {
            if all.iter().any(|notice| awaited.is(notice)) {
                let says_which = !awaited.is_own || awaited.id.is_some_and(|id| !is_counted(id));
                compared.command |= says_which;
                compared.notification = true;
            } else {
                misses.push(Miss { expected: awaited.description.clone(), actual: "it was not told".into() });
            }
        }
        (misses, compared)
    }
}

impl Awaited {
    fn is(&self, notice: &Notice) -> bool {
        let code = i64::from(notice.code);
        self.window == notice.window
            && self.source.is_none_or(|source| source == notice.source)
            && self
                .id
                .is_none_or(|id| id == u64::from(notice.id) || is_counted(id) && is_counted(notice.id.into()))
            && self.code.map_or(is_of_menu(code) && !notice.is_notify, |wanted| wanted == code)
    }
}

/// Whether a command without a source has this code: a menu sends 0, an accelerator 1.
fn is_of_menu(code: i64) -> bool {
    matches!(code, 0 | 1)
}

/// Whether a toolkit counted the number when it made the item (wxWidgets, from below zero): it is another one
/// as soon as there is one control more or less, and says only that it is one of these.
fn is_counted(id: u64) -> bool {
    (0x8000..0xFFFF).contains(&id)
}

fn awaited(effect: &Effect, step: &Step, recorded: &Tree, live_windows: &mut LiveWindows) -> Option<Awaited> {
    let EffectKind::Command { command, source, code } = effect.what else { return None };
    let kind = recorded.get(source).map_or(Control::Other, control_of);
    if !is_expected(step, kind, source, code) {
        return None;
    }
    let window = live_windows.find(recorded, effect.window.hwnd).hwnd()?;
    let to = describe_window(recorded, effect.window.hwnd);
    if source == 0 {
        let description = format!("{to} gets the command {command}");
        // The item of a menu is found by its label, whatever number it has now.
        let is_labelled = match &step.action {
            Action::Menu { path, command: chosen, .. } => *chosen == Some(command) && !path.is_empty(),
            Action::Shortcut { path, command: chosen, .. } => *chosen == command && path.is_some(),
            _ => false,
        };
        let id = Some(command).filter(|_| !is_labelled);
        return Some(Awaited { window, source: None, id, is_own: false, code: None, description });
    }
    // A source that is not there before the step cannot be told from others.
    let live = live_windows.find(recorded, source).hwnd()?;
    let id = Some(command).filter(|_| kind == Control::ToolBar);
    let from = describe_window(recorded, source);
    let description = match code {
        0 if id.is_some() => format!("{to} gets the command {command} of {from}"),
        0 => format!("{to} gets the command of {from}"),
        _ => format!("{to} gets the notification {code} of {from}"),
    };
    let is_own = source == step.target.hwnd();
    Some(Awaited { window, source: Some(live), id, is_own, code: Some(code), description })
}

/// Whether a recorded command comes by nature with what is done for the step.
fn is_expected(step: &Step, kind: Control, source: u64, code: i64) -> bool {
    if source == 0 {
        return is_of_menu(code);
    }
    let Ok(code) = i32::try_from(code) else { return false };
    let is_own = source == step.target.hwnd();
    match &step.action {
        // Property sheets: apply, back, next, finish.
        _ if matches!(code, PSN_APPLY | PSN_WIZBACK | PSN_WIZNEXT | PSN_WIZFINISH) => true,
        _ if code == BN_CLICKED && (kind.is_button() || kind == Control::ToolBar) => true,
        Action::Press { double, .. } if is_own => code == BN_CLICKED || code == BN_DOUBLECLICKED && *double,
        Action::Select { .. } | Action::Click { item: Some(_), double: false, point: Some(_), .. }
            if is_own =>
        {
            match kind {
                Control::ListBox => code == LBN_SELCHANGE,
                Control::ComboBox | Control::ComboBoxEx => code == CBN_SELCHANGE,
                Control::Tab => code == TCN_SELCHANGE,
                _ => false,
            }
        }
        Action::Activate { .. } if is_own => match kind {
            Control::ListBox => code == LBN_DBLCLK,
            Control::ListView => code == LVN_ITEMACTIVATE,
            _ => false,
        },
        Action::ClickColumn { .. } => code == LVN_COLUMNCLICK,
        Action::Drag { .. } if is_own => begins_drag(code),
        _ => false,
    }
}
