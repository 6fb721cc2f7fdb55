//! A number of a machine that is sought.

/// A number that is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Where the search begins.
    pub start: f64,
    /// Bounds, if there are any. Without them a positive unknown stays positive.
    pub bounds: Option<(f64, f64)>,
}
