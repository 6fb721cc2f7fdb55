//! Links: to files of the repository from the pages, and a check of the site that was built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use mdbook_driver::book::Book;
use mdbook_driver::errors::{Error, Result};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

use crate::prose::{Piece, pieces};

/// Pages link to files outside of `docs` by their place; the site has them by their address.
pub struct Repository;

impl Preprocessor for Repository {
    fn name(&self) -> &str {
        "repository"
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let base: Option<String> = context.config.get("output.html.git-repository-url")?;
        let base = base.unwrap_or_default();
        book.for_each_chapter_mut(|chapter| {
            let Some(path) = chapter.source_path.clone() else {
                return;
            };
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let mut out = String::new();
            for piece in pieces(&chapter.content) {
                match piece {
                    Piece::Code(code) => out.push_str(code),
                    Piece::Prose(prose) => out.push_str(&outward(prose, &folder, &base)),
                }
            }
            chapter.content = out;
        });
        Ok(book)
    }
}

fn outward(prose: &str, folder: &Path, base: &str) -> String {
    let mut parts = prose.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("](");
        let target = part.split(')').next().unwrap_or_default();
        match outside(folder, target) {
            Some(file) => {
                out.push_str(&format!("{base}/blob/main/{file}"));
                out.push_str(&part[target.len()..]);
            }
            // mdBook makes index.html of a README.md
            None => out.push_str(&part.replacen(
                "README.md",
                "index.md",
                usize::from(target.contains("README.md")),
            )),
        }
    }
    out
}

/// The file in the repository that a target outside of `docs` names.
fn outside(folder: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with('#') {
        return None;
    }
    let whole = Path::new("docs").join(folder).join(target);
    let plain = normal(&whole);
    (!plain.starts_with("docs")).then(|| plain.display().to_string())
}

fn normal(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Every link of the site leads to a file of it, and to a place in this file.
///
/// # Errors
/// The links that lead nowhere.
pub fn check(site: &Path, docs: &Path) -> Result<()> {
    let mut pages = BTreeMap::new();
    gather(site, &mut pages)?;
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(page, text)| (page, values(text, " id=\"").collect()))
        .collect();
    let mut lost = Vec::new();
    // the page for printing repeats all others
    for (page, text) in pages
        .iter()
        .filter(|(page, _)| !page.ends_with("print.html"))
    {
        for target in values(text, " href=\"").chain(values(text, " src=\"")) {
            let foreign = target.contains(':') || target.is_empty();
            if foreign || page.ends_with("404.html") || page.ends_with("toc.html") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = page.parent().unwrap_or(site);
            let file = if file.is_empty() {
                page.clone()
            } else {
                normal(&folder.join(file))
            };
            // the documentation of the crates and the laws to play with are put beside the pages later
            if file.starts_with(site.join("api")) || file == site.join("laws.html") {
                continue;
            }
            let known = ids
                .get(&file)
                .is_none_or(|ids| anchor.is_empty() || ids.contains(anchor));
            if !file.exists() || !known {
                lost.push(origin(site, page, target, docs));
            }
        }
    }
    if lost.is_empty() {
        Ok(())
    } else {
        Err(Error::msg(format!("lost links\n{}", lost.join("\n"))))
    }
}

/// A link with the file and line that it was written in; of a page that was not, the page.
fn origin(site: &Path, page: &Path, target: &str, docs: &Path) -> String {
    let name = page.strip_prefix(site).unwrap_or(page);
    let written = target.replace(".html", ".md");
    let sources = [name.with_extension("md"), name.with_file_name("README.md")];
    for source in sources {
        let Ok(text) = std::fs::read_to_string(docs.join(&source)) else {
            continue;
        };
        let names = |line: &str| line.contains(&*written) || line.contains(target);
        let line = text.lines().position(names).map_or(1, |line| line + 1);
        return format!("docs/{}:{line}: {written}", source.display());
    }
    format!("{}: {target}", page.display())
}

fn gather(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("api") {
            gather(&path, pages)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            let text = std::fs::read_to_string(&path)?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

/// The values of an attribute, `mark` being its name with the opening quote.
fn values<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark)
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_have_addresses() {
        let folder = Path::new("guide");
        let out = outward(
            "[a](../../examples/cube.toml) [b](../scenario.md#x)",
            folder,
            "R",
        );
        assert_eq!(
            out,
            "[a](R/blob/main/examples/cube.toml) [b](../scenario.md#x)"
        );
    }
    #[test]
    fn a_lost_link_is_named_with_the_line_that_it_was_written_in() {
        let place = std::env::temp_dir().join(format!("links-{}", std::process::id()));
        let (site, docs) = (place.join("site"), place.join("docs"));
        for folder in [site.join("guide"), docs.join("guide")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let page = "# Start\n\nSee\n[there](gone.md#x) and [here](start.md#nowhere).\n";
        std::fs::write(docs.join("guide/start.md"), page).unwrap();
        let made =
            "<h1 id=\"start\"></h1><a href=\"gone.html#x\"></a><a href=\"start.html#nowhere\"></a>";
        std::fs::write(site.join("guide/start.html"), made).unwrap();
        let error = check(&site, &docs).unwrap_err().to_string();
        std::fs::remove_dir_all(&place).unwrap();
        let wanted =
            "lost links\ndocs/guide/start.md:4: gone.md#x\ndocs/guide/start.md:4: start.md#nowhere";
        assert_eq!(error, wanted);
    }
}
