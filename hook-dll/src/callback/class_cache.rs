//! Names of the classes of recent windows, so that the creation of the next such window does not need
//! to call Windows.
//!
//! A CREATESTRUCT has the class name as the program wrote it, in any case or as an atom; a log has Windows'
//! own spelling. A name that equals Windows' spelling of an earlier one is copied as it is.

use crate::shared::controls::control_of_class;
use win32_vocabulary::Control;

/// The number of buckets, and of names in each.
const LENGTHS: usize = 16;
const EACH: usize = 4;
/// For longer names the callback calls Windows each time.
pub(crate) const LONGEST: usize = 63;
/// The bytes reserved for a name: whole words, at least one of them after the name.
pub(crate) const ROOM: usize = 2 * LONGEST + 2 + 8;
const WORDS: usize = ROOM / 8;

/// Names as Windows spells them. The length alone selects the bucket: a hash of the letters would take longer
/// than the comparison, because the processor would wait for it.
pub(crate) struct ClassCache([Bucket; LENGTHS]);

/// Names of one length, and of those that are a multiple of 16 longer or shorter.
#[derive(Clone, Copy)]
struct Bucket {
    names: [CachedClass; EACH],
    /// The name to replace next.
    next: usize,
}

/// A class as Windows spells it.
#[derive(Clone, Copy)]
pub(crate) struct CachedClass {
    /// Four units per word; zeros after the name.
    words: [[u16; 4]; WORDS],
    /// In bytes.
    len: usize,
    /// The control it stands for.
    pub(crate) control: Control,
}

impl CachedClass {
    /// Its name.
    pub(crate) fn name(&self) -> &[u16] {
        &self.words.as_flattened()[..self.len / 2]
    }
}

impl ClassCache {
    pub(crate) const fn new() -> Self {
        let none = CachedClass { words: [[0; 4]; WORDS], len: 0, control: Control::Other };
        Self([Bucket { names: [none; EACH], next: 0 }; LENGTHS])
    }

    /// The class of a name, which is the first `len` bytes of `room`, if Windows spells it exactly so.
    #[inline(always)]
    pub(crate) fn find(&self, room: &[u8; ROOM], len: usize) -> Option<&CachedClass> {
        let (words, _) = room.as_chunks::<8>();
        let whole = len / 8;
        let last = u64::from_le_bytes(*words.get(whole)?) & ((1 << (8 * (len % 8))) - 1);
        let is_it = |class: &&CachedClass| {
            let (known, rest) = class.words.split_at(whole);
            class.len == len
                && rest.first() == Some(&units(last))
                && known.iter().zip(words).all(|(known, found)| *known == units(u64::from_le_bytes(*found)))
        };
        self.0[place(len)].names.iter().find(is_it).filter(|_| len > 0)
    }

    /// Inserts a name that Windows returned, in place of the oldest in its bucket. Returns the
    /// control it stands for.
    pub(crate) fn insert(&mut self, name: &[u16]) -> Control {
        let control = control_of_class(name);
        if (1..=LONGEST).contains(&name.len()) {
            let (mut words, len) = ([[0; 4]; WORDS], 2 * name.len());
            words.as_flattened_mut()[..name.len()].copy_from_slice(name);
            let Bucket { names, next } = &mut self.0[place(len)];
            if !names.iter().any(|class| class.len == len && class.words == words) {
                names[*next] = CachedClass { words, len, control };
                *next = (*next + 1) % EACH;
            }
        }
        control
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

    /// Looks a name up that is followed by other bytes.
    fn known(classes: &ClassCache, text: &str) -> Option<(String, Control)> {
        let mut room = [0xEE; ROOM];
        let bytes = units(text).into_iter().flat_map(u16::to_le_bytes);
        let len = room.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count();
        classes.find(&room, len).map(|class| (String::from_utf16_lossy(class.name()), class.control))
    }

    #[test]
    fn a_name_is_found_as_windows_spells_it_and_not_otherwise() {
        let mut classes = ClassCache::new();
        assert!(known(&classes, "Edit").is_none() && known(&classes, "").is_none());
        assert_eq!(classes.insert(&units("Edit")), Control::Edit);
        classes.insert(&[]);
        classes.insert(&units(&"x".repeat(LONGEST + 1)));
        assert_eq!(known(&classes, "Edit"), Some(("Edit".into(), Control::Edit)));
        for other in ["EDIT", "Edi", "Edit2", "Eait", "", &"x".repeat(LONGEST + 1)] {
            assert!(known(&classes, other).is_none(), "{other}");
        }
        for len in 1..=LONGEST {
            let name: String = "WindowsForms10.EDIT.app.0.141b42a_r6_ad1".chars().cycle().take(len).collect();
            classes.insert(&units(&name));
            assert_eq!(known(&classes, &name), Some((name.clone(), control_of_class(&units(&name)))));
            for at in 0..len {
                let other = name.chars().enumerate().map(|(i, c)| if i == at { '#' } else { c });
                assert!(known(&classes, &other.collect::<String>()).is_none(), "{len} {at}");
            }
        }
    }

    #[test]
    fn a_name_is_replaced_only_in_a_full_bucket() {
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
    fn names_of_a_toolkit_do_not_replace_each_other() {
        let kinds = ["EDIT", "BUTTON", "STATIC", "LISTBOX", "COMBOBOX", "SysTreeView32", "SysListView32"];
        let names = kinds.map(|kind| format!("WindowsForms10.{kind}.app.0.141b42a_r6_ad1"));
        let mut classes = ClassCache::new();
        names.iter().for_each(|name| {
            classes.insert(&units(name));
        });
        assert!(names.iter().all(|name| known(&classes, name).is_some()));
    }
}
