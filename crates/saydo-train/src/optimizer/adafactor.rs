//! Adafactor (Shazeer and Stern, 2018) with a given learning rate: a matrix's squares are remembered by row and column.
//!
//! Settings are those of T5's fine-tuning: no first moment, clipping of an update's root mean square at 1, decay of the
//! squares 1 − step^(−0.8), no scaling by the parameter.

use crate::parameter::{Gradients, set, values};
use crate::{Error, Parameter};

/// Added to squares.
const EPSILON: f32 = 1e-30;
/// The greatest root mean square of an update.
const CLIP: f32 = 1.0;
/// Exponent of the decay.
const DECAY: f64 = -0.8;

/// The rule, with the running squares of each parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Adafactor {
    weight_decay: f64,
    steps: usize,
    squares: Vec<Squares>,
}

#[derive(Debug, Clone, PartialEq)]
enum Squares {
    /// Of a matrix: the means of its rows and of its columns.
    Factored { rows: Vec<f32>, columns: Vec<f32> },
    /// Of anything else: of each value.
    Whole(Vec<f32>),
}

impl Squares {
    fn new(parameter: &Parameter) -> Self {
        match parameter.value.dims() {
            [rows, columns] => Self::Factored { rows: vec![0.0; *rows], columns: vec![0.0; *columns] },
            _ => Self::Whole(vec![0.0; parameter.value.elem_count()]),
        }
    }

    /// Takes in the squares of a gradient, and turns the gradient into an update.
    fn update(&mut self, gradient: &[f32], decay: f32) -> Vec<f32> {
        let mix = |old: &mut f32, new: f32| *old = decay * *old + (1.0 - decay) * new;
        match self {
            Self::Whole(squares) => {
                squares.iter_mut().zip(gradient).for_each(|(old, g)| mix(old, g * g + EPSILON));
                gradient.iter().zip(squares).map(|(g, square)| g / square.sqrt()).collect()
            }
            Self::Factored { rows, columns } => {
                let width = columns.len();
                let mut of_columns = vec![0.0; width];
                for (row, old) in gradient.chunks_exact(width).zip(rows.iter_mut()) {
                    let mut sum = 0.0;
                    for (g, column) in row.iter().zip(&mut of_columns) {
                        let square = g * g + EPSILON;
                        sum += square;
                        *column += square;
                    }
                    mix(old, sum / width as f32);
                }
                let height = rows.len() as f32;
                columns.iter_mut().zip(of_columns).for_each(|(old, sum)| mix(old, sum / height));
                let mean = rows.iter().sum::<f32>() / height;
                let by_row = rows.iter().map(|row| (row / mean).sqrt().recip());
                let by_column: Vec<f32> = columns.iter().map(|column| column.sqrt().recip()).collect();
                let rows = gradient.chunks_exact(width).zip(by_row);
                rows.flat_map(|(row, factor)| row.iter().zip(&by_column).map(move |(g, column)| g * factor * column))
                    .collect()
            }
        }
    }

    fn runs(&self) -> Vec<Vec<f32>> {
        match self {
            Self::Factored { rows, columns } => vec![rows.clone(), columns.clone()],
            Self::Whole(squares) => vec![squares.clone()],
        }
    }
}

impl Adafactor {
    pub(super) fn new(weight_decay: f64, parameters: &[Parameter]) -> Self {
        Self { weight_decay, steps: 0, squares: parameters.iter().map(Squares::new).collect() }
    }

    pub(super) fn step(&mut self, parameters: &[Parameter], gradients: &Gradients, rate: f64) -> Result<(), Error> {
        self.steps += 1;
        let decay = (1.0 - (self.steps as f64).powf(DECAY)) as f32;
        for ((parameter, gradient), squares) in parameters.iter().zip(&gradients.values).zip(&mut self.squares) {
            let update = squares.update(gradient, decay);
            let mean_square = update.iter().map(|x| x * x).sum::<f32>() / update.len().max(1) as f32;
            let factor = rate as f32 / (mean_square.sqrt() / CLIP).max(1.0);
            let kept = if parameter.decays { 1.0 - (rate * self.weight_decay) as f32 } else { 1.0 };
            let mut values = values(parameter)?;
            values.iter_mut().zip(update).for_each(|(value, change)| *value = *value * kept - factor * change);
            set(parameter, values)?;
        }
        Ok(())
    }

    pub(super) fn state(&self) -> Vec<(String, Vec<f32>)> {
        let runs = self.squares.iter().enumerate().flat_map(|(number, squares)| {
            let named = move |(part, run)| (format!("square.{number}.{part}"), run);
            squares.runs().into_iter().enumerate().map(named)
        });
        runs.collect()
    }

    pub(super) fn restore(&mut self, state: Vec<(String, Vec<f32>)>, steps: usize) -> bool {
        let mut given = state.into_iter().map(|(_, values)| values);
        let mut take = |place: &mut Vec<f32>| match given.next() {
            Some(values) if values.len() == place.len() => {
                *place = values;
                true
            }
            _ => false,
        };
        let mut fits = true;
        for squares in &mut self.squares {
            fits &= match squares {
                Squares::Factored { rows, columns } => take(rows) && take(columns),
                Squares::Whole(all) => take(all),
            };
        }
        self.steps = steps;
        fits && given.next().is_none()
    }
}
