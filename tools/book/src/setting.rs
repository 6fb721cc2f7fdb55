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
    Ok(escaped(&written))
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
    fn markdown_leaves_equations_alone() {
        let set = mathml(r"|v|_i * \alpha", DisplayMode::Inline).unwrap();
        assert!(set.starts_with("<math") && set.contains('α'), "{set}");
        assert!(!set.contains('*') && set.contains("&#124;"), "{set}");
        assert!(mathml(r"\frac{", DisplayMode::Inline).is_err());
    }
}
