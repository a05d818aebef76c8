//! What the build scripts of all binaries do: version, icon and manifest.

#[path = "resource.rs"]
mod resource;

use resource::Binary;
use std::path::Path;

/// Gives a binary its resources; those of a library go into its tests too.
pub(crate) fn embed(file: &str, description: &str) {
    let installer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../installer");
    for file in ["embed.rs", "resource.rs", "dashcam.ico", "dashcam.manifest"] {
        println!("cargo:rerun-if-changed={}", installer.join(file).display());
    }
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_WINDOWS").is_err() {
        return;
    }
    let (icon, manifest) = (installer.join("dashcam.ico"), installer.join("dashcam.manifest"));
    let binary = Binary {
        file,
        description,
        version: env!("CARGO_PKG_VERSION"),
        manifest: Some(&manifest),
        icon: &icon,
    };
    let script = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("dashcam.rc");
    std::fs::write(&script, binary.script()).expect("the folder for built files is writable");
    let compiled = if file.ends_with(".dll") {
        embed_resource::compile_for_everything(&script, embed_resource::NONE)
    } else {
        embed_resource::compile(&script, embed_resource::NONE)
    };
    // Whoever only checks code for Windows may have no resource compiler.
    compiled.manifest_optional().expect("the resources compile");
}
