//! How well the messages tell what there is: at every keyframe the tree rebuilt from messages is held against it.
//!
//! A keyframe is taken while the program goes on, and a hook sees most messages before they are handled. Each of its values is
//! therefore right if it was true at some moment around it: a value that a message within [`IN_FLIGHT`] before it replaces, or a message
//! within as much behind it brings, is *in flight* and counted as such, neither for nor against. Windows of threads not hooked
//! yet, and whatever follows a gap, are not compared: no message told of them.

use crate::{Change, Property, What};
use message_log::Value;
use std::collections::{HashMap, VecDeque};
use std::fmt;

/// How far apart a keyframe and a message may be and still speak of the same moment, in microseconds: the recorder looks every
/// 50 ms, and takes a keyframe within as much.
pub const IN_FLIGHT: u64 = 250_000;
/// Differences and changes kept; a log of ill will has millions.
const MAX_KEPT: usize = 4096;

/// What was compared and what agreed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// How many were compared.
    pub compared: u64,
    /// How many of them agreed.
    pub agreeing: u64,
}

impl Share {
    /// From 0 to 1; 1 where nothing was compared.
    pub fn value(self) -> f64 {
        if self.compared == 0 { 1.0 } else { self.agreeing as f64 / self.compared as f64 }
    }

    fn add(&mut self, agrees: bool) {
        self.compared += 1;
        self.agreeing += u64::from(agrees);
    }
}

/// What messages and a keyframe tell differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The keyframe's time.
    pub time: u64,
    /// The class of the window, for people.
    pub class: String,
    /// From what the messages say to what the keyframe shows.
    pub change: Change,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, class, change } = self;
        let (seconds, millis) = (time / 1_000_000, time / 1000 % 1000);
        let what = match &change.what {
            What::Born => "no message told of it".into(),
            What::Died => "no message told of its end".into(),
            What::Set { .. } => change.to_string(),
        };
        match &change.what {
            What::Set { .. } => write!(f, "{seconds}.{millis:03} s: {class} {what}"),
            _ => write!(f, "{seconds}.{millis:03} s: {class} {:#x} {what}", change.hwnd),
        }
    }
}

/// The agreement of all keyframes so far.
#[derive(Debug, Clone, Default)]
pub struct Fidelity {
    /// Keyframes compared.
    pub keyframes: u64,
    /// Windows that are there, and are there alike in every property compared.
    pub windows: Share,
    /// Windows that are there.
    pub existence: Share,
    /// Values that changed while the keyframe was taken.
    pub in_flight: u64,
    /// The first differences.
    pub differences: Vec<Difference>,
    /// How many there are in all.
    pub difference_count: u64,
    properties: [Share; Property::ALL.len()],
    /// Differences of each window, with their numbers, that a message behind the keyframe may still explain, up to this time.
    open: HashMap<u64, Vec<(usize, Difference)>>,
    open_count: usize,
    deadline: u64,
    /// What messages changed within [`IN_FLIGHT`].
    recent: VecDeque<(u64, Change)>,
    /// The same by window, made for each keyframe.
    recent_of: HashMap<u64, Vec<What>>,
}

impl Fidelity {
    /// The agreement on one property.
    pub fn property(&self, property: Property) -> Share {
        self.properties[property as usize]
    }

    /// All properties together.
    pub fn all_properties(&self) -> Share {
        self.properties.iter().fold(Share::default(), |sum, share| Share {
            compared: sum.compared + share.compared,
            agreeing: sum.agreeing + share.agreeing,
        })
    }

    /// The end of the log: no message will explain anything any more.
    pub fn finish(&mut self) {
        self.settle(u64::MAX);
    }

    /// Time has gone on: what is still open behind the deadline is a difference.
    pub(crate) fn settle(&mut self, time: u64) {
        if self.open.is_empty() || time <= self.deadline {
            return;
        }
        let open = std::mem::take(&mut self.open);
        self.windows.agreeing = self.windows.agreeing.saturating_sub(open.len() as u64);
        let mut open: Vec<(usize, Difference)> = open.into_values().flatten().collect();
        open.sort_by_key(|(number, _)| *number);
        self.difference_count += open.len() as u64;
        let room = MAX_KEPT.saturating_sub(self.differences.len());
        self.differences.extend(open.into_iter().map(|(_, difference)| difference).take(room));
    }

    pub(crate) fn begin(&mut self, time: u64) {
        self.settle(u64::MAX);
        self.keyframes += 1;
        self.open_count = 0;
        self.deadline = time.saturating_add(IN_FLIGHT);
        self.recent_of.clear();
        let since = time.saturating_sub(IN_FLIGHT);
        for (_, change) in self.recent.iter().filter(|(at, _)| *at >= since) {
            self.recent_of.entry(change.hwnd).or_default().push(change.what.clone());
        }
    }

    /// Compares whether a window is there. False if what the keyframe shows is about to change.
    pub(crate) fn exists(&mut self, time: u64, class: &str, change: Option<Change>) -> bool {
        let Some(change) = change else {
            self.existence.add(true);
            self.windows.add(true);
            return true;
        };
        let opposite = if change.what == What::Born { What::Died } else { What::Born };
        if self.is_recent(change.hwnd, |what| *what == opposite) {
            self.in_flight += 1;
            return false;
        }
        self.existence.add(false);
        // Taken back when the difference is settled.
        self.windows.add(true);
        self.note(Difference { time, class: class.into(), change });
        true
    }

    /// Compares a property. False if what the keyframe shows is about to change.
    pub(crate) fn compare(&mut self, time: u64, class: &str, change: Change) -> bool {
        let What::Set { property, old, new } = &change.what else { return true };
        let (property, agrees) = (*property, old == new);
        let replaced =
            |what: &What| matches!(what, What::Set { property: p, old, .. } if *p == property && old == new);
        if !agrees && self.is_recent(change.hwnd, replaced) {
            self.in_flight += 1;
            return false;
        }
        self.properties[property as usize].add(agrees);
        if !agrees {
            self.note(Difference { time, class: class.into(), change });
        }
        true
    }

    fn is_recent(&self, hwnd: u64, is_it: impl Fn(&What) -> bool) -> bool {
        self.recent_of.get(&hwnd).is_some_and(|changes| changes.iter().any(is_it))
    }

    fn note(&mut self, difference: Difference) {
        let number = self.open_count;
        self.open_count += 1;
        // Beyond, they are counted and not named.
        if number < MAX_KEPT {
            self.open.entry(difference.change.hwnd).or_default().push((number, difference));
        } else {
            self.difference_count += 1;
        }
    }

    /// Messages made these changes.
    pub(crate) fn remember(&mut self, time: u64, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        while self.recent.front().is_some_and(|(at, _)| at.saturating_add(IN_FLIGHT) < time)
            || self.recent.len() > MAX_KEPT
        {
            self.recent.pop_front();
        }
        self.recent.extend(changes.iter().map(|change| (time, change.clone())));
    }

    /// A message tells a value that a keyframe just before has shown already.
    pub(crate) fn tell(&mut self, hwnd: u64, property: Property, value: &Value) {
        self.explain(hwnd, |what| {
            matches!(what, What::Set { property: p, new, .. } if *p == property && new.as_ref() == Some(value))
        });
    }

    /// A WM_CREATE behind the keyframe that has its window.
    pub(crate) fn tell_birth(&mut self, hwnd: u64) {
        self.explain(hwnd, |what| *what != What::Died);
    }

    /// The end of a window behind the keyframe that lacks it.
    pub(crate) fn tell_end(&mut self, hwnd: u64) {
        self.explain(hwnd, |what| *what == What::Died);
    }

    fn explain(&mut self, hwnd: u64, is_it: impl Fn(&What) -> bool) {
        let Some(open) = self.open.get_mut(&hwnd) else { return };
        let (properties, existence) = (&mut self.properties, &mut self.existence);
        let in_flight = &mut self.in_flight;
        open.retain(|(_, difference)| {
            if !is_it(&difference.change.what) {
                return true;
            }
            *in_flight += 1;
            match &difference.change.what {
                What::Set { property, .. } => properties[*property as usize].compared -= 1,
                _ => existence.compared -= 1,
            }
            false
        });
        if open.is_empty() {
            self.open.remove(&hwnd);
        }
    }

    /// Behind a gap nothing explains anything.
    pub(crate) fn forget(&mut self) {
        self.settle(u64::MAX);
        self.recent.clear();
    }
}
