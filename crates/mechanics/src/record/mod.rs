//! What a run records.
