//! Where bristles with damping may push: the passivity of LuGre laws.

use crate::kind::Damping;
use crate::notice::Notice;
use crate::notice::Topic;

impl Damping {
    /// The largest σ₁(v)|v|: at |v| = v_d/√2.
    fn largest_power(self) -> f64 {
        self.velocity
            .map_or(f64::INFINITY, |v_d| self.at_rest * v_d * PEAK)
    }
}

/// Five digits, down or up: a bound that is quoted must hold.
fn five_digits(x: f64, round: fn(f64) -> f64) -> f64 {
    let unit = 10.0_f64.powf(x.abs().log10().floor() - 4.0);
    let text = format!("{:.4e}", round(x / unit) * unit);
    if x > 0.0 {
        text.parse().unwrap_or(x)
    } else {
        x
    }
}

/// e^(−1/2)/√2, the largest x e^(−x²).
const PEAK: f64 = 0.428_881_942_480_353_3;

/// What the passivity of a law depends on.
pub(crate) struct Passivity {
    /// Name of the law.
    pub(crate) law: &'static str,
    /// σ₁.
    pub(crate) damping: Damping,
    /// Whether the law has the option of a σ₁ that falls with the speed.
    pub(crate) may_fall: bool,
    /// σ₂.
    pub(crate) sigma_2: f64,
    /// μs.
    pub(crate) mu_s: f64,
    /// μk.
    pub(crate) mu_k: f64,
    /// Unit of σ₁ and σ₂: `s/m` per unit of normal force, or `N s/m`.
    pub(crate) unit: &'static str,
}

impl Passivity {
    /// The notice for a set that is not known to be passive.
    ///
    /// With W = σ₀z²/2 and z = s g/σ₀: vF − Ẇ = v²[σ₁(1 − s) + σ₂] + |v| g s², |s| ≤ μs/g. So
    /// σ₂ ≥ σ₁ (μs − μk)/μk is enough, and so is σ₁(v)|v| ≤ μk min s²/(s − 1), the minimum over
    /// 1 < s ≤ μs/μk: 4 from s = 2 on. Necessity of the first, for a constant σ₁: Barahanov &
    /// Ortega 2000; σ₁(v): Olsson 1996, Canudas de Wit et al. 1995.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let (sigma_1, sigma_2) = (self.damping.at_rest, self.sigma_2);
        let needed = sigma_1 * (self.mu_s - self.mu_k) / self.mu_k;
        let s = self.mu_s / self.mu_k;
        let least = if s < 2.0 { s * s / (s - 1.0) } else { 4.0 };
        let bound = least * self.mu_k;
        // classical laws have forces: there the bound grows with N
        let per_newton = self.unit.starts_with('N');
        if sigma_2 >= needed || (!per_newton && self.damping.largest_power() <= bound) {
            return None;
        }
        let numbers = PassivityNumbers {
            needed: five_digits(needed, f64::ceil),
            speed: five_digits(bound / sigma_1, f64::floor),
            v_d: five_digits(bound / (sigma_1 * PEAK), f64::floor),
            each: if per_newton {
                " per newton of normal force"
            } else {
                ""
            },
        };
        let text = match self.damping.velocity {
            Some(v_d) => self.falls_too_late(v_d, &numbers),
            None => self.is_constant(&numbers),
        };
        Some(Notice::new(Topic::Passivity, text).value("viscous damping", needed, self.unit))
    }

    fn falls_too_late(&self, given: f64, numbers: &PassivityNumbers) -> String {
        let Self { law, unit, .. } = *self;
        let PassivityNumbers {
            needed, v_d, each, ..
        } = *numbers;
        let extent = if each.is_empty() {
            format!("not known to be passive: damping_velocity = {given} m/s is too high")
        } else {
            let load = five_digits(given / v_d, f64::ceil);
            format!(
                "passive only for normal forces from {load} N on: below, damping_velocity = \
                 {given} m/s is too high"
            )
        };
        format!(
            "{law} is {extent}; friction can push; give damping_velocity = {v_d} m/s{each} or \
             viscous_coefficient = {needed} {unit}"
        )
    }

    fn is_constant(&self, numbers: &PassivityNumbers) -> String {
        let Self { law, unit, .. } = *self;
        let PassivityNumbers {
            needed,
            speed,
            v_d,
            each,
        } = *numbers;
        let falling = if self.may_fall {
            format!("damping_velocity = {v_d} m/s{each} or ")
        } else {
            String::new()
        };
        format!(
            "{law} is not passive: above {speed} m/s{each} friction can push; give \
             {falling}viscous_coefficient = {needed} {unit}"
        )
    }
}

/// The numbers of a notice, rounded so that they hold.
struct PassivityNumbers {
    /// σ₂ that is enough.
    needed: f64,
    /// Speed above which a constant σ₁ may push, m/s.
    speed: f64,
    /// v_d that is low enough, m/s.
    v_d: f64,
    /// What the speeds are per.
    each: &'static str,
}
