//! The continuous view: y' = f(t, y) for ODE solvers.
