//! From the text of a law of your own to its compiled equations: names, checks, programs.

use super::affine;
use super::build::{self, Meaning, Names, OwnState, Read};
use super::dimension::OwnDimension;
use super::equations::{LinearRate, MAX_OWN_STATES, OwnEquations, StatePlace};
use super::error::EquationError;
use super::graph::{Graph, GraphNode, Id};
use super::level::{LEVEL, StribeckParameters};
use super::lines::{self, Left, SourceLine};
use super::probe;
use super::program::Program;
use super::sort::Sort;
use super::source::{OwnParameter, OwnSource};
use crate::card::{Role, StateCard};
use crate::law::StateLayout;
use bristle_formula::{Formula, Op};
use std::collections::HashMap;
use std::sync::Arc;

/// Lines, and steps of formulas, that equations may have.
const MAX_LINES: usize = 64;
const MAX_STEPS: usize = 1000;

impl OwnEquations {
    /// Reads and checks equations.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn new(source: OwnSource) -> Result<Arc<Self>, EquationError> {
        let OwnSource {
            name,
            equations,
            parameters,
        } = source;
        let lines = lines::read(&equations)?;
        let names = names(&lines, &parameters)?;
        let (formulas, levels) = formulas(&lines, &names, parameters.len())?;
        let levels_from = levels.then_some(parameters.len());
        let all = with_levels(parameters, levels, &lines)?;
        let mut read = Read {
            lines: &lines,
            formulas,
            names,
            states: states(&lines),
            parameters: &all,
        };
        build::infer(&mut read)?;
        let (graph, rates, force) = build::graph(&read)?;
        let compiled = compile(graph, &read.states, &rates, force)?;
        let vectors = read.states.iter().filter(|s| s.sort.is_vector()).count();
        let place = |state: &OwnState| StatePlace {
            vector: state.sort.is_vector(),
            position: state.position,
        };
        let order = read.states.iter().map(place).collect();
        let layout = StateLayout {
            vectors,
            scalars: read.states.len() - vectors,
        };
        let states = described(&read.states);
        let given: Vec<(Option<Role>, OwnDimension)> =
            all.iter().map(|p| (p.role, p.dimension)).collect();
        let parameters = all.into_iter().map(|p| p.card).collect();
        let mut equations = Self {
            name,
            written: lines::written(&equations),
            parameters,
            levels_from,
            states,
            behaviour: &[],
            order,
            layout,
            graph: compiled.graph,
            constants: compiled.constants,
            rates: compiled.rates,
            force: compiled.force,
            relaxation: compiled.relaxation,
        };
        let typical = Arc::new(equations.clone());
        equations.behaviour = probe::behaviour(&typical);
        for (i, (role, dimension)) in given.into_iter().enumerate() {
            equations.parameters[i].role =
                role.unwrap_or_else(|| probe::role(&typical, i, dimension));
        }
        Ok(Arc::new(equations))
    }
}

/// The states in the order of their lines.
fn states(lines: &[SourceLine]) -> Vec<OwnState> {
    let rate = |(line, of): (usize, &SourceLine)| match &of.left {
        Left::Rate(name) => Some(OwnState {
            name: name.clone(),
            line,
            sort: Sort::UNKNOWN,
            position: 0,
        }),
        _ => None,
    };
    lines.iter().enumerate().filter_map(rate).collect()
}

/// Every name that formulas may have.
fn names(lines: &[SourceLine], parameters: &[OwnParameter]) -> Result<Names, EquationError> {
    if lines.len() > MAX_LINES {
        return Err(EquationError::missing(format!(
            "there are {} equations; at most {MAX_LINES} are read",
            lines.len()
        )));
    }
    let mut names = Names::default();
    names.add("v", Meaning::Velocity);
    names.add("N", Meaning::NormalForce);
    let mut count = 0;
    for (number, line) in lines.iter().enumerate() {
        let twice = |name: &String, names: &Names| {
            let reason = format!("{name} is a state already");
            let known = names.names.contains(name);
            if known {
                Err(EquationError::at(&line.left_place, reason))
            } else {
                Ok(())
            }
        };
        match &line.left {
            Left::Force => {}
            Left::Rate(name) => {
                twice(name, &names)?;
                names.add(name, Meaning::State(count));
                names.add(&format!("d{name}/dt"), Meaning::Rate(count));
                count += 1;
                if count > MAX_OWN_STATES {
                    let reason = format!("a law may have {MAX_OWN_STATES} states");
                    return Err(EquationError::at(&line.left_place, reason));
                }
            }
            Left::Quantity(name) => {
                twice(name, &names)?;
                names.add(name, Meaning::Quantity(number));
            }
        }
    }
    for (i, parameter) in parameters.iter().enumerate() {
        let card = &parameter.card;
        for name in [&card.name, &card.symbol] {
            let known = names.names.iter().position(|known| *known == **name);
            match known.map(|known| names.meanings[known]) {
                None => names.add(name, Meaning::Parameter(i)),
                // the symbol may be the name
                Some(Meaning::Parameter(j)) if i == j => {}
                Some(_) => return Err(taken(name, lines)),
            }
        }
    }
    let unless_taken = |names: &mut Names, name: &str, meaning: Meaning| {
        if !names.names.iter().any(|known| known == name) {
            names.add(name, meaning);
        }
    };
    unless_taken(&mut names, LEVEL, Meaning::Level);
    for (i, card) in StribeckParameters::CARDS.iter().enumerate() {
        if card.kind == crate::card::ParameterKind::Number {
            unless_taken(
                &mut names,
                &card.name,
                Meaning::Parameter(parameters.len() + i),
            );
            unless_taken(
                &mut names,
                &card.symbol,
                Meaning::Parameter(parameters.len() + i),
            );
        }
    }
    Ok(names)
}

/// A parameter whose name means something else in the equations.
fn taken(name: &str, lines: &[SourceLine]) -> EquationError {
    let defined = lines.iter().find(|line| match &line.left {
        Left::Rate(known) | Left::Quantity(known) => known == name,
        Left::Force => false,
    });
    let reason = format!("{name} is a parameter and something else; rename one of them");
    match defined {
        Some(line) => EquationError::at(&line.left_place, reason),
        None => EquationError::missing(reason),
    }
}

/// The formulas of the lines, and whether one has the Stribeck curve. `own` parameters come before
/// those of the curve.
fn formulas(
    lines: &[SourceLine],
    names: &Names,
    own: usize,
) -> Result<(Vec<Formula>, bool), EquationError> {
    let mut formulas = Vec::new();
    for line in lines {
        formulas.push(names.formula(line)?);
    }
    let steps: usize = formulas.iter().map(|formula| formula.ops().len()).sum();
    if steps > MAX_STEPS {
        return Err(EquationError::missing(format!(
            "the equations have {steps} steps; at most {MAX_STEPS} are read"
        )));
    }
    let meaning = |op: &Op| match op {
        Op::Name(name) => Some(names.meanings[*name]),
        _ => None,
    };
    let mut ops = formulas.iter().flat_map(Formula::ops);
    if ops.any(|op| meaning(op) == Some(Meaning::Level)) {
        return Ok((formulas, true));
    }
    for (line, formula) in lines.iter().zip(&formulas) {
        for (op, range) in formula.ops().iter().zip(formula.places()) {
            if let Some(Meaning::Parameter(i)) = meaning(op)
                && i >= own
            {
                let name = &line.formula[range.clone()];
                let reason = format!(
                    "{name} belongs to the Stribeck curve g(|v|), which these equations do not \
                     use; write g, or declare {name} as a parameter"
                );
                return Err(EquationError::at(&line.place(range), reason));
            }
        }
    }
    Ok((formulas, false))
}

/// The parameters with those of the Stribeck curve, if there is one.
fn with_levels(
    mut parameters: Vec<OwnParameter>,
    levels: bool,
    lines: &[SourceLine],
) -> Result<Vec<OwnParameter>, EquationError> {
    if !levels {
        return Ok(parameters);
    }
    for card in StribeckParameters::CARDS {
        let same = |p: &&OwnParameter| {
            [&p.card.name, &p.card.symbol]
                .into_iter()
                .any(|name| *name == card.name || *name == card.symbol)
        };
        if let Some(known) = parameters.iter().find(same) {
            let name = &known.card.name;
            return Err(EquationError::missing(format!(
                "{name} comes with the Stribeck curve g; leave it out of the parameters"
            )));
        }
        let defined = lines.iter().find(|line| match &line.left {
            Left::Rate(name) | Left::Quantity(name) => *name == card.name || *name == card.symbol,
            Left::Force => false,
        });
        if let Some(line) = defined {
            let reason = "this name comes with the Stribeck curve g; rename it";
            return Err(EquationError::at(&line.left_place, reason));
        }
    }
    parameters.extend(StribeckParameters::CARDS.iter().map(|card| OwnParameter {
        card: card.clone(),
        dimension: if card.unit == "m/s" {
            OwnDimension::VELOCITY
        } else {
            OwnDimension::ONE
        },
        role: Some(card.role),
    }));
    Ok(parameters)
}

/// Name, unit and meaning of the states as they stand in the state slice.
fn described(states: &[OwnState]) -> Vec<StateCard> {
    let of = |vector: bool| {
        let those = states.iter().filter(move |s| s.sort.is_vector() == vector);
        those.map(move |state| StateCard {
            name: state.name.clone().into(),
            unit: state.sort.unit().into(),
            meaning: format!("{} of the equations", state.name).into(),
            is_vector: vector,
            is_per_element: false,
        })
    };
    of(true).chain(of(false)).collect()
}

/// The programs of a law.
struct Compiled {
    graph: Graph,
    constants: Vec<Id>,
    rates: Program,
    force: Program,
    relaxation: Option<(Program, Vec<LinearRate>)>,
}

fn compile(
    mut graph: Graph,
    states: &[OwnState],
    rates: &[Id],
    force: Id,
) -> Result<Compiled, EquationError> {
    let mut results = Vec::new();
    let mut relaxing = Vec::new();
    for (state, rate) in states.iter().zip(rates) {
        let node = if state.sort.is_vector() {
            GraphNode::VectorState(state.position)
        } else {
            GraphNode::ScalarState(state.position)
        };
        let Some(parts) = affine::parts(&mut graph, *rate, node) else {
            break;
        };
        let constant = parts.constant.map(|id| {
            results.push(id);
            results.len() - 1
        });
        results.push(parts.slope);
        let slope = results.len() - 1;
        relaxing.push(LinearRate { constant, slope });
    }
    let linear = !states.is_empty() && relaxing.len() == states.len();
    let mut all = rates.to_vec();
    all.push(force);
    let asked: Vec<Id> = results.iter().chain(&all).copied().collect();
    let (constants, inputs) = inputs(&graph, &asked)?;
    let relaxation = if linear {
        Some((graph.program(&results, &inputs)?, relaxing))
    } else {
        None
    };
    Ok(Compiled {
        constants,
        rates: graph.program(&all, &inputs)?,
        force: graph.program(&[force], &inputs)?,
        relaxation,
        graph,
    })
}

/// The constants that programs take, and their numbers: those that meet the motion, or are results.
fn inputs(graph: &Graph, results: &[Id]) -> Result<(Vec<Id>, HashMap<Id, u8>), EquationError> {
    let constant = graph.constant();
    let mut met = vec![false; graph.nodes.len()];
    for id in results {
        met[*id] = true;
    }
    for (id, node) in graph.nodes.iter().enumerate() {
        if let (GraphNode::Apply(_, a, b), false) = (node, constant[id]) {
            (met[*a], met[*b]) = (true, true);
        }
    }
    let taken: Vec<Id> = (0..graph.nodes.len())
        .filter(|id| constant[*id] && met[*id])
        .collect();
    let mut inputs = HashMap::new();
    for (i, id) in taken.iter().enumerate() {
        let Ok(number) = u8::try_from(i) else {
            return Err(EquationError::missing(
                "the equations have more than 256 numbers and parameters",
            ));
        };
        inputs.insert(*id, number);
    }
    Ok((taken, inputs))
}
