//! What is done for a step: a rule, acts and their windows.

use crate::driver::Act;
use crate::rules::Rule;
use std::collections::BTreeMap;
use steps::{EffectKind, Sketch, Step};

/// Texts that the log does not hold, by name: `--secret NAME=VALUE`.
pub type Secrets = BTreeMap<String, String>;

/// What is done for a step.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The rule that decided.
    pub rule: &'static Rule,
    /// The acts in order; none where the step did nothing.
    pub acts: Vec<TargetedAct>,
    /// Why the step cannot be done.
    pub blocked: Option<String>,
    /// Remarks for the report.
    pub remarks: Vec<String>,
    /// The text of the target afterwards, where it is known.
    pub result: Option<String>,
    /// Whether the text comes from `--secret`; it is never printed.
    pub is_secret: bool,
}

/// An act and the recorded window it is done to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TargetedAct {
    /// The window, unless it is the step's target.
    pub to: Option<Sketch>,
    pub act: Act,
}

impl Choice {
    /// The same acts on another window than the target.
    pub(crate) fn to(mut self, to: Option<Sketch>) -> Self {
        self.acts.iter_mut().for_each(|targeted| targeted.to.clone_from(&to));
        self
    }

    /// With a remark for the report.
    pub(crate) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Its text came from outside.
    pub(crate) fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// The target has this text afterwards.
    pub(crate) fn ending_in(mut self, result: Option<String>) -> Self {
        self.result = result;
        self
    }
}

/// These acts on the target.
pub(crate) fn acts<const N: usize>(rule: &'static Rule, acts: [Act; N]) -> Choice {
    let acts = acts.into_iter().map(|act| TargetedAct { to: None, act }).collect();
    Choice { rule, acts, blocked: None, remarks: Vec::new(), result: None, is_secret: false }
}

/// One act on the target.
pub(crate) fn act(rule: &'static Rule, act: Act) -> Choice {
    acts(rule, [act])
}

/// No act.
pub(crate) fn nothing(rule: &'static Rule) -> Choice {
    acts(rule, [])
}

/// The step cannot be done.
pub(crate) fn blocked(rule: &'static Rule, reason: impl Into<String>) -> Choice {
    Choice { blocked: Some(reason.into()), ..nothing(rule) }
}

/// A command that the recorded program received without a control as its source, and the window that received
/// it: of a menu, an accelerator or a dialog key.
pub(crate) fn command_of(step: &Step, wanted: Option<u64>) -> Option<(u64, Sketch)> {
    step.effects.iter().find_map(|effect| match effect.what {
        EffectKind::Command { command, source: 0, code: 0 }
            if wanted.is_none_or(|wanted| wanted == command) =>
        {
            Some((command, effect.window.clone()))
        }
        _ => None,
    })
}

/// The labels matter where the menu bar has them: commands may be counted anew in every run.
pub(crate) fn command(id: u64, accelerator: bool, path: &[String]) -> Act {
    Act::Command { id: low(id), accelerator, path: path.to_vec() }
}

/// The low 32 bits, as a message carries them.
pub(crate) fn low(value: u64) -> u32 {
    value as u32
}
