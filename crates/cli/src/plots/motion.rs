//! The plots of the motion of a body.

use bristle_mechanics::{Body, Joint};
use bristle_results::{ChannelTable, Plot};

use super::AXES;

/// Motion is small beside the position below this part of it, and drawn from the start.
const SMALL: f64 = 0.05;
/// Components whose sizes differ by more than this have a plot each.
const APART: f64 = 100.0;
/// Below this part of the position motion is lost in its digits.
const DIGITS: f64 = 1e-12;
/// Below this part of the largest component there is rounding.
const ROUNDING: f64 = 1e-9;

/// The plots of a body, as they suit its results.
pub(super) fn of_body(body: &Body, table: &ChannelTable) -> Vec<Plot> {
    let name = &body.name;
    let one = |file: &str, title: &str, label: &str, channel: &str| {
        let plot = Plot::over_time(
            format!("{file}_{name}.svg"),
            format!("{title} of {name}"),
            file,
        );
        plot.with(label, format!("joint.{name}.{channel}"))
    };
    match &body.joint {
        Joint::Fixed => Vec::new(),
        Joint::Prismatic { .. } => vec![
            one("position", "Position", "along the joint", "coordinate"),
            one("velocity", "Velocity", "along the joint", "rate"),
        ],
        Joint::Revolute { .. } => vec![one("angle", "Angle", "about the joint", "coordinate")],
        Joint::Prescribed(_) => vec![one("position", "Position", "as prescribed", "displacement")],
        Joint::Free
        | Joint::Cylindrical { .. }
        | Joint::Planar { .. }
        | Joint::Translational
        | Joint::Universal { .. }
        | Joint::Spherical => {
            let mut plots = vector(name, "position", table);
            plots.extend(vector(name, "velocity", table));
            plots
        }
    }
}

/// A component of a vector over the run.
struct Component {
    axis: &'static str,
    /// From its lowest to its highest value.
    travel: f64,
    /// Its largest size.
    size: f64,
}

impl Component {
    fn of(axis: &'static str, values: &[f64]) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self {
            axis,
            travel: (high - low).max(0.0),
            size: low.abs().max(high.abs()),
        }
    }
}

/// Position or velocity of a body: one plot, or one for each size of its components.
fn vector(name: &str, what: &str, table: &ChannelTable) -> Vec<Plot> {
    let component = |axis: &'static str| {
        let values = table.column(&format!("body.{name}.{what}.{axis}"));
        Component::of(axis, values.unwrap_or_default())
    };
    let groups = apart(AXES.map(component));
    let single = groups.len() == 1;
    let plot = |(place, group): (usize, &Vec<Component>)| {
        let largest = |of: fn(&Component) -> f64| group.iter().map(of).fold(0.0, f64::max);
        let (travel, size) = (largest(|c| c.travel), largest(|c| c.size));
        let small = what == "position" && travel < SMALL * size && travel > DIGITS * size;
        let axes: Vec<&str> = group.iter().map(|component| component.axis).collect();
        let along = if single {
            String::new()
        } else {
            format!(" along {}", axes.join(" and "))
        };
        // the largest components keep the name
        let file = match place {
            0 => format!("{what}_{name}.svg"),
            _ => format!("{what}_{name}.{}.svg", axes.concat()),
        };
        let (title, label) = match (small, what) {
            (true, _) => ("Displacement from the start", "displacement"),
            (false, "position") => ("Position", "position"),
            (false, _) => ("Velocity", "velocity"),
        };
        let plot = Plot::over_time(file, format!("{title} of {name}{along}"), label);
        let plot = axes.iter().fold(plot, |plot, axis| {
            plot.with(*axis, format!("body.{name}.{what}.{axis}"))
        });
        if small { plot.from_start() } else { plot }
    };
    groups.iter().enumerate().map(plot).collect()
}

/// Components in groups of like size, the largest first. What does not move belongs to the largest.
fn apart(mut all: [Component; 3]) -> Vec<Vec<Component>> {
    let most = all.iter().map(|c| c.travel).fold(0.0, f64::max);
    all.sort_by(|a, b| b.travel.total_cmp(&a.travel).then(a.axis.cmp(b.axis)));
    let mut groups: Vec<Vec<Component>> = Vec::new();
    for component in all {
        let still = component.travel <= ROUNDING * most;
        let suits = |group: &Vec<Component>| {
            let largest = group.first().map_or(0.0, |first| first.travel);
            component.travel * APART >= largest
        };
        let group = if still {
            groups.first_mut()
        } else {
            groups.last_mut().filter(|group| suits(group))
        };
        match group {
            Some(group) => group.push(component),
            None => groups.push(vec![component]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|component| component.axis);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_results::Channel;

    /// Position plots of a body at x, y, z (m) that travels so far from there.
    fn plots(places: [f64; 3], travels: [f64; 3]) -> Vec<Plot> {
        let mut channels = vec![Channel::time()];
        channels.extend(AXES.map(|axis| Channel::new(format!("body.b.position.{axis}"), "m", "")));
        let mut table = ChannelTable::new(channels);
        for (t, part) in [(0.0, 0.0), (1.0, 1.0)] {
            let [x, y, z] = [0, 1, 2].map(|i| places[i] + part * travels[i]);
            table.push_row(&[t, x, y, z]).unwrap();
        }
        vector("b", "position", &table)
    }

    #[test]
    fn motion_that_is_small_beside_the_position_is_drawn_from_the_start() {
        // a vibration of 0.1 mm at a height of 0.11 m
        let small = plots([0.0, 0.0, 0.11], [0.0, 1e-4, 1e-4]);
        assert_eq!(small.len(), 1);
        assert!(small[0].from_start);
        assert_eq!(small[0].title, "Displacement from the start of b");
        let far = plots([0.0, 0.0, 0.11], [1.0, 0.5, 0.0]);
        assert!(!far[0].from_start);
        assert_eq!(far[0].series.len(), 3);
    }

    #[test]
    fn components_of_other_sizes_have_plots_of_their_own() {
        let found = plots([0.0, 0.0, 0.05], [1.0, 0.0, 1e-6]);
        let shown: Vec<(&str, usize, bool)> = found
            .iter()
            .map(|plot| (plot.file.as_str(), plot.series.len(), plot.from_start))
            .collect();
        // y does not move and stays with x; z moves by a millionth of x
        assert_eq!(
            shown,
            [("position_b.svg", 2, false), ("position_b.z.svg", 1, true)]
        );
        // rounding is no motion
        assert_eq!(plots([0.0; 3], [1.0, 1e-12, 0.0]).len(), 1);
    }
}
