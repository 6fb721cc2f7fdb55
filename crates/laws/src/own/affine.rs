//! Rates that are linear in their state: ż = b + a z with a number a, at given v and N.

use super::code::Code;
use super::graph::{Graph, GraphNode, Id};
use bristle_formula::Unary;

/// The parts of a rate that is linear in its own state, and has no other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    /// What is left at z = 0; none if that is nothing.
    pub(super) constant: Option<Id>,
    /// The factor of z.
    pub(super) slope: Id,
}

/// How a value depends on the state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dependence {
    None,
    Linear(Affine),
    Other,
}

/// The parts of `rate`, if it is linear in `state` and free of other states.
pub(super) fn parts(graph: &mut Graph, rate: Id, state: GraphNode) -> Option<Affine> {
    let count = graph.nodes.len();
    let one = graph.number(1.0);
    let mut known: Vec<Dependence> = Vec::with_capacity(count);
    for id in 0..count {
        let dependence = match graph.nodes[id] {
            node if node == state => Dependence::Linear(Affine {
                constant: None,
                slope: one,
            }),
            GraphNode::ScalarState(_) | GraphNode::VectorState(_) => Dependence::Other,
            GraphNode::Apply(code, a, b) => combine(graph, code, [(a, known[a]), (b, known[b])]),
            _ => Dependence::None,
        };
        known.push(dependence);
    }
    match known[rate] {
        Dependence::Linear(affine) => Some(affine),
        Dependence::None => Some(Affine {
            constant: Some(rate),
            slope: graph.number(0.0),
        }),
        Dependence::Other => None,
    }
}

fn combine(graph: &mut Graph, code: Code, operands: [(Id, Dependence); 2]) -> Dependence {
    use Dependence::{Linear, None as Free, Other};
    let [(a, x), (b, y)] = operands;
    match (code, x, y) {
        (_, Free, Free) => Free,
        (_, Other, _) | (_, _, Other) => Other,
        (Code::Unary(Unary::Negate) | Code::NegateVector, Linear(x), _) => {
            let slope = graph.apply(Code::Unary(Unary::Negate), x.slope, x.slope);
            let constant = x.constant.map(|c| graph.apply(code, c, c));
            Linear(Affine { constant, slope })
        }
        (Code::Add | Code::AddVectors, ..) => sum(graph, code, Code::Add, operands),
        (Code::Subtract | Code::SubtractVectors, ..) => sum(graph, code, Code::Subtract, operands),
        (Code::Multiply | Code::Scale, Linear(x), Free) => Linear(Affine {
            constant: x.constant.map(|c| graph.apply(code, c, b)),
            slope: graph.apply(Code::Multiply, x.slope, b),
        }),
        (Code::Multiply | Code::ScaleBy, Free, Linear(y)) => Linear(Affine {
            constant: y.constant.map(|c| graph.apply(code, a, c)),
            slope: graph.apply(Code::Multiply, a, y.slope),
        }),
        (Code::Divide | Code::DivideVector, Linear(x), Free) => Linear(Affine {
            constant: x.constant.map(|c| graph.apply(code, c, b)),
            slope: graph.apply(Code::Divide, x.slope, b),
        }),
        _ => Other,
    }
}

/// A sum or a difference, of which one part is linear at least.
fn sum(graph: &mut Graph, code: Code, slopes: Code, operands: [(Id, Dependence); 2]) -> Dependence {
    let part = |(id, dependence): (Id, Dependence)| match dependence {
        Dependence::Linear(affine) => (affine.constant, Some(affine.slope)),
        _ => (Some(id), None),
    };
    let [(c1, s1), (c2, s2)] = operands.map(part);
    let negated = slopes == Code::Subtract;
    let mut join =
        |code: Code, first: Option<Id>, second: Option<Id>, vector: bool| match (first, second) {
            (Some(a), Some(b)) => Some(graph.apply(code, a, b)),
            (None, Some(b)) if negated => {
                let negate = if vector {
                    Code::NegateVector
                } else {
                    Code::Unary(Unary::Negate)
                };
                Some(graph.apply(negate, b, b))
            }
            (a, b) => a.or(b),
        };
    let vector = code.gives_vector();
    let constant = join(code, c1, c2, vector);
    let slope = join(slopes, s1, s2, false);
    slope.map_or(Dependence::Other, |slope| {
        Dependence::Linear(Affine { constant, slope })
    })
}
