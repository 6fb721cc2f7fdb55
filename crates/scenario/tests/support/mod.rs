//! A small declared scenario.

use bristle_scenario::{Field, Kind, Range, Section, Unit};

const SIMULATION: Section = Section {
    name: "simulation",
    doc: "How long and how exactly.",
    fields: &[
        Field::required(
            "end_time",
            Kind::Number {
                unit: Unit::SECOND,
                range: Range::Positive,
            },
            "Time at the end",
        ),
        Field::optional(
            "output_step",
            Kind::Number {
                unit: Unit::SECOND,
                range: Range::Positive,
            },
            "Time between outputs",
        )
        .default("1 ms"),
        Field::optional(
            "method",
            Kind::Choice(&["newmark", "generalized_alpha"]),
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
            Kind::Number {
                unit: Unit::KILOGRAM,
                range: Range::Positive,
            },
            "Mass",
        )
        .symbol("m"),
        Field::optional(
            "position",
            Kind::Vector3 { unit: Unit::METRE },
            "Of its origin",
        )
        .default("[0, 0, 0]"),
        Field::optional("fixed", Kind::Flag, "Held in space").default("false"),
        Field::optional(
            "count",
            Kind::Integer {
                range: Range::closed(1.0, 9.0),
            },
            "How many",
        ),
        Field::optional(
            "limits",
            Kind::List {
                unit: Unit::NEWTON,
                range: Range::NonNegative,
            },
            "Limits",
        ),
        Field::optional("note", Kind::Text, "A remark"),
        Field::optional(
            "force",
            Kind::Signal { unit: Unit::NEWTON },
            "A force along x",
        ),
    ],
};

const EXPECT: Section = Section {
    name: "expect",
    doc: "An expectation.",
    fields: &[Field::required(
        "tolerance",
        Kind::Number {
            unit: Unit::ONE,
            range: Range::NonNegative,
        },
        "Allowed difference",
    )],
};

/// The whole scenario.
pub(crate) const ROOT: Section = Section {
    name: "scenario",
    doc: "A scenario.",
    fields: &[
        Field::optional("title", Kind::Text, "A title"),
        Field::required(
            "simulation",
            Kind::Table(&SIMULATION),
            "How long and how exactly",
        ),
        Field::optional("body", Kind::Named(&BODY), "Bodies"),
        Field::optional("expect", Kind::Tables(&EXPECT), "Expectations"),
    ],
};
