//! What every Windows binary of ours carries: its version, its icon and its manifest. Build scripts and
//! `cargo xtask` take this file as a module; it writes a resource script, which they compile.

use std::path::Path;

/// A binary that gets resources.
pub(crate) struct Binary<'a> {
    /// Its file, such as `dashcam.dll`.
    pub(crate) file: &'a str,
    /// What Explorer calls it.
    pub(crate) description: &'a str,
    /// Such as `0.1.0`.
    pub(crate) version: &'a str,
    /// None where the binary's own resource script has a manifest.
    pub(crate) manifest: Option<&'a Path>,
    /// Such as `installer/dashcam.ico`.
    pub(crate) icon: &'a Path,
}

impl Binary<'_> {
    /// The resource script. Numbers instead of the names of `windows.h`, so that any resource compiler takes
    /// it without headers.
    pub(crate) fn script(&self) -> String {
        let Binary { file, description, version, .. } = self;
        let is_dll = file.ends_with(".dll");
        let numbers = format!("{},0", version.split(['-', '+']).next().unwrap_or("0,0,0").replace('.', ","));
        // A program's manifest is number 1, a DLL's number 2; 24 is RT_MANIFEST. The icon's number is beyond
        // those of the samples.
        let manifest = self.manifest.map_or(String::new(), |path| {
            format!("{} 24 \"{}\"\n", if is_dll { 2 } else { 1 }, quoted(path))
        });
        let kind = if is_dll { 2 } else { 1 };
        format!(
            r#"#pragma code_page(65001)
30000 ICON "{icon}"
{manifest}1 VERSIONINFO
FILEVERSION {numbers}
PRODUCTVERSION {numbers}
FILEOS 0x40004
FILETYPE {kind}
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904B0"
    BEGIN
      VALUE "CompanyName", "The Dashcam authors"
      VALUE "FileDescription", "{description}"
      VALUE "FileVersion", "{version}"
      VALUE "InternalName", "{file}"
      VALUE "LegalCopyright", "MIT OR Apache-2.0"
      VALUE "OriginalFilename", "{file}"
      VALUE "ProductName", "Dashcam"
      VALUE "ProductVersion", "{version}"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
"#,
            icon = quoted(self.icon),
        )
    }
}

/// A path as a resource script takes it.
fn quoted(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
