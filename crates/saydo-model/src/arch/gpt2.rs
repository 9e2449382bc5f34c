//! GPT-2: layer norms, learned positions, biases everywhere, weights stored as (inputs, outputs).

use super::settings;
use crate::Error;
use crate::nn::{Activation, Decoder, DecoderLayer, FeedForward, Norm, SelfAttention, Sight};
use crate::weights::{Config, Scope, Weights};

/// Reads a gpt2 network.
pub(super) fn load(weights: &Weights) -> Result<Decoder, Error> {
    let (config, root) = (weights.config(), weights.root().at("transformer"));
    let (width, eps) = (config.count("n_embd")?, config.number("layer_norm_epsilon")?);
    let context = config.count("n_positions")?;
    let embedding = root.at("wte").embedding(config.count("vocab_size")?, width)?;
    let mut layers = Vec::new();
    for number in 0..config.count("n_layer")? {
        layers.push(layer(&root.at("h").at(number), config, eps)?);
    }
    Ok(Decoder {
        head: weights.root().at("lm_head").tied(embedding.matrix().clone()),
        embedding,
        embedding_scale: 1.0,
        positions: Some(root.at("wpe").embedding(context, width)?),
        ropes: Vec::new(),
        layers,
        norm: Norm::Layer(root.at("ln_f").layer_norm(width, eps)?),
        logit_cap: None,
        context,
    })
}

fn layer(scope: &Scope<'_>, config: &Config, eps: f64) -> Result<DecoderLayer, Error> {
    let (width, heads) = (config.count("n_embd")?, config.count("n_head")?);
    let inner = config.count_if_any("n_inner")?.unwrap_or(4 * width);
    let (fused, mlp) = (scope.at("attn.c_attn"), scope.at("mlp"));
    Ok(DecoderLayer {
        attention_norm: Norm::Layer(scope.at("ln_1").layer_norm(width, eps)?),
        attention: SelfAttention {
            q: fused.linear_part(0, 3, width, width)?,
            k: fused.linear_part(1, 3, width, width)?,
            v: fused.linear_part(2, 3, width, width)?,
            o: scope.at("attn.c_proj").linear_transposed(width, width)?,
            head_norms: None,
            shape: settings::shape(heads, heads, width / heads)?,
            sight: Sight::Causal,
            dropout: 0.0,
        },
        attention_post_norm: None,
        feed_forward_norm: Norm::Layer(scope.at("ln_2").layer_norm(width, eps)?),
        feed_forward: FeedForward::Plain {
            up: mlp.at("c_fc").linear_transposed(inner, width)?,
            down: mlp.at("c_proj").linear_transposed(width, inner)?,
            activation: Activation::named(config.text("activation_function", "gelu_new")?)?,
        },
        feed_forward_post_norm: None,
        rope: None,
    })
}
