//! The texts of a window that a step opens: its title, what its labels and buttons say, what its fields hold.
//! A question that names another file is another question.

use crate::driver::Driver;
use crate::evidence::Compared;
use crate::expect::is_transient;
use crate::live_windows::{LiveWindows, Lookup, is_visible};
use crate::miss::{Comparison, Miss};
use crate::oracle::Rules;
use crate::text::{describe_window, same_text, text_of};
use std::collections::BTreeSet;
use win32_vocabulary::commands::{IDCANCEL, IDHELP};
use window_tree::{Node, Tree, keeps_own_text};

/// More windows than these in one that opens are not compared: a dialog has fewer.
const MAX_WINDOWS: usize = 500;

/// What is compared with.
pub(crate) struct Texts<'a> {
    /// The recorded windows after the step.
    pub recorded: &'a Tree,
    pub renamings: &'a Renamings,
    pub rules: &'a Rules,
}

impl Texts<'_> {
    /// Holds the texts of a recorded window that has just opened against those of its live counterpart.
    pub(crate) fn compare(
        &self,
        opened: u64,
        live_windows: &mut LiveWindows,
        driver: &mut dyn Driver,
    ) -> Comparison {
        let same = Comparison::Same(Compared { window: true, opened: true, ..Compared::default() });
        let recorded = self.recorded;
        let Some(live) = live_windows.find(recorded, opened).hwnd() else { return same };
        if self.renamings.is_translated(recorded, opened, live_windows) {
            return same;
        }
        let inside = |tree: &Tree, top: u64| -> Vec<u64> {
            let is_inside = |node: &&Node| tree.ancestry(node.hwnd).iter().any(|above| above.hwnd == top);
            let shown = tree.walk().map(|(_, node)| node).filter(is_inside);
            shown.filter(|node| is_visible(tree, node.hwnd)).map(|node| node.hwnd).take(MAX_WINDOWS).collect()
        };
        let now: Vec<u64> = inside(live_windows.tree(), live);
        let shown: BTreeSet<String> =
            now.iter().filter_map(|&hwnd| live_windows.tree().get(hwnd)).map(name).collect();
        for hwnd in inside(recorded, opened) {
            let Some(node) = recorded.get(hwnd).filter(|node| is_compared(node)) else { continue };
            let keeps = node.class().is_some_and(keeps_own_text);
            let wanted = if keeps { node.own_text().map(ToString::to_string) } else { Some(name(node)) };
            let Some(wanted) = wanted.filter(|text| !text.is_empty()) else { continue };
            if !keeps && shown.iter().any(|text| self.renamings.is_same(&wanted, text)) {
                continue;
            }
            let found = live_windows.find(recorded, hwnd);
            let is = found.hwnd();
            let is_ignored = self.rules.ignores(recorded, hwnd, "text")
                || is.is_some_and(|is| self.rules.ignores(live_windows.tree(), is, "text"));
            if is_ignored {
                continue;
            }
            let actual = match is {
                Some(is) if keeps => text_of(driver, is),
                Some(is) => live_windows.tree().get(is).map(name),
                // An edit that cannot be told from others holds nothing that could be compared.
                None if keeps || matches!(found, Lookup::NotRecorded) => continue,
                None => None,
            };
            let is_same = actual.as_ref().is_some_and(|now| self.renamings.is_same(&wanted, now));
            // A field that does not answer is not compared.
            if !is_same && (actual.is_some() || !keeps) {
                let window = describe_window(recorded, opened);
                return Comparison::Different(Miss {
                    expected: format!("{window} shows “{wanted}”"),
                    actual: match actual.filter(|text| !text.is_empty()) {
                        Some(now) => format!("it shows “{now}”"),
                        None => "it shows no such text".into(),
                    },
                });
            }
        }
        same
    }
}

/// Whether the text of a window counts: one that nobody masked, of a class that does not come
/// and go by itself.
fn is_compared(node: &Node) -> bool {
    let class = node.class().map(ToString::to_string).unwrap_or_default();
    node.is_known && !node.is_masked() && !is_transient(&class)
}

fn name(node: &Node) -> String {
    node.name().map(ToString::to_string).unwrap_or_default()
}

/// What is called differently in this run than in the recording: documents in titles, and everything in
/// another language.
#[derive(Debug, Default)]
pub(crate) struct Renamings {
    /// What titles have in the recording, and what they have instead.
    parts: Vec<(String, String)>,
    /// Whether most of what has a name has another one.
    is_translated: bool,
}

impl Renamings {
    /// As the windows show it before a step.
    pub(crate) fn of(recorded: &Tree, live_windows: &mut LiveWindows) -> Self {
        let (mut same, mut other) = (0, 0);
        let mut parts = Vec::new();
        let named: Vec<(u64, u64, String)> = recorded
            .walk()
            .map(|(_, node)| node)
            .filter(|node| is_compared(node) && is_visible(recorded, node.hwnd))
            .filter(|node| !node.class().is_some_and(keeps_own_text))
            .map(|node| (node.hwnd, node.parent(), name(node)))
            .filter(|(.., name)| name.chars().any(char::is_alphabetic))
            .take(MAX_WINDOWS)
            .collect();
        for (hwnd, parent, was) in named {
            let Some(live) = live_windows.find(recorded, hwnd).hwnd() else { continue };
            let Some(is) = live_windows.tree().get(live).map(name) else { continue };
            if is == was {
                same += 1;
            } else {
                other += 1;
                if parent == 0 {
                    parts.extend(different_part(&was, &is));
                }
            }
        }
        Self { parts, is_translated: other > same }
    }

    /// Whether a window that has just opened is in another language. The buttons that Windows names tell;
    /// where there is none but OK, which many languages have, the other windows of the program tell.
    fn is_translated(&self, recorded: &Tree, opened: u64, live_windows: &mut LiveWindows) -> bool {
        let is_standard = |id: i64| (i64::from(IDCANCEL)..=i64::from(IDHELP)).contains(&id);
        let buttons: Vec<(u64, String)> = recorded
            .children(opened)
            .filter(|node| node.resource_id().is_some_and(is_standard))
            .filter(|node| !name(node).is_empty())
            .map(|node| (node.hwnd, name(node)))
            .collect();
        let mut is_known = false;
        for (hwnd, was) in buttons {
            let Some(live) = live_windows.find(recorded, hwnd).hwnd() else { continue };
            let Some(is) = live_windows.tree().get(live).map(name) else { continue };
            if is != was {
                return true;
            }
            is_known = true;
        }
        !is_known && self.is_translated
    }

    /// Whether a text is the recorded one, but for what has another name in this run, the folders that files
    /// are in, and times.
    fn is_same(&self, recorded: &str, now: &str) -> bool {
        let plain = |text: &str| without_times(&without_folders(text));
        let is_same = |recorded: &str| same_text(&plain(recorded), &plain(now));
        is_same(recorded) || self.parts.iter().any(|(was, is)| is_same(&recorded.replace(was, is)))
    }
}

/// The words in which two titles differ: `a.txt` and `b.txt` of `a.txt - Notepad` and `b.txt - Notepad`.
fn different_part(was: &str, is: &str) -> Option<(String, String)> {
    let (was, is): (Vec<&str>, Vec<&str>) = (was.split(' ').collect(), is.split(' ').collect());
    let begin = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
    let most = was.len().min(is.len()) - begin;
    let end = was.iter().rev().zip(is.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (was, is) = (was[begin..was.len() - end].join(" "), is[begin..is.len() - end].join(" "));
    let is_name = |text: &str| text.chars().any(char::is_alphabetic);
    (is_name(&was) && is_name(&is)).then_some((was, is))
}

/// A text with the names of files alone: `'C:\\users\\ann/a.txt'` is `'a.txt'`.
fn without_folders(text: &str) -> String {
    let mut words = Vec::new();
    for word in text.split(' ') {
        let is_drive = |at: &usize| *at > 0 && word.as_bytes()[at - 1].is_ascii_alphabetic();
        let drive = word.find(":\\").or(word.find(":/")).filter(is_drive);
        let last = word.rfind(['\\', '/']);
        let is_temporary = word.to_lowercase().contains("\\temp\\");
        words.push(match (drive, last) {
            // Temporary files have another name in every run.
            (Some(drive), Some(_)) if is_temporary && word.ends_with(".tmp") => {
                format!("{}temporary file", &word[..drive - 1])
            }
            (Some(drive), Some(last)) => format!("{}{}", &word[..drive - 1], &word[last + 1..]),
            _ => word.to_owned(),
        });
    }
    words.join(" ")
}

/// A text without its times and dates: digits with `:` between them, or in three groups with `.`, `/` or
/// `-` between them.
fn without_times(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '/' | '-');
    let mut out = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(begin);
        let end = number.find(|c: char| !is_part(c)).unwrap_or(number.len());
        let end = number[..end].trim_end_matches(|c: char| !c.is_ascii_digit()).len();
        out.push_str(before);
        out.push_str(if is_time(&number[..end]) { "0" } else { &number[..end] });
        rest = &number[end..];
    }
    out + rest
}

fn is_time(number: &str) -> bool {
    let groups = |separator| number.split(separator).filter(|part: &&str| !part.is_empty()).count();
    groups(':') > 1 || ['.', '/', '-'].into_iter().any(|separator| groups(separator) == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_may_have_another_name_and_folder() {
        let renamed = Renamings { parts: vec![("a.txt".into(), "b.txt".into())], is_translated: false };
        assert!(renamed.is_same("Save changes to a.txt?", "Save changes to b.txt?"));
        assert!(!renamed.is_same("Save changes to a.txt?", "Save changes to c.txt?"));
        let plain = Renamings::default();
        assert!(plain.is_same("Cannot find C:\\users\\ann\\a.txt.", "Cannot find D:\\b\\a.txt."));
        assert!(!plain.is_same("Cannot find C:\\users\\a.txt.", "Cannot find C:\\users\\b.txt."));
        let untitled =
            Renamings { parts: vec![("Untitled".into(), "note.txt".into())], is_translated: false };
        assert!(untitled.is_same("File 'Untitled' has been", "File 'C:\\Temp\\work-1/note.txt' has been"));
        assert!(plain.is_same("“C:\\a\\b.txt” at 12:30", "“C:\\b.txt” at 9:05:11"));
    }

    #[test]
    fn a_count_is_no_time() {
        let plain = Renamings::default();
        assert!(!plain.is_same("Delete 3 files?", "Delete 4 files?"));
        assert!(!plain.is_same("Version 1.2", "Version 1.3"));
        assert!(plain.is_same("Printed 2026-11-18.", "Printed 2025-01-02."));
        assert!(plain.is_same("at 18.11.2026, 12:00", "at 19.12.2026, 13:01"));
        assert!(!plain.is_same("delta.txt", "gamma.log"));
    }

    #[test]
    fn titles_differ_in_their_document() {
        let part = |was, is| different_part(was, is);
        assert_eq!(part("a.txt - Notepad", "b.txt - Notepad"), Some(("a.txt".into(), "b.txt".into())));
        assert_eq!(part("Invoice - my file.x", "Invoice - c"), Some(("my file.x".into(), "c".into())));
        assert_eq!(part("Notepad", "Notepad"), None);
        assert_eq!(part("a - Notepad", "Notepad"), None);
        assert_eq!(part("Page 1 of 2", "Page 2 of 2"), None);
    }
}
