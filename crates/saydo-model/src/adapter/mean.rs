//! A mean of adapters: what lies between two of which one goes on from the other.

use super::{Adapter, AdapterLayer};
use crate::Error;
use candle_core::Tensor;

impl Adapter {
    /// The mean of adapters, number by number, each with its share. They must change the same layers in the same way. A
    /// mean of products is not the product of means, so it is of use for adapters that are near each other.
    pub fn mean(parts: &[(Self, f64)]) -> Result<Self, Error> {
        let Some((first, _)) = parts.first() else {
            return Err(Error::AdapterFile("no parts, expected at least one".to_owned()));
        };
        let whole: f64 = parts.iter().map(|(_, share)| share).sum();
        for (part, _) in parts {
            first.check_alike(part)?;
        }
        let mean = |number: usize, half: fn(&AdapterLayer) -> &Tensor| -> Result<Tensor, Error> {
            let mut sum = half(&first.layers[number]).zeros_like()?;
            for (part, share) in parts {
                sum = (sum + (half(&part.layers[number]) * (share / whole))?)?;
            }
            Ok(sum)
        };
        let layer = |number: usize| {
            let name = first.layers[number].name.clone();
            Ok(AdapterLayer { name, down: mean(number, |layer| &layer.down)?, up: mean(number, |layer| &layer.up)? })
        };
        let layers = (0..first.layers.len()).map(layer).collect::<Result<_, Error>>()?;
        Ok(Self { config: first.config.clone(), layers })
    }

    /// Whether another adapter has the same layers of the same shapes, added with the same factor.
    fn check_alike(&self, other: &Self) -> Result<(), Error> {
        let shapes = |adapter: &Self| -> Vec<_> {
            let shape =
                |layer: &AdapterLayer| (layer.name.clone(), layer.down.dims().to_vec(), layer.up.dims().to_vec());
            adapter.layers.iter().map(shape).collect()
        };
        if shapes(self) != shapes(other) {
            let found = "other layers or another rank, expected those of the first one";
            return Err(Error::AdapterFile(found.to_owned()));
        }
        let (scale, expected) = (other.config.scale(), self.config.scale());
        if scale == expected {
            Ok(())
        } else {
            Err(Error::AdapterFile(format!("the factor {scale}, expected {expected} as the first one has")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::AdapterConfig;
    use candle_core::Device;

    fn adapter(value: f32, outputs: usize, alpha: f64) -> Adapter {
        let config = AdapterConfig {
            rank: 2,
            alpha,
            dropout: 0.0,
            target_modules: vec!["q_proj".to_owned()],
            use_rslora: false,
            fan_in_fan_out: false,
            base_model: None,
            peft_type: "LORA".to_owned(),
            task_type: None,
        };
        let full = |shape: (usize, usize)| Tensor::full(value, shape, &Device::Cpu).expect("a tensor");
        let layer = AdapterLayer { name: "0.q_proj".to_owned(), down: full((2, 3)), up: full((outputs, 2)) };
        Adapter { config, layers: vec![layer] }
    }

    #[test]
    fn each_number_is_the_mean_by_shares() {
        let mean = Adapter::mean(&[(adapter(1.0, 4, 8.0), 1.0), (adapter(5.0, 4, 8.0), 3.0)]).unwrap();
        let layer = &mean.layers[0];
        assert_eq!((layer.down.dims(), layer.up.dims()), (&[2, 3][..], &[4, 2][..]));
        for half in [&layer.down, &layer.up] {
            assert_eq!(half.flatten_all().unwrap().to_vec1::<f32>().unwrap(), vec![4.0; half.elem_count()]);
        }
    }

    #[test]
    fn others_than_the_first_are_refused() {
        let error =
            |other: Adapter| Adapter::mean(&[(adapter(1.0, 4, 8.0), 0.5), (other, 0.5)]).unwrap_err().to_string();
        insta::assert_snapshot!(error(adapter(1.0, 5, 8.0)), @"the adapter has other layers or another rank, expected those of the first one");
        insta::assert_snapshot!(error(adapter(1.0, 4, 9.0)), @"the adapter has the factor 4.5, expected 4 as the first one has");
    }
}
