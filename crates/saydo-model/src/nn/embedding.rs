//! Tables with a row for each token or position.

use super::linear::Matrix;
use super::values::tensor;
use crate::Error;
use crate::kernel::Pool;
use candle_core::Tensor;

/// A table of shape (rows, width).
#[derive(Clone)]
pub struct Embedding {
    matrix: Matrix,
}

impl Embedding {
    /// The rows of this matrix.
    pub fn new(matrix: Matrix) -> Self {
        Self { matrix }
    }

    /// The matrix, to tie an output head to it.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The rows with these numbers, shape (numbers, width). A number beyond the table is an error.
    pub fn forward(&self, numbers: &[u32], pool: &Pool) -> Result<Tensor, Error> {
        let size = self.matrix.outputs();
        if let Some(token) = numbers.iter().find(|number| **number as usize >= size) {
            return Err(Error::UnknownToken { token: *token, size });
        }
        match &self.matrix {
            Matrix::Packed(matrix) => {
                let mut out = vec![0.0; numbers.len() * matrix.cols()];
                pool.fill_rows(&mut out, matrix.cols(), |first, rows| {
                    for (number, row) in numbers[first..].iter().zip(rows.chunks_exact_mut(matrix.cols())) {
                        matrix.row(*number as usize, row);
                    }
                });
                tensor(out, (numbers.len(), matrix.cols()))
            }
            Matrix::Rounded(matrix) => {
                let mut out = vec![0.0; numbers.len() * matrix.inputs];
                for (number, row) in numbers.iter().zip(out.chunks_exact_mut(matrix.inputs)) {
                    matrix.row(*number as usize, row);
                }
                tensor(out, (numbers.len(), matrix.inputs))
            }
            Matrix::Plain(weight) => {
                let numbers = Tensor::new(numbers, weight.device())?;
                Ok(weight.index_select(&numbers, 0)?)
            }
        }
    }
}
