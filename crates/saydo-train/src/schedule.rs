//! How the learning rate changes over the steps.

use serde::{Deserialize, Serialize};

/// The shape of the learning rate after warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// The same all the way.
    Constant,
    /// Falls evenly to 0.
    Linear,
    /// Falls to 0 along a half wave.
    Cosine,
}

impl Schedule {
    /// The share of the greatest rate at a step, from 0, of so many, of which the first `warm_up` rise evenly.
    ///
    /// ```
    /// use saydo_train::Schedule;
    ///
    /// assert_eq!(Schedule::Linear.at(0, 100, 10), 0.1);
    /// assert_eq!(Schedule::Linear.at(55, 100, 10), 0.5);
    /// assert_eq!(Schedule::Constant.at(99, 100, 0), 1.0);
    /// ```
    pub fn at(self, step: usize, steps: usize, warm_up: usize) -> f64 {
        if step < warm_up {
            return (step + 1) as f64 / warm_up as f64;
        }
        let left = steps.saturating_sub(step) as f64 / steps.saturating_sub(warm_up).max(1) as f64;
        match self {
            Schedule::Constant => 1.0,
            Schedule::Linear => left.clamp(0.0, 1.0),
            Schedule::Cosine => 0.5 * (1.0 - (std::f64::consts::PI * left.clamp(0.0, 1.0)).cos()),
        }
    }
}
