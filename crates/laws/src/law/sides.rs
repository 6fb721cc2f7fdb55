//! How the two directions of motion may differ in a law.

/// How the two directions of motion may differ in the numbers of a law: its levels, its Stribeck
/// velocity, its viscous coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Both have the same numbers.
    Same,
    /// The numbers go with the sign of the velocity. The force is continuous where the velocity
    /// passes zero, since levels enter a law of this kind through its rates, or times the velocity.
    OfVelocity,
    /// The numbers go with the sign of the only state, which is the force itself: a slider that was
    /// pushed to its limit leaves it along its spring, whatever the other limit is.
    OfState,
}
