//! A usage model that walks through the program itself: what users would do next, of what the windows that
//! are there now allow.
//!
//! A session that is [generated](super::generate()) beforehand relies on what the recorded windows showed,
//! does only what was seen to follow, and is blocked where the program is in another state. A walk sees the
//! program: it also takes steps that users took elsewhere, as seldom as the model says.

use super::generate::draw;
use super::model::MAIN_WINDOW;
use super::{Executability, Kind, Model, Predictor};
use crate::event::{Action, Event};
use crate::interpreter::{Application, Execution, Life, Outcome, execute};
use crate::scene::Scene;
use crate::target::{Role, Target};
use fastrand::Rng;

/// Walks of one model.
#[derive(Debug)]
pub struct Walker {
    model: Model,
    can: Executability,
    predictor: Predictor,
}

impl Walker {
    /// None if no log tells how a session begins.
    pub fn of(model: Model, kind: Kind) -> Option<Self> {
        let (can, predictor) = (Executability::of(&model), Predictor::of(&model.executable(), kind));
        can.seen_after(&[]).next()?;
        Some(Self { model, can, predictor })
    }

    /// One session of at most so many steps, with a program that has just started.
    pub fn session(&self, length: usize, application: &mut dyn Application, rng: &mut Rng) -> Execution {
        let mut all = Execution { outcome: Outcome::Success, executed: Vec::new(), rules: Vec::new() };
        let mut steps = Vec::new();
        while steps.len() < length && all.outcome.is_success() {
            let mut options = self.options(&steps, &application.look());
            let shares = self.predictor.distribution(&steps);
            loop {
                let Some(feature) = draw(&options, &shares, rng) else {
                    // A box that no user met, say; unless there is nothing to do since the program has ended.
                    if application.alive() == Life::Running {
                        all.outcome = self.stuck(&shares, &application.look());
                    }
                    return all;
                };
                if feature == self.can.end() {
                    return all;
                }
                let known = &self.model.features[feature as usize];
                let event = rng.choice(&known.examples).unwrap_or(&known.event).clone();
                let Execution { outcome, executed, rules } = execute(&event.into(), application, rng);
                all.rules.extend(rules);
                // What cannot be done after all is not what users did here.
                if let Outcome::Blocked(..) = outcome {
                    options.retain(|(other, _)| *other != feature);
                    continue;
                }
                all.executed.extend(executed);
                all.outcome = outcome;
                steps.push(feature);
                break;
            }
        }
        all
    }

    /// Nothing that users did can be done: not even what they did most here.
    fn stuck(&self, shares: &[f64], scene: &Scene) -> Outcome {
        let share = |feature: &u32| shares.get(*feature as usize).copied().unwrap_or(0.0);
        let likeliest = (0..self.can.end()).max_by(|one, other| share(one).total_cmp(&share(other)));
        let Some(likeliest) = likeliest else { return Outcome::Success };
        let window = scene.active_window().map_or("", |window| window.name.as_str());
        let why = format!("nothing that users did is possible in the window \"{window}\"");
        Outcome::Blocked(Box::new(self.model.features[likeliest as usize].event.clone()), why)
    }

    /// What users ever did and the windows that are there now allow; to end, where users ended, which they
    /// did not where nothing that they did can be done.
    fn options(&self, steps: &[u32], scene: &Scene) -> Vec<(u32, usize)> {
        let end = self.can.end();
        let possible = (0..end).filter(|feature| self.is_possible(*feature, scene)).map(|it| (it, 1));
        let mut options: Vec<_> = possible.collect();
        if !options.is_empty() {
            options.extend(self.can.seen_after(steps).filter(|(feature, _)| *feature == end));
        }
        options
    }

    fn is_possible(&self, feature: u32, scene: &Scene) -> bool {
        let feature = &self.model.features[feature as usize];
        let Event { action, target } = &feature.event;
        match target {
            _ if matches!(action, Action::Other(_)) => false,
            // A menu is that of the window it was chosen in.
            Target::Focus => scene.active_window().is_some_and(|window| {
                let name = &self.model.windows[feature.window as usize];
                *name == window.name || name == MAIN_WINDOW && window.role == Role::Window
            }),
            _ => scene.candidates(&feature.event).len() == 1,
        }
    }
}
