//! How far a law without stick creeps under a load that it should hold.

use super::load::{ContactLoad, SLIDING};
use bristle_laws::Friction;

/// The creep of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Creep {
    /// The fastest creep under a load that the law could hold, m/s.
    pub speed: f64,
    /// The load at that time.
    pub load: ContactLoad,
    /// The largest tangential force that the law has at that time, N.
    pub limit: f64,
    /// Path over all the time in which the load is below the limit, m.
    pub path: f64,
}

/// The creep of `law` under a record of loads; `None` if it sticks, or is never loaded.
pub fn creep(law: &Friction, loads: &[ContactLoad]) -> Option<Creep> {
    let limit = law.highest_level()?;
    let held = |load: &ContactLoad| {
        let most = limit * load.normal;
        let speed = (load.size() < SLIDING * most)
            .then(|| law.creep_speed(load.size(), load.normal))
            .flatten();
        (speed.unwrap_or(0.0), most)
    };
    let mut worst: Option<Creep> = None;
    let mut path = 0.0;
    let mut before: Option<(f64, f64)> = None;
    for load in loads {
        let (speed, most) = held(load);
        if let Some((t, last)) = before {
            path += 0.5 * (speed + last) * (load.t - t);
        }
        before = Some((load.t, speed));
        if speed > worst.map_or(0.0, |w| w.speed) {
            worst = Some(Creep {
                speed,
                load: *load,
                limit: most,
                path: 0.0,
            });
        }
    }
    worst.map(|creep| Creep { path, ..creep })
}
