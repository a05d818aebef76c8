//! The places a script can name without knowing them: `{here}` its own folder, `{work}` the folder the
//! application runs in, `{env:NAME}` a variable.

use std::path::Path;

/// What the words of a script stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) here: &'a Path,
    pub(crate) work: &'a Path,
    pub(crate) env: fn(&str) -> Option<String>,
}

impl Words<'_> {
    /// A text with its words replaced. What is no word stays as it is.
    pub(crate) fn fill(&self, text: &str) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let (word, after) = after.split_once('}').unwrap_or((after, ""));
            match word {
                "here" => out.push_str(&self.here.display().to_string()),
                "work" => out.push_str(&self.work.display().to_string()),
                word => match word.strip_prefix("env:") {
                    Some(name) => out.push_str(
                        &(self.env)(name)
                            .ok_or_else(|| format!("the environment variable {name} is not set"))?,
                    ),
                    None => {
                        out.push('{');
                        rest = &rest[before.len() + 1..];
                        continue;
                    }
                },
            }
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_replaced() {
        let words = Words {
            here: Path::new("H"),
            work: Path::new("W"),
            env: |name| (name == "X").then(|| "1{here}".to_owned()),
        };
        let check = |text, filled: Result<&str, &str>| {
            assert_eq!(words.fill(text).as_deref().map_err(String::as_str), filled, "{text}");
        };
        check("{here}/a {work}", Ok("H/a W"));
        check("{env:X}!", Ok("1{here}!"));
        check("{{here}} {} { {other}", Ok("{H} {} { {other}"));
        check("{env:Y}", Err("the environment variable Y is not set"));
    }
}
