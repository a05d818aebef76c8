//! `dashcam doctor`: what would keep Dashcam from working is found, and each line says what to do.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};

fn doctor(stage: &Stage, dashcam: &Path, args: &[&str]) -> Result<(i32, String)> {
    let run = stage.start(&dashcam.display().to_string(), &[&["doctor"], args].concat())?;
    let code = run.wait(DEADLINE)?;
    Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
}

#[test]
fn a_sound_installation_passes() {
    stage(|stage| {
        let dashcam = folders::command();
        let log = folders::for_windows(&stage.folder().join("log"));
        let (code, said) =
            doctor(stage, &dashcam, &[&folders::for_windows(&folders::sample("gallery")), "--log", &log])?;
        for line in [
            "✓ recorder   dashcam.dll 0.1.0 (x64) is beside dashcam.exe",
            "✓ agent ",
            "✓ hooks      a window of our own was recorded",
            "✓ program    gallery.exe is an x64 program, as dashcam.exe is",
            "✓ host       no dashcam.dll lies beside the program",
        ] {
            ensure!(code == 0 && said.contains(line), "{line}: {code}\n{said}");
        }
        ensure!(!stage.folder().join("log").exists(), "the doctor left something behind");
        Ok(())
    });
}

#[test]
fn problems_are_reported_with_a_remedy() {
    stage(|stage| {
        let x64 = folders::built();
        // A command alone, a recorder of the other bitness, and a folder that is a file.
        let alone = stage.folder().join("alone").join("dashcam.exe");
        fs::create_dir_all(stage.folder().join("alone"))?;
        fs::copy(x64.join("dashcam.exe"), &alone)?;
        fs::copy(folders::dashcam().join("x86").join("dashcam.dll"), alone.with_file_name("dashcam.dll"))?;
        let file = stage.folder().join("file.txt");
        fs::write(&file, "no folder")?;
        let (code, said) = doctor(stage, &alone, &["--log", &folders::for_windows(&file)])?;
        for line in [
            r"dashcam.dll is for x86, and dashcam.exe for x64: install Dashcam again",
            r"dashcam-agent.dll is missing: install Dashcam again",
            r"file.txt cannot be written to",
            "! hooks      not tried: mend the recorder and the folder first",
        ] {
            ensure!(code == 1 && said.contains(line), "{line}: {code}\n{said}");
        }

        // A host with the wrong recorder beside it.
        let host = stage.folder().join("host").join("minimal.exe");
        fs::create_dir_all(stage.folder().join("host"))?;
        fs::copy(folders::sample("minimal"), &host)?;
        fs::copy(folders::dashcam().join("x86").join("dashcam.dll"), host.with_file_name("dashcam.dll"))?;
        let (code, said) = doctor(stage, &x64.join("dashcam.exe"), &[&folders::for_windows(&host)])?;
        ensure!(code == 1 && said.contains(r"put bin\x64\dashcam.dll there"), "{code}\n{said}");

        for (app, sentence) in [
            (folders::for_windows(&file), "is no Windows program"),
            ("no-such-program".into(), "there is no program"),
        ] {
            let (code, said) = doctor(stage, &x64.join("dashcam.exe"), &[&app])?;
            ensure!(
                code == 2 && said.contains(sentence) && said.lines().count() == 1,
                "{app}: {code}\n{said}"
            );
        }
        let (code, said) = doctor(stage, &x64.join("dashcam.exe"), &["--pid", "999999"])?;
        ensure!(code == 1 && said.contains("✗ program"), "{code}\n{said}");
        Ok(())
    });
}
