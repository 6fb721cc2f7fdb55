//! Text for standard output, as wide as the terminal.

use bristle_results::TextPage;

use crate::terminal::Stream;

/// An empty page for standard output as it is.
pub(crate) fn new() -> TextPage {
    TextPage::new(Stream::Out.width(), Stream::Out.colour())
}

/// Prints a page.
pub(crate) fn print(page: TextPage) {
    Stream::Out.print(&page.into_text());
}
