//! Dropout whose draws follow from where they are made: the same layer at the same moment drops the same values, so that
//! resumed training is the training it goes on with, and nothing random has to be kept.

use crate::Error;
use candle_core::Tensor;
use saydo_random::mix;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// When a draw is made, for all layers of a network; outside of training, never.
#[derive(Debug, Default)]
pub struct Moment(AtomicU64);

impl Moment {
    /// Values are dropped from now on, by these numbers: a seed, a step, and which pass of it.
    pub fn begin(&self, numbers: [u64; 3]) {
        let mixed = numbers.into_iter().fold(0, |state, number| mix(state ^ mix(number.wrapping_add(1))));
        // 0 means that nothing is dropped.
        self.0.store(mixed | 1, Ordering::Relaxed);
    }

    /// Nothing is dropped from now on.
    pub fn end(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// What a pass drops inside a network, draw by draw: the same pass at the same moment drops the same values.
#[derive(Debug, Clone)]
pub struct Draws {
    state: u64,
    next: u64,
}

impl Draws {
    /// The draws of one of the passes of a moment; none outside of training.
    pub fn of(moment: &Moment, pass: u64) -> Option<Self> {
        let moment = moment.0.load(Ordering::Relaxed);
        // Layers with draws of their own have low numbers.
        (moment != 0).then(|| Self { state: mix(moment ^ mix(u64::MAX - pass)), next: 0 })
    }

    /// x with a share of its values dropped.
    pub fn apply(&mut self, x: &Tensor, share: f64) -> Result<Tensor, Error> {
        self.next += 1;
        dropped(x, share, mix(self.state ^ mix(self.next)))
    }
}

/// Sets a share of values to 0, by draws from `start`, and makes up for it with the rest.
fn dropped(x: &Tensor, share: f64, start: u64) -> Result<Tensor, Error> {
    if share <= 0.0 {
        return Ok(x.clone());
    }
    let kept = (1.0 / (1.0 - share)) as f32;
    let least = (share * 2_f64.powi(64)) as u64;
    let factor = |i: u64| if mix(start.wrapping_add(i)) < least { 0.0 } else { kept };
    let mask: Vec<f32> = (0..x.elem_count() as u64).map(factor).collect();
    Ok((x * Tensor::from_vec(mask, x.shape(), x.device())?)?)
}

/// Sets a share of values to 0 and makes up for it with the rest.
#[derive(Debug, Clone)]
pub struct Dropout {
    /// The share, from 0 to below 1.
    pub share: f64,
    /// Tells one layer from another.
    pub layer: u64,
    /// When.
    pub moment: Arc<Moment>,
}

impl Dropout {
    /// x with a share of its values dropped; x itself when it is not the moment.
    pub fn apply(&self, x: &Tensor) -> Result<Tensor, Error> {
        let moment = self.moment.0.load(Ordering::Relaxed);
        if moment == 0 {
            return Ok(x.clone());
        }
        dropped(x, self.share, mix(moment ^ mix(self.layer.wrapping_add(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_share_is_dropped_the_same_at_the_same_moment_and_nothing_outside() {
        let moment = Arc::new(Moment::default());
        let layer = |layer| Dropout { share: 0.25, layer, moment: Arc::clone(&moment) };
        let ones = Tensor::ones((100, 100), candle_core::DType::F32, &Device::Cpu).unwrap();
        let values = |layer: &Dropout| layer.apply(&ones).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert!(values(&layer(0)).iter().all(|x| *x == 1.0));
        moment.begin([7, 3, 0]);
        let first = values(&layer(0));
        let dropped = first.iter().filter(|x| **x == 0.0).count();
        assert!((2300..2700).contains(&dropped), "{dropped} of 10,000");
        assert!(first.iter().all(|x| *x == 0.0 || (*x - 4.0 / 3.0).abs() < 1e-6));
        assert_ne!(values(&layer(1)), first);
        moment.begin([7, 4, 0]);
        assert_ne!(values(&layer(0)), first);
        moment.begin([7, 3, 0]);
        assert_eq!(values(&layer(0)), first);
        moment.end();
        assert!(values(&layer(0)).iter().all(|x| *x == 1.0));
    }

    #[test]
    fn each_draw_of_a_pass_drops_other_values_and_the_same_pass_the_same() {
        let moment = Moment::default();
        assert!(Draws::of(&moment, 0).is_none(), "nothing is dropped outside of training");
        moment.begin([7, 3, 0]);
        let ones = Tensor::ones((100, 100), candle_core::DType::F32, &Device::Cpu).unwrap();
        let two = |pass: u64| {
            let mut draws = Draws::of(&moment, pass).unwrap();
            let mut draw = || draws.apply(&ones, 0.1).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
            [draw(), draw()]
        };
        let [first, second] = two(0);
        let dropped = first.iter().filter(|x| **x == 0.0).count();
        assert!((900..1100).contains(&dropped), "{dropped} of 10,000");
        assert_ne!(first, second);
        assert_ne!(two(1)[0], first);
        assert_eq!(two(0), [first, second]);
    }
}
