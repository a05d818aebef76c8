//! No comment line is wider than the code, which rustfmt keeps within its width.

use super::sources::Source;

/// The `max_width` of rustfmt.toml.
const WIDTH: usize = 110;

/// Every comment line that is too wide, as `path:line: columns`.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    sources.iter().flat_map(too_wide).collect()
}

fn too_wide(source: &Source) -> Vec<String> {
    let lines = source.text.lines().enumerate();
    let wide =
        lines.filter(|(_, line)| line.chars().count() > WIDTH && is_comment(line) && can_be_wrapped(line));
    wide.map(|(index, line)| format!("{}:{}: {} columns", source.path, index + 1, line.chars().count()))
        .collect()
}

/// A line that is a comment, or ends in one.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
        // Behind code: two spaces or a sign of code before it, and no string around it.
        || line.match_indices(" // ").any(|(index, _)| line[..index].matches('"').count().is_multiple_of(2))
}

/// Rows of tables and single words, such as addresses, cannot be wrapped.
fn can_be_wrapped(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
    !text.starts_with('|') && text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    fn found(line: &str) -> bool {
        !check(&planted(&[("a/b.rs", line)])).is_empty()
    }

    #[test]
    fn wide_comments_are_found() {
        let words = "word ".repeat(22);
        assert!(found(&format!("/// {words}")));
        assert!(found(&format!("    //! {words}")));
        assert!(found(&format!("let a = 1; // {words}")));
        assert_eq!(check(&planted(&[("a.rs", &format!("\n// {words}"))])), ["a.rs:2: 113 columns"]);
    }

    #[test]
    fn what_fits_or_cannot_be_wrapped_is_left_alone() {
        let words = "word ".repeat(22);
        assert!(!found(&format!("// {}", "word ".repeat(21))));
        assert!(!found(&format!("/// | {words}|")));
        assert!(!found(&format!("// https://example.org/{}", "a".repeat(100))));
        assert!(!found(&format!("let a = \"https: // {words}\";")));
        assert!(!found(&format!("let a = [{}];", "1, ".repeat(50))));
    }
}
