//! The architectures, one file each, behind one type.
//!
//! An architecture's file says which settings it reads, which weights it needs and how they are joined; the parts are
//! in [`crate::nn`]. To add one, write its file and a line in each `match` here.

mod bart;
mod gemma3;
mod gpt2;
mod llama;
mod qwen2;
mod settings;
mod t5;

pub use bart::Bart;
pub use t5::T5;

use crate::Error;
use crate::cache::{CacheShape, KvRun, SequenceCache};
use crate::kernel::{KvPrecision, Pool};
use crate::nn::{CachedRows, Decoder, Draws, Linear, Pass, Span, cross_entropy};
use crate::weights::Weights;
use candle_core::Tensor;
use std::ops::Range;

/// Names of the architectures, as `model_type` and GGUF spell them.
pub const ARCHITECTURES: &[&str] = &["llama", "qwen2", "gemma3", "gemma3_text", "gpt2", "bart", "t5"];

/// A network of any architecture. A clone shares its weights.
#[derive(Clone)]
pub enum Network {
    /// Decoder-only: llama, qwen2, gemma3, gpt2.
    Decoder(Decoder),
    /// BART.
    Bart(Bart),
    /// T5.
    T5(T5),
}

impl Network {
    /// Builds the network that the weights' settings name.
    pub fn load(weights: &Weights) -> Result<Self, Error> {
        match weights.config().model_type()? {
            "llama" => llama::load(weights).map(Self::Decoder),
            "qwen2" => qwen2::load(weights).map(Self::Decoder),
            "gemma3" | "gemma3_text" => gemma3::load(weights).map(Self::Decoder),
            "gpt2" => gpt2::load(weights).map(Self::Decoder),
            "bart" => Bart::load(weights).map(Self::Bart),
            "t5" => T5::load(weights).map(Self::T5),
            other => Err(Error::Architecture { found: other.to_owned(), expected: ARCHITECTURES }),
        }
    }

    /// Hidden states of the decoder's rows, shape (rows, width).
    pub fn hidden(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        match self {
            Self::Decoder(decoder) => decoder.hidden(tokens, pass),
            Self::Bart(bart) => bart.hidden(tokens, pass),
            Self::T5(t5) => t5.hidden(tokens, pass),
        }
    }

    /// The network, if it is a decoder alone.
    pub fn decoder(&self) -> Option<&Decoder> {
        match self {
            Self::Decoder(decoder) => Some(decoder),
            Self::Bart(_) | Self::T5(_) => None,
        }
    }

    /// Logits of some rows' hidden states, shape (rows, vocabulary).
    pub fn logits(&self, hidden: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        match self {
            Self::Decoder(decoder) => decoder.logits(hidden, pool),
            Self::Bart(bart) => bart.logits(hidden, pool),
            Self::T5(t5) => t5.logits(hidden, pool),
        }
    }

    /// The loss of each of some rows' hidden states, whose next token is to be its target. See [`cross_entropy`].
    pub fn losses(&self, hidden: &Tensor, targets: &[u32], smoothing: f32, pool: &Pool) -> Result<Tensor, Error> {
        match self {
            Self::Decoder(decoder) => decoder.losses(hidden, targets, smoothing, pool),
            Self::Bart(_) | Self::T5(_) => Ok(cross_entropy(&self.logits(hidden, pool)?, targets, smoothing)?),
        }
    }

    /// The encoder's hidden states for whole inputs laid end to end, with gradients and with what `draws` drop; `None`
    /// without an encoder.
    pub fn encode(
        &self,
        tokens: &[u32],
        inputs: &[Range<usize>],
        draws: Option<Draws>,
        pool: &Pool,
    ) -> Option<Result<Tensor, Error>> {
        let spans = inputs.iter().map(|rows| Span { rows: rows.clone(), after: None }).collect();
        self.encode_pass(tokens, &mut Pass::whole(pool, spans, None).with_draws(draws))
    }

    fn encode_pass(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Option<Result<Tensor, Error>> {
        match self {
            Self::Decoder(_) => None,
            Self::Bart(bart) => Some(bart.encode(tokens, pass)),
            Self::T5(t5) => Some(t5.encode(tokens, pass)),
        }
    }

    /// Keys and values of an input, as the decoder's layers see it; `None` without an encoder.
    pub fn source(&self, tokens: &[u32], precision: KvPrecision, pool: &Pool) -> Option<Result<KvRun, Error>> {
        let (shape, cross): (_, Vec<_>) = match self {
            Self::Decoder(_) => return None,
            Self::Bart(bart) => (bart.encoder_cache_shape(precision), bart.cross_attentions().collect()),
            Self::T5(t5) => (t5.encoder_cache_shape(precision), t5.cross_attentions().collect()),
        };
        let mut cache = SequenceCache::new(&shape, Vec::new(), None);
        let mut pass = Pass::cached(pool, vec![CachedRows { cache: &mut cache, rows: tokens.len() }]);
        let encoded = self.encode_pass(tokens, &mut pass)?;
        Some(encoded.and_then(|encoded| {
            let mut run = KvRun::new(&self.cache_shape(precision));
            for (layer, attention) in run.layers.iter_mut().zip(cross) {
                attention.remember(&encoded, layer, pool)?;
            }
            Ok(run)
        }))
    }

    /// What the decoder's keys and values look like.
    pub fn cache_shape(&self, precision: KvPrecision) -> CacheShape {
        match self {
            Self::Decoder(decoder) => decoder.cache_shape(precision),
            Self::Bart(bart) => bart.cache_shape(precision),
            Self::T5(t5) => t5.cache_shape(precision),
        }
    }

    /// The greatest number of positions of a sequence.
    pub fn context(&self) -> usize {
        match self {
            Self::Decoder(decoder) => decoder.context,
            Self::Bart(bart) => bart.context(),
            Self::T5(t5) => t5.context(),
        }
    }

    /// How many tokens it has logits for.
    pub fn vocab_size(&self) -> usize {
        match self {
            Self::Decoder(decoder) => decoder.head.matrix().outputs(),
            Self::Bart(bart) => bart.vocab_size(),
            Self::T5(t5) => t5.vocab_size(),
        }
    }

    /// The token a decoder behind an encoder starts with; `None` without an encoder.
    pub fn decoder_start(&self) -> Option<u32> {
        match self {
            Self::Decoder(_) => None,
            Self::Bart(bart) => Some(bart.decoder_start()),
            Self::T5(t5) => Some(t5.decoder_start()),
        }
    }

    /// Every linear layer with its name, to attach low-rank additions to.
    pub fn linears_mut(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Decoder(decoder) => decoder.linears_mut(),
            Self::Bart(bart) => bart.linears_mut(),
            Self::T5(t5) => t5.linears_mut(),
        }
    }

    /// Bytes of the matrices in memory, those shared by two layers counted once.
    pub fn weight_bytes(&mut self) -> usize {
        self.linears_mut().iter().map(|linear| linear.matrix().bytes()).sum()
    }
}
