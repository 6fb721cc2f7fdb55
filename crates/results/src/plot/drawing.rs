//! A plot that is drawn in one format or in several.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::curve::Figure;
use super::figure::{draw, draw_beside};
use super::map::{Map, draw_map, draw_map_pdf};
use super::pdf::{CREATOR, draw_pdf};
use crate::atomic::Drafts;
use crate::error::{Error, Operation, Result};

/// The files of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlotFormat {
    /// An SVG.
    #[default]
    Svg,
    /// An SVG, and a PDF beside it.
    SvgAndPdf,
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
    /// Draws as SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw.
    pub fn svg(&self) -> Result<String> {
        match self {
            Self::Figures { title, figures } => match &figures[..] {
                [figure] => draw(figure),
                _ => draw_beside(title, figures),
            },
            Self::Map(map) => draw_map(map),
        }
    }

    /// Draws as PDF, in the size of the SVG.
    ///
    /// # Errors
    /// [`Error::EmptyPlot`] if there is no finite value to draw.
    pub fn pdf(&self) -> Result<Vec<u8>> {
        match self {
            Self::Figures { title, figures } => draw_pdf(title, figures),
            Self::Map(map) => draw_map_pdf(map),
        }
    }

    /// Writes `STEM.svg` into a folder, and `STEM.pdf` if asked for, each whole or not at all; the
    /// files. A PDF that an earlier plot of this name left is not kept beside a newer SVG.
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
        let svg = self.svg()?;
        let pdf = match format {
            PlotFormat::Svg => None,
            PlotFormat::SvgAndPdf => Some(self.pdf()?),
        };
        let named = |extension: &str| {
            let mut name = stem.as_os_str().to_owned();
            name.push(extension);
            PathBuf::from(name)
        };
        let (svg_path, pdf_path) = (named(".svg"), named(".pdf"));
        drafts.add(&svg_path, svg.as_bytes())?;
        let Some(pdf) = pdf else {
            remove_pdf(&pdf_path)?;
            return Ok(vec![svg_path]);
        };
        drafts.add(&pdf_path, &pdf)?;
        Ok(vec![svg_path, pdf_path])
    }
}

/// Removes a PDF if Bristle wrote it.
pub(crate) fn remove_pdf(path: &Path) -> Result<()> {
    // a pipe or a folder of that name is none of ours
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let mark = format!("/Creator ({CREATOR})");
    let content = fs::read(path).unwrap_or_default();
    let mut parts = content.windows(mark.len());
    if !parts.any(|part| part == mark.as_bytes()) {
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
    fn a_pdf_stands_beside_its_svg_and_goes_with_it() {
        let place = tempfile::tempdir().unwrap();
        let drawing = Drawing::from(Figure {
            title: "line".into(),
            curves: vec![FigureCurve::new("a", [0.0, 1.0], [0.0, 1.0])],
            ..Figure::default()
        });
        let paths = |stem: &str| {
            let of = |ending: &str| place.path().join(format!("{stem}.{ending}"));
            [of("svg"), of("pdf")]
        };
        let written = drawing.write(place.path(), "line", PlotFormat::SvgAndPdf);
        assert_eq!(written.unwrap(), paths("line"));
        let written = drawing.write(place.path(), "line", PlotFormat::Svg);
        assert_eq!(written.unwrap(), paths("line")[..1]);
        assert!(!paths("line")[1].exists());
        // one of somebody else stays
        fs::write(&paths("mine")[1], "%PDF-1.4 mine").unwrap();
        drawing
            .write(place.path(), "mine", PlotFormat::Svg)
            .unwrap();
        assert!(paths("mine")[1].exists());
    }
}
