//! `dahl` against the series of short travels.

use super::*;

#[test]
fn the_shortest_travel_is_the_deflection() {
    // near rest z = s (1 - n r/2 + n (2 n - 1) r²/6), r = s/l with l = mu_k/sigma_0 = 10 µm
    for n in [0.0, 0.3, 0.5, 1.0, 1.5, 3.0] {
        let law = Dahl {
            bristle_stiffness: 1e4,
            kinetic_coefficient: 0.1,
            dahl_exponent: n,
        };
        for s in [1e-40, 1e-20, 1e-16, 1e-12] {
            let mut z = [0.0];
            law.update(&Step::constant(Slip::new([s], 1.0), 1.0), &[0.0], &mut z);
            let r = s / 1e-5;
            let wanted = s * (1.0 - 0.5 * n * r + n * (2.0 * n - 1.0) / 6.0 * r * r);
            // rounding; the next term of the series is of the order r³ = 1e-21
            assert!((z[0] / wanted - 1.0).abs() < 1e-14, "{n} {s}: {z:?}");
        }
    }
}
