//! Which bodies are coupled in the equations.

use crate::body::Body;
use crate::constraint::{Constraints, RowOwner};
use crate::element::{FrameElement, ModelElement};
use crate::joint::JointSteps;
use crate::matrix::Order;

/// What the equations couple.
pub(crate) struct CoupledParts<'a> {
    pub(crate) bodies: &'a [Body],
    pub(crate) elements: &'a [ModelElement],
    pub(crate) joints: &'a JointSteps,
    pub(crate) constraints: &'a Constraints,
}

/// Bodies that share elements or a chain are coupled; the groups are the bodies' own coordinates,
/// then the multipliers of every loop and coupling.
pub(crate) fn order(parts: &CoupledParts<'_>) -> Order {
    let CoupledParts {
        bodies,
        elements,
        joints,
        constraints,
    } = *parts;
    let owners = constraints.owners();
    let mut sizes = vec![0; bodies.len()];
    for dof in &joints.dofs {
        sizes[dof.body] += 1;
    }
    let rows = owners.iter().map(|owner| constraints.rows_of(*owner).len());
    sizes.extend(rows);
    // the bodies whose joints move a body, from itself to the root
    let movers = |body: usize| {
        let up = std::iter::successors(Some(body), |&i| (i > 0).then(|| bodies[i].parent.0));
        up.filter(|&i| sizes[i] > 0)
    };
    let mut links = vec![Vec::new(); sizes.len()];
    let mut couple = |a: usize, b: usize| {
        links[a].push(b);
        links[b].push(a);
    };
    for i in (1..bodies.len()).filter(|&i| sizes[i] > 0) {
        movers(bodies[i].parent.0).for_each(|above| couple(i, above));
    }
    for element in elements {
        let coupled = element
            .on_frames()
            .map_or_else(|| element.bodies().to_vec(), FrameElement::coupled_bodies);
        let mut group: Vec<usize> = coupled.iter().flat_map(|body| movers(body.0)).collect();
        group.sort_unstable();
        group.dedup();
        // a chain is coupled by itself; its last body has the highest number
        let chain = group.last().map_or(0, |&last| movers(last).count());
        if chain == group.len() {
            continue;
        }
        for (k, &a) in group.iter().enumerate() {
            group[..k].iter().for_each(|&b| couple(a, b));
        }
    }
    for (k, owner) in owners.iter().enumerate() {
        let multipliers = bodies.len() + k;
        let tied: Vec<usize> = match owner {
            RowOwner::Loop(k) => {
                let own = &constraints.loops[*k];
                vec![own.from.body.0, own.to.body.0]
            }
            RowOwner::Coupling(k) => {
                let terms = constraints.couplings[*k].terms.iter();
                terms.map(|term| term.body.0).collect()
            }
        };
        let mut group: Vec<usize> = tied.iter().flat_map(|&body| movers(body)).collect();
        group.sort_unstable();
        group.dedup();
        for (k, &a) in group.iter().enumerate() {
            couple(a, multipliers);
            group[..k].iter().for_each(|&b| couple(a, b));
        }
    }
    for others in &mut links {
        others.sort_unstable();
        others.dedup();
    }
    Order::of(&links, &sizes, bodies.len())
}
