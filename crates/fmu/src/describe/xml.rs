//! Elements of XML.

/// An XML text that grows by elements.
#[derive(Debug)]
pub(super) struct XmlText {
    text: String,
    open: Vec<&'static str>,
}

/// Attributes in the order in which they are written; those without a value are left out.
pub(super) type Attributes<'a> = &'a [(&'a str, Option<String>)];

/// An attribute.
pub(super) fn with(name: &str, value: impl std::fmt::Display) -> (&str, Option<String>) {
    (name, Some(format!("{value}")))
}

/// A number with all its bits.
pub(super) fn number(x: f64) -> String {
    // a negative zero is a zero
    format!("{:?}", x + 0.0)
}

impl XmlText {
    pub(super) fn new() -> Self {
        Self {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            open: Vec::new(),
        }
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>, end: &str) {
        self.text.push_str(&"  ".repeat(self.open.len()));
        self.text.push('<');
        self.text.push_str(name);
        for (attribute, value) in attributes {
            if let Some(value) = value {
                let value = escaped(value);
                self.text.extend([" ", attribute, "=\"", &value, "\""]);
            }
        }
        self.text.push_str(end);
        self.text.push('\n');
    }

    /// An element without content.
    pub(super) fn element(&mut self, name: &str, attributes: Attributes<'_>) {
        self.tag(name, attributes, "/>");
    }

    /// Begins an element.
    pub(super) fn begin(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Ends the element that was begun last.
    pub(super) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let indent = "  ".repeat(self.open.len());
            self.text.extend([&indent, "</", name, ">\n"]);
        }
    }

    /// The text, with all elements ended.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no other control characters
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
