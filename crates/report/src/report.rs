//! The builder of a report.

use std::path::Path;

use bristle_results::{ChannelTable, Figure, Plot, Summary, write_atomically};

use crate::block::{Fact, PageNotice, Timeline, Tone};
use crate::chart::Loops;
use crate::error::Result;
use crate::grid::Grid;
use crate::page;
use crate::scene::Scene;
use crate::summary;

/// Rows of a channel in the page, at most.
const MOST_ROWS: usize = 20_000;
/// Rows in which the paths of loops are looked for.
const PATH_ROWS: usize = 100_000;

/// A report page, put together block by block.
///
/// Facts and notices stand at the head. Everything else goes to the section that was begun last,
/// in the order in which it is added.
#[derive(Debug, Default)]
pub struct Report {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) badge: Option<(Tone, String)>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) notices: Vec<PageNotice>,
    pub(crate) sections: Vec<PageSection>,
    pub(crate) channels: Option<Channels>,
    pub(crate) summary: Option<Summary>,
    pub(crate) footer: String,
}

/// The channels of a run, in both ways of making them fewer.
#[derive(Debug)]
pub(crate) struct Channels {
    /// Condensed so that every peak is there.
    pub(crate) peaks: ChannelTable,
    /// Rows whose values belong together.
    pub(crate) whole: ChannelTable,
}

/// A part of the page with a heading.
#[derive(Debug, Default)]
pub(crate) struct PageSection {
    pub(crate) title: String,
    pub(crate) blocks: Vec<SectionContent>,
}

/// What a section holds.
#[derive(Debug)]
pub(crate) enum SectionContent {
    Text(String),
    Plot(Plot),
    Figure(Figure),
    Path(Figure),
    Loops(Loops),
    Grid(Grid),
    Timeline(Timeline),
    Picture {
        title: String,
        svg: String,
    },
    Scene(Box<Scene>),
    Source {
        name: String,
        text: String,
    },
    /// Every channel of the table, to look at one by one.
    Channels,
}

impl Report {
    /// A report without content.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// One line below the title.
    #[must_use]
    pub fn subtitle(mut self, text: impl Into<String>) -> Self {
        self.subtitle = text.into();
        self
    }

    /// A word beside the title: how it ended.
    #[must_use]
    pub fn badge(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.badge = Some((tone, text.into()));
        self
    }

    /// A line at the foot of the page: versions, files.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    /// A number at the head.
    #[must_use]
    pub fn fact(mut self, fact: Fact) -> Self {
        self.facts.push(fact);
        self
    }

    /// A message at the head.
    #[must_use]
    pub fn notice(mut self, notice: PageNotice) -> Self {
        self.notices.push(notice);
        self
    }

    /// The head of a run: how it ended, its numbers, its warnings. Stick and slip of its contacts
    /// are drawn as bands behind the plots of [`Self::plot`].
    #[must_use]
    pub fn summary(mut self, summary: &Summary) -> Self {
        if self.subtitle.is_empty() {
            self.subtitle.clone_from(&summary.model);
        }
        self.badge = Some(summary::badge(summary));
        self.facts.extend(summary::facts(summary));
        self.notices.extend(summary::notices(summary));
        self.summary = Some(summary.clone());
        self
    }

    /// Begins a section. What was added to none so far stands above the first.
    #[must_use]
    pub fn section(mut self, title: impl Into<String>) -> Self {
        self.sections.push(PageSection {
            title: title.into(),
            blocks: Vec::new(),
        });
        self
    }

    /// A paragraph of plain text.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.block(SectionContent::Text(text.into()))
    }

    /// The channels of a run, on which [`Self::plot`] and [`Self::scene`] draw. A later table
    /// replaces an earlier one.
    #[must_use]
    pub fn channels(mut self, table: &ChannelTable) -> Self {
        self.channels = Some(Channels {
            peaks: table.condensed(MOST_ROWS),
            whole: table.whole_rows(PATH_ROWS),
        });
        self
    }

    /// A plot of channels: over time if every `x` is `t`, else a path such as a friction loop.
    /// A plot whose channels are not there is replaced by a line that says so.
    #[must_use]
    pub fn plot(self, plot: Plot) -> Self {
        self.block(SectionContent::Plot(plot))
    }

    /// Curves that bring their own numbers, each with its own `x`. Where every `x` ascends, the
    /// cursor is linked with the other plots over time.
    #[must_use]
    pub fn figure(self, figure: &Figure) -> Self {
        self.block(SectionContent::Figure(figure.clone()))
    }

    /// Curves over something that is no time, such as a frequency: no cursor links them.
    #[must_use]
    pub fn path(self, figure: &Figure) -> Self {
        self.block(SectionContent::Path(figure.clone()))
    }

    /// Paths such as friction loops; the cursor finds their moment in the plots over time.
    #[must_use]
    pub fn loops(self, loops: Loops) -> Self {
        self.block(SectionContent::Loops(loops))
    }

    /// A table.
    #[must_use]
    pub fn table(self, grid: Grid) -> Self {
        self.block(SectionContent::Grid(grid))
    }

    /// Stick and slip as bands over time.
    #[must_use]
    pub fn timeline(self, timeline: Timeline) -> Self {
        self.block(SectionContent::Timeline(timeline))
    }

    /// A drawing that stands still, as SVG; `title` says what it shows to those who do not see it.
    #[must_use]
    pub fn picture(self, title: impl Into<String>, svg: impl Into<String>) -> Self {
        self.block(SectionContent::Picture {
            title: title.into(),
            svg: svg.into(),
        })
    }

    /// A 3-D animation, driven by the channels.
    #[must_use]
    pub fn scene(self, scene: Scene) -> Self {
        self.block(SectionContent::Scene(Box::new(scene)))
    }

    /// A text file such as the scenario, in full.
    #[must_use]
    pub fn source(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.block(SectionContent::Source {
            name: name.into(),
            text: text.into(),
        })
    }

    /// Every channel of the table with its unit and meaning, to be drawn at will.
    #[must_use]
    pub fn every_channel(self) -> Self {
        self.block(SectionContent::Channels)
    }

    fn block(mut self, block: SectionContent) -> Self {
        if self.sections.is_empty() {
            self.sections.push(PageSection::default());
        }
        if let Some(section) = self.sections.last_mut() {
            section.blocks.push(block);
        }
        self
    }

    /// The page.
    ///
    /// # Errors
    /// [`Error::Template`](crate::Error::Template) and [`Error::Json`](crate::Error::Json), which
    /// are errors of the program.
    pub fn render(&self) -> Result<String> {
        page::render(self)
    }

    /// Writes the page to a file, whole or not at all.
    ///
    /// # Errors
    /// As [`Self::render`], and [`Error::Results`](crate::Error::Results) if the file cannot be
    /// written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let page = self.render()?;
        Ok(write_atomically(path.as_ref(), page.as_bytes())?)
    }
}
