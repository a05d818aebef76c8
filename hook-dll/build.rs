//! Gives the binary its version, icon and manifest.

#[path = "../installer/embed.rs"]
mod embed;

fn main() {
    embed::embed("dashcam.dll", "Dashcam: the recorder");
}
