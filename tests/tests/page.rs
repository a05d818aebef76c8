//! Tests the page of `dashcam report` in a real browser: keys, clicks, search, print, ten thousand steps, and
//! texts that look like markup. Pictures stay in `target/page` for people to look at.
#![cfg(not(windows))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::browser::Browser;
use harness::folders;
use message_log::{
    Entry, Event, FORMAT_VERSION, Hook, Key, Kind, Log, LogWriter, Param, Params, SegmentHead, Value as Fact,
};
use serde_json::{Value, json};
use win32_vocabulary::messages::{WM_KEYFIRST, WM_KEYLAST, WM_LBUTTONDOWN, WM_MOUSELAST};

const DOWN: &str = "\u{E015}";
const ESCAPE: &str = "\u{E00C}";
const END: &str = "\u{E010}";
const ENTER: &str = "\u{E007}";

fn kept(name: &str) -> PathBuf {
    folders::target().join("page").join(name)
}

fn recording(name: &str) -> PathBuf {
    folders::workspace().join("tests/recordings/steps").join(format!("{name}.dashcam"))
}

/// The result of a real replay of the recording, with pictures.
fn result() -> PathBuf {
    folders::workspace().join("tests/recordings/results/invoice-crash.json")
}

/// Writes a page with the product itself.
fn report(name: &str, arguments: &[&str]) -> Result<PathBuf> {
    let page = kept(name);
    fs::create_dir_all(page.parent().context("no folder")?)?;
    let dashcam = folders::dashcam().join("linux").join("dashcam");
    let done = Command::new(dashcam).arg("report").args(arguments).arg("-o").arg(&page).output()?;
    ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Ok(page)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Opens a page and waits until it is drawn.
fn open(browser: &Browser, page: &Path, fragment: &str) -> Result<()> {
    browser.open_anew(page, fragment)?;
    browser.wait("document.documentElement.dataset.ready")
}

fn heading(browser: &Browser) -> Result<String> {
    Ok(browser
        .run("return document.querySelector('.head h2').textContent")?
        .as_str()
        .unwrap_or("")
        .to_owned())
}

fn wait_for_heading(browser: &Browser, part: &str) -> Result<()> {
    browser.wait(&format!("document.querySelector('.head h2')?.textContent.includes({})", json!(part)))
}

#[test]
fn a_replay_is_looked_at_with_keys_and_clicks() -> Result<()> {
    let log = recording("invoice-crash");
    let page = report("invoice-crash.html", &[text(&log), "--replay", text(&result())])?;
    let browser = Browser::start(1440, 1000, false)?;
    open(&browser, &page, "")?;

    // It begins where it ended.
    wait_for_heading(&browser, "In dialog “Edit item”, press “OK”")?;
    let verdict = browser.run("return document.querySelector('.verdict').textContent")?;
    ensure!(verdict.as_str().unwrap_or("").contains("0xC0000005"), "{verdict}");
    ensure!(browser.run("return document.title")? == json!("invoice – Dashcam"));
    browser.screenshot(&kept("crash-light.png"))?;

    // A deep link opens its step; so does another one on the open page.
    open(&browser, &page, "step-12")?;
    wait_for_heading(&browser, "press “OK” with Enter")?;
    browser.open(&page, "step-11")?;
    wait_for_heading(&browser, "check “Gift wrap")?;
    browser.screenshot(&kept("step-light.png"))?;

    // The touched control is marked in both, the picture of the replay is a picture.
    let stages = "[...document.querySelectorAll('.stages figure')]";
    ensure!(browser.run(&format!("return {stages}.length"))? == json!(4));
    let marks = format!("return {stages}.map((it) => it.querySelectorAll('.wd-touched').length)");
    ensure!(browser.run(&marks)? == json!([1, 0, 1, 0]));
    let images = format!("return {stages}.map((it) => it.querySelectorAll('image').length > 0)");
    ensure!(browser.run(&images)? == json!([false, false, true, true]));
    browser.keys("d")?;
    browser.wait("document.querySelectorAll('.stages image').length === 0")?;
    browser.click(".windows .segments button:first-child")?;
    browser.wait("document.querySelectorAll('.stages image').length > 0")?;

    // Keys: on, back, to the end; the address follows.
    browser.click("[role=listbox]")?;
    browser.open(&page, "step-11")?;
    browser.keys("j")?;
    wait_for_heading(&browser, "press “OK” with Enter")?;
    browser.keys(DOWN)?;
    wait_for_heading(&browser, "Press Insert")?;
    ensure!(browser.run("return location.hash")? == json!("#step-13"));
    browser.keys("kk")?;
    wait_for_heading(&browser, "check “Gift wrap")?;
    browser.keys(END)?;
    wait_for_heading(&browser, "The program crashes")?;
    browser.keys("p")?;
    wait_for_heading(&browser, "In dialog “Edit item”, press “OK”")?;

    // Real clicks: a row, the time line, the comparison.
    browser.click("#row-step-20")?;
    wait_for_heading(&browser, "Select “blue lamp” in the list")?;
    browser.click_at(".timeline canvas", 20)?;
    wait_for_heading(&browser, "Click into the list")?;
    browser.click(".tree-card .segments button:last-child")?;
    browser.wait("document.querySelector('.tree-card .bar').textContent.includes('recording')")?;

    // Search and filters.
    browser.keys("/")?;
    browser.keys("lamp")?;
    browser.wait("document.querySelectorAll('.row').length === 2")?;
    browser.keys(ESCAPE)?;
    browser.wait("document.querySelector('.found').textContent === ''")?;
    // A cancelled search changes nothing; Enter accepts what it found. The address always names
    // the visible step.
    browser.open(&page, "step-24")?;
    browser.keys("/")?;
    browser.keys("nowhere")?;
    browser.wait("document.querySelectorAll('.row').length === 0")?;
    browser.keys(ESCAPE)?;
    wait_for_heading(&browser, "In dialog “Edit item”, press “OK”")?;
    browser.keys("/")?;
    browser.keys("lamp")?;
    wait_for_heading(&browser, "type “blue lamp”")?;
    ensure!(browser.run("return location.hash")? == json!("#step-7"));
    browser.keys(ESCAPE)?;
    wait_for_heading(&browser, "In dialog “Edit item”, press “OK”")?;
    ensure!(browser.run("return location.hash")? == json!("#step-24"));
    browser.keys("/")?;
    browser.keys("lamp")?;
    browser.keys(ENTER)?;
    browser.wait("document.activeElement.matches('[role=listbox]')")?;
    browser.keys(ESCAPE)?;
    browser.wait("document.querySelector('.found').textContent === ''")?;
    wait_for_heading(&browser, "type “blue lamp”")?;
    browser.click("[data-filter=notes]")?;
    browser.wait("document.querySelectorAll('.row').length === 1")?;
    browser.keys(ESCAPE)?;

    // Help, and another theme.
    browser.keys("?")?;
    browser.wait("document.querySelector('dialog').open")?;
    browser.screenshot(&kept("help.png"))?;
    browser.keys(ENTER)?;
    browser.wait("!document.querySelector('dialog').open")?;
    browser.keys("t")?;
    browser.wait("getComputedStyle(document.documentElement).colorScheme === 'dark'")?;
    browser.run("localStorage.clear()")?;

    browser.open(&page, "step-11")?;
    wait_for_heading(&browser, "check “Gift wrap")?;

    // Each part has its heading, landmarks have names, the list says where one is.
    let a11y = browser.run(
        "return [document.querySelectorAll('main, nav, header').length, document.querySelectorAll('h1').length, \
         [...document.querySelectorAll('main h3')].length >= 5, \
         document.querySelector('[role=listbox]').getAttribute('aria-activedescendant') === document.querySelector('[aria-selected=true]').id, \
         [...document.querySelectorAll('svg.wd')].every((it) => it.getAttribute('aria-label')), \
         [...document.querySelectorAll('button')].every((it) => it.textContent.trim() || it.getAttribute('aria-label')), \
         document.querySelector('[data-filter=all]').textContent]",
    )?;
    ensure!(a11y == json!([3, 1, true, true, true, true, "All 25"]), "{a11y}");

    browser.print(&kept("print.pdf"))?;
    let printed = fs::read(kept("print.pdf"))?;
    ensure!(printed.starts_with(b"%PDF") && printed.len() > 20_000, "{} bytes", printed.len());
    let complaints = browser.complaints()?;
    ensure!(complaints.is_empty(), "{complaints:?}");

    // On a dark desktop, and in a narrow window.
    drop(browser);
    let browser = Browser::start(900, 1000, true)?;
    open(&browser, &page, "step-11")?;
    wait_for_heading(&browser, "check “Gift wrap")?;
    ensure!(browser.run("return getComputedStyle(document.documentElement).colorScheme")? == json!("dark"));
    ensure!(browser.run("return document.documentElement.scrollWidth <= innerWidth")? == json!(true));
    browser.screenshot(&kept("step-dark-narrow.png"))
}

#[test]
fn ten_thousand_steps_are_drawn_on_demand() -> Result<()> {
    const TIMES: u64 = 417;
    let log = kept("long.xml");
    fs::create_dir_all(log.parent().context("no folder")?)?;
    fs::write(&log, repeated(TIMES)?)?;
    let one: Value = serde_json::from_slice(&fs::read(result())?)?;
    let replay = kept("long.json");
    fs::write(&replay, serde_json::to_vec(&repeat_result(&one, TIMES))?)?;
    let page = report("long.html", &[text(&log), "--replay", text(&replay)])?;
    let size = fs::metadata(&page)?.len();
    ensure!(size < 10 << 20, "{size} bytes");

    let browser = Browser::start(1440, 900, false)?;
    open(&browser, &page, "")?;
    let opened = browser
        .run("const [n] = performance.getEntriesByType('navigation'); return n.domComplete - n.startTime")?;
    let steps = browser.run("return JSON.parse(document.getElementById('data').textContent).steps.length")?;
    ensure!(steps.as_u64() >= Some(10_000), "{steps} steps");
    browser.screenshot(&kept("long.png"))?;

    // At every scroll position the visible rows exist, and few others.
    let scrolled = browser.run(
        "const box = document.querySelector('.list'), end = box.scrollHeight, seen = []; \
         return new Promise((done) => { let i = 0; const times = []; let last = performance.now(); \
           const next = () => { const now = performance.now(); times.push(now - last); last = now; \
             const rows = [...box.querySelectorAll('.row')], view = box.getBoundingClientRect(); \
             const at = (y) => document.elementFromPoint(view.left + 80, y)?.closest('.row'); \
             seen.push([rows.length, Boolean(at(view.top + 5)), Boolean(at(view.bottom - 5))]); \
             if (++i > 60) { times.sort((a, b) => a - b); done({ seen, median: times[30], most: times[59] }); return; } \
             box.scrollTop = (end - box.clientHeight) * i / 60; requestAnimationFrame(() => requestAnimationFrame(next)); }; next(); })",
    )?;
    for seen in scrolled["seen"].as_array().context("nothing was seen")? {
        ensure!(seen[0].as_u64() < Some(40) && seen[1] == json!(true) && seen[2] == json!(true), "{seen}");
    }

    // The last step is one key away, with its windows.
    browser.click("[role=listbox]")?;
    browser.keys(END)?;
    wait_for_heading(&browser, "The program crashes")?;
    browser.keys("k")?;
    wait_for_heading(&browser, "In dialog “Edit item”, press “OK”")?;
    ensure!(browser.run("return document.querySelectorAll('.stages .wd-touched').length")? == json!(2));
    browser.keys("/")?;
    browser.keys("9999")?;
    browser.wait("document.querySelectorAll('.row').length === 1")?;
    println!(
        "{steps} steps: {size} bytes, open after {opened} ms, a scroll of two frames takes {} ms, the longest {} ms",
        scrolled["median"], scrolled["most"]
    );
    Ok(())
}

#[test]
fn texts_that_look_like_markup_stay_texts() -> Result<()> {
    const HOSTILE: &str =
        "</script><img src=x onerror=\"window.hacked=1\"><svg onload=\"window.hacked=2\">{{data}}<!--";
    let log = kept("hostile.xml");
    fs::create_dir_all(log.parent().context("no folder")?)?;
    let name = |event: &mut Event| {
        if let Kind::Keyframe(frame) = &mut event.kind {
            frame.windows.iter_mut().for_each(|window| *window = renamed(window, HOSTILE));
        }
        event.params = renamed(&event.params, HOSTILE);
    };
    fs::write(&log, rewritten(&recording("invoice-crash"), name)?)?;
    let mut told: Value = serde_json::from_slice(&fs::read(result())?)?;
    told["remarks"] = json!([HOSTILE]);
    for step in told["steps"].as_array_mut().context("no steps")? {
        (step["text"], step["act"], step["because"]) = (json!(HOSTILE), json!(HOSTILE), json!(HOSTILE));
        (step["remarks"], step["decisions"]) =
            (json!([HOSTILE]), json!([format!("match 0x1: {HOSTILE}\n  {HOSTILE}\n    6 0x1 {HOSTILE}")]));
    }
    let mut expected = told["steps"][2].clone();
    expected["is_expectation"] = json!(true);
    told["steps"].as_array_mut().context("no steps")?.insert(3, expected);
    let replay = kept("hostile.json");
    fs::write(&replay, serde_json::to_vec(&told)?)?;
    let page = report("hostile.html", &[text(&log), "--replay", text(&replay)])?;
    let browser = Browser::start(1440, 900, false)?;
    open(&browser, &page, "")?;
    let last = browser.run("return JSON.parse(document.getElementById('data').textContent).steps.length")?;
    for step in 1..=last.as_u64().context("no steps")? {
        browser.open(&page, &format!("step-{step}"))?;
        browser
            .wait(&format!("document.querySelector('.eyebrow').textContent.startsWith('Step {step} of')"))?;
    }
    browser.open(&page, "step-3")?;
    browser.wait("document.querySelector('.expected')?.textContent.includes('<img src=x onerror=')")?;
    let shown = browser.run("return document.querySelector('main').textContent")?;
    ensure!(shown.as_str().unwrap_or("").contains("<img src=x onerror="), "the text is not shown");
    ensure!(
        browser.run(
            "return [window.hacked ?? 0, document.querySelectorAll('img').length, document.scripts.length]"
        )? == json!([0, 0, 2])
    );
    browser.screenshot(&kept("hostile.png"))?;
    // Markup that someone puts in by hand is refused as well.
    browser.run("const it = document.createElement('div'); document.body.append(it); it.innerHTML = '<img src=x onerror=\"window.hacked=3\">';")?;
    browser.wait("document.querySelector('img')")?;
    let complaints = browser.complaints()?;
    ensure!(complaints.iter().any(|line| line.contains("Content Security Policy")), "{complaints:?}");
    ensure!(browser.run("return window.hacked ?? 0")? == json!(0));
    Ok(())
}

#[test]
fn a_log_without_a_replay_has_a_page_too() -> Result<()> {
    let browser = Browser::start(1440, 1000, false)?;
    for (name, steps) in [("dialogs", 3), ("lists", 3), ("wordpad", 3)] {
        let page = report(&format!("{name}.html"), &[text(&recording(name))])?;
        open(&browser, &page, "step-3")?;
        ensure!(browser.run("return document.querySelectorAll('.stages figure').length")? == json!(2));
        ensure!(browser.run("return document.querySelectorAll('.row').length")?.as_u64() >= Some(steps));
        browser.screenshot(&kept(&format!("{name}.png")))?;
    }
    let complaints = browser.complaints()?;
    ensure!(complaints.is_empty(), "{complaints:?}");
    ensure!(!heading(&browser)?.is_empty());
    Ok(())
}

#[test]
fn a_run_of_many_tests_has_a_page() -> Result<()> {
    let before = |status: &str, millis: u64| json!({ "status": status, "millis": millis });
    let run = json!({ "name": "regression", "started": "2026-11-16T09:30:00+01:00", "millis": 48_200, "tests": [
        { "name": "invoice/crash", "status": "passed", "verdict": "reproduced", "millis": 2310, "tags": ["smoke"], "before": before("passed", 2290) },
        { "name": "invoice/total", "status": "failed", "verdict": "diverged", "millis": 6120, "message": "at step 12\nexpected Static “Total: 13.20” but “Total: 13.02”", "report": "invoice-crash.html", "before": before("passed", 2450) },
        { "name": "notepad/letter", "status": "flaky", "verdict": "passed", "millis": 8800, "attempts": 2, "before": before("passed", 3100) },
        { "name": "wordpad/format", "status": "passed", "verdict": "passed", "millis": 5400, "before": before("failed", 9100) },
        { "name": "gallery/trees", "status": "passed", "verdict": "passed", "millis": 3900, "before": before("passed", 6100) },
        { "name": "</script><img src=x onerror=window.hacked=1>", "status": "error", "millis": 12, "report": "javascript:window.hacked=2", "message": "there is no such log" },
        { "name": "gallery/dates", "status": "skipped", "millis": 0 },
    ] });
    let file = kept("suite.json");
    fs::create_dir_all(file.parent().context("no folder")?)?;
    fs::write(&file, serde_json::to_vec(&run)?)?;
    let page = report("suite.html", &["--suite", text(&file)])?;
    let browser = Browser::start(1440, 900, false)?;
    open(&browser, &page, "")?;
    let rows = "[...document.querySelectorAll('tbody tr')]";
    let names = |browser: &Browser| {
        browser.run(&format!("return {rows}.map((it) => it.querySelector('th').firstChild.textContent)"))
    };
    ensure!(names(&browser)?[0] == json!("invoice/total"), "what failed comes first: {}", names(&browser)?);
    browser.screenshot(&kept("suite-light.png"))?;
    browser.click("thead th:nth-child(3) button")?;
    browser.wait(&format!("{rows}[0].textContent.includes('notepad/letter')"))?;
    browser.click(".chips button:nth-child(4)")?;
    browser.wait(&format!("{rows}.length === 1 && {rows}[0].textContent.includes('flaky')"))?;
    browser.click(".chips button:first-child")?;
    browser.click(".search input")?;
    browser.keys("wordpad")?;
    browser.wait(&format!("{rows}.length === 1 && {rows}[0].textContent.includes('is mended')"))?;
    ensure!(
        browser.run(
            "return [window.hacked ?? 0, document.querySelectorAll('img, a[href^=javascript]').length]"
        )? == json!([0, 0])
    );
    let complaints = browser.complaints()?;
    ensure!(complaints.is_empty(), "{complaints:?}");
    Ok(())
}

#[test]
fn a_page_that_cannot_be_shown_says_why() -> Result<()> {
    let dashcam = folders::dashcam().join("linux").join("dashcam");
    let log = recording("invoice-crash");
    let cases: [(&[&str], &str); 3] = [
        (&["missing.dashcam"], "cannot read missing.dashcam"),
        (&[text(&log), "--replay", text(&log)], "is not what dashcam replay --json writes"),
        (&[text(&log), "-o", "no/such/folder/report.html"], "cannot write no/such/folder/report.html"),
    ];
    for (arguments, sentence) in cases {
        let done = Command::new(&dashcam).arg("report").args(arguments).output()?;
        let said = String::from_utf8_lossy(&done.stderr);
        ensure!(done.status.code() == Some(2) && said.contains(sentence), "{arguments:?}: {said}");
    }
    Ok(())
}

fn events(log: &Path) -> Result<Vec<Event>> {
    let bytes = fs::read(log)?;
    let entries = Log::from_bytes(&log.display().to_string(), &bytes)?.newest();
    let events = entries.filter_map(|entry| match entry {
        Ok(Entry::Event(event)) => Some(Ok(event)),
        Ok(_) => None,
        Err(error) => Some(Err(error.into())),
    });
    events.collect()
}

fn written(events: impl IntoIterator<Item = Event>) -> Result<Vec<u8>> {
    let head = SegmentHead { version: FORMAT_VERSION, session: "page".into(), ..SegmentHead::default() };
    let mut writer = LogWriter::begin(Vec::new(), &head)?;
    for event in events {
        writer.write(&event)?;
    }
    Ok(writer.finish()?)
}

fn rewritten(log: &Path, change: impl Fn(&mut Event)) -> Result<Vec<u8>> {
    let mut events = events(log)?;
    events.iter_mut().for_each(change);
    written(events)
}

/// The same facts with another name of the window.
fn renamed(params: &Params, name: &str) -> Params {
    let change = |param: &Param| match param {
        Param::Known(key @ (Key::WindowName | Key::Text | Key::ApplicationName), Fact::Text(_)) => {
            Param::Known(*key, Fact::Text(name.into()))
        }
        other => other.clone(),
    };
    params.iter().map(change).collect()
}

/// The user's actions in the invoice program, repeated.
fn repeated(times: u64) -> Result<Vec<u8>> {
    let events = events(&recording("invoice-crash"))?;
    let is_input = |event: &Event| {
        let input = |number: u32| {
            (WM_KEYFIRST..WM_KEYLAST).contains(&number) || (WM_LBUTTONDOWN..=WM_MOUSELAST).contains(&number)
        };
        event.message().is_some_and(|message| message.hook == Hook::Posted && input(message.number))
    };
    let first = events.iter().position(is_input).context("no input")?;
    let (prologue, deeds) = events.split_at(first);
    let births: u64 =
        deeds.iter().filter_map(Event::message).map(|message| message.window_id).max().unwrap_or(0);
    let known = prologue.iter().flat_map(|event| match &event.kind {
        Kind::Keyframe(frame) => frame.windows.iter().filter_map(|it| it.unsigned(Key::WindowId)).max(),
        Kind::Message(message) => Some(message.window_id),
        _ => None,
    });
    let known = known.max().unwrap_or(0);
    let span = deeds.iter().filter_map(|event| event.stamp).map(|stamp| stamp.sequence).max().unwrap_or(0);
    let time = deeds.iter().filter_map(|event| event.stamp).map(|stamp| stamp.time).max().unwrap_or(0);
    let again = (0..times).flat_map(|round| {
        let is_kept = move |event: &&Event| match event.kind {
            Kind::Message(_) => true,
            Kind::Crash => round + 1 == times,
            _ => false,
        };
        deeds.iter().filter(is_kept).cloned().map(move |mut event| {
            if let Some(stamp) = &mut event.stamp {
                stamp.sequence += round * span;
                stamp.time += round * time;
            }
            if let Kind::Message(message) = &mut event.kind
                && message.window_id > known
            {
                message.window_id += round * births;
            }
            event
        })
    });
    written(prologue.iter().cloned().chain(again))
}

/// A replay's result with the same number of rounds.
fn repeat_result(one: &Value, times: u64) -> Value {
    let mut all = one.clone();
    let steps = one["steps"].as_array().cloned().unwrap_or_default();
    let count = steps.len() as u64;
    let again = (0..times).flat_map(|round| {
        steps.iter().cloned().map(move |mut step| {
            step["number"] = json!(step["number"].as_u64().unwrap_or(0) + round * count);
            step
        })
    });
    all["steps"] = again.collect();
    all["step"] = json!(count * times);
    all
}
