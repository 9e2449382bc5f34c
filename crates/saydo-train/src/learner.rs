//! A network with the parameters that change.

mod full;
mod low_rank;
mod recompute;

use crate::parameter::Gradients;
use crate::{Error, Learned, Pack, Packer, Parameters, Precision, Settings};
use candle_core::Tensor;
use full::Full;
use low_rank::LowRanks;
use saydo_model::adapter::Adapter;
use saydo_model::arch::Network;
use saydo_model::kernel::Pool;
use saydo_model::nn::{Draws, Moment, Pass, Span, divergence};
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, LocalModel};
use saydo_task::seen::Seen;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A network that learns.
pub struct Learner {
    network: Network,
    /// The network as it was, if what it learns can be left off.
    before: Option<Network>,
    /// What changes, in a fixed order.
    pub parameters: Parameters,
    /// What it has learned and what it started from had, saved beside it; `None` where nobody keeps count.
    pub seen: Option<Seen>,
    kind: Kind,
    source: PathBuf,
    /// When adapters drop what they are given.
    moment: Arc<Moment>,
    /// When a network with an encoder drops values inside, as its settings say.
    inner: Moment,
    seed: u64,
    pool: Pool,
    /// Numbers that the linear layers give out for a row, the head's left out.
    outputs: usize,
}

enum Kind {
    Adapter(LowRanks),
    Full(Full),
}

impl Learner {
    /// The network of these weights, opened for what `learned` needs, with that ready to change. The seed decides where
    /// an adapter starts, whose addition is nothing at first, and what dropout drops.
    pub fn new(weights: &Weights, learned: &Learned, seed: u64, threads: usize) -> Result<Self, Error> {
        let mut network = Network::load(weights)?;
        let outputs: Vec<usize> = network.linears_mut().iter().map(|linear| linear.matrix().outputs()).collect();
        let outputs = outputs[..outputs.len() - 1].iter().sum();
        let moment = Arc::new(Moment::default());
        let before = matches!(learned, Learned::Adapter { .. }).then(|| network.clone());
        let (parameters, kind) = match learned {
            Learned::Adapter { .. } => {
                let (parameters, low_ranks) = LowRanks::attach(&mut network, weights, learned, seed, &moment)?;
                (parameters, Kind::Adapter(low_ranks))
            }
            Learned::Full { .. } => {
                let (parameters, full) = Full::new(weights)?;
                (parameters, Kind::Full(full))
            }
        };
        let source = weights.path().to_owned();
        let (seen, inner) = (None, Moment::default());
        Ok(Self {
            network,
            before,
            parameters,
            seen,
            kind,
            source,
            moment,
            inner,
            seed,
            pool: Pool::new(threads),
            outputs,
        })
    }

    /// The same with frozen weights rounded to a precision, which activations and gradients are rounded to as well when they
    /// are multiplied by them. Where all weights learn there is nothing to round, and an error if it is asked for.
    pub fn with_precision(mut self, precision: Precision) -> Result<Self, Error> {
        if precision == Precision::F32 {
            return Ok(self);
        }
        if self.before.is_none() {
            return Err(Error::NoAdapter);
        }
        for linear in self.network.linears_mut() {
            linear.round()?;
        }
        let mut before = self.network.clone();
        before.linears_mut().into_iter().for_each(|linear| linear.set_low_rank(None));
        self.before = Some(before);
        Ok(self)
    }

    /// Puts an adapter's values in place of those the parameters start with. It must have the same layers and rank.
    pub fn start_from(&self, adapter: &Adapter) -> Result<(), Error> {
        match &self.kind {
            Kind::Adapter(low_ranks) => low_ranks.start_from(adapter),
            Kind::Full(_) => Err(Error::NoAdapter),
        }
    }

    /// The token that a decoder behind an encoder starts with; `None` without an encoder.
    pub fn decoder_start(&self) -> Option<u32> {
        self.network.decoder_start()
    }

    /// How examples are packed for this network.
    pub fn packer(&self, settings: &Settings) -> Packer {
        Packer {
            max_rows: settings.max_rows,
            is_shared: settings.packed,
            context: self.network.context(),
            decoder_start: self.decoder_start(),
        }
    }

    /// The sum of the losses of a pack's targets: what the right tokens lack in probability or, for a pack that holds, how
    /// far all probabilities are from what they were before anything was learned.
    pub fn loss(&self, pack: &Pack, smoothing: f32) -> Result<Tensor, Error> {
        let draws = [Draws::of(&self.inner, 0), Draws::of(&self.inner, 1)];
        self.loss_of(&self.hidden(&self.network, pack, draws)?, pack, smoothing)
    }

    fn loss_of(&self, hidden: &Tensor, pack: &Pack, smoothing: f32) -> Result<Tensor, Error> {
        let losses = if let Some(told) = &pack.before {
            let before = self.before.as_ref().ok_or(Error::NoAdapter)?;
            let logits = self.logits_of_targets(&self.network, hidden, pack)?;
            divergence(&logits, &self.logits_of_targets(before, &self.hidden(before, told, [None, None])?, told)?)?
        } else {
            let targets: Vec<u32> = pack.targets.iter().map(|(_, target)| *target).collect();
            self.network.losses(&rows_of_targets(hidden, pack)?, &targets, smoothing, &self.pool)?
        };
        Ok(losses.sum_all()?)
    }

    /// Hidden states of all rows of a pack, with what the draws for encoder and decoder drop. Of decoders alone nothing is
    /// dropped.
    fn hidden(&self, network: &Network, pack: &Pack, draws: [Option<Draws>; 2]) -> Result<Tensor, Error> {
        let [of_encoder, of_decoder] = draws;
        let source = match &pack.source {
            Some(source) => {
                let encoded = network.encode(&source.tokens, &source.inputs, of_encoder, &self.pool);
                Some((encoded.ok_or(Error::NoEncoder)??, source.inputs.clone()))
            }
            None => None,
        };
        let of_decoder = of_decoder.filter(|_| source.is_some());
        let mut pass = Pass::whole(&self.pool, pack.spans.clone(), source).with_draws(of_decoder);
        Ok(network.hidden(&pack.tokens, &mut pass)?)
    }

    /// Logits of the rows whose next token is a target, shape (targets, vocabulary).
    fn logits_of_targets(&self, network: &Network, hidden: &Tensor, pack: &Pack) -> Result<Tensor, Error> {
        Ok(network.logits(&rows_of_targets(hidden, pack)?, &self.pool)?)
    }

    /// Adds the gradients of a pack's loss, times `scale`, to others, and gives the loss, times `scale`. With dropout, whose
    /// draws follow from the step and the number of the pack in it.
    pub(crate) fn learn(
        &self,
        pack: &Pack,
        settings: &Settings,
        scale: f64,
        at: (usize, usize),
        gradients: &mut Gradients,
    ) -> Result<f32, Error> {
        let numbers = [self.seed, at.0 as u64, at.1 as u64];
        self.moment.begin(numbers);
        if settings.model_dropout {
            self.inner.begin(numbers);
        }
        let learned = self.learn_now(pack, settings, scale, gradients);
        self.moment.end();
        self.inner.end();
        learned
    }

    fn learn_now(&self, pack: &Pack, settings: &Settings, scale: f64, gradients: &mut Gradients) -> Result<f32, Error> {
        let again = self.layers_again(pack.tokens.len(), settings.memory);
        if let Some(decoder) = self.network.decoder().filter(|_| again > 0) {
            return self.learn_again((decoder, again), pack, (settings.smoothing, scale), gradients);
        }
        let loss = (self.loss(pack, settings.smoothing)? * scale)?;
        gradients.add(&self.parameters, &loss.backward()?)?;
        Ok(loss.to_scalar::<f32>()?)
    }

    /// Logits of every row of one sequence, shape (rows, vocabulary). A network with an encoder has none of its own.
    pub fn logits(&self, tokens: &[u32]) -> Result<Tensor, Error> {
        let spans = vec![Span { rows: 0..tokens.len(), after: None }];
        let hidden = self.network.hidden(tokens, &mut Pass::whole(&self.pool, spans, None))?;
        Ok(self.network.logits(&hidden, &self.pool)?)
    }

    /// The adapter as it is now; an error if all weights learn.
    pub fn adapter(&self) -> Result<Adapter, Error> {
        match &self.kind {
            Kind::Adapter(low_ranks) => low_ranks.adapter(),
            Kind::Full(_) => Err(Error::NoAdapter),
        }
    }

    /// What is learned, as it is now, in a folder: an adapter for `--adapter`, or a model for `--model`.
    pub fn save(&self, folder: &Path) -> Result<(), Error> {
        // First the record: an adapter that is there without it would pass for one that learned nothing known.
        if let Some(seen) = &self.seen {
            seen.save(folder)?;
        }
        match &self.kind {
            Kind::Adapter(low_ranks) => Ok(low_ranks.adapter()?.save(folder)?),
            Kind::Full(full) => full.save(&self.source, folder),
        }
    }

    /// A model that answers with what is learned so far.
    pub fn model(&self, engine: EngineSettings) -> Result<LocalModel, Error> {
        match &self.kind {
            Kind::Adapter(low_ranks) => {
                Ok(LocalModel::load(&self.source, engine)?.with_adapter(&low_ranks.adapter()?)?)
            }
            Kind::Full(full) => full.model(&self.source, engine),
        }
    }

    /// How many numbers change.
    pub fn parameter_count(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.value.elem_count()).sum()
    }
}

/// The hidden states of the rows whose next token is a target.
fn rows_of_targets(hidden: &Tensor, pack: &Pack) -> Result<Tensor, Error> {
    let rows: Vec<u32> = pack.targets.iter().map(|(row, _)| *row).collect();
    Ok(hidden.index_select(&Tensor::new(&rows[..], hidden.device())?, 0)?)
}
