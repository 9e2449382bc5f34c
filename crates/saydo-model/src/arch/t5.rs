//! T5: encoder and decoder with root-mean-square norms before each part, no biases, learned numbers for distances.
//! Version 1.1 has gated feed-forward parts and a head of its own.

use super::settings;
use crate::Error;
use crate::cache::CacheShape;
use crate::kernel::{AttentionShape, KvPrecision, Pool};
use crate::nn::{
    Activation, CrossAttention, Embedding, FeedForward, Linear, Pass, RelativePositions, RmsNorm, SelfAttention, Sight,
};
use crate::weights::{Config, Scope, Weights};
use candle_core::Tensor;

/// Distances have no end, so the context is bounded by memory alone; this is a cap on absurd requests.
const CONTEXT: usize = 1 << 14;

/// A T5 network.
#[derive(Clone)]
pub struct T5 {
    embedding: Embedding,
    encoder: Stack,
    decoder: Stack,
    head: Linear,
    /// Factor of hidden states before a head that is tied to the embedding.
    head_scale: f64,
    start: u32,
}

/// The encoder or the decoder.
#[derive(Clone)]
struct Stack {
    positions: RelativePositions,
    layers: Vec<Layer>,
    norm: RmsNorm,
    /// The share of values that training drops, at every place where the original does.
    dropout: f64,
}

#[derive(Clone)]
struct Layer {
    attention_norm: RmsNorm,
    attention: SelfAttention,
    cross: Option<(RmsNorm, CrossAttention)>,
    feed_forward_norm: RmsNorm,
    feed_forward: FeedForward,
}

impl T5 {
    pub(super) fn load(weights: &Weights) -> Result<Self, Error> {
        let (config, root) = (weights.config(), weights.root());
        let (width, vocab) = (config.count("d_model")?, config.count("vocab_size")?);
        let embedding = root.at("shared").embedding(vocab, width)?;
        let tied = config.flag("tie_word_embeddings", true)? || !root.has("lm_head.weight");
        let layers = config.count("num_layers")?;
        let decoder_layers = config.count_if_any("num_decoder_layers")?.unwrap_or(layers);
        let head = root.at("lm_head");
        Ok(Self {
            head: if tied { head.tied(embedding.matrix().clone()) } else { head.linear(vocab, width)? },
            head_scale: if tied { (width as f64).powf(-0.5) } else { 1.0 },
            embedding,
            encoder: Stack::load(&root.at("encoder"), config, layers, Sight::All)?,
            decoder: Stack::load(&root.at("decoder"), config, decoder_layers, Sight::Causal)?,
            start: config.value("decoder_start_token_id").as_u64().unwrap_or(0) as u32,
        })
    }

    pub(super) fn encode(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        self.encoder.forward(self.embedding.forward(tokens, pass.pool)?, pass)
    }

    pub(super) fn hidden(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        self.decoder.forward(self.embedding.forward(tokens, pass.pool)?, pass)
    }

    pub(super) fn logits(&self, hidden: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        self.head.forward(&(hidden * self.head_scale)?, pool)
    }

    pub(super) fn cross_attentions(&self) -> impl Iterator<Item = &CrossAttention> {
        self.decoder.layers.iter().filter_map(|layer| layer.cross.as_ref().map(|(_, cross)| cross))
    }

    pub(super) fn cache_shape(&self, precision: KvPrecision) -> CacheShape {
        self.decoder.cache_shape(precision)
    }

    pub(super) fn encoder_cache_shape(&self, precision: KvPrecision) -> CacheShape {
        self.encoder.cache_shape(precision)
    }

    pub(super) fn vocab_size(&self) -> usize {
        self.head.matrix().outputs()
    }

    pub(super) fn context(&self) -> usize {
        CONTEXT
    }

    pub(super) fn decoder_start(&self) -> u32 {
        self.start
    }

    pub(super) fn linears_mut(&mut self) -> Vec<&mut Linear> {
        let layers = self.encoder.layers.iter_mut().chain(&mut self.decoder.layers);
        layers.flat_map(Layer::linears_mut).chain([&mut self.head]).collect()
    }
}

impl Stack {
    fn load(scope: &Scope<'_>, config: &Config, layers: usize, sight: Sight) -> Result<Self, Error> {
        let eps = config.number_if_any("layer_norm_epsilon")?.unwrap_or(1e-6);
        let buckets = config.count_if_any("relative_attention_num_buckets")?.unwrap_or(32);
        let first = scope.at("block.0.layer.0.SelfAttention.relative_attention_bias");
        let table = first.parameter("weight", &[buckets, config.count("num_heads")?], 0.0)?;
        if buckets < 4 {
            let key = "relative_attention_num_buckets".to_owned();
            return Err(Error::Setting { key, found: buckets.to_string(), expected: "at least 4" });
        }
        let max_distance = config.count_if_any("relative_attention_max_distance")?.unwrap_or(128);
        let blocks =
            (0..layers).map(|number| Layer::load(&scope.at("block").at(number).at("layer"), config, sight, eps));
        Ok(Self {
            positions: RelativePositions { table, max_distance, sight },
            layers: blocks.collect::<Result<_, _>>()?,
            norm: scope.at("final_layer_norm").rms_norm(config.count("d_model")?, eps, 0.0)?,
            dropout: settings::share(config, "dropout_rate", 0.1)?,
        })
    }

    fn forward(&self, embedded: Tensor, pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let (pool, share) = (pass.pool, self.dropout);
        let bias = self.positions.bias(pass)?;
        let mut x = pass.dropped(embedded, share)?;
        for (number, layer) in self.layers.iter().enumerate() {
            let normed = layer.attention_norm.forward(&x, pool)?;
            let attended = layer.attention.forward(&normed, number, None, Some(&bias), pass)?;
            x = (x + pass.dropped(attended, share)?)?;
            if let Some((norm, cross)) = &layer.cross {
                let normed = norm.forward(&x, pool)?;
                let attended = cross.forward(&normed, number, pass)?;
                x = (x + pass.dropped(attended, share)?)?;
            }
            let normed = layer.feed_forward_norm.forward(&x, pool)?;
            let fed = layer.feed_forward.forward_in(&normed, share, pass)?;
            x = (x + pass.dropped(fed, share)?)?;
        }
        let normed = self.norm.forward(&x, pool)?;
        pass.dropped(normed, share)
    }

    fn cache_shape(&self, precision: KvPrecision) -> CacheShape {
        let shape = &self.layers[0].attention.shape;
        CacheShape { layers: self.layers.len(), kv_heads: shape.kv_heads, head_dim: shape.head_dim, precision }
    }
}

impl Layer {
    fn load(scope: &Scope<'_>, config: &Config, sight: Sight, eps: f64) -> Result<Self, Error> {
        let (width, heads) = (config.count("d_model")?, config.count("num_heads")?);
        let head_dim = config.count_if_any("d_kv")?.unwrap_or(width / heads);
        let shape = AttentionShape { scale: 1.0, ..settings::shape(heads, heads, head_dim)? };
        let norm = |part: usize| scope.at(part).at("layer_norm").rms_norm(width, eps, 0.0);
        let projections = |scope: Scope<'_>| {
            let inner = heads * head_dim;
            let into = |name: &str| scope.at(name).linear(inner, width);
            Ok::<_, Error>((into("q")?, into("k")?, into("v")?, scope.at("o").linear(width, inner)?))
        };
        let (q, k, v, o) = projections(scope.at("0.SelfAttention"))?;
        let dropout = settings::share(config, "dropout_rate", 0.1)?;
        let attention = SelfAttention { q, k, v, o, head_norms: None, shape: shape.clone(), sight, dropout };
        let cross = match sight {
            Sight::All => None,
            Sight::Causal => {
                let (q, k, v, o) = projections(scope.at("1.EncDecAttention"))?;
                Some((norm(1)?, CrossAttention { q, k, v, o, shape, dropout }))
            }
        };
        let last = if cross.is_some() { 2 } else { 1 };
        Ok(Self {
            attention_norm: norm(0)?,
            attention,
            cross,
            feed_forward_norm: norm(last)?,
            feed_forward: feed_forward(&scope.at(last).at("DenseReluDense"), config)?,
        })
    }

    fn linears_mut(&mut self) -> Vec<&mut Linear> {
        let cross = self.cross.as_mut().map(|(_, cross)| cross.linears_mut()).unwrap_or_default();
        self.attention.linears_mut().into_iter().chain(cross).chain(self.feed_forward.linears_mut()).collect()
    }
}

/// `feed_forward_proj` is the name of a function, with "gated-" before it in version 1.1, where "gelu" means GELU by a
/// hyperbolic tangent.
fn feed_forward(scope: &Scope<'_>, config: &Config) -> Result<FeedForward, Error> {
    let (width, inner) = (config.count("d_model")?, config.count("d_ff")?);
    let kind = config.text("feed_forward_proj", "relu")?;
    let down = scope.at("wo").linear(width, inner)?;
    match kind.strip_prefix("gated-") {
        None => {
            let up = scope.at("wi").linear(inner, width)?;
            Ok(FeedForward::Plain { up, down, activation: Activation::named(kind)? })
        }
        Some(function) => Ok(FeedForward::Gated {
            gate: scope.at("wi_0").linear(inner, width)?,
            up: scope.at("wi_1").linear(inner, width)?,
            down,
            activation: Activation::named(if function == "gelu" { "gelu_new" } else { function })?,
        }),
    }
}
