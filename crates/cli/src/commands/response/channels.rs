//! Which channels of the machine are read.

use bristle_integrate::State;
use bristle_mechanics::element::Element;
use bristle_mechanics::record::channels;
use bristle_mechanics::{BodyId, Model};
use bristle_results::Channel;
use bristle_units::suggest;

use crate::commands::refuse;
use crate::exit::Exit;

/// Channels at most.
const MOST: usize = 12;

/// The channels that are asked for, or those of what is excited.
pub(super) fn chosen(model: &Model, state: &State, asked: &[String]) -> Result<Vec<Channel>, Exit> {
    let all = channels(model);
    let names = if asked.is_empty() {
        excited(model, state)
    } else {
        distinct(asked)
    };
    if names.len() > MOST {
        let message = format!("--channel: {} channels are more than {MOST}", names.len());
        return Err(refuse(message, None));
    }
    let mut found = Vec::new();
    for name in names {
        let Some(channel) = all.iter().find(|c| c.name == name && c.name != "t") else {
            let known = all.iter().map(|c| c.name.as_str());
            let help = suggest::did_you_mean(&name, known).unwrap_or_else(|| {
                "bristle check SCENARIO.toml --channels lists them; joint.NAME.coordinate and \
                 body.NAME.position.x are displacements"
                    .to_owned()
            });
            let message = format!("--channel {name}: there is no such channel");
            return Err(refuse(message, Some(help)));
        };
        found.push(Channel::new(
            &channel.name,
            &*channel.unit,
            &*channel.meaning,
        ));
    }
    Ok(found)
}

fn distinct(names: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        if !out.contains(name) {
            out.push(name.clone());
        }
    }
    out
}

/// Displacements of the bodies that harmonic loads act on, each along the axis in which it moves
/// most; of a machine that is driven, or pressed alone, its joint coordinates.
fn excited(model: &Model, state: &State) -> Vec<String> {
    let mut names = Vec::new();
    for (i, element) in model.elements().iter().enumerate() {
        if !is_harmonic(&**element) {
            continue;
        }
        names.extend(
            model
                .unit_load(i, state)
                .and_then(|load| moved(model, state, element.bodies(), load.as_slice())),
        );
    }
    if names.is_empty() {
        let body = |i: usize| model.bodies().get(i);
        let free = |i: usize| body(i).is_some_and(|body| body.dofs() > 0);
        let bodies = (1..model.bodies().len()).filter(|&i| free(i));
        names.extend(bodies.filter_map(|i| coordinate(model, i)));
    }
    if names.is_empty() {
        let bodies = model.bodies().iter().skip(1);
        names.extend(bodies.map(|body| format!("body.{}.position.x", body.name)));
    }
    let mut names = distinct(&names);
    names.truncate(MOST);
    names
}

fn is_harmonic(element: &dyn Element) -> bool {
    let mut signals = element.signals().into_iter();
    signals.any(|(_, signal)| signal.harmonics().is_ok_and(|s| !s.harmonics.is_empty()))
}

/// The channel of a body that a load moves.
fn moved(model: &Model, state: &State, bodies: [BodyId; 2], load: &[f64]) -> Option<String> {
    let body = bodies.into_iter().find(|body| body.index() > 0)?;
    let (_, motions) = model.motions_of(state, load);
    let [along, _] = motions.get(body.index())?;
    if along.norm() > 0.0 {
        let axis = ["x", "y", "z"].get(along.iamax())?;
        let name = &model.bodies().get(body.index())?.name;
        return Some(format!("body.{name}.position.{axis}"));
    }
    coordinate(model, body.index())
}

/// The first coordinate of the joint of a body.
fn coordinate(model: &Model, body: usize) -> Option<String> {
    let start = format!("joint.{}.", model.bodies().get(body)?.name);
    let all = channels(model);
    let first = all
        .iter()
        .find(|c| c.name.starts_with(&start) && matches!(&*c.unit, "m" | "rad"));
    first.map(|c| c.name.clone())
}
