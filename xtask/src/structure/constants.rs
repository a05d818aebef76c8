//! Windows' names and numbers are defined in `win32-vocabulary/` alone.
//!
//! Outside of it nobody defines a constant with a name of the vocabulary, or with a Windows prefix and a bare
//! number; and nobody matches on a number where the vocabulary has a name. A message of our own, such as
//! `WM_APP + 1`, is fine.

use std::collections::BTreeSet;

use anyhow::Result;

use super::sources::{Source, is_in};
use super::tokens::{self, Kind, Token};

const HOME: &str = "win32-vocabulary";

/// Folders that are not clean yet.
const NOT_YET: &[&str] = &["hook-dll", "replay-agent", "replayer", "steps"];

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
        vocabulary.extend(constants(&tokens::all(source)?).into_iter().map(|constant| constant.name));
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
            found.push(Constant { name: text.to_owned(), line: name.line, is_bare });
        }
    }
    found
}

fn has_prefix(name: &str) -> bool {
    name.split_once('_').is_some_and(|(prefix, _)| PREFIXES.contains(&prefix))
}

/// Numbers in patterns of `match` and `matches!` that only Windows gives a meaning: codes of notifications,
/// which are negative and large, and messages in four hexadecimal digits.
fn numbers(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Literal) {
        let at = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
        let is_negative = index > 0 && at(index - 1) == "-";
        let begin = if is_negative { index - 1 } else { index };
        let before = begin.checked_sub(1).map_or("", at);
        let is_pattern =
            matches!(before, "{" | "}" | "," | "|" | "(") && matches!(at(index + 1), "=>" | "|" | "if");
        let Some(value) = number(&token.text).filter(|_| is_pattern) else { continue };
        let is_hexadecimal_message = token.text.starts_with("0x") && token.text.len() == 6 && value < 0x8000;
        if (is_negative && value >= 100) || (!is_negative && is_hexadecimal_message) {
            found.push((token.line, format!("{}{}", if is_negative { "-" } else { "" }, token.text)));
        }
    }
    found
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
        let home =
            ("win32-vocabulary/src/lib.rs", "pub const WM_COMMAND: u32 = 0x0111; pub const IDOK: u16 = 1;");
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
    fn numbers_of_our_own_are_left_alone() {
        let ours = "const MAX_DEPTH: u32 = 3; const WM_JOB: u32 = WM_APP + 1; const WM_NAME: &str = \"a\";";
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
