//! Names of classes that windows were made of lately, so that the birth of the next such window need not ask the system.
//!
//! What a CREATESTRUCT has is what the window's maker wrote, in letters of any case or as an atom; a log has the system's own spelling. A name
//! that the system has spelt just so before is taken as it stands there.

const PLACES: usize = 32;
/// Longer names are asked for each time.
pub(crate) const LONGEST: usize = 40;

/// Names as the system spells them, the last of each place.
pub(crate) struct Classes {
    names: [[u16; LONGEST]; PLACES],
    lengths: [u8; PLACES],
}

impl Classes {
    pub(crate) const fn new() -> Self {
        Self { names: [[0; LONGEST]; PLACES], lengths: [0; PLACES] }
    }

    /// Whether this is how the system spells it.
    pub(crate) fn knows(&self, name: &[u16]) -> bool {
        let place = place(name);
        !name.is_empty() && self.names[place].get(..usize::from(self.lengths[place])) == Some(name)
    }

    /// A name from the system.
    pub(crate) fn learn(&mut self, name: &[u16]) {
        let place = place(name);
        if let (Some(room), Ok(len)) = (self.names[place].get_mut(..name.len()), u8::try_from(name.len())) {
            room.copy_from_slice(name);
            self.lengths[place] = len;
        }
    }
}

fn place(name: &[u16]) -> usize {
    let ends = name.first().zip(name.last()).map_or(0, |(&a, &b)| usize::from(a) + 3 * usize::from(b));
    (ends + 7 * name.len()) % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_as_the_system_spells_it_and_not_otherwise() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let mut classes = Classes::new();
        assert!(!classes.knows(&units("Edit")) && !classes.knows(&[]));
        classes.learn(&units("Edit"));
        classes.learn(&[]);
        classes.learn(&units(&"x".repeat(LONGEST + 1)));
        assert!(classes.knows(&units("Edit")));
        for other in ["EDIT", "Edi", "Edit2", "", &"x".repeat(LONGEST + 1)] {
            assert!(!classes.knows(&units(other)), "{other}");
        }
        classes.learn(&units(&"x".repeat(LONGEST)));
        assert!(classes.knows(&units(&"x".repeat(LONGEST))));
        // Another name in the same place takes it.
        classes.learn(&units("Exit"));
        assert!(place(&units("Exit")) == place(&units("Edit")) && !classes.knows(&units("Edit")));
    }
}
