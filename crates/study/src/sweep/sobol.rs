//! Sobol' points: numbers in the unit cube that fill it more evenly than random ones.
//!
//! The direction numbers are those of Joe and Kuo, "Constructing Sobol sequences with better
//! two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), 2635-2654: their set
//! `new-joe-kuo-6.21201`, of which the first dimensions stand here.

/// Dimensions that there are.
pub(super) const MOST_DIMENSIONS: usize = DIRECTIONS.len() + 1;
/// Binary digits of a coordinate.
const DIGITS: usize = 32;

/// Direction numbers of some dimensions.
pub(super) struct SobolPoints {
    /// By dimension: what each binary digit of the index contributes.
    directions: Vec<[u32; DIGITS]>,
}

impl SobolPoints {
    /// Points of at most [`MOST_DIMENSIONS`] dimensions.
    pub(super) fn new(dimensions: usize) -> Self {
        let of = |dimension: usize| match dimension.checked_sub(1) {
            // the first dimension is van der Corput's: the digits in reverse
            None => std::array::from_fn(|digit| 1 << (DIGITS - 1 - digit)),
            Some(row) => DIRECTIONS
                .get(row)
                .map_or([0; DIGITS], |(polynomial, first)| {
                    directions(*polynomial, first)
                }),
        };
        Self {
            directions: (0..dimensions).map(of).collect(),
        }
    }

    /// A coordinate of the point with this index, in parts of 2³²; points come in the order of Gray
    /// codes, as in the programs of Joe and Kuo.
    pub(super) fn coordinate(&self, index: u32, dimension: usize) -> u32 {
        let Some(directions) = self.directions.get(dimension) else {
            return 0;
        };
        let code = index ^ (index >> 1);
        let digits = directions.iter().enumerate();
        digits
            .filter(|(digit, _)| code >> digit & 1 == 1)
            .fold(0, |sum, (_, direction)| sum ^ direction)
    }
}

/// All direction numbers of a dimension, by the recurrence of its primitive polynomial.
fn directions(polynomial: u32, first: &[u32]) -> [u32; DIGITS] {
    let degree = first.len();
    let mut all = [0; DIGITS];
    for digit in 0..DIGITS {
        all[digit] = if let Some(number) = first.get(digit) {
            number << (DIGITS - 1 - digit)
        } else {
            let last = all[digit - degree];
            (1..degree)
                .filter(|step| polynomial >> (degree - step) & 1 == 1)
                .fold(last ^ (last >> degree), |sum, step| sum ^ all[digit - step])
        };
    }
    all
}

/// Primitive polynomial, the digits being its coefficients, and first direction numbers m of the
/// second dimension and those behind it.
#[rustfmt::skip]
const DIRECTIONS: &[(u32, &[u32])] = &[
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (355, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
    (647, &[1, 1, 1, 11, 21, 53, 125, 249, 293]),
    (661, &[1, 1, 7, 11, 11, 7, 57, 79, 323]),
    (675, &[1, 1, 5, 5, 17, 13, 81, 3, 131]),
    (677, &[1, 1, 7, 13, 23, 7, 65, 251, 475]),
    (687, &[1, 3, 5, 1, 9, 43, 3, 149, 11]),
    (695, &[1, 1, 3, 13, 31, 13, 13, 255, 487]),
    (701, &[1, 3, 3, 1, 5, 63, 89, 91, 127]),
    (719, &[1, 1, 3, 3, 1, 19, 123, 127, 237]),
    (721, &[1, 1, 5, 7, 23, 31, 37, 243, 289]),
    (731, &[1, 1, 5, 11, 17, 53, 117, 183, 491]),
    (757, &[1, 1, 1, 5, 1, 13, 13, 209, 345]),
    (761, &[1, 1, 3, 15, 1, 57, 115, 7, 33]),
    (787, &[1, 3, 1, 11, 7, 43, 81, 207, 175]),
    (789, &[1, 3, 1, 1, 15, 27, 63, 255, 49]),
    (799, &[1, 3, 5, 3, 27, 61, 105, 171, 305]),
    (803, &[1, 1, 5, 3, 1, 3, 57, 249, 149]),
    (817, &[1, 1, 3, 5, 5, 57, 15, 13, 159]),
    (827, &[1, 1, 1, 11, 7, 11, 105, 141, 225]),
    (847, &[1, 3, 3, 5, 27, 59, 121, 101, 271]),
    (859, &[1, 3, 5, 9, 11, 49, 51, 59, 115]),
    (865, &[1, 1, 7, 1, 23, 45, 125, 71, 419]),
    (875, &[1, 1, 3, 5, 23, 5, 105, 109, 75]),
    (877, &[1, 1, 7, 15, 7, 11, 67, 121, 453]),
    (883, &[1, 3, 7, 3, 9, 13, 31, 27, 449]),
    (895, &[1, 3, 1, 15, 19, 39, 39, 89, 15]),
    (901, &[1, 1, 1, 1, 1, 33, 73, 145, 379]),
    (911, &[1, 3, 1, 15, 15, 43, 29, 13, 483]),
    (949, &[1, 1, 7, 3, 19, 27, 85, 131, 431]),
    (953, &[1, 3, 3, 3, 5, 35, 23, 195, 349]),
    (967, &[1, 3, 3, 7, 9, 27, 39, 59, 297]),
    (971, &[1, 1, 3, 9, 11, 17, 13, 241, 157]),
    (973, &[1, 3, 7, 15, 25, 57, 33, 189, 213]),
    (981, &[1, 1, 7, 1, 9, 55, 73, 83, 217]),
    (985, &[1, 3, 3, 13, 19, 27, 23, 113, 249]),
    (995, &[1, 3, 5, 3, 23, 43, 3, 253, 479]),
    (1001, &[1, 1, 5, 5, 11, 5, 45, 117, 217]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The first points as Joe and Kuo's program prints them, and as SciPy 1.17 has them
    /// (`scipy.stats.qmc.Sobol(5, scramble=False)`).
    #[test]
    fn the_first_points_are_the_published_ones() {
        let points = SobolPoints::new(5);
        let expected = [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25, 0.25, 0.75],
            [0.25, 0.75, 0.75, 0.75, 0.25],
            [0.375, 0.375, 0.625, 0.875, 0.375],
            [0.875, 0.875, 0.125, 0.375, 0.875],
            [0.625, 0.125, 0.875, 0.625, 0.625],
            [0.125, 0.625, 0.375, 0.125, 0.125],
        ];
        for (index, expected) in (0..).zip(expected) {
            for (dimension, expected) in expected.into_iter().enumerate() {
                let found = f64::from(points.coordinate(index, dimension)) / 2_f64.powi(32);
                assert!(
                    found.to_bits() == f64::to_bits(expected),
                    "{index} {dimension}"
                );
            }
        }
    }

    /// The point with index 1000 in the last dimension, as SciPy has it.
    #[test]
    fn the_last_dimension_is_that_of_the_table() {
        let points = SobolPoints::new(MOST_DIMENSIONS);
        let found = [(1000, 99), (1000, 50), (77, 21)].map(|(i, d)| points.coordinate(i, d));
        let expected = [0.186_523_437_5, 0.352_539_062_5, 0.882_812_5];
        for (found, expected) in found.into_iter().zip(expected) {
            let found = f64::from(found) / 2_f64.powi(32);
            assert!(
                found.to_bits() == f64::to_bits(expected),
                "{found} {expected}"
            );
        }
    }

    /// Each dimension is a permutation of the multiples of 2⁻¹⁰ in every 2¹⁰ points.
    #[test]
    fn every_dimension_is_stratified() {
        let points = SobolPoints::new(MOST_DIMENSIONS);
        for dimension in 0..MOST_DIMENSIONS {
            let mut seen: Vec<u32> = (0..1024)
                .map(|i| points.coordinate(i, dimension) >> 22)
                .collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..1024), "{dimension}");
        }
    }
}
