//! One HTML file that needs nothing else: template, style, scripts and data put together.
//!
//! What a log says is data and never markup: it stands in a block that no browser runs, without a single `<`,
//! and the scripts make texts of it. A content security policy lets nothing run or load but the two scripts
//! and the style written here, by their hashes.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;
use sha2::{Digest, Sha256};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// Puts a page together. `script` is what makes the page of the data.
pub(crate) fn page(title: &str, script: &str, data: &impl Serialize) -> anyhow::Result<String> {
    // A browser hashes what is left after it has made all line ends one.
    let (style, script) = (STYLE.replace("\r\n", "\n"), script.replace("\r\n", "\n"));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let data = inert(&serde_json::to_string(data)?);
    let title = text(title);
    let mut page = String::with_capacity(data.len() + style.len() + script.len() + TEMPLATE.len());
    for piece in TEMPLATE.split("{{") {
        let Some((name, rest)) = piece.split_once("}}") else {
            page.push_str(piece);
            continue;
        };
        page.push_str(match name {
            "policy" => &policy,
            "title" => &title,
            "style" => &style,
            "data" => &data,
            "script" => &script,
            _ => "",
        });
        page.push_str(rest);
    }
    Ok(page)
}

/// As a content security policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// JSON in which no browser finds markup: all that could begin or end some is escaped, as JSON
/// allows in texts.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 64);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// A text in HTML.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_log_says_is_never_markup() {
        let hostile = "</script><img src=x onerror=alert(1)><!-- {{data}} \u{2028} & \"";
        let page = page(hostile, "'use strict';\r\n", &serde_json::json!({ hostile: [hostile] })).unwrap();
        assert_eq!(page.matches("<img").count(), 0);
        assert_eq!(page.matches("</script>").count(), 2, "the data's and the script's own");
        assert!(page.contains("<title>&lt;/script&gt;"));
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        assert!(!data.contains('<'));
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data[hostile][0], hostile);
    }

    #[test]
    fn the_policy_names_style_and_script_as_the_browser_sees_them() {
        let page = page("t", "let a;\r\n", &0).unwrap();
        assert!(page.contains(&hash("let a;\n")), "{page}");
        assert!(page.contains(&hash(&STYLE.replace("\r\n", "\n"))));
        assert!(
            !page.contains("unsafe-inline") && !page.contains("http://www.") && !page.contains("https://")
        );
    }
}
