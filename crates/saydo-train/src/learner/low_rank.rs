//! Low-rank additions to linear layers learn; the weights stay.

use crate::{Error, Learned, Parameter, Parameters};
use candle_core::{DType, Device, Tensor, Var};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use saydo_model::adapter::{Adapter, AdapterConfig, AdapterLayer, OutputOrder, layer_of};
use saydo_model::arch::Network;
use saydo_model::nn::{Dropout, LowRank, Matrix, Moment};
use saydo_model::weights::Weights;
use std::sync::Arc;

pub(super) struct LowRanks {
    config: AdapterConfig,
    orders: OutputOrder,
    layers: Vec<Layer>,
}

/// The addition to one layer of a checkpoint. Where the network computes it in parts, they share A, and each has the rows
/// of B that are its own.
struct Layer {
    name: String,
    down: Var,
    ups: Vec<Var>,
}

impl LowRanks {
    /// Attaches additions, which are nothing at first, to the layers that are asked for.
    pub fn attach(
        network: &mut Network,
        weights: &Weights,
        learned: &Learned,
        seed: u64,
        moment: &Arc<Moment>,
    ) -> Result<(Parameters, Self), Error> {
        let Learned::Adapter { rank, alpha, dropout, targets } = learned else {
            unreachable!("the caller chose an adapter")
        };
        let orders = OutputOrder::of(network);
        let has_encoder = network.decoder_start().is_some();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut parameters, mut layers): (Parameters, Vec<Layer>) = (Vec::new(), Vec::new());
        let mut known: Vec<String> = Vec::new();
        for linear in network.linears_mut() {
            let (name, part) = layer_of(linear.name());
            let name = name.to_owned();
            let kind = last_part(&name);
            let is_target = if targets.is_empty() { kind != "lm_head" } else { targets.contains(&kind) };
            if !known.contains(&kind) {
                known.push(kind);
            }
            if !is_target {
                continue;
            }
            let (outputs, inputs) = (linear.matrix().outputs(), linear.matrix().inputs());
            let up = Var::zeros((outputs, *rank), DType::F32, &Device::Cpu)?;
            let of_parts = part.map_or_else(String::new, |part| format!(".{part}"));
            let parameter = |name: String, value: &Var| Parameter { name, value: value.clone(), decays: true };
            let number = match layers.iter().position(|layer| part.is_some() && layer.name == name) {
                Some(number) => number,
                None => {
                    let down = start(*rank, inputs, &mut random)?;
                    parameters.push(parameter(format!("{name}.lora_A"), &down));
                    layers.push(Layer { name: name.clone(), down, ups: Vec::new() });
                    layers.len() - 1
                }
            };
            parameters.push(parameter(format!("{name}.lora_B{of_parts}"), &up));
            linear.set_low_rank(Some(LowRank {
                down: Matrix::Plain(layers[number].down.as_tensor().clone()),
                up: Matrix::Plain(up.as_tensor().clone()),
                scale: alpha / *rank as f64,
                // Parts of a layer drop the same values: it is one layer.
                dropout: (*dropout > 0.0).then(|| Dropout {
                    share: *dropout,
                    layer: number as u64,
                    moment: Arc::clone(moment),
                }),
            }));
            layers[number].ups.push(up);
        }
        // Every name must be there: a misspelled one would be missed in silence.
        if layers.is_empty() || targets.iter().any(|target| !known.contains(target)) {
            return Err(Error::NoTarget { targets: targets.clone(), known });
        }
        let all = || known.into_iter().filter(|kind| kind != "lm_head").collect();
        let config = AdapterConfig {
            rank: *rank,
            alpha: *alpha,
            dropout: *dropout,
            target_modules: if targets.is_empty() { all() } else { targets.clone() },
            use_rslora: false,
            fan_in_fan_out: weights.config().model_type()? == "gpt2",
            base_model: None,
            peft_type: "LORA".to_owned(),
            task_type: Some(if has_encoder { "SEQ_2_SEQ_LM" } else { "CAUSAL_LM" }.to_owned()),
        };
        Ok((parameters, Self { config, orders, layers }))
    }

    pub fn start_from(&self, adapter: &Adapter) -> Result<(), Error> {
        let missing = |name: &str| saydo_model::Error::AdapterLayer { name: name.to_owned() };
        for layer in &adapter.layers {
            let place = self.layers.iter().find(|place| place.name == layer.name);
            let place = place.filter(|place| place.down.dims() == layer.down.dims());
            let place = place.ok_or_else(|| missing(&layer.name))?;
            place.down.set(&layer.down)?;
            let up = self.orders.to_network(&layer.name, &layer.up)?;
            let mut first = 0;
            for own in &place.ups {
                let rows = own.dims()[0];
                if first + rows > up.dims()[0] {
                    return Err(missing(&layer.name).into());
                }
                own.set(&up.narrow(0, first, rows)?.contiguous()?)?;
                first += rows;
            }
        }
        if adapter.layers.len() != self.layers.len() {
            let found = format!("{} of {} layers", adapter.layers.len(), self.layers.len());
            return Err(saydo_model::Error::AdapterFile(found).into());
        }
        Ok(())
    }

    pub fn adapter(&self) -> Result<Adapter, Error> {
        let layer = |layer: &Layer| {
            let ups: Vec<Tensor> = layer.ups.iter().map(|up| up.as_tensor().detach()).collect();
            let up = self.orders.to_checkpoint(&layer.name, &Tensor::cat(&ups, 0)?)?;
            let down = layer.down.as_tensor().detach().copy()?;
            Ok(AdapterLayer { name: layer.name.clone(), down, up: up.copy()? })
        };
        let layers = self.layers.iter().map(layer).collect::<Result<Vec<_>, Error>>()?;
        Ok(Adapter { config: self.config.clone(), layers })
    }
}

/// Evenly spread up to one over the root of the inputs, as PEFT starts A.
fn start(rank: usize, inputs: usize, random: &mut ChaCha8Rng) -> Result<Var, Error> {
    let bound = (inputs as f32).sqrt().recip();
    let mut uniform = || (random.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0) * bound;
    let values: Vec<f32> = (0..rank * inputs).map(|_| uniform()).collect();
    Ok(Var::from_vec(values, (rank, inputs), &Device::Cpu)?)
}

fn last_part(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}
