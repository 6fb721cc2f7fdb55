//! Beams whose ends the drives move apart.

use crate::element::{BeamElement, Element as _};
use crate::model::Model;
use bristle_integrate::{State, System as _};

/// Ends that part by less than this share of their speeds move together.
const SAME: f64 = 1e-9;

impl Model {
    /// The name of a beam element whose ends move relative to each other in a state, as where one of them hangs on a drive
    /// that turns and the other does not: linear vibrations about that state are those of one instant.
    pub fn beam_driven_apart(&self, state: &State) -> Option<&str> {
        let mut scratch = self.scratch();
        self.place_state(state, state.t, &mut scratch);
        let parted = |element: &&BeamElement| {
            let [a, b] = element.bodies().map(|body| &scratch.frames[body.0]);
            let carried = a.velocity_at(&(b.p - a.p));
            let faster = b.v.norm().max(carried.norm());
            let turning = a.w.norm().max(b.w.norm());
            (b.v - carried).norm() > SAME * faster || (b.w - a.w).norm() > SAME * turning
        };
        let mut beams = self
            .elements
            .iter()
            .filter_map(|e| e.downcast::<BeamElement>());
        beams.find(parted).map(BeamElement::name)
    }
}
