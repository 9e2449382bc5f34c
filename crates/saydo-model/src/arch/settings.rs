//! Settings that several architectures read alike.

use crate::Error;
use crate::kernel::AttentionShape;
use crate::kernel::ops::rope_frequencies;
use crate::weights::{Config, Scope};
use serde_json::Value;

/// Heads and their size. The kernels want heads of a multiple of eight.
pub(super) fn attention_shape(config: &Config) -> Result<AttentionShape, Error> {
    let (width, heads) = (config.count("hidden_size")?, config.count("num_attention_heads")?);
    let kv_heads = config.count_if_any("num_key_value_heads")?.unwrap_or(heads);
    let head_dim = config.count_if_any("head_dim")?.unwrap_or(width / heads);
    shape(heads, kv_heads, head_dim)
}

/// The same from its parts, checked.
pub(super) fn shape(heads: usize, kv_heads: usize, head_dim: usize) -> Result<AttentionShape, Error> {
    if !heads.is_multiple_of(kv_heads) {
        let found = format!("{kv_heads} for {heads} heads");
        return Err(Error::Setting { key: "num_key_value_heads".into(), found, expected: "a divisor of the heads" });
    }
    if head_dim == 0 || !head_dim.is_multiple_of(8) || head_dim > 1 << 16 {
        let found = head_dim.to_string();
        return Err(Error::Setting { key: "head_dim".into(), found, expected: "a multiple of 8" });
    }
    let scale = 1.0 / (head_dim as f32).sqrt();
    Ok(AttentionShape { heads, kv_heads, head_dim, scale, window: None, soft_cap: None })
}

/// A share of values that training drops.
pub(super) fn share(config: &Config, key: &str, default: f64) -> Result<f64, Error> {
    let share = config.number_if_any(key)?.unwrap_or(default);
    if (0.0..1.0).contains(&share) {
        return Ok(share);
    }
    Err(Error::Setting { key: key.to_owned(), found: share.to_string(), expected: "a share from 0 to below 1" })
}

/// Angles per position, with the scaling that the settings ask for. A GGUF file has Llama 3's factors in a tensor.
pub(super) fn frequencies(config: &Config, theta: f64, head_dim: usize, root: &Scope<'_>) -> Result<Vec<f64>, Error> {
    let dims = config.count_if_any("rope_dims")?.unwrap_or(head_dim).min(head_dim);
    let mut frequencies = rope_frequencies(dims, theta);
    if root.has("rope_freqs.weight") {
        let factors = root.tensor("rope_freqs.weight", &[frequencies.len()])?.to_vec1::<f32>()?;
        frequencies.iter_mut().zip(factors).for_each(|(frequency, factor)| *frequency /= f64::from(factor));
        return Ok(frequencies);
    }
    scale(&mut frequencies, config.value("rope_scaling"))?;
    Ok(frequencies)
}

fn scale(frequencies: &mut [f64], scaling: &Value) -> Result<(), Error> {
    let kind = scaling["rope_type"].as_str().or(scaling["type"].as_str()).unwrap_or("default");
    let number = |key: &str| {
        let error = || Error::Setting {
            key: format!("rope_scaling.{key}"),
            found: scaling[key].to_string(),
            expected: "a number above 0",
        };
        scaling[key].as_f64().filter(|number| *number > 0.0).ok_or_else(error)
    };
    match kind {
        "default" => Ok(()),
        "linear" => {
            let factor = number("factor")?;
            frequencies.iter_mut().for_each(|frequency| *frequency /= factor);
            Ok(())
        }
        "llama3" => {
            let (factor, context) = (number("factor")?, number("original_max_position_embeddings")?);
            let (low, high) = (number("low_freq_factor")?, number("high_freq_factor")?);
            for frequency in frequencies {
                let turns = context * *frequency / std::f64::consts::TAU;
                let smooth = ((turns - low) / (high - low)).clamp(0.0, 1.0);
                *frequency *= (1.0 - smooth) / factor + smooth;
            }
            Ok(())
        }
        other => Err(Error::Setting {
            key: "rope_scaling.rope_type".into(),
            found: format!("{other:?}"),
            expected: "default, linear or llama3",
        }),
    }
}
