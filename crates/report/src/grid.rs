//! Tables of a report.

use bristle_results::format_quantity;
use serde::Serialize;

use crate::block::Tone;

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// Words in the colour of a tone.
    Toned(String, Tone),
    /// A quantity in SI; it is shown with a prefix that suits its size and sorted by its value.
    Number {
        /// Value in SI.
        value: f64,
        /// SI unit; `1` for a number without dimension.
        unit: String,
    },
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A quantity in SI.
    pub fn number(value: f64, unit: impl Into<String>) -> Self {
        Self::Number {
            value,
            unit: unit.into(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A table with a title and named columns; a click on a head sorts it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// A table without rows.
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Self {
            title: title.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// The table with one more row. Cells that are missing are empty.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.push(cells);
        self
    }

    /// Adds a row. Cells that are missing are empty.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// A table as the template shows it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownGrid {
    title: String,
    columns: Vec<ShownColumn>,
    rows: Vec<Vec<ShownCell>>,
}

#[derive(Debug, Serialize)]
struct ShownColumn {
    name: String,
    numeric: bool,
}

#[derive(Debug, Serialize)]
struct ShownCell {
    text: String,
    /// The value in full, for sorting and for the pointer that rests on it.
    exact: String,
    numeric: bool,
    tone: Tone,
}

impl ShownGrid {
    pub(crate) fn new(grid: &Grid) -> Self {
        let columns = grid.columns.iter().enumerate().map(|(i, name)| {
            let mut cells = grid.rows.iter().filter_map(|row| row.get(i));
            ShownColumn {
                name: name.clone(),
                numeric: cells.any(|cell| matches!(cell, Cell::Number { .. })),
            }
        });
        Self {
            title: grid.title.clone(),
            columns: columns.collect(),
            rows: grid
                .rows
                .iter()
                .map(|row| {
                    let cells = 0..grid.columns.len();
                    cells.map(|i| shown(row.get(i))).collect()
                })
                .collect(),
        }
    }
}

fn shown(cell: Option<&Cell>) -> ShownCell {
    let plain = |text: &str, tone| ShownCell {
        text: text.to_owned(),
        exact: String::new(),
        numeric: false,
        tone,
    };
    match cell {
        None | Some(Cell::Empty) => plain("–", Tone::Neutral),
        Some(Cell::Text(text)) => plain(text, Tone::Neutral),
        Some(Cell::Toned(text, tone)) => plain(text, *tone),
        Some(Cell::Number { value, unit }) => ShownCell {
            text: match &unit[..] {
                // a count in full
                "1" if value.fract() == 0.0 && value.abs() < 1e9 => format!("{value:.0}"),
                _ => format_quantity(*value, unit),
            },
            exact: value.to_string(),
            numeric: true,
            tone: Tone::Neutral,
        },
    }
}
