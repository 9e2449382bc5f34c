//! Llama: root-mean-square norms, rotary positions, grouped keys, gated feed-forward parts. SmolLM2 is one.

use super::settings;
use crate::Error;
use crate::kernel::AttentionShape;
use crate::kernel::ops::RopeOrder;
use crate::nn::{Activation, Decoder, DecoderLayer, Embedding, FeedForward, Linear, Norm, Rope, SelfAttention, Sight};
use crate::weights::{Config, Scope, Weights};

/// Reads a llama network.
pub(super) fn load(weights: &Weights) -> Result<Decoder, Error> {
    // GGUF files hold llama's queries and keys with the dimensions of each pair side by side.
    let order = if weights.gguf().is_some() { RopeOrder::Interleaved } else { RopeOrder::HalfSplit };
    load_with(weights, order)
}

/// Reads a network that is a llama but for biases, which are found if they are there.
pub(super) fn load_with(weights: &Weights, order: RopeOrder) -> Result<Decoder, Error> {
    let (config, root) = (weights.config(), weights.root());
    let shape = settings::attention_shape(config)?;
    let (width, eps) = (config.count("hidden_size")?, config.number("rms_norm_eps")?);
    let theta = config.number_if_any("rope_theta")?.unwrap_or(10_000.0);
    let frequencies = settings::frequencies(config, theta, shape.head_dim, &root)?;
    let embedding = root.at("model.embed_tokens").embedding(config.count("vocab_size")?, width)?;
    let mut layers = Vec::new();
    for number in 0..config.count("num_hidden_layers")? {
        layers.push(layer(&root.at("model.layers").at(number), config, &shape, eps)?);
    }
    Ok(Decoder {
        head: head(&root, config, &embedding)?,
        embedding,
        embedding_scale: 1.0,
        positions: None,
        ropes: vec![Rope { frequencies, order }],
        layers,
        norm: Norm::Rms(root.at("model.norm").rms_norm(width, eps, 0.0)?),
        logit_cap: None,
        context: config.count("max_position_embeddings")?,
    })
}

fn layer(scope: &Scope<'_>, config: &Config, shape: &AttentionShape, eps: f64) -> Result<DecoderLayer, Error> {
    let (width, inner) = (config.count("hidden_size")?, config.count("intermediate_size")?);
    let activation = Activation::named(config.text("hidden_act", "silu")?)?;
    Ok(DecoderLayer {
        attention_norm: Norm::Rms(scope.at("input_layernorm").rms_norm(width, eps, 0.0)?),
        attention: self_attention(&scope.at("self_attn"), shape.clone(), width)?,
        attention_post_norm: None,
        feed_forward_norm: Norm::Rms(scope.at("post_attention_layernorm").rms_norm(width, eps, 0.0)?),
        feed_forward: gated(&scope.at("mlp"), width, inner, activation)?,
        feed_forward_post_norm: None,
        rope: Some(0),
    })
}

/// The four linear layers of attention, by their usual names.
pub(super) fn self_attention(scope: &Scope<'_>, shape: AttentionShape, width: usize) -> Result<SelfAttention, Error> {
    let (inner, kv_inner) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
    Ok(SelfAttention {
        q: scope.at("q_proj").linear(inner, width)?,
        k: scope.at("k_proj").linear(kv_inner, width)?,
        v: scope.at("v_proj").linear(kv_inner, width)?,
        o: scope.at("o_proj").linear(width, inner)?,
        head_norms: None,
        shape,
        sight: Sight::Causal,
        dropout: 0.0,
    })
}

/// The three linear layers of a gated feed-forward part, by their usual names.
pub(super) fn gated(
    scope: &Scope<'_>,
    width: usize,
    inner: usize,
    activation: Activation,
) -> Result<FeedForward, Error> {
    Ok(FeedForward::Gated {
        gate: scope.at("gate_proj").linear(inner, width)?,
        up: scope.at("up_proj").linear(inner, width)?,
        down: scope.at("down_proj").linear(width, inner)?,
        activation,
    })
}

/// The output head: its own weights, or the token embedding's.
pub(super) fn head(root: &Scope<'_>, config: &Config, embedding: &Embedding) -> Result<Linear, Error> {
    let head = root.at("lm_head");
    if config.flag("tie_word_embeddings", false)? || !head.has("weight") {
        return Ok(head.tied(embedding.matrix().clone()));
    }
    head.linear(config.count("vocab_size")?, config.count("hidden_size")?)
}
