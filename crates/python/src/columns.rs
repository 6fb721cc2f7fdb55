//! Columns of numbers: from arrays, checked, and cut into parts.

use std::borrow::Cow;
use std::ops::Range;

use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

/// Points that are evaluated together: few enough for the caches, and whole blocks of the pool.
pub(crate) const CHUNK: usize = 4096;

/// What an argument holds, for its errors.
#[derive(Clone, Copy)]
pub(crate) struct ArgumentMeaning {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    /// The least value, and whether it is one itself.
    least: Option<f64>,
    is_open: bool,
    /// Whether an entry is named by its component first, as in an array of states.
    component_first: bool,
}

impl ArgumentMeaning {
    /// Any finite number.
    pub(crate) const fn finite(name: &'static str, unit: &'static str) -> Self {
        Self {
            name,
            unit,
            least: None,
            is_open: false,
            component_first: false,
        }
    }

    /// The states of a law: any finite numbers, without a common unit.
    pub(crate) const fn states(name: &'static str) -> Self {
        Self {
            component_first: true,
            ..Self::finite(name, "")
        }
    }

    /// Zero or more.
    pub(crate) const fn not_negative(name: &'static str, unit: &'static str) -> Self {
        Self {
            least: Some(0.0),
            ..Self::finite(name, unit)
        }
    }

    /// More than zero.
    pub(crate) const fn positive(name: &'static str, unit: &'static str) -> Self {
        Self {
            is_open: true,
            ..Self::not_negative(name, unit)
        }
    }

    fn admits(&self, x: f64) -> bool {
        x.is_finite()
            && self
                .least
                .is_none_or(|least| x > least || !self.is_open && x >= least)
    }

    fn refuse(&self, place: &str, x: f64) -> PyErr {
        let Self { name, unit, .. } = self;
        let allowed = match (self.least.is_some(), self.is_open) {
            (false, _) => "a finite number",
            (true, false) => "a finite number, 0 or more",
            (true, true) => "a finite number above 0",
        };
        PyValueError::new_err(format!("{name}{place} = {x} {unit}, must be {allowed}"))
    }

    /// Whether all numbers are admitted, at a glance; where it says no, each is to be looked at.
    fn looks_right(&self, column: &[f64]) -> bool {
        let signs = exponents_and_signs(column);
        // where there is a least value it is 0; −0 has a sign, and is admitted
        signs.all_finite && (self.least.is_none() || signs.none_negative && !self.is_open)
    }
}

/// Numbers of an argument that are to be checked: one for each point.
pub(crate) struct ArgumentColumn<'a> {
    pub(crate) meaning: ArgumentMeaning,
    pub(crate) numbers: &'a [f64],
    /// Which row it is of an argument with several.
    pub(crate) component: Option<usize>,
}

impl<'a> ArgumentColumn<'a> {
    /// An argument with a number for each point.
    pub(crate) fn alone(meaning: ArgumentMeaning, numbers: &'a [f64]) -> Self {
        Self {
            meaning,
            numbers,
            component: None,
        }
    }

    /// The columns of an argument with several components.
    pub(crate) fn of_rows(
        meaning: ArgumentMeaning,
        rows: &'a [Cow<'_, [f64]>],
    ) -> impl Iterator<Item = Self> {
        let has_one = rows.len() == 1 && !meaning.component_first;
        rows.iter().enumerate().map(move |(k, row)| Self {
            meaning,
            numbers: row,
            component: (!has_one).then_some(k),
        })
    }

    /// Whether it is the same numbers with the same range.
    fn is_same_check(&self, other: &Self) -> bool {
        std::ptr::eq(self.numbers, other.numbers)
            && self.meaning.least == other.meaning.least
            && self.meaning.is_open == other.meaning.is_open
    }

    /// Refuses the first number that is not admitted.
    fn check(&self) -> PyResult<()> {
        if self.meaning.looks_right(self.numbers) {
            return Ok(());
        }
        let Some(i) = self.numbers.iter().position(|x| !self.meaning.admits(*x)) else {
            return Ok(());
        };
        let place = match self.component {
            Some(k) if self.meaning.component_first => format!("[{k}, {i}]"),
            Some(k) => format!("[{i}, {k}]"),
            None => format!("[{i}]"),
        };
        Err(self.meaning.refuse(&place, self.numbers[i]))
    }
}

/// Refuses the first number that is not admitted, before any is computed with.
///
/// Large arrays are read from memory once more for that, those that come twice not a third time.
pub(crate) fn check_all(mut columns: Vec<ArgumentColumn<'_>>) -> PyResult<()> {
    let mut k = 0;
    while k < columns.len() {
        let (before, from) = columns.split_at(k);
        if before.iter().any(|one| one.is_same_check(&from[0])) {
            columns.remove(k);
        } else {
            k += 1;
        }
    }
    columns.iter().try_for_each(ArgumentColumn::check)
}

/// What the bits of all entries say together.
struct ColumnSigns {
    /// Whether no entry is infinite or not a number.
    all_finite: bool,
    /// Whether no entry has a sign; −0 has one.
    none_negative: bool,
}

/// One pass without branches, by the widest vector instructions that the processor has.
fn exponents_and_signs(column: &[f64]) -> ColumnSigns {
    pulp::Arch::new().dispatch(SignsOf(column))
}

struct SignsOf<'a>(&'a [f64]);

impl pulp::WithSimd for SignsOf<'_> {
    type Output = ColumnSigns;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> ColumnSigns {
        const EXPONENT: u64 = 0x7ff << 52;
        let together = self.0.iter().fold((0, 0), |(carries, signs), x| {
            let bits = x.to_bits();
            (carries | ((bits & EXPONENT) + (1 << 52)), signs | bits)
        });
        ColumnSigns {
            all_finite: together.0 >> 63 == 0,
            none_negative: together.1 >> 63 == 0,
        }
    }
}

/// One number for all points, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    One(f64),
    Each(&'a [f64]),
}

/// [`Numbers`] with the array that holds them.
pub(crate) enum NumbersOf<'py> {
    One(f64),
    Each(PyReadonlyArray1<'py, f64>, ArgumentMeaning),
}

impl<'py> NumbersOf<'py> {
    /// A float, which is checked, or a contiguous array with one entry for each of `n` points, which
    /// is to be checked by [`check_all`].
    pub(crate) fn read(
        object: &Bound<'py, PyAny>,
        meaning: ArgumentMeaning,
        n: usize,
    ) -> PyResult<Self> {
        if let Ok(x) = object.cast::<PyFloat>() {
            let x = x.extract()?;
            if !meaning.admits(x) {
                return Err(meaning.refuse("", x));
            }
            return Ok(Self::One(x));
        }
        let array = object.cast::<PyArray1<f64>>().map_err(|_| {
            let kind = object.get_type().to_string();
            PyTypeError::new_err(format!(
                "{} is {kind}, must be a float or an array",
                meaning.name
            ))
        })?;
        let array = array.try_readonly().map_err(borrowed(meaning.name))?;
        let column = array.as_slice().map_err(|_| strided(meaning.name))?;
        if column.len() != n {
            let (name, found) = (meaning.name, column.len());
            let message = format!("{name} has {found} entries, velocity has {n} points");
            return Err(PyValueError::new_err(message));
        }
        Ok(Self::Each(array, meaning))
    }

    pub(crate) fn numbers(&self) -> PyResult<Numbers<'_>> {
        Ok(match self {
            Self::One(x) => Numbers::One(*x),
            Self::Each(array, meaning) => {
                Numbers::Each(array.as_slice().map_err(|_| strided(meaning.name))?)
            }
        })
    }

    /// What is to be checked.
    pub(crate) fn column(&self) -> PyResult<Option<ArgumentColumn<'_>>> {
        Ok(match (self, self.numbers()?) {
            (Self::Each(_, meaning), Numbers::Each(numbers)) => {
                Some(ArgumentColumn::alone(*meaning, numbers))
            }
            _ => None,
        })
    }
}

fn strided(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name} is not contiguous"))
}

/// The error of an array that is also written to by the same call, or by another thread.
pub(crate) fn borrowed<E>(name: &'static str) -> impl Fn(E) -> PyErr {
    move |_| {
        PyValueError::new_err(format!(
            "{name} shares memory with an array that is being written to; give a copy of it"
        ))
    }
}

impl<'a> Numbers<'a> {
    /// A column to take parts of where all of `n` points have one number.
    pub(crate) fn constant(self, n: usize) -> Vec<f64> {
        match self {
            Self::One(x) => vec![x; n.min(CHUNK)],
            Self::Each(_) => Vec::new(),
        }
    }

    /// The numbers of some points, at most [`CHUNK`].
    pub(crate) fn part<'b>(self, range: Range<usize>, constant: &'b [f64]) -> &'b [f64]
    where
        'a: 'b,
    {
        match self {
            Self::One(_) => &constant[..range.len()],
            Self::Each(column) => &column[range],
        }
    }

    /// The number of one point.
    pub(crate) fn at(self, i: usize) -> f64 {
        match self {
            Self::One(x) => x,
            Self::Each(column) => column[i],
        }
    }
}

/// The rows of an array, one for each component, as columns; copied where they are strided.
pub(crate) fn rows<'a>(array: &'a ArrayView2<'_, f64>) -> Vec<Cow<'a, [f64]>> {
    let rows = array.rows().into_iter();
    rows.map(|row| match row.to_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(row.to_vec()),
    })
    .collect()
}

/// Columns of `n` numbers that lie one after the other.
pub(crate) fn columns_mut(flat: &mut [f64], n: usize) -> Vec<&mut [f64]> {
    if n == 0 {
        return Vec::new();
    }
    flat.chunks_exact_mut(n).collect()
}

/// For every part of `share` points, its part of every column.
pub(crate) fn parts<'a>(
    columns: Vec<&'a mut [f64]>,
    n: usize,
    share: usize,
) -> Vec<Vec<&'a mut [f64]>> {
    let count = n.div_ceil(share.max(1));
    let mut parts: Vec<Vec<&'a mut [f64]>> = (0..count).map(|_| Vec::new()).collect();
    for column in columns {
        for (part, piece) in parts.iter_mut().zip(column.chunks_mut(share.max(1))) {
            part.push(piece);
        }
    }
    parts
}
