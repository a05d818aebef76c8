//! How well the messages agree with the keyframes: at every keyframe, the tree rebuilt from messages is
//! compared with it.
//!
//! A keyframe is taken while the program runs, and a hook sees most messages before they are handled. So a
//! value of a keyframe is right if it was true at some moment around it. A value that a message replaced
//! within [`IN_FLIGHT`] before the keyframe, or that a message brings within the same time after it, is *in
//! flight* and counts neither for nor against. Windows of threads that are not hooked yet, and everything
//! after a gap, are not compared, because no message reported them.

use crate::{Change, ChangeKind, Property};
use message_log::Value;
use std::collections::{HashMap, VecDeque};
use std::fmt;

/// The longest time between a keyframe and a message that describe the same moment, in microseconds: the
/// recorder polls every 50 ms and takes as long for a keyframe.
pub const IN_FLIGHT: u64 = 250_000;
/// The most differences and changes that are kept; a malicious log has millions.
const MAX_KEPT: usize = 4096;

/// A number of comparisons and of agreements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// The number of comparisons.
    pub compared: u64,
    /// The number of agreements.
    pub agreeing: u64,
}

impl Share {
    /// From 0 to 1; 1 if nothing was compared.
    pub fn value(self) -> f64 {
        if self.compared == 0 { 1.0 } else { self.agreeing as f64 / self.compared as f64 }
    }

    fn add(&mut self, agrees: bool) {
        self.compared += 1;
        self.agreeing += u64::from(agrees);
    }
}

/// A difference between the messages and a keyframe.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The time of the keyframe.
    pub time: u64,
    /// The class of the window, for display.
    pub class: String,
    /// From the value of the messages to that of the keyframe.
    pub change: Change,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, class, change } = self;
        let (seconds, millis) = (time / 1_000_000, time / 1000 % 1000);
        let what = match &change.what {
            ChangeKind::Created => "no message reported it".into(),
            ChangeKind::Destroyed => "no message reported its end".into(),
            ChangeKind::Set { .. } => change.to_string(),
        };
        match &change.what {
            ChangeKind::Set { .. } => write!(f, "{seconds}.{millis:03} s: {class} {what}"),
            _ => write!(f, "{seconds}.{millis:03} s: {class} {:#x} {what}", change.hwnd),
        }
    }
}

/// The agreement over all keyframes so far.
#[derive(Debug, Clone, Default)]
pub struct Fidelity {
    /// The number of keyframes that were compared.
    pub keyframes: u64,
    /// Windows that exist in both and agree in every property.
    pub windows: Share,
    /// Windows that exist in both.
    pub existence: Share,
    /// Values that changed while the keyframe was taken.
    pub in_flight: u64,
    /// The first differences.
    pub differences: Vec<Difference>,
    /// The number of differences.
    pub difference_count: u64,
    properties: [Share; Property::ALL.len()],
    /// The differences of each window, by number, that a message after the keyframe may still explain, up to
    /// this time.
    open: HashMap<u64, Vec<(usize, Difference)>>,
    open_count: usize,
    deadline: u64,
    /// Changes by messages within the last [`IN_FLIGHT`].
    recent: VecDeque<(u64, Change)>,
    /// The same per window, computed at each keyframe.
    recent_of: HashMap<u64, Vec<ChangeKind>>,
}

impl Fidelity {
    /// The agreement of one property.
    pub fn property(&self, property: Property) -> Share {
        self.properties[property as usize]
    }

    /// The agreement of all properties together.
    pub fn all_properties(&self) -> Share {
        self.properties.iter().fold(Share::default(), |sum, share| Share {
            compared: sum.compared + share.compared,
            agreeing: sum.agreeing + share.agreeing,
        })
    }

    /// At the end of the log: no further message will explain a difference.
    pub fn finish(&mut self) {
        self.settle(u64::MAX);
    }

    /// Differences that are still open after their deadline become final.
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

    /// Compares the existence of a window. Returns false if what the keyframe shows is about to change.
    pub(crate) fn exists(&mut self, time: u64, class: &str, change: Option<Change>) -> bool {
        let Some(change) = change else {
            self.existence.add(true);
            self.windows.add(true);
            return true;
        };
        let opposite =
            if change.what == ChangeKind::Created { ChangeKind::Destroyed } else { ChangeKind::Created };
        if self.is_recent(change.hwnd, |what| *what == opposite) {
            self.in_flight += 1;
            return false;
        }
        self.existence.add(false);
        // Revoked if the difference is explained.
        self.windows.add(true);
        self.note(Difference { time, class: class.into(), change });
        true
    }

    /// Compares a property. Returns false if what the keyframe shows is about to change.
    pub(crate) fn compare(&mut self, time: u64, class: &str, change: Change) -> bool {
        let ChangeKind::Set { property, old, new } = &change.what else { return true };
        let (property, agrees) = (*property, old == new);
        let replaced = |what: &ChangeKind| matches!(what, ChangeKind::Set { property: p, old, .. } if *p == property && old == new);
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

    fn is_recent(&self, hwnd: u64, is_it: impl Fn(&ChangeKind) -> bool) -> bool {
        self.recent_of.get(&hwnd).is_some_and(|changes| changes.iter().any(is_it))
    }

    fn note(&mut self, difference: Difference) {
        let number = self.open_count;
        self.open_count += 1;
        // Further differences are counted but not listed.
        if number < MAX_KEPT {
            self.open.entry(difference.change.hwnd).or_default().push((number, difference));
        } else {
            self.difference_count += 1;
        }
    }

    /// Records changes that messages made.
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

    /// A message brings a value that a keyframe shortly before contained already.
    pub(crate) fn explain_value(&mut self, hwnd: u64, property: Property, value: &Value) {
        self.explain(hwnd, |what| {
            matches!(what, ChangeKind::Set { property: p, new, .. } if *p == property && new.as_ref() == Some(value))
        });
    }

    /// A WM_CREATE after the keyframe that contained its window.
    pub(crate) fn explain_creation(&mut self, hwnd: u64) {
        self.explain(hwnd, |what| *what != ChangeKind::Destroyed);
    }

    /// The end of a window after the keyframe that lacked it.
    pub(crate) fn explain_end(&mut self, hwnd: u64) {
        self.explain(hwnd, |what| *what == ChangeKind::Destroyed);
    }

    fn explain(&mut self, hwnd: u64, is_it: impl Fn(&ChangeKind) -> bool) {
        let Some(open) = self.open.get_mut(&hwnd) else { return };
        let (properties, existence) = (&mut self.properties, &mut self.existence);
        let in_flight = &mut self.in_flight;
        open.retain(|(_, difference)| {
            if !is_it(&difference.change.what) {
                return true;
            }
            *in_flight += 1;
            match &difference.change.what {
                ChangeKind::Set { property, .. } => properties[*property as usize].compared -= 1,
                _ => existence.compared -= 1,
            }
            false
        });
        if open.is_empty() {
            self.open.remove(&hwnd);
        }
    }

    /// After a gap nothing can be explained.
    pub(crate) fn forget(&mut self) {
        self.settle(u64::MAX);
        self.recent.clear();
    }
}
