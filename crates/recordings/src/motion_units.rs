//! Units of motions along a line and about an axis.

/// Whether a record is of a motion along a line or about an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionUnits {
    /// Positions in m, forces in N.
    #[default]
    Linear,
    /// Angles in rad, moments in N m.
    Angular,
}

impl MotionUnits {
    /// The unit of a quantity whose unit is `linear` for a motion along a line.
    ///
    /// ```
    /// use bristle_recordings::MotionUnits;
    ///
    /// assert_eq!(MotionUnits::Angular.of("N s/m"), "N m s/rad");
    /// assert_eq!(MotionUnits::Linear.of("N s/m"), "N s/m");
    /// ```
    pub fn of(self, linear: &str) -> &str {
        const ANGULAR: [(&str, &str); 12] = [
            ("m", "rad"),
            ("m/s", "rad/s"),
            ("m/s^2", "rad/s^2"),
            ("1/m", "1/rad"),
            ("s/m", "s/rad"),
            ("N", "N m"),
            ("N/m", "N m/rad"),
            ("N s/m", "N m s/rad"),
            ("N s^2/m", "N m s^2/rad"),
            ("kg", "kg m^2"),
            ("N/V", "N m/V"),
            ("N/A", "N m/A"),
        ];
        if self == Self::Linear {
            return linear;
        }
        let known = ANGULAR.iter().find(|(own, _)| *own == linear);
        known.map_or(linear, |(_, angular)| angular)
    }

    /// What `linear` is called: force, position or velocity, or moment, angle or angular velocity.
    pub fn name(self, linear: &str) -> &str {
        match (self, linear) {
            (Self::Angular, "force") => "moment",
            (Self::Angular, "position" | "displacement") => "angle",
            (Self::Angular, "velocity") => "angular velocity",
            (Self::Angular, "acceleration") => "angular acceleration",
            _ => linear,
        }
    }
}
