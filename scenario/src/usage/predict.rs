//! How likely is what comes next, by each kind of model.

use super::contexts::Contexts;
use super::ctw::Weights;
use super::{Model, ppm};

/// A kind of model, with the longest context it looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A Markov chain: exactly so many steps back, and only what was seen.
    Chain(usize),
    /// Prediction by partial match.
    Ppm(usize),
    /// Context-tree weighting.
    Ctw(usize),
}

/// A model that predicts.
#[derive(Debug)]
pub struct Predictor {
    kind: Kind,
    contexts: Contexts,
    weights: Option<Weights>,
}

/// How well sessions were predicted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Loss {
    /// Of what the model thinks possible, ends of sessions included.
    pub bits: f64,
    /// How many steps and ends that were.
    pub predicted: usize,
    /// How many the model thinks impossible.
    pub impossible: usize,
}

impl Loss {
    /// Bits for each step.
    pub fn per_step(&self) -> f64 {
        if self.predicted == 0 { 0.0 } else { self.bits / self.predicted as f64 }
    }
}

impl Kind {
    /// Its name in tables.
    pub fn name(self) -> String {
        match self {
            Self::Chain(0) => "frequencies alone".into(),
            Self::Chain(1) => "Markov chain, first order".into(),
            Self::Chain(order) => format!("Markov chain, order {order}"),
            Self::Ppm(order) => format!("partial match, up to {order}"),
            Self::Ctw(order) => format!("context tree, up to {order}"),
        }
    }

    fn order(self) -> usize {
        match self {
            Self::Chain(order) | Self::Ppm(order) | Self::Ctw(order) => order,
        }
    }
}

impl Predictor {
    /// Learns all sessions of a model.
    pub fn of(model: &Model, kind: Kind) -> Self {
        Self::train(&model.sequences(), model.features.len(), kind)
    }

    /// Learns sequences of so many features.
    pub fn train(sequences: &[Vec<u32>], features: usize, kind: Kind) -> Self {
        let contexts = Contexts::of(sequences, features, kind.order());
        let weights = matches!(kind, Kind::Ctw(_)).then(|| Weights::of(&contexts));
        Self { kind, contexts, weights }
    }

    /// The symbol that ends a session.
    pub fn end(&self) -> u32 {
        self.contexts.end()
    }

    /// The probability of each feature, then of the end, then of something unknown. All zero if a chain has
    /// never been here.
    pub fn distribution(&self, history: &[u32]) -> Vec<f64> {
        match self.kind {
            Kind::Chain(_) => {
                let mut shares = vec![0.0; self.contexts.alphabet + 1];
                let path = self.contexts.path(history);
                if path.len() == self.contexts.depth(history) + 1 || self.contexts.order == 0 {
                    let node = &self.contexts.nodes[path[path.len() - 1]];
                    for (&symbol, &count) in &node.next {
                        shares[symbol as usize] = f64::from(count) / f64::from(node.total);
                    }
                }
                shares
            }
            Kind::Ppm(_) => ppm::distribution(&self.contexts, history),
            Kind::Ctw(_) => self
                .weights
                .as_ref()
                .map(|weights| weights.distribution(&self.contexts, history))
                .unwrap_or_default(),
        }
    }

    /// What sessions cost. A step that is none is unknown to the model.
    pub fn loss(&self, sessions: &[Vec<Option<u32>>]) -> Loss {
        let unknown = self.contexts.alphabet as u32;
        let mut loss = Loss::default();
        for session in sessions {
            let steps: Vec<u32> = session.iter().map(|step| step.unwrap_or(unknown)).collect();
            for at in 0..=steps.len() {
                let symbol = steps.get(at).copied().unwrap_or(self.end());
                let share = self.distribution(&steps[..at])[symbol as usize];
                if share > 0.0 {
                    loss.bits -= share.log2();
                    loss.predicted += 1;
                } else {
                    loss.impossible += 1;
                }
            }
        }
        loss
    }
}
