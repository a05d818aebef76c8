//! Which modules of its crate a file uses: every path from `crate`, `self`, `super` or a child module, in
//! `use` and in code. A name that a module passes on counts for the module that defines it.
//!
//! Methods are not seen: who calls one has the type from somewhere, and that is a use.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::sources::Source;
use super::tokens::{self, Kind, Token};

/// A module's path below the crate's root: `["replay", "verify"]`.
pub(super) type ModulePath = Vec<String>;

/// That a file of one module uses something of another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
    /// `path:line`.
    pub(super) place: String,
    /// As it is written: `crate::replay::Verdict`.
    pub(super) written: String,
}

/// All uses between the modules of one crate. `root` is the folder of its `lib.rs` or `main.rs`.
pub(super) fn of_crate(root: &str, sources: &[&Source]) -> Result<Vec<Use>> {
    let mut files = Vec::new();
    for source in sources {
        files.push(File::read(root, source)?);
    }
    // Tests in files of their own, and what lies below them.
    let tests: BTreeSet<ModulePath> = files.iter().flat_map(File::test_modules).collect();
    files.retain(|file| !(1..=file.module.len()).any(|length| tests.contains(&file.module[..length])));
    let modules = files.iter().map(|file| file.module.clone()).collect();
    let mut names = Names { modules, ..Names::default() };
    for file in &files {
        names.learn(file);
    }
    let mut uses = Vec::new();
    for file in &files {
        for path in &file.paths {
            let Some(absolute) = names.absolute(file, path) else { continue };
            let to = names.module_of(&absolute, 8);
            if to != file.module {
                let place = format!("{}:{}", file.path, path.line);
                uses.push(Use { from: file.module.clone(), to, place, written: path.segments.join("::") });
            }
        }
    }
    Ok(uses)
}

/// A file, read.
#[derive(Default)]
struct File {
    path: String,
    module: ModulePath,
    paths: Vec<Path>,
    /// Items that it defines.
    defined: BTreeSet<String>,
    test_modules: Vec<String>,
}

/// A path in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    segments: Vec<String>,
    /// The inline modules around it.
    inside: Vec<String>,
    line: usize,
    /// What a `use` calls it here; `*` for everything.
    alias: Option<String>,
}

impl File {
    fn read(root: &str, source: &Source) -> Result<Self> {
        let tokens = tokens::without_tests(source)?;
        let below = source.path.strip_prefix(root).unwrap_or(&source.path).trim_start_matches('/');
        let mut file = File { path: source.path.clone(), module: module_of_file(below), ..File::default() };
        file.test_modules = tokens.test_modules;
        file.take(&tokens.list);
        Ok(file)
    }

    fn test_modules(&self) -> impl Iterator<Item = ModulePath> {
        self.test_modules.iter().map(|name| [&self.module[..], std::slice::from_ref(name)].concat())
    }

    fn take(&mut self, tokens: &[Token]) {
        const DEFINE: [&str; 10] =
            ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules", "mod"];
        let (mut inside, mut depth): (Vec<(String, usize)>, usize) = (Vec::new(), 0);
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let names = || inside.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            let next = tokens.get(index + 1).and_then(Token::identifier);
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth -= 1;
                if inside.last().is_some_and(|(_, at)| *at == depth) {
                    inside.pop();
                }
            } else if token.is("mod") && next.is_some() && tokens.get(index + 2).is_some_and(|it| it.is("{"))
            {
                inside.extend(next.map(|name| (name.to_owned(), depth)));
            } else if token.is("use") {
                let mut taken = UseTree { tokens, index: index + 1, found: Vec::new() };
                taken.read(&[]);
                index = taken.index;
                self.paths.extend(taken.found.into_iter().map(|path| Path { inside: names(), ..path }));
                continue;
            } else if token.kind == Kind::Identifier && !follows_a_path(tokens, index) {
                let segments = path_at(tokens, index);
                if segments.len() > 1 {
                    index += segments.len() * 2 - 1;
                    let line = token.line;
                    self.paths.push(Path { segments, inside: names(), line, alias: None });
                    continue;
                }
                if DEFINE.contains(&token.text.as_str()) && inside.is_empty() {
                    let named =
                        if token.is("macro_rules") { tokens.get(index + 2) } else { tokens.get(index + 1) };
                    self.defined.extend(named.and_then(Token::identifier).map(str::to_owned));
                }
            }
            index += 1;
        }
    }
}

/// `replay/mod.rs` is the module `replay`, `replay/verify.rs` is `replay::verify`, `lib.rs` the root.
fn module_of_file(below: &str) -> ModulePath {
    let mut parts: Vec<String> = below.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let is_root = parts.len() == 1 && ["lib", "main"].contains(&parts[0].as_str());
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Whether the token is a later part of a path, a field or a method.
fn follows_a_path(tokens: &[Token], index: usize) -> bool {
    index
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| token.is("::") || token.is("."))
}

/// The names of a path that begins here.
fn path_at(tokens: &[Token], index: usize) -> Vec<String> {
    let mut segments = Vec::new();
    let mut at = index;
    while let Some(name) = tokens.get(at).and_then(Token::identifier) {
        segments.push(name.to_owned());
        if !tokens.get(at + 1).is_some_and(|token| token.is("::")) {
            break;
        }
        at += 2;
    }
    segments
}

/// Reads `a::{b, c::{self, D as E}, f::*};`.
struct UseTree<'a> {
    tokens: &'a [Token],
    index: usize,
    found: Vec<Path>,
}

impl UseTree<'_> {
    fn read(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        let mut alias = None;
        let mut is_group = false;
        while let Some(token) = self.tokens.get(self.index) {
            if token.is("{") {
                is_group = true;
                self.index += 1;
                while !self.tokens.get(self.index).is_none_or(|token| token.is("}")) {
                    self.read(&segments);
                    if self.tokens.get(self.index).is_some_and(|token| token.is(",")) {
                        self.index += 1;
                    }
                }
            } else if token.is(",") || token.is("}") || token.is(";") {
                break;
            } else if token.is("as") {
                alias = self.tokens.get(self.index + 1).map(|token| token.text.clone());
                self.index += 1;
            } else if token.is("*") {
                alias = Some("*".to_owned());
            } else if let Some(name) = token.identifier() {
                segments.push(name.to_owned());
            }
            self.index += 1;
        }
        if !is_group && segments.len() > prefix.len() || alias.is_some() {
            let line = self.tokens.get(self.index.saturating_sub(1)).map_or(0, |token| token.line);
            // `a::{self}` is `a` itself.
            if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
                segments.pop();
            }
            let alias = alias.or_else(|| segments.last().cloned());
            self.found.push(Path { segments, inside: Vec::new(), line, alias });
        }
    }
}

/// What the names of a crate mean.
#[derive(Default)]
struct Names {
    modules: BTreeSet<ModulePath>,
    /// What a module imports, and so may pass on: absolute.
    imported: BTreeMap<(ModulePath, String), Vec<String>>,
    /// From where a module imports everything.
    globs: BTreeMap<ModulePath, Vec<Vec<String>>>,
    defined: BTreeMap<ModulePath, BTreeSet<String>>,
}

impl Names {
    fn learn(&mut self, file: &File) {
        self.defined.insert(file.module.clone(), file.defined.clone());
        for path in file.paths.iter().filter(|path| path.inside.is_empty()) {
            let (Some(alias), Some(absolute)) = (&path.alias, self.absolute(file, path)) else { continue };
            if alias == "*" {
                self.globs.entry(file.module.clone()).or_default().push(absolute);
            } else {
                self.imported.insert((file.module.clone(), alias.clone()), absolute);
            }
        }
    }

    /// The path from the crate's root; nothing if it leads to another crate or into the file itself.
    fn absolute(&self, file: &File, path: &Path) -> Option<Vec<String>> {
        let mut base = [&file.module[..], &path.inside[..]].concat();
        let mut rest = &path.segments[..];
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|first| first == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            name => {
                base.push(name.to_owned());
                if !self.modules.contains(&base) {
                    return None;
                }
                base.pop();
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that defines what a path names.
    fn module_of(&self, absolute: &[String], patience: usize) -> ModulePath {
        let length = (0..=absolute.len()).rev().find(|length| self.modules.contains(&absolute[..*length]));
        let length = length.unwrap_or_default();
        let module = absolute[..length].to_vec();
        let Some(item) = absolute.get(length).filter(|_| patience > 0) else { return module };
        let defines = |module: &[String]| self.defined.get(module).is_some_and(|names| names.contains(item));
        if defines(&module) {
            return module;
        }
        if let Some(meant) = self.imported.get(&(module.clone(), item.clone())) {
            return self.module_of(&[meant, &absolute[length + 1..]].concat(), patience - 1);
        }
        for glob in self.globs.get(&module).into_iter().flatten() {
            if defines(&self.module_of(glob, patience - 1)) {
                return self.module_of(glob, patience - 1);
            }
        }
        module
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    /// The uses of a crate as `from -> to`, with `.` for the root.
    fn uses(files: &[(&str, &str)]) -> Vec<String> {
        let sources = planted(files);
        let name = |path: &ModulePath| if path.is_empty() { ".".to_owned() } else { path.join("::") };
        let uses = of_crate("a/src", &sources.iter().collect::<Vec<_>>()).unwrap();
        uses.iter().map(|found| format!("{} -> {}", name(&found.from), name(&found.to))).collect()
    }

    #[test]
    fn paths_lead_to_modules() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c; fn f() { b::g() }"),
            ("a/src/b.rs", "use crate::c::d::{self, E as F, *}; fn g() { super::c::h(); d::i() }"),
            ("a/src/c/mod.rs", "pub mod d; pub fn h() {}"),
            ("a/src/c/d.rs", "pub struct E; fn i() { super::h(); self::i(); std::mem::swap() }"),
        ];
        let expected = [". -> b", "b -> c::d", "b -> c::d", "b -> c::d", "b -> c", "c::d -> c"];
        assert_eq!(uses(&files), expected);
    }

    #[test]
    fn a_name_that_is_passed_on_counts_for_its_definition() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c;"),
            ("a/src/b/mod.rs", "mod x; mod y; pub use x::X; pub(crate) use y::*;"),
            ("a/src/b/x.rs", "pub struct X;"),
            ("a/src/b/y.rs", "pub struct Y; fn f() { super::X }"),
            ("a/src/c.rs", "use crate::b::X; use crate::b::Y;"),
        ];
        let expected = ["b -> b::x", "b -> b::y", "b::y -> b::x", "c -> b::x", "c -> b::y"];
        assert_eq!(uses(&files), expected);
    }

    #[test]
    fn macros_are_read_and_tests_are_not() {
        let files = [
            (
                "a/src/lib.rs",
                "mod b; mod c; #[cfg(test)] mod b_tests; #[cfg(test)] mod tests { use crate::b; }",
            ),
            ("a/src/b.rs", "fn f() { assert!(crate::c::g()) }"),
            ("a/src/b_tests.rs", "use crate::b::f;"),
            ("a/src/c.rs", "pub fn g() -> bool { true }"),
        ];
        assert_eq!(uses(&files), ["b -> c"]);
    }

    #[test]
    fn a_module_in_braces_is_part_of_its_file() {
        let files = [
            ("a/src/lib.rs", "mod b { use super::c::D; use super::f; } mod c; fn f() {}"),
            ("a/src/c.rs", ""),
        ];
        assert_eq!(uses(&files), [". -> c"]);
    }
}
