//! Scenario files: from TOML with units to values that are checked and know where they came from.
//!
//! The way of the data: [`load_file`] reads a file and what it includes into a tree of [`Node`]s
//! that carry [`Span`]s, [`apply_override`] changes the tree from the command line, and [`Fields`]
//! read it section by section against declared [`Field`]s. Whatever is wrong on the way becomes a
//! [`Diagnostic`] with file, line and column; reading goes on, so that one run shows all errors.
//! [`load`] does all of it and builds the model and the plan; [`schema`] describes the format for editors.

pub mod diagnostic;
pub mod fields;
mod load;
mod mesh;
pub mod node;
mod open_harmonic;
mod overrides;
mod packed;
pub mod parameters;
mod schema;
mod sections;
pub mod shipped;
mod signal;
pub mod source;
mod synonyms;

pub use bristle_units::{
    self as units, AnyQuantity, Dimension, QuantityError, Unit, parse_any_quantity, parse_quantity,
    suggest,
};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Location, Severity, Subject};
pub use fields::{Field, FieldKind, FieldRange, Fields, Reader, Section, json_schema};
pub use load::{ScenarioSource, ScenarioText, load_file, load_text};
pub use node::{Entry, Node, NodeTable, NodeValue};
pub use open_harmonic::OpenHarmonic;
pub use overrides::apply_override;
pub use packed::{PackedText, declares_law, packed_law};
pub use parameters::{Parameter, ParameterValue};
pub use schema::schema;
pub use sections::{
    Changes, Expect, ExpectedStatistic, Measure, PlotSpec, Scenario, StartState, Template,
    law_of_file, load, load_any, load_law, load_law_text,
};
pub use shipped::read_columns;
pub use signal::{read_signal, signal_schema};
pub use source::{Origin, Position, Source, SourceId, SourceMap, Span};
