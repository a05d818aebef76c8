//! Names of classes that windows were made of lately, so that the birth of the next such window need not ask the system.
//!
//! What a CREATESTRUCT has is what the window's maker wrote, in letters of any case or as an atom; a log has the system's own spelling. A name
//! that the system has spelt just so before is taken as it stands there.

use crate::controls::{Kind, kind_of};

const PLACES: usize = 32;
/// Longer names are asked for each time.
pub(crate) const LONGEST: usize = 63;

/// Names as the system spells them, the last of each place.
pub(crate) struct Classes([Class; PLACES]);

#[derive(Clone, Copy)]
struct Class {
    name: [u16; LONGEST],
    len: u8,
    kind: Kind,
}

impl Classes {
    pub(crate) const fn new() -> Self {
        Self([Class { name: [0; LONGEST], len: 0, kind: Kind::Other }; PLACES])
    }

    /// A name in bytes: its units and the kind of control it stands for, if this is how the system spells it.
    #[inline]
    pub(crate) fn knows(&self, name: &[u8]) -> Option<(&[u16], Kind)> {
        let (units, _) = name.as_chunks::<2>();
        let class = &self.0[place(units.len(), units.first().zip(units.last()).map(ends))];
        let known = class.name.get(..usize::from(class.len))?;
        let is_it = !known.is_empty() && known.len() == units.len() && is_same(known, units);
        is_it.then_some((known, class.kind))
    }

    /// A name from the system, and the kind of control it stands for.
    pub(crate) fn learn(&mut self, name: &[u16]) -> Kind {
        let kind = kind_of(name);
        let ends = name.first().zip(name.last()).map(|(&first, &last)| (first, last));
        let class = &mut self.0[place(name.len(), ends)];
        if let (Some(room), Ok(len)) = (class.name.get_mut(..name.len()), u8::try_from(name.len())) {
            room.copy_from_slice(name);
            (class.len, class.kind) = (len, kind);
        }
        kind
    }
}

/// By four units at a time, the last four of them once more: a birth waits for it.
#[inline]
fn is_same(known: &[u16], units: &[[u8; 2]]) -> bool {
    let word = |bytes: &[[u8; 2]; 4]| bytes.map(u16::from_le_bytes);
    let ((fours, rest), (told, last)) = (known.as_chunks::<4>(), units.as_chunks::<4>());
    let ends = match (known.last_chunk::<4>(), units.last_chunk::<4>()) {
        (Some(known), Some(told)) => *known == word(told),
        _ => rest.iter().zip(last).all(|(known, unit)| known.to_le_bytes() == *unit),
    };
    ends && fours.iter().zip(told).all(|(known, told)| *known == word(told))
}

fn ends((first, last): (&[u8; 2], &[u8; 2])) -> (u16, u16) {
    (u16::from_le_bytes(*first), u16::from_le_bytes(*last))
}

fn place(len: usize, ends: Option<(u16, u16)>) -> usize {
    let ends = ends.map_or(0, |(first, last)| usize::from(first) + 3 * usize::from(last));
    (ends + 7 * len) % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_as_the_system_spells_it_and_not_otherwise() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let bytes = |text: &str| units(text).into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let mut classes = Classes::new();
        assert!(classes.knows(&bytes("Edit")).is_none() && classes.knows(&[]).is_none());
        assert_eq!(classes.learn(&units("Edit")), Kind::Edit);
        classes.learn(&[]);
        classes.learn(&units(&"x".repeat(LONGEST + 1)));
        assert_eq!(classes.knows(&bytes("Edit")), Some((&units("Edit")[..], Kind::Edit)));
        for other in ["EDIT", "Edi", "Edit2", "Eait", "", &"x".repeat(LONGEST + 1)] {
            assert!(classes.knows(&bytes(other)).is_none(), "{other}");
        }
        let long = "x".repeat(LONGEST);
        classes.learn(&units(&long));
        assert_eq!(classes.knows(&bytes(&long)), Some((&units(&long)[..], Kind::Other)));
        // Another name in the same place takes it.
        classes.learn(&units("Exit"));
        assert!(classes.knows(&bytes("Exit")).is_some() && classes.knows(&bytes("Edit")).is_none());
    }
}
