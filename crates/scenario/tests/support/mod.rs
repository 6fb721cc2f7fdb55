//! A small declared scenario.

use bristle_scenario::{Field, FieldKind, FieldRange, Section, Unit};

const SIMULATION: Section = Section {
    name: "simulation",
    doc: "How long and how exactly.",
    fields: &[
        Field::required(
            "end_time",
            FieldKind::Number {
                unit: Unit::SECOND,
                range: FieldRange::Positive,
            },
            "Time at the end",
        ),
        Field::optional(
            "output_step",
            FieldKind::Number {
                unit: Unit::SECOND,
                range: FieldRange::Positive,
            },
            "Time between outputs",
        )
        .default("1 ms"),
        Field::optional(
            "method",
            FieldKind::Choice(&["newmark", "generalized_alpha"]),
            "The rule",
        )
        .default("newmark"),
    ],
};

const BODY: Section = Section {
    name: "body.NAME",
    doc: "A rigid body.",
    fields: &[
        Field::required(
            "mass",
            FieldKind::Number {
                unit: Unit::KILOGRAM,
                range: FieldRange::Positive,
            },
            "Mass",
        )
        .symbol("m"),
        Field::optional(
            "position",
            FieldKind::Vector3 { unit: Unit::METRE },
            "Of its origin",
        )
        .default("[0, 0, 0]"),
        Field::optional("fixed", FieldKind::Flag, "Held in space").default("false"),
        Field::optional(
            "count",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, 9.0),
            },
            "How many",
        ),
        Field::optional(
            "limits",
            FieldKind::List {
                unit: Unit::NEWTON,
                range: FieldRange::NonNegative,
            },
            "Limits",
        ),
        Field::optional("note", FieldKind::Text, "A remark"),
        Field::optional(
            "force",
            FieldKind::Signal { unit: Unit::NEWTON },
            "A force along x",
        ),
    ],
};

const EXPECT: Section = Section {
    name: "expect",
    doc: "An expectation.",
    fields: &[Field::required(
        "tolerance",
        FieldKind::Number {
            unit: Unit::ONE,
            range: FieldRange::NonNegative,
        },
        "Allowed difference",
    )],
};

/// The whole scenario.
pub(crate) const ROOT: Section = Section {
    name: "scenario",
    doc: "A scenario.",
    fields: &[
        Field::optional("title", FieldKind::Text, "A title"),
        Field::required(
            "simulation",
            FieldKind::Table(&SIMULATION),
            "How long and how exactly",
        ),
        Field::optional("body", FieldKind::Named(&BODY), "Bodies"),
        Field::optional("expect", FieldKind::Tables(&EXPECT), "Expectations"),
    ],
};
