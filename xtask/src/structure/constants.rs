//! Windows' names and numbers are defined in `win32-vocabulary/` alone.
//!
//! Other crates define no constant with a name of the vocabulary or with a Windows prefix and a bare number.
//! They also do not compare with, match on or mask by a bare number that can only be a message, a
//! notification code or a style. A message of our own, such as `WM_APP + 1`, is allowed.

use std::collections::BTreeSet;

use anyhow::Result;

use super::sources::{Source, is_in};
use super::tokens::{self, Kind, Token};

const HOME: &str = "win32-vocabulary";

/// Folders that are not clean yet.
const NOT_YET: &[&str] = &["replayer"];

/// What the names of messages, styles, notifications, states and commands begin with.
const PREFIXES: &[&str] = &[
    "BM", "BN", "BS", "BST", "CB", "CBEM", "CBEN", "CBN", "CBS", "CCM", "CDM", "CDN", "CS", "DM", "DS",
    "DTM", "DTN", "DTS", "EM", "EN", "ES", "GA", "GCL", "GW", "GWL", "GWLP", "HDF", "HDI", "HDM", "HDN",
    "HDS", "HKM", "IPM", "IPN", "LB", "LBN", "LBS", "LVIF", "LVIS", "LVM", "LVN", "LVNI", "LVS", "MCM",
    "MCN", "MF", "MFS", "MK", "MSGF", "NM", "OBJID", "PBM", "PM", "PRF", "PSM", "QS", "RB", "RBN", "SB",
    "SBM", "SBS", "SC", "SM", "SMTO", "SS", "STM", "STN", "SW", "SWP", "TB", "TBM", "TBN", "TBS", "TBSTATE",
    "TBSTYLE", "TCIF", "TCM", "TCN", "TCS", "TTM", "TTN", "TVC", "TVE", "TVGN", "TVHT", "TVIF", "TVIS",
    "TVM", "TVN", "TVS", "UDM", "UDN", "UDS", "VK", "WH", "WM", "WS",
];

/// Every definition, and every number in a pattern that a message or notification has.
pub(super) fn check(sources: &[Source]) -> Result<Vec<String>> {
    let mut vocabulary = BTreeSet::new();
    for source in sources.iter().filter(|source| is_in(&source.path, &[HOME])) {
        let tokens = tokens::all(source)?;
        let public = constants(&tokens).into_iter().filter(|constant| constant.is_public);
        vocabulary.extend(public.map(|constant| constant.name));
        vocabulary.extend(rows(&tokens));
    }
    let mut findings = Vec::new();
    for source in
        sources.iter().filter(|source| !is_in(&source.path, &[HOME]) && !is_in(&source.path, NOT_YET))
    {
        let tokens = tokens::all(source)?;
        let path = &source.path;
        for constant in constants(&tokens) {
            if vocabulary.contains(&constant.name) || (constant.is_bare && has_prefix(&constant.name)) {
                findings.push(format!("{path}:{}: {} is defined", constant.line, constant.name));
            }
        }
        findings.extend(
            numbers(&tokens).into_iter().map(|(line, number)| format!("{path}:{line}: {number} has no name")),
        );
    }
    Ok(findings)
}

/// `const NAME: u32 = 0x0111;`
struct Constant {
    name: String,
    line: usize,
    /// Made of numbers alone.
    is_bare: bool,
    /// Visible to other crates.
    is_public: bool,
}

fn constants(tokens: &[Token]) -> Vec<Constant> {
    const NUMBERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let is_number_type = |token: &Token| NUMBERS.contains(&token.text.as_str());
    let mut found = Vec::new();
    for (index, window) in tokens.windows(5).enumerate() {
        let [keyword, name, colon, kind, equals] = window else { continue };
        let is_constant = (keyword.is("const") || keyword.is("static"))
            && colon.is(":")
            && equals.is("=")
            && kind.kind == Kind::Identifier;
        if let Some(text) = name.identifier().filter(|_| is_constant && is_number_type(kind)) {
            let value = tokens[index + 5..].iter().take_while(|token| !token.is(";"));
            let is_bare = !value
                .clone()
                .any(|token| token.kind == Kind::Identifier && !token.is("as") && !is_number_type(token));
            let is_public = index > 0 && tokens[index - 1].is("pub");
            found.push(Constant { name: text.to_owned(), line: name.line, is_bare, is_public });
        }
    }
    found
}

fn has_prefix(name: &str) -> bool {
    name.split_once('_').is_some_and(|(prefix, _)| PREFIXES.contains(&prefix))
}

/// The names in the vocabulary's tables: `WM_NULL = 0x0000,`.
fn rows(tokens: &[Token]) -> impl Iterator<Item = String> {
    tokens.windows(3).filter_map(|window| match window {
        [name, equals, value] if equals.is("=") && (value.kind == Kind::Literal || value.is("-")) => {
            let is_constant = |name: &&str| name.len() > 2 && !name.contains(|c: char| c.is_lowercase());
            name.identifier().filter(is_constant).map(str::to_owned)
        }
        _ => None,
    })
}

/// Bare numbers to which only Windows gives a meaning: notification codes, which are below -99, and messages
/// in four hexadecimal digits, where they are patterns or compared; and any number that masks a style.
fn numbers(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Literal) {
        let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |it| &it.text);
        let is_negative = at(index.checked_sub(1)) == "-";
        let before = index.checked_sub(if is_negative { 2 } else { 1 });
        let (previous, next) = (at(before), at(Some(index + 1)));
        let is_pattern = matches!(previous, "{" | "}" | "," | "|" | "(") && matches!(next, "=>" | "|" | "if");
        let is_compared = matches!(previous, "==" | "!=");
        let is_style_mask = previous == "&" && masks_a_style(&tokens[..before.unwrap_or_default()]);
        let Some(value) = number(&token.text) else { continue };
        let digits = token.text.replace('_', "");
        let is_message = digits.starts_with("0x") && digits.len() == 6 && value < 0x8000;
        let is_of_windows = if is_negative { value >= 100 } else { is_message };
        if (is_of_windows && (is_pattern || is_compared)) || is_style_mask {
            found.push((token.line, format!("{}{}", if is_negative { "-" } else { "" }, token.text)));
        }
    }
    found
}

/// Whether what comes before a `&` is a style: `style`, `window.style` or `style()`.
fn masks_a_style(before: &[Token]) -> bool {
    let end = before.iter().rposition(|token| !token.is("(") && !token.is(")"));
    let name = end.and_then(|end| before[end].identifier());
    name.is_some_and(|name| name == "style" || name.ends_with("_style"))
}

fn number(literal: &str) -> Option<u64> {
    let plain = literal.replace('_', "");
    match plain.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => plain.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let home = (
            "win32-vocabulary/src/lib.rs",
            "names! { u32; WM_COMMAND = 0x0111 } pub const IDOK: u16 = 1; const MOST: u8 = 9;",
        );
        check(&planted(&[home, ("a/src/b.rs", text)])).unwrap()
    }

    #[test]
    fn a_definition_outside_its_home_is_found() {
        assert_eq!(
            found("fn f() {\n const WM_COMMAND: u32 = X;\n}"),
            ["a/src/b.rs:2: WM_COMMAND is defined"]
        );
        assert_eq!(found("pub(crate) const IDOK: u64 = 1;"), ["a/src/b.rs:1: IDOK is defined"]);
        assert_eq!(found("const LVM_SCROLL: u32 = 0x1000 + 20;"), ["a/src/b.rs:1: LVM_SCROLL is defined"]);
        assert_eq!(
            found("m! { const ES_MINE: u32 = !(1 << 3) as u32; }"),
            ["a/src/b.rs:1: ES_MINE is defined"]
        );
    }

    #[test]
    fn a_bare_number_in_an_expression_is_found() {
        assert_eq!(found("if number == 0x0111 {}"), ["a/src/b.rs:1: 0x0111 has no name"]);
        assert_eq!(found("if code != -326 {}"), ["a/src/b.rs:1: -326 has no name"]);
        assert_eq!(found("window.style & 0x20 != 0"), ["a/src/b.rs:1: 0x20 has no name"]);
        assert_eq!(found("node.style() & 4 != 0"), ["a/src/b.rs:1: 4 has no name"]);
        assert_eq!(found("a == 4 && wparam & 0xFFFF == 0xFFFF && style & MASK == 0"), Vec::<String>::new());
    }

    #[test]
    fn numbers_of_our_own_are_left_alone() {
        let ours = "const MOST: u32 = 3; const WM_JOB: u32 = WM_APP + 1; const WM_NAME: &str = \"a\";";
        assert_eq!(found(ours), Vec::<String>::new());
        assert_eq!(found("use win32_vocabulary::WM_COMMAND; let WM_X = 3;"), Vec::<String>::new());
    }

    #[test]
    fn a_number_in_a_pattern_is_found() {
        assert_eq!(found("match c { -101 | -455 => a, _ => b }").len(), 2);
        assert_eq!(found("match m { 0x0111 if x => a, _ => b }"), ["a/src/b.rs:1: 0x0111 has no name"]);
        assert_eq!(found("matches!(c, -326 | A)"), ["a/src/b.rs:1: -326 has no name"]);
        assert_eq!(
            found("match c { 1 | 2 => a, 0x1F => b, -1 => d, 0xD800 => e, _ => f(0x0111, -200) }").len(),
            0
        );
    }
}
