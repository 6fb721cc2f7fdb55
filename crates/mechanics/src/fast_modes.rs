//! Which bodies have modes that are fast and seldom asked for.

use crate::body::{Body, BodyId};
use crate::element::{BeamElement, Frictional, ModelElement};
use bristle_integrate::FastModes;

/// How the fast modes of every body are followed: the nodes of beams are an elastic structure, and
/// bodies that a friction law may hold by a spring without damping ring on it, with all that carries
/// them.
pub(crate) fn of_bodies(bodies: &[Body], elements: &[ModelElement]) -> Vec<FastModes> {
    let mut all = vec![FastModes::Exact; bodies.len()];
    let frictional = elements.iter().filter(|element| {
        element
            .frictional()
            .is_some_and(Frictional::has_bare_springs)
    });
    for element in frictional {
        let moving = element.on_joint().map(|joint| joint.joint().0.moving());
        for held in element.bodies().into_iter().chain(moving) {
            let up = |&BodyId(i): &BodyId| (i > 0).then(|| bodies[i].parent);
            for BodyId(i) in std::iter::successors(Some(held), up) {
                all[i] = FastModes::Ringing;
            }
        }
    }
    let beams = elements
        .iter()
        .filter(|element| element.downcast::<BeamElement>().is_some());
    for BodyId(i) in beams.flat_map(|element| element.bodies()) {
        all[i] = FastModes::Structure;
    }
    all
}
