//! `dashcam test` on real programs: the suite of `tests/suite` in two parallel shards, and the
//! features of scripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, Stage, folders, stage, window};
use serde_json::Value;

/// How long a whole suite may take on a busy machine.
const SUITE: Duration = Duration::from_secs(1200);

fn dashcam(stage: &Stage, args: &[&str]) -> Result<Program> {
    let dashcam = folders::command().display().to_string();
    let samples = folders::sample("invoice").parent().context("samples lie in a folder")?.to_owned();
    let samples = folders::for_windows(&samples);
    stage.start_with(&dashcam, args, &[("DASHCAM_SAMPLES", &samples), ("DASHCAM_TEST_PASSWORD", "swordfish")])
}

/// Runs to the end; returns the exit code and the output.
fn run(stage: &Stage, args: &[&str]) -> Result<(i32, String)> {
    let done = dashcam(stage, args)?;
    let code = done.wait(SUITE)?;
    Ok((code, format!("{}{}", done.stdout()?, done.stderr()?)))
}

fn suite() -> PathBuf {
    folders::workspace().join("tests").join("suite")
}

fn windows(path: &Path) -> String {
    folders::for_windows(path)
}

/// Reads a JUnit file with Debian's junitparser: the numbers of tests, failures and errors, and each case
/// with its result.
fn junit(path: &Path) -> Result<Value> {
    const READ: &str = "import sys, json, junitparser\n\
        xml = junitparser.JUnitXml.fromfile(sys.argv[1])\n\
        cases = {case.name: [[type(result).__name__, result.type, result.message] for result in case.result] for suite in xml for case in suite}\n\
        print(json.dumps({'tests': xml.tests, 'failures': xml.failures, 'errors': xml.errors, 'time': xml.time, 'cases': cases}))";
    let read = Command::new("/usr/bin/python3").args(["-c", READ]).arg(path).output()?;
    ensure!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    Ok(serde_json::from_slice(&read.stdout)?)
}

/// Two parallel shards run each script of the suite once, with the expected results. A JUnit reader counts
/// them in the merged file.
#[test]
fn the_suite_is_as_expected_in_two_shards() {
    stage(|stage| {
        let folder = windows(&suite());
        let shards = ["1/2", "2/2"];
        let running =
            shards.map(|shard| dashcam(stage, &["test", &folder, "--shard", shard, "--jobs", "1", "--json"]));
        let mut parts = Vec::new();
        for (number, running) in running.into_iter().enumerate() {
            let running = running?;
            let code = running.wait(SUITE)?;
            let said = running.stdout()?;
            let wrong = said.lines().filter(|line| !line.contains("\"outcome\":\"passed\""));
            ensure!(code == 0, "{code}: {}{}", wrong.collect::<Vec<_>>().join("\n"), running.stderr()?);
            let part = stage.folder().join(format!("{number}.jsonl"));
            fs::write(&part, said)?;
            parts.push(windows(&part));
        }
        let (xml, all) = (stage.folder().join("junit.xml"), stage.folder().join("all.jsonl"));
        let (xml_name, all_name) = (windows(&xml), windows(&all));
        let merge = ["merge", &parts[0], &parts[1], "-o", &xml_name, "-o", &all_name];
        let (code, said) = run(stage, &merge)?;
        ensure!(code == 0 && said.contains("all as expected"), "{code}: {said}");
        let scripts = fs::read_dir(suite())?.filter_map(|entry| Some(entry.ok()?.path()));
        let scripts = scripts.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).count();
        let read = junit(&xml)?;
        ensure!(scripts >= 12 && read["tests"] == scripts, "{scripts} scripts: {read}");
        ensure!(read["failures"] == 0 && read["errors"] == 0, "{read}");
        let lines = fs::read_to_string(&all)?;
        let crash =
            lines.lines().find(|line| line.contains("\"name\":\"invoice-crash\"")).context("no crash")?;
        let crash: Value = serde_json::from_str(crash)?;
        ensure!(crash["attempts"][0]["verdict"] == "reproduced", "{crash}");
        Ok(())
    });
}

/// Unexpected results are reported in the text output, in JUnit and in the exit code. A time-out kills
/// the application.
#[test]
fn unexpected_results_are_reported() {
    stage(|stage| {
        let log = windows(&folders::workspace().join("tests/recordings/steps/invoice-crash.dashcam"));
        let script = |name: &str, more: &str| {
            let text = format!("log = '{log}'\napp = [\"{{env:DASHCAM_SAMPLES}}/invoice.exe\"]\n{more}");
            fs::write(stage.folder().join(name), text)
        };
        // Waits for a window that never opens: the replay itself may take less than a second.
        script("late.toml", "timeout = 1\n[[expect_window]]\nafter_step = 1\nwindow = \"Nothing\"\n")?;
        script(
            "wrong.toml",
            "[[expect_window]]\nafter_step = 1\nwindow = \"InvoiceFrame\"\ntext_matches = \"^Bill\"\n",
        )?;
        let xml = stage.folder().join("junit.xml");
        let args =
            ["test", &windows(stage.folder()), "--retries", "1", "--jobs", "2", "--junit", &windows(&xml)];
        let (code, said) = run(stage, &args)?;
        ensure!(code == 1 && said.contains("2 scripts: 0 as expected, 2 not"), "{code}: {said}");
        ensure!(said.contains("it took longer than 1 s: the application was ended"), "{said}");
        ensure!(said.contains("it has the text “Untitled - Invoice”"), "{said}");
        stage.wait_gone(&window().class("InvoiceFrame"))?;
        let read = junit(&xml)?;
        ensure!(read["failures"] == 2, "{read}");
        ensure!(read["cases"]["wrong"][0][2] == "diverged at step 1, not passed", "{read}");
        script("wrong.toml", "colour = 1\n")?;
        let (code, said) = run(stage, &args)?;
        ensure!(code == 2 && said.contains("wrong.toml:3: there is no `colour`"), "{code}: {said}");
        script("accepted.toml", "expect = \"passed\" # once the crash is gone\n")?;
        let accepted = windows(&stage.folder().join("accepted.toml"));
        let (code, said) = run(stage, &["bless", &accepted])?;
        ensure!(code == 0 && said.contains("accepted: reproduced"), "{code}: {said}");
        let (code, said) = run(stage, &["test", &accepted])?;
        ensure!(code == 0 && said.contains("all as expected: 1 script"), "{code}: {said}");
        Ok(())
    });
}

/// A baseline finds volatile values by itself, so that only a change of the application is a difference.
/// `bless` accepts the change as the expected state.
#[test]
fn a_baseline_knows_what_is_volatile_and_a_change_is_accepted() {
    stage(|stage| {
        let log = windows(&folders::workspace().join("tests/recordings/steps/notepad.dashcam"));
        let script = stage.folder().join("note.toml");
        // The name of the document is that of a temporary folder.
        let text = format!(
            "log = '{log}'\napp = [\"notepad\", \"{{work}}.txt\"]\nverify = \"complete\"\n\
             [setup]\ncopy = [{{ from = \"empty.txt\", to = \"{{work}}.txt\" }}]\n\
             [cleanup]\nremove = [\"{{work}}.txt\"]\n"
        );
        fs::write(&script, text)?;
        fs::write(stage.folder().join("empty.txt"), "")?;
        let name = windows(&script);
        let (code, said) = run(stage, &["test", &name])?;
        ensure!(code == 2 && said.contains("note.toml:3: there is no baseline"), "{code}: {said}");
        let (code, said) = run(stage, &["baseline", &name])?;
        ensure!(code == 0 && said.contains("text is volatile: Notepad"), "{code}: {said}");
        ensure!(said.contains("text is volatile: #32770 \"Notepad\" > Static"), "{said}");
        let rules = fs::read_to_string(&script)?;
        ensure!(rules.contains("[[ignore]]") && !rules.contains("dashcam-"), "{rules}");
        let (code, said) = run(stage, &["test", &name])?;
        ensure!(code == 0, "{code}: {said}");
        // The application changes: its document is no longer empty.
        fs::write(stage.folder().join("empty.txt"), "\r\n\r\nred")?;
        let (code, said) = run(stage, &["test", &name])?;
        ensure!(code == 1 && said.contains("diverged at step 1"), "{code}: {said}");
        let (code, said) = run(stage, &["bless", &name])?;
        ensure!(code == 0 && said.contains("after step 1:") && said.contains("red”"), "{code}: {said}");
        let (code, said) = run(stage, &["test", &name])?;
        ensure!(code == 0, "{code}: {said}");
        let (code, said) = run(stage, &["replay", "--script", &name, "--no-agent"])?;
        ensure!(code == 2 && said.contains("complete verification asks the agent"), "{code}: {said}");
        Ok(())
    });
}

/// A registry value as the line that `reg` prints; `None` if it does not exist.
fn registry(stage: &Stage, name: &str) -> Result<Option<String>> {
    let asked = stage.start("reg", &["query", NOTEPAD, "/v", name])?;
    asked.wait(DEADLINE)?;
    let said = asked.stdout()?;
    Ok(said.lines().find(|line| line.contains(name)).map(|line| line.trim().to_owned()))
}

const NOTEPAD: &str = r"HKCU\Software\Microsoft\Notepad";

/// Setups of scripts exist for the application and are removed afterwards; files can be renamed. A script
/// that passes only at the second attempt is flaky in the text output, in JUnit and in the exit code. Each
/// script has its page.
#[test]
fn setups_are_cleaned_up_and_flaky_scripts_reported() {
    stage(|stage| {
        let folder = stage.folder().join("scripts");
        for (file, text) in [("base/note.txt", ""), ("over/note.txt", "old")] {
            fs::create_dir_all(folder.join(file).parent().context("no folder")?)?;
            fs::write(folder.join(file), text)?;
        }
        let log = |name: &str| {
            windows(&folders::workspace().join("tests/recordings/steps").join(format!("{name}.dashcam")))
        };
        let script = |name: &str, recording: &str, more: &str| {
            fs::write(folder.join(format!("{name}.toml")), format!("log = '{}'\n{more}", log(recording)))
        };
        // The clean-up removes what makes the first attempt fail.
        script(
            "flaky",
            "notepad",
            &format!(
                "app = [\"notepad\", \"{{work}}/note.txt\"]\n\
                 [setup]\ncopy = [{{ from = \"base\", to = \".\" }}, {{ from = \"over\", to = \".\" }}]\n\
                 [cleanup]\nremove = [\"{{here}}/over/note.txt\"]\n\
                 registry = [{{ key = '{NOTEPAD}', name = \"DashcamLeft\" }}]\n\
                 [[expect_window]]\nafter_step = 1\nwindow = \"Notepad > Edit\"\ntext = \"\"\n"
            ),
        )?;
        script(
            "registry",
            "notepad",
            &format!(
                "app = [\"notepad\"]\n\
                 [setup]\nregistry = [{{ key = '{NOTEPAD}', name = \"bStatusBar\", value = 0 }}, \
                 {{ key = '{NOTEPAD}', name = \"DashcamTest\", value = \"{{work}}\" }}]\n\
                 [[expect_window]]\nafter_step = 1\nwindow = \"Notepad > msctls_statusbar32\"\nvisible = false\n"
            ),
        )?;
        script(
            "mapped",
            "common-dialogs",
            "app = [\"{env:DASHCAM_SAMPLES}/gallery.exe\", \"--page\", \"dialogs\"]\n\
             map_file = [{ from = \"no-such-file.txt\", to = \"{work}/other.txt\" }]\n\
             [[expect_window]]\nafter_step = 2\nwindow = \"\\\"Open\\\" > Edit id 1148\"\ntext_matches = 'dashcam-\\w+.other\\.txt$'\n",
        )?;
        for name in ["bStatusBar", "DashcamLeft"] {
            let set =
                stage.start("reg", &["add", NOTEPAD, "/v", name, "/t", "REG_DWORD", "/d", "1", "/f"])?;
            ensure!(set.wait(DEADLINE)? == 0, "{}", set.stderr()?);
        }
        let before = registry(stage, "bStatusBar")?;
        ensure!(before.is_some(), "reg tells nothing");

        let [xml, page, lines, history] =
            ["junit.xml", "all.html", "all.jsonl", "history.json"].map(|name| stage.folder().join(name));
        let arguments = ["test", &windows(&folder), "--retries", "1", "--jobs", "3", "--json"];
        // Replays run in their own folders; the page's path is still relative to this one.
        let files = ["--junit", &windows(&xml), "--report", "all.html", "--history", &windows(&history)];
        let done = dashcam(stage, &[&arguments[..], &files[..]].concat())?;
        let (code, said) = (done.wait(SUITE)?, done.stdout()?);
        ensure!(code == 1, "{code}: {said}{}", done.stderr()?);
        let results: Vec<Value> = said.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let outcomes: Vec<_> = results.iter().filter_map(|line| line["outcome"].as_str()).collect();
        ensure!(outcomes.len() == 3, "{said}");
        for result in results.iter().filter(|line| line["name"].is_string()) {
            let (name, report) = (result["name"].as_str(), result["report"].as_str());
            let expected = if name == Some("flaky") { "flaky" } else { "passed" };
            ensure!(result["outcome"] == expected, "{result}");
            let page = stage.folder().join(report.context("no page")?);
            ensure!(fs::read_to_string(&page)?.contains("id=\"data\""), "{}", page.display());
        }
        ensure!(fs::read_to_string(&page)?.contains("\"report\":\"all/flaky.html\""), "no link");
        let read = junit(&xml)?;
        ensure!(read["failures"] == 1 && read["cases"]["flaky"][0][1] == "flaky", "{read}");

        // Everything is as before.
        ensure!(registry(stage, "bStatusBar")? == before, "{:?}", registry(stage, "bStatusBar")?);
        for gone in ["DashcamTest", "DashcamLeft"] {
            ensure!(registry(stage, gone)?.is_none(), "{gone} is still there");
        }
        ensure!(!folder.join("over/note.txt").exists() && folder.join("base/note.txt").exists());

        // It is still flaky after merging; --allow-flaky accepts that.
        fs::write(&lines, said)?;
        let merge = ["merge", &windows(&lines), "-o", &windows(&page)];
        ensure!(run(stage, &merge)?.0 == 1, "flaky is passed");
        ensure!(run(stage, &[&merge[..], &["--allow-flaky"]].concat())?.0 == 0, "flaky is not allowed");
        let first = ["test", &windows(&folder), "--list", "--failed-first", "--history", &windows(&history)];
        let (code, said) = run(stage, &first)?;
        ensure!(code == 0 && said.starts_with("flaky"), "{code}: {said}");
        Ok(())
    });
}

/// The agent takes pictures before and after each step, and the page contains them.
#[test]
fn pictures_of_the_windows_are_in_the_page() {
    stage(|stage| {
        let log = windows(&folders::workspace().join("tests/recordings/steps/notepad.dashcam"));
        let page = stage.folder().join("page.html");
        let wanted = ["--screenshots", "--json", "--report", &windows(&page)];
        let done = dashcam(stage, &[&["replay", &log], &wanted[..], &["--app", "notepad"]].concat())?;
        let (code, said) = (done.wait(SUITE)?, done.stdout()?);
        ensure!(code == 0, "{code}: {said}{}", done.stderr()?);
        let told: Value = serde_json::from_str(&said)?;
        let pictures: Vec<&str> =
            told["pictures"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        // Each is a PNG, and the picture with text differs from that of the empty page.
        ensure!(
            pictures.len() > 3 && pictures.iter().all(|picture| picture.starts_with("iVBORw0KGgo")),
            "{said}"
        );
        let typed = &told["steps"][1];
        let of = |when: &str| typed[when][0]["picture"].as_u64();
        ensure!(of("before").is_some() && of("before") != of("after"), "{typed}");
        let page = fs::read_to_string(&page)?;
        ensure!(pictures.iter().all(|picture| page.contains(picture)), "the page has not all of them");
        // A step that is a command also names its window.
        ensure!(told["steps"][6]["window"].is_u64(), "{}", told["steps"][6]);
        Ok(())
    });
}

/// `minimize` keeps only the steps that the crash needs and writes them as an independent script.
#[test]
#[ignore = "long"]
fn a_crash_is_pinned_with_the_steps_it_needs() {
    stage(|stage| {
        let log = folders::workspace().join("tests/recordings/steps/invoice-crash.dashcam");
        let script = stage.folder().join("pinned.toml");
        let invoice = windows(&folders::sample("invoice"));
        let (code, said) =
            run(stage, &["minimize", &windows(&log), "-o", &windows(&script), "--app", &invoice])?;
        ensure!(code == 0, "{said}");
        let text = fs::read_to_string(&script)?;
        ensure!(text.contains("expect = \"reproduced\"\nexpect_step = 24"), "{text}");
        // Without the regular customer and the first item nothing crashes; the colour of the second
        // does not matter.
        ensure!(said.contains("check “Regular customer") && said.contains("press “OK” with Enter"), "{said}");
        let steps = said.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        ensure!(steps.count() <= 19, "{said}");
        let (code, said) = run(stage, &["test", &windows(&script)])?;
        ensure!(code == 0, "{said}");
        let (code, said) = run(stage, &["minimize", &windows(&script)])?;
        ensure!(code == 0, "{said}");
        Ok(())
    });
}
