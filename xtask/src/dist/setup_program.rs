//! Builds the setup program with NSIS, from the same folder as the zip. It lists each installed file, so that
//! the uninstaller removes those files and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use harness::folders;

use super::archive;
use super::contents::{VERSION, with_slashes};
use crate::cargo;

/// `compressor` is an NSIS option: `lzma` gives the smallest file, `zlib` is the fastest.
pub(super) fn make(stage: &Path, file: &Path, compressor: &str) -> Result<PathBuf> {
    // Only the zip contains the Linux program.
    let files: Vec<PathBuf> =
        archive::files_below(stage)?.into_iter().filter(|file| !file.starts_with("bin/linux")).collect();
    let list = file.with_file_name("files.nsh");
    fs::write(&list, commands(&files))?;
    let mut makensis = Command::new("makensis");
    makensis
        .args(["-V2", "-WX", "-NOCD"])
        .arg(format!("-DVERSION={VERSION}"))
        .arg(format!("-DOUTPUT={}", file.display()))
        .arg(format!("-DCOMPRESSOR={compressor}"));
    makensis
        .arg(format!("-DLIST={}", list.display()))
        .arg("-DINSTALLER=installer")
        .env("SOURCE_DATE_EPOCH", "0");
    cargo::check(
        makensis
            .arg(format!("-DSTAGE={}", stage.display()))
            .arg("installer/dashcam.nsi")
            .current_dir(folders::workspace()),
    )?;
    fs::remove_file(list).context("cannot remove the list of files")?;
    Ok(file.to_owned())
}

/// NSIS macros that install and remove these files and the folders they need.
fn commands(files: &[PathBuf]) -> String {
    let backslashed = |path: &Path| with_slashes(path).replace('/', "\\");
    let (mut install, mut remove, mut folders) = (String::new(), String::new(), BTreeSet::new());
    let mut current = None;
    for file in files {
        let folder = file.parent().unwrap_or(Path::new(""));
        if current != Some(folder) {
            let below = backslashed(folder);
            install +=
                &format!("  SetOutPath \"$INSTDIR{}{below}\"\n", if below.is_empty() { "" } else { "\\" });
            current = Some(folder);
        }
        install += &format!("  File \"${{STAGE}}/{}\"\n", with_slashes(file));
        remove += &format!("  Delete /REBOOTOK \"$INSTDIR\\{}\"\n", backslashed(file));
        folders.extend(
            folder.ancestors().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_path_buf),
        );
    }
    // Subfolders are removed before their parent.
    for folder in folders.iter().rev() {
        remove += &format!("  RMDir /REBOOTOK \"$INSTDIR\\{}\"\n", backslashed(folder));
    }
    format!("!macro INSTALL_FILES\n{install}!macroend\n!macro REMOVE_FILES\n{remove}!macroend\n")
}

#[cfg(test)]
mod tests {
    use super::commands;
    use std::path::PathBuf;

    #[test]
    fn what_is_installed_is_removed_inside_out() {
        let files = ["README.txt", "bin/x64/dashcam.dll", "bin/x64/dashcam.exe"].map(PathBuf::from);
        let expected = r#"!macro INSTALL_FILES
  SetOutPath "$INSTDIR"
  File "${STAGE}/README.txt"
  SetOutPath "$INSTDIR\bin\x64"
  File "${STAGE}/bin/x64/dashcam.dll"
  File "${STAGE}/bin/x64/dashcam.exe"
!macroend
!macro REMOVE_FILES
  Delete /REBOOTOK "$INSTDIR\README.txt"
  Delete /REBOOTOK "$INSTDIR\bin\x64\dashcam.dll"
  Delete /REBOOTOK "$INSTDIR\bin\x64\dashcam.exe"
  RMDir /REBOOTOK "$INSTDIR\bin\x64"
  RMDir /REBOOTOK "$INSTDIR\bin"
!macroend
"#;
        assert_eq!(commands(&files), expected);
    }
}
