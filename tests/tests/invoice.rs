//! Tests that the invoice sample works as other tests rely on: calculation, files, three languages, the one
//! sequence that crashes it, and the effect of each switch.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use harness::gallery::definition;
use harness::invoice::{IDS, Invoice, id};
use harness::protocol::{Button, Rect};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage, wait_until};
use message_log::{Key, Kind};
use win32_vocabulary::exceptions::EXCEPTION_ACCESS_VIOLATION;

/// The exit code of an access violation.
const ACCESS_VIOLATION: i32 = EXCEPTION_ACCESS_VIOLATION.cast_signed();

/// A regular customer's invoice: the book has the free gift wrap.
const REGULAR: &str = "invoice 1\ncustomer=Ada\ndiscount=1\npercent=10\ncurrency=EUR\nrounding=1\n\
    item=Tea\t2\t3\t4.20\t7\t0\t2026-03-02\nitem=Jürgens Buch\t0\t1\t1234.56\t19\t1\t2026-04-01\n";
const REGULAR_TOTAL: &str = "TOTAL items=2 net=1122.44 vat=211.90 total=1334.35";

fn write(stage: &Stage, name: &str, text: &str) -> Result<String> {
    let file = stage.folder().join(name);
    fs::write(&file, text)?;
    Ok(folders::for_windows(&file))
}

#[test]
fn invoice_ids_are_unique() {
    let mut names: HashMap<i32, &str> = HashMap::new();
    for (name, id) in IDS.lines().filter_map(definition) {
        let other = names.insert(id, name);
        assert_eq!(other, None, "{name} has the number of another: {id}");
    }
    assert!(names.len() > 100, "only {} ids were found", names.len());
}

/// Each fault is checked at exactly one place of the source.
#[test]
fn invoice_faults_are_asked_for_at_one_place_each() {
    let folder = folders::workspace().join("samples").join("invoice");
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let sources = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "c"));
    let text: String = sources.map(|file| fs::read_to_string(file).unwrap()).collect();
    let named = text.split("[FAULT_").skip(1).filter_map(|rest| rest.split(']').next());
    let names: Vec<&str> = named.filter(|name| *name != "COUNT").collect();
    assert!(names.len() >= 20, "only {names:?}");
    for name in names {
        let asked = text.matches(&format!("has_fault(FAULT_{name})")).count();
        assert_eq!(asked, 1, "FAULT_{name} is asked for at {asked} places");
    }
}

#[test]
fn invoice_refuses_what_it_does_not_know() {
    stage(|stage| {
        let sample = folders::sample("invoice").display().to_string();
        for (args, sentence) in [
            (&["--colour"][..], "invoice has no switch --colour."),
            (&["--fault"], "invoice needs a value after --fault."),
            (&["--fault", "none"], "invoice has no fault none; --list-faults names them."),
            (&["--lang", "fr"], "invoice speaks en, de and ja, not fr."),
            (&["--at", "1,2,3"], "invoice needs X,Y,W,H after --at, not 1,2,3."),
            (&["a.invoice", "b.invoice"], "invoice opens one file, so b.invoice is too much."),
        ] {
            let program = stage.start(&sample, args)?;
            let code = program.wait(DEADLINE)?;
            let said = program.stderr()?;
            ensure!(
                code == 2 && said.trim_end() == sentence,
                "{args:?} ended with {code} and said {said:?}, not {sentence:?}"
            );
        }
        let program = stage.start(&sample, &["--list-faults"])?;
        ensure!(program.wait(DEADLINE)? == 0, "--list-faults failed: {}", program.stderr()?);
        ensure!(program.stdout()?.lines().count() >= 20, "too few faults: {}", program.stdout()?);
        Ok(())
    });
}

#[test]
fn invoice_adds_up_what_was_entered() {
    stage(|stage| {
        let invoice = Invoice::open(stage, &[])?;
        ensure!(invoice.main.title == "Untitled - Invoice", "{}", invoice.main);

        // By the keyboard: 3 × 4.20, reduced rate.
        invoice.keys(&["Insert"])?;
        invoice.expect("COMMAND 4010 accelerator")?;
        invoice.dialog("Add item")?;
        invoice.type_text("Grüner Tee\tF\t3\t4,2")?;
        invoice.keys(&["alt+r", "Return"])?;
        invoice.expect(
            "ADD row=0 description=\"Grüner Tee\" category=2 quantity=3 price=4.20 vat=7 gift=0 date=2026-03-02",
        )?;
        invoice.expect("TOTAL items=1 net=12.60 vat=0.88 total=13.48")?;
        invoice.wait_title("Untitled* - Invoice")?;

        // By the pointer: 2 × 10.00 and the gift wrap, standard rate.
        let area = invoice.control(&invoice.main, id("IDC_TOOLBAR")?)?.rect;
        stage.input.click(Button::Left, area.left + 110, i32::midpoint(area.top, area.bottom))?;
        invoice.expect("COMMAND 4010 tool bar")?;
        let dialog = invoice.dialog("Add item")?;
        invoice.type_text("Doll")?;
        let spin = invoice.control(&dialog, id("IDC_QUANTITY_SPIN")?)?.rect;
        stage.input.click(Button::Left, i32::midpoint(spin.left, spin.right), spin.top + 5)?;
        invoice.click(&dialog, "IDC_PRICE")?;
        invoice.type_text("10")?;
        invoice.click(&dialog, "IDC_GIFT_WRAP")?;
        invoice.click(&dialog, "IDOK")?;
        invoice.expect("ADD row=1 description=\"Doll\" category=0 quantity=2 price=10.00 vat=19 gift=1")?;
        invoice.expect("TOTAL items=2 net=35.10 vat=5.16 total=40.26")?;

        // The order and the removal.
        invoice.wait_title("Invoice")?;
        invoice.keys(&["ctrl+Up"])?;
        invoice.expect("MOVE from=1 to=0")?;
        let list = invoice.control(&invoice.main, id("IDC_ITEMS")?)?.rect;
        stage.input.click(Button::Left, list.right - 40, list.top + 10)?;
        invoice.expect("SORT column=6")?;
        invoice.keys(&["Down", "Delete"])?;
        invoice.expect("REMOVE row=0 description=\"Grüner Tee\"")?;
        invoice.expect("TOTAL items=1 net=22.50 vat=4.28 total=26.78")?;
        invoice.close()
    });
}

#[test]
fn invoice_says_what_is_wrong_with_an_item() {
    stage(|stage| {
        let invoice = Invoice::open(stage, &[])?;
        invoice.keys(&["Insert"])?;
        let dialog = invoice.dialog("Add item")?;
        let enter = |text: &str, expected: &str| -> Result<()> {
            invoice.type_text(text)?;
            invoice.keys(&["Return"])?;
            invoice.expect(&format!("BOX {expected} opened"))?;
            invoice.dialog("Invoice")?;
            invoice.keys(&["Return"])?;
            invoice.expect(&format!("BOX {expected} result=1"))?;
            invoice.dialog("Add item").map(drop)
        };
        enter("", "5051")?;
        enter("Tea\t\t0", "5053")?;
        enter("2\t12x", "5052")?;
        enter("100000", "5052")?;
        invoice.type_text("0.5")?;
        invoice.keys(&["Return"])?;
        invoice.expect("ADD row=0 description=\"Tea\" category=0 quantity=2 price=0.50 vat=19 gift=0")?;
        invoice.wait_title("Untitled* - Invoice")?;
        let gone = stage.probe.windows()?.iter().all(|window| window.hwnd != dialog.hwnd);
        ensure!(gone, "{dialog} is still there");
        invoice.keys(&["Insert"])?;
        invoice.dialog("Add item")?;
        invoice.keys(&["Escape"])?;
        invoice.expect("DIALOG item result=0")?;
        invoice.close()
    });
}

#[test]
fn invoice_options_change_the_total() {
    stage(|stage| {
        let invoice = Invoice::open(stage, &[])?;
        invoice.add("Cake", "1234.56", true)?;
        invoice.expect("TOTAL items=1 net=1237.06 vat=235.04 total=1472.10")?;
        invoice.keys(&["alt+t", "o"])?;
        let sheet = invoice.dialog("Options")?;
        invoice.type_text("Ada")?;
        invoice.click(&sheet, "IDC_DISCOUNT")?;
        invoice.keys(&["Tab"])?;
        invoice.type_text("25")?;
        // The tab of the second page. The system gives the tab control the id 0x3020.
        let tabs = invoice.control(&sheet, 0x3020)?.rect;
        stage.input.click(Button::Left, tabs.left + 80, tabs.top + 10)?;
        invoice.click(&sheet, "IDC_ROUND_WHOLE")?;
        invoice.click(&sheet, "IDOK")?;
        invoice.expect("OPTIONS customer=\"Ada\" discount=1 percent=25 currency=EUR rounding=2")?;
        // The one gift wrap is free now.
        invoice.expect("TOTAL items=1 net=925.92 vat=175.92 total=1102.00")?;
        invoice.expect("DIALOG options result=1")?;
        invoice.close()
    });
}

#[test]
fn invoice_files_keep_everything() {
    stage(|stage| {
        let regular = write(stage, "regular.invoice", REGULAR)?;
        let (kept, name) = (stage.folder().join("kept.invoice"), "kept.invoice");
        let invoice = Invoice::open(stage, &[&regular])?;
        invoice.expect(REGULAR_TOTAL)?;
        invoice.add("Ж, über 'all'", "0.01", false)?;
        let total = invoice.expect("TOTAL items=3")?;
        invoice.keys(&["alt+f", "a"])?;
        invoice.expect("DIALOG file opened")?;
        invoice.dialog("Save")?;
        invoice.keys(&["ctrl+a"])?;
        invoice.type_text(&folders::for_windows(&kept))?;
        invoice.keys(&["Return"])?;
        invoice.expect("SAVE file=\"kept.invoice\"")?;
        invoice.wait_title("kept.invoice - Invoice")?;
        let saved = fs::read_to_string(&kept)?;
        ensure!(saved.contains("customer=Ada\r\ndiscount=1\r\npercent=10\r\ncurrency=EUR\r\n"), "{saved}");
        ensure!(saved.ends_with("item=Ж, über 'all'\t0\t1\t0.01\t19\t0\t2026-03-02\r\n"), "{saved}");

        invoice.keys(&["ctrl+n"])?;
        invoice.expect("TOTAL items=0")?;
        invoice.wait_title("Untitled - Invoice")?;
        invoice.keys(&["ctrl+o"])?;
        invoice.expect("DIALOG file opened")?;
        invoice.dialog("Open")?;
        invoice.type_text(&folders::for_windows(&kept))?;
        invoice.keys(&["Return"])?;
        invoice.expect(&format!("OPEN file=\"{name}\""))?;
        ensure!(invoice.expect("TOTAL items=3")? == total, "{}", invoice.journal());
        invoice.wait_title("kept.invoice - Invoice")?;
        invoice.close()?;

        let other = write(stage, "other.invoice", "a letter\n")?;
        let invoice = Invoice::open(stage, &[&other])?;
        invoice.expect("BOX 5058 opened")?;
        invoice.dialog("Invoice")?;
        invoice.keys(&["Return"])?;
        invoice.wait_title("Untitled - Invoice")?;
        invoice.close()
    });
}

#[test]
fn invoice_asks_before_changes_are_lost() {
    stage(|stage| {
        let file = stage.folder().join("regular.invoice");
        let invoice = Invoice::open(stage, &[&write(stage, "regular.invoice", REGULAR)?])?;
        invoice.expect(REGULAR_TOTAL)?;
        invoice.keys(&["Down", "Delete"])?;
        invoice.expect("REMOVE row=0")?;
        invoice.wait_title("regular.invoice* - Invoice")?;
        invoice.keys(&["alt+F4"])?;
        invoice.expect("BOX 5050 opened")?;
        invoice.dialog("Invoice")?;
        invoice.keys(&["Escape"])?;
        invoice.expect("BOX 5050 result=2")?;
        ensure!(fs::read_to_string(&file)? == REGULAR, "the file was changed by Cancel");
        invoice.wait_title("regular.invoice* - Invoice")?;
        invoice.keys(&["alt+f", "x"])?;
        invoice.expect("BOX 5050 opened")?;
        invoice.dialog("Invoice")?;
        invoice.keys(&["Return"])?;
        invoice.expect("SAVE file=\"regular.invoice\"")?;
        let code = invoice.program.wait(DEADLINE)?;
        ensure!(code == 0, "it ended with {code}");
        let saved = fs::read_to_string(&file)?;
        ensure!(!saved.contains("Tea") && saved.contains("Buch"), "{saved}");
        Ok(())
    });
}

#[test]
fn invoice_speaks_three_languages() {
    stage(|stage| {
        for (language, title, dialog_title, cancel, gift, ask, options) in [
            (
                "en",
                "Untitled - Invoice",
                "Add item",
                "Cancel",
                "&Gift wrap (2.50 each order line)",
                "&No",
                "Options",
            ),
            (
                "de",
                "Unbenannt - Rechnung",
                "Posten hinzufügen",
                "Abbrechen",
                "Als &Geschenk verpacken (2,50 je Rechnungszeile)",
                "&Nein",
                "Einstellungen",
            ),
            (
                "ja",
                "無題 - 請求書",
                "明細の追加",
                "キャンセル",
                "ギフト包装 (一行につき 2.50)(&G)",
                "いいえ(&N)",
                "オプション",
            ),
        ] {
            let invoice = Invoice::open(stage, &["--lang", language])?;
            ensure!(invoice.main.title == title, "{}", invoice.main);
            invoice.keys(&["Insert"])?;
            let dialog = invoice.dialog(dialog_title)?;
            let button = invoice.control(&dialog, id("IDCANCEL")?)?;
            ensure!(button.title == cancel, "{button}");
            let check = invoice.control(&dialog, id("IDC_GIFT_WRAP")?)?;
            ensure!(check.title == gift, "{check}");
            for child in stage.probe.children(&dialog)?.into_iter().filter(|child| child.visible) {
                ensure!(is_inside(child.rect, dialog.rect), "{child} is cut off in {language}");
            }
            invoice.type_text("x\t\t\t1")?;
            invoice.keys(&["Return"])?;
            invoice.expect("ADD row=0")?;
            invoice.wait_title("*")?;
            invoice.keys(&["F10", "Right", "Right", "Right", "Down", "Return"])?;
            invoice.expect("DIALOG options opened")?;
            invoice.dialog(options)?;
            invoice.keys(&["Escape"])?;
            invoice.expect("DIALOG options result=0")?;
            invoice.wait_title("*")?;
            invoice.keys(&["ctrl+n"])?;
            invoice.expect("BOX 5050 opened")?;
            let question = invoice.dialog("")?;
            wait_until(&format!("{ask} in {language}"), DEADLINE, || {
                Ok(stage.probe.children(&question)?.iter().any(|child| child.title == ask).then_some(()))
            })?;
            invoice.keys(&["Escape"])?;
            invoice.expect("BOX 5050 result=2")?;
            invoice.close().context(language)?;
        }
        Ok(())
    });
}

fn is_inside(inner: Rect, outer: Rect) -> bool {
    inner.left >= outer.left
        && inner.top >= outer.top
        && inner.right <= outer.right
        && inner.bottom <= outer.bottom
}

#[test]
fn invoice_takes_another_place_and_shape() {
    stage(|stage| {
        let invoice = Invoice::open(stage, &["--at", "300,200,700,350"])?;
        let rect = invoice.main.rect;
        ensure!(rect == Rect { left: 300, top: 200, right: 1000, bottom: 550 }, "{}", invoice.main);
        invoice.close()?;

        let first_edit = |args: &[&str]| -> Result<(Option<i32>, bool)> {
            let invoice = Invoice::open(stage, args)?;
            invoice.keys(&["Insert"])?;
            invoice.expect("DIALOG item opened")?;
            let dialog = invoice.dialog("")?;
            // The controls come one by one.
            invoice
                .control(&dialog, if args == ["--replace-dialog"] { id("IDC_QUICK_LEAVE")? } else { 2 })?;
            let children = stage.probe.children(&dialog)?;
            let edit = children.iter().find(|child| child.class == "Edit").map(|child| child.id);
            invoice.keys(&["Escape"])?;
            invoice.expect("DIALOG item result=0")?;
            invoice.close()?;
            Ok((edit, children.iter().any(|child| child.id == 1)))
        };
        ensure!(first_edit(&[])? == (Some(id("IDC_DESCRIPTION")?), true));
        ensure!(first_edit(&["--extra-sibling"])? == (Some(id("IDC_REFERENCE")?), true));
        ensure!(first_edit(&["--remove-button"])? == (Some(id("IDC_DESCRIPTION")?), false));
        ensure!(first_edit(&["--replace-dialog"])? == (Some(id("IDC_QUICK_LINE")?), false));
        Ok(())
    });
}

/// The customer's session, starting with an empty invoice.
#[test]
fn invoice_crashes_by_its_sequence() {
    stage(|stage| crash(&Invoice::open(stage, &[])?));
}

#[test]
fn invoice_crashes_recorded_too_and_the_log_survives() {
    stage(|stage| {
        let invoice = Invoice::open_recorded(stage, &[])?;
        crash(&invoice)?;
        let (events, damage) = invoice.recording.as_ref().context("it is recorded")?.read()?;
        let commands = events.messages("WM_COMMAND", invoice.main.hwnd);
        let last = commands.last().context("no command is in the log")?.0.wparam & 0xFFFF;
        ensure!(last == id("IDM_EDIT")? as u64, "the last command in the log is {last}: {damage:?}");
        ensure!(events.typed(0).contains("Doll"), "what was typed is not in the log: {damage:?}");
        let notes: Vec<_> = events.0.iter().filter(|event| event.kind == Kind::Crash).collect();
        let [note] = notes[..] else { bail!("{} notes of the crash", notes.len()) };
        let module = note.params.text(Key::CrashModule).map(ToString::to_string).unwrap_or_default();
        ensure!(module == "invoice.exe", "it crashed in {module}: {note:?}");
        ensure!(note.params.unsigned(Key::CrashCode) == Some(EXCEPTION_ACCESS_VIOLATION.into()), "{note:?}");
        Ok(())
    });
}

fn crash(invoice: &Invoice<'_>) -> Result<()> {
    invoice.keys(&["alt+t", "o"])?;
    let sheet = invoice.dialog("Options")?;
    invoice.click(&sheet, "IDC_DISCOUNT")?;
    invoice.click(&sheet, "IDOK")?;
    invoice.expect("DIALOG options result=1")?;
    invoice.wait_title("Invoice")?;
    invoice.add("Tea", "4.20", false)?;
    invoice.add("Doll", "20", true)?;
    invoice.keys(&["Delete"])?;
    invoice.expect("REMOVE row=1 description=\"Doll\"")?;
    invoice.expect("TOTAL items=1")?;
    invoice.keys(&["F2"])?;
    invoice.expect("DIALOG item opened")?;
    invoice.dialog("Edit item")?;
    invoice.keys(&["Return"])?;
    invoice.expect("DIALOG item result=1")?;
    let code = invoice.program.wait(DEADLINE)?;
    ensure!(code == ACCESS_VIOLATION, "it ended with {code:#x}");
    let journal = invoice.journal();
    ensure!(journal.ends_with("DIALOG item result=1\n"), "it went on:\n{journal}");
    Ok(())
}

#[test]
fn invoice_crashes_by_no_neighbour_of_its_sequence() {
    stage(|stage| {
        let regular = write(stage, "regular.invoice", REGULAR)?;
        let irregular = write(stage, "irregular.invoice", &REGULAR.replace("discount=1", "discount=0"))?;
        // The second item has the free wrap.
        let (remove_second, remove_first) = (["Down", "Down", "Delete"], ["Down", "Delete"]);
        let edit = |invoice: &Invoice<'_>| -> Result<()> {
            invoice.wait_title("Invoice")?;
            invoice.keys(&["F2"])?;
            invoice.expect("DIALOG item opened")?;
            invoice.dialog("Edit item")?;
            invoice.keys(&["Return"])?;
            invoice.expect("EDIT row=").map(drop)
        };
        let run = |file: &str, keys: &[&str], between: &dyn Fn(&Invoice<'_>) -> Result<()>| -> Result<()> {
            let invoice = Invoice::open(stage, &[file])?;
            invoice.expect("TOTAL items=2")?;
            invoice.keys(keys)?;
            if !keys.is_empty() {
                invoice.expect("REMOVE")?;
            }
            between(&invoice)?;
            edit(&invoice)?;
            invoice.close()
        };
        let nothing = |_: &Invoice<'_>| Ok(());
        run(&irregular, &remove_second, &nothing).context("without the discount")?;
        run(&regular, &remove_first, &nothing).context("the other item removed")?;
        run(&regular, &[], &|invoice| invoice.keys(&["Down"])).context("nothing removed")?;
        run(&regular, &remove_second, &|invoice| invoice.add("Ball", "3", true))
            .context("one added first")?;
        let options = |invoice: &Invoice<'_>| {
            invoice.wait_title("Invoice")?;
            invoice.keys(&["alt+t", "o"])?;
            invoice.dialog("Options")?;
            invoice.keys(&["Return"])?;
            invoice.expect("DIALOG options result=1").map(drop)
        };
        run(&regular, &remove_second, &options).context("the options confirmed first")?;
        // All but the edit: sorting, moving and saving are harmless.
        let invoice = Invoice::open(stage, &[&regular])?;
        invoice.expect("TOTAL items=2")?;
        invoice.add("Ball", "3", true)?;
        invoice.keys(&["Up", "Delete"])?;
        invoice.expect("REMOVE row=1")?;
        invoice.keys(&["ctrl+Up", "ctrl+s"])?;
        invoice.expect("MOVE from=1 to=0")?;
        invoice.expect("SAVE")?;
        invoice.close()
    });
}

/// One session that covers everything. Every fault that is visible in it must change only its own part, and
/// the program without faults must change nothing.
#[test]
fn invoice_faults_show() {
    stage(|stage| {
        let session = |faults: &[&str]| -> Result<String> {
            let irregular = write(stage, "irregular.invoice", &REGULAR.replace("discount=1", "discount=0"))?;
            let args: Vec<&str> = faults.iter().flat_map(|fault| ["--fault", fault]).collect();
            let invoice = Invoice::open(stage, &[&[irregular.as_str()][..], &args].concat())?;
            invoice.expect("OPEN")?;
            let opened = invoice.expect("TOTAL items=2")?;
            invoice.keys(&["Insert"])?;
            invoice.expect("DIALOG item opened")?;
            invoice.dialog("Add item")?;
            invoice.type_text("Gift for Ada\t\t2\t8.40\t")?;
            // Wine chooses the year by the first arrow, Windows the month.
            invoice.keys(&["Right", "Up", "Tab", "Tab", "space", "Return"])?;
            let added = invoice.expect("ADD")?;
            let total = invoice.expect("TOTAL")?;
            invoice.wait_title("Invoice")?;
            let title = stage.probe.windows()?.into_iter().find(|window| window.hwnd == invoice.main.hwnd);
            let title = title.context("the main window is gone")?.title;
            invoice.close()?;
            let asked = invoice.journal().contains("BOX 5050");
            Ok([opened, added, total, title, format!("asked={asked}")].join("\n"))
        };
        let healthy = session(&[])?;
        for line in [
            "TOTAL items=2 net=1249.66 vat=235.92 total=1485.60",
            "ADD row=2 description=\"Gift for Ada\" category=0 quantity=2 price=8.40 vat=19 gift=1 date=",
            "TOTAL items=3 net=1268.96 vat=239.59 total=1508.55",
            "irregular.invoice* - Invoice",
            "asked=true",
        ] {
            ensure!(healthy.contains(line), "{line:?} is not in the session without faults:\n{healthy}");
        }
        for (fault, change) in [
            ("wrong-total", "TOTAL items=3 net=1249.66"),
            ("gift-free", "TOTAL items=3 net=1263.96"),
            ("vat-ignored", "vat=0.00"),
            ("text-truncated", "description=\"Gift for\""),
            ("order-wrong", "ADD row=2 description=\"Jürgens Buch\""),
            ("double-add", "TOTAL items=4"),
            ("spin-off", "quantity=3"),
            ("date-ignored", "date=2026-03-02"),
            ("combo-default", "category=4"),
            ("radio-default", "vat=7 gift=1"),
            ("title-stale", "\nUntitled - Invoice"),
            ("no-question", "asked=false"),
        ] {
            let seen = session(&[fault]).context(fault)?;
            ensure!(!healthy.contains(change), "{fault}: {change:?} shows without it too");
            ensure!(seen.contains(change), "{fault}: no {change:?} in\n{seen}");
        }
        Ok(())
    });
}

#[test]
fn invoice_faults_of_windows_show() {
    stage(|stage| {
        let open = |fault: &str| Invoice::open(stage, &["--fault", fault]);

        let invoice = open("about-crash")?;
        invoice.keys(&["F1"])?;
        let code = invoice.program.wait(DEADLINE)?;
        ensure!(code == ACCESS_VIOLATION, "about-crash: it ended with {code:#x}");

        let invoice = open("dialog-stays")?;
        invoice.keys(&["Insert"])?;
        let dialog = invoice.dialog("Add item")?;
        invoice.type_text("Tea\t\t\t1")?;
        invoice.click(&dialog, "IDOK")?;
        invoice.keys(&["Escape"])?;
        invoice.expect("DIALOG item result=0").context("dialog-stays")?;
        invoice.close()?;

        let invoice = open("extra-box")?;
        invoice.keys(&["Insert"])?;
        invoice.dialog("Add item")?;
        invoice.type_text("Tea\t\t\t1")?;
        invoice.keys(&["Return"])?;
        invoice.expect("BOX 5060 opened").context("extra-box")?;
        invoice.dialog("Invoice")?;
        invoice.keys(&["Return"])?;
        invoice.expect("BOX 5060 result=1")?;
        invoice.close()?;

        let invoice = open("focus-wrong")?;
        invoice.keys(&["Insert"])?;
        let dialog = invoice.dialog("Add item")?;
        invoice.type_text("5")?;
        let price = invoice.control(&dialog, id("IDC_PRICE")?)?;
        wait_until("the 5 in the price", DEADLINE, || Ok((stage.probe.text(&price)? == "5").then_some(())))?;
        invoice.keys(&["Escape"])?;
        invoice.expect("DIALOG item result=0")?;
        invoice.close()?;

        let file = stage.folder().join("empty.invoice");
        fs::write(&file, REGULAR)?;
        let invoice = Invoice::open(stage, &["--fault", "save-empty", &folders::for_windows(&file)])?;
        invoice.expect(REGULAR_TOTAL)?;
        invoice.keys(&["ctrl+s"])?;
        invoice.expect("SAVE")?;
        ensure!(fs::read(&file)?.is_empty(), "save-empty: the file has content");
        invoice.close()
    });
}

#[test]
fn invoice_faults_of_commands_show() {
    stage(|stage| {
        let regular = write(stage, "regular.invoice", REGULAR)?;
        // The About box comes after everything else was done.
        let run = |keys: &[&str], fault: &[&str]| -> Result<String> {
            let invoice = Invoice::open(stage, &[&[regular.as_str()], fault].concat())?;
            invoice.expect("TOTAL items=2")?;
            invoice.keys(keys)?;
            invoice.keys(&["F1"])?;
            invoice.expect("DIALOG about opened")?;
            invoice.dialog("About")?;
            invoice.keys(&["Escape"])?;
            invoice.expect("DIALOG about result=2")?;
            invoice.close()?;
            Ok(invoice.journal())
        };
        for (fault, keys, lost) in [
            ("discount-ignored", &[][..], REGULAR_TOTAL),
            ("key-dead", &["Down", "Delete"], "REMOVE row=0"),
            // The menu stays open if its item is disabled.
            ("menu-disabled", &["Down", "alt+i", "r", "Escape", "Escape"], "REMOVE row=0"),
        ] {
            let (healthy, seen) = (run(keys, &[])?, run(keys, &["--fault", fault])?);
            ensure!(healthy.contains(lost), "{fault}: no {lost:?} without it:\n{healthy}");
            ensure!(!seen.contains(lost), "{fault}: {lost:?} is there with it:\n{seen}");
        }
        let seen = run(&["Insert"], &["--fault", "never-opens"])?;
        ensure!(!seen.contains("DIALOG item opened"), "never-opens: it opened:\n{seen}");
        Ok(())
    });
}
