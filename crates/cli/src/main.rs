//! The bristle command.
fn main() {}
