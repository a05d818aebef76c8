//! `--map-file OLD=NEW`: files of the recording that have another name in the replay.
//!
//! Where a text is OLD, it becomes NEW: typed into a field, chosen from a list, dropped. Where OLD is only a
//! part of it, as in a title or a command line, the part is replaced; where only OLD's last part is there, by
//! NEW's last part. The steps and the expected windows are mapped alike.

use message_log::{Entry, Key, Kind, Param, Params, Value};
use steps::{Action, Item, Plan};

/// Old names and new ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileMap(pub Vec<(String, String)>);

/// What is never the name of a document.
const KEPT: &[Key] = &[
    Key::WindowClass,
    Key::WindowControlName,
    Key::ApplicationPath,
    Key::ApplicationName,
    Key::WorkingDirectory,
    Key::MenuPath,
    Key::Module,
    Key::CrashModule,
];

impl FileMap {
    /// A text of the recording as the replay has it.
    pub fn map(&self, text: &str) -> String {
        let mut mapped = text.to_owned();
        for (old, new) in &self.0 {
            if same(mapped.trim_matches('"'), old) {
                mapped = new.clone();
                continue;
            }
            if is_path(old) {
                mapped = replace(&mapped, old, new);
            }
            mapped = replace(&mapped, last_part(old), last_part(new));
        }
        mapped
    }

    /// An entry of the log with all its texts mapped.
    pub fn entry(&self, entry: Entry) -> Entry {
        match entry {
            Entry::Event(mut event) if !self.0.is_empty() => {
                event.params = self.params(&event.params);
                if let Kind::Keyframe(frame) = &mut event.kind {
                    frame.windows = frame.windows.iter().map(|window| self.params(window)).collect();
                }
                Entry::Event(event)
            }
            entry => entry,
        }
    }

    fn params(&self, params: &Params) -> Params {
        let mapped = |param: &Param| match param {
            Param::Known(key, Value::Text(text)) if !KEPT.contains(key) => {
                let old = text.to_string_lossy();
                let new = self.map(&old);
                if new == old { param.clone() } else { Param::Known(*key, Value::Text(new.into())) }
            }
            other => other.clone(),
        };
        params.iter().map(mapped).collect()
    }

    /// What was typed letter by letter is put together in the plan only.
    pub fn plan(&self, plan: &mut Plan) {
        if self.0.is_empty() {
            return;
        }
        for step in &mut plan.steps {
            match &mut step.action {
                Action::Type { text, redacted: false, .. } => *text = self.map(text),
                Action::Drop { files } => files.iter_mut().for_each(|file| *file = self.map(file)),
                Action::Select { items, .. } => items.iter_mut().for_each(|item| self.item(item)),
                Action::Activate { item: Some(item), .. } => self.item(item),
                _ => {}
            }
        }
    }

    fn item(&self, item: &mut Item) {
        item.path.iter_mut().for_each(|text| *text = self.map(text));
    }
}

fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('/', "\\");
    plain(a) == plain(b)
}

fn is_path(name: &str) -> bool {
    name.contains(['\\', '/'])
}

fn last_part(name: &str) -> &str {
    name.rsplit(['\\', '/']).next().unwrap_or(name)
}

/// Replaces a name where it stands alone, whatever its case.
fn replace(text: &str, old: &str, new: &str) -> String {
    if old.is_empty() {
        return text.to_owned();
    }
    let is_part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let (mut out, mut rest, mut before) = (String::new(), text, None::<char>);
    while let Some(c) = rest.chars().next() {
        let end = old.chars().count();
        let len: usize = rest.chars().take(end).map(char::len_utf8).sum();
        let is_alone = !before.is_some_and(|c| is_part_of_name(c) || c == '.')
            && !rest[len..].chars().next().is_some_and(is_part_of_name);
        if is_alone && same(&rest[..len], old) {
            out.push_str(new);
            before = rest[..len].chars().next_back();
            rest = &rest[len..];
        } else {
            out.push(c);
            before = Some(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, text: &str, mapped: &str) {
        assert_eq!(FileMap(vec![(old.into(), new.into())]).map(text), mapped);
    }

    #[test]
    fn a_name_is_replaced_where_it_stands_alone() {
        let (old, new) = (r"C:\Büro\märz.txt", r"D:\ci\april.txt");
        check(old, new, r"C:\Büro\märz.txt", new);
        check(old, new, r"c:/büro/MÄRZ.txt", new);
        check(old, new, r#"notepad "C:\Büro\märz.txt" /x"#, r#"notepad "D:\ci\april.txt" /x"#);
        check(old, new, "märz.txt - Notepad", "april.txt - Notepad");
        check(old, new, "*märz.txt - Notepad", "*april.txt - Notepad");
        check(old, new, "frühmärz.txt", "frühmärz.txt");
        check(old, new, "märz.txt2", "märz.txt2");
        check("a.txt", r"D:\ci\b.txt", "a.txt", r"D:\ci\b.txt");
        check("a.txt", r"D:\ci\b.txt", "a.txt - Notepad", "b.txt - Notepad");
        check("a.txt", "b.txt", "", "");
    }
}
