//! Compiles the code blocks of the integration guide. The documentation tests of `dashcam-host`
//! compile its Rust code.
#![cfg(not(windows))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;

/// The code blocks of a language, each with the line it begins at.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let (mut found, mut open): (Vec<(usize, String)>, Option<bool>) = (Vec::new(), None);
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(tag), None) => {
                open = Some(tag == language);
                if tag == language {
                    found.push((number + 2, String::new()));
                }
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(true)) => {
                if let Some((_, block)) = found.last_mut() {
                    *block += &format!("{line}\n");
                }
            }
            (None, _) => {}
        }
    }
    found
}

fn folder() -> PathBuf {
    folders::target().join("guide")
}

fn include() -> PathBuf {
    folders::workspace().join("hook-dll/include")
}

/// Compiles each block of a language with each of these compilers; returns the number of blocks.
fn check(language: &str, ending: &str, compilers: &[&[&str]]) -> Result<usize> {
    let page = fs::read_to_string(folders::workspace().join("docs/integration.md"))?;
    let blocks = blocks(&page, language);
    fs::create_dir_all(folder())?;
    for (line, block) in &blocks {
        let file = folder().join(format!("line{line}.{ending}"));
        fs::write(&file, block)?;
        for compiler in compilers {
            compile(compiler, &file)
                .with_context(|| format!("docs/integration.md, line {line}, with {}", compiler[0]))?;
        }
    }
    Ok(blocks.len())
}

fn compile(compiler: &[&str], file: &Path) -> Result<()> {
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).arg(file).current_dir(folder());
    let output = command
        .output()
        .with_context(|| format!("{} cannot be started: run `cargo xtask setup`", compiler[0]))?;
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success() && !said.contains("arning"), "{said}");
    Ok(())
}

#[test]
fn c_and_cpp_compile() -> Result<()> {
    let (include, stand_in) =
        (include().display().to_string(), folders::workspace().join("tests/guide").display().to_string());
    // A block need not use every function of the loader.
    let flags =
        ["-c", "-Wall", "-Wextra", "-Wpedantic", "-Wno-unused-function", "-I", &include, "-I", &stand_in];
    let with = |compiler: &'static str, standard: &'static str| [&[compiler, standard][..], &flags].concat();
    let c = check(
        "c",
        "c",
        &[&with("x86_64-w64-mingw32-gcc", "-std=c99"), &with("i686-w64-mingw32-gcc", "-std=c11")],
    )?;
    let cpp = check(
        "cpp",
        "cpp",
        &[&with("x86_64-w64-mingw32-g++", "-std=c++11"), &with("x86_64-w64-mingw32-g++", "-std=c++20")],
    )?;
    ensure!(c >= 4 && cpp >= 3, "only {c} blocks of C and {cpp} of C++ were found");
    Ok(())
}

#[test]
fn the_loader_compiles_as_old_c_and_cpp() -> Result<()> {
    fs::create_dir_all(folder())?;
    let include = include().display().to_string();
    let code = "#include \"dashcam_loader.h\"\nint main(void) { dashcam_api api; return dashcam_load(&api, NULL) + api.stop(); }\n";
    for (compiler, standard, name) in [
        ("x86_64-w64-mingw32-gcc", "-std=c99", "loader.c"),
        ("i686-w64-mingw32-gcc", "-std=c99", "loader.c"),
        ("x86_64-w64-mingw32-g++", "-std=c++98", "loader.cpp"),
    ] {
        let file = folder().join(name);
        fs::write(&file, code)?;
        compile(
            &[compiler, standard, "-c", "-Wall", "-Wextra", "-Wpedantic", "-Wno-long-long", "-I", &include],
            &file,
        )?;
    }
    Ok(())
}

#[test]
fn c_sharp_compiles() -> Result<()> {
    let declarations = include().join("Dashcam.cs").display().to_string();
    let compiler =
        ["mcs", "-warn:4", "-target:winexe", "-r:System.Windows.Forms.dll", "-out:guide.exe", &declarations];
    ensure!(check("csharp", "cs", &[&compiler])? >= 1, "no C# was found");
    Ok(())
}

#[test]
fn delphi_compiles_as_free_pascal() -> Result<()> {
    let units = format!("-Fu{}", include().display());
    let compiler = ["fpc", "-Mdelphi", "-v0ew", "-Cn", &units, "-FU.", "-FE."];
    ensure!(check("pascal", "pas", &[&compiler])? >= 1, "no Pascal was found");
    Ok(())
}

/// The structures have the same size in C, C# and Pascal: an extra member would shift what the recorder
/// reads.
#[test]
fn structures_are_as_large_in_every_language() -> Result<()> {
    fs::create_dir_all(folder())?;
    let include_flag = include().display().to_string();
    let c = folder().join("sizes.c");
    fs::write(
        &c,
        "#include \"dashcam.h\"\n_Static_assert(sizeof(dashcam_config) == (sizeof(void *) == 8 ? 120 : 88), \"config\");\n_Static_assert(sizeof(dashcam_stats) == 56, \"stats\");\n",
    )?;
    for compiler in ["x86_64-w64-mingw32-gcc", "i686-w64-mingw32-gcc"] {
        compile(&[compiler, "-std=c11", "-c", "-I", &include_flag], &c)?;
    }
    let pascal = folder().join("sizes.pas");
    fs::write(
        &pascal,
        "program sizes; uses Dashcam; begin WriteLn(SizeOf(TDashcamConfig), ' ', SizeOf(TDashcamStats)); end.\n",
    )?;
    let units = format!("-Fu{}", include().display());
    compile(&["fpc", "-Mdelphi", "-v0ew", &units, "-FU.", "-FE."], &pascal)?;
    let sizes = Command::new(folder().join("sizes")).output()?.stdout;
    ensure!(
        sizes.trim_ascii() == b"120 56",
        "Pascal's structures have another size: {}",
        String::from_utf8_lossy(&sizes)
    );
    let sharp = folder().join("Sizes.cs");
    fs::write(
        &sharp,
        "using System.Runtime.InteropServices;\nstatic class Sizes { static int Main() { return Marshal.SizeOf(typeof(DashcamConfig)) == 120 && Marshal.SizeOf(typeof(DashcamStats)) == 56 ? 0 : 1; } }\n",
    )?;
    let declarations = include().join("Dashcam.cs").display().to_string();
    compile(&["mcs", "-out:sizes.exe", &declarations], &sharp)?;
    ensure!(
        Command::new("mono").arg(folder().join("sizes.exe")).status()?.success(),
        "C#'s structures have another size"
    );
    Ok(())
}
