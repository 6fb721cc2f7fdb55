//! A copy of the workspace in whose doc comments the equations are set, for `cargo doc` to read.
//!
//! rustdoc takes HTML, and MathML with it, but would drop backslashes and underlines of TeX.

use std::fs;
use std::path::Path;

use mdbook_driver::errors::{Error, Result};
use pulldown_latex::config::DisplayMode;

use crate::setting::mathml;

/// Files and folders beside `crates` that building the documentation needs.
const BESIDE: [&str; 6] = [
    "Cargo.toml",
    "Cargo.lock",
    "clippy.toml",
    "docs",
    "examples",
    "fuzz",
];

/// Copies the workspace at `root` to `out`. Files that are as they were are not written again, so
/// that cargo finds nothing to do where nothing changed; files that are gone are removed.
///
/// # Errors
/// A file that cannot be read or written, an equation that cannot be set.
pub fn copy(root: &Path, out: &Path) -> Result<()> {
    fs::create_dir_all(out)?;
    for name in BESIDE {
        walk(&root.join(name), &out.join(name))?;
    }
    walk(&root.join("crates"), &out.join("crates"))
}

fn walk(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            walk(&entry.path(), &to.join(entry.file_name()))?;
        }
        for entry in fs::read_dir(to)? {
            let entry = entry?;
            if !from.join(entry.file_name()).exists() {
                let kind = entry.file_type()?;
                let remove = if kind.is_dir() {
                    fs::remove_dir_all
                } else {
                    fs::remove_file
                };
                remove(entry.path())?;
            }
        }
        return Ok(());
    }
    let mut content = fs::read(from)?;
    if from.extension().is_some_and(|extension| extension == "rs") {
        let text = String::from_utf8(content)?;
        let named =
            |(line, error): (usize, Error)| error.context(format!("{}:{line}", from.display()));
        content = set(&text).map_err(named)?.into_bytes();
    }
    if fs::read(to).ok().as_ref() != Some(&content) {
        fs::write(to, content)?;
    }
    Ok(())
}

/// The source with its displayed equations as MathML; or the line of one that cannot be set.
fn set(text: &str) -> Result<String, (usize, Error)> {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some((mark, start)) = opening(line) else {
            out.push_str(line);
            continue;
        };
        let mut tex = start.trim_end().to_owned();
        while !tex.ends_with("$$") {
            let Some(next) = lines.next().and_then(|(line, _)| comment(line)) else {
                break;
            };
            tex.push(' ');
            tex.push_str(next.1.trim());
        }
        let parts = tex
            .split("$$")
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let shown: Result<Vec<String>> =
            parts.map(|part| mathml(part, DisplayMode::Block)).collect();
        let shown = shown.map_err(|error| (number, error))?.join("");
        out.push_str(&format!(
            "{mark} <div style=\"overflow-x:auto;margin:.7em 0\">{shown}</div>\n"
        ));
    }
    Ok(out)
}

/// The mark of a doc comment, and what follows the first dollars of a line that begins with them.
fn opening(line: &str) -> Option<(&str, &str)> {
    let (mark, text) = comment(line)?;
    Some((mark, text.trim_start().strip_prefix("$$")?))
}

/// A doc comment: its mark with the indent, and its text.
fn comment(line: &str) -> Option<(&str, &str)> {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    (rest.starts_with("///") || rest.starts_with("//!")).then(|| line.split_at(indent + 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_in_comments_are_set_and_code_stays() {
        let source =
            "    /// One:\n    ///\n    /// $$ a =\n    ///    b $$\n    fn f() {} // $$\n";
        let made = set(source).unwrap();
        let lines: Vec<&str> = made.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[2].starts_with("    /// <div") && lines[2].contains("<math"),
            "{made}"
        );
        assert_eq!(lines[3], "    fn f() {} // $$");
    }

    #[test]
    fn files_that_are_gone_leave_the_copy_too() {
        let place = std::env::temp_dir().join(format!("sources-{}", std::process::id()));
        let (from, to) = (place.join("from"), place.join("to"));
        for folder in [from.join("new"), to.join("old")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(from.join("new/mod.rs"), "fn f() {}\n").unwrap();
        fs::write(to.join("old/mod.rs"), "fn f() {}\n").unwrap();
        fs::write(to.join("new.rs"), "fn f() {}\n").unwrap();
        walk(&from, &to).unwrap();
        let kept = fs::read_dir(&to)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert_eq!(kept.collect::<Vec<_>>(), ["new"]);
        assert!(to.join("new/mod.rs").exists());
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn an_equation_that_cannot_be_set_has_its_line() {
        let (line, error) = set("//! One:\n//!\n//! $$ \\frac{ $$\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(error.to_string().contains("frac"), "{error}");
    }
}
