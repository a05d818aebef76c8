//! Compiles the samples with MinGW: each folder is one program in C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use harness::folders;

use crate::cargo::check;
use resource::Binary;

/// Version, icon and manifest, the same as in the other binaries.
#[path = "../../installer/resource.rs"]
mod resource;

/// A folder below `samples`. Its C files and its resource file become one program with the folder's name.
struct Sample {
    folder: &'static str,
    /// Import libraries other than kernel32 and user32.
    libraries: &'static [&'static str],
}

const SAMPLES: &[Sample] = &[
    Sample { folder: "foreign", libraries: &["comctl32"] },
    Sample {
        folder: "gallery",
        libraries: &["comctl32", "comdlg32", "gdi32", "imm32", "ole32", "shell32", "uuid"],
    },
    Sample { folder: "hostile", libraries: &["shell32"] },
    Sample { folder: "invoice", libraries: &["comctl32", "comdlg32", "gdi32", "shell32"] },
    Sample { folder: "minimal", libraries: &[] },
    Sample { folder: "scenarios", libraries: &["comctl32", "imm32", "shell32"] },
    Sample { folder: "truth", libraries: &["comctl32", "gdi32", "shell32"] },
];

/// The folders below `target/dashcam`, each with its compiler's name for the machine.
pub(crate) const MACHINES: &[(&str, &str)] = &[("x64", "x86_64"), ("x86", "i686")];

/// Compiles every sample that is older than its sources, for these machines in parallel. Returns the
/// number of samples.
pub(crate) fn run(machines: &'static [(&str, &str)]) -> Result<usize> {
    std::thread::scope(|scope| {
        let builds: Vec<_> = machines
            .iter()
            .map(|(folder, machine)| scope.spawn(move || build_all(folder, machine)))
            .collect();
        let mut counts = builds
            .into_iter()
            .map(|build| build.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        counts.try_fold(0, |sum, count| Ok(sum + count?))
    })
}

/// Compiles the samples for one machine.
fn build_all(folder: &str, machine: &str) -> Result<usize> {
    let Some(tools) = Tools::find(machine) else {
        let missing = format!("the {folder} samples need {machine}-w64-mingw32-gcc in the PATH");
        if !cfg!(windows) {
            bail!(missing);
        }
        eprintln!("{missing}; skipping them");
        return Ok(0);
    };
    for sample in SAMPLES {
        sample.build(&tools, folder).with_context(|| format!("cannot build the sample {}", sample.folder))?;
    }
    Ok(SAMPLES.len())
}

impl Sample {
    fn build(&self, tools: &Tools, folder: &str) -> Result<()> {
        let installer = folders::workspace().join("installer");
        let (icon, manifest) = (installer.join("dashcam.ico"), installer.join("dashcam.manifest"));
        let sources = files(&folders::workspace().join("samples").join(self.folder))?;
        let program = folders::dashcam().join(folder).join("samples").join(format!("{}.exe", self.folder));
        if is_newer(&program, &[&sources[..], &[icon.clone(), manifest.clone()]].concat())? {
            return Ok(());
        }
        let built = folders::target().join("samples").join(folder).join(self.folder);
        fs::create_dir_all(&built)?;
        fs::create_dir_all(program.parent().context("a program lies in a folder")?)?;
        // A new file instead of new content: the old program may be running.
        let _ = fs::remove_file(&program);
        let mut compile = tools.compiler();
        compile.args(["-std=c11", "-O2", "-s", "-Wall", "-Wextra", "-Werror", "-mwindows", "-static"]);
        // Reproducible: the same sources give the same bytes.
        compile.args(["-Wl,--no-insert-timestamp", "-o"]);
        compile.arg(&program).args(with_ending(&sources, "c"));
        compile.arg("-I").arg(folders::workspace().join("hook-dll").join("include"));
        // A sample with its own resource file also has its own manifest.
        let own: Vec<&PathBuf> = with_ending(&sources, "rc").collect();
        let binary = Binary {
            file: &format!("{}.exe", self.folder),
            description: &format!("Dashcam: sample {}", self.folder),
            version: env!("CARGO_PKG_VERSION"),
            manifest: own.is_empty().then_some(manifest.as_path()),
            icon: &icon,
        };
        let common = built.join("version.rc");
        fs::write(&common, binary.script())?;
        for source in own.into_iter().chain([&common]) {
            let object = built.join(source.with_extension("o").file_name().context("a file has a name")?);
            check(tools.resource_compiler(source).arg(source).arg(&object))?;
            compile.arg(object);
        }
        check(compile.args(self.libraries.iter().map(|library| format!("-l{library}"))))
    }
}

/// A C compiler for Windows and the resource compiler beside it.
struct Tools {
    /// The prefix of the tools' names.
    prefix: String,
}

impl Tools {
    /// Finds the cross compiler, or the native compiler if it targets that machine.
    fn find(machine: &str) -> Option<Self> {
        let cross = format!("{machine}-w64-mingw32-");
        [cross, String::new()]
            .into_iter()
            .map(|prefix| Tools { prefix })
            .find(|tools| tools.machine().is_some_and(|name| is_mingw_for(&name, machine)))
    }

    fn machine(&self) -> Option<String> {
        let output = self.compiler().arg("-dumpmachine").stderr(Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn compiler(&self) -> Command {
        Command::new(format!("{}gcc", self.prefix))
    }

    fn resource_compiler(&self, source: &Path) -> Command {
        let mut command = Command::new(format!("{}windres", self.prefix));
        // The resource file names files in its own folder.
        command.arg("-O").arg("coff").arg("-I").arg(source.parent().unwrap_or(source));
        command
    }
}

fn is_mingw_for(name: &str, machine: &str) -> bool {
    name.starts_with(machine) && name.contains("mingw32")
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

fn with_ending<'a>(files: &'a [PathBuf], ending: &'static str) -> impl Iterator<Item = &'a PathBuf> {
    files.iter().filter(move |file| file.extension().is_some_and(|found| found == ending))
}

/// Whether `program` exists and is newer than every source.
fn is_newer(program: &Path, sources: &[PathBuf]) -> Result<bool> {
    let time = |file: &Path| -> Result<SystemTime> { Ok(fs::metadata(file)?.modified()?) };
    let Ok(built) = time(program) else { return Ok(false) };
    for source in sources {
        if time(source)? >= built {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::is_mingw_for;

    #[test]
    fn only_a_mingw_of_the_same_machine_will_do() {
        assert!(is_mingw_for("x86_64-w64-mingw32", "x86_64"));
        assert!(!is_mingw_for("x86_64-w64-mingw32", "i686"));
        assert!(!is_mingw_for("x86_64-linux-gnu", "x86_64"));
        assert!(!is_mingw_for("x86_64-pc-msys", "x86_64"));
    }
}
