//! What loops and couplings report.

use super::rows::RowOwner;
use crate::channel::ChannelInfo;
use crate::frame::Frame;
use crate::model::Model;
use crate::record::coordinate_names;
use bristle_integrate::Instant;

impl Model {
    /// Channels of all loops, then of all couplings.
    pub(crate) fn constraint_channels(&self, out: &mut Vec<ChannelInfo>) {
        for own in &self.constraints.loops {
            let path = |what: &str| format!("loop.{}.{what}", own.name);
            let singles = own.joint.singles();
            for ([coordinate, rate], (_, turns)) in
                coordinate_names(&own.joint).iter().zip(&singles)
            {
                let [unit, per_second] = if *turns {
                    ["rad", "rad/s"]
                } else {
                    ["m", "m/s"]
                };
                let meaning = if *turns {
                    "coordinate of the joint that closes the loop, within half a turn of 0"
                } else {
                    "coordinate of the joint that closes the loop"
                };
                out.push(ChannelInfo::new(path(coordinate), unit, meaning));
                out.push(ChannelInfo::new(path(rate), per_second, "its rate"));
            }
            let force = "force of the joint on the end `to`, world axes";
            let moment = "moment of the joint on the end `to` about its point";
            out.extend(ChannelInfo::vector(&path("reaction.force"), "N", force));
            out.extend(ChannelInfo::vector(&path("reaction.moment"), "N m", moment));
            let gap = "distance of the ends in the directions that the joint closes";
            out.push(ChannelInfo::new(path("gap"), "m", gap));
        }
        for coupling in self.constraints.couplings.iter().filter(|own| own.is_rigid) {
            let turns = coupling.terms.first().is_some_and(|term| {
                let singles = self.bodies[term.body.0].joint.singles();
                singles.get(term.place).is_some_and(|(_, turns)| *turns)
            });
            let (what, unit) = if turns {
                ("torque", "N m")
            } else {
                ("force", "N")
            };
            let meaning = "what the coupling exerts on its first coordinate";
            let name = format!("coupling.{}.{what}", coupling.name);
            out.push(ChannelInfo::new(name, unit, meaning));
        }
    }

    /// Their values at an instant, whose frames are given.
    pub(crate) fn sample_constraints(
        &self,
        at: &Instant<'_>,
        frames: &[Frame],
        out: &mut Vec<f64>,
    ) {
        for (k, own) in self.constraints.loops.iter().enumerate() {
            let motion = own.motion(frames);
            for axis in &self.constraints.axes[k] {
                let coordinate = own.coordinate(&motion, axis);
                out.extend([coordinate.value, coordinate.rate]);
            }
            let reaction = self.loop_reaction(k, frames, at.a);
            out.extend_from_slice(reaction.force.as_slice());
            out.extend_from_slice(reaction.moment.as_slice());
            let rows = self.constraints.rows_of(RowOwner::Loop(k));
            let square = rows.filter_map(|row| {
                let row = self.constraints.rows[row].kind.motion(&motion)?;
                Some(row.pushes.map_or(0.0, |_| row.jet[0] * row.jet[0]))
            });
            out.push(square.sum::<f64>().sqrt());
        }
        let couplings = self.constraints.couplings.iter().enumerate();
        for (k, coupling) in couplings.filter(|(_, own)| own.is_rigid) {
            let first = coupling.terms.first().map_or(0.0, |term| term.coefficient);
            let rows = self.constraints.rows_of(RowOwner::Coupling(k));
            let multiplier: f64 = rows.map(|row| at.a[self.dofs + row]).sum();
            out.push(first * multiplier);
        }
    }
}
