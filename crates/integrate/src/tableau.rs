//! The coefficients of ESDIRK4(3)6L\[2\]SA: six stages, the first explicit, order 4 with an embedded
//! order 3, both L-stable, stiffly accurate.
//!
//! Two sets share the diagonal γ = 1/4, and with it the matrix of a step. The later one has a tenth of
//! the error constant, and a node at 1.04 h. The earlier one has all nodes within the step: it
//! takes the steps that end where loads may jump.
//!
//! Sources: C. A. Kennedy, M. H. Carpenter, Diagonally implicit Runge–Kutta methods for ordinary
//! differential equations, NASA/TM-2016-219173 ([`LATER`]); Additive Runge–Kutta schemes for
//! convection–diffusion–reaction equations, Appl. Numer. Math. 44 (2003), the implicit part of
//! ARK4(3)6L\[2\]SA ([`WITHIN`]).

use std::f64::consts::SQRT_2;

/// Stages of a step; the first is the end of the step before.
pub(crate) const STAGES: usize = 6;
/// γ.
pub(crate) const DIAGONAL: f64 = 0.25;

/// The coefficients of a method.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// c.
    pub(crate) nodes: [f64; STAGES],
    /// a below the diagonal; the last row is b without its last entry, γ.
    pub(crate) rows: [[f64; STAGES]; STAGES],
    /// b̂.
    embedded: [f64; STAGES],
}

impl Tableau {
    /// b.
    pub(crate) fn weights(&self) -> [f64; STAGES] {
        let mut weights = self.rows[STAGES - 1];
        weights[STAGES - 1] = DIAGONAL;
        weights
    }

    /// b − b̂.
    pub(crate) fn error_weights(&self) -> [f64; STAGES] {
        let weights = self.weights();
        std::array::from_fn(|i| weights[i] - self.embedded[i])
    }
}

/// Of 2016.
pub(crate) const LATER: Tableau = Tableau {
    nodes: [0.0, 0.5, (2.0 - SQRT_2) / 4.0, 0.625, 1.04, 1.0],
    rows: [
        [0.0; STAGES],
        [DIAGONAL, 0.0, 0.0, 0.0, 0.0, 0.0],
        [LATER_3, LATER_3, 0.0, 0.0, 0.0, 0.0],
        [LATER_4, LATER_4, 7.0 * (1.0 + SQRT_2) / 32.0, 0.0, 0.0, 0.0],
        [
            LATER_5,
            LATER_5,
            (506_605.0 + 132_109.0 * SQRT_2) / 437_500.0,
            166.0 * (-97.0 + 376.0 * SQRT_2) / 109_375.0,
            0.0,
            0.0,
        ],
        [
            LATER_6,
            LATER_6,
            47.0 * (-267.0 + 1783.0 * SQRT_2) / 273_343.0,
            -16.0 * (-22_922.0 + 3525.0 * SQRT_2) / 571_953.0,
            -15_625.0 * (97.0 + 376.0 * SQRT_2) / 90_749_876.0,
            0.0,
        ],
    ],
    embedded: [
        -480_923_228_411.0 / 4_982_971_448_372.0,
        -480_923_228_411.0 / 4_982_971_448_372.0,
        6_709_447_293_961.0 / 12_833_189_095_359.0,
        3_513_175_791_894.0 / 6_748_737_351_361.0,
        -498_863_281_070.0 / 6_042_575_550_617.0,
        2_077_005_547_802.0 / 8_945_017_530_137.0,
    ],
};

const LATER_3: f64 = (1.0 - SQRT_2) / 8.0;
const LATER_4: f64 = (5.0 - 7.0 * SQRT_2) / 64.0;
const LATER_5: f64 = (-13_796.0 - 54_539.0 * SQRT_2) / 125_000.0;
const LATER_6: f64 = (1181.0 - 987.0 * SQRT_2) / 13_782.0;

/// Of 2003, with all nodes within the step.
pub(crate) const WITHIN: Tableau = Tableau {
    nodes: [0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0],
    rows: [
        [0.0; STAGES],
        [DIAGONAL, 0.0, 0.0, 0.0, 0.0, 0.0],
        [8611.0 / 62_500.0, -1743.0 / 31_250.0, 0.0, 0.0, 0.0, 0.0],
        [
            5_012_029.0 / 34_652_500.0,
            -654_441.0 / 2_922_500.0,
            174_375.0 / 388_108.0,
            0.0,
            0.0,
            0.0,
        ],
        [
            15_267_082_809.0 / 155_376_265_600.0,
            -71_443_401.0 / 120_774_400.0,
            730_878_875.0 / 902_184_768.0,
            2_285_395.0 / 8_070_912.0,
            0.0,
            0.0,
        ],
        [
            82_889.0 / 524_892.0,
            0.0,
            15_625.0 / 83_664.0,
            69_875.0 / 102_672.0,
            -2260.0 / 8211.0,
            0.0,
        ],
    ],
    embedded: [
        4_586_570_599.0 / 29_645_900_160.0,
        0.0,
        178_811_875.0 / 945_068_544.0,
        814_220_225.0 / 1_159_782_912.0,
        -3_700_637.0 / 11_593_932.0,
        61_727.0 / 225_920.0,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The order conditions (Butcher 2016, section 317) up to order 4 of b and 3 of b̂, and c = A 1.
    #[test]
    fn the_conditions_of_order_hold() {
        for tableau in [&LATER, &WITHIN] {
            let mut a = tableau.rows;
            for (i, row) in a.iter_mut().enumerate().skip(1) {
                row[i] = DIAGONAL;
            }
            let c = tableau.nodes;
            for (row, c) in a.iter().zip(c) {
                // digits that the authors give
                assert!((row.iter().sum::<f64>() - c).abs() < 1e-13, "{c}");
            }
            let apply = |x: [f64; STAGES]| -> [f64; STAGES] {
                std::array::from_fn(|i| (0..STAGES).map(|j| a[i][j] * x[j]).sum())
            };
            let times = |x: [f64; STAGES], y: [f64; STAGES]| -> [f64; STAGES] {
                std::array::from_fn(|i| x[i] * y[i])
            };
            let c2 = times(c, c);
            let conditions = [
                ([1.0; STAGES], 1.0),
                (c, 1.0 / 2.0),
                (c2, 1.0 / 3.0),
                (apply(c), 1.0 / 6.0),
                (times(c2, c), 1.0 / 4.0),
                (times(c, apply(c)), 1.0 / 8.0),
                (apply(c2), 1.0 / 12.0),
                (apply(apply(c)), 1.0 / 24.0),
            ];
            let sum = |b: [f64; STAGES], x: [f64; STAGES]| -> f64 {
                b.iter().zip(x).map(|(b, x)| b * x).sum()
            };
            for (k, (x, value)) in conditions.into_iter().enumerate() {
                assert!((sum(tableau.weights(), x) - value).abs() < 1e-13, "{k}");
                if k < 4 {
                    assert!((sum(tableau.embedded, x) - value).abs() < 1e-13, "{k}");
                }
            }
        }
    }
}
