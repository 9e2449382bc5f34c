//! T5 out of two ONNX graphs that were quantized to 8 bits: `encoder.onnx` and `decoder.onnx`.
//!
//! A quantized tensor `NAME` is three: `NAME_quantized`, `NAME_scale`, `NAME_zero_point`, and its values are
//! (quantized − zero point) × scale. Embeddings and norms keep the names they had in the network. Matrices have numbers for
//! names; what they are says the node that multiplies by them, `/m/decoder/block.0/layer.0/SelfAttention/q/MatMul_quant`, and
//! they are transposed there. Out come the names and shapes of Hugging Face's T5.

use super::onnx::{Graph, Malformed, Tensor, Values};
use super::weights::{Named, write};
use crate::error::Error;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the exporting wrapper called the parts of the network, and what Hugging Face calls them.
const PREFIXES: [(&str, &str); 4] =
    [("enc.", "encoder."), ("m.decoder.", "decoder."), ("m.shared.", "shared."), ("m.lm_head.", "lm_head.")];

/// The encoder has a table of its own, which must be the decoder's.
const ENCODER_TABLE: &str = "encoder.embed_tokens.weight";
const TABLE: &str = "shared.weight";
const QUANTIZED: &str = "_quantized";

/// Writes `model.safetensors`, `config.json` and `tokenizer.json`.
pub(super) fn convert(parts: &BTreeMap<&str, &[u8]>, folder: &Path) -> Result<(), Error> {
    let part = |name: &str| parts.get(name).copied().unwrap_or_default();
    let mut weights = BTreeMap::new();
    let graphs = ["encoder.onnx", "decoder.onnx"].map(|name| (name, Graph::parse(part(name))));
    for (file, graph) in &graphs {
        let malformed = |problem: &Malformed| Error::Conversion { file: (*file).to_owned(), problem: problem.clone() };
        let graph = graph.as_ref().map_err(malformed)?;
        weights.extend(of_graph(graph).map_err(|problem| malformed(&problem))?);
    }
    let malformed = |problem| Error::Conversion { file: "decoder.onnx".to_owned(), problem };
    same_tables(&mut weights).map_err(malformed)?;
    let config = config(&weights).map_err(malformed)?;
    let path = folder.join("model.safetensors");
    write(weights.into_iter().map(|(name, weight)| weight.named(name)).collect(), &path)
        .map_err(Error::write(&path))?;
    let config = format!("{config:#}\n");
    for (name, bytes) in [("config.json", config.as_bytes()), ("tokenizer.json", part("tokenizer.json"))] {
        let path = folder.join(name);
        saydo_file::write(&path, bytes).map_err(Error::write(&path))?;
    }
    Ok(())
}

/// A weight of the network.
struct Weight<'a> {
    tensor: &'a Tensor<'a>,
    /// Of a quantized one.
    scale: f32,
    zero: i32,
    /// Whether it is written with its two dimensions exchanged.
    is_transposed: bool,
}

impl<'a> Weight<'a> {
    fn shape(&self) -> Vec<usize> {
        let mut shape = self.tensor.shape.clone();
        if self.is_transposed {
            shape.reverse();
        }
        shape
    }

    fn values(&self) -> Vec<f32> {
        let of = |value: i32| (value - self.zero) as f32 * self.scale;
        let values: Vec<f32> = match &self.tensor.values {
            Values::Floats(values) => values.clone(),
            Values::Unsigned(values) => values.iter().map(|value| of(i32::from(*value))).collect(),
            Values::Signed(values) => values.iter().map(|value| of(i32::from(*value as i8))).collect(),
        };
        match self.tensor.shape[..] {
            [rows, columns] if self.is_transposed => (0..columns)
                .flat_map(|column| (0..rows).map(move |row| row * columns + column))
                .map(|at| values[at])
                .collect(),
            _ => values,
        }
    }

    fn named(self, name: String) -> Named<'a> {
        Named { name, shape: self.shape(), values: Box::new(move || self.values()) }
    }
}

/// The weights of a graph under Hugging Face's names.
fn of_graph<'a>(graph: &'a Graph<'a>) -> Result<BTreeMap<String, Weight<'a>>, Malformed> {
    let products: BTreeMap<&str, &str> = graph.products.iter().map(|product| (product.factor, product.name)).collect();
    let mut weights = BTreeMap::new();
    for (name, tensor) in &graph.tensors {
        let unknown = || Malformed::Unknown { name: (*name).to_owned() };
        let (own, scale, zero, is_quantized) = match name.strip_suffix(QUANTIZED) {
            Some(own) => (own, scale(graph, own)?, zero(graph, own)?, true),
            None if is_about_another(graph, name) => continue,
            None => (*name, 1.0, 0, false),
        };
        let (found, is_transposed) = match products.get(name) {
            Some(node) if tensor.shape.len() == 2 => (named_by(node), true),
            Some(_) => return Err(unexpected(name, tensor, "a matrix")),
            None => (renamed(own), false),
        };
        if !is_quantized && !matches!(tensor.values, Values::Floats(_)) {
            return Err(unexpected(name, tensor, "floats"));
        }
        weights.insert(found.ok_or_else(unknown)?, Weight { tensor, scale, zero, is_transposed });
    }
    Ok(weights)
}

/// Whether a tensor is the scale or zero point of a quantized one.
fn is_about_another(graph: &Graph<'_>, name: &str) -> bool {
    let of = |suffix: &str| {
        name.strip_suffix(suffix).is_some_and(|own| graph.tensors.contains_key(format!("{own}{QUANTIZED}").as_str()))
    };
    of("_scale") || of("_zero_point")
}

fn scale(graph: &Graph<'_>, own: &str) -> Result<f32, Malformed> {
    let name = format!("{own}_scale");
    let tensor = graph.tensors.get(name.as_str()).ok_or_else(|| Malformed::Missing { name: name.clone() })?;
    match &tensor.values {
        Values::Floats(values) if values.len() == 1 && values[0].is_finite() => Ok(values[0]),
        _ => Err(unexpected(&name, tensor, "one finite float")),
    }
}

fn zero(graph: &Graph<'_>, own: &str) -> Result<i32, Malformed> {
    let name = format!("{own}_zero_point");
    let tensor = graph.tensors.get(name.as_str()).ok_or_else(|| Malformed::Missing { name: name.clone() })?;
    match &tensor.values {
        Values::Unsigned(values) if values.len() == 1 => Ok(i32::from(values[0])),
        Values::Signed(values) if values.len() == 1 => Ok(i32::from(values[0] as i8)),
        _ => Err(unexpected(&name, tensor, "one 8-bit number")),
    }
}

fn unexpected(name: &str, tensor: &Tensor<'_>, expected: &'static str) -> Malformed {
    let kind = match tensor.values {
        Values::Floats(_) => "floats",
        Values::Unsigned(_) => "uint8",
        Values::Signed(_) => "int8",
    };
    Malformed::Unexpected { name: name.to_owned(), found: format!("{kind} of shape {:?}", tensor.shape), expected }
}

/// `/enc/block.0/layer.0/SelfAttention/q/MatMul_quant` is `encoder.block.0.layer.0.SelfAttention.q.weight`.
fn named_by(node: &str) -> Option<String> {
    let path = node.strip_prefix('/')?.strip_suffix("/MatMul_quant")?;
    renamed(&format!("{}.weight", path.replace('/', ".")))
}

fn renamed(name: &str) -> Option<String> {
    let rest = |(prefix, own): (&str, &str)| Some(format!("{own}{}", name.strip_prefix(prefix)?));
    PREFIXES.into_iter().find_map(rest)
}

/// Drops the encoder's own table, which must hold what the decoder's does.
fn same_tables(weights: &mut BTreeMap<String, Weight<'_>>) -> Result<(), Malformed> {
    let Some(own) = weights.remove(ENCODER_TABLE) else { return Ok(()) };
    let table = weights.get(TABLE).ok_or_else(|| Malformed::Missing { name: TABLE.to_owned() })?;
    let is_same = own.tensor == table.tensor && own.scale == table.scale && own.zero == table.zero;
    is_same.then_some(()).ok_or_else(|| unexpected(ENCODER_TABLE, own.tensor, "the decoder's table"))
}

/// What `config.json` says: sizes by the shapes of the weights, the rest as every T5 of version 1.1 has it.
fn config(weights: &BTreeMap<String, Weight<'_>>) -> Result<Value, Malformed> {
    let shape = |name: &str| -> Result<[usize; 2], Malformed> {
        let weight = weights.get(name).ok_or_else(|| Malformed::Missing { name: name.to_owned() })?;
        weight.shape().try_into().map_err(|_| unexpected(name, weight.tensor, "a matrix"))
    };
    let blocks = |stack: &str| -> usize {
        let number = |name: &String| name.strip_prefix(stack)?.split('.').next().map(str::to_owned);
        weights.keys().filter_map(number).collect::<BTreeSet<String>>().len()
    };
    let [vocab_size, d_model] = shape(TABLE)?;
    let first = "encoder.block.0.layer.0.SelfAttention";
    let [buckets, heads] = shape(&format!("{first}.relative_attention_bias.weight"))?;
    let [inner, _] = shape(&format!("{first}.q.weight"))?;
    let [d_ff, _] = shape("encoder.block.0.layer.1.DenseReluDense.wi_0.weight")?;
    Ok(json!({
        "architectures": ["T5ForConditionalGeneration"],
        "d_ff": d_ff,
        "d_kv": inner / heads.max(1),
        "d_model": d_model,
        "decoder_start_token_id": 0,
        "dropout_rate": 0.1,
        "dtype": "float32",
        "eos_token_id": 1,
        "feed_forward_proj": "gated-gelu",
        "is_encoder_decoder": true,
        "layer_norm_epsilon": 1e-6,
        "model_type": "t5",
        "n_positions": 512,
        "num_decoder_layers": blocks("decoder.block."),
        "num_heads": heads,
        "num_layers": blocks("encoder.block."),
        "pad_token_id": 0,
        "relative_attention_max_distance": 128,
        "relative_attention_num_buckets": buckets,
        "tie_word_embeddings": !weights.contains_key("lm_head.weight"),
        "vocab_size": vocab_size,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::tiny::{Writer, file, graph, quantized, tensor_of};
    use safetensors::SafeTensors;

    fn converted(encoder: Writer, decoder: Writer) -> Result<tempfile::TempDir, Error> {
        let folder = tempfile::tempdir().unwrap();
        let (encoder, decoder) = (file(encoder), file(decoder));
        let parts = [("encoder.onnx", &encoder[..]), ("decoder.onnx", &decoder[..]), ("tokenizer.json", b"{}")];
        convert(&parts.into(), folder.path()).map(|()| folder)
    }

    #[test]
    fn weights_are_dequantized_and_named_by_the_nodes_that_multiply_by_them() {
        let folder = converted(graph("enc", "enc.embed_tokens.weight"), graph("m.decoder", "m.shared.weight")).unwrap();
        let bytes = std::fs::read(folder.path().join("model.safetensors")).unwrap();
        let weights = SafeTensors::deserialize(&bytes).unwrap();
        let values = |name: &str| {
            let view = weights.tensor(name).unwrap();
            let values = view.data().chunks_exact(4).map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]]));
            (view.shape().to_vec(), values.collect::<Vec<f32>>())
        };
        let q = values("decoder.block.0.layer.0.SelfAttention.q.weight");
        assert_eq!(q, (vec![4, 2], vec![2.0, 10.0, 4.0, 12.0, 6.0, 14.0, 8.0, 16.0]));
        assert_eq!(values("shared.weight"), (vec![3, 2], vec![0.5, 1.0, 1.5, 2.0, 2.5, 3.0]));
        assert!(weights.tensor("encoder.final_layer_norm.weight").is_ok());
        assert_eq!(weights.len(), 9);
        let config = std::fs::read_to_string(folder.path().join("config.json")).unwrap();
        let config: Value = serde_json::from_str(&config).unwrap();
        assert_eq!((&config["d_kv"], &config["d_ff"], &config["num_layers"]), (&json!(2), &json!(3), &json!(1)));
        assert_eq!(config["tie_word_embeddings"], true, "no head of its own");
    }

    #[test]
    fn what_is_no_t5_is_refused_with_the_tensor() {
        let message = |encoder, decoder| {
            let error = converted(encoder, decoder).unwrap_err();
            format!("{error}: {}", std::error::Error::source(&error).unwrap())
        };
        let encoder = || graph("enc", "enc.embed_tokens.weight");
        let decoder = || graph("m.decoder", "m.shared.weight");
        let more = quantized(decoder(), "m.pooler.weight", &[1], &[1], 1.0);
        insta::assert_snapshot!(message(encoder(), more), @"cannot convert decoder.onnx: tensor `m.pooler.weight_quantized` is no weight of a T5");
        insta::assert_snapshot!(message(encoder(), graph("m.decoder", "m.decoder.other.weight")), @"cannot convert decoder.onnx: it has no tensor `shared.weight`");
        let other = graph("m.decoder", "m.decoder.table.weight");
        let other = quantized(other, "m.shared.weight", &[3, 2], &[9; 6], 0.5);
        insta::assert_snapshot!(message(encoder(), other), @"cannot convert decoder.onnx: tensor `encoder.embed_tokens.weight` is int8 of shape [3, 2], expected the decoder's table");
        let half = encoder().bytes(5, &tensor_of("enc.x.weight_quantized", 3, &[0]).bytes(9, &[]).0);
        insta::assert_snapshot!(message(half, decoder()), @"cannot convert encoder.onnx: it has no tensor `enc.x.weight_scale`");
    }
}
