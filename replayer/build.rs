//! Gives the binary its version, icon and manifest.

#[path = "../installer/embed.rs"]
mod embed;

fn main() {
    embed::embed("dashcam.exe", "Dashcam: record, show and replay");
}
