//! The fields of a fit file.

use bristle_scenario::{Field, FieldKind, FieldRange, Section, Unit};

const TEXTS: &str = "a text, or a list of texts";
pub(super) const QUANTITY: &str = "a number in SI or a text with a unit";

pub(super) const FIT: Section = Section {
    name: "a fit file",
    doc: "What is fitted to which data.",
    fields: &[
        Field::optional("title", FieldKind::Text, "What this is."),
        Field::optional(
            "data",
            FieldKind::Any(TEXTS),
            "The measurements, beside this file.",
        ),
        Field::optional(
            "test",
            FieldKind::Any(TEXTS),
            "Measurements that are predicted only.",
        ),
        Field::optional(
            "law",
            FieldKind::Any(TEXTS),
            "The law: a name, `none`, or a file LAW.toml.",
        ),
        Field::optional(
            "terms",
            FieldKind::Any(TEXTS),
            "What a machine adds, as in --with.",
        ),
        Field::optional(
            "target",
            FieldKind::Choice(&["force", "position"]),
            "What is computed and compared.",
        ),
        Field::optional(
            "elements",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, 10.0),
            },
            "Elements of laws of several.",
        ),
        Field::optional(
            "parameter",
            FieldKind::Named(&PARAMETER),
            "What is known of parameters.",
        ),
        Field::optional("column", FieldKind::Named(&COLUMN), "What the columns are."),
        Field::optional(
            "columns",
            FieldKind::Any(TEXTS),
            "The names of all columns in order, for data without a header.",
        ),
        Field::optional(
            "prepare",
            FieldKind::Table(&PREPARE),
            "How records are prepared.",
        ),
        Field::optional(
            "search",
            FieldKind::Table(&SEARCH),
            "How the optimum is found.",
        ),
        Field::optional(
            "out",
            FieldKind::Text,
            "Folder of the files, beside this file.",
        ),
        Field::optional("plots", FieldKind::Flag, "Whether plots are written."),
        Field::optional("report", FieldKind::Flag, "Whether report.html is written."),
    ],
};

const PARAMETER: Section = Section {
    name: "parameter.NAME",
    doc: "What is known of a parameter.",
    fields: &[
        Field::optional("fix", FieldKind::Any(QUANTITY), "Hold it at this value."),
        Field::optional("start", FieldKind::Any(QUANTITY), "Start the search here."),
        Field::optional(
            "bounds",
            FieldKind::Any("a list of two values"),
            "Keep it between these.",
        ),
        Field::optional(
            "free",
            FieldKind::Flag,
            "Fit it although it is held by default.",
        ),
    ],
};

const COLUMN: Section = Section {
    name: "column.QUANTITY",
    doc: "The column of a quantity.",
    fields: &[
        Field::optional("name", FieldKind::Text, "Its name in the data."),
        Field::optional("unit", FieldKind::Text, "Its unit."),
        Field::optional(
            "gain",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Any,
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
            FieldKind::Any("a force, or \"mean\""),
            "A constant normal force instead of a column.",
        ),
        Field::optional(
            "lowpass",
            FieldKind::Any("a frequency, \"auto\" or \"off\""),
            "Zero-phase low-pass of motion and residual.",
        ),
        Field::optional(
            "delay",
            FieldKind::Number {
                unit: Unit::SECOND,
                range: FieldRange::Any,
            },
            "Delay of the force behind the motion, to be taken out.",
        ),
        Field::optional(
            "resample",
            FieldKind::Number {
                unit: Unit::HERTZ,
                range: FieldRange::Positive,
            },
            "Resample to this even rate.",
        ),
        Field::optional(
            "rate",
            FieldKind::Number {
                unit: Unit::HERTZ,
                range: FieldRange::Positive,
            },
            "The sampling rate, where no column is the time.",
        ),
        Field::optional(
            "trim",
            FieldKind::List {
                unit: Unit::SECOND,
                range: FieldRange::Any,
            },
            "First and last time to keep.",
        ),
        Field::optional(
            "servo",
            FieldKind::List {
                unit: Unit::ONE,
                range: FieldRange::Positive,
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
            FieldKind::Choice(&["squares", "huber", "soft-l1", "cauchy"]),
            "How large residuals count.",
        ),
        Field::optional(
            "starts",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, 1000.0),
            },
            "Starting points that are followed.",
        ),
        Field::optional(
            "global",
            FieldKind::Flag,
            "Search between the starting points too.",
        ),
        Field::optional(
            "profile",
            FieldKind::Flag,
            "Intervals by profile likelihood.",
        ),
    ],
};
