//! Sets TeX as MathML, which browsers draw without a script.

use mdbook_driver::errors::{Error, Result};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, mathml::push_mathml};

/// The MathML of an equation, safe to stand in a line of Markdown.
///
/// # Errors
/// TeX that is not understood.
pub fn mathml(tex: &str, display_mode: DisplayMode) -> Result<String> {
    let storage = Storage::new();
    let tex = &braced(tex);
    let events: Vec<_> = Parser::new(tex, &storage).collect();
    if let Some(error) = events.iter().find_map(|event| event.as_ref().err()) {
        return Err(Error::msg(format!("{tex}\n{error}")));
    }
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let mut written = String::new();
    push_mathml(&mut written, events.into_iter(), config)?;
    // the library writes \mu as the sign for micro, which browsers do not slant
    let written = written.replace('\u{b5}', "\u{3bc}");
    Ok(escaped(&written))
}

/// `\frac12` as `\frac{1}{2}`: TeX takes one digit for each argument, the library both for the first.
fn braced(tex: &str) -> String {
    let mut parts = tex.split("frac");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("frac");
        let digits = part.bytes().take(2).take_while(u8::is_ascii_digit).count();
        if digits == 2 {
            out.push_str(&format!(
                "{{{}}}{{{}}}{}",
                &part[..1],
                &part[1..2],
                &part[2..]
            ));
        } else {
            out.push_str(part);
        }
    }
    out
}

/// Characters that Markdown would take for its own, between the tags.
fn escaped(mathml: &str) -> String {
    let mut text = String::with_capacity(mathml.len());
    let mut in_tag = false;
    for c in mathml.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '*' | '_' | '`' | '[' | ']' | '\\' | '|' | '~' if !in_tag => {
                text.push_str(&format!("&#{};", u32::from(c)));
                continue;
            }
            '\n' => continue,
            _ => {}
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_digits_are_taken_apart() {
        assert_eq!(
            braced(r"\tfrac12 a - \frac{b}{c}"),
            r"\tfrac{1}{2} a - \frac{b}{c}"
        );
    }

    #[test]
    fn markdown_leaves_equations_alone() {
        let set = mathml(r"|v|_i * \alpha", DisplayMode::Inline).unwrap();
        assert!(set.starts_with("<math") && set.contains('α'), "{set}");
        assert!(!set.contains('*') && set.contains("&#124;"), "{set}");
        assert!(mathml(r"\frac{", DisplayMode::Inline).is_err());
    }

    #[test]
    fn the_letter_mu_is_greek() {
        let set = mathml(r"\mu_k", DisplayMode::Inline).unwrap();
        assert!(set.contains("\u{3bc}") && !set.contains("\u{b5}"), "{set}");
    }
}
