//! Drives the invoice program (`samples/invoice`) by real input and reads its journal.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::gallery::definition;
use crate::protocol::Button;
use crate::wait::DEADLINE;
use crate::{Input, Probe, Program, Recording, Stage, Window, folders, wait_until, window};

/// The program's `resource.h`: every control and command has a name and a number there.
pub const IDS: &str = include_str!("../../samples/invoice/resource.h");

/// A running invoice program.
#[derive(Debug)]
pub struct Invoice<'a> {
    stage: &'a Stage,
    /// The started program: the invoice program, or `dashcam run`, which started it. Both exit
    /// with the same code.
    pub program: Program,
    /// Its main window as it was at the start.
    pub main: Window,
    journal: PathBuf,
    /// How many lines of the journal have been expected so far.
    seen: Cell<usize>,
    /// Its log, if it is recorded.
    pub recording: Option<Recording>,
}

impl<'a> Invoice<'a> {
    /// Starts it with these arguments and a journal.
    pub fn open(stage: &'a Stage, args: &[&str]) -> Result<Self> {
        Self::start(stage, args, |sample, args| Ok((stage.start(sample, args)?, None)))
    }

    /// Starts it by `dashcam run`.
    pub fn open_recorded(stage: &'a Stage, args: &[&str]) -> Result<Self> {
        Self::start(stage, args, |sample, args| {
            let (program, recording) = Recording::run(stage, &folders::for_windows(Path::new(sample)), args)?;
            Ok((program, Some(recording)))
        })
    }

    fn start(
        stage: &'a Stage,
        args: &[&str],
        start: impl FnOnce(&str, &[&str]) -> Result<(Program, Option<Recording>)>,
    ) -> Result<Self> {
        let sample = folders::sample("invoice");
        ensure!(sample.exists(), "{} is missing: run `cargo xtask build`", sample.display());
        let free = |number: &usize| !stage.folder().join(format!("invoice-{number}.journal")).exists();
        let number = (1..).find(free).context("a number is free")?;
        let journal = stage.folder().join(format!("invoice-{number}.journal"));
        let path = folders::for_windows(&journal);
        let args = [&["--journal", &path], args].concat();
        let (program, recording) = start(&sample.display().to_string(), &args)?;
        // One at a time has this stage's desktop.
        let main = stage.wait_for(&window().class("InvoiceFrame"))?;
        let invoice = Invoice { stage, program, main, journal, seen: Cell::new(0), recording };
        invoice.expect("TOTAL items=0")?;
        // The keyboard follows the pointer: under Wine a key may come before the new window has the focus.
        let list = invoice.control(&invoice.main, id("IDC_ITEMS")?)?;
        stage.input.click_window(&list)?;
        // The main window, or the box that it opens about a file right away.
        wait_until("the invoice sample in front", DEADLINE, || {
            let front = stage.probe.foreground()?;
            let own = stage.probe.windows()?.into_iter().filter(|window| window.pid == invoice.main.pid);
            Ok(own.into_iter().any(|window| window.hwnd == front).then_some(()))
        })?;
        Ok(invoice)
    }

    /// The content of its journal so far.
    pub fn journal(&self) -> String {
        fs::read_to_string(&self.journal).unwrap_or_default()
    }

    /// Waits for a line that contains `part`, after the previously expected line. Returns it.
    pub fn expect(&self, part: &str) -> Result<String> {
        let found = wait_until(part, DEADLINE, || {
            let journal = self.journal();
            let mut lines = journal.lines().enumerate().skip(self.seen.get());
            Ok(lines.find(|(_, line)| line.contains(part)).map(|(index, line)| (index, line.to_owned())))
        });
        let (index, line) = found.with_context(|| {
            format!("behind line {} of the journal:\n{}", self.seen.get(), self.journal())
        })?;
        self.seen.set(index + 1);
        Ok(line)
    }

    /// Presses keys one after the other.
    pub fn keys(&self, keys: &[&str]) -> Result<()> {
        keys.iter().try_for_each(|key| self.stage.input.press(key))
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.stage.input.type_text(text)
    }

    /// Waits for one of its dialogs or message boxes to have the keyboard focus.
    pub fn dialog(&self, title: &str) -> Result<Window> {
        let dialog = self.stage.wait_for(&window().class("#32770").title(title).of_process(self.main.pid))?;
        self.in_front(&dialog)?;
        Ok(dialog)
    }

    /// Waits until the main window is enabled again and has this title.
    pub fn wait_title(&self, title: &str) -> Result<()> {
        let main =
            self.stage.wait_for(&window().class("InvoiceFrame").title(title).of_process(self.main.pid))?;
        self.in_front(&main)
    }

    fn in_front(&self, window: &Window) -> Result<()> {
        wait_until(&format!("{window} in front"), DEADLINE, || {
            Ok((self.stage.probe.foreground()? == window.hwnd).then_some(()))
        })
    }

    /// Clicks into the middle of a dialog's control with this name in `resource.h`.
    pub fn click(&self, dialog: &Window, name: &str) -> Result<()> {
        self.stage.input.click_window(&self.control(dialog, id(name)?)?)
    }

    /// The shown control of a window with this id.
    pub fn control(&self, parent: &Window, id: i32) -> Result<Window> {
        wait_until(&format!("the control {id} of {parent}"), DEADLINE, || {
            let children = self.stage.probe.children(parent)?.into_iter();
            Ok(children.into_iter().find(|child| child.id == id && child.visible))
        })
    }

    /// Adds an item by keyboard.
    pub fn add(&self, description: &str, price: &str, gift: bool) -> Result<()> {
        self.keys(&["Insert"])?;
        self.expect("DIALOG item opened")?;
        self.dialog("Add item")?;
        self.type_text(&format!("{description}\t\t\t{price}"))?;
        if gift {
            self.keys(&["Tab", "Tab", "Tab", "space"])?;
        }
        self.keys(&["Return"])?;
        self.expect("DIALOG item result=1")?;
        self.wait_title("Invoice")
    }

    /// Closes it by its close button without saving.
    pub fn close(&self) -> Result<()> {
        let (x, y) = (self.main.rect.right - 14, self.main.rect.top + 13);
        self.stage.input.click(Button::Left, x, y)?;
        self.expect("CLOSE")?;
        let question = window().class("#32770").of_process(self.main.pid);
        wait_until("the end or a question", DEADLINE, || {
            if let Some(question) = question.find(&self.stage.probe)?.filter(|found| found.enabled) {
                // The button No.
                self.stage.input.click_window(&self.control(&question, 7)?)?;
                self.expect("BOX 5050 result=7")?;
                return Ok(Some(()));
            }
            Ok(self.program.exit_code()?.map(drop))
        })?;
        let code = self.program.wait(DEADLINE)?;
        ensure!(code == 0, "the invoice program exited with {code}; its journal:\n{}", self.journal());
        self.expect("END").map(drop)
    }
}

/// Performs the actions that lead to the planted crash, as the program's README describes them, up to the
/// click that crashes it. Calls `tell` after each part.
pub fn crash_session(
    probe: &Probe,
    input: &Input,
    main: &Window,
    journal: &Path,
    tell: impl Fn(&str) -> Result<()>,
) -> Result<()> {
    let expect = |part: &str| {
        wait_until(part, DEADLINE, || {
            Ok(fs::read_to_string(journal).unwrap_or_default().contains(part).then_some(()))
        })
    };
    let control = |parent: &Window, name: &str| {
        let id = id(name)?;
        wait_until(name, DEADLINE, || {
            Ok(probe.children(parent)?.into_iter().find(|child| child.id == id && child.visible))
        })
    };
    let query = |title: &str| window().class("#32770").title(title).of_process(main.pid);
    let dialog = |title: &str| query(title).wait(probe, DEADLINE);
    let back = |title: &str| {
        query(title).wait_gone(probe, DEADLINE)?;
        window().class("InvoiceFrame").of_process(main.pid).wait(probe, DEADLINE).map(drop)
    };
    let items = control(main, "IDC_ITEMS")?;
    input.click_window(&items)?;
    input.press("alt+t")?;
    input.press("o")?;
    let options = dialog("Options")?;
    input.click_window(&control(&options, "IDC_DISCOUNT")?)?;
    input.click_window(&control(&options, "IDOK")?)?;
    back("Options")?;
    tell("Tools, Options: the customer is a regular one, and gets a discount")?;
    for (description, is_wrapped) in [("blue lamp", true), ("tea", false)] {
        input.press("Insert")?;
        let add = dialog("Add item")?;
        input.click_window(&control(&add, "IDC_DESCRIPTION")?)?;
        input.type_text(description)?;
        input.click_window(&control(&add, "IDC_PRICE")?)?;
        input.press("ctrl+a")?;
        input.type_text("4.20")?;
        if is_wrapped {
            input.click_window(&control(&add, "IDC_GIFT_WRAP")?)?;
        }
        input.press("Return")?;
        expect(&format!("description=\"{description}\""))?;
        back("Add item")?;
        tell(&format!("Insert: a {description} for 4.20{}", if is_wrapped { ", gift-wrapped" } else { "" }))?;
    }
    input.click(Button::Left, items.rect.left + 40, items.rect.top + 32)?;
    input.press("Delete")?;
    expect("REMOVE row=0")?;
    tell("Delete: the blue lamp is not wanted after all")?;
    input.press("Home")?;
    input.press("F2")?;
    let edit = dialog("Edit item")?;
    tell("F2, OK: the tea is edited")?;
    input.click_window(&control(&edit, "IDOK")?)
}

/// The id of a name in `resource.h`.
pub fn id(name: &str) -> Result<i32> {
    // The standard ids of dialog buttons.
    let own = [("IDOK", 1), ("IDCANCEL", 2)];
    let mut all = IDS.lines().filter_map(definition).chain(own);
    let found = all.find(|(found, _)| *found == name);
    Ok(found.with_context(|| format!("{name} is not in resource.h"))?.1)
}
