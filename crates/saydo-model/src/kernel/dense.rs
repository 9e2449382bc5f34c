//! Products of matrices of floats that lie anywhere in slices: rows, columns and transposes without copies.
#![expect(unsafe_code, reason = "the product takes pointers; views check that they stay within their slices")]

use gemm::{Parallelism, gemm};

/// A matrix in a slice.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> View<'a> {
    /// Rows of `columns` values, end to end.
    pub fn new(values: &'a [f32], columns: usize) -> Self {
        assert!(columns > 0 && values.len().is_multiple_of(columns), "values are not rows of {columns}");
        Self { values, rows: values.len() / columns, columns, row_stride: columns, column_stride: 1 }
    }

    /// Some of the rows.
    pub fn rows(self, rows: std::ops::Range<usize>) -> Self {
        assert!(rows.start <= rows.end && rows.end <= self.rows, "rows {rows:?} of {}", self.rows);
        let values = if rows.is_empty() { &[] } else { &self.values[rows.start * self.row_stride..] };
        Self { values, rows: rows.len(), ..self }
    }

    /// Some of the columns.
    pub fn columns(self, columns: std::ops::Range<usize>) -> Self {
        assert!(columns.start <= columns.end && columns.end <= self.columns, "columns {columns:?} of {}", self.columns);
        let values =
            if columns.is_empty() || self.rows == 0 { &[] } else { &self.values[columns.start * self.column_stride..] };
        Self { values, columns: columns.len(), ..self }
    }

    /// The values of one row, which must lie end to end.
    pub fn row(self, row: usize) -> &'a [f32] {
        assert!(self.column_stride == 1 && row < self.rows, "row {row} of {} does not lie end to end", self.rows);
        &self.values[row * self.row_stride..][..self.columns]
    }

    /// Rows and columns.
    pub fn shape(self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The value at a row and a column.
    pub fn at(self, row: usize, column: usize) -> f32 {
        assert!(row < self.rows && column < self.columns, "{row}, {column} of {} × {}", self.rows, self.columns);
        self.values[row * self.row_stride + column * self.column_stride]
    }

    /// Rows become columns.
    pub fn t(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    /// How far the last value lies from the first.
    fn reach(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return 0;
        }
        (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride + 1
    }
}

/// What becomes of the values that a product is written over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// They are replaced.
    Over,
    /// The product is added to them.
    Add,
}

/// out = scale × a b, or that added to out. Rows of `out` begin `stride` values apart. On all of rayon's threads, or on
/// this one alone.
pub(crate) fn multiply(
    (out, stride, write): (&mut [f32], usize, Write),
    a: View<'_>,
    b: View<'_>,
    scale: f32,
    is_parallel: bool,
) {
    let (m, n, k) = (a.rows, b.columns, a.columns);
    assert_eq!(k, b.rows, "a product of {m} × {k} and {} × {n}", b.rows);
    if m == 0 || n == 0 || (k == 0 && write == Write::Add) {
        return;
    }
    assert!(n <= stride && (m - 1) * stride + n <= out.len(), "{m} × {n} results in {} places", out.len());
    assert!(a.reach() <= a.values.len() && b.reach() <= b.values.len(), "a matrix reaches beyond its values");
    let threads = if is_parallel { Parallelism::Rayon(rayon::current_num_threads()) } else { Parallelism::None };
    // SAFETY: by the checks above every value of the three matrices lies within its slice, and `out` is borrowed alone.
    unsafe {
        gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            stride as isize,
            write == Write::Add,
            a.values.as_ptr(),
            a.column_stride as isize,
            a.row_stride as isize,
            b.values.as_ptr(),
            b.column_stride as isize,
            b.row_stride as isize,
            1.0,
            scale,
            false,
            false,
            false,
            threads,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 % 97) as f32 - 48.0) / 16.0).collect()
    }

    #[test]
    fn parts_and_transposes_multiply_like_copies_of_them() {
        let (a, b) = (values(7 * 10), values(6 * 12));
        // Rows 1..5 and columns 2..8 of a, times the transpose of columns 3..9 of b.
        let (left, right) = (View::new(&a, 10).rows(1..5).columns(2..8), View::new(&b, 12).columns(3..9).t());
        let mut out = vec![1.0; 4 * 9];
        for (write, was) in [(Write::Over, 0.0), (Write::Add, 1.0)] {
            out.fill(1.0);
            multiply((&mut out, 9, write), left, right, 0.5, false);
            for i in 0..4 {
                for j in 0..6 {
                    let exact: f32 = (0..6).map(|x| a[(i + 1) * 10 + 2 + x] * b[j * 12 + 3 + x]).sum();
                    assert!((out[i * 9 + j] - was - 0.5 * exact).abs() < 1e-4);
                }
                assert!(out[i * 9 + 6..(i + 1) * 9].iter().all(|x| *x == 1.0), "values between rows are left alone");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a product of")]
    fn sizes_must_agree() {
        multiply((&mut [0.0; 4], 2, Write::Over), View::new(&[1.0; 4], 2), View::new(&[1.0; 6], 2), 1.0, false);
    }
}
