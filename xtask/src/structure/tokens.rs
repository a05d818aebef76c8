//! A file as a flat list of tokens, without what only tests compile.
//!
//! Tokens instead of a syntax tree: they reach into macro calls, which a parser leaves unparsed.

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use super::sources::Source;

/// One token and the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// `::`, `=>`, `==`, `!=`, `||` and `&&` are one token each.
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Identifier,
    Literal,
    /// Operators, separators and brackets.
    Sign,
}

/// A file's tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// Modules in files of their own that only tests compile.
    pub(super) test_modules: Vec<String>,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }

    pub(super) fn identifier(&self) -> Option<&str> {
        (self.kind == Kind::Identifier).then_some(&self.text)
    }
}

/// Reads a file; items under `#[cfg(test)]` are left out.
pub(super) fn without_tests(source: &Source) -> Result<Tokens> {
    let mut tokens = Tokens::default();
    tokens.push_all(stream(source)?, true);
    Ok(tokens)
}

/// Reads a whole file.
pub(super) fn all(source: &Source) -> Result<Vec<Token>> {
    let mut tokens = Tokens::default();
    tokens.push_all(stream(source)?, false);
    Ok(tokens.list)
}

fn stream(source: &Source) -> Result<TokenStream> {
    // A byte order mark or `#!` line would not parse; the repository has none.
    source.text.parse().map_err(|error| anyhow!("{}: {error}", source.path))
}

impl Tokens {
    fn push_all(&mut self, stream: TokenStream, skips_tests: bool) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Punct(sign) if skips_tests && sign.as_char() == '#' => {
                    // An inner attribute has `!` before its bracket and never hides an item.
                    match trees.peek() {
                        Some(TokenTree::Group(group)) if is_cfg_test(&group.stream()) => {
                            trees.next();
                            self.skip_item(&mut trees);
                        }
                        _ => self.push("#", Kind::Sign, sign.span().start().line),
                    }
                }
                TokenTree::Punct(sign) => {
                    let line = sign.span().start().line;
                    let next = match trees.peek() {
                        Some(TokenTree::Punct(next)) if sign.spacing() == Spacing::Joint => {
                            Some(next.as_char())
                        }
                        _ => None,
                    };
                    let pair = match (sign.as_char(), next) {
                        (':', Some(':')) => Some("::"),
                        ('=', Some('>')) => Some("=>"),
                        ('=', Some('=')) => Some("=="),
                        ('!', Some('=')) => Some("!="),
                        ('|', Some('|')) => Some("||"),
                        ('&', Some('&')) => Some("&&"),
                        _ => None,
                    };
                    if let Some(pair) = pair {
                        trees.next();
                        self.push(pair, Kind::Sign, line);
                    } else {
                        self.push(&sign.to_string(), Kind::Sign, line);
                    }
                }
                TokenTree::Ident(name) => {
                    self.push(&name.to_string(), Kind::Identifier, name.span().start().line);
                }
                TokenTree::Literal(literal) => {
                    self.push(&literal.to_string(), Kind::Literal, literal.span().start().line);
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.push(open, Kind::Sign, group.span_open().start().line);
                    self.push_all(group.stream(), skips_tests);
                    self.push(close, Kind::Sign, group.span_close().start().line);
                }
            }
        }
    }

    fn push(&mut self, text: &str, kind: Kind, line: usize) {
        self.list.push(Token { text: text.to_owned(), kind, line });
    }

    /// Skips the item behind an attribute: up to its body, its semicolon, or the comma of a field or an arm.
    fn skip_item(&mut self, trees: &mut impl Iterator<Item = TokenTree>) {
        let mut module = None;
        let mut is_module = false;
        for tree in trees {
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
                TokenTree::Punct(sign) if sign.as_char() == ';' => {
                    self.test_modules.extend(module);
                    return;
                }
                TokenTree::Punct(sign) if sign.as_char() == ',' => return,
                TokenTree::Ident(name) if name == "mod" => is_module = true,
                TokenTree::Ident(name) if is_module => module = Some(name.to_string()),
                _ => {}
            }
        }
    }
}

/// `cfg(test)` and `cfg(all(test, …))`, but not `cfg(not(test))` or `cfg(any(test, …))`.
fn is_cfg_test(attribute: &TokenStream) -> bool {
    let mut words = attribute.clone().into_iter();
    let Some(TokenTree::Ident(name)) = words.next() else { return false };
    let Some(TokenTree::Group(condition)) = words.next() else { return false };
    name == "cfg" && requires_test(&condition.stream())
}

fn requires_test(condition: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = condition.clone().into_iter().collect();
    trees.iter().enumerate().any(|(index, tree)| match tree {
        TokenTree::Ident(name) if name == "test" => true,
        TokenTree::Ident(name) if name == "all" => match trees.get(index + 1) {
            Some(TokenTree::Group(group)) => requires_test(&group.stream()),
            _ => false,
        },
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    fn words(text: &str) -> String {
        let tokens = without_tests(&planted(&[("a.rs", text)])[0]).unwrap();
        tokens.list.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn items_of_tests_are_left_out() {
        assert_eq!(
            words("fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}"),
            "fn a ( ) { } fn c ( ) { }"
        );
        assert_eq!(words("#[cfg(all(test, unix))] #[ignore] fn b() {} x"), "x");
        assert_eq!(words("#[cfg(test)] use a::b; x"), "x");
        assert_eq!(words("#[cfg(not(test))] x"), "# [ cfg ( not ( test ) ) ] x");
        assert_eq!(words("#[cfg(any(test, a))] x"), "# [ cfg ( any ( test , a ) ) ] x");
    }

    #[test]
    fn modules_of_tests_are_named() {
        let tokens =
            without_tests(&planted(&[("a.rs", "mod a; #[cfg(test)] mod b_tests; mod c;")])[0]).unwrap();
        assert_eq!(tokens.test_modules, ["b_tests"]);
    }

    #[test]
    fn tokens_reach_into_macros_and_know_their_lines() {
        let tokens = all(&planted(&[("a.rs", "fn a() {\n  matches!(x, crate::b::C => 1)\n}")])[0]).unwrap();
        let path = tokens.iter().find(|token| token.is("::")).unwrap();
        assert_eq!(path.line, 2);
    }
}
