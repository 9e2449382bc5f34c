//! Adam with decoupled weight decay (Loshchilov and Hutter, 2019), step for step as PyTorch computes it.

use super::OptimizerKind;
use crate::parameter::{Gradients, set, values};
use crate::{Error, Parameter};

/// The rule, with the running means of each parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct AdamW {
    beta1: f64,
    beta2: f64,
    epsilon: f64,
    weight_decay: f64,
    steps: i32,
    means: Vec<Vec<f32>>,
    squares: Vec<Vec<f32>>,
}

impl AdamW {
    pub(super) fn new(kind: OptimizerKind, parameters: &[Parameter]) -> Self {
        let OptimizerKind::AdamW { beta1, beta2, epsilon, weight_decay } = kind else {
            unreachable!("the caller chose this rule")
        };
        let zeros: Vec<Vec<f32>> = parameters.iter().map(|parameter| vec![0.0; parameter.value.elem_count()]).collect();
        Self { beta1, beta2, epsilon, weight_decay, steps: 0, means: zeros.clone(), squares: zeros }
    }

    pub(super) fn step(&mut self, parameters: &[Parameter], gradients: &Gradients, rate: f64) -> Result<(), Error> {
        self.steps += 1;
        let correction1 = 1.0 - self.beta1.powi(self.steps);
        let correction2 = (1.0 - self.beta2.powi(self.steps)).sqrt();
        let (beta1, beta2) = (self.beta1 as f32, self.beta2 as f32);
        for (number, parameter) in parameters.iter().enumerate() {
            let mut values = values(parameter)?;
            let decay = if parameter.decays { 1.0 - rate * self.weight_decay } else { 1.0 };
            let means = self.means[number].iter_mut().zip(&mut self.squares[number]);
            for ((value, gradient), (mean, square)) in values.iter_mut().zip(&gradients.values[number]).zip(means) {
                *mean += (gradient - *mean) * (1.0 - beta1);
                *square = beta2 * *square + (1.0 - beta2) * gradient * gradient;
                let divisor = f64::from(square.sqrt()) / correction2 + self.epsilon;
                let decayed = f64::from(*value) * decay;
                *value = (decayed - rate / correction1 * f64::from(*mean) / divisor) as f32;
            }
            set(parameter, values)?;
        }
        Ok(())
    }

    pub(super) fn state(&self) -> Vec<(String, Vec<f32>)> {
        let named = |name: &'static str, all: &[Vec<f32>]| {
            all.iter().enumerate().map(|(number, one)| (format!("{name}.{number}"), one.clone())).collect::<Vec<_>>()
        };
        [named("mean", &self.means), named("square", &self.squares)].concat()
    }

    pub(super) fn restore(&mut self, state: Vec<(String, Vec<f32>)>, steps: usize) -> bool {
        let fits = state.len() == 2 * self.means.len();
        let mut given = state.into_iter().map(|(_, values)| values);
        let places = self.means.iter_mut().chain(&mut self.squares);
        let all = places.map(|place| match given.next() {
            Some(values) if values.len() == place.len() => {
                *place = values;
                true
            }
            _ => false,
        });
        self.steps = steps as i32;
        all.fold(fits, |all, one| all && one)
    }
}
