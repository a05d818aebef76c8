//! An item of a menu bar, chosen without opening the menu. Windows lets the application update its menus
//! first, so this does too.
//!
//! If the recorded command belongs to another label now, and the recorded labels exist with another command,
//! the labels win: toolkits number their commands when they create a menu. Labels that do not exist may be
//! translated; then the command decides.

use super::gui::{Gui, Menu};
use super::plan::{Perform, Preparation, word_pair};
use replay_link::{Trouble, Window, clean};
use win32_vocabulary::menus::{MENU_CLOSED, MF_MOUSESELECT};
use win32_vocabulary::messages::{WM_COMMAND, WM_INITMENU, WM_INITMENUPOPUP, WM_MENUSELECT};

/// The command of a menu or accelerator. Without a path the command alone decides.
pub(crate) fn command(
    on: &mut Preparation<'_>,
    mut id: u32,
    accelerator: bool,
    path: &[String],
) -> Result<Perform, Trouble> {
    let (gui, window) = (on.gui, on.window);
    let mut found = None;
    if let Some(bar) = gui.menu_bar(window) {
        gui.send(window, WM_INITMENU, bar.0, 0);
        let bars = MenuBar { gui, window };
        found = bars.open_to(bar, id, false).filter(|at| bars.is_called(*at, path));
        found = found.or_else(|| bars.open_along(bar, path)).or_else(|| bars.open_to(bar, id, true));
        if let Some((menu, position)) = found {
            if gui.is_menu_item_disabled(menu, position) {
                return Err(Trouble::Disabled);
            }
            let now = gui.menu_command(menu, position);
            if now != id {
                on.remark(format!(
                    "{} was found by its label: its command is {now} now and was {id}",
                    path.join(" > ")
                ));
                id = now;
            }
        }
    }
    Ok(Box::new(move |gui| {
        // Windows highlights an item before it is chosen, and none once the menu has closed.
        if let Some((menu, _)) = found.filter(|_| !accelerator) {
            gui.send(
                window,
                WM_MENUSELECT,
                word_pair(id as i32, MF_MOUSESELECT as i32),
                menu.0.cast_signed(),
            );
            gui.send(window, WM_MENUSELECT, word_pair(0, MENU_CLOSED as i32), 0);
        }
        gui.send(window, WM_COMMAND, word_pair(id as i32, i32::from(accelerator)), 0);
    }))
}

struct MenuBar<'a> {
    gui: &'a dyn Gui,
    window: Window,
}

impl MenuBar<'_> {
    fn label(&self, menu: Menu, position: i32) -> String {
        clean(&self.gui.menu_label(menu, position))
    }

    /// Whether an item has the last label of a path. An item that the program draws has no label
    /// and may have any.
    fn is_called(&self, (menu, position): (Menu, i32), path: &[String]) -> bool {
        let label = self.label(menu, position);
        label.is_empty() || path.last().is_none_or(|wanted| *wanted == label)
    }

    /// The menu with the command and the position there. The application hears of each menu on the way, or
    /// of every menu if it fills them only then.
    fn open_to(&self, menu: Menu, id: u32, every: bool) -> Option<(Menu, i32)> {
        for position in 0..self.gui.menu_len(menu) {
            let Some(inner) = self.gui.sub_menu(menu, position) else {
                if self.gui.menu_command(menu, position) == id {
                    return Some((menu, position));
                }
                continue;
            };
            if every {
                self.open(inner, position);
            }
            if let Some((found, _)) = self.open_to(inner, id, every) {
                if !every {
                    self.open(inner, position);
                }
                // The application may have moved it just now.
                return (0..self.gui.menu_len(found))
                    .find(|&position| self.gui.menu_command(found, position) == id)
                    .map(|position| (found, position));
            }
        }
        None
    }

    /// The item that the labels lead to.
    fn open_along(&self, menu: Menu, path: &[String]) -> Option<(Menu, i32)> {
        // Items that the program draws have no label, and neither have separators.
        let (label, rest) = path.split_first().filter(|(label, _)| !label.is_empty())?;
        let is_called = |&position: &i32| self.label(menu, position) == *label;
        let mut called = (0..self.gui.menu_len(menu)).filter(is_called);
        called.find_map(|position| match self.gui.sub_menu(menu, position) {
            Some(inner) => {
                self.open(inner, position);
                self.open_along(inner, rest)
            }
            None => rest.is_empty().then_some((menu, position)),
        })
    }

    fn open(&self, menu: Menu, position: i32) {
        self.gui.send(self.window, WM_INITMENUPOPUP, menu.0, position as isize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, FakeMenuItem, send};
    use crate::act::gui::Call;
    use replay_link::Act;

    const BAR: Menu = Menu(90);
    const EDIT: Menu = Menu(91);

    /// A bar with one menu, which has these items.
    fn window(items: &[FakeMenuItem]) -> Fake {
        let fake = Fake::with("Frame").menu(BAR.0, &[(0, "&Edit", Some(EDIT), false)]).menu(EDIT.0, items);
        fake.change(|window| window.menu = Some(BAR))
    }

    fn command(id: u32, accelerator: bool, path: &[&str]) -> Act {
        Act::Command { id, accelerator, path: path.iter().map(|label| (*label).to_owned()).collect() }
    }

    fn opened() -> [Call; 2] {
        [send(CONTROL, WM_INITMENU, BAR.0, 0), send(CONTROL, WM_INITMENUPOPUP, EDIT.0, 0)]
    }

    fn chosen(id: usize) -> [Call; 3] {
        let highlighted = send(CONTROL, WM_MENUSELECT, id | 0x8000 << 16, EDIT.0 as isize);
        let closed = send(CONTROL, WM_MENUSELECT, 0xFFFF_0000, 0);
        [highlighted, closed, send(CONTROL, WM_COMMAND, id, 0)]
    }

    #[test]
    fn menus_are_updated_before_a_command_is_chosen() {
        let fake = window(&[(5, "&Copy\tCtrl+C", None, false)]);
        let (calls, remarks) = fake.act_with_remarks(command(5, false, &["Edit", "Copy"])).unwrap();
        assert_eq!(calls, [&opened()[..], &chosen(5)].concat());
        assert!(remarks.is_empty(), "{remarks:?}");
        let by_key = fake.act(command(5, true, &[])).unwrap();
        assert_eq!(by_key[2..], [send(CONTROL, WM_COMMAND, 5 | 1 << 16, 0)], "a key highlights nothing");
    }

    #[test]
    fn a_label_wins_over_a_number_that_another_item_has_now() {
        let fake = window(&[(5, "Remove", None, false), (6, "Copy", None, false)]);
        let (calls, remarks) = fake.act_with_remarks(command(5, false, &["Edit", "Copy"])).unwrap();
        assert_eq!(calls[calls.len() - 3..], chosen(6));
        assert_eq!(remarks, ["Edit > Copy was found by its label: its command is 6 now and was 5"]);
    }

    #[test]
    fn a_number_decides_where_the_labels_are_translated() {
        let fake = window(&[(5, "Kopieren", None, false)]);
        let calls = fake.act(command(5, false, &["Edit", "Copy"])).unwrap();
        assert_eq!(calls[calls.len() - 3..], chosen(5));
    }

    #[test]
    fn a_disabled_item_is_refused_and_a_window_without_a_menu_takes_any_command() {
        let fake = window(&[(5, "Copy", None, true)]);
        assert_eq!(fake.act(command(5, false, &[])), Err(Trouble::Disabled));
        let calls = Fake::with("Frame").act(command(5, false, &[])).unwrap();
        assert_eq!(calls, [send(CONTROL, WM_COMMAND, 5, 0)]);
    }
}
