//! The way to an item of an open menu.

use super::gui::{Gui, Menu};
use replay_link::clean;

/// The position in this menu of the item that is wanted or leads to it, and whether it is the
/// wanted one itself.
///
/// Some toolkits number their commands anew in every run: where command and label disagree, the label wins. A
/// label that does not exist may be translated; then the command decides.
pub(crate) fn next(gui: &dyn Gui, menu: Menu, command: Option<u32>, path: &[String]) -> Option<(i32, bool)> {
    let label = |position| clean(&gui.menu_label(menu, position));
    let by_command = || {
        (0..gui.menu_len(menu)).find_map(|position| match gui.sub_menu(menu, position) {
            None => {
                let is_it = Some(gui.menu_command(menu, position)) == command.filter(|id| *id != 0);
                is_it.then_some((position, true))
            }
            Some(inner) => next(gui, inner, command, &[]).map(|_| (position, false)),
        })
    };
    let by_label = || {
        (0..gui.menu_len(menu)).find_map(|position| {
            let label = label(position);
            let at = path.iter().position(|wanted| !label.is_empty() && *wanted == label)?;
            match gui.sub_menu(menu, position) {
                None => (at + 1 == path.len()).then_some((position, true)),
                Some(_) => (at + 1 < path.len()).then_some((position, false)),
            }
        })
    };
    let is_called = |position: i32| path.is_empty() || path.contains(&label(position));
    by_command().filter(|(position, _)| is_called(*position)).or_else(by_label).or_else(by_command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::Fake;

    #[test]
    fn the_way_leads_by_command_unless_another_label_has_it() {
        let inner = Menu(2);
        let fake = Fake::with("Frame")
            .menu(1, &[(0, "", None, false), (0, "&More", Some(inner), false), (8, "Close", None, false)])
            .menu(2, &[(7, "Rename", None, false), (9, "Re&move...", None, false)]);
        let way = |menu, command, path: &[&str]| {
            let path: Vec<String> = path.iter().map(|label| (*label).to_owned()).collect();
            next(&fake, menu, command, &path)
        };
        assert_eq!(way(Menu(1), Some(9), &[]), Some((1, false)));
        assert_eq!(way(inner, Some(9), &["More", "Remove"]), Some((1, true)));
        // The command is another item's now.
        assert_eq!(way(inner, Some(7), &["More", "Remove"]), Some((1, true)));
        assert_eq!(way(inner, Some(7), &["Mehr", "Umbenennen"]), Some((0, true)), "translated labels");
        assert_eq!(way(Menu(1), None, &["More", "Remove"]), Some((1, false)));
        assert_eq!(way(Menu(1), None, &["Nothing"]), None);
        assert_eq!(way(Menu(1), Some(0), &[]), None, "no command");
    }
}
