//! The choice for every step, made once before the first act.

use crate::choice::Choice;
use crate::choose::choose;
use crate::options::Options;
use crate::recording::Recording;
use crate::rules;
use crate::verdict::Verdict;
use steps::Step;

/// What is done for each step of a recording, and which steps are replayed.
#[derive(Debug)]
pub struct ChosenActs {
    /// One for each step of the plan.
    choices: Vec<Choice>,
    /// The position of the first step that can be replayed.
    first: usize,
    /// The number of the last step for which something is done; 0 if there is none.
    last: usize,
}

impl ChosenActs {
    /// Chooses the acts; or returns the verdict that is known before anything is done.
    pub fn of(recording: &Recording, options: &Options) -> Result<Self, Verdict> {
        let invalid = |reason: &str| Err(Verdict::Invalid { reason: reason.into() });
        let steps = &recording.plan.steps;
        let first = match recording.cut {
            Some(_) if !options.is_attached => {
                return invalid(
                    "the beginning is gone: bring the application into the state of the first kept window tree, and use --attach",
                );
            }
            Some(event) => steps.iter().take_while(|step| step.first_event < event).count(),
            None => 0,
        };
        if first >= steps.len() {
            return invalid("the log has no steps to replay");
        }
        let choices: Vec<Choice> = steps.iter().map(|step| choose(step, &options.secrets)).collect();
        let wanted = || steps.iter().zip(&choices).filter(|(step, _)| options.wants(step));
        // A missing secret is reported before the session begins, not in the middle of it.
        for (step, choice) in wanted().skip_while(|(step, _)| step.number <= first) {
            if let Some(reason) = choice.blocked.as_ref().filter(|_| choice.rule == &rules::SECRET) {
                return Err(Verdict::Blocked { step: step.number, reason: reason.clone() });
            }
        }
        let last = wanted().rfind(|(_, choice)| !choice.acts.is_empty());
        let last = last.map_or(0, |(step, _)| step.number);
        Ok(Self { choices, first, last })
    }

    /// What is done for this step.
    pub(crate) fn get(&self, step: &Step) -> &Choice {
        &self.choices[step.number - 1]
    }

    /// The position of the first step that can be replayed.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// The number of the last step for which something is done; 0 if there is none.
    pub(crate) fn last(&self) -> usize {
        self.last
    }

    /// Whether nothing is done after this step.
    pub(crate) fn is_last(&self, step: &Step) -> bool {
        step.number >= self.last
    }
}
