//! What a callback works with: room to put a record together, and what it remembers from one
//! message to the next.

use crate::callback::class_cache::ClassCache;
use crate::callback::focused_edit::FocusedEdit;
use crate::callback::last_reported::LastReported;
use crate::callback::menus::Menus;
use crate::callback::modifiers::Modifiers;
use crate::callback::movement::MovementBurst;
use crate::shared::limits::{MAX_RECORD, MAX_TEXT};

/// The memory of one thread's callback, which uses it exclusively.
pub(crate) struct Workspace {
    /// Where the callback puts a record together.
    pub(crate) scratch: Box<[u8]>,
    /// Where it puts a text of the host before its length is known.
    pub(crate) text: Box<[u16]>,
    pub(crate) history: History,
}

/// What the callback remembers from one message to the next.
pub(crate) struct History {
    pub(crate) focus: FocusedEdit,
    pub(crate) menus: Menus,
    pub(crate) modifiers: Modifiers,
    pub(crate) movement: MovementBurst,
    pub(crate) classes: ClassCache,
    pub(crate) last_reported: LastReported,
    /// The top-level window that is being destroyed and whose WM_DESTROY is recorded.
    pub(crate) destroyed_root: usize,
    /// The secret window whose typing is recorded, until it loses the focus.
    pub(crate) secret: usize,
    /// Bytes recorded but not yet charged to the budget.
    pub(crate) uncharged: usize,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let history = History {
            focus: FocusedEdit::new(),
            menus: Menus::new(),
            modifiers: Modifiers::default(),
            movement: MovementBurst::new(),
            classes: ClassCache::new(),
            last_reported: LastReported::new(),
            destroyed_root: 0,
            secret: 0,
            uncharged: 0,
        };
        Self { scratch: vec![0; MAX_RECORD].into(), text: vec![0; MAX_TEXT / 2].into(), history }
    }
}
