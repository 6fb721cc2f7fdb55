//! `bristle response --mode K`: frequency and damping of a mode over its amplitude.

use std::f64::consts::TAU;

use bristle_mechanics::Model;
use bristle_mechanics::element::{Contact, JointFriction};
use bristle_mechanics::modes::{Contacts, Mode};
use bristle_response::{
    Analyser, GridChoice, Machine, ModeCurve, ModeRequest, PairResult, nonlinear_mode,
};
use bristle_results::{
    AxisScale, Channel, Figure, FigureAxis, FigureCurve, FolderMaker, OutputFolder, Result,
    format_number, format_quantity,
};
use bristle_scenario::Scenario;
use bristle_units::significant;
use serde_json::{Value, json};

use super::compute::{self, ExcitedMachine};
use super::{cases, channels, unwritten};
use crate::args::ResponseArguments;
use crate::commands::{print_json, refuse};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::{page, render};

/// Amplitudes, as parts and multiples of those at which friction begins to slip.
const SPAN: [f64; 2] = [0.1, 1000.0];
/// Points of the curve.
const POINTS: usize = 61;
/// Rows that are printed, about.
const SHOWN: usize = 20;

const MAKER: FolderMaker = FolderMaker {
    command: "response",
    last: "response.json",
};

/// A mode over its amplitude.
struct AmplitudeCurve {
    title: String,
    number: usize,
    linear: Mode,
    channels: Vec<Channel>,
    points: Vec<AmplitudePoint>,
    /// Why it ended early.
    ended: Option<String>,
}

struct AmplitudePoint {
    /// kg^½ m.
    amplitude: f64,
    /// Hz.
    frequency: f64,
    damping_ratio: f64,
    lost: f64,
    /// Half of peak to peak of the channels.
    sizes: Vec<f64>,
}

/// Follows a mode, shows and writes it.
pub(super) fn run(arguments: &ResponseArguments, number: usize) -> Exit {
    let found = match follow(arguments, number) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    if arguments.output.json {
        print_json(&as_json(&found));
    } else if !arguments.output.quiet {
        tell(&found);
    }
    if let Some(reason) = &found.ended {
        render::error(reason, None);
    }
    if let Err(error) = write(&found, arguments) {
        return unwritten(&error);
    }
    if found.ended.is_some() {
        Exit::RunFailed
    } else {
        Exit::Done
    }
}

fn follow(
    arguments: &ResponseArguments,
    number: usize,
) -> std::result::Result<AmplitudeCurve, Exit> {
    let mut scenario = cases::load(arguments)?;
    let prepared = compute::prepare(&mut scenario.model, arguments.method);
    let machine = match prepared.map_err(|end| cases::told(&end))? {
        ExcitedMachine::Balance(machine) => machine,
        ExcitedMachine::Time(_) => return Err(refuse("--mode is found by harmonic balance", None)),
    };
    let channels = channels::chosen(&scenario.model, &machine.rest, &arguments.channels)?;
    let linear = machine.own_mode(linear(&scenario.model, &machine, number)?);
    let Some(slips) = slipping(&scenario.model, &machine, &linear) else {
        let message = format!("--mode {number}: no friction moves in this mode, which is linear");
        let help = "bristle modes shows its frequency and damping";
        return Err(refuse(message, Some(help.to_owned())));
    };
    let request = ModeRequest {
        range: SPAN.map(|part| part * slips),
        points: POINTS,
        at: Vec::new(),
        grid: GridChoice {
            harmonics: arguments.harmonics,
            samples: arguments.samples,
            tolerance: arguments.tolerance,
        },
    };
    let interrupt = Interrupt::listen();
    let go_on = &mut |_: &_| !interrupt.requested();
    let found = nonlinear_mode(&machine.balance, &linear, &request, go_on);
    let curve = found.map_err(|error| {
        render::error(error.to_string(), None);
        Exit::RunFailed
    })?;
    let mut ended = curve.error.as_ref().map(ToString::to_string);
    if interrupt.requested() {
        ended = Some("the mode was interrupted".to_owned());
    }
    let points = read(&mut scenario, &machine, &channels, &curve)?;
    Ok(AmplitudeCurve {
        title: scenario.title,
        number,
        linear,
        channels,
        points,
        ended,
    })
}

/// The linear mode of a number, from 1 on.
fn linear(model: &Model, machine: &Machine, number: usize) -> std::result::Result<Mode, Exit> {
    let modes = model.modes(&machine.rest, Contacts::AsTheyStand, number.max(1));
    let mut modes = modes.map_err(|error| {
        render::error(error.to_string(), None);
        Exit::RunFailed
    })?;
    let count = modes.len();
    if number == 0 || number > count {
        let message = format!("--mode {number}: the machine has modes from 1 to {count}");
        return Err(refuse(message, None));
    }
    Ok(modes.swap_remove(number - 1))
}

/// The modal amplitude at which the first pair moves by its break-away deflection, kg^½ m.
fn slipping(model: &Model, machine: &Machine, mode: &Mode) -> Option<f64> {
    let shape = nalgebra::DVector::from_iterator(mode.shape.len(), mode.shape.iter().map(|z| z.re));
    let mass = &machine.balance.linear.matrices.mass;
    let modal = shape.dot(&(mass * &shape)).sqrt();
    let omega = TAU * mode.frequency();
    let of_pair = |pair: &bristle_response::pair::Pair| {
        let element = model.elements().get(pair.place.element)?;
        let contact = element.downcast::<Contact>();
        let joint = element.downcast::<JointFriction>();
        let law = contact
            .and_then(|contact| contact.friction.law())
            .or_else(|| joint.and_then(|joint| joint.friction.law()))?;
        // a load that is given is not that of a state
        let mut given = element.signals().into_iter();
        let given = given.find_map(|(_, signal)| signal.harmonics().ok());
        let load = given.map_or(pair.place.normal_force, |sum| sum.mean);
        let deflection = law.breakaway_deflection(load);
        let deflection = deflection.unwrap_or_else(|| law.slip_speed() / omega);
        let moved = (&pair.place.by_dofs * &shape).norm() / modal;
        let amplitude = deflection / moved;
        (amplitude.is_finite() && amplitude > 0.0).then_some(amplitude)
    };
    let pairs = machine.balance.sites.iter().filter_map(|site| site.pair());
    pairs.filter_map(of_pair).reduce(f64::min)
}

/// Channels and losses of every point.
fn read(
    scenario: &mut Scenario,
    machine: &Machine,
    channels: &[Channel],
    curve: &ModeCurve,
) -> std::result::Result<Vec<AmplitudePoint>, Exit> {
    let names: Vec<String> = channels.iter().map(|c| c.name.clone()).collect();
    let model = &mut scenario.model;
    let failed = |message: String| {
        render::error(message, None);
        Exit::RunFailed
    };
    let analyser = Analyser::new(machine, model, &names, None);
    let mut analyser = analyser.map_err(|name| failed(format!("there is no channel {name}")))?;
    let mut points = Vec::new();
    for point in &curve.points {
        let result = analyser.read(model, &point.point);
        let result = result.map_err(|error| failed(error.to_string()))?;
        let lost = |pair: &PairResult| pair.dissipated_per_cycle;
        points.push(AmplitudePoint {
            amplitude: point.amplitude,
            frequency: point.omega / TAU,
            damping_ratio: point.damping_ratio,
            lost: result.pairs.iter().map(lost).sum(),
            sizes: result.channels.iter().map(|c| c.amplitude).collect(),
        });
    }
    Ok(points)
}

fn as_json(found: &AmplitudeCurve) -> Value {
    let point = |point: &AmplitudePoint| {
        let sizes = found.channels.iter().zip(&point.sizes);
        let sizes = sizes.map(|(channel, size)| (channel.name.clone(), json!(size)));
        json!({
            "amplitude": point.amplitude,
            "frequency": point.frequency,
            "damping_ratio": point.damping_ratio,
            "dissipated_per_cycle": point.lost,
            "channels": sizes.collect::<serde_json::Map<_, _>>(),
        })
    };
    json!({
        "title": found.title,
        "mode": found.number,
        "linear_frequency": found.linear.frequency(),
        "linear_damping_ratio": found.linear.damping_ratio(),
        "complete": found.ended.is_none(),
        "ended": found.ended,
        "points": found.points.iter().map(point).collect::<Vec<_>>(),
    })
}

fn tell(found: &AmplitudeCurve) {
    let mut page = page::new();
    page.bold(&found.title);
    let linear = significant(found.linear.frequency(), 6);
    page.line(&format!(
        "mode {}, {linear} Hz as a linear one",
        found.number
    ));
    page.line("");
    let mut heads = vec![
        "amplitude [√kg m]",
        "frequency",
        "damping",
        "lost in a cycle",
    ];
    heads.extend(found.channels.first().map(|channel| channel.name.as_str()));
    let row = |point: &AmplitudePoint| {
        let mut cells = vec![
            significant(point.amplitude, 4),
            format!("{} Hz", significant(point.frequency, 6)),
            format!("{} %", significant(100.0 * point.damping_ratio, 4)),
            format_quantity(point.lost, "J"),
        ];
        let first = found.channels.first().zip(point.sizes.first());
        cells.extend(first.map(|(channel, size)| format_quantity(*size, &channel.unit)));
        cells
    };
    let stride = found.points.len().div_ceil(SHOWN).max(1);
    let rows: Vec<Vec<String>> = found.points.iter().step_by(stride).map(row).collect();
    page.table(&heads, &rows);
    page::print(page);
}

fn write(found: &AmplitudeCurve, arguments: &ResponseArguments) -> Result<()> {
    let Some(out) = &arguments.output.out else {
        return Ok(());
    };
    let folder = OutputFolder::open(out, MAKER, arguments.output.force.into())?;
    if let Some(format) = arguments.output.plots() {
        for (file, figure) in figures(found) {
            folder.write_drawing(file, &figure.into(), format)?;
        }
    }
    folder.write("response.csv", csv(found).as_bytes())?;
    folder.finish(format!("{:#}\n", as_json(found)).as_bytes())
}

fn csv(found: &AmplitudeCurve) -> String {
    let mut text = "amplitude,frequency,damping_ratio,dissipated_per_cycle".to_owned();
    for channel in &found.channels {
        text.extend([",", &channel.name, ".amplitude"]);
    }
    text.push('\n');
    for point in &found.points {
        let own = [
            point.amplitude,
            point.frequency,
            point.damping_ratio,
            point.lost,
        ];
        let cells = own.iter().chain(&point.sizes);
        let cells: Vec<String> = cells.map(|x| format_number(*x)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Frequency and damping over the amplitude.
fn figures(found: &AmplitudeCurve) -> [(&'static str, Figure); 2] {
    let points = || found.points.iter();
    let along: Vec<f64> = points().map(|point| point.amplitude).collect();
    let figure = |title: &str, y: FigureAxis, values: Vec<f64>| Figure {
        title: format!("{title} of mode {}", found.number),
        x: FigureAxis::new("modal amplitude", "√kg m").scaled(AxisScale::Logarithmic),
        curves: vec![FigureCurve::new(y.label.clone(), along.clone(), values)],
        y,
    };
    let frequency = points().map(|point| point.frequency).collect();
    let damping = points().map(|point| 100.0 * point.damping_ratio).collect();
    [
        (
            "frequency",
            figure("Frequency", FigureAxis::new("frequency", "Hz"), frequency),
        ),
        (
            "damping",
            figure("Damping", FigureAxis::new("damping ratio", "%"), damping),
        ),
    ]
}
