//! The `dashcam` command as a user of Windows runs it.

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use std::fs;

/// Exit code, standard output and standard error.
fn dashcam(stage: &Stage, args: &[&str]) -> Result<(i32, String, String)> {
    let program = stage.start_dashcam(args)?;
    Ok((program.wait(DEADLINE)?, program.stdout()?, program.stderr()?))
}

#[test]
fn a_crashed_session_is_recovered_into_one_file() {
    stage(|stage| {
        let golden = folders::workspace().join("tests").join("golden");
        let log = stage.folder().join("log");
        fs::create_dir_all(&log)?;
        // A segment cut in the middle of a record, and a ring that holds that record and all
        // that came behind it.
        let segment = fs::read(golden.join("session.xml"))?;
        let text = String::from_utf8_lossy(&segment);
        let cut = text.find("<msg type=\"258\"").expect("the sample types a text") + 40;
        fs::write(log.join("0.xml"), &segment[..cut])?;
        fs::copy(golden.join("crashed.ring"), log.join("1.ring"))?;
        let bug = stage.folder().join("bug.dashcam");
        let (log, bug) = (folders::for_windows(&log), folders::for_windows(&bug));

        let (code, out, err) = dashcam(stage, &["export", &log, "-o", &bug])?;
        ensure!(code == 0 && out.contains("13 events of Invoice 3.1.4"), "{code} {out}{err}");
        let (code, out, err) = dashcam(stage, &["export", &log, "-o", &bug])?;
        ensure!(
            code == 2 && err.contains("exists: choose another name, or add --force"),
            "{code} {out}{err}"
        );
        let (code, out, err) = dashcam(stage, &["check", "--json", &bug])?;
        ensure!(code == 0, "{code} {out}{err}");
        let summary: serde_json::Value = serde_json::from_str(&out)?;
        ensure!(summary["messages"] == 9 && summary["crashes"] == 1 && summary["damage_count"] == 0, "{out}");
        Ok(())
    });
}

#[test]
fn rubbish_gets_one_sentence_and_exit_code_2() {
    stage(|stage| {
        let picture = stage.folder().join("picture.png");
        fs::write(&picture, b"\x89PNG\r\n\x1a\n")?;
        for (log, sentence) in [
            (folders::for_windows(&picture), "picture.png is not a dashcam log"),
            (folders::for_windows(&stage.folder().join("nothing")), "cannot read"),
            (folders::for_windows(stage.folder()), "holds no log"),
        ] {
            let (code, out, err) = dashcam(stage, &["check", &log])?;
            ensure!(code == 2 && out.is_empty() && err.contains(sentence), "{log}: {code} {out}{err}");
            ensure!(err.lines().count() == 1 && err.starts_with("dashcam: "), "{err}");
        }
        Ok(())
    });
}
