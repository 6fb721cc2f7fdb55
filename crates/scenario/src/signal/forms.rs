//! The functions of time that are given by parameters.

use bristle_signals::{Chirp, Harmonic, Pulses, Ramp, RampShape, Signal, SignalError, Sine, Sweep};

use super::{Context, FUNCTION};
use crate::{Field, FieldKind, FieldRange, Fields, OpenHarmonic, Section, Unit};

const FREQUENCY: FieldKind = FieldKind::Number {
    unit: Unit::HERTZ,
    range: FieldRange::NonNegative,
};
const TIME: FieldKind = FieldKind::Number {
    unit: Unit::SECOND,
    range: FieldRange::Any,
};
const DURATION: FieldKind = FieldKind::Number {
    unit: Unit::SECOND,
    range: FieldRange::Positive,
};

/// Highest order of a harmonic.
const MAX_ORDER: f64 = 1000.0;

/// A harmonic; the unit of the amplitude is that of the function of time.
pub(super) const HARMONIC: Section = Section {
    name: "harmonic",
    doc: "A cosine of a fixed frequency, or of that of `bristle response`.",
    fields: &[
        Field::required(
            "amplitude",
            FieldKind::Any("a number, or a text with a unit"),
            "Amplitude",
        ),
        Field::optional(
            "phase",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Any,
            },
            "Phase: the cosine leads by it",
        )
        .default("0"),
        Field::optional(
            "order",
            FieldKind::Integer {
                range: FieldRange::closed(1.0, MAX_ORDER),
            },
            "Multiple of the frequency",
        )
        .default("1"),
        Field::optional(
            "frequency",
            FieldKind::Number {
                unit: Unit::HERTZ,
                range: FieldRange::Positive,
            },
            "Frequency of order 1; without it the load is one of `bristle response`",
        ),
    ],
};

impl<'a> Context<'a> {
    /// Opens one of the parametrised forms.
    fn form(self, fields: &Fields<'a>, name: &str, declared: Vec<Field<'a>>) -> Option<Fields<'a>> {
        let entry = fields.entry(name)?;
        let path = fields.path_of(name);
        Fields::open_with(self.reader, &entry.node, entry.key_span, path, declared)
    }

    fn built(self, built: Result<Signal, SignalError>, fields: &Fields<'a>) -> Option<Signal> {
        built.map_or_else(
            |error| {
                let span = match &error {
                    SignalError::OutOfRange { field, .. } => fields.span(field),
                    _ => fields.name_span(),
                };
                self.refused(&error, span, fields.path())
            },
            Some,
        )
    }

    fn quantity(self) -> FieldKind {
        FieldKind::Number {
            unit: self.unit,
            range: FieldRange::Any,
        }
    }

    pub(super) fn sine(self, fields: &Fields<'a>) -> Option<Signal> {
        let angle = FieldKind::Number {
            unit: Unit::RADIAN,
            range: FieldRange::Any,
        };
        let declared = vec![
            Field::required("amplitude", self.quantity(), "Amplitude"),
            Field::required("frequency", FREQUENCY, "Frequency"),
            Field::optional("phase", angle, "Phase at the start").default("0"),
            Field::optional("offset", self.quantity(), "Mean value").default("0"),
            Field::optional("start", TIME, "Start; before it the initial value is held"),
        ];
        let sine = self.form(fields, "sine", declared)?;
        let start = sine.number("start");
        if start.is_none() && sine.has("start") {
            return None;
        }
        let built = Sine {
            amplitude: sine.number("amplitude")?,
            frequency: sine.number("frequency")?,
            phase: sine.number("phase")?,
            offset: sine.number("offset")?,
            start,
        };
        self.built(Signal::sine(built), &sine)
    }

    pub(super) fn harmonic(self, fields: &Fields<'a>) -> Option<Signal> {
        let declared = HARMONIC.fields.iter().map(|field| Field {
            kind: match field.kind {
                FieldKind::Any(_) => self.quantity(),
                kind => kind,
            },
            ..*field
        });
        let harmonic = self.form(fields, "harmonic", declared.collect())?;
        let amplitude = harmonic.number("amplitude");
        let (phase, order) = (harmonic.number("phase"), harmonic.integer("order"));
        let frequency = harmonic.number("frequency");
        if frequency.is_none() && harmonic.has("frequency") {
            return None;
        }
        let built = Harmonic {
            amplitude: amplitude?,
            phase: phase?,
            order: u32::try_from(order?).ok()?,
            frequency,
        };
        if frequency.is_none() {
            self.reader.note_open_harmonic(OpenHarmonic {
                path: harmonic.path().to_owned(),
                span: harmonic.name_span(),
            });
        }
        self.built(Signal::harmonic(built), &harmonic)
    }

    pub(super) fn chirp(self, fields: &Fields<'a>) -> Option<Signal> {
        let declared = vec![
            Field::required("amplitude", FUNCTION, "Amplitude, a function of time"),
            Field::required("start_frequency", FREQUENCY, "Frequency at the start"),
            Field::required("end_frequency", FREQUENCY, "Frequency at the end"),
            Field::optional("start", TIME, "Start").default("0"),
            Field::required("duration", DURATION, "Duration"),
            Field::optional(
                "sweep",
                FieldKind::Choice(&["linear", "logarithmic"]),
                "How the frequency changes",
            )
            .default("linear"),
        ];
        let chirp = self.form(fields, "chirp", declared)?;
        let amplitude = chirp.node("amplitude");
        let amplitude = amplitude.and_then(|node| self.signal(node, &chirp.path_of("amplitude")));
        let logarithmic = chirp.choice("sweep")? == "logarithmic";
        let built = Chirp {
            amplitude: Box::new(amplitude?),
            start_frequency: chirp.number("start_frequency")?,
            end_frequency: chirp.number("end_frequency")?,
            start: chirp.number("start")?,
            duration: chirp.number("duration")?,
            sweep: if logarithmic {
                Sweep::Logarithmic
            } else {
                Sweep::Linear
            },
        };
        self.built(Signal::chirp(built), &chirp)
    }

    pub(super) fn pulses(self, fields: &Fields<'a>) -> Option<Signal> {
        let count = FieldKind::Integer {
            range: FieldRange::closed(1.0, f64::from(u32::MAX)),
        };
        let gap = FieldKind::Number {
            unit: Unit::SECOND,
            range: FieldRange::NonNegative,
        };
        let declared = vec![
            Field::required("amplitude", self.quantity(), "Height"),
            Field::required("width", DURATION, "Width of a pulse"),
            Field::optional("period", DURATION, "From one rising edge to the next"),
            Field::optional("gap", gap, "From a falling edge to the next rising one"),
            Field::optional(
                "count",
                count,
                "Number of pulses; without it they do not end",
            ),
            Field::optional("start", TIME, "First rising edge").default("0"),
        ];
        let pulses = self.form(fields, "pulses", declared)?;
        let width = pulses.number("width");
        let amplitude = pulses.number("amplitude");
        let single =
            !pulses.has("period") && !pulses.has("gap") && pulses.integer("count") == Some(1);
        let period = if single {
            width
        } else if pulses.exactly_one(&["period", "gap"])? == "period" {
            pulses.number("period")
        } else {
            pulses
                .number("gap")
                .zip(width)
                .map(|(gap, width)| gap + width)
        };
        let count = pulses
            .integer("count")
            .and_then(|count| u32::try_from(count).ok());
        if count.is_none() && pulses.has("count") {
            return None;
        }
        let built = Pulses {
            amplitude: amplitude?,
            width: width?,
            period: period?,
            count,
            start: pulses.number("start")?,
        };
        self.built(Signal::pulses(built), &pulses)
    }

    pub(super) fn ramp(self, fields: &Fields<'a>) -> Option<Signal> {
        let shape = FieldKind::Choice(&["linear", "smooth"]);
        let declared = vec![
            Field::optional("from", self.quantity(), "Value before").default("0"),
            Field::required("to", self.quantity(), "Value after"),
            Field::optional("start", TIME, "Start").default("0"),
            Field::required("duration", DURATION, "Duration"),
            Field::optional("shape", shape, "Straight, or smooth with a quintic").default("linear"),
        ];
        let ramp = self.form(fields, "ramp", declared)?;
        let (from, to) = (ramp.number("from"), ramp.number("to"));
        let (start, duration) = (ramp.number("start"), ramp.number("duration"));
        let smooth = ramp.choice("shape")? == "smooth";
        let shape = if smooth {
            RampShape::Smooth
        } else {
            RampShape::Linear
        };
        let built = Ramp {
            from: from?,
            to: to?,
            start: start?,
            duration: duration?,
            shape,
        };
        self.built(Signal::ramp(built), &ramp)
    }
}
