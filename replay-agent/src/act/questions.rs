//! Answers to what the replayer asks of a control.

use super::gui::{Gui, Menu};
use super::privacy::is_private;
use super::{facts, items, selected};
use replay_link::{Answer, Question, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::TB_BUTTONCOUNT;
use win32_vocabulary::items::{BTNS_SEP, TBSTATE_ENABLED, TBSTATE_HIDDEN};
use win32_vocabulary::messages::BM_GETCHECK;

/// Answers a question, on the control's own thread.
pub(crate) fn answer(gui: &dyn Gui, window: Window, question: &Question) -> Result<Answer, Trouble> {
    if !gui.exists(window) {
        return Err(Trouble::Gone);
    }
    match question {
        Question::Text if is_private(gui, window) => {
            Err(Trouble::Unable("the text of a password field is never read".into()))
        }
        Question::Text => Ok(Answer::Text(gui.text(window))),
        Question::Checked => Ok(Answer::Number(gui.ask(window, BM_GETCHECK, 0, 0) as i64)),
        Question::Selection => selected::texts(gui, window).map(Answer::Texts),
        Question::Facts => facts::of(gui, window).map(Answer::Facts),
        Question::ClientSize => {
            let size = gui.client_size(window);
            size.map(|(width, height)| Answer::Size(width, height)).ok_or(Trouble::Gone)
        }
        Question::Menu => Ok(Answer::Texts(menu(gui, window))),
        Question::Items => offered(gui, window).map(Answer::Texts),
        Question::Focus => Ok(Answer::Number(gui.focused().map_or(0, |window| window.0 as i64))),
        Question::Dpi => Ok(Answer::Number(gui.dpi(window).map_or(0, |dpi| i64::from(dpi.value)))),
    }
}

/// The commands of a menu bar with their labels. A program may make an open menu depend on the selection;
/// this is the menu as it is now.
fn menu(gui: &dyn Gui, window: Window) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(bar) = gui.menu_bar(window) {
        list_menu(gui, bar, &[], &mut commands);
    }
    commands
}

/// In the order a user reads them.
fn list_menu(gui: &dyn Gui, menu: Menu, above: &[String], commands: &mut Vec<String>) {
    const MAX_COMMANDS: usize = 10_000;
    const MAX_DEPTH: usize = 9;
    for position in 0..gui.menu_len(menu) {
        let label = gui.menu_label(menu, position);
        // The key that the label names comes behind a tab.
        let text = label.split('\t').next().unwrap_or_default().to_owned();
        let path = [above, &[text]].concat();
        match gui.sub_menu(menu, position) {
            Some(below) if path.len() < MAX_DEPTH => list_menu(gui, below, &path, commands),
            None if commands.len() < MAX_COMMANDS => {
                commands.push(format!("{}\t{}", gui.menu_command(menu, position), path.join("\t")));
            }
            _ => {}
        }
    }
}

/// What can be chosen in a control, as far as a user would look.
fn offered(gui: &dyn Gui, window: Window) -> Result<Vec<String>, Trouble> {
    const MAX_ITEMS: usize = 1000;
    let control = gui.control(window);
    let plain = |text: String| text.replace(['\t', '\r', '\n'], " ");
    let all = match control {
        Control::ListBox | Control::ComboBox | Control::ComboBoxEx | Control::ListView | Control::Tab => {
            let count = items::count(gui, window, control).min(MAX_ITEMS);
            (0..count).filter_map(|index| items::text(gui, window, control, index)).map(plain).collect()
        }
        Control::TreeView => {
            let mut found = Vec::new();
            let mut open: Vec<(Option<isize>, String)> = vec![(None, String::new())];
            while let Some((of, above)) = open.pop().filter(|_| found.len() < MAX_ITEMS) {
                for item in items::children(gui, window, of).take(MAX_ITEMS) {
                    let path = format!("{above}{}", plain(gui.tree_text(window, item)));
                    open.push((Some(item), format!("{path}\t")));
                    found.push(path);
                }
            }
            found
        }
        Control::ToolBar => tools(gui, window, MAX_ITEMS),
        _ => return Err(Trouble::Unable("the control has no items".into())),
    };
    Ok(all.into_iter().filter(|line: &String| !line.is_empty()).collect())
}

/// The tools that take a click, each with its command and its text.
fn tools(gui: &dyn Gui, bar: Window, most: usize) -> Vec<String> {
    let count = usize::try_from(gui.ask(bar, TB_BUTTONCOUNT, 0, 0)).unwrap_or(0);
    let tools = (0..count.min(most)).filter_map(|index| gui.tool(bar, index));
    let clickable = tools.filter(|tool| {
        let (state, style) = (u32::from(tool.state), u32::from(tool.style));
        state & (TBSTATE_ENABLED | TBSTATE_HIDDEN) == TBSTATE_ENABLED && style & BTNS_SEP == 0
    });
    clickable
        .map(|tool| format!("{}\t{}", tool.command, gui.tool_text(bar, tool.command).replace('\t', " ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake};
    use win32_vocabulary::messages::WM_GETTEXT;
    use win32_vocabulary::styles::ES_PASSWORD;

    fn ask(fake: &Fake, question: Question) -> Result<Answer, Trouble> {
        answer(fake, CONTROL, &question)
    }

    #[test]
    fn a_private_text_is_refused_and_not_even_asked_for() {
        let fake =
            Fake::with("TMaskEdit").style(ES_PASSWORD).change(|control| control.text = "Sesame99".into());
        assert!(ask(&fake, Question::Text).is_err());
        assert!(fake.asked(WM_GETTEXT).is_empty());
        let fake = Fake::with("TMaskEdit").change(|control| control.text = "12:30".into());
        assert_eq!(ask(&fake, Question::Text), Ok(Answer::Text("12:30".into())));
    }

    #[test]
    fn a_menu_is_listed_as_a_user_reads_it() {
        let (bar, file) = (Menu(1), Menu(2));
        let fake = Fake::with("Frame")
            .menu(1, &[(0, "&File", Some(file), false), (3, "Help", None, false)])
            .menu(2, &[(5, "&Open\tCtrl+O", None, false)])
            .change(|window| window.menu = Some(bar));
        let listed = ["5\t&File\t&Open", "3\tHelp"].map(String::from).to_vec();
        assert_eq!(ask(&fake, Question::Menu), Ok(Answer::Texts(listed)));
    }

    #[test]
    fn what_can_be_chosen_leaves_out_separators_and_empty_lines() {
        let texts = |fake: &Fake| match ask(fake, Question::Items) {
            Ok(Answer::Texts(texts)) => texts,
            other => panic!("{other:?}"),
        };
        let bar = Fake::with("ToolbarWindow32").items(&["Bold", "-", "Italic"]).answer(TB_BUTTONCOUNT, &[3]);
        assert_eq!(texts(&bar), ["400\tBold", "402\tItalic"]);
        assert_eq!(texts(&Fake::with("TListBox").items(&["a\tb", ""])), ["a b"]);
        let tree = Fake::with("SysTreeView32").nodes(&[(1, 0, "Root"), (2, 1, "Leaf")]);
        assert_eq!(texts(&tree), ["Root", "Root\tLeaf"]);
        assert!(ask(&Fake::with("Canvas"), Question::Items).is_err());
    }

    #[test]
    fn plain_questions_are_answered() {
        let fake = Fake::with("Edit");
        assert_eq!(ask(&fake, Question::ClientSize), Ok(Answer::Size(200, 60)));
        assert_eq!(ask(&fake, Question::Focus), Ok(Answer::Number(CONTROL.0 as i64)));
        assert_eq!(ask(&fake, Question::Dpi), Ok(Answer::Number(0)));
        let checked = Fake::with("TCheckBox").answer(BM_GETCHECK, &[1]);
        assert_eq!(ask(&checked, Question::Checked), Ok(Answer::Number(1)));
        let mut gone = Fake::with("Edit");
        gone.windows.clear();
        assert_eq!(ask(&gone, Question::Focus), Err(Trouble::Gone));
    }
}
