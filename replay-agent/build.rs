//! Gives the binary its version, icon and manifest.

#[path = "../installer/resource.rs"]
mod resource;

use resource::Binary;
use std::path::Path;

fn main() {
    let installer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../installer");
    for file in ["resource.rs", "dashcam.ico", "dashcam.manifest"] {
        println!("cargo:rerun-if-changed={}", installer.join(file).display());
    }
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_WINDOWS").is_err() {
        return;
    }
    let (icon, manifest) = (installer.join("dashcam.ico"), installer.join("dashcam.manifest"));
    let binary = Binary {
        file: "dashcam-agent.dll",
        description: "Dashcam: the agent of a replay",
        version: env!("CARGO_PKG_VERSION"),
        manifest: Some(&manifest),
        icon: &icon,
    };
    let script = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("dashcam.rc");
    std::fs::write(&script, binary.script()).expect("the folder for built files is writable");
    // Whoever only checks code for Windows may have no resource compiler.
    embed_resource::compile_for_everything(&script, embed_resource::NONE)
        .manifest_optional()
        .expect("the resources compile");
}
