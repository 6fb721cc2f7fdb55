//! Names of files, columns and titles where they are written: nothing in them ends a line, a cell or a
//! text.

use std::fmt::Write as _;

/// Text on one line, as in a comment: control characters as `\n`, `\u{1b}`.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if breaks(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// A text of TOML, with its quotes.
pub(super) fn toml_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// An argument as a shell reads it.
pub(super) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=.,:/%@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// A cell of CSV.
pub(super) fn csv_cell(text: &str) -> String {
    if text.contains([',', ';', '"', '\n', '\r', '\t']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line_a_text_or_a_cell() {
        let name = "a\nb = 1\r\"c\\\u{1b}é\u{2028},";
        assert_eq!(
            one_line(name),
            "a\\nb = 1\\r\"c\\\u{1b}é\\u{2028},".replace('\u{1b}', "\\u{1b}")
        );
        let table: toml::Table = format!("x = {}", toml_text(name))
            .parse()
            .unwrap_or_default();
        assert_eq!(table.get("x").and_then(toml::Value::as_str), Some(name));
        assert_eq!(csv_cell(name).matches('"').count(), 4);
        assert_eq!(csv_cell("plain"), "plain");
    }
}
