//! What the user does with the controls of a real program is in the log with what a replay needs: which item,
//! which menu, which text, nested in the input that caused it.

use anyhow::{Context, Result, ensure};
use harness::gallery::{Gallery, child};
use harness::protocol::Button;
use harness::recording::{Events, Recorded};
use harness::wait::DEADLINE;
use harness::{Recording, stage, wait_until, window};
use message_log::{Event, Hook, Key, Message};
use win32_vocabulary::keys::VK_RETURN;
use win32_vocabulary::messages::WM_COMMAND;
use win32_vocabulary::notifications::{LVN_ITEMCHANGED, TCN_SELCHANGE};

const WORDPAD: &str = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";

/// Plays on one page of the gallery, and looks at what was recorded.
fn play(page: &str, act: impl FnOnce(&Gallery<'_>) -> Result<()>, check: impl FnOnce(&Events) -> Result<()>) {
    stage(|stage| {
        let gallery = Gallery::open_recorded(stage, page)?;
        act(&gallery)?;
        gallery.close()?;
        check(&gallery.recording.context("not recorded")?.read_whole()?)
    });
}

fn text(event: &Event, key: Key) -> String {
    event.params.text(key).map(ToString::to_string).unwrap_or_default()
}

/// A command was sent while this input was handled: after it and deeper in the stack.
#[track_caller]
fn is_nested_in(inner: Recorded<'_>, outer: Recorded<'_>) -> bool {
    let ((inner, inner_event), (outer, outer_event)) = (inner, outer);
    inner.hook == Hook::Sent && inner.depth > outer.depth && inner_event.stamp > outer_event.stamp
}

fn input_before<'a>(events: &'a Events, name: &str, hwnd: u64, event: &Event) -> Result<Recorded<'a>> {
    let all = events.messages(name, hwnd);
    all.into_iter().rfind(|(_, input)| input.stamp < event.stamp).with_context(|| format!("no {name} before"))
}

#[test]
fn a_check_box_records_its_state() {
    play(
        "buttons",
        |gallery| {
            gallery.click("IDC_CHECK_OFF")?;
            gallery.expect("WM_COMMAND 1107 BN_CLICKED checked=1")?;
            gallery.click("IDC_APPLE")?;
            gallery.expect("WM_COMMAND 1114 BN_CLICKED checked=1")?;
            gallery.click("IDC_PUSH")?;
            gallery.expect("WM_COMMAND 1100 BN_CLICKED")?;
            gallery.keys(&["Tab", "Return"])?;
            gallery.expect("WM_COMMAND 1101 BN_CLICKED")
        },
        |events| {
            let check = events.notification("WM_COMMAND", 1107, 0)?;
            ensure!(check.1.params.unsigned(Key::ItemState) == Some(1), "{:?}", check.1);
            let source = check.1.params.unsigned(Key::Source).context("no source")?;
            let release = input_before(events, "WM_LBUTTONUP", source, check.1)?;
            ensure!(is_nested_in(check, release), "{release:?} {check:?}");
            let radio = events.notification("WM_COMMAND", 1114, 0)?;
            ensure!(radio.1.params.unsigned(Key::ItemState) == Some(1), "{:?}", radio.1);
            let push = events.notification("WM_COMMAND", 1100, 0)?;
            ensure!(push.1.params.get(Key::ItemState).is_none(), "{:?}", push.1);
            // Enter presses the default button, whatever has the focus.
            let default = events.notification("WM_COMMAND", 1101, 0)?;
            let enter = input_before(events, "WM_KEYDOWN", 0, default.1)?;
            ensure!(enter.1.params.unsigned(Key::KeyCode) == Some(VK_RETURN.into()), "{enter:?}");
            Ok(())
        },
    );
}

#[test]
fn menus_record_the_path_to_an_item() {
    play(
        "menus",
        |gallery| {
            gallery.click("IDC_EVENTS")?;
            gallery.keys(&["alt+v", "l"])?;
            gallery.expect("WM_COMMAND 4024 menu")?;
            gallery.keys(&["alt+e", "i", "n"])?;
            gallery.expect("menu")?;
            gallery.keys(&["ctrl+b"])?;
            gallery.expect("WM_COMMAND 4030 accelerator")?;
            gallery.choose_from_context_menus()
        },
        |events| {
            let path = |id: u64| -> Result<String> {
                let commands = events.messages("WM_COMMAND", 0);
                let is = |event: &Event| {
                    event.params.unsigned(Key::Command) == Some(id)
                        && event.params.unsigned(Key::Source) == Some(0)
                };
                let (_, event) =
                    commands.into_iter().rfind(|(_, e)| is(e)).with_context(|| format!("no command {id}"))?;
                Ok(text(event, Key::MenuPath))
            };
            ensure!(path(4024)? == "&View\u{1F}&Large", "{:?}", path(4024)?);
            ensure!(path(4051)? == "&Beta", "{:?}", path(4051)?);
            let (_, accelerator) = events
                .messages("WM_COMMAND", 0)
                .into_iter()
                .find(|(_, e)| e.params.flag(Key::Accelerator) == Some(true))
                .context("no accelerator")?;
            ensure!(
                accelerator.params.unsigned(Key::Command) == Some(4030)
                    && accelerator.params.text(Key::MenuPath).is_some()
            );
            let (_, key) = input_before(events, "WM_KEYDOWN", 0, accelerator)?;
            ensure!(
                (key.params.unsigned(Key::KeyCode), key.params.unsigned(Key::KeyModifiers))
                    == (Some(0x42), Some(2)),
                "{key:?}"
            );
            // A menu that answers by return value sends no command: what was highlighted last is the choice.
            let selected: Vec<_> =
                events.messages("WM_MENUSELECT", 0).iter().map(|(_, e)| text(e, Key::MenuPath)).collect();
            ensure!(selected.iter().any(|path| path == "&Edit\u{1F}&Insert\u{1F}&Name"), "{selected:?}");
            ensure!(selected.iter().any(|path| path == "&More\u{1F}&Gamma"), "{selected:?}");
            // The pointer's point is in the window's own coordinates, which are small.
            let (_, context) = events.messages("WM_CONTEXTMENU", 0)[0];
            ensure!(context.params.get(Key::PointClient).is_some(), "{context:?}");
            Ok(())
        },
    );
}

#[test]
fn lists_and_combo_boxes_record_the_item() {
    play(
        "lists",
        |gallery| {
            gallery.click("IDC_LIST_SINGLE")?;
            gallery.keys(&["Home", "Down"])?;
            gallery.expect("WM_COMMAND 1300 LBN_SELCHANGE item=1")?;
            gallery.click("IDC_LIST_EXTENDED")?;
            gallery.keys(&["Home", "shift+Down", "shift+Down"])?;
            gallery.expect("WM_COMMAND 1302")?;
            gallery.click("IDC_LIST_NO_STRINGS")?;
            gallery.keys(&["Home"])?;
            gallery.expect("WM_COMMAND 1304")?;
            gallery.turn_to("combos")?;
            gallery.click("IDC_COMBO_LIST")?;
            gallery.expect("WM_COMMAND 1402 CBN_DROPDOWN")?;
            gallery.keys(&["Down", "Return"])?;
            gallery.expect(r#"WM_COMMAND 1402 CBN_SELCHANGE item=1 text="Copper""#)
        },
        |events| {
            let (_, single) = events.notification("WM_COMMAND", 1300, 1)?;
            ensure!(
                single.params.signed(Key::ItemIndex) == Some(1) && !text(single, Key::ItemText).is_empty(),
                "{single:?}"
            );
            let (_, extended) = events.notification("WM_COMMAND", 1302, 1)?;
            ensure!(text(extended, Key::ItemSelection) == "0,1,2", "{extended:?}");
            // Without strings there is no text to read, and the host is not asked.
            let (_, bare) = events.notification("WM_COMMAND", 1304, 1)?;
            ensure!(
                bare.params.signed(Key::ItemIndex) == Some(0) && bare.params.get(Key::ItemText).is_none(),
                "{bare:?}"
            );
            let (_, combo) = events.notification("WM_COMMAND", 1402, 1)?;
            ensure!(
                (combo.params.signed(Key::ItemIndex), text(combo, Key::ItemText))
                    == (Some(1), "Copper".into()),
                "{combo:?}"
            );
            Ok(())
        },
    );
}

#[test]
fn list_views_record_the_item_without_asking_the_host() {
    play(
        "list-views",
        |gallery| {
            gallery.click("IDC_LV_REPORT")?;
            gallery.keys(&["Home", "space"])?;
            gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=0 checked=1")?;
            gallery.click("IDC_LV_VIRTUAL")?;
            gallery.keys(&["End"])?;
            gallery.expect("WM_NOTIFY 1501 LVN_ITEMCHANGED item=99999 selected=1")?;
            gallery.click("IDC_LV_CALLBACK")?;
            gallery.keys(&["Home"])?;
            gallery.expect("WM_NOTIFY 1502 LVN_ITEMCHANGED item=0 selected=1")?;
            // The header is the list's first 20 pixels.
            let list = gallery.control("IDC_LV_REPORT")?.rect;
            gallery.click_at(Button::Left, list.left + 20, list.top + 10)?;
            gallery.expect("WM_NOTIFY 1500 LVN_COLUMNCLICK")
        },
        |events| {
            let changed = |id: u64, index: i64| -> Result<&Event> {
                let all = events.messages("WM_NOTIFY", 0);
                let is = |e: &Event| {
                    e.params.unsigned(Key::Command) == Some(id)
                        && e.params.signed(Key::Notification) == Some(LVN_ITEMCHANGED.into())
                        && e.params.signed(Key::ItemIndex) == Some(index)
                        && e.params.unsigned(Key::ItemState).is_some_and(|state| state & 2 != 0)
                };
                all.into_iter()
                    .map(|(_, e)| e)
                    .find(|e| is(e))
                    .with_context(|| format!("no selection of {index} in {id}"))
            };
            ensure!(!text(changed(1500, 0)?, Key::ItemText).is_empty(), "{:?}", changed(1500, 0)?);
            ensure!(changed(1501, 99_999)?.params.get(Key::ItemText).is_none());
            ensure!(changed(1502, 0)?.params.get(Key::ItemText).is_none());
            let (_, click) = events.notification("WM_NOTIFY", 1500, -108)?;
            ensure!(
                click.params.signed(Key::ItemColumn) == Some(0) && !text(click, Key::ItemText).is_empty(),
                "{click:?}"
            );
            Ok(())
        },
    );
}

#[test]
fn trees_and_tabs_record_the_path_to_the_item() {
    play(
        "trees",
        |gallery| {
            gallery.click("IDC_TREE_LAZY")?;
            gallery.keys(&["Home", "Right", "Down"])?;
            gallery.expect(r#"WM_NOTIFY 1702 TVN_ITEMEXPANDED expand text="Drive A""#)?;
            gallery.expect(r#"WM_NOTIFY 1702 TVN_SELCHANGED text="Drive A.1""#)?;
            gallery.turn_to("more")?;
            let tabs = gallery.control("IDC_TABS")?;
            gallery.click_at(Button::Left, tabs.rect.left + 90, tabs.rect.top + 10)?;
            gallery.expect(&format!("WM_NOTIFY {} TCN_SELCHANGE", tabs.id))
        },
        |events| {
            let (_, expanded) = events.notification("WM_NOTIFY", 1702, -455)?;
            ensure!(
                text(expanded, Key::ItemPath) == "Drive A" && text(expanded, Key::ItemIndexPath) == "0",
                "{expanded:?}"
            );
            ensure!(
                expanded.params.signed(Key::ItemValue) == Some(2),
                "expanded, not collapsed: {expanded:?}"
            );
            let (_, selected) = events.notification("WM_NOTIFY", 1702, -451)?;
            ensure!(
                text(selected, Key::ItemPath) == "Drive A\u{1F}Drive A.1"
                    && text(selected, Key::ItemIndexPath) == "0/0",
                "{selected:?}"
            );
            let tab = events
                .messages("WM_NOTIFY", 0)
                .into_iter()
                .find(|(_, e)| e.params.signed(Key::Notification) == Some(TCN_SELCHANGE.into()));
            let (_, tab) = tab.context("no tab was chosen")?;
            ensure!(
                tab.params.signed(Key::ItemIndex) > Some(0) && !text(tab, Key::ItemText).is_empty(),
                "{tab:?}"
            );
            Ok(())
        },
    );
}

#[test]
fn the_text_of_an_edit_is_recorded_when_it_is_complete() {
    play(
        "edits",
        |gallery| {
            gallery.click("IDC_NAME")?;
            gallery.type_text("Jürgen")?;
            gallery.expect(r#"WM_COMMAND 1201 EN_CHANGE text="Jürgen""#)?;
            // Copied and pasted: the message says nothing of the text.
            gallery.keys(&["ctrl+a", "ctrl+c", "Tab"])?;
            gallery.click("IDC_CITY")?;
            gallery.keys(&["ctrl+a", "ctrl+v"])?;
            gallery.expect(r#"WM_COMMAND 1203 EN_CHANGE text="Jürgen""#)?;
            gallery.click("IDC_RICH")?;
            gallery.keys(&["ctrl+End"])?;
            gallery.type_text("x")?;
            gallery.expect(r#"WM_COMMAND 1221 EN_CHANGE text="Rich text.x""#)?;
            // Not left, but a command follows that is not typing.
            gallery.keys(&["F5"])?;
            gallery.type_text("y")?;
            gallery.expect("Rich text.xy")
        },
        |events| {
            let results: Vec<(u64, String)> = events
                .0
                .iter()
                .filter_map(|e| Some((e.params.unsigned(Key::ResultWindow)?, text(e, Key::ResultText))))
                .collect();
            let texts: Vec<_> = results.iter().map(|(_, text)| text.as_str()).collect();
            ensure!(texts == ["Jürgen", "Jürgen", "Rich text.x", "Rich text.xy"], "{results:?}");
            ensure!(results[0].0 != results[1].0 && results[2].0 == results[3].0, "{results:?}");
            let with =
                |text: &str| events.0.iter().find(|e| e.params.text(Key::ResultText) == Some(&text.into()));
            let f5 = with("Rich text.x").and_then(Event::message).context("no result")?;
            ensure!(f5.number == WM_COMMAND, "before the command, not after: {f5:?}");
            Ok(())
        },
    );
}

#[test]
fn a_modal_dialog_is_marked_and_a_drag_is_recorded_by_its_ends() {
    stage(|stage| {
        let gallery = Gallery::open_recorded(stage, "dialogs")?;
        gallery.click("IDC_OPEN_MODAL")?;
        let modal = stage.wait_for(&window().title("Modal").of_process(gallery.main.pid))?;
        let from = (modal.rect.left + 60, modal.rect.top + 12);
        stage.input.drag(from, (from.0 + 80, from.1 + 40))?;
        wait_until("the dialog to move", DEADLINE, || {
            let now = window().title("Modal").of_process(gallery.main.pid).find(&stage.probe)?;
            Ok(now.filter(|now| now.rect.left > modal.rect.left))
        })?;
        stage.input.press("Escape")?;
        gallery.expect("DIALOG modal result=2")?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_MODELESS")?;
        let modeless = stage.wait_for(&window().title("Modeless").of_process(gallery.main.pid))?;
        gallery.close()?;
        let events = gallery.recording.as_ref().context("not recorded")?.read_whole()?;
        let birth = |hwnd: u64| {
            events.messages("WM_CREATE", hwnd).last().map(|(_, e)| e.params.flag(Key::WindowModal))
        };
        ensure!(birth(modal.hwnd) == Some(Some(true)) && birth(modeless.hwnd) == Some(None));
        // Eight steps of the pointer, and only where the move began and ended.
        let drags = events.messages("WM_ENTERSIZEMOVE", modal.hwnd).len();
        let (_, begin) = events.messages("WM_ENTERSIZEMOVE", modal.hwnd)[drags - 1];
        let (_, end) =
            *events.messages("WM_EXITSIZEMOVE", modal.hwnd).last().context("the move has no end")?;
        let moves = events.messages("WM_WINDOWPOSCHANGED", modal.hwnd);
        let between = |(_, e): &&(&Message, &Event)| e.stamp > begin.stamp && e.stamp < end.stamp;
        let moves: Vec<_> = moves.iter().filter(between).collect();
        ensure!((1..=4).contains(&moves.len()), "{} positions: {moves:?}", moves.len());
        Ok(())
    });
}

#[test]
fn ansi_windows_are_recorded_alike() {
    stage(|stage| {
        let gallery = Gallery::open_recorded(stage, "windows")?;
        gallery.click("IDC_OPEN_ANSI")?;
        let ansi = stage.wait_for(&window().class("GalleryAnsi").title("Fenster für Ältere"))?;
        let edit = child(stage, &ansi, "IDC_ANSI_EDIT")?;
        stage.input.click_window(&edit)?;
        stage.input.press("End")?;
        stage.input.type_text("ß")?;
        gallery.expect(r#"WM_COMMAND 2901 EN_CHANGE text="fünfß""#)?;
        stage.input.click_window(&child(stage, &ansi, "IDC_ANSI_CHECK")?)?;
        gallery.expect("WM_COMMAND 2904 BN_CLICKED checked=1")?;
        gallery.close()?;
        let events = gallery.recording.as_ref().context("not recorded")?.read_whole()?;
        let (_, born) = events.messages("WM_CREATE", ansi.hwnd)[0];
        ensure!(text(born, Key::WindowName).contains("Fenster für Ältere"), "{born:?}");
        let result = events.0.iter().find(|e| e.params.unsigned(Key::ResultWindow) == Some(edit.hwnd));
        ensure!(result.is_some_and(|e| text(e, Key::ResultText) == "fünfß"), "{result:?}");
        let (_, check) = events.notification("WM_COMMAND", 2904, 0)?;
        ensure!(check.params.unsigned(Key::ItemState) == Some(1), "{check:?}");
        Ok(())
    });
}

#[test]
fn wordpad_is_recorded_without_knowing() {
    stage(|stage| {
        let (dashcam, log) = Recording::run(stage, WORDPAD, &[])?;
        let main = stage.wait_for(&window().class("WORDPADTOP"))?;
        let edit = wait_until("wordpad's edit", DEADLINE, || {
            Ok(stage
                .probe
                .children(&main)?
                .into_iter()
                .find(|child| child.class.to_lowercase().contains("richedit")))
        })?;
        stage.input.click_window(&edit)?;
        stage.input.type_text("bold words")?;
        wait_until("the text", DEADLINE, || Ok((stage.probe.text(&edit)? == "bold words").then_some(())))?;
        stage.input.press("ctrl+a")?;
        stage.input.press("ctrl+b")?;
        stage.input.press("alt+F4")?;
        stage.wait_for(&window().class("#32770"))?;
        stage.input.press("alt+n")?;
        ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);
        let events = log.read_whole()?;
        ensure!(events.typed(edit.hwnd).starts_with("bold words"), "{}", events.typed(edit.hwnd));
        let results: Vec<_> = events
            .0
            .iter()
            .filter(|e| e.params.get(Key::ResultWindow).is_some())
            .map(|e| text(e, Key::ResultText))
            .collect();
        ensure!(results.iter().any(|text| text == "bold words"), "{results:?}");
        let bold = events
            .messages("WM_COMMAND", main.hwnd)
            .into_iter()
            .find(|(_, e)| e.params.flag(Key::Accelerator) == Some(true));
        bold.context("ctrl+b is an accelerator of wordpad")?;
        Ok(())
    });
}
