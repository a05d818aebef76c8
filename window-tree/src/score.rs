//! The paper's table: the similarity of two windows by id, name and class.
//!
//! | equal | score |
//! |---|---|
//! | resource id, name, class | 6 |
//! | resource id, name | 5 |
//! | resource id | 4 |
//! | name, class | 3 |
//! | name | 2 |
//! | class | 1 |
//! | nothing | 0 |
//!
//! An absent id or name equals nothing, not even another absent one.

use crate::sketch::Sketch;

/// The paper calls a match with a lower score doubtful.
pub const DOUBTFUL: u8 = 3;

/// The score of an equal name alone.
pub(crate) const BY_NAME: u8 = 2;

/// The similarity of two windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score {
    /// The paper's score, 0 to 6.
    pub points: u8,
    /// Whether the classes are equal. The table ignores that if the ids are equal; it decides between equal
    /// points.
    pub same_class: bool,
}

/// The table.
pub fn score(same_id: bool, same_name: bool, same_class: bool) -> Score {
    let points = match (same_id, same_name, same_class) {
        (true, true, true) => 6,
        (true, true, false) => 5,
        (true, false, _) => 4,
        (false, true, true) => 3,
        (false, true, false) => BY_NAME,
        (false, false, true) => 1,
        (false, false, false) => 0,
    };
    Score { points, same_class }
}

/// The table, applied to two sketches; `with_ids` says whether ids count.
pub(crate) fn compare(a: &Sketch, b: &Sketch, with_ids: bool) -> Score {
    score(
        with_ids && a.id.is_some() && a.id == b.id,
        !a.name.is_empty() && a.name == b.name,
        !a.class.is_empty() && a.class == b.class,
    )
}
