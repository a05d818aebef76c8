//! A secret in every window it can get into, and in no file that is left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[cfg(unix)]
use anyhow::Context;
use anyhow::{Result, ensure};
use harness::{Stage, folders, stage};
use message_log::{Event, Key, Kind, Log, Manifest, encode};

use crate::{Host, dashcam};

const SECRET: &str = "Zq<7&Kw'ü";
const LONGER: &str = "Zq<7&Kw'ü-1234";
/// Ids of the password fields, whose text's length is a secret too.
const PASSWORDS: [i64; 7] = [1101, 1201, 1102, 1106, 1107, 1108, 1109];

/// A secret as bytes, in every form in which a file could have it.
fn forms(secret: &str) -> Vec<Vec<u8>> {
    let escaped = secret.replace('&', "&amp;").replace('<', "&lt;");
    let quoted = escaped.replace('\'', "&apos;");
    let json = serde_json::to_string(secret).unwrap_or_default();
    let narrow: Vec<u8> = secret.chars().map(|c| c as u8).collect();
    let mut forms: Vec<Vec<u8>> =
        [secret, &escaped, &quoted, json.trim_matches('"')].map(|form| form.as_bytes().to_vec()).into();
    let wide = [secret, &escaped].map(|form| form.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.extend(wide);
    forms.push(narrow);
    forms
}

/// All bytes the recorder has left: its files as they are, and what is inside the export.
fn everything(host: &Host) -> Result<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    for file in host.files()? {
        let bytes = fs::read(&file)?;
        if file.extension().is_some_and(|ending| ending == "dashcam") {
            let mut inside = serde_json::to_vec(&Manifest::read("export", std::io::Cursor::new(&bytes))?)?;
            for event in Log::from_bytes("export", &bytes)?.read_all()?.0 {
                encode(&event, &mut inside);
            }
            all.push((format!("inside {}", file.display()), inside));
        }
        all.push((file.display().to_string(), bytes));
    }
    Ok(all)
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Runs the host with a secret; what it left holds none of it.
fn keep(stage: &Stage, secret: &str, how: &str, name: &str) -> Result<Host> {
    let log = stage.folder().join(name);
    let file = stage.folder().join(format!("{name}.txt"));
    fs::write(&file, secret)?;
    let host = Host::start_in(stage, &log, "secrets", &[&folders::for_windows(&file), how], &[])?;
    let code = host.program.wait(harness::wait::DEADLINE)?;
    ensure!(code == if how == "kill" { 71 } else { 0 }, "{code}: {}", host.program.stdout()?);
    host.check(&[("start", 0), ("mask", 0), ("export", 0), ("prompt", 1)])?;
    let all = everything(&host)?;
    ensure!(all.len() > 2, "{} files", all.len());
    for (file, bytes) in &all {
        for form in forms(secret) {
            ensure!(!holds(bytes, &form), "{file} has the secret as {}", String::from_utf8_lossy(&form));
        }
    }
    // The search can find: what is no secret is there.
    let found = |word: &str| {
        all.iter().filter(|(_, bytes)| forms(word).iter().any(|form| holds(bytes, form))).count()
    };
    ensure!(found("a word that is no secret") >= 2, "the search finds nothing");
    ensure!(found("another word that is no secret") >= 1, "the last word is missing");
    Ok(host)
}

#[test]
fn a_secret_is_in_no_file_whichever_way_it_came() {
    stage(|stage| {
        let host = keep(stage, SECRET, "stop", "stopped")?;
        // What the rings have when the process dies, too.
        let killed = keep(stage, SECRET, "kill", "killed")?;
        ensure!(
            killed.files()?.iter().any(|file| file.extension().is_some_and(|e| e == "ring")),
            "no ring was left"
        );
        // The customer's own search agrees: on the log, and on the export.
        let words = stage.folder().join("words.txt");
        fs::write(&words, format!("{SECRET}\n"))?;
        let public = stage.folder().join("public.txt");
        fs::write(&public, "not there\nword that is no secret\n")?;
        let (words, public) = (words.display().to_string(), public.display().to_string());
        for log in [host.log.clone(), killed.log, host.log.join("export.dashcam")] {
            let log = log.display().to_string();
            let clean = dashcam(stage.folder(), &["check", &log, "--secrets", &words])?;
            let said = String::from_utf8_lossy(&clean.stdout);
            ensure!(
                clean.status.code() == Some(0),
                "{log}: {said}{}",
                String::from_utf8_lossy(&clean.stderr)
            );
            ensure!(said.contains("none of 1 word"), "{said}");
            let dirty = dashcam(stage.folder(), &["check", &log, "--secrets", &public])?;
            let said = String::from_utf8_lossy(&dirty.stdout);
            ensure!(dirty.status.code() == Some(1), "{log}: {said}");
            ensure!(said.contains("line 2") && !said.contains("line 1 "), "{said}");
            ensure!(!said.contains("word that is no secret"), "it prints what it found: {said}");
        }
        Ok(())
    });
}

#[test]
fn nothing_reveals_the_length_of_a_password() {
    stage(|stage| {
        let short = keep(stage, SECRET, "stop", "short")?.events()?;
        let long = keep(stage, LONGER, "stop", "long")?.events()?;
        let (short, long) = (about_passwords(&short)?, about_passwords(&long)?);
        ensure!(short.len() > 10, "{short:?}");
        ensure!(short == long, "a longer password leaves something else:\n{short:?}\n{long:?}");
        Ok(())
    });
}

/// Everything recorded about the password fields, without handles and times: message and facts.
fn about_passwords(events: &[Event]) -> Result<Vec<String>> {
    let mut fields = BTreeMap::new();
    for event in events {
        let windows = match &event.kind {
            Kind::Keyframe(keyframe) => keyframe.windows.iter().collect(),
            _ => vec![&event.params],
        };
        for params in windows {
            let id = params.signed(Key::WindowResourceId).filter(|id| PASSWORDS.contains(id));
            if let Some((id, hwnd)) =
                id.zip(params.unsigned(Key::WindowHwnd).or(event.message().map(|message| message.hwnd)))
            {
                fields.insert(hwnd, id);
            }
        }
    }
    let found: BTreeSet<_> = fields.values().copied().collect();
    ensure!(found.len() == PASSWORDS.len(), "{fields:?}");
    let about = |event: &Event| -> Option<String> {
        let message = event.message()?;
        let source = event.params.unsigned(Key::Source).unwrap_or_default();
        let result = event.params.unsigned(Key::ResultWindow).unwrap_or_default();
        let id = [message.hwnd, source, result].iter().find_map(|hwnd| fields.get(hwnd))?;
        let keys: Vec<_> = event
            .params
            .iter()
            .map(|param| format!("{param:?}").chars().take(12).collect::<String>())
            .collect();
        Some(format!("{id}: {} {keys:?}", message.number))
    };
    Ok(events.iter().filter_map(about).collect())
}

#[test]
fn the_folder_is_the_users_alone() {
    stage(|stage| {
        let host = Host::finish(stage, "rights", &[])?;
        host.check(&[("folder: the user", 1), ("folder: others", 0), ("segment: the user", 1)])?;
        // Wine does not hand rights down; its folder keeps others out all the same.
        if cfg!(windows) {
            host.check(&[("segment: others", 0)])?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let session = fs::read_dir(&host.log)?.next().context("no session")??;
            let mode = session.metadata()?.permissions().mode();
            ensure!(mode & 0o007 == 0, "others may enter: {mode:o}");
        }
        Ok(())
    });
}
