//! The values of a law as a graph: every value once, however often the formulas have it.

use super::code::Code;
use super::error::{EquationError, Place};
use super::program::{Copied, Instruction, Program, SCALARS, VECTORS};
use super::sort::Rank;
use std::collections::HashMap;

/// A value, by its number; what it is made of has lower numbers.
pub(super) type Id = usize;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GraphNode {
    /// A number, by its bits.
    Number(u64),
    /// A parameter.
    Parameter(usize),
    /// The normal force.
    NormalForce,
    /// The slip velocity.
    Velocity,
    /// A state that is a number: its position among those.
    ScalarState(usize),
    /// A state that is a vector.
    VectorState(usize),
    /// A function of values; the second one is the first again where there is one only.
    Apply(Code, Id, Id),
}

/// All values of a law.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<GraphNode>,
    pub(super) places: Vec<Option<Place>>,
    known: HashMap<GraphNode, Id>,
}

impl Graph {
    /// The number of a value, which is new if it has not been there.
    pub(super) fn add(&mut self, node: GraphNode, place: Option<&Place>) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        self.nodes.push(node);
        self.places.push(place.cloned());
        let id = self.nodes.len() - 1;
        self.known.insert(node, id);
        id
    }

    pub(super) fn number(&mut self, x: f64) -> Id {
        self.add(GraphNode::Number(x.to_bits()), None)
    }

    /// A product of numbers or a vector and a number, without factors of 1.
    pub(super) fn apply(&mut self, code: Code, a: Id, b: Id) -> Id {
        let one = GraphNode::Number(1.0_f64.to_bits());
        match code {
            Code::Multiply if self.nodes[a] == one => b,
            Code::Multiply | Code::Scale | Code::Divide | Code::DivideVector
                if self.nodes[b] == one =>
            {
                a
            }
            _ => self.add(GraphNode::Apply(code, a, b), None),
        }
    }

    pub(super) fn kind(&self, id: Id) -> Rank {
        match self.nodes[id] {
            GraphNode::Velocity | GraphNode::VectorState(_) => Rank::Vector,
            GraphNode::Apply(code, ..) if code.gives_vector() => Rank::Vector,
            _ => Rank::Scalar,
        }
    }

    /// Whether a value follows from the parameters alone.
    pub(super) fn constant(&self) -> Vec<bool> {
        let mut constant = vec![false; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            constant[id] = match node {
                GraphNode::Number(_) | GraphNode::Parameter(_) => true,
                // the curve is evaluated with the motion, and so are vectors
                GraphNode::Apply(Code::Level, ..) => false,
                GraphNode::Apply(_, a, b) => constant[*a] && constant[*b],
                _ => false,
            };
        }
        constant
    }

    /// The program that gives some values. `inputs` are taken from the constants, in which they
    /// have the number given.
    pub(super) fn program(
        &self,
        results: &[Id],
        inputs: &HashMap<Id, u8>,
    ) -> Result<Program, EquationError> {
        let mut needed = vec![false; self.nodes.len()];
        for id in results {
            needed[*id] = true;
        }
        let mut last = vec![0; self.nodes.len()];
        for id in (0..self.nodes.len()).rev() {
            if let (true, false, GraphNode::Apply(_, a, b)) =
                (needed[id], inputs.contains_key(&id), self.nodes[id])
            {
                for used in [a, b] {
                    needed[used] = true;
                    last[used] = last[used].max(id);
                }
            }
        }
        // results stay to the end
        for id in results {
            last[*id] = self.nodes.len();
        }
        let mut writer = Writer {
            graph: self,
            registers: vec![0; self.nodes.len()],
            scalars: Pool::new(SCALARS),
            vectors: Pool::new(VECTORS),
            program: Program::default(),
        };
        // what is copied into registers first must not meet a register that is used again
        let is_input =
            |id: &Id| inputs.contains_key(id) || !matches!(self.nodes[*id], GraphNode::Apply(..));
        let (first, then): (Vec<Id>, Vec<Id>) = (0..self.nodes.len())
            .filter(|id| needed[*id])
            .partition(is_input);
        for id in first.into_iter().chain(then) {
            writer.write(id, inputs, &last)?;
        }
        writer.program.results = results.iter().map(|id| writer.registers[*id]).collect();
        Ok(writer.program)
    }
}

/// Free registers, the lowest first.
struct Pool {
    free: Vec<bool>,
}

impl Pool {
    fn new(count: usize) -> Self {
        Self {
            free: vec![true; count],
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "there are 32 at most")]
    fn take(&mut self) -> Option<u8> {
        let first = self.free.iter().position(|free| *free)?;
        self.free[first] = false;
        Some(first as u8)
    }

    fn give(&mut self, register: u8) {
        self.free[usize::from(register)] = true;
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    registers: Vec<u8>,
    scalars: Pool,
    vectors: Pool,
    program: Program,
}

impl Writer<'_> {
    fn pool(&mut self, id: Id) -> &mut Pool {
        match self.graph.kind(id) {
            Rank::Scalar => &mut self.scalars,
            Rank::Vector => &mut self.vectors,
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "states are counted when the equations are read"
    )]
    fn write(
        &mut self,
        id: Id,
        inputs: &HashMap<Id, u8>,
        last: &[usize],
    ) -> Result<(), EquationError> {
        let input = inputs.get(&id).copied();
        let node = self.graph.nodes[id];
        if let (None, GraphNode::Apply(_, a, b)) = (input, node) {
            // what is used here for the last time makes room for the result
            for used in if a == b { vec![a] } else { vec![a, b] } {
                if last[used] == id {
                    let register = self.registers[used];
                    self.pool(used).give(register);
                }
            }
        }
        let Some(register) = self.pool(id).take() else {
            let reason = format!(
                "the equations hold more than {SCALARS} numbers or {VECTORS} vectors at once; \
                 make them shorter"
            );
            return Err(EquationError {
                place: self.graph.places[id].clone(),
                reason,
                unknown: None,
            });
        };
        self.registers[id] = register;
        let program = &mut self.program;
        if let Some(from) = input {
            program.constants.push(Copied { from, register });
            return Ok(());
        }
        match node {
            GraphNode::NormalForce => program.normal_force = Some(register),
            GraphNode::Velocity => program.velocity = Some(register),
            GraphNode::ScalarState(i) => program.scalar_states.push(Copied {
                from: i as u8,
                register,
            }),
            GraphNode::VectorState(i) => program.vector_states.push(Copied {
                from: i as u8,
                register,
            }),
            GraphNode::Apply(code, a, b) => program.instructions.push(Instruction {
                code,
                out: register,
                a: self.registers[a],
                b: self.registers[b],
            }),
            // numbers and parameters are among the inputs
            GraphNode::Number(_) | GraphNode::Parameter(_) => {}
        }
        Ok(())
    }
}
