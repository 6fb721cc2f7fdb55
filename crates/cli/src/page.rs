//! Text of the catalogue: paragraphs and tables that fit the terminal.

use crate::terminal::Stream;

/// Narrower terminals get lines of this width all the same.
const NARROWEST: usize = 24;

/// Text for standard output that grows line by line.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    width: usize,
    colour: bool,
}

impl Page {
    /// An empty page for standard output as it is.
    pub(crate) fn new() -> Self {
        Self::with(Stream::Out.width(), Stream::Out.colour())
    }

    fn with(width: usize, colour: bool) -> Self {
        Self {
            text: String::new(),
            width: width.max(NARROWEST),
            colour,
        }
    }

    /// Prints the page.
    pub(crate) fn print(self) {
        Stream::Out.print(&self.text);
    }

    /// Whether there is room for so many columns.
    pub(crate) fn has_room(&self, columns: usize) -> bool {
        columns <= self.width
    }

    /// Adds a line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Adds a bold line.
    pub(crate) fn bold(&mut self, line: &str) {
        if self.colour && !line.is_empty() {
            self.line(&format!("\x1b[1m{line}\x1b[0m"));
        } else {
            self.line(line);
        }
    }

    /// Adds an empty line and a bold one.
    pub(crate) fn heading(&mut self, line: &str) {
        self.line("");
        self.bold(line);
    }

    /// Adds words with line breaks where they are needed; all lines but the first are indented.
    pub(crate) fn paragraph(&mut self, lead: &str, words: &str) {
        let hang = lead.chars().count();
        let mut line = lead.to_owned();
        let mut begun = false;
        for word in words.split_whitespace() {
            let used = line.chars().count() + usize::from(begun) + word.chars().count();
            if begun && used > self.width {
                let full = std::mem::replace(&mut line, " ".repeat(hang));
                self.line(&full);
                begun = false;
            }
            if begun {
                line.push(' ');
            }
            line.push_str(word);
            begun = true;
        }
        self.line(&line);
    }

    /// Adds a table; the last column is broken into lines. Without room for its columns, every
    /// row becomes a small list.
    pub(crate) fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        const ROOM_FOR_TEXT: usize = 24;
        let last = heads.len().saturating_sub(1);
        let width_of = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let cells = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            cells.max(heads.get(column).map_or(0, |head| head.chars().count()))
        };
        let widths: Vec<usize> = (0..last).map(width_of).collect();
        let lead = |row: &[String]| {
            let cell = |(cell, &width): (&String, &usize)| {
                let gap = width.saturating_sub(cell.chars().count());
                format!("{cell}{}  ", " ".repeat(gap))
            };
            let cells: String = row.iter().zip(&widths).map(cell).collect();
            format!("  {cells}")
        };
        let needed =
            2 + widths.iter().map(|w| w + 2).sum::<usize>() + ROOM_FOR_TEXT.min(width_of(last));
        if !self.has_room(needed) {
            for row in rows {
                for (index, (head, cell)) in heads.iter().zip(row).enumerate() {
                    match index {
                        0 => self.bold(&format!("  {cell}")),
                        _ if cell.is_empty() => {}
                        _ => self.paragraph("    ", &format!("{head}: {cell}")),
                    }
                }
            }
            return;
        }
        let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
        let last_head = heads.last().map_or("", String::as_str);
        self.bold(&format!("{}{last_head}", lead(&heads)));
        for row in rows {
            self.paragraph(&lead(row), row.get(last).map_or("", String::as_str));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    fn rows() -> Vec<Vec<String>> {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        vec![
            row("lugre", "a law with bristles that bend before they slip"),
            row("gkf", "a law"),
        ]
    }

    #[test]
    fn tables_keep_to_the_width() {
        for width in [24, 40, 60, 120] {
            let mut page = Page::with(width, false);
            page.table(&["name", "title"], &rows());
            let longest = page.text.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(width), "{}", page.text);
        }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let mut page = Page::with(80, false);
        page.table(&["name", "title"], &rows());
        let expected = "  name   title
  lugre  a law with bristles that bend before they slip
  gkf    a law
";
        assert_eq!(page.text, expected);
    }
}
