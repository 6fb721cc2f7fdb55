//! The equations of laws on report pages.

use bristle_report::{Cell, Grid};

/// A table of equations, a row each: of the law, where it stands, and the equation.
pub(super) fn grid<'a>(laws: impl IntoIterator<Item = (&'a str, &'a str, &'a [String])>) -> Grid {
    let mut grid = Grid::new("Equations", ["law", "of", "equation"]);
    for (law, of, equations) in laws {
        for equation in equations {
            grid.push([Cell::text(law), Cell::text(of), Cell::text(equation)]);
        }
    }
    grid
}
