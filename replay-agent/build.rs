//! Gives the binary its version, icon and manifest.

#[path = "../installer/embed.rs"]
mod embed;

fn main() {
    embed::embed("dashcam-agent.dll", "Dashcam: the agent of a replay");
}
