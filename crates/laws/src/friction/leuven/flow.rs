//! A step of z of fourth order: exponential in what is linear, and free of commutators.
//!
//! dz per path is p − A z and a rest that bends it; stages and weights are those of Cox, Matthews
//! (Exponential time differencing for stiff systems, J. Comput. Phys. 176, 2002, ETDRK4). A curved
//! path turns a sliding element otherwise than the straight one with the same ends; two straight
//! parts with its first moment do the same but for the fifth order (Celledoni, Marthinsen, Owren,
//! Commutator-free Lie group methods, Future Gener. Comput. Syst. 19, 2003). What the straight
//! stages leave out cancels if the last of them begins along p for half of the step.

use crate::numbers::scalar::Scalar;

/// A matrix, by rows.
pub(super) type RowMatrix<T, const D: usize> = [[T; D]; D];

/// Row sums up to which φ₃ is taken from its series.
const SMALL: f64 = 0.125;

/// Halvings beyond which a matrix is not finite.
const MOST_HALVINGS: u32 = 1100;

/// A step over a share of the path. The functions of its decay A are φ₁ = (1 − e^(−A))/A,
/// φ₂ = (1 − φ₁)/A, φ₃ = (½ − φ₂)/A.
pub(super) struct ElementFlow<T, const D: usize> {
    decay: RowMatrix<T, D>,
    /// e^(−A/2).
    half_left: RowMatrix<T, D>,
    /// φ₁(A/2).
    half: RowMatrix<T, D>,
    whole: Functions<T, D>,
}

impl<T: Scalar, const D: usize> ElementFlow<T, D> {
    pub(super) fn over(decay: RowMatrix<T, D>) -> Self {
        let largest = decay.iter().fold(0.0_f64, |most, row| {
            most.max(row.iter().map(|x| x.value().abs()).sum())
        });
        // halved until it is small, and at least once
        let (mut halvings, mut scale) = (1, 0.5);
        while largest * scale > SMALL && halvings < MOST_HALVINGS {
            halvings += 1;
            scale *= 0.5;
        }
        let small = sum([(scale, &decay)]);
        let mut functions = Functions::of_small(&small);
        let mut left = one_less(&product(&small, &functions.first), 1.0);
        for _ in 1..halvings {
            functions = functions.doubled(&left);
            left = product(&left, &left);
        }
        Self {
            decay,
            half_left: left,
            whole: functions.doubled(&left),
            half: functions.first,
        }
    }

    /// The displacement of z where there is no rest, from p at the start for the step.
    pub(super) fn linear(&self, p: &[T; D]) -> [T; D] {
        apply(&self.whole.first, p)
    }

    /// The displacement of z in two straight parts, from p at the start for the step, and p `after`
    /// straight parts.
    pub(super) fn parts(&self, p: &[T; D], after: impl Fn(&[[T; D]]) -> [T; D]) -> [[T; D]; 2] {
        // −A z is not in what bends z
        let rest = |p: &[T; D], z: &[T; D]| add(p, &apply(&self.decay, z));
        let to_half = |n: &[T; D]| apply(&self.half, n).map(|x| x * 0.5);
        let (a, n1) = (to_half(p), *p);
        let n2 = rest(&after(&[a]), &a);
        let b = to_half(&n2);
        let n3 = rest(&after(&[b]), &b);
        let onward: [T; D] = std::array::from_fn(|i| n3[i] * 2.0 - n1[i]);
        let c = add(&apply(&self.half_left, &a), &to_half(&onward));
        let early = p.map(|p| p * 0.5);
        let end = after(&[early, std::array::from_fn(|i| c[i] - early[i])]);
        let n4 = rest(&end, &c);
        let bend = std::array::from_fn(|i| (n2[i] + n3[i]) * 2.0 - n1[i] * 3.0 - n4[i]);
        let twist = std::array::from_fn(|i| (n1[i] - n2[i] - n3[i] + n4[i]) * 4.0);
        let Functions {
            first,
            second,
            third,
        } = &self.whole;
        let z = add(
            &add(&apply(first, &n1), &apply(second, &bend)),
            &apply(third, &twist),
        );
        [-1.0, 1.0].map(|side| std::array::from_fn(|i| z[i] * 0.5 + (end[i] - p[i]) * (side / 6.0)))
    }
}

/// φ₁, φ₂ and φ₃ of one matrix.
struct Functions<T, const D: usize> {
    first: RowMatrix<T, D>,
    second: RowMatrix<T, D>,
    third: RowMatrix<T, D>,
}

impl<T: Scalar, const D: usize> Functions<T, D> {
    /// By the series of φ₃, which with φₖ = 1/k! − A φₖ₊₁ gives the others.
    fn of_small(a: &RowMatrix<T, D>) -> Self {
        // to A⁹ 6/12! < 1e-16
        let mut series = one_less(&[[T::zero(); D]; D], 1.0);
        for j in (4..=11).rev() {
            series = one_less(&sum([(1.0 / f64::from(j), &product(a, &series))]), 1.0);
        }
        let third = sum([(1.0 / 6.0, &series)]);
        let second = one_less(&product(a, &third), 0.5);
        let first = one_less(&product(a, &second), 1.0);
        Self {
            first,
            second,
            third,
        }
    }

    /// The functions of 2 A, with e^(−A) = `left`.
    fn doubled(&self, left: &RowMatrix<T, D>) -> Self {
        let (first, second, third) = (&self.first, &self.second, &self.third);
        let square = product(first, first);
        let mixed = product(first, second);
        Self {
            first: sum([(0.5, &product(left, first)), (0.5, first)]),
            second: sum([(0.25, &square), (0.5, second)]),
            third: sum([(0.125, &mixed), (0.125, second), (0.25, third)]),
        }
    }
}

/// The matrix times a vector.
pub(super) fn apply<T: Scalar, const D: usize>(a: &RowMatrix<T, D>, x: &[T; D]) -> [T; D] {
    std::array::from_fn(|i| crate::law::slip::dot(&a[i], x))
}

fn add<T: Scalar, const D: usize>(a: &[T; D], b: &[T; D]) -> [T; D] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn product<T: Scalar, const D: usize>(a: &RowMatrix<T, D>, b: &RowMatrix<T, D>) -> RowMatrix<T, D> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| (1..D).fold(a[i][0] * b[0][j], |sum, k| sum + a[i][k] * b[k][j]))
    })
}

/// Σ factor · matrix.
fn sum<T: Scalar, const D: usize, const N: usize>(
    terms: [(f64, &RowMatrix<T, D>); N],
) -> RowMatrix<T, D> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            (1..N).fold(terms[0].1[i][j] * terms[0].0, |sum, k| {
                sum + terms[k].1[i][j] * terms[k].0
            })
        })
    })
}

/// one · 1 − A.
fn one_less<T: Scalar, const D: usize>(a: &RowMatrix<T, D>, one: f64) -> RowMatrix<T, D> {
    let mut new = a.map(|row| row.map(|x| -x));
    for (i, row) in new.iter_mut().enumerate() {
        row[i] = row[i] + one;
    }
    new
}
