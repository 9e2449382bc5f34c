//! From gradients to new values.

mod adafactor;
mod adam_w;

use crate::parameter::Gradients;
use crate::{Error, Parameter};
use adafactor::Adafactor;
use adam_w::AdamW;
use serde::{Deserialize, Serialize};

/// Which rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimizerKind {
    /// Adam with decoupled weight decay.
    AdamW {
        /// Decay of the mean.
        beta1: f64,
        /// Decay of the mean of squares.
        beta2: f64,
        /// Keeps divisors from 0.
        epsilon: f64,
        /// Share of a matrix that is taken off at each step, times the learning rate.
        weight_decay: f64,
    },
    /// Adafactor with a given learning rate: T5's own.
    Adafactor {
        /// Share of a matrix that is taken off at each step, times the learning rate.
        weight_decay: f64,
    },
}

impl Default for OptimizerKind {
    fn default() -> Self {
        Self::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0 }
    }
}

/// The rule and what it remembers of each parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Optimizer {
    /// AdamW.
    AdamW(AdamW),
    /// Adafactor.
    Adafactor(Adafactor),
}

impl Optimizer {
    /// A rule that remembers nothing yet.
    pub fn new(kind: OptimizerKind, parameters: &[Parameter]) -> Self {
        match kind {
            OptimizerKind::AdamW { .. } => Self::AdamW(AdamW::new(kind, parameters)),
            OptimizerKind::Adafactor { weight_decay } => Self::Adafactor(Adafactor::new(weight_decay, parameters)),
        }
    }

    /// Changes the parameters by one step.
    pub(crate) fn step(&mut self, parameters: &[Parameter], gradients: &Gradients, rate: f64) -> Result<(), Error> {
        match self {
            Self::AdamW(rule) => rule.step(parameters, gradients, rate),
            Self::Adafactor(rule) => rule.step(parameters, gradients, rate),
        }
    }

    /// What it remembers, as named runs of numbers.
    pub(crate) fn state(&self) -> Vec<(String, Vec<f32>)> {
        match self {
            Self::AdamW(rule) => rule.state(),
            Self::Adafactor(rule) => rule.state(),
        }
    }

    /// Takes back what [`Self::state`] gave; false if it does not fit.
    pub(crate) fn restore(&mut self, state: Vec<(String, Vec<f32>)>, steps: usize) -> bool {
        match self {
            Self::AdamW(rule) => rule.restore(state, steps),
            Self::Adafactor(rule) => rule.restore(state, steps),
        }
    }
}
