//! Pictures that several laws share: one curve a law.

use bristle_laws::card::Behaviour;
use bristle_laws::{Friction, LawCard};
use bristle_results::{AxisScale, Figure, FigureAxis, FigureCurve};
use bristle_rig::characterise::{Characterisation, Picture, PictureAxis, PictureScale};

/// Laws that the eye can follow in one picture.
const TOGETHER: usize = 8;

/// What laws depend on: file ending and heading.
const KINDS: [(&str, &str); 3] = [
    ("-speed", "Laws of the speed alone"),
    ("-switching", "Laws that switch between stick and slip"),
    ("-states", "Laws with states that flow"),
];

/// Laws that are shown together.
pub(super) struct LawGroup<'r> {
    /// File ending and heading; nothing where there is one group only.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) reports: Vec<&'r Characterisation>,
}

/// A picture of a group of laws.
pub(super) struct Overlay {
    /// File name without ending.
    pub(super) file: String,
    pub(super) figure: Figure,
    /// Laws without a curve.
    pub(super) missing: Vec<String>,
}

/// The axis of a picture.
pub(in crate::commands) fn axis(axis: PictureAxis) -> FigureAxis {
    FigureAxis::new(axis.label, axis.unit).scaled(match axis.scale {
        PictureScale::Linear => AxisScale::Linear,
        PictureScale::Logarithmic => AxisScale::Logarithmic,
        PictureScale::SignedLogarithmic => AxisScale::SignedLogarithmic,
    })
}

/// A few laws as one group; many by what their force depends on.
pub(super) fn groups<'r>(reports: &'r [Characterisation], laws: &[Friction]) -> Vec<LawGroup<'r>> {
    if reports.len() <= TOGETHER {
        return vec![LawGroup {
            name: "",
            title: "",
            reports: reports.iter().collect(),
        }];
    }
    let group = |(kind, (name, title)): (usize, (&'static str, &'static str))| {
        let own = reports.iter().zip(laws);
        let own = own.filter(|(_, law)| kind_of(&law.card()) == kind);
        LawGroup {
            name,
            title,
            reports: own.map(|(report, _)| report).collect(),
        }
    };
    let all = KINDS.into_iter().enumerate().map(group);
    all.filter(|group| !group.reports.is_empty()).collect()
}

/// The place of a law among the [`KINDS`].
fn kind_of(card: &LawCard<'_>) -> usize {
    match (card.states.is_empty(), card.does(Behaviour::Jumps)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// The pictures that any of the laws has, in the order of the bench.
pub(super) fn pictures(reports: &[Characterisation]) -> Vec<&'static Picture> {
    let mut found: Vec<&'static Picture> = Vec::new();
    for curve in reports.iter().flat_map(|report| &report.curves) {
        if found.iter().all(|known| known.key != curve.picture.key) {
            found.push(curve.picture);
        }
    }
    found
}

/// One picture of a group, if a law of it has a curve there.
pub(super) fn overlay(picture: &'static Picture, group: &LawGroup<'_>) -> Option<Overlay> {
    let (mut curves, mut missing) = (Vec::new(), Vec::new());
    for report in &group.reports {
        let own = report
            .curves
            .iter()
            .find(|curve| curve.picture.key == picture.key && curve.stands_for_law);
        match own {
            Some(own) => curves.push(FigureCurve::new(&*report.law, &*own.x, &*own.y)),
            None => missing.push(report.law.clone()),
        }
    }
    if curves.is_empty() {
        return None;
    }
    let title = match group.title {
        "" => picture.title.to_owned(),
        of => format!("{}: {}", picture.title, lower(of)),
    };
    let figure = Figure {
        title,
        x: axis(picture.x),
        y: axis(picture.y),
        curves,
    };
    Some(Overlay {
        file: format!("{}{}", picture.key, group.name),
        figure,
        missing,
    })
}

/// A heading within a sentence.
fn lower(heading: &str) -> String {
    let mut rest = heading.chars();
    let first = rest.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}
