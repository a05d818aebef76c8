//! The `dashcam` command.
fn main() {}
