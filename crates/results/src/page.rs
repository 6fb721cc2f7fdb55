//! Text for a terminal: words broken at its width, in colour or plain.

/// Narrower terminals get lines of this width all the same.
const NARROWEST: usize = 20;
/// Width from which labels and values stand in columns.
const COLUMNS: usize = 48;
/// Columns that the words of a table need at least.
const ROOM_FOR_WORDS: usize = 24;

/// How a line looks on a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Bold.
    Bold,
    /// Grey.
    Dim,
    /// Green.
    Good,
    /// Red.
    Bad,
    /// Yellow.
    Caution,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "\x1b[1m",
            Self::Dim => "\x1b[2m",
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
            Self::Caution => "\x1b[33m",
        }
    }
}

/// A space that keeps a number and its unit on one line.
pub(crate) const GLUE: &str = "\u{a0}";

/// Text for a terminal that grows line by line.
///
/// ```
/// use bristle_results::TextPage;
///
/// let mut page = TextPage::new(24, false);
/// page.paragraph("  - ", "words that do not fit into one line");
/// assert_eq!(page.into_text(), "  - words that do not\n    fit into one line\n");
/// ```
#[derive(Debug)]
pub struct TextPage {
    text: String,
    width: usize,
    colour: bool,
}

impl TextPage {
    /// An empty page of that width.
    pub fn new(width: usize, colour: bool) -> Self {
        Self {
            text: String::new(),
            width: width.max(NARROWEST),
            colour,
        }
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Characters of a line, at most.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether names and values stand in columns.
    pub fn is_wide(&self) -> bool {
        self.width >= COLUMNS
    }

    /// The column where the value of a [`Self::pair`] continues on the next line.
    pub fn value_column(&self) -> usize {
        if self.is_wide() { 14 } else { 4 }
    }

    /// Whether there is room for so many columns.
    pub fn has_room(&self, columns: usize) -> bool {
        columns <= self.width
    }

    /// A line as it is.
    pub fn line(&mut self, line: &str) {
        self.styled_line(Style::Plain, line);
    }

    /// A bold line.
    pub fn bold(&mut self, line: &str) {
        self.styled_line(Style::Bold, line);
    }

    /// A line as it is, in a style.
    pub fn styled_line(&mut self, style: Style, line: &str) {
        let line = line.trim_end();
        let code = style.code();
        if self.colour && !code.is_empty() && !line.is_empty() {
            self.text.push_str(code);
            self.text.push_str(line);
            self.text.push_str("\x1b[0m");
        } else {
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// `lead` and words, broken at the width; further lines begin below the first word. A word that
    /// is longer than a line, such as a path, stays whole.
    pub fn paragraph(&mut self, lead: &str, words: &str) {
        let hang = lead.chars().count();
        for line in wrap(lead, hang, words, self.width, LongWords::Whole) {
            self.line(&line);
        }
    }

    /// `lead` and words, broken at the width; further lines are indented by `hang`. Words that are
    /// longer than a line are cut.
    pub fn styled_paragraph(&mut self, style: Style, lead: &str, hang: usize, words: &str) {
        for line in wrap(lead, hang, words, self.width, LongWords::Cut) {
            self.styled_line(style, &line);
        }
    }

    /// An empty line and a bold one.
    pub fn heading(&mut self, words: &str) {
        self.line("");
        self.styled_paragraph(Style::Bold, "", 0, words);
    }

    /// A name and its value, in columns if there is room; nothing if there is no value.
    pub fn pair(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        if self.is_wide() && name.chars().count() > 11 {
            self.styled_paragraph(Style::Plain, "  ", 2, name);
            self.styled_paragraph(Style::Plain, &" ".repeat(14), 14, value);
        } else if self.is_wide() {
            self.styled_paragraph(Style::Plain, &format!("  {name:<12}"), 14, value);
        } else {
            self.styled_paragraph(Style::Plain, "  ", 4, &format!("{name}: {value}"));
        }
    }

    /// A table; the last column is broken into lines. Without room for its columns, every row
    /// becomes a small list.
    pub fn table(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        let last = heads.len().saturating_sub(1);
        let width_of = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let cells = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            cells.max(heads.get(column).map_or(0, |head| head.chars().count()))
        };
        let widths: Vec<usize> = (0..last).map(width_of).collect();
        let columns: usize = widths.iter().map(|width| width + 2).sum();
        if !self.has_room(2 + columns + ROOM_FOR_WORDS.min(width_of(last))) {
            self.rows_as_lists(heads, rows);
            return;
        }
        let lead = |row: &[String]| {
            let cell = |(cell, &width): (&String, &usize)| {
                let gap = width.saturating_sub(cell.chars().count());
                format!("{cell}{}  ", " ".repeat(gap))
            };
            let cells: String = row.iter().zip(&widths).map(cell).collect();
            format!("  {cells}")
        };
        let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
        let last_head = heads.last().map_or("", String::as_str);
        self.bold(&format!("{}{last_head}", lead(&heads)));
        for row in rows {
            self.paragraph(&lead(row), row.get(last).map_or("", String::as_str));
        }
    }

    fn rows_as_lists(&mut self, heads: &[&str], rows: &[Vec<String>]) {
        for row in rows {
            for (index, (head, cell)) in heads.iter().zip(row).enumerate() {
                match index {
                    0 => self.bold(&format!("  {cell}")),
                    _ if cell.is_empty() => {}
                    _ => self.paragraph("    ", &format!("{head}: {cell}")),
                }
            }
        }
    }
}

/// What becomes of words that are longer than a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LongWords {
    Cut,
    Whole,
}

/// Breaks words into lines of at most `width` characters.
/// A [`GLUE`] becomes a space at which no line breaks.
fn wrap(lead: &str, hang: usize, words: &str, width: usize, long: LongWords) -> Vec<String> {
    // a cut needs room to go on in
    let hang = match long {
        LongWords::Cut => hang.min(width / 2),
        LongWords::Whole => hang,
    };
    let indent = " ".repeat(hang);
    let mut lines = Vec::new();
    let mut line = lead.to_owned();
    // columns taken, and whether the line holds a word yet
    let (mut used, mut begun) = (lead.chars().count(), false);
    for word in words
        .split([' ', '\n', '\t'])
        .filter(|word| !word.is_empty())
    {
        let mut word: Vec<char> = word.chars().map(printed).collect();
        let gap = usize::from(begun);
        if used + gap + word.len() > width && (begun || used > hang) {
            lines.push(std::mem::replace(&mut line, indent.clone()));
            (used, begun) = (hang, false);
        }
        if begun {
            line.push(' ');
            used += 1;
        }
        while long == LongWords::Cut && used + word.len() > width {
            let rest = word.split_off(width - used);
            line.extend(word);
            lines.push(std::mem::replace(&mut line, indent.clone()));
            used = hang;
            word = rest;
        }
        used += word.len();
        line.extend(word);
        begun = true;
    }
    if begun || !lead.trim().is_empty() {
        lines.push(line);
    }
    lines
}

/// A glue as a space, and a control character as nothing a terminal would obey.
fn printed(c: char) -> char {
    match c {
        '\u{a0}' => ' ',
        c if c.is_control() => '·',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::TextPage;

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
            let mut page = TextPage::new(width, false);
            page.table(&["name", "title"], &rows());
            let longest = page.text.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(width), "{}", page.text);
        }
    }

    #[test]
    fn words_stand_below_their_head_however_wide_the_columns_before_are() {
        let mut page = TextPage::new(66, false);
        let wide = "a name that takes more than half of it".to_owned();
        page.table(&["name", "title"], &[vec![wide, rows()[0][1].clone()]]);
        let expected = "  name                                    title
  a name that takes more than half of it  a law with bristles that
                                          bend before they slip
";
        assert_eq!(page.text, expected);
    }

    #[test]
    fn columns_stand_below_each_other() {
        let mut page = TextPage::new(80, false);
        page.table(&["name", "title"], &rows());
        let expected = "  name   title
  lugre  a law with bristles that bend before they slip
  gkf    a law
";
        assert_eq!(page.text, expected);
    }
}
