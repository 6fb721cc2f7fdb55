//! Text for a terminal: words broken at its width, in colour or plain.

/// Narrower terminals get lines of this width all the same.
const NARROWEST: usize = 20;
/// Width from which labels and values stand in columns.
const COLUMNS: usize = 48;

#[derive(Clone, Copy)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Good,
    Bad,
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

/// Text that grows line by line.
pub(crate) struct Page {
    text: String,
    width: usize,
    colour: bool,
}

impl Page {
    pub(crate) fn new(width: usize, colour: bool) -> Self {
        Self {
            text: String::new(),
            width: width.max(NARROWEST),
            colour,
        }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether names and values stand in columns.
    pub(crate) fn is_wide(&self) -> bool {
        self.width >= COLUMNS
    }

    /// The column where the value of a [`Self::pair`] continues on the next line.
    pub(crate) fn value_column(&self) -> usize {
        if self.is_wide() { 14 } else { 4 }
    }

    pub(crate) fn line(&mut self, style: Style, line: &str) {
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

    /// `lead` and words, broken at the width; further lines are indented by `hang`.
    pub(crate) fn paragraph(&mut self, style: Style, lead: &str, hang: usize, words: &str) {
        for line in wrap(lead, hang, words, self.width) {
            self.line(style, &line);
        }
    }

    pub(crate) fn heading(&mut self, words: &str) {
        self.line(Style::Plain, "");
        self.paragraph(Style::Bold, "", 0, words);
    }

    /// A name and its value, in columns if there is room; nothing if there is no value.
    pub(crate) fn pair(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        if self.is_wide() && name.chars().count() > 11 {
            self.paragraph(Style::Plain, "  ", 2, name);
            self.paragraph(Style::Plain, &" ".repeat(14), 14, value);
        } else if self.is_wide() {
            self.paragraph(Style::Plain, &format!("  {name:<12}"), 14, value);
        } else {
            self.paragraph(Style::Plain, "  ", 4, &format!("{name}: {value}"));
        }
    }
}

/// Breaks words into lines of at most `width` characters; words that are longer are cut.
/// A [`GLUE`] becomes a space at which no line breaks.
fn wrap(lead: &str, hang: usize, words: &str, width: usize) -> Vec<String> {
    let hang = hang.min(width / 2);
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
        while used + word.len() > width {
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
