//! Lanes of numbers, and laws over many points at once.
