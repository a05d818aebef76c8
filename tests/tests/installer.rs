//! The setup program, as a vendor meets it: installed silently into a fresh Wine prefix, used, and
//! uninstalled again. Nothing may be left but the user's logs.
//!
//! The setup program is the one that `cargo xtask dist --quick` has made of the same binaries that the other
//! tests use; with `DASHCAM_SETUP`, another.
#![cfg(not(windows))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Desktop, Input, Probe, Program, folders, wait_until, window};

/// A prefix of its own, with nothing in it but Wine.
struct Machine {
    /// Ends with us.
    _desktop: Arc<Desktop>,
    probe: Arc<Probe>,
    input: Input,
    /// For outputs and what the vendor builds; outside the prefix.
    folder: PathBuf,
    drive: PathBuf,
}

impl Machine {
    fn new(name: &str) -> Result<Self> {
        let folder = folders::running().join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let desktop = Arc::new(Desktop::start_private()?);
        let prefix =
            desktop.environment().find(|(name, _)| *name == "WINEPREFIX").map(|(_, value)| value.to_owned());
        let drive = PathBuf::from(prefix.context("a prefix")?).join("drive_c");
        let probe = Arc::new(Probe::start(&desktop, &folder)?);
        let input = Input::new(&desktop, &probe);
        let machine = Self { _desktop: desktop, probe, input, folder, drive };
        // Wine would show shortcuts in the menu of this system too, at some later moment.
        let key = r"HKCU\Software\Wine\DllOverrides";
        machine.run("reg", &["add", key, "/v", "winemenubuilder.exe", "/d", "", "/f"])?;
        Ok(machine)
    }

    fn start(&self, program: &Path, args: &[&str]) -> Result<Program> {
        Program::start(&self.probe, &self.folder, &program.display().to_string(), args, &[])
    }

    /// Runs a program to its end: the exit code and what it said.
    fn run(&self, program: impl AsRef<Path>, args: &[&str]) -> Result<(i32, String)> {
        let program = self.start(program.as_ref(), args)?;
        let code = program.wait(DEADLINE * 3)?;
        Ok((code, format!("{}{}", program.stdout()?, program.stderr()?)))
    }

    /// The file of a Windows path on drive C.
    fn file(&self, path: &str) -> PathBuf {
        self.drive.join(path.trim_start_matches(r"C:\").replace('\\', "/"))
    }

    /// A variable of the environment that Windows programs have.
    fn variable(&self, name: &str) -> Result<String> {
        Ok(self.run("cmd", &["/c", "echo", &format!("%{name}%")])?.1.trim().to_owned())
    }

    /// The registry as lines of `[key] value`, of those keys that a setup program may touch.
    fn registry(&self) -> Result<BTreeSet<String>> {
        let mut lines = BTreeSet::new();
        for (number, root) in [
            "HKEY_CURRENT_USER",
            "HKEY_LOCAL_MACHINE\\Software",
            r"HKEY_LOCAL_MACHINE\System\CurrentControlSet\Control\Session Manager",
        ]
        .iter()
        .enumerate()
        {
            let file = self.folder.join(format!("{number}.reg"));
            let _ = fs::remove_file(&file);
            let (code, said) = self.run("regedit", &["/E", &folders::for_windows(&file), root])?;
            ensure!(code == 0, "{code} {said}");
            let bytes = fs::read(&file)?;
            let units: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            let mut key = String::new();
            // A long value goes on in the next line.
            let text = String::from_utf16_lossy(&units).replace("\\\r\n  ", "");
            for line in text.lines() {
                if line.starts_with('[') {
                    key = line.to_owned();
                }
                lines.insert(format!("{key} {line}"));
            }
        }
        Ok(lines)
    }

    /// All files and folders of drive C.
    fn files(&self) -> Result<BTreeSet<PathBuf>> {
        let (mut found, mut open) = (BTreeSet::new(), vec![self.drive.clone()]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                found.insert(entry.path().strip_prefix(&self.drive)?.to_owned());
                // The user's own folders may be links to folders of this system.
                if entry.file_type()?.is_dir() {
                    open.push(entry.path());
                }
            }
        }
        Ok(found)
    }
}

fn setup() -> Result<PathBuf> {
    if let Some(setup) = std::env::var_os("DASHCAM_SETUP") {
        return Ok(setup.into());
    }
    let setup =
        folders::dashcam().join("dist").join(format!("dashcam-setup-{}.exe", env!("CARGO_PKG_VERSION")));
    ensure!(setup.is_file(), "{} is missing: run `cargo xtask dist --quick`", setup.display());
    Ok(setup)
}

/// What Wine keeps for itself and a run of any program may change.
fn is_wines_own(path: &Path) -> bool {
    let text = path.to_string_lossy().to_lowercase();
    // The uninstaller runs as a copy in the folder for temporary files, which the system removes at its next
    // start. The folder for programs of a user is the system's, and is made when somebody asks where it is.
    text.contains("/temp/")
        || text.ends_with("appdata/local/programs")
        || text.starts_with("windows/")
        || text.contains("/microsoft/")
}

#[test]
fn a_vendor_installs_builds_records_replays_and_uninstalls() -> Result<()> {
    let machine = Machine::new("a_vendor_installs_builds_records_replays_and_uninstalls")?;
    let (files, registry) = (machine.files()?, machine.registry()?);
    let local = machine.variable("LOCALAPPDATA")?;
    let home = format!(r"{local}\Programs\Dashcam");
    let installed = machine.file(&home);

    let (code, said) = machine.run(setup()?, &["/S", "/CurrentUser"])?;
    ensure!(code == 0 && installed.join("bin/x64/dashcam.exe").is_file(), "{code} {said}");
    let with = machine.registry()?;
    let new: Vec<&String> = with.difference(&registry).collect();
    let escaped = home.replace('\\', r"\\");
    for wanted in [
        r#"[HKEY_CURRENT_USER\Software\Classes\.dashcam] @="Dashcam.Log""#.to_owned(),
        format!(
            r#"[HKEY_CURRENT_USER\Software\Classes\Dashcam.Log\shell\open\command] @="\"{escaped}\\bin\\x64\\dashcam.exe\" report --open \"%1\"""#
        ),
        format!(
            r#"[HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Uninstall\Dashcam] "InstallLocation"="{escaped}""#
        ),
    ] {
        ensure!(new.contains(&&wanted), "{wanted} is missing in {new:#?}");
    }
    ensure!(
        new.iter().any(|line| line.starts_with(r#"[HKEY_CURRENT_USER\Environment] "Path"="#)),
        "no PATH in {new:#?}"
    );
    let menu: Vec<PathBuf> = machine
        .files()?
        .into_iter()
        .filter(|file| {
            file.to_string_lossy().ends_with(".lnk") && file.to_string_lossy().contains("/Dashcam/")
        })
        .collect();
    ensure!(menu.len() == 2, "{menu:?}");

    let host = build_against(&installed, &machine.folder)?;
    let logs = record(&machine, &host, &local)?;
    use_the_log(&machine, &installed, &host, &logs)?;

    uninstall(&machine, &installed, || !installed.exists())?;
    nothing_is_left(&machine, &files, &registry, &logs).context("installed for one user")?;

    // The same for all users.
    let (code, said) = machine.run(setup()?, &["/S", "/AllUsers"])?;
    let installed = machine.file(r"C:\Program Files\Dashcam");
    ensure!(code == 0 && installed.join("docs/index.html").is_file(), "{code} {said}");
    let with = machine.registry()?;
    let path = r#"[HKEY_LOCAL_MACHINE\System\CurrentControlSet\Control\Session Manager\Environment] "PATH""#
        .to_lowercase();
    ensure!(with.difference(&registry).any(|line| line.to_lowercase().starts_with(&path)), "no PATH");
    ensure!(
        with.contains(r#"[HKEY_LOCAL_MACHINE\Software\Classes\.dashcam] @="Dashcam.Log""#),
        "no association"
    );
    // A file of the user's among ours stays, and so does its folder.
    fs::write(installed.join("samples/mine.txt"), "mine")?;
    uninstall(&machine, &installed, || !installed.join("uninstall.exe").exists())?;
    ensure!(installed.join("samples/mine.txt").is_file(), "the user's own file is gone");
    fs::remove_dir_all(&installed)?;
    nothing_is_left(&machine, &files, &registry, &logs).context("installed for all users")?;
    fs::remove_dir_all(&machine.folder)?;
    Ok(())
}

/// Uninstalls silently. The uninstaller goes on as a copy of itself, which is ended with the program that
/// started it: that is held until all is done.
fn uninstall(machine: &Machine, installed: &Path, is_done: impl Fn() -> bool) -> Result<()> {
    // By the name that its user knows it by, not as a file of this system.
    let program = format!(
        r"C:\{}\uninstall.exe",
        installed.strip_prefix(&machine.drive)?.display().to_string().replace('/', r"\")
    );
    let program = machine.start(Path::new(&program), &["/S"])?;
    wait_until("the uninstaller", DEADLINE, || Ok(is_done().then_some(())))?;
    ensure!(program.wait(DEADLINE)? == 0);
    // The key by which it is found is the last that it removes.
    wait_until("the registry", DEADLINE, || {
        let key = |root| format!(r"{root}\Software\Microsoft\Windows\CurrentVersion\Uninstall\Dashcam");
        let is_there = |root| Ok::<_, anyhow::Error>(machine.run("reg", &["query", &key(root)])?.0 == 0);
        Ok((!is_there("HKCU")? && !is_there("HKLM")?).then_some(()))
    })
}

/// The minimal host, compiled against what was installed; and a host that is linked with each import library.
fn build_against(installed: &Path, folder: &Path) -> Result<PathBuf> {
    let host = folder.join("minimal.exe");
    let include = installed.join("include");
    let source = installed.join("samples/minimal/minimal.c");
    let compile = |args: &[&Path], host: &Path| -> Result<()> {
        let mut gcc = Command::new("x86_64-w64-mingw32-gcc");
        gcc.args(["-Wall", "-Wextra", "-Werror", "-mwindows", "-o"])
            .arg(host)
            .arg("-I")
            .arg(&include)
            .args(args);
        let output = gcc.output().context("MinGW cannot be started")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    };
    compile(&[&source], &host)?;
    fs::copy(installed.join("bin/x64/dashcam.dll"), folder.join("dashcam.dll"))?;
    let linked = folder.join("linked.c");
    fs::write(
        &linked,
        "#include \"dashcam.h\"\nint main(void) { return dashcam_stop() == DASHCAM_NOT_STARTED ? 0 : 1; }\n",
    )?;
    for library in ["libdashcam.dll.a", "dashcam.lib"] {
        let program = folder.join(format!("linked-{library}.exe"));
        compile(&[&linked, &installed.join("lib/x64").join(library)], &program)
            .with_context(|| library.to_owned())?;
    }
    Ok(host)
}

/// Uses the host with real pointer and keys; the folder of its logs.
fn record(machine: &Machine, host: &Path, local: &str) -> Result<PathBuf> {
    for library in ["libdashcam.dll.a", "dashcam.lib"] {
        let (code, said) = machine.run(machine.folder.join(format!("linked-{library}.exe")), &[])?;
        ensure!(code == 0, "linked with {library}: {code} {said}");
    }
    let program = machine.start(host, &[])?;
    let main = window().class("DashcamMinimal").of(&program).wait(&machine.probe, DEADLINE)?;
    let children = machine.probe.children(&main)?;
    let child = |class: &str| children.iter().find(|child| child.class == class).context(class.to_owned());
    machine.input.click_window(child("Edit")?)?;
    machine.input.type_text("hello")?;
    wait_until("the text", DEADLINE, || Ok((machine.probe.text(child("Edit")?)? == "hello").then_some(())))?;
    machine.input.click_window(child("Button")?)?;
    window().title("Greeted").of(&program).wait(&machine.probe, DEADLINE)?;
    machine.input.press("alt+F4")?;
    ensure!(program.wait(DEADLINE)? == 0);
    let logs = machine.file(&format!(r"{local}\Dashcam\minimal"));
    ensure!(logs.is_dir(), "{} is missing", logs.display());
    Ok(logs)
}

/// Export, show, report, replay and the doctor, all with the installed command.
fn use_the_log(machine: &Machine, installed: &Path, host: &Path, logs: &Path) -> Result<()> {
    let dashcam = installed.join("bin/x64/dashcam.exe");
    let bug = machine.folder.join("bug.dashcam");
    let (log, file, program) =
        (folders::for_windows(logs), folders::for_windows(&bug), folders::for_windows(host));
    let (code, said) = machine.run(&dashcam, &["export", &log, "-o", &file])?;
    ensure!(code == 0 && bug.is_file(), "{code} {said}");
    let (code, said) = machine.run(&dashcam, &["show", &file])?;
    ensure!(code == 0 && said.contains("hello") && said.contains("Press “Greet”"), "{code} {said}");
    let page = folders::for_windows(&machine.folder.join("report.html"));
    let (code, said) = machine.run(&dashcam, &["report", &file, "-o", &page])?;
    ensure!(code == 0, "{code} {said}");
    let (code, said) = machine.run(&dashcam, &["replay", &file, "--app", &program])?;
    ensure!(code == 0 && said.contains("passed"), "{code} {said}");
    let (code, said) = machine.run(&dashcam, &["doctor", &program])?;
    for line in ["✓ recorder", "✓ agent", "✓ folder", "✓ hooks", "✓ program", "✓ host"] {
        ensure!(code == 0 && said.contains(line), "{line}: {code} {said}");
    }
    Ok(())
}

fn nothing_is_left(
    machine: &Machine,
    files: &BTreeSet<PathBuf>,
    registry: &BTreeSet<String>,
    logs: &Path,
) -> Result<()> {
    let logs = logs.strip_prefix(&machine.drive)?;
    let above: BTreeSet<&Path> = logs.ancestors().collect();
    let now = machine.files()?;
    let left: Vec<&PathBuf> = now
        .difference(files)
        .filter(|file| !file.starts_with(logs) && !above.contains(file.as_path()) && !is_wines_own(file))
        .collect();
    ensure!(left.is_empty(), "left behind: {left:#?}");
    ensure!(
        now.iter()
            .any(|file| file.starts_with(logs) && file.extension().is_some_and(|ending| ending == "xml")),
        "the user's logs are gone"
    );
    let with = machine.registry()?;
    // The system is told there to remove the copy that the uninstaller ran as.
    let is_ours = |line: &&String| {
        line.to_lowercase().contains("dashcam")
            && !line.contains(r"\Software\Wine\")
            && !line.contains("PendingFileRenameOperations")
    };
    let left: Vec<&String> = with.difference(registry).filter(is_ours).collect();
    ensure!(left.is_empty(), "left in the registry: {left:#?}");
    let environment = |lines: &BTreeSet<String>| {
        lines.iter().filter(|line| line.contains("Environment]")).cloned().collect::<BTreeSet<_>>()
    };
    let (before, after) = (environment(registry), environment(&with));
    ensure!(before == after, "the environment has changed: {:#?}", before.symmetric_difference(&after));
    Ok(())
}
