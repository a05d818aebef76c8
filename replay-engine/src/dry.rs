//! A dry run: what a replay would do for each step, to which window, why, and for which messages.

use crate::choice::Secrets;
use crate::choose::choose;
use crate::expect;
use crate::program::Program;
use crate::recording::Recording;
use crate::ways::{Way, needs_agent, way};
use crate::wording;
use serde::Serialize;
use steps::{Effect, MessageId, Place, Sketch, Span, Step, Unaccounted, sentence};

/// What a replay would do, as `dashcam replay --dry-run --json` writes it.
#[derive(Debug, Serialize)]
pub struct DryRun<'a> {
    /// The recorded program.
    pub program: &'a Program,
    /// One entry for each step.
    pub steps: Vec<DryStep<'a>>,
    /// Inputs that belong to no step.
    pub unaccounted: &'a [Unaccounted],
}

/// What a replay would do for one step.
#[derive(Debug, Serialize)]
pub struct DryStep<'a> {
    /// The step's number.
    pub number: usize,
    /// The step's sentence.
    pub text: String,
    /// The recorded window.
    pub target: &'a Place,
    /// What is done, in order.
    pub acts: Vec<DryAct>,
    /// The interaction, as the table of rules names it.
    pub interaction: &'static str,
    /// Why this is done.
    pub because: &'static str,
    /// Why the step cannot be replayed, if it cannot.
    pub blocked: Option<String>,
    /// What else the user should know.
    pub remarks: Vec<String>,
    /// The recorded messages of the step.
    pub messages: &'a [Span],
    /// Those of them that are user input.
    pub inputs: &'a [MessageId],
    /// What followed in the recording.
    pub effects: &'a [Effect],
    /// All acts in one line.
    #[serde(skip)]
    pub summary: String,
    /// The effects that a replay waits for, in words.
    #[serde(skip)]
    pub expected: Vec<String>,
}

/// One act of a dry run.
#[derive(Debug, Serialize)]
pub struct DryAct {
    /// The act in words.
    pub act: String,
    /// The recorded window it is done to, unless it is the step's target.
    pub to: Option<Sketch>,
    /// How it is brought about.
    pub way: Way,
    /// Whether it needs the agent.
    pub agent: bool,
}

impl<'a> DryRun<'a> {
    /// What a replay of this recording would do.
    pub fn of(recording: &'a Recording, secrets: &Secrets) -> Self {
        let plan = &recording.plan;
        Self {
            program: &recording.program,
            steps: plan.steps.iter().map(|step| DryStep::of(step, secrets)).collect(),
            unaccounted: &plan.unaccounted,
        }
    }
}

impl<'a> DryStep<'a> {
    fn of(step: &'a Step, secrets: &Secrets) -> Self {
        let choice = choose(step, secrets);
        let acts = wording::acts(&choice).into_iter().zip(&choice.acts).map(|(act, targeted)| DryAct {
            act,
            to: targeted.to.clone(),
            way: way(&targeted.act),
            agent: needs_agent(&targeted.act).is_some(),
        });
        let expected = match choice.acts.is_empty() {
            true => Vec::new(),
            false => step.effects.iter().filter_map(expect::describe).collect(),
        };
        Self {
            number: step.number,
            text: sentence(step),
            target: &step.target,
            acts: acts.collect(),
            interaction: choice.rule.interaction,
            because: choice.rule.why,
            messages: &step.messages,
            inputs: &step.inputs,
            effects: &step.effects,
            summary: wording::choice(&choice),
            expected,
            blocked: choice.blocked,
            remarks: choice.remarks,
        }
    }
}
