//! Names of classes that windows were made of lately, so that the birth of the next such window need
//! not ask the system.
//!
//! What a CREATESTRUCT has is what the window's maker wrote, in letters of any case or as an atom; a log has
//! the system's own spelling. A name that the system has spelt just so before is taken as it stands there.

use crate::shared::controls::{Kind, kind_of};

/// Names of how many lengths, and how many of each.
const LENGTHS: usize = 16;
const EACH: usize = 4;
/// Longer names are asked for each time.
pub(crate) const LONGEST: usize = 63;
/// Bytes of a name's room: whole words, at least one of them behind the name.
pub(crate) const ROOM: usize = 2 * LONGEST + 2 + 8;
const WORDS: usize = ROOM / 8;

/// Names as the system spells them. Where one is looked for depends on its length alone: an address that is
/// made of the name's letters would have to be waited for, and takes longer than the comparison.
pub(crate) struct ClassCache([Bucket; LENGTHS]);

/// Names of one length, and of those sixteen longer or shorter.
#[derive(Clone, Copy)]
struct Bucket {
    names: [CachedClass; EACH],
    /// Which of them goes when there is no room for another.
    next: usize,
}

/// A class as the system spells it.
#[derive(Clone, Copy)]
pub(crate) struct CachedClass {
    /// Four units a word; zeros behind the name.
    words: [[u16; 4]; WORDS],
    /// In bytes.
    len: usize,
    /// What control it stands for.
    pub(crate) kind: Kind,
}

impl CachedClass {
    /// Its name.
    pub(crate) fn name(&self) -> &[u16] {
        &self.words.as_flattened()[..self.len / 2]
    }
}

impl ClassCache {
    pub(crate) const fn new() -> Self {
        let none = CachedClass { words: [[0; 4]; WORDS], len: 0, kind: Kind::Other };
        Self([Bucket { names: [none; EACH], next: 0 }; LENGTHS])
    }

    /// A name, so many bytes at the beginning of its room: its class, if this is how the system spells it.
    #[inline(always)]
    pub(crate) fn find(&self, room: &[u8; ROOM], len: usize) -> Option<&CachedClass> {
        let (words, _) = room.as_chunks::<8>();
        let whole = len / 8;
        let last = u64::from_le_bytes(*words.get(whole)?) & ((1 << (8 * (len % 8))) - 1);
        let is_it = |class: &&CachedClass| {
            let (known, rest) = class.words.split_at(whole);
            class.len == len
                && rest.first() == Some(&units(last))
                && known.iter().zip(words).all(|(known, told)| *known == units(u64::from_le_bytes(*told)))
        };
        self.0[place(len)].names.iter().find(is_it).filter(|_| len > 0)
    }

    /// A name from the system, and the kind of control it stands for. Where there is no room the one
    /// learnt first goes.
    pub(crate) fn insert(&mut self, name: &[u16]) -> Kind {
        let kind = kind_of(name);
        if (1..=LONGEST).contains(&name.len()) {
            let (mut words, len) = ([[0; 4]; WORDS], 2 * name.len());
            words.as_flattened_mut()[..name.len()].copy_from_slice(name);
            let Bucket { names, next } = &mut self.0[place(len)];
            if !names.iter().any(|class| class.len == len && class.words == words) {
                names[*next] = CachedClass { words, len, kind };
                *next = (*next + 1) % EACH;
            }
        }
        kind
    }
}

fn place(len: usize) -> usize {
    len / 2 % LENGTHS
}

fn units(word: u64) -> [u16; 4] {
    [0, 16, 32, 48].map(|shift| (word >> shift) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    /// What is known of a name that stands in a room full of other things.
    fn known(classes: &ClassCache, text: &str) -> Option<(String, Kind)> {
        let mut room = [0xEE; ROOM];
        let bytes = units(text).into_iter().flat_map(u16::to_le_bytes);
        let len = room.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count();
        classes.find(&room, len).map(|class| (String::from_utf16_lossy(class.name()), class.kind))
    }

    #[test]
    fn a_name_is_known_as_the_system_spells_it_and_not_otherwise() {
        let mut classes = ClassCache::new();
        assert!(known(&classes, "Edit").is_none() && known(&classes, "").is_none());
        assert_eq!(classes.insert(&units("Edit")), Kind::Edit);
        classes.insert(&[]);
        classes.insert(&units(&"x".repeat(LONGEST + 1)));
        assert_eq!(known(&classes, "Edit"), Some(("Edit".into(), Kind::Edit)));
        for other in ["EDIT", "Edi", "Edit2", "Eait", "", &"x".repeat(LONGEST + 1)] {
            assert!(known(&classes, other).is_none(), "{other}");
        }
        for len in 1..=LONGEST {
            let name: String = "WindowsForms10.EDIT.app.0.141b42a_r6_ad1".chars().cycle().take(len).collect();
            classes.insert(&units(&name));
            assert_eq!(known(&classes, &name), Some((name.clone(), kind_of(&units(&name)))));
            for at in 0..len {
                let other = name.chars().enumerate().map(|(i, c)| if i == at { '#' } else { c });
                assert!(known(&classes, &other.collect::<String>()).is_none(), "{len} {at}");
            }
        }
    }

    #[test]
    fn a_name_goes_only_where_there_is_no_room() {
        let mut classes = ClassCache::new();
        for name in ["Button", "Edit", "ListBox", "#32770", "#32770", "#32770", "Edit", "#32770", "Static"] {
            classes.insert(&units(name));
        }
        assert!(["Button", "Static", "#32770"].into_iter().all(|name| known(&classes, name).is_some()));
        ["Xutton", "Yutton"].into_iter().for_each(|name| {
            classes.insert(&units(name));
        });
        let names = ["Button", "#32770", "Static", "Xutton", "Yutton"];
        assert_eq!(names.map(|name| known(&classes, name).is_some()), [false, true, true, true, true]);
    }

    /// They begin and end alike.
    #[test]
    fn names_of_a_toolkit_do_not_drive_each_other_out() {
        let kinds = ["EDIT", "BUTTON", "STATIC", "LISTBOX", "COMBOBOX", "SysTreeView32", "SysListView32"];
        let names = kinds.map(|kind| format!("WindowsForms10.{kind}.app.0.141b42a_r6_ad1"));
        let mut classes = ClassCache::new();
        names.iter().for_each(|name| {
            classes.insert(&units(name));
        });
        assert!(names.iter().all(|name| known(&classes, name).is_some()));
    }
}
