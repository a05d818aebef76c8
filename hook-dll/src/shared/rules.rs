//! What the host configured and whether messages are recorded, as every host thread sees it.
//!
//! Callbacks read these without locking. Only the recorder thread and the C interface write them.
#![expect(unsafe_code, reason = "callbacks read the rules through a pointer that is never freed")]

use crate::shared::budget::Budget;
use crate::shared::filter::Filter;
use crate::shared::privacy::MaskRules;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Whether messages are recorded at this moment.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Set by the panic barrier; the recorder thread writes the note.
pub(crate) static PANICKED: AtomicBool = AtomicBool::new(false);
/// How much may be recorded.
pub(crate) static BUDGET: Budget = Budget::new();
/// The rules of this recording. Never freed: a callback may be using them.
static RULES: AtomicPtr<Rules> = AtomicPtr::new(std::ptr::null_mut());

/// What the host configured, as callbacks need it.
#[derive(PartialEq)]
pub(crate) struct Rules {
    pub(crate) filter: Filter,
    pub(crate) masks: MaskRules,
}

/// Sets the rules for callbacks. Old ones stay in memory, each once, and are used again.
pub(crate) fn set_rules(rules: Rules) {
    static KNOWN: Mutex<Vec<&'static Rules>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock();
    let same = known.iter().copied().find(|&old| *old == rules);
    let rules = same.unwrap_or_else(|| {
        let new: &'static Rules = Box::leak(Box::new(rules));
        known.push(new);
        new
    });
    RULES.store(std::ptr::from_ref(rules).cast_mut(), Ordering::Release);
}

/// The rules of this recording.
#[inline]
pub(crate) fn rules() -> Option<&'static Rules> {
    // SAFETY: null, or the pointer to rules that `set_rules` leaked.
    unsafe { RULES.load(Ordering::Acquire).as_ref() }
}
