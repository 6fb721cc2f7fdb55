//! From lines to the graph of a law: names, kinds, dimensions.

use super::code::Code;
use super::dimension::OwnDimension;
use super::error::{EquationError, Place};
use super::graph::{Graph, GraphNode, Id};
use super::lines::{Left, SourceLine};
use super::sort::{self, Rank, Sort};
use super::source::OwnParameter;
use bristle_formula::{Formula, Op};

/// What a name in a formula means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Velocity,
    NormalForce,
    /// A state, by its number.
    State(usize),
    /// The rate of a state.
    Rate(usize),
    /// What a line defines.
    Quantity(usize),
    Parameter(usize),
    /// The Stribeck curve at |v|.
    Level,
}

/// The names of a law and what they mean.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) names: Vec<String>,
    pub(super) meanings: Vec<Meaning>,
}

impl Names {
    pub(super) fn add(&mut self, name: &str, meaning: Meaning) {
        self.names.push(name.to_owned());
        self.meanings.push(meaning);
    }

    pub(super) fn formula(&self, line: &SourceLine) -> Result<Formula, EquationError> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Formula::parse(&line.formula, &names).map_err(|error| EquationError {
            place: Some(line.place(&error.range)),
            reason: match &error.unknown {
                Some(name) => format!("unknown name \"{name}\""),
                None => error.reason,
            },
            unknown: error.unknown.map(|name| (name, self.names.clone())),
        })
    }
}

/// A state: the line of its rate, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct OwnState {
    pub(super) name: String,
    /// Number of its line.
    pub(super) line: usize,
    pub(super) sort: Sort,
    /// Its position among the states of its kind.
    pub(super) position: usize,
}

/// The lines with their formulas.
#[derive(Clone, Debug)]
pub(super) struct Read<'a> {
    pub(super) lines: &'a [SourceLine],
    pub(super) formulas: Vec<Formula>,
    pub(super) names: Names,
    pub(super) states: Vec<OwnState>,
    pub(super) parameters: &'a [OwnParameter],
}

/// A graph in the making.
pub(super) struct Builder<'a> {
    read: &'a Read<'a>,
    /// Whether faults are passed over, while kinds and dimensions are not known yet.
    lenient: bool,
    pub(super) graph: Graph,
    /// The value of each line, once it is known; `Err` while it is being made.
    done: Vec<Option<Result<(Id, Sort), ()>>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(read: &'a Read<'a>, lenient: bool) -> Self {
        Self {
            read,
            lenient,
            graph: Graph::default(),
            done: vec![None; read.lines.len()],
        }
    }

    /// The value that a line defines.
    pub(super) fn line(&mut self, number: usize) -> Result<(Id, Sort), EquationError> {
        match self.done[number] {
            Some(Ok(value)) => return Ok(value),
            Some(Err(())) => {
                let line = &self.read.lines[number];
                let reason = "this quantity follows from itself; only a state may, by its rate";
                return Err(EquationError::at(&line.left_place, reason));
            }
            None => self.done[number] = Some(Err(())),
        }
        let value = self.walk(number)?;
        self.done[number] = Some(Ok(value));
        Ok(value)
    }

    fn walk(&mut self, number: usize) -> Result<(Id, Sort), EquationError> {
        let read = self.read;
        let (line, formula) = (&read.lines[number], &read.formulas[number]);
        let mut stack: Vec<(Id, Sort)> = Vec::new();
        for (op, range) in formula.ops().iter().zip(formula.places()) {
            let place = line.place(range);
            let value = match op {
                Op::Number(x) => (self.graph.number(*x), Sort::number(*x)),
                Op::Name(name) => self.name(read.names.meanings[*name], &place)?,
                Op::Unary(function) => {
                    let (a, x) = stack.pop().unwrap_or((0, Sort::UNKNOWN));
                    let made = sort::unary(*function, x);
                    self.apply(made, (a, a), &place)?
                }
                Op::Binary(function) => {
                    let (b, y) = stack.pop().unwrap_or((0, Sort::UNKNOWN));
                    let (a, x) = stack.pop().unwrap_or((0, Sort::UNKNOWN));
                    let made = sort::binary(*function, x, y);
                    self.apply(made, (a, b), &place)?
                }
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or((0, Sort::UNKNOWN)))
    }

    fn apply(
        &mut self,
        made: Result<(Code, Sort), String>,
        operands: (Id, Id),
        place: &Place,
    ) -> Result<(Id, Sort), EquationError> {
        match made {
            Ok((code, sort)) => {
                let node = GraphNode::Apply(code, operands.0, operands.1);
                Ok((self.graph.add(node, Some(place)), sort))
            }
            Err(_) if self.lenient => Ok((operands.0, Sort::UNKNOWN)),
            Err(reason) => Err(EquationError::at(place, reason)),
        }
    }

    fn name(&mut self, meaning: Meaning, place: &Place) -> Result<(Id, Sort), EquationError> {
        let read = self.read;
        let (node, sort) = match meaning {
            Meaning::Velocity => (GraphNode::Velocity, Sort::vector(OwnDimension::VELOCITY)),
            Meaning::NormalForce => (GraphNode::NormalForce, Sort::scalar(OwnDimension::FORCE)),
            Meaning::State(i) => {
                let state = &read.states[i];
                let node = if state.sort.is_vector() {
                    GraphNode::VectorState(state.position)
                } else {
                    GraphNode::ScalarState(state.position)
                };
                (node, state.sort)
            }
            Meaning::Parameter(i) => (
                GraphNode::Parameter(i),
                Sort::scalar(read.parameters[i].dimension),
            ),
            Meaning::Level => {
                let v = self.graph.add(GraphNode::Velocity, Some(place));
                let speed = GraphNode::Apply(Code::Norm, v, v);
                let speed = self.graph.add(speed, Some(place));
                let level = GraphNode::Apply(Code::Level, speed, speed);
                (level, Sort::scalar(OwnDimension::ONE))
            }
            Meaning::Rate(i) => return self.line(read.states[i].line),
            Meaning::Quantity(line) => return self.line(line),
        };
        Ok((self.graph.add(node, Some(place)), sort))
    }
}

/// Finds kinds and dimensions of the states from their rates, which may use them.
pub(super) fn infer(read: &mut Read<'_>) -> Result<(), EquationError> {
    for _ in 0..=2 * read.states.len() {
        let mut found: Vec<Sort> = Vec::new();
        let mut builder = Builder::new(read, true);
        for state in &read.states {
            found.push(builder.line(state.line)?.1);
        }
        let mut changed = false;
        for (state, rate) in read.states.iter_mut().zip(found) {
            let old = state.sort;
            state.sort.kind = old.kind.or(rate.kind);
            let dimension = rate
                .dimension
                .map(|rate| rate.times(OwnDimension::TIME, 1.0));
            state.sort.dimension = old.dimension.or(dimension);
            changed |= old != state.sort;
        }
        if !changed {
            break;
        }
    }
    // a fault inside a rate is the better reason why nothing is known of its state
    for state in read.states.iter().filter(|s| s.sort.kind.is_none()) {
        Builder::new(read, false).line(state.line)?;
    }
    let (mut vectors, mut scalars) = (0, 0);
    for state in &mut read.states {
        let count = match state.sort.kind {
            Some(Rank::Vector) => &mut vectors,
            Some(Rank::Scalar) => &mut scalars,
            None => {
                let line = &read.lines[state.line];
                let name = &state.name;
                let reason = format!(
                    "nothing says whether {name} is a vector: its rate must contain v, which is \
                     one, or |v|, which is a number"
                );
                return Err(EquationError::at(&line.left_place, reason));
            }
        };
        state.position = *count;
        *count += 1;
    }
    Ok(())
}

/// Builds the graph, with every check; gives the values of the rates and of the force.
pub(super) fn graph(read: &Read<'_>) -> Result<(Graph, Vec<Id>, Id), EquationError> {
    let mut builder = Builder::new(read, false);
    let mut rates = Vec::new();
    for state in &read.states {
        let (id, sort) = builder.line(state.line)?;
        let expected = Sort {
            dimension: state
                .sort
                .dimension
                .map(|d| d.times(OwnDimension::TIME, -1.0)),
            ..state.sort
        };
        check(&read.lines[state.line], sort, expected, &state.name)?;
        rates.push(id);
    }
    let force = read.lines.iter().position(|line| line.left == Left::Force);
    let Some(force) = force else {
        return Err(EquationError::missing(
            "the force is missing: a line F = …, in N, along the slip velocity v",
        ));
    };
    let (id, sort) = builder.line(force)?;
    check(
        &read.lines[force],
        sort,
        Sort::vector(OwnDimension::FORCE),
        "",
    )?;
    // what is not used must be right all the same
    for line in 0..read.lines.len() {
        builder.line(line)?;
    }
    Ok((builder.graph, rates, id))
}

fn check(line: &SourceLine, sort: Sort, expected: Sort, state: &str) -> Result<(), EquationError> {
    let what = if state.is_empty() {
        "the force F".to_owned()
    } else {
        format!("the rate of {state}")
    };
    let words = |sort: Sort| {
        if sort.is_vector() {
            "a vector"
        } else {
            "a number"
        }
    };
    let wrong = |reason: String| Err(EquationError::at(&line.left_place, reason));
    if sort.kind != expected.kind {
        let (found, expected) = (words(sort), words(expected));
        return wrong(format!(
            "{what} must be {expected}, the formula gives {found}"
        ));
    }
    match (sort.dimension, expected.dimension) {
        (Some(found), Some(expected)) if !found.is(expected) => wrong(format!(
            "{what} must be in {expected}, the formula gives {found}; look at the units of the \
             parameters"
        )),
        _ => Ok(()),
    }
}
