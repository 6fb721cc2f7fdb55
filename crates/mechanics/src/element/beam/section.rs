//! Cross-sections and materials of beams.

use crate::body::BodyId;
use std::f64::consts::PI;

/// A cross-section; y and z are its principal axes through the centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSection {
    /// Area A, m².
    pub area: f64,
    /// Second moment of area about y, ∫z² dA, m⁴: bending in the x–z plane.
    pub i_y: f64,
    /// Second moment of area about z, ∫y² dA, m⁴: bending in the x–y plane.
    pub i_z: f64,
    /// Saint-Venant's torsion constant J, m⁴.
    pub torsion_constant: f64,
}

impl CrossSection {
    /// A solid rectangle of edge lengths (m) along y and z.
    ///
    /// Torsion constant of a rectangle of sides w ≥ t (Saint-Venant; Timoshenko & Goodier,
    /// *Theory of Elasticity*, section 109):
    ///
    /// $$ J = \frac{w t^3}{3}\Bigl[1 - \frac{192\,t}{\pi^5 w}
    ///    \sum_{n=1,3,\dots} \frac{\tanh(n\pi w/2t)}{n^5}\Bigr] $$
    pub fn rectangular(along_y: f64, along_z: f64) -> Self {
        let (w, t) = (along_y.max(along_z), along_y.min(along_z));
        // the terms fall as n⁻⁵: 60 of them reach double precision
        let sum = (0..60)
            .rev()
            .map(|k| f64::from(2 * k + 1))
            .map(|n| (0.5 * n * PI * w / t).tanh() / n.powi(5))
            .sum::<f64>();
        Self {
            area: along_y * along_z,
            i_y: along_y * along_z.powi(3) / 12.0,
            i_z: along_z * along_y.powi(3) / 12.0,
            torsion_constant: w * t.powi(3) / 3.0 * (1.0 - 192.0 * t / (PI.powi(5) * w) * sum),
        }
    }

    /// A solid circle: I = π r⁴/4, J = 2 I.
    pub fn circular(radius: f64) -> Self {
        let i = 0.25 * PI * radius.powi(4);
        Self {
            area: PI * radius * radius,
            i_y: i,
            i_z: i,
            torsion_constant: 2.0 * i,
        }
    }
}

/// An isotropic elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus E, Pa.
    pub young: f64,
    /// Shear modulus G, Pa.
    pub shear: f64,
    /// Density ρ, kg/m³.
    pub density: f64,
}

/// Rayleigh damping C = α M + β K.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rayleigh {
    /// α, 1/s: drags on the motion relative to the reference body.
    pub mass: f64,
    /// β, s: resists the rates of the deformations.
    pub stiffness: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torsion_constants_are_those_of_the_tables() {
        // Timoshenko & Goodier, table of section 109: J = k w t³
        for (ratio, k) in [(1.0, 0.1406), (2.0, 0.229), (5.0, 0.291), (10.0, 0.312)] {
            let j = CrossSection::rectangular(ratio * 0.01, 0.01).torsion_constant;
            // printed to three or four digits
            assert!((j / (ratio * 1e-8) - k).abs() < 6e-4, "{ratio}: {j}");
        }
        let turned = CrossSection::rectangular(0.01, 0.03);
        assert!((turned.i_y - 0.01 * 2.7e-5 / 12.0).abs() < 1e-18);
        let same = CrossSection::rectangular(0.03, 0.01).torsion_constant;
        assert!((turned.torsion_constant - same).abs() < 1e-20);
    }
}

/// What a beam is made of.
#[derive(Clone, Copy, Debug)]
pub struct BeamProperties {
    /// Cross-section.
    pub section: CrossSection,
    /// Material.
    pub material: Material,
    /// Damping.
    pub damping: Rayleigh,
    /// The body against whose frame the mass-proportional damping acts.
    pub reference: BodyId,
}
