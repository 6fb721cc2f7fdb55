//! A plot that is drawn in one format or in several.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::curve::Figure;
use super::map::{self, Map};
use super::pdf::{CREATOR, page_of};
use super::raster::{is_own, png_of};
use super::sheet::{Arrangement, PlotSheet};
use crate::atomic::Drafts;
use crate::error::{Error, Operation, Result};

/// The files of a plot: an SVG, and what stands beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlotFormat {
    /// Whether there is a PDF.
    pub pdf: bool,
    /// Whether there is a PNG, in pixels.
    pub png: bool,
}

impl PlotFormat {
    /// An SVG alone.
    pub const SVG: Self = Self {
        pdf: false,
        png: false,
    };
}

/// What is drawn: figures beside each other, or a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Figures beside each other, such as two views of a machine.
    Figures {
        /// Title of the whole.
        title: String,
        /// From left to right.
        figures: Vec<Figure>,
    },
    /// Figures above each other, such as quantities over one time.
    Stacked {
        /// Title of the whole.
        title: String,
        /// From top to bottom.
        figures: Vec<Figure>,
    },
    /// A quantity over two parameters.
    Map(Map),
}

impl From<Figure> for Drawing {
    fn from(figure: Figure) -> Self {
        Self::Figures {
            title: figure.title.clone(),
            figures: vec![figure],
        }
    }
}

impl Drawing {
    fn sheet(&self) -> Result<PlotSheet> {
        match self {
            Self::Figures { title, figures } => {
                PlotSheet::of_figures(title, figures, Arrangement::Beside)
            }
            Self::Stacked { title, figures } => {
                PlotSheet::of_figures(title, figures, Arrangement::Stacked)
            }
            Self::Map(map) => map::sheet(map),
        }
    }

    /// Draws as SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw.
    pub fn svg(&self) -> Result<String> {
        Ok(self.sheet()?.svg())
    }

    /// Draws as PDF, in the size of the SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw.
    pub fn pdf(&self) -> Result<Vec<u8>> {
        page_of(&self.sheet()?)
    }

    /// Draws as PNG, with two pixels for each unit of the SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw.
    pub fn png(&self) -> Result<Vec<u8>> {
        png_of(&self.sheet()?)
    }

    /// Writes `STEM.svg` into a folder, and `STEM.pdf` and `STEM.png` if asked for, each whole or not at
    /// all; the files. What an earlier plot of this name left is not kept beside a newer SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw, and nothing is written then;
    /// [`Error::File`].
    pub fn write(&self, folder: &Path, stem: &str, format: PlotFormat) -> Result<Vec<PathBuf>> {
        let mut drafts = Drafts::default();
        let files = self.draft(&folder.join(stem), format, &mut drafts)?;
        drafts.sync()?;
        drafts.rename()?;
        Ok(files)
    }

    /// Writes the drafts of the files of a plot; their names, which are that of `stem` with an extension.
    pub(crate) fn draft(
        &self,
        stem: &Path,
        format: PlotFormat,
        drafts: &mut Drafts,
    ) -> Result<Vec<PathBuf>> {
        let sheet = self.sheet()?;
        let pdf = format.pdf.then(|| page_of(&sheet)).transpose()?;
        let png = format.png.then(|| png_of(&sheet)).transpose()?;
        let named = |extension: &str| {
            let mut name = stem.as_os_str().to_owned();
            name.push(extension);
            PathBuf::from(name)
        };
        let svg = named(".svg");
        drafts.add(&svg, sheet.svg().as_bytes())?;
        let mut files = vec![svg];
        for (extension, content) in [(".pdf", pdf), (".png", png)] {
            let path = named(extension);
            match content {
                Some(content) => {
                    drafts.add(&path, &content)?;
                    files.push(path);
                }
                None => remove_own(&path)?,
            }
        }
        Ok(files)
    }
}

/// Removes the PDF and the PNG beside an SVG, where Bristle wrote them.
pub(crate) fn remove_beside(svg: &Path) -> Result<()> {
    remove_own(&svg.with_extension("pdf"))?;
    remove_own(&svg.with_extension("png"))
}

/// Removes a PDF or a PNG if Bristle wrote it.
fn remove_own(path: &Path) -> Result<()> {
    // a pipe or a folder of that name is none of ours
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let mark = format!("/Creator ({CREATOR})");
    let content = fs::read(path).unwrap_or_default();
    let mut parts = content.windows(mark.len());
    if !is_own(&content) && !parts.any(|part| part == mark.as_bytes()) {
        return Ok(());
    }
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(Error::file(Operation::Remove, path, e))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{FigureAxis, FigureCurve};

    fn map() -> Map {
        Map {
            title: "contacts.pad.peak".into(),
            x: ("mass".into(), vec!["1 kg".into(), "2 kg".into()]),
            y: ("σ₀".into(), vec!["1".into(), "2".into()]),
            quantity: FigureAxis::new("peak", "N"),
            cells: vec![vec![Some(1.0), None], vec![Some(2.0), Some(3.0)]],
        }
    }

    #[test]
    fn a_map_has_the_same_texts_and_colours_as_pdf() {
        let pdf = Drawing::Map(map()).pdf().unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/Title (contacts.pad.peak (N))"));
        // cells have colours, and the one without a value is grey
        let fills: Vec<&str> = text.lines().filter(|line| line.ends_with(" rg")).collect();
        let colour = |fill: &&&str| {
            let mut parts = fill.split(' ');
            parts.next() != parts.next()
        };
        assert!(fills.iter().filter(colour).count() > 10, "{fills:?}");
        assert!(
            fills
                .iter()
                .any(|fill| fill.matches("0.85098").count() == 3),
            "{fills:?}"
        );
        assert!(Drawing::Map(Map::default()).pdf().is_err());
    }

    #[test]
    fn cells_of_counts_have_no_decimals() {
        let svg = |quantity: FigureAxis| {
            let map = Map { quantity, ..map() };
            Drawing::Map(map).svg().unwrap()
        };
        assert!(svg(FigureAxis::of_counts("sticks")).contains(">3</text>"));
        assert!(svg(FigureAxis::new("peak", "N")).contains(">3.00</text>"));
    }

    #[test]
    fn stacked_figures_have_the_height_of_both() {
        let figure = |label: &str| Figure {
            title: label.into(),
            curves: vec![FigureCurve::new("a", [0.0, 1.0], [0.0, 1.0])],
            ..Figure::default()
        };
        let figures = vec![figure("one"), figure("two")];
        let size = |drawing: Drawing| {
            let png = drawing.png().unwrap();
            let reader = png::Decoder::new(std::io::Cursor::new(png))
                .read_info()
                .unwrap();
            (reader.info().width, reader.info().height)
        };
        let one = size(Drawing::from(figure("one")));
        let title = String::new();
        let stacked = size(Drawing::Stacked {
            title: title.clone(),
            figures: figures.clone(),
        });
        let beside = size(Drawing::Figures { title, figures });
        // rounding up to a pixel
        assert!(
            stacked.0 == one.0 && stacked.1.abs_diff(2 * one.1) < 2,
            "{stacked:?} {one:?}"
        );
        assert!(
            beside.1 == one.1 && beside.0.abs_diff(2 * one.0) < 2,
            "{beside:?} {one:?}"
        );
    }

    #[test]
    fn a_pdf_and_a_png_stand_beside_their_svg_and_go_with_it() {
        let place = tempfile::tempdir().unwrap();
        let drawing = Drawing::from(Figure {
            title: "line".into(),
            curves: vec![FigureCurve::new("a", [0.0, 1.0], [0.0, 1.0])],
            ..Figure::default()
        });
        let paths = |stem: &str| {
            let of = |ending: &str| place.path().join(format!("{stem}.{ending}"));
            [of("svg"), of("pdf"), of("png")]
        };
        let all = PlotFormat {
            pdf: true,
            png: true,
        };
        let written = drawing.write(place.path(), "line", all);
        assert_eq!(written.unwrap(), paths("line"));
        let written = drawing.write(place.path(), "line", PlotFormat::SVG);
        assert_eq!(written.unwrap(), paths("line")[..1]);
        assert!(!paths("line")[1].exists() && !paths("line")[2].exists());
        // those of somebody else stay
        fs::write(&paths("mine")[1], "%PDF-1.4 mine").unwrap();
        fs::write(&paths("mine")[2], "\u{89}PNG mine").unwrap();
        drawing
            .write(place.path(), "mine", PlotFormat::SVG)
            .unwrap();
        assert!(paths("mine")[1].exists() && paths("mine")[2].exists());
    }
}
