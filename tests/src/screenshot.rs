//! Takes a picture of the whole desktop.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::Desktop;

/// Writes a PNG of what is on the screen.
pub fn take(desktop: &Desktop, file: &Path) -> Result<()> {
    let mut command = if cfg!(windows) {
        let script = "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; \
            $b = [Windows.Forms.SystemInformation]::VirtualScreen; \
            $p = New-Object Drawing.Bitmap $b.Width, $b.Height; \
            [Drawing.Graphics]::FromImage($p).CopyFromScreen($b.Left, $b.Top, 0, 0, $p.Size); \
            $p.Save($env:SCREENSHOT)";
        let mut command = desktop.tool("powershell");
        command.args(["-NoProfile", "-Command", script]).env("SCREENSHOT", file);
        command
    } else {
        let mut command = desktop.tool("import");
        command.args(["-window", "root"]).arg(file);
        command
    };
    let output = command.output().context("no screenshot: cannot run the program that takes it")?;
    ensure!(output.status.success(), "no screenshot: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}
