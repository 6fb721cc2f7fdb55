//! Whether the loops of a machine close, and what had to move for it.

use bristle_mechanics::{AssemblyReport, Model, MovedCoordinate};

use crate::{Diagnostic, Fields};

/// Says what is wrong with the loops of a model, or deserves a second look.
pub(super) fn judge(root: &Fields<'_>, model: &Model) {
    let Some(assembly) = model.assembly() else {
        return;
    };
    let span = if root.has("loop") {
        root.span("loop")
    } else {
        root.span("coupling")
    };
    match assembly {
        Err(error) => root.reader().error(span, error.to_string()),
        Ok(report) => {
            for message in remarks(&report, model) {
                root.reader().report(Diagnostic::warning(message).at(span));
            }
        }
    }
}

fn remarks(report: &AssemblyReport, model: &Model) -> Vec<String> {
    let mut all = Vec::new();
    let given: Vec<String> = report
        .moved
        .iter()
        .filter(|m| m.was_given)
        .map(moved)
        .collect();
    if !given.is_empty() {
        all.push(format!(
            "closing the loops moved what is given: {}; give fewer coordinates, or better ones",
            given.join(", ")
        ));
    }
    if report.is_singular {
        all.push(
            "the start is a singular position of the loops (a dead point, links in one line): the \
             machine may go on in more than one way; start beside it"
                .to_owned(),
        );
    }
    let is_driven = model.drive_signals().next().is_some();
    if report.mobility == 0 && !is_driven {
        all.push(
            "the loops leave no motion (mobility 0) and nothing is driven: nothing will move"
                .to_owned(),
        );
    }
    all
}

fn moved(one: &MovedCoordinate) -> String {
    if one.turns {
        format!("{} by {:.4} deg", one.name, one.by.to_degrees())
    } else {
        format!("{} by {:.6} mm", one.name, one.by * 1e3)
    }
}
