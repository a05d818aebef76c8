//! What is expected of a step, in words, and which of its effects are expected at all.

use steps::{Effect, EffectKind};
use win32_vocabulary::Control;

/// Whether windows of this class come and go by themselves, such as tool tips and menus.
pub(crate) fn is_transient(class: &str) -> bool {
    Control::of_class(class).is_transient()
}

/// Whether an effect can be expected again: commands are the trace's, and a first name is no new one.
pub(crate) fn is_expected(effect: &Effect) -> bool {
    let is_told = match &effect.what {
        EffectKind::Command { .. } => false,
        EffectKind::Renamed { from, .. } => from.is_some(),
        _ => true,
    };
    is_told && !is_transient(&effect.window.class) && !effect.window.class.is_empty()
}

/// What an effect is about, as rules call it.
pub(crate) fn property(effect: &Effect) -> &'static str {
    match effect.what {
        EffectKind::Created | EffectKind::Destroyed => "exists",
        EffectKind::Renamed { .. } | EffectKind::Text { .. } => "text",
        EffectKind::Enabled | EffectKind::Disabled => "enabled",
        EffectKind::Shown | EffectKind::Hidden => "visible",
        EffectKind::Command { .. } => "command",
    }
}

/// An expected effect in words.
pub(crate) fn describe(effect: &Effect) -> Option<String> {
    if !is_expected(effect) {
        return None;
    }
    let window = &effect.window;
    let name = if window.name.is_empty() { String::new() } else { format!(" “{}”", window.name) };
    let id = window.id.filter(|_| window.name.is_empty()).map_or_else(String::new, |id| format!(" id {id}"));
    let what = match &effect.what {
        EffectKind::Created => "appears".into(),
        EffectKind::Destroyed => "goes".into(),
        EffectKind::Renamed { to, .. } => format!("is renamed “{to}”"),
        EffectKind::Text { to } => format!("has the text “{to}”"),
        EffectKind::Enabled => "is enabled".into(),
        EffectKind::Disabled => "is disabled".into(),
        EffectKind::Shown => "is shown".into(),
        EffectKind::Hidden => "is hidden".into(),
        EffectKind::Command { .. } => return None,
    };
    Some(format!("{}{name}{id} {what}", window.class))
}
