//! BART: encoder and decoder with layer norms behind each part, learned positions, biases everywhere.

use super::settings;
use crate::Error;
use crate::cache::CacheShape;
use crate::kernel::{KvPrecision, Pool};
use crate::nn::{Activation, CrossAttention, Embedding, FeedForward, LayerNorm, Linear, Pass, SelfAttention, Sight};
use crate::weights::{Config, Scope, Weights};
use candle_core::Tensor;

/// Learned positions start behind two rows that once stood for padding.
const POSITION_OFFSET: u32 = 2;
const EPS: f64 = 1e-5;

/// A BART network.
#[derive(Clone)]
pub struct Bart {
    embedding: Embedding,
    embedding_scale: f64,
    encoder: Stack,
    decoder: Stack,
    head: Linear,
    /// Shape (1, vocabulary).
    logit_bias: Option<Tensor>,
    context: usize,
    start: u32,
}

/// The encoder or the decoder.
#[derive(Clone)]
struct Stack {
    positions: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    /// The share of values that training drops of each part's result.
    dropout: f64,
    /// The share that it drops inside feed-forward parts.
    activation_dropout: f64,
}

#[derive(Clone)]
struct Layer {
    attention: SelfAttention,
    attention_norm: LayerNorm,
    cross: Option<(CrossAttention, LayerNorm)>,
    feed_forward: FeedForward,
    feed_forward_norm: LayerNorm,
}

impl Bart {
    pub(super) fn load(weights: &Weights) -> Result<Self, Error> {
        let (config, root) = (weights.config(), weights.root());
        let width = config.count("d_model")?;
        let embedding = root.at("model.shared").embedding(config.count("vocab_size")?, width)?;
        let scale = if config.flag("scale_embedding", false)? { (width as f64).sqrt() } else { 1.0 };
        let bias = root.has("final_logits_bias");
        Ok(Self {
            head: root.at("lm_head").tied(embedding.matrix().clone()),
            embedding,
            embedding_scale: scale,
            encoder: Stack::load(&root.at("model.encoder"), config, "encoder", Sight::All)?,
            decoder: Stack::load(&root.at("model.decoder"), config, "decoder", Sight::Causal)?,
            logit_bias: if bias {
                Some(root.tensor("final_logits_bias", &[1, config.count("vocab_size")?])?)
            } else {
                None
            },
            context: config.count("max_position_embeddings")?,
            start: config.count_if_any("decoder_start_token_id")?.unwrap_or(2) as u32,
        })
    }

    fn embed(&self, tokens: &[u32], pool: &Pool) -> Result<Tensor, Error> {
        Ok((self.embedding.forward(tokens, pool)? * self.embedding_scale)?)
    }

    pub(super) fn encode(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        self.encoder.forward(self.embed(tokens, pass.pool)?, pass)
    }

    pub(super) fn hidden(&self, tokens: &[u32], pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        self.decoder.forward(self.embed(tokens, pass.pool)?, pass)
    }

    pub(super) fn logits(&self, hidden: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        let logits = self.head.forward(hidden, pool)?;
        Ok(self.logit_bias.as_ref().map_or(Ok(logits.clone()), |bias| logits.broadcast_add(bias))?)
    }

    pub(super) fn cross_attentions(&self) -> impl Iterator<Item = &CrossAttention> {
        self.decoder.layers.iter().filter_map(|layer| layer.cross.as_ref().map(|(cross, _)| cross))
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
        self.context
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
    fn load(scope: &Scope<'_>, config: &Config, side: &str, sight: Sight) -> Result<Self, Error> {
        let width = config.count("d_model")?;
        let rows = config.count("max_position_embeddings")? + POSITION_OFFSET as usize;
        let mut layers = Vec::new();
        for number in 0..config.count(&format!("{side}_layers"))? {
            layers.push(Layer::load(&scope.at("layers").at(number), config, side, sight)?);
        }
        Ok(Self {
            positions: scope.at("embed_positions").embedding(rows, width)?,
            norm: scope.at("layernorm_embedding").layer_norm(width, EPS)?,
            layers,
            dropout: settings::share(config, "dropout", 0.1)?,
            activation_dropout: settings::share(config, "activation_dropout", 0.0)?,
        })
    }

    fn forward(&self, embedded: Tensor, pass: &mut Pass<'_>) -> Result<Tensor, Error> {
        let pool = pass.pool;
        let positions: Vec<u32> = pass.positions.iter().map(|position| *position as u32 + POSITION_OFFSET).collect();
        let share = self.dropout;
        let normed = self.norm.forward(&(embedded + self.positions.forward(&positions, pool)?)?, pool)?;
        let mut x = pass.dropped(normed, share)?;
        for (number, layer) in self.layers.iter().enumerate() {
            let attended = layer.attention.forward(&x, number, None, None, pass)?;
            let attended = pass.dropped(attended, share)?;
            x = layer.attention_norm.forward(&(x + attended)?, pool)?;
            if let Some((cross, norm)) = &layer.cross {
                let attended = cross.forward(&x, number, pass)?;
                let attended = pass.dropped(attended, share)?;
                x = norm.forward(&(x + attended)?, pool)?;
            }
            let fed = layer.feed_forward.forward_in(&x, self.activation_dropout, pass)?;
            let fed = pass.dropped(fed, share)?;
            x = layer.feed_forward_norm.forward(&(x + fed)?, pool)?;
        }
        Ok(x)
    }

    fn cache_shape(&self, precision: KvPrecision) -> CacheShape {
        let shape = &self.layers[0].attention.shape;
        CacheShape { layers: self.layers.len(), kv_heads: shape.kv_heads, head_dim: shape.head_dim, precision }
    }
}

impl Layer {
    fn load(scope: &Scope<'_>, config: &Config, side: &str, sight: Sight) -> Result<Self, Error> {
        let (width, inner) = (config.count("d_model")?, config.count(&format!("{side}_ffn_dim"))?);
        let heads = config.count(&format!("{side}_attention_heads"))?;
        let shape = settings::shape(heads, heads, width / heads)?;
        let dropout = settings::share(config, "attention_dropout", 0.0)?;
        let linear = |part: &str, name: &str| scope.at(part).at(name).linear(width, width);
        let cross = if sight == Sight::All {
            None
        } else {
            let [q, k, v, o] = ["q_proj", "k_proj", "v_proj", "out_proj"].map(|name| linear("encoder_attn", name));
            let cross = CrossAttention { q: q?, k: k?, v: v?, o: o?, shape: shape.clone(), dropout };
            Some((cross, scope.at("encoder_attn_layer_norm").layer_norm(width, EPS)?))
        };
        let [q, k, v, o] = ["q_proj", "k_proj", "v_proj", "out_proj"].map(|name| linear("self_attn", name));
        Ok(Self {
            attention: SelfAttention { q: q?, k: k?, v: v?, o: o?, head_norms: None, shape, sight, dropout },
            attention_norm: scope.at("self_attn_layer_norm").layer_norm(width, EPS)?,
            cross,
            feed_forward: FeedForward::Plain {
                up: scope.at("fc1").linear(inner, width)?,
                down: scope.at("fc2").linear(width, inner)?,
                activation: Activation::named(config.text("activation_function", "gelu")?)?,
            },
            feed_forward_norm: scope.at("final_layer_norm").layer_norm(width, EPS)?,
        })
    }

    fn linears_mut(&mut self) -> Vec<&mut Linear> {
        let cross = self.cross.as_mut().map(|(cross, _)| cross.linears_mut()).unwrap_or_default();
        self.attention.linears_mut().into_iter().chain(cross).chain(self.feed_forward.linears_mut()).collect()
    }
}
