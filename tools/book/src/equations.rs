//! Equations in the pages: `$…$` in a line, `$$…$$` on lines of their own, numbers by `\tag{…}`.
//! A number in brackets, such as (3.4), becomes a link to the equation that bears it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mdbook_driver::book::{Book, Chapter};
use mdbook_driver::errors::{Error, Result};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use pulldown_latex::config::DisplayMode;

use crate::prose::{Piece, pieces};
use crate::setting::mathml;

/// The preprocessor.
pub struct Equations;

/// The page of every numbered equation.
type Numbers = BTreeMap<String, PathBuf>;

impl Preprocessor for Equations {
    fn name(&self) -> &str {
        "equations"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut numbers = Numbers::new();
        let mut failed = Ok(());
        book.for_each_chapter_mut(|chapter| {
            let noted = note(chapter, &mut numbers);
            failed = std::mem::replace(&mut failed, Ok(())).and(noted);
        });
        failed?;
        let mut failed = Ok(());
        book.for_each_chapter_mut(|chapter| match page(chapter, &numbers) {
            Ok(content) => chapter.content = content,
            Err(error) => failed = Err(error),
        });
        failed?;
        Ok(book)
    }
}

fn note(chapter: &Chapter, numbers: &mut Numbers) -> Result<()> {
    let path = chapter.path.clone().unwrap_or_default();
    for part in chapter.content.split("\\tag{").skip(1) {
        let number = part.split('}').next().unwrap_or_default().to_owned();
        if let Some(other) = numbers.insert(number.clone(), path.clone()) {
            let place = located(&path, &chapter.content, part);
            return Err(Error::msg(format!(
                "{place}: equation ({number}) is in docs/{} too",
                other.display()
            )));
        }
    }
    Ok(())
}

fn page(chapter: &Chapter, numbers: &Numbers) -> Result<String> {
    let path = chapter.path.clone().unwrap_or_default();
    let mut out = String::new();
    for piece in pieces(&chapter.content) {
        match piece {
            Piece::Code(code) => out.push_str(code),
            Piece::Prose(prose) => {
                let set = set(prose, &path, numbers).map_err(|(place, error)| {
                    error.context(located(&path, &chapter.content, place))
                });
                out.push_str(&set?);
            }
        }
    }
    Ok(out)
}

/// File and line of a part of a text, as an editor takes them.
fn located(path: &Path, text: &str, part: &str) -> String {
    let before = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let line = text.get(..before).unwrap_or_default().matches('\n').count() + 1;
    format!("docs/{}:{line}", path.display())
}

/// What is wrong, and the part of the text in which.
type Wrong<'a> = (&'a str, Error);

fn set<'a>(prose: &'a str, path: &Path, numbers: &Numbers) -> Result<String, Wrong<'a>> {
    let mut out = String::new();
    // odd parts are displayed equations
    for (index, part) in prose.split("$$").enumerate() {
        if index % 2 == 1 {
            let set = displayed(part).map_err(|error| (part.trim_start(), error));
            out.push_str(&set?);
            continue;
        }
        let mut rest = part;
        while let Some((before, tex, after)) = next_inline(rest) {
            out.push_str(&referred(before, path, numbers)?);
            out.push_str(&mathml(tex, DisplayMode::Inline).map_err(|error| (tex, error))?);
            rest = after;
        }
        out.push_str(&referred(rest, path, numbers)?);
    }
    Ok(out)
}

/// Text before, TeX inside and text after the next pair of dollars.
fn next_inline(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('$')?;
    let (tex, after) = rest.split_once('$')?;
    Some((before, tex, after))
}

fn displayed(tex: &str) -> Result<String> {
    let Some((tex, number)) = tex.split_once("\\tag{") else {
        let set = mathml(tex.trim(), DisplayMode::Block)?;
        return Ok(format!("<div class=\"equation\">{set}</div>"));
    };
    let number = number.trim().trim_end_matches('}');
    let set = mathml(tex.trim(), DisplayMode::Block)?;
    let id = anchor(number);
    Ok(format!(
        "<div class=\"equation\" id=\"{id}\">{set}<a class=\"number\" href=\"#{id}\">({number})</a></div>"
    ))
}

fn anchor(number: &str) -> String {
    format!("eq-{}", number.replace('.', "-"))
}

/// Links to the equations whose numbers stand in brackets.
fn referred<'a>(text: &'a str, path: &Path, numbers: &Numbers) -> Result<String, Wrong<'a>> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('(') {
        let Some(end) = rest[start..].find(')').map(|end| start + end) else {
            break;
        };
        let inside = &rest[start + 1..end];
        let linked = rest[..start].ends_with(']');
        match numbers.get(inside).filter(|_| !linked) {
            Some(page) => {
                let up = "../".repeat(path.components().count().saturating_sub(1));
                let (before, page) = (&rest[..start], page.display());
                out.push_str(&format!(
                    "{before}[({inside})]({up}{page}#{})",
                    anchor(inside)
                ));
            }
            None if path.starts_with("theory") && is_number(inside) => {
                let error = format!("no equation bears the number ({inside})");
                return Err((inside, Error::msg(error)));
            }
            None => {
                // a bracket inside of this one may be a reference
                out.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            }
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn is_number(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.')
        .is_some_and(|(chapter, count)| is_digits(chapter) && is_digits(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_links() {
        let numbers = Numbers::from([("3.1".to_owned(), PathBuf::from("theory/laws.md"))]);
        let set = |text| set(text, Path::new("theory/beam.md"), &numbers);
        assert_eq!(
            set("by (3.1)").unwrap(),
            "by [(3.1)](../theory/laws.md#eq-3-1)"
        );
        assert!(set("by (3.2)").is_err());
        let shown = set("$$ a = b \\tag{3.1} $$").unwrap();
        assert!(
            shown.contains("id=\"eq-3-1\"") && shown.contains(">(3.1)<"),
            "{shown}"
        );
        assert!(set("where $a$ is").unwrap().contains("<math"));
    }

    #[test]
    fn an_equation_that_cannot_be_set_is_named_with_its_line() {
        let numbers = Numbers::new();
        let error = |content: &str| {
            let chapter = Chapter::new("Beam", content.to_owned(), "theory/beam.md", vec![]);
            format!("{:#}", page(&chapter, &numbers).unwrap_err())
        };
        let inline = error("# Beam\n\n`$` and\nwhere $\\frac{a$ is\n");
        assert!(
            inline.starts_with("docs/theory/beam.md:4: \\frac{a"),
            "{inline}"
        );
        let shown = error("# Beam\n\n$$\n\\left( a\n$$\n");
        assert!(shown.starts_with("docs/theory/beam.md:4: "), "{shown}");
        let lost = error("# Beam\n\nby\n(3.9)\n");
        let wanted = "docs/theory/beam.md:4: no equation bears the number (3.9)";
        assert_eq!(lost, wanted);
    }
}
