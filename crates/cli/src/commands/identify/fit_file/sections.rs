//! The fields of a fit file.

use bristle_scenario::{Field, Kind, Range, Section, Unit};

const TEXTS: &str = "a text, or a list of texts";
pub(super) const QUANTITY: &str = "a number in SI or a text with a unit";

pub(super) const FIT: Section = Section {
    name: "a fit file",
    doc: "What is fitted to which data.",
    fields: &[
        Field::optional("title", Kind::Text, "What this is."),
        Field::optional(
            "data",
            Kind::Any(TEXTS),
            "The measurements, beside this file.",
        ),
        Field::optional(
            "test",
            Kind::Any(TEXTS),
            "Measurements that are predicted only.",
        ),
        Field::optional(
            "law",
            Kind::Any(TEXTS),
            "The law: a name, `none`, or a file LAW.toml.",
        ),
        Field::optional(
            "terms",
            Kind::Any(TEXTS),
            "What a machine adds, as in --with.",
        ),
        Field::optional(
            "target",
            Kind::Choice(&["force", "position"]),
            "What is computed and compared.",
        ),
        Field::optional(
            "elements",
            Kind::Integer {
                range: Range::closed(1.0, 100.0),
            },
            "Elements of laws of several.",
        ),
        Field::optional(
            "parameter",
            Kind::Named(&PARAMETER),
            "What is known of parameters.",
        ),
        Field::optional("column", Kind::Named(&COLUMN), "What the columns are."),
        Field::optional(
            "columns",
            Kind::Any(TEXTS),
            "The names of all columns in order, for data without a header.",
        ),
        Field::optional(
            "prepare",
            Kind::Table(&PREPARE),
            "How records are prepared.",
        ),
        Field::optional("search", Kind::Table(&SEARCH), "How the optimum is found."),
        Field::optional("out", Kind::Text, "Folder of the files, beside this file."),
        Field::optional("plots", Kind::Flag, "Whether plots are written."),
        Field::optional("report", Kind::Flag, "Whether report.html is written."),
    ],
};

const PARAMETER: Section = Section {
    name: "parameter.NAME",
    doc: "What is known of a parameter.",
    fields: &[
        Field::optional("fix", Kind::Any(QUANTITY), "Hold it at this value."),
        Field::optional("start", Kind::Any(QUANTITY), "Start the search here."),
        Field::optional(
            "bounds",
            Kind::Any("a list of two values"),
            "Keep it between these.",
        ),
        Field::optional("free", Kind::Flag, "Fit it although it is held by default."),
    ],
};

const COLUMN: Section = Section {
    name: "column.QUANTITY",
    doc: "The column of a quantity.",
    fields: &[
        Field::optional("name", Kind::Text, "Its name in the data."),
        Field::optional("unit", Kind::Text, "Its unit."),
        Field::optional(
            "gain",
            Kind::Number {
                unit: Unit::ONE,
                range: Range::Any,
            },
            "A factor, after its unit.",
        ),
    ],
};

const PREPARE: Section = Section {
    name: "prepare",
    doc: "How records are prepared.",
    fields: &[
        Field::optional(
            "normal_force",
            Kind::Any("a force, or \"mean\""),
            "A constant normal force instead of a column.",
        ),
        Field::optional(
            "lowpass",
            Kind::Any("a frequency, \"auto\" or \"off\""),
            "Zero-phase low-pass of motion and residual.",
        ),
        Field::optional(
            "delay",
            Kind::Number {
                unit: Unit::SECOND,
                range: Range::Any,
            },
            "Delay of the force behind the motion, to be taken out.",
        ),
        Field::optional(
            "resample",
            Kind::Number {
                unit: Unit::HERTZ,
                range: Range::Positive,
            },
            "Resample to this even rate.",
        ),
        Field::optional(
            "rate",
            Kind::Number {
                unit: Unit::HERTZ,
                range: Range::Positive,
            },
            "The sampling rate, where no column is the time.",
        ),
        Field::optional(
            "trim",
            Kind::List {
                unit: Unit::SECOND,
                range: Range::Any,
            },
            "First and last time to keep.",
        ),
        Field::optional(
            "servo",
            Kind::List {
                unit: Unit::ONE,
                range: Range::Positive,
            },
            "Gains of a position controller that makes the force, in SI.",
        ),
    ],
};

const SEARCH: Section = Section {
    name: "search",
    doc: "How the optimum is found.",
    fields: &[
        Field::optional(
            "loss",
            Kind::Choice(&["squares", "huber", "soft-l1", "cauchy"]),
            "How large residuals count.",
        ),
        Field::optional(
            "starts",
            Kind::Integer {
                range: Range::closed(1.0, 1000.0),
            },
            "Starting points that are followed.",
        ),
        Field::optional(
            "global",
            Kind::Flag,
            "Search between the starting points too.",
        ),
        Field::optional("profile", Kind::Flag, "Intervals by profile likelihood."),
    ],
};
