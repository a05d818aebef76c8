//! What linkers need of `dashcam.dll`: a `.def`, and an import library for MinGW and for MSVC, for both
//! machines. The header says what is in them, and both DLLs must export exactly that.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;
use object::Object as _;

use super::contents::MACHINES;
use crate::cargo;

/// What `dashcam run` and the replayer's agent call; no host does.
const OURS: [&str; 2] = ["dashcam_start_remote", "dashcam_act"];

pub(super) fn write(stage: &Path) -> Result<()> {
    let header = fs::read_to_string(folders::workspace().join("hook-dll/include/dashcam.h"))?;
    let functions = functions(&header);
    for (machine, tools) in MACHINES {
        let dll = stage.join("bin").join(machine).join("dashcam.dll");
        let exports = exports(&fs::read(&dll)?).with_context(|| dll.display().to_string())?;
        let wanted: BTreeSet<String> = functions.iter().cloned().chain(OURS.map(str::to_owned)).collect();
        ensure!(exports == wanted, "the {machine} DLL exports {exports:?}, and the header has {wanted:?}");
        let folder = stage.join("lib").join(machine);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("dashcam.def"), definition(&functions))?;
        // In the folder itself: libraries would name it otherwise.
        let mut mingw = Command::new(format!("{tools}-dlltool"));
        mingw.args([
            "--deterministic-libraries",
            "--temp-prefix",
            "dashcam",
            "-d",
            "dashcam.def",
            "-l",
            "libdashcam.dll.a",
        ]);
        cargo::check(mingw.current_dir(&folder))?;
        let mut msvc = Command::new("llvm-dlltool");
        let emulation = if machine == "x64" { "i386:x86-64" } else { "i386" };
        msvc.args(["-m", emulation, "-d", "dashcam.def", "-l", "dashcam.lib"]);
        cargo::check(msvc.current_dir(&folder))?;
    }
    Ok(())
}

/// The functions that the header declares.
fn functions(header: &str) -> BTreeSet<String> {
    let declared = header.split("__cdecl ").skip(1).filter_map(|rest| rest.split_once('('));
    declared.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("dashcam_")).collect()
}

fn definition(functions: &BTreeSet<String>) -> String {
    let lines: String = functions.iter().map(|name| format!("    {name}\n")).collect();
    format!("LIBRARY dashcam.dll\nEXPORTS\n{lines}")
}

fn exports(dll: &[u8]) -> Result<BTreeSet<String>> {
    let file = object::File::parse(dll)?;
    Ok(file.exports()?.iter().map(|export| String::from_utf8_lossy(export.name()).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_header() {
        let header = "typedef void(__cdecl *dashcam_sink)(int);\nuint32_t __cdecl dashcam_abi_version(void);\n/* x */\nconst wchar_t *__cdecl dashcam_status_text(int);";
        let functions = functions(header);
        assert_eq!(Vec::from_iter(&functions), ["dashcam_abi_version", "dashcam_status_text"]);
        assert_eq!(
            definition(&functions),
            "LIBRARY dashcam.dll\nEXPORTS\n    dashcam_abi_version\n    dashcam_status_text\n"
        );
    }
}
