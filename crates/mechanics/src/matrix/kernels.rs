//! Elimination on small dense blocks, each stored by rows.

/// a·b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// P A = L U in place, with rows exchanged; the diagonal holds the inverse pivots.
pub(super) fn dense_factors(a: &mut [f64], pivots: &mut [usize]) -> Result<(), usize> {
    let n = pivots.len();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        pivots[k] = pivot;
        if pivot != k {
            for j in 0..n {
                a.swap(k * n + j, pivot * n + j);
            }
        }
        let diagonal = a[k * n + k];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return Err(k);
        }
        let inverse = 1.0 / diagonal;
        a[k * n + k] = inverse;
        let (upper, lower) = a.split_at_mut((k + 1) * n);
        let row = &upper[k * n + k + 1..];
        for other in lower.chunks_exact_mut(n) {
            let factor = other[k] * inverse;
            other[k] = factor;
            for (x, r) in other[k + 1..].iter_mut().zip(row) {
                *x -= factor * r;
            }
        }
    }
    Ok(())
}

/// B ← L⁻¹ P B for B of `m` columns.
pub(super) fn lower_solve(factors: &[f64], pivots: &[usize], b: &mut [f64], m: usize) {
    let n = pivots.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        if pivot != k {
            for j in 0..m {
                b.swap(k * m + j, pivot * m + j);
            }
        }
    }
    for i in 1..n {
        let (above, own) = b.split_at_mut(i * m);
        for (row, factor) in above.chunks_exact(m).zip(&factors[i * n..i * n + i]) {
            for (x, r) in own[..m].iter_mut().zip(row) {
                *x -= factor * r;
            }
        }
    }
}

/// C ← C U⁻¹ for rows of `n` entries.
pub(super) fn upper_solve_right(factors: &[f64], c: &mut [f64], n: usize) {
    for row in c.chunks_exact_mut(n) {
        for k in 0..n {
            let (own, rest) = row.split_at_mut(k + 1);
            let upper = &factors[k * n..(k + 1) * n];
            let x = own[k] * upper[k];
            own[k] = x;
            for (y, u) in rest.iter_mut().zip(&upper[k + 1..]) {
                *y -= x * u;
            }
        }
    }
}

/// A ← A − L U, with L of `n` columns.
pub(super) fn subtract_product(l: &[f64], u: &[f64], a: &mut [f64], n: usize) {
    if n == 6 && u.len() == 36 {
        // bodies that move freely, with loops of fixed length
        for (row, l) in a.chunks_exact_mut(6).zip(l.chunks_exact(6)) {
            for (x, u) in l.iter().zip(u.chunks_exact(6)) {
                for k in 0..6 {
                    row[k] -= x * u[k];
                }
            }
        }
        return;
    }
    let m = u.len() / n;
    for (row, l) in a.chunks_exact_mut(m).zip(l.chunks_exact(n)) {
        for (x, u) in l.iter().zip(u.chunks_exact(m)) {
            for (y, u) in row.iter_mut().zip(u) {
                *y -= x * u;
            }
        }
    }
}
