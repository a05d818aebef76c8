//! What was learnt, and the file it is kept in.

use crate::event::{Action, Event};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// The version of the file that this program writes.
pub const VERSION: u32 = 1;

/// How the window is called that a program begins with; its title is often that of a document.
pub const MAIN_WINDOW: &str = "the main window";

/// At most so many texts are kept of what was typed or chosen with a feature.
const MAX_ARGUMENTS: usize = 16;

/// How a program is used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The version of the file.
    #[serde(rename = "dashcam_model")]
    version: u32,
    /// The program, by the name its logs give.
    pub program: String,
    /// What can be done, as far as it was done.
    pub features: Vec<Feature>,
    /// What was done, in order.
    pub sessions: Vec<Session>,
    /// Windows that a session may name.
    pub windows: Vec<String>,
    /// Widgets that were there to be used, as their users would call them.
    pub offered: BTreeSet<String>,
}

/// Something that users do: an action and the widget it is done to, by what identifies it across runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// What is done, without what was typed or chosen.
    pub event: Event,
    /// In words.
    pub label: String,
    /// The window it is in, by its place among the windows.
    pub window: u32,
    /// Whether it gives up what was begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cancel: bool,
    /// The widget, as [`Model::offered`] calls it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub widget: String,
    /// Events as they were done, for sessions that are generated.
    #[serde(default)]
    pub examples: Vec<Event>,
}

/// What one user did from the program's start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Where it comes from.
    pub name: String,
    /// Whether it begins at the program's start, and not where the log does.
    pub is_whole: bool,
    /// What was done.
    pub steps: Vec<Occurrence>,
}

/// A feature that was used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Its place among the features.
    pub feature: u32,
    /// Milliseconds until the next one; 0 for the last.
    pub millis: u32,
    /// The windows that took input before it, by their place among the windows.
    pub open: Vec<u32>,
}

/// What is wrong with a model or with what it is made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// There is nothing to learn from.
    #[error("there is nothing to learn from: the logs have no steps")]
    Empty,
    /// Two programs in one model would say nothing of either.
    #[error("these are logs of different programs: {0} and {1}")]
    DifferentPrograms(String, String),
    /// Written by a later version of this program.
    #[error(
        "the model has version {0}, newer than this program knows ({VERSION}): use a newer one, or learn it again from the logs"
    )]
    Newer(u64),
    /// Not a model, or damaged.
    #[error("not a usage model: {0}; name one that `dashcam model train` wrote, or a log")]
    Malformed(String),
}

impl Model {
    /// An empty one.
    pub fn new(program: impl Into<String>) -> Self {
        Self { version: VERSION, program: program.into(), ..Self::default() }
    }

    /// Whether it has learnt nothing.
    pub fn is_empty(&self) -> bool {
        self.sessions.iter().all(|session| session.steps.is_empty())
    }

    /// The place of a feature; a new one gets one. Of `examples`, those that are not known yet are kept.
    pub fn feature(&mut self, feature: Feature) -> u32 {
        let at = self
            .features
            .iter()
            .position(|known| known.event == feature.event && known.window == feature.window);
        let at = at.unwrap_or_else(|| {
            self.features.push(Feature { examples: Vec::new(), ..feature.clone() });
            self.features.len() - 1
        });
        let known = &mut self.features[at];
        known.is_cancel |= feature.is_cancel;
        for example in feature.examples {
            if known.examples.len() < MAX_ARGUMENTS && !known.examples.contains(&example) {
                known.examples.push(example);
            }
        }
        at as u32
    }

    /// The place of a window; a new one gets one.
    pub fn window(&mut self, name: &str) -> u32 {
        let at = self.windows.iter().position(|known| known == name).unwrap_or_else(|| {
            self.windows.push(name.to_owned());
            self.windows.len() - 1
        });
        at as u32
    }

    /// Takes in all that another one has learnt of the same program.
    pub fn merge(&mut self, other: Self) -> Result<(), ModelError> {
        if self.program.is_empty() || self.is_empty() && self.features.is_empty() {
            self.program.clone_from(&other.program);
        }
        if !self.program.eq_ignore_ascii_case(&other.program) {
            return Err(ModelError::DifferentPrograms(self.program.clone(), other.program));
        }
        let windows: Vec<u32> = other.windows.iter().map(|window| self.window(window)).collect();
        let window = |at: u32| windows.get(at as usize).copied().unwrap_or_default();
        let mut known: HashMap<(Event, u32), u32> = HashMap::new();
        for (at, feature) in self.features.iter().enumerate() {
            known.insert((feature.event.clone(), feature.window), at as u32);
        }
        let features: Vec<u32> = other
            .features
            .into_iter()
            .map(|feature| {
                let feature = Feature { window: window(feature.window), ..feature };
                match known.get(&(feature.event.clone(), feature.window)) {
                    None => {
                        self.features.push(feature);
                        self.features.len() as u32 - 1
                    }
                    Some(_) => self.feature(feature),
                }
            })
            .collect();
        for mut session in other.sessions {
            for step in &mut session.steps {
                step.feature = features[step.feature as usize];
                step.open = step.open.iter().map(|&at| window(at)).collect();
            }
            self.sessions.push(session);
        }
        self.offered.extend(other.offered);
        Ok(())
    }

    /// The same without the steps that were recorded and that no trace can do.
    pub(super) fn executable(&self) -> Self {
        let mut model = self.clone();
        let is_done = |step: &Occurrence| {
            !matches!(self.features[step.feature as usize].event.action, Action::Other(_))
        };
        model.sessions.iter_mut().for_each(|session| session.steps.retain(is_done));
        model
    }

    /// Sessions as features' places.
    pub fn sequences(&self) -> Vec<Vec<u32>> {
        self.sessions.iter().map(|session| session.steps.iter().map(|step| step.feature).collect()).collect()
    }

    /// The sessions of another model in terms of this one's features: none where this one does
    /// not know a feature.
    pub fn translate(&self, other: &Self) -> Vec<Vec<Option<u32>>> {
        let windows: HashMap<&str, u32> =
            self.windows.iter().enumerate().map(|(at, name)| (name.as_str(), at as u32)).collect();
        let own: HashMap<(&Event, u32), u32> =
            self.features.iter().enumerate().map(|(at, it)| ((&it.event, it.window), at as u32)).collect();
        let place = |feature: &Feature| {
            let window = windows.get(other.windows.get(feature.window as usize)?.as_str())?;
            own.get(&(&feature.event, *window)).copied()
        };
        let places: Vec<Option<u32>> = other.features.iter().map(place).collect();
        let sequences = other.sequences();
        sequences
            .iter()
            .map(|steps| steps.iter().map(|&feature| places[feature as usize]).collect())
            .collect()
    }

    /// As a file.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&Self { version: VERSION, ..self.clone() }).unwrap_or_default()
    }

    /// From a file.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        #[derive(Deserialize)]
        struct Head {
            dashcam_model: u64,
        }
        let malformed = |error: serde_json::Error| ModelError::Malformed(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        if head.dashcam_model > u64::from(VERSION) {
            return Err(ModelError::Newer(head.dashcam_model));
        }
        let model: Self = serde_json::from_str(text).map_err(malformed)?;
        let features = model.features.len() as u32;
        let windows = model.windows.len() as u32;
        let mut steps = model.sessions.iter().flat_map(|session| &session.steps);
        let is_sound = steps.all(|step| step.feature < features && step.open.iter().all(|&at| at < windows));
        if !is_sound || model.features.iter().any(|feature| feature.window >= windows) {
            return Err(ModelError::Malformed("it names a feature or window that it does not have".into()));
        }
        Ok(model)
    }
}
