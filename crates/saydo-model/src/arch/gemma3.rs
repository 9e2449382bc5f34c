//! Gemma 3, text only: norms on both sides of every part and on the heads of queries and keys, layers that see a
//! window of the last positions and, every so often, one that sees all.

use super::{llama, settings};
use crate::Error;
use crate::kernel::ops::RopeOrder;
use crate::nn::{Activation, Decoder, DecoderLayer, Norm, Rope, SelfAttention};
use crate::weights::{Config, Scope, Weights};

/// Rotary embeddings of layers with a window, and of those that see all.
const LOCAL: usize = 0;
const GLOBAL: usize = 1;

/// Reads a gemma3 network.
pub(super) fn load(weights: &Weights) -> Result<Decoder, Error> {
    let (config, root) = (weights.config(), weights.root());
    let (width, eps) = (config.count("hidden_size")?, config.number("rms_norm_eps")?);
    let head_dim = settings::attention_shape(config)?.head_dim;
    let thetas = thetas(config)?;
    let ropes = [thetas.0, thetas.1].map(|theta| settings::frequencies(config, theta, head_dim, &root));
    let embedding = root.at("model.embed_tokens").embedding(config.count("vocab_size")?, width)?;
    let mut layers = Vec::new();
    for number in 0..config.count("num_hidden_layers")? {
        layers.push(layer(&root.at("model.layers").at(number), weights, number, eps)?);
    }
    Ok(Decoder {
        head: llama::head(&root, config, &embedding)?,
        embedding,
        embedding_scale: (width as f64).sqrt(),
        positions: None,
        ropes: ropes
            .into_iter()
            .map(|frequencies| Ok(Rope { frequencies: frequencies?, order: RopeOrder::HalfSplit }))
            .collect::<Result<_, Error>>()?,
        layers,
        norm: Norm::Rms(root.at("model.norm").rms_norm(width, eps, norm_offset(weights))?),
        logit_cap: config.number_if_any("final_logit_softcapping")?,
        context: config.count("max_position_embeddings")?,
    })
}

/// Checkpoints store norm weights minus one; GGUF files store them whole.
fn norm_offset(weights: &Weights) -> f64 {
    if weights.gguf().is_some() { 0.0 } else { 1.0 }
}

/// Rotary base of windowed layers and of the others. Transformers 5 keeps them by kind of layer.
fn thetas(config: &Config) -> Result<(f64, f64), Error> {
    let by_kind = |kind: &str| config.value("rope_parameters")[kind]["rope_theta"].as_f64();
    let local = by_kind("sliding_attention").or(config.number_if_any("rope_local_base_freq")?);
    let global = by_kind("full_attention").or(config.number_if_any("rope_theta")?);
    Ok((local.unwrap_or(10_000.0), global.unwrap_or(1_000_000.0)))
}

fn layer(scope: &Scope<'_>, weights: &Weights, number: usize, eps: f64) -> Result<DecoderLayer, Error> {
    let config = weights.config();
    let (width, inner) = (config.count("hidden_size")?, config.count("intermediate_size")?);
    let activation = Activation::named(config.text("hidden_activation", "gelu_pytorch_tanh")?)?;
    let norm = |name: &str| Ok::<_, Error>(Norm::Rms(scope.at(name).rms_norm(width, eps, norm_offset(weights))?));
    let sees_all = sees_all(config, number)?;
    Ok(DecoderLayer {
        attention_norm: norm("input_layernorm")?,
        attention: attention(&scope.at("self_attn"), weights, sees_all, eps)?,
        attention_post_norm: Some(norm("post_attention_layernorm")?),
        feed_forward_norm: norm("pre_feedforward_layernorm")?,
        feed_forward: llama::gated(&scope.at("mlp"), width, inner, activation)?,
        feed_forward_post_norm: Some(norm("post_feedforward_layernorm")?),
        rope: Some(if sees_all { GLOBAL } else { LOCAL }),
    })
}

/// Whether a layer sees all positions: as `layer_types` says, else every sixth.
fn sees_all(config: &Config, number: usize) -> Result<bool, Error> {
    match config.value("layer_types").as_array() {
        Some(types) => Ok(types.get(number).and_then(|kind| kind.as_str()) == Some("full_attention")),
        None => {
            let every = config.count_if_any("sliding_window_pattern")?.unwrap_or(6);
            Ok((number + 1).is_multiple_of(every))
        }
    }
}

fn attention(scope: &Scope<'_>, weights: &Weights, sees_all: bool, eps: f64) -> Result<SelfAttention, Error> {
    let config = weights.config();
    let mut shape = settings::attention_shape(config)?;
    if let Some(scalar) = config.number_if_any("query_pre_attn_scalar")? {
        shape.scale = 1.0 / (scalar as f32).sqrt();
    }
    if !sees_all {
        shape.window = Some(config.count("sliding_window")?);
    }
    shape.soft_cap = config.number_if_any("attn_logit_softcapping")?.map(|cap| cap as f32);
    let (head_dim, offset) = (shape.head_dim, norm_offset(weights));
    let norms =
        (scope.at("q_norm").rms_norm(head_dim, eps, offset)?, scope.at("k_norm").rms_norm(head_dim, eps, offset)?);
    let attention = llama::self_attention(scope, shape, config.count("hidden_size")?)?;
    Ok(SelfAttention { head_norms: Some(norms), ..attention })
}
