//! Labels as they are compared: recorded and live labels of menus are cleaned alike, so that they match.

/// A label without mnemonic, key, and trailing colon or dots: `&Save as...\tCtrl+S` → `Save as`,
/// `保存(&S)` → `保存`.
pub fn clean(label: &str) -> String {
    let label = label.split('\t').next().unwrap_or_default();
    let mut text = String::with_capacity(label.len());
    let mut rest = label.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // Languages without Latin letters put the mnemonic in brackets behind the text.
            '(' if rest.peek() == Some(&'&') => {
                let mut ahead = rest.clone();
                let (_, letter, close) = (ahead.next(), ahead.next(), ahead.next());
                if letter.is_some() && close == Some(')') {
                    rest = ahead;
                } else {
                    text.push(c);
                }
            }
            '&' => text.extend(rest.next()),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.trim_end_matches([':', '：', '…', ' ']);
    let end = end.strip_suffix("...").unwrap_or(end).trim_end();
    end.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_mnemonics_keys_and_dots() {
        let check = |label: &str, name: &str| assert_eq!(clean(label), name, "{label:?}");
        check("&Add item…", "Add item");
        check("Save &as...\tCtrl+S", "Save as");
        check("Description:", "Description");
        check("保存(&S)...", "保存");
        check("名前(&N)：", "名前");
        check("Research && Development", "Research & Development");
        check("a (&quot)", "a (quot)");
        check("Line one\r\nline two", "Line one line two");
        check("&", "");
        check("3:15", "3:15");
    }
}
