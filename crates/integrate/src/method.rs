//! The methods: ESDIRK of fourth order, and generalised-α with its special cases.

/// A method of time integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Generalised-α.
    GeneralisedAlpha(GeneralisedAlpha),
    /// ESDIRK4(3)6L\[2\]SA of Kennedy and Carpenter, of fourth order.
    Esdirk4,
}

impl Method {
    /// Newmark's average acceleration: β = 1/4, γ = 1/2, no numerical damping.
    pub const NEWMARK: Self = Self::GeneralisedAlpha(GeneralisedAlpha::NEWMARK);

    /// See [`GeneralisedAlpha::of_radius`].
    pub fn generalised_alpha(rho: f64) -> Self {
        Self::GeneralisedAlpha(GeneralisedAlpha::of_radius(rho))
    }

    /// See [`GeneralisedAlpha::hht`].
    pub fn hht(alpha: f64) -> Self {
        Self::GeneralisedAlpha(GeneralisedAlpha::hht(alpha))
    }

    /// The order of the error that the step follows: that of the estimate.
    pub(crate) fn order(self) -> f64 {
        match self {
            Self::GeneralisedAlpha(_) => 3.0,
            Self::Esdirk4 => 4.0,
        }
    }
}

/// The coefficients of a generalised-α method.
///
/// In the form of Arnold & Brüls (2007), with the equations of motion satisfied at the end of the step:
///
/// $$ q_{n+1} = q_n \boxplus \bigl(h\dot q_n + h^2[(\tfrac12-\beta)a_n + \beta a_{n+1}]\bigr),\quad
///    \dot q_{n+1} = \dot q_n + h[(1-\gamma)a_n+\gamma a_{n+1}] $$
/// $$ (1-\alpha_m)a_{n+1} + \alpha_m a_n = (1-\alpha_f)\ddot q_{n+1} + \alpha_f \ddot q_n $$
///
/// Second order if γ = ½ − α_m + α_f. Source: Chung & Hulbert 1993 for the coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralisedAlpha {
    /// α_m
    pub alpha_m: f64,
    /// α_f
    pub alpha_f: f64,
    /// β
    pub beta: f64,
    /// γ
    pub gamma: f64,
}

impl GeneralisedAlpha {
    /// Newmark's average acceleration: β = 1/4, γ = 1/2, no numerical damping.
    pub const NEWMARK: Self = Self {
        alpha_m: 0.0,
        alpha_f: 0.0,
        beta: 0.25,
        gamma: 0.5,
    };

    /// Chung & Hulbert's method with the spectral radius ρ∞ in [0, 1] at infinite frequency.
    pub fn of_radius(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::second_order(alpha_m, alpha_f)
    }

    /// Hilber, Hughes & Taylor's method with α in [0, 1/3] (α_f = α, α_m = 0).
    pub fn hht(alpha: f64) -> Self {
        Self::second_order(0.0, alpha)
    }

    fn second_order(alpha_m: f64, alpha_f: f64) -> Self {
        let shift = alpha_f - alpha_m;
        Self {
            alpha_m,
            alpha_f,
            beta: 0.25 * (1.0 + shift).powi(2),
            gamma: 0.5 + shift,
        }
    }

    /// ∂a_{n+1}/∂q̈_{n+1}.
    pub(crate) fn gain(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// a_{n+1} for a given q̈_{n+1}, and q̈_n, a_n.
    pub(crate) fn algorithmic(&self, new: f64, old: f64, algorithmic: f64) -> f64 {
        ((1.0 - self.alpha_f) * new + self.alpha_f * old - self.alpha_m * algorithmic)
            / (1.0 - self.alpha_m)
    }

    /// Error constants: of h³ q⃛ in the position and of h³ q⁗ in the velocity.
    ///
    /// a_n approximates q̈ at t_n + (α_m − α_f) h; the rest is Taylor's series.
    pub(crate) fn error_constants(&self) -> (f64, f64) {
        let shift = self.alpha_m - self.alpha_f;
        let position = 0.5 * shift + self.beta - 1.0 / 6.0;
        let velocity = 0.5
            * ((1.0 - self.gamma) * shift.powi(2) + self.gamma * (1.0 + shift).powi(2))
            - 1.0 / 6.0;
        (position.abs(), velocity.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_are_those_of_the_literature() {
        let close = |a: GeneralisedAlpha, b: GeneralisedAlpha| {
            [
                (a.alpha_m, b.alpha_m),
                (a.alpha_f, b.alpha_f),
                (a.beta, b.beta),
                (a.gamma, b.gamma),
            ]
            .iter()
            .all(|(x, y)| (x - y).abs() < 1e-15)
        };
        // Colantonio et al.: rho 0 is alpha_m = -1, alpha_f = 0, gamma = 3/2, beta = 1
        let paper = GeneralisedAlpha {
            alpha_m: -1.0,
            alpha_f: 0.0,
            beta: 1.0,
            gamma: 1.5,
        };
        assert!(close(GeneralisedAlpha::of_radius(0.0), paper));
        assert!(close(GeneralisedAlpha::hht(0.0), GeneralisedAlpha::NEWMARK));
        // the average acceleration method has position error h^3/12
        assert!((GeneralisedAlpha::NEWMARK.error_constants().0 - 1.0 / 12.0).abs() < 1e-15);
        assert!((GeneralisedAlpha::NEWMARK.error_constants().1 - 1.0 / 12.0).abs() < 1e-15);
    }
}
