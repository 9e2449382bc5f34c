//! A network with the parameters that change.

use crate::{Error, Learned, Pack, Parameter, Parameters};
use candle_core::{Device, Tensor, Var};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use saydo_model::adapter::{Adapter, AdapterConfig, AdapterLayer, OutputOrder};
use saydo_model::arch::Network;
use saydo_model::kernel::Pool;
use saydo_model::nn::{LowRank, Matrix, Pass, Span, cross_entropy};
use saydo_model::weights::Weights;

/// A network that learns.
pub struct Learner {
    network: Network,
    /// What changes, in a fixed order.
    pub parameters: Parameters,
    config: AdapterConfig,
    orders: OutputOrder,
    pool: Pool,
}

impl Learner {
    /// The network of these weights, opened for training, with what `learned` says ready to change. The seed decides
    /// where an adapter starts; its addition is nothing at first.
    pub fn new(weights: &Weights, learned: &Learned, seed: u64, threads: usize) -> Result<Self, Error> {
        let mut network = Network::load(weights)?;
        let orders = OutputOrder::of(&network);
        let Learned::Adapter { rank, alpha, targets } = learned;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = Vec::new();
        let mut known: Vec<String> = Vec::new();
        for linear in network.linears_mut() {
            let kind = last_part(linear.name());
            let is_target = if targets.is_empty() { kind != "lm_head" } else { targets.contains(&kind) };
            if !known.contains(&kind) {
                known.push(kind);
            }
            let Matrix::Plain(weight) = linear.matrix() else { continue };
            if !is_target {
                continue;
            }
            let (outputs, inputs) = weight.dims2()?;
            let down = start(*rank, inputs, &mut random)?;
            let up = Var::zeros((outputs, *rank), candle_core::DType::F32, &Device::Cpu)?;
            let name = linear.name().to_owned();
            linear.set_low_rank(Some(LowRank {
                down: Matrix::Plain(down.as_tensor().clone()),
                up: Matrix::Plain(up.as_tensor().clone()),
                scale: alpha / *rank as f64,
            }));
            parameters.push(Parameter { name: format!("{name}.lora_A"), value: down, decays: true });
            parameters.push(Parameter { name: format!("{name}.lora_B"), value: up, decays: true });
        }
        if parameters.is_empty() {
            return Err(Error::NoTarget { targets: targets.clone(), known });
        }
        let target_modules = if targets.is_empty() {
            known.into_iter().filter(|kind| kind != "lm_head").collect()
        } else {
            targets.clone()
        };
        let config = AdapterConfig {
            rank: *rank,
            alpha: *alpha,
            dropout: 0.0,
            target_modules,
            use_rslora: false,
            base_model: None,
            peft_type: "LORA".to_owned(),
            task_type: Some("CAUSAL_LM".to_owned()),
        };
        Ok(Self { network, parameters, config, orders, pool: Pool::new(threads) })
    }

    /// Puts an adapter's values in place of those the parameters start with. It must have the same layers and rank.
    pub fn start_from(&self, adapter: &Adapter) -> Result<(), Error> {
        let mut found = 0;
        for layer in &adapter.layers {
            for (half, values) in [("lora_A", &layer.down), ("lora_B", &layer.up)] {
                let name = format!("{}.{half}", layer.name);
                let place = self.parameters.iter().find(|parameter| parameter.name == name);
                let fits = place.filter(|place| place.value.dims() == values.dims());
                let place = fits.ok_or_else(|| saydo_model::Error::AdapterLayer { name: name.clone() })?;
                let values =
                    if half == "lora_B" { self.orders.to_network(&layer.name, values)? } else { values.clone() };
                place.value.set(&values)?;
                found += 1;
            }
        }
        if found != self.parameters.len() {
            return Err(
                saydo_model::Error::AdapterFile(format!("{found} of {} matrices", self.parameters.len())).into()
            );
        }
        Ok(())
    }

    /// The sum of the losses of a pack's targets.
    pub fn loss(&self, pack: &Pack, smoothing: f32) -> Result<Tensor, Error> {
        let mut pass = Pass::whole(&self.pool, pack.spans.clone(), None);
        let hidden = self.network.hidden(&pack.tokens, &mut pass)?;
        let rows: Vec<u32> = pack.targets.iter().map(|(row, _)| *row).collect();
        let targets: Vec<u32> = pack.targets.iter().map(|(_, target)| *target).collect();
        let rows = hidden.index_select(&Tensor::new(&rows[..], hidden.device())?, 0)?;
        let logits = self.network.logits(&rows, &self.pool)?;
        Ok(cross_entropy(&logits, &targets, smoothing)?.sum_all()?)
    }

    /// Logits of every row of one sequence, shape (rows, vocabulary).
    pub fn logits(&self, tokens: &[u32]) -> Result<Tensor, Error> {
        let spans = vec![Span { rows: 0..tokens.len(), after: None }];
        let hidden = self.network.hidden(tokens, &mut Pass::whole(&self.pool, spans, None))?;
        Ok(self.network.logits(&hidden, &self.pool)?)
    }

    /// The adapter as it is now.
    pub fn adapter(&self) -> Result<Adapter, Error> {
        let layer = |pair: &[Parameter]| {
            let name = pair[0].name.trim_end_matches(".lora_A").to_owned();
            let up = self.orders.to_checkpoint(&name, &pair[1].value.as_tensor().detach())?;
            Ok(AdapterLayer { down: pair[0].value.as_tensor().detach().copy()?, up: up.copy()?, name })
        };
        let layers = self.parameters.chunks_exact(2).map(layer).collect::<Result<Vec<_>, Error>>()?;
        Ok(Adapter { config: self.config.clone(), layers })
    }

    /// How many numbers change.
    pub fn parameter_count(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.value.elem_count()).sum()
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
