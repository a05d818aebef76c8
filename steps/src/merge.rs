//! Which steps are one: letters make a text, the same key pressed again is pressed twice, letters that choose
//! an item are a choice.

use super::step::{Action, EditCommand, Means, Step};
use win32_vocabulary::Control;

/// Puts a step behind the one before it, if the two are one. `is_barren` says that nothing followed from it.
pub(crate) fn merge(before: &mut Step, next: &Step, is_barren: bool) -> bool {
    if !before.target.is(&next.target) || before.thread != next.thread {
        return false;
    }
    // Digits of a date are what the date became.
    if before.target.control == Control::DatePicker
        && matches!((&before.action, &next.action), (Action::Type { .. }, Action::SetDate { .. }))
    {
        before.action = next.action.clone();
        take_over(before, next);
        return true;
    }
    match (&mut before.action, &next.action) {
        (Action::Type { text, result: None, .. }, Action::Type { text: more, .. }) => text.push_str(more),
        // Taking back what was just typed; more than that deletes what was there before.
        (Action::Type { text, result: None, .. }, Action::Keys { keys, times: 1 })
            if keys == "Backspace" && text.chars().count() > 1 =>
        {
            text.pop();
        }
        (Action::TypeSecret { name }, Action::TypeSecret { name: same }) if name == same => {}
        (Action::Keys { keys, times }, Action::Keys { keys: same, times: more }) if keys == same => {
            *times += more;
        }
        // The second letter of a name in a list, which is the item that the first one chose: alone it
        // would choose another.
        (Action::Select { by: Means::Keys(key), .. }, Action::Type { .. })
            if is_barren && key.chars().count() == 1 && before.target.control.has_items() => {}
        _ => return false,
    }
    take_over(before, next);
    true
}

/// The messages of one step become those of another.
fn take_over(before: &mut Step, next: &Step) {
    before.inputs.extend(&next.inputs);
    for span in &next.messages {
        match before.messages.last_mut() {
            Some(last) if last.thread == span.thread && last.last + 1 >= span.first => last.last = span.last,
            _ => before.messages.push(*span),
        }
    }
}

/// Gives the text an edit had after it was typed into to the last step that typed there. False
/// if there is none.
pub(crate) fn give_result<E>(steps: &mut [(Step, E)], last: usize, edit: u64, told: &str) -> bool {
    /// Results come soon.
    const LOOK_BACK: usize = 20;
    let before = steps.iter_mut().take(last + 1).rev().take(LOOK_BACK).map(|(step, _)| step);
    for step in before {
        if !leaves_text(&step.action) {
            // What it did to the text is told with it.
            return false;
        }
        if step.target.hwnd() != edit {
            continue;
        }
        match &mut step.action {
            Action::Type { result: result @ None, .. } => *result = Some(told.into()),
            Action::Edit { command: EditCommand::Copy, .. } => continue,
            Action::Edit { command, text, result: result @ None, .. } => {
                if *command == EditCommand::Paste {
                    *text = step.target.own_text.as_deref().and_then(|old| inserted(old, told));
                }
                *result = Some(told.into());
            }
            Action::Type { .. } | Action::Edit { .. } => {}
            _ => continue,
        }
        return true;
    }
    false
}

/// Whether a step tells itself what it does to a text, or does nothing to it. Keys that delete, insert or
/// redo, and commands, may do anything.
fn leaves_text(action: &Action) -> bool {
    const CHANGING: [&str; 5] = ["Delete", "Backspace", "Enter", "Insert", "Y"];
    match action {
        Action::Keys { keys, .. } => !keys.rsplit('+').next().is_some_and(|key| CHANGING.contains(&key)),
        Action::Shortcut { .. } | Action::Menu { chosen: true, .. } | Action::Tool { .. } => false,
        _ => true,
    }
}

/// What was put into a text, if nothing was taken out of it.
fn inserted(old: &str, new: &str) -> Option<String> {
    let head = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let tail = old.chars().count().checked_sub(head)?;
    let end: String = old.chars().skip(head).collect();
    let count = new.chars().count();
    let added: String = new.chars().skip(head).take(count.checked_sub(head + tail)?).collect();
    (new.ends_with(&end) && !added.is_empty()).then_some(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_not_told_across_a_key_that_deletes() {
        let keys = |keys: &str| Action::Keys { keys: keys.into(), times: 1 };
        assert!(leaves_text(&keys("Ctrl+Shift+End")) && leaves_text(&keys("Ctrl+A")));
        assert!(!leaves_text(&keys("Delete")) && !leaves_text(&keys("Ctrl+Backspace")));
        assert!(!leaves_text(&Action::Shortcut { keys: "Ctrl+Z".into(), command: 1, path: None }));
    }

    #[test]
    fn what_was_pasted_is_what_is_there_more() {
        assert_eq!(inserted("", "lamp").as_deref(), Some("lamp"));
        assert_eq!(inserted("blue !", "blue lamp!").as_deref(), Some("lamp"));
        assert_eq!(inserted("lamp", "lamp"), None);
        assert_eq!(inserted("green", "lamp"), None, "something was replaced");
    }
}
