//! The table of `docs/replay.md`: every interaction with the one act that is chosen for it, and why.
//! `choose.rs` names a rule with everything it decides; a test holds the page to this table.

/// One line of the table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// What the user did.
    pub interaction: &'static str,
    /// What the replay does for it.
    pub act: &'static str,
    /// Why that and nothing else.
    pub why: &'static str,
}

macro_rules! rules {
    ($($name:ident $interaction:literal => $act:literal, $why:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule { interaction: $interaction, act: $act, why: $why };)*

        /// Every rule, in the order of the page.
        #[cfg(test)]
        pub(crate) const RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    PRESS "push, command-link or owner-drawn button, by mouse, Space, Enter, Esc or mnemonic"
        => "BM_CLICK to the button", "the button tells its parent as if it had been clicked; a dialog key is the command it caused";
    PRESS_UNTOLD "click on a button that tells its parent nothing (WinForms)" => "BM_CLICK to the button", "what it does needs no point";
    PRESS_TWICE "double click on a button that tells double clicks"
        => "a double click in the middle of the button", "no message but the click makes BN_DOUBLECLICKED; the middle needs no recorded point";
    PRESS_OTHER "control of an unknown class that tells its parent BN_CLICKED"
        => "a click in the middle of it", "only the system's own buttons know BM_CLICK; the middle needs no recorded point";
    LEAVE "button pressed, mouse released beside it" => "nothing", "the program was told nothing";
    CHECK "check box" => "the state it had afterwards, and BN_CLICKED to the parent", "a click would turn the wrong way if the box began otherwise";
    RADIO "radio button, by mouse, arrow or mnemonic" => "BM_CLICK to the button", "the arrow's command is the button's; the group follows by itself";
    TYPE_KEYS "typing into a window of the program's own making" => "WM_KEYDOWN and WM_KEYUP of each character's key; WM_CHAR of a character that has none", "some programs want the key, some the character, which they make of the key themselves";
    TYPE "typing, also by an input method" => "WM_CHAR for each character; the recorded text is set if it is not there afterwards",
        "the character is what the key and the input method came to; keys would make it twice";
    TYPE_REDACTED "typing into a veiled field" => "WM_CHAR for each character of the recorded shape, or of `--secret LABEL=VALUE`",
        "the log has a letter for each letter and a digit for each digit, not the text";
    SECRET "typing a password" => "the whole text, from `--secret NAME=VALUE`; without it the replay is blocked", "the log does not even have its length";
    PASTE "pasting, where the result is known" => "the whole text", "the clipboard of the replay holds something else";
    CLIPBOARD "cut, copy, clear, undo, paste of unknown text" => "WM_CUT, WM_COPY, WM_CLEAR, WM_UNDO, WM_PASTE; the recorded text is set if it is not there afterwards",
        "the message is what the key or menu came to";
    SELECT "items of list, combo box, list view, tree, tab" => "the selection, and the notification to the parent", "by the item's text first, its place second: lists are sorted and filtered";
    DESELECT "an item taken out of a selection" => "the selection without it, and the notification to the parent", "by the item's text first, its place second";
    CHECK_ITEM "check box of an item" => "the state it had afterwards", "a click would turn the wrong way if the item began otherwise";
    CHECK_UNTOLD "check box of a tree's item" => "the selection, then Space", "trees do not tell whether it is on";
    EXPAND "branch of a tree" => "open or closed as recorded, and the notification to the parent", "the state is what counts, not the key or the click";
    ACTIVATE "double click or Enter on an item" => "the item's activation, and the notification to the parent", "needs no point";
    ENTER_ITEM "activation of no known item" => "the key Enter", "the control knows its item";
    CLICK_IN_ITEM "click on an item of a list with check boxes that the program draws (Delphi, Lazarus)" => "a click on the item, as far from its left edge", "the list does not tell whether the box was hit";
    RIGHT_CLICK_ITEM "right click on an item, after which no menu of the system opens" => "a click with the right button on the item, with the real pointer there", "menus that a toolkit draws open by it";
    CLICK_ITEM "click on an item that tells no more" => "the selection", "that is all a click on an item does by itself";
    EDIT_LABEL "begin to rename an item, by a key or a second click" => "its label is put under edit", "the key is the program's, the click depends on the time";
    RENAME "another name for an item" => "the label is put under edit, gets the text, and Enter ends it", "the control asks the parent as it does for a user";
    RENAME_LEFT "begin to rename an item, and leave it" => "the edit is given up, if one is open", "nothing came of it";
    OPEN_LIST "list of a combo box opened and closed" => "nothing", "nothing was chosen";
    OPEN_MENU "arrow of a split button, tool or band, and no menu" => "the notification to the parent", "what opens is the program's own";
    MENU "menu bar, menu of a tool or an icon beside the clock, by mouse or keys" => "WM_COMMAND to the window that got it", "the menu needs not open; a label may be translated, the command is not, unless the program counts its commands: then the label tells";
    MENU_SYSTEM "system menu" => "WM_SYSCOMMAND", "the command is what the menu came to";
    MENU_ASKED "context menu, and any menu that tells no WM_COMMAND (TPM_RETURNCMD, TPM_NONOTIFY, WM_MENUCOMMAND)" => "the menu is opened as it was; Down until the item is highlighted, then Enter",
        "the click also selects what the menu is about, and some programs know its commands only while it is open";
    MENU_LEFT "menu looked into and left" => "nothing", "nothing was chosen";
    SHORTCUT "accelerator" => "WM_COMMAND with the accelerator flag to the window that got it", "the key may be another one in another language, the command is not";
    WINDOW "close, minimise, maximise, restore, by button, system menu, task bar or Alt+F4" => "WM_SYSCOMMAND", "it is what all of them come to";
    PLACE "moving and sizing a window" => "the rectangle it had afterwards", "SC_MOVE and SC_SIZE would follow the pointer";
    PLACE_UNKNOWN "moving or sizing to an unknown place" => "nothing", "the log does not tell where to";
    KEY "key without a character" => "WM_KEYDOWN and WM_KEYUP, modifiers held", "the control or dialog decides what it means";
    KEY_CHARACTER "Backspace in an edit" => "WM_CHAR of the control character", "edits obey the character, not the key";
    KEY_COMMAND "Enter or Esc without a button for it, and keys the program makes commands of" => "WM_COMMAND to the window that got it", "a dialog key is the command it caused";
    KEY_UNKNOWN "key without a name" => "blocked", "the log does not tell which";
    VALUE "track bar, spin" => "the position it had afterwards, and the notification to the parent", "how far it was dragged depends on its size";
    SCROLL "scroll bar" => "WM_HSCROLL or WM_VSCROLL with request and position", "it is what click and drag come to";
    WHEEL "wheel, both ways" => "WM_MOUSEWHEEL or WM_MOUSEHWHEEL to the window that got it, notch by notch", "the program decides what a notch is";
    DATE "date, time, calendar, several days" => "the date or dates, and the notification to the parent", "the keys depend on the format of the country";
    COLUMN "column header" => "the notification of a click on it", "columns are wider in other languages";
    COLUMN_SIZE "width of a column" => "the width, and the notifications to the parent", "the edge is elsewhere in other languages";
    COLUMN_MOVE "column dragged to another place" => "its place among the others, and the notifications to the parent", "the columns are elsewhere in other languages";
    TOOL "tool bar" => "the tool's command, as the tool bar tells it", "a tool has no window, but a command";
    TOOL_COMMAND "tool that the program drew itself" => "WM_COMMAND to the window that got it", "the click's only trace that needs no point";
    LINK_NAMED "link with an id or an address" => "a click where the control says that this link is", "its name stays when other links come before it";
    LINK "first link of a text, without a name" => "a click where the control says that the link is", "a link has no window";
    LINK_UNKNOWN "link of which nothing is known" => "focus, then Enter", "the control knows its link";
    LINK_OTHER "another link of a text, without a name" => "blocked", "Wine's control tells another number than it finds the link by";
    CARET "click into an edit from which nothing followed" => "a click at the same place of the edit, by its width and height", "the caret goes there, and what was selected no longer is";
    FOCUS "click into another field from which nothing followed, onto a title bar or frame" => "the focus", "that is all it does; which value it has afterwards is told by itself";
    POINT "click of which nothing more is known" => "a click at the same place of the window, by its width and height", "nothing actionable came of it: a canvas, an empty area; the report says so";
    STROKE "line drawn, text selected by mouse" => "the pointer along the same points, by width and height", "nothing actionable came of it; the report says so";
    DRAG "item dragged" => "the real pointer, from the item to the same place of the other window", "programs ask the system where the pointer is; the report says so";
    DROP "files dropped" => "WM_DROPFILES with the recorded names", "it is what the shell sends";
    INTERRUPT "interrupt by the agent: focus lost, another program in front, another resolution" => "the same interrupt", "it came from outside then, too";
    SYSTEM_KEY "hot key, key of the shell" => "WM_HOTKEY with its number, WM_APPCOMMAND", "it is what the system posts; the key itself may be another program's here";
}
