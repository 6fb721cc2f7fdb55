//! Smallest and largest values of channels over the rows of a run.

use crate::channel::Channel;
use crate::ordered::Ordered;
use crate::summary::Extreme;

/// Smallest and largest values of all channels but the time.
#[derive(Clone, Debug, Default)]
pub struct Extremes(Vec<Extreme>);

impl Extremes {
    /// Takes a row into account: the time, then a value for each further channel.
    pub fn include(&mut self, row: &[f64]) {
        let Some((&t, values)) = row.split_first() else {
            return;
        };
        if self.0.is_empty() {
            let start = |&value: &f64| Extreme {
                min: value,
                t_min: t,
                max: value,
                t_max: t,
            };
            self.0 = values.iter().map(start).collect();
        }
        for (extreme, &value) in self.0.iter_mut().zip(values) {
            extreme.include(t, value);
        }
    }

    /// In the order of the channels behind the time.
    pub fn as_slice(&self) -> &[Extreme] {
        &self.0
    }

    /// Those that [`Extremes::as_slice`] gave.
    pub fn of(extremes: Vec<Extreme>) -> Self {
        Self(extremes)
    }

    /// By the names of the channels, of which the first is the time; empty before the first row.
    pub fn named(&self, channels: &[Channel]) -> Ordered<Extreme> {
        let names = channels.iter().skip(1).map(|c| c.name.clone());
        names.zip(self.0.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "values are kept as they are")]
    fn extremes_are_those_of_every_row() {
        let channels = [
            Channel::new("t", "s", "time"),
            Channel::new("body.cube.position.x", "m", "position"),
            Channel::new("force", "N", "force"),
        ];
        let mut extremes = Extremes::default();
        assert!(extremes.named(&channels).is_empty());
        for row in [
            [0.0, 1.0, 5.0],
            [1.0, -2.0, 5.0],
            [2.0, 4.0, 6.0],
            [3.0, 4.0, 1.0],
        ] {
            extremes.include(&row);
        }
        let extremes = extremes.named(&channels);
        let x = extremes.get("body.cube.position.x").unwrap();
        assert_eq!([x.min, x.t_min, x.max, x.t_max], [-2.0, 1.0, 4.0, 2.0]);
        assert_eq!(extremes.len(), 2);
    }
}
