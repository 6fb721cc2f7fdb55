//! Correlations and indices of Sobol' of a sample.

/// Groups of a jackknife.
const GROUPS: usize = 20;
/// 97.5 % quantile of Student's t with one degree of freedom less than there are groups.
const QUANTILE: f64 = 2.093;

/// A number with a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexEstimate {
    /// The number.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl IndexEstimate {
    /// From the whole and from what is left without each group (Shao and Tu 1995, section 2.3).
    fn jackknife(whole: f64, without: impl Fn(usize) -> f64) -> Option<Self> {
        let parts: Vec<f64> = (0..GROUPS).map(without).collect();
        let mean = parts.iter().sum::<f64>() / GROUPS as f64;
        let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
        let half = QUANTILE * (squares * (GROUPS - 1) as f64 / GROUPS as f64).sqrt();
        (whole + half).is_finite().then_some(Self {
            value: whole,
            low: whole - half,
            high: whole + half,
        })
    }
}

/// The group of a point: spread by a multiplicative hash, since neighbours in a sequence belong
/// together.
fn group(index: usize) -> usize {
    let hash = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    usize::try_from(hash % GROUPS as u64).unwrap_or(0)
}

/// Sums over the points of Saltelli's design for one parameter, by group.
pub(super) struct SamplePairs {
    groups: [PairSums; GROUPS],
}

/// Of f at A, at A with the parameter of B, and at B.
#[derive(Clone, Copy, Default)]
struct PairSums {
    count: f64,
    sum: f64,
    squares: f64,
    /// f(B) (f(AB) − f(A)).
    product: f64,
    /// f(AB) − f(A).
    change: f64,
    /// Its square.
    change_squares: f64,
}

impl PairSums {
    fn add(&mut self, sign: f64, other: &Self) {
        self.count += sign * other.count;
        self.sum += sign * other.sum;
        self.squares += sign * other.squares;
        self.product += sign * other.product;
        self.change += sign * other.change;
        self.change_squares += sign * other.change_squares;
    }

    fn variance(&self) -> f64 {
        let count = 2.0 * self.count;
        self.squares / count - (self.sum / count).powi(2)
    }

    fn first_order(&self) -> f64 {
        let mean = self.sum / (2.0 * self.count);
        (self.product - mean * self.change) / self.count / self.variance()
    }

    fn total_order(&self) -> f64 {
        self.change_squares / (2.0 * self.count) / self.variance()
    }
}

impl SamplePairs {
    /// From f at A, at A with the parameter of B, and at B; points that lack one are left out.
    pub(super) fn new(rows: impl Iterator<Item = [f64; 3]> + Clone) -> Self {
        let finite = |row: &[f64; 3]| row.iter().all(|value| value.is_finite());
        // numbers far from 0 would lose the digits of their variance
        let (count, sum) = rows
            .clone()
            .filter(finite)
            .fold((0.0, 0.0), |(n, sum), [a, _, b]| (n + 2.0, sum + a + b));
        let mean = if count > 0.0 { sum / count } else { 0.0 };
        let mut groups = [PairSums::default(); GROUPS];
        for (index, row) in rows.enumerate().filter(|(_, row)| finite(row)) {
            let [a, mixed, b] = row.map(|value| value - mean);
            let change = mixed - a;
            groups[group(index)].add(
                1.0,
                &PairSums {
                    count: 1.0,
                    sum: a + b,
                    squares: a * a + b * b,
                    product: b * change,
                    change,
                    change_squares: change * change,
                },
            );
        }
        Self { groups }
    }

    /// Part of the variance that the parameter explains alone, by the estimator of Saltelli et al.,
    /// Comput. Phys. Commun. 181 (2010), 259-270, table 2 (b).
    pub(super) fn first_order(&self) -> Option<IndexEstimate> {
        self.estimate(PairSums::first_order)
    }

    /// Part of the variance with everything in which the parameter takes part, by the estimator of
    /// Jansen, Comput. Phys. Commun. 117 (1999), 35-43.
    pub(super) fn total_order(&self) -> Option<IndexEstimate> {
        self.estimate(PairSums::total_order)
    }

    fn estimate(&self, index: fn(&PairSums) -> f64) -> Option<IndexEstimate> {
        let mut all = PairSums::default();
        for sums in &self.groups {
            all.add(1.0, sums);
        }
        if all.count < 2.0 * GROUPS as f64 {
            return None;
        }
        IndexEstimate::jackknife(index(&all), |left_out| {
            let mut rest = all;
            rest.add(-1.0, &self.groups[left_out]);
            index(&rest)
        })
    }
}

/// A sample in classes of a parameter that are about equally large.
pub(super) struct SampleClasses {
    /// By group and class: count, sum and sum of squares.
    sums: Vec<Vec<[f64; 3]>>,
    runs: usize,
}

impl SampleClasses {
    /// Runs with the parameter `x` and the number `y`, in 2 ∛n classes.
    pub(super) fn new(x: &[f64], y: &[f64]) -> Self {
        let runs = x.len();
        // Rice's rule: enough to follow a curve, few enough for their means to be sure
        let classes = (1..=1000)
            .take_while(|n| n * n * n <= 8 * runs)
            .last()
            .unwrap_or(1);
        let mean = y.iter().sum::<f64>() / runs.max(1) as f64;
        let mut sums = vec![vec![[0.0; 3]; classes]; GROUPS];
        for (place, &index) in order(x).iter().enumerate() {
            let value = y[index] - mean;
            let sum = &mut sums[group(index)][place * classes / runs];
            for (sum, part) in sum.iter_mut().zip([1.0, value, value * value]) {
                *sum += part;
            }
        }
        Self { sums, runs }
    }

    /// Part of the variance that the parameter explains alone: that of the means of the classes, less
    /// what it is by chance (Kelley's ε², as in Kelley, Proc. Natl. Acad. Sci. 21 (1935), 554-559).
    ///
    /// Of points that are spread more evenly than by chance, as those of Sobol', that part is between
    /// nothing and what it is by chance: half of it is taken off, and the interval is wider by as much.
    pub(super) fn first_order(&self, evenly_spread: bool) -> Option<IndexEstimate> {
        if self.runs < 5 * GROUPS {
            return None;
        }
        let taken_off = if evenly_spread { 0.5 } else { 1.0 };
        let index = |left_out: usize| {
            let (explained, by_chance) = self.shares(left_out);
            explained - taken_off * by_chance
        };
        let mut estimate = IndexEstimate::jackknife(index(GROUPS), index)?;
        let doubtful = (1.0 - taken_off) * self.shares(GROUPS).1;
        estimate.low -= doubtful;
        estimate.high += doubtful;
        Some(estimate)
    }

    /// Without one of the groups, the part of the variance that is that of the means of the classes,
    /// and how large it is by chance.
    fn shares(&self, left_out: usize) -> (f64, f64) {
        let classes = self.sums.first().map_or(0, Vec::len);
        let (mut total, mut between, mut used) = ([0.0; 3], 0.0, 0.0);
        for class in 0..classes {
            let groups = self.sums.iter().enumerate();
            let mut sum = [0.0; 3];
            for (_, group) in groups.filter(|(i, _)| *i != left_out) {
                (0..3).for_each(|k| sum[k] += group[class][k]);
            }
            if sum[0] > 0.0 {
                between += sum[1] * sum[1] / sum[0];
                used += 1.0;
            }
            (0..3).for_each(|k| total[k] += sum[k]);
        }
        let [count, sum, squares] = total;
        let all = squares - sum * sum / count;
        let between = between - sum * sum / count;
        let within = (all - between) / (count - used);
        (between / all, (used - 1.0) * within / all)
    }
}

/// Indices from the smallest value to the largest.
fn order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

/// Ranks from 1; equal values share the mean of theirs.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let order = order(values);
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = |&&i: &&usize| values[i].to_bits() == values[order[start]].to_bits();
        let count = order[start..].iter().take_while(same).count();
        let rank = (2 * start + count + 1) as f64 / 2.0;
        for &index in &order[start..start + count] {
            ranks[index] = rank;
        }
        start += count;
    }
    ranks
}

/// Pearson's coefficient of correlation; nothing where one of the two is constant.
pub(super) fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        let (a, b) = (a - mx, b - my);
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let size = xx.sqrt() * yy.sqrt();
    (size > 0.0).then(|| (xy / size).clamp(-1.0, 1.0))
}

/// The means of a number in classes of a parameter: their places from 0 (its lowest values) to 1
/// (its highest), and the means.
pub fn main_effect(parameter: &[f64], number: &[f64]) -> (Vec<f64>, Vec<f64>) {
    const CLASSES: usize = 12;
    let known = order(parameter)
        .into_iter()
        .filter(|&i| number[i].is_finite());
    let known: Vec<usize> = known.collect();
    let size = known.len().div_ceil(CLASSES).max(1);
    let classes = known.chunks(size).enumerate().map(|(place, class)| {
        let sum: f64 = class.iter().map(|&i| number[i]).sum();
        let middle = place as f64 * size as f64 + class.len() as f64 / 2.0;
        (middle / known.len() as f64, sum / class.len() as f64)
    });
    classes.unzip()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::sample::{ParameterRange, Sampling};
    use super::*;

    /// f = sin x₁ + a sin² x₂ + b x₃⁴ sin x₁ on (−π, π)³ with a = 7, b = 0.1, and its indices in
    /// closed form: Ishigami and Homma 1990.
    fn ishigami(x: [f64; 3]) -> f64 {
        x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
    }

    fn closed_form() -> ([f64; 3], [f64; 3]) {
        let (a, b) = (7.0_f64, 0.1_f64);
        let alone = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
        let together = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let all = alone + a * a / 8.0 + together;
        let first = [alone / all, a * a / 8.0 / all, 0.0];
        (first, [(alone + together) / all, first[1], together / all])
    }

    /// The three parameters of a design, by case.
    fn drawn(design: &str) -> Vec<[f64; 3]> {
        let ranges = ["a", "b", "c"].map(|name| {
            ParameterRange::parse(&format!("{name}=-3.141592653589793:3.141592653589793")).unwrap()
        });
        let axes = Sampling::parse(design).unwrap().axes(&ranges, 1).unwrap();
        (0..axes[0].values.len())
            .map(|case| [0, 1, 2].map(|i| axes[i].values[case].si.unwrap()))
            .collect()
    }

    /// With 4096 points the standard deviation of the estimators is some 0.01 (from 20 seeds); the
    /// intervals hold the closed form.
    #[test]
    fn pairs_give_the_indices_of_ishigami() {
        let y: Vec<f64> = drawn("saltelli:4096").into_iter().map(ishigami).collect();
        let (first, total) = closed_form();
        for i in 0..3 {
            let pairs = SamplePairs::new(
                y.chunks_exact(5)
                    .map(|block| [block[0], block[i + 1], block[4]]),
            );
            for (found, expected) in [
                (pairs.first_order().unwrap(), first[i]),
                (pairs.total_order().unwrap(), total[i]),
            ] {
                assert!(
                    (found.value - expected).abs() < 0.02,
                    "{i}: {found:?} {expected}"
                );
                assert!(
                    found.low < expected + 1e-9 && expected - 1e-9 < found.high,
                    "{i}: {found:?} {expected}"
                );
                assert!(found.high - found.low < 0.2, "{found:?}");
            }
        }
    }

    /// Classes of 1/32 of the range hide 1e-3 of the variance, and chance makes some 0.02.
    #[test]
    fn classes_give_the_first_order_of_ishigami() {
        for design in ["lhs:4096", "sobol:4096"] {
            let x = drawn(design);
            let y: Vec<f64> = x.iter().map(|x| ishigami(*x)).collect();
            for (i, expected) in closed_form().0.into_iter().enumerate() {
                let parameter: Vec<f64> = x.iter().map(|x| x[i]).collect();
                let found = SampleClasses::new(&parameter, &y)
                    .first_order(design.starts_with("sobol"))
                    .unwrap();
                assert!(
                    (found.value - expected).abs() < 0.03,
                    "{design} {i}: {found:?} {expected}"
                );
                let holds = found.low < expected && expected < found.high;
                assert!(
                    holds || design.starts_with("sobol"),
                    "{design} {i}: {found:?}"
                );
            }
        }
    }

    /// y = 3 a − 4 b far from 0: indices 9/25 and 16/25, correlations 3/5 and −4/5.
    #[test]
    fn a_linear_model_gives_its_shares() {
        let x = drawn("saltelli:1024");
        let y: Vec<f64> = x.iter().map(|x| 1e6 + 3.0 * x[0] - 4.0 * x[1]).collect();
        for (i, share) in [9.0 / 25.0, 16.0 / 25.0, 0.0].into_iter().enumerate() {
            let pairs = SamplePairs::new(
                y.chunks_exact(5)
                    .map(|block| [block[0], block[i + 1], block[4]]),
            );
            let (first, total) = (pairs.first_order().unwrap(), pairs.total_order().unwrap());
            assert!((first.value - share).abs() < 0.01, "{i}: {first:?}");
            assert!((total.value - share).abs() < 0.01, "{i}: {total:?}");
        }
        let rows: Vec<usize> = (0..x.len()).filter(|case| case % 5 == 0).collect();
        let y: Vec<f64> = rows.iter().map(|&case| y[case]).collect();
        for (i, expected) in [0.6, -0.8, 0.0].into_iter().enumerate() {
            let x: Vec<f64> = rows.iter().map(|&case| x[case][i]).collect();
            assert!((pearson(&x, &y).unwrap() - expected).abs() < 0.01);
            // of normal and uniform variables alike the two differ by a few hundredths
            assert!((pearson(&ranks(&x), &ranks(&y)).unwrap() - expected).abs() < 0.05);
        }
    }

    #[test]
    fn ranks_are_shared_by_equal_values() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        let cubed: Vec<f64> = (0..9).map(|i| f64::from(i).powi(3)).collect();
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        assert!(pearson(&ranks(&x), &ranks(&cubed)).unwrap() > 1.0 - 1e-15);
        assert_eq!(pearson(&x, &[2.0; 9]), None);
    }

    #[test]
    fn main_effects_are_means_of_classes() {
        let x: Vec<f64> = (0..24).rev().map(f64::from).collect();
        let (places, means) = main_effect(&x, &x);
        assert_eq!(
            (places.len(), places[0], places[11]),
            (12, 1.0 / 24.0, 23.0 / 24.0)
        );
        assert_eq!((means[0], means[11]), (0.5, 22.5));
    }

    #[test]
    fn too_few_runs_give_no_indices() {
        let x: Vec<f64> = (0..30).map(f64::from).collect();
        assert!(SampleClasses::new(&x, &x).first_order(false).is_none());
        assert!(
            SamplePairs::new(x.chunks_exact(3).map(|c| [c[0], c[1], c[2]]))
                .first_order()
                .is_none()
        );
        assert!(SampleClasses::new(&[], &[]).first_order(false).is_none());
    }
}
