//! The two files of an adapter.

mod small;

use super::{Adapter, AdapterConfig, AdapterLayer, Precision};
use crate::Error;
use crate::quant::{BlockType, dequantize};
use candle_core::{Device, Tensor};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use saydo_file::disk;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const CONFIG: &str = "adapter_config.json";
const WEIGHTS: &str = "adapter_model.safetensors";
/// What PEFT puts before the names of a model's layers.
const PREFIX: &str = "base_model.model.";
const DOWN: &str = ".lora_A.weight";
const UP: &str = ".lora_B.weight";
/// What stands in the place of `weight` for the factors of numbers in 8 bits: one for each of the adapter's dimensions.
const FACTORS: &str = "factors";

/// A tensor as it goes into the file.
struct Stored {
    name: String,
    kind: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

pub(super) fn load(folder: &Path) -> Result<Adapter, Error> {
    let path = folder.join(CONFIG);
    let text = std::fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
    let config = config(&text).map_err(|error| error.in_file(&path))?;
    let path = folder.join(WEIGHTS);
    let bytes = std::fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
    let layers = layers(&bytes).map_err(|error| error.in_file(&path))?;
    Ok(Adapter { config, layers })
}

pub(super) fn parse(text: &[u8], weights: &[u8]) -> Result<Adapter, Error> {
    Ok(Adapter { config: config(text)?, layers: layers(weights)? })
}

fn config(text: &[u8]) -> Result<AdapterConfig, Error> {
    let config: AdapterConfig = serde_json::from_slice(text).map_err(|error| Error::AdapterFile(error.to_string()))?;
    refuse_unknown_kinds(text)?;
    if config.peft_type != "LORA" || config.rank == 0 {
        let found = format!("a {} adapter of rank {}, expected LORA and at least 1", config.peft_type, config.rank);
        return Err(Error::AdapterFile(found));
    }
    Ok(config)
}

/// Variants of LoRA compute something else from the same numbers, and to ignore that would be wrong in silence.
fn refuse_unknown_kinds(text: &[u8]) -> Result<(), Error> {
    let all: Value = serde_json::from_slice(text).unwrap_or_default();
    let is_set = |key: &&str| match &all[*key] {
        Value::Null | Value::Bool(false) => false,
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::String(text) => text != "none",
        _ => true,
    };
    let unknown = ["use_dora", "use_qalora", "use_bdlora", "lora_bias", "bias", "rank_pattern", "alpha_pattern"];
    let unknown = unknown.iter().chain(&["modules_to_save", "trainable_token_indices", "layer_replication"]);
    match unknown.copied().find(|key| is_set(key)) {
        Some(key) => Err(Error::AdapterFile(format!("{key} set, expected a plain LoRA adapter"))),
        None => Ok(()),
    }
}

fn layers(bytes: &[u8]) -> Result<Vec<AdapterLayer>, Error> {
    let file = SafeTensors::deserialize(bytes).map_err(Error::Safetensors)?;
    let mut halves: BTreeMap<String, [Option<Tensor>; 2]> = BTreeMap::new();
    for (name, view) in file.tensors() {
        if name.ends_with(FACTORS) {
            continue;
        }
        let bare = name.strip_prefix(PREFIX).unwrap_or(&name);
        let (layer, half) = match (bare.strip_suffix(DOWN), bare.strip_suffix(UP)) {
            (Some(layer), _) => (layer, 0),
            (None, Some(layer)) => (layer, 1),
            (None, None) => return Err(Error::AdapterFile(format!("a tensor {name:?}, expected lora_A and lora_B"))),
        };
        halves.entry(layer.to_owned()).or_default()[half] = Some(tensor(&file, &name, &view)?);
    }
    let layer = |(name, [down, up]): (String, [Option<Tensor>; 2])| match (down, up) {
        (Some(down), Some(up)) => Ok(AdapterLayer { name, down, up }),
        _ => Err(Error::AdapterFile(format!("only one half of {name:?}, expected lora_A and lora_B"))),
    };
    let layers: Vec<AdapterLayer> = halves.into_iter().map(layer).collect::<Result<_, _>>()?;
    if layers.is_empty() {
        return Err(Error::AdapterFile("no layer, expected at least one".to_owned()));
    }
    Ok(layers)
}

fn tensor(file: &SafeTensors<'_>, name: &str, view: &TensorView<'_>) -> Result<Tensor, Error> {
    if view.dtype() == Dtype::I8 {
        return small::tensor(file, name, view);
    }
    let kind = match view.dtype() {
        Dtype::F32 => BlockType::F32,
        Dtype::F16 => BlockType::F16,
        Dtype::BF16 => BlockType::BF16,
        other => return Err(Error::AdapterFile(format!("{name:?} holds {other:?}, expected floats"))),
    };
    let &[rows, columns] = view.shape() else {
        return Err(Error::AdapterFile(format!("{name:?} has the shape {:?}, expected a matrix", view.shape())));
    };
    // The library held the shape against the bytes when it read the header.
    let mut values = vec![0.0; rows * columns];
    dequantize(kind, view.data(), &mut values)?;
    Ok(Tensor::from_vec(values, (rows, columns), &Device::Cpu)?)
}

pub(super) fn save(adapter: &Adapter, folder: &Path, precision: Precision) -> Result<(), Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    };
    disk::create_folders(folder).map_err(failed(folder))?;
    let mut stored: Vec<Stored> = Vec::new();
    for layer in &adapter.layers {
        for (half, values) in [(DOWN, &layer.down), (UP, &layer.up)] {
            let name = format!("{PREFIX}{}{half}", layer.name);
            match precision {
                Precision::F16 => {
                    let flat = values.flatten_all()?.to_vec1::<f32>()?;
                    let bytes = flat.iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect();
                    stored.push(Stored { name, kind: Dtype::F16, shape: values.dims().to_vec(), bytes });
                }
                Precision::Int8 => stored.extend(small::stored(&name, values, half == DOWN)?),
            }
        }
    }
    let views: Vec<(&String, TensorView<'_>)> = stored
        .iter()
        .map(|one| Ok((&one.name, TensorView::new(one.kind, one.shape.clone(), &one.bytes)?)))
        .collect::<Result<_, _>>()
        .map_err(Error::Safetensors)?;
    let metadata = Some([("format".to_owned(), "pt".to_owned())].into());
    let whole = safetensors::serialize(views, metadata).map_err(Error::Safetensors)?;
    let (weights_path, config_path) = (folder.join(WEIGHTS), folder.join(CONFIG));
    let config = serde_json::to_string_pretty(&adapter.config).expect("settings are JSON") + "\n";
    // Weights beside the settings of another adapter would load, and mean something else.
    if std::fs::read(&config_path).is_ok_and(|found| found != config.as_bytes()) {
        disk::remove_file(&config_path).map_err(failed(&config_path))?;
        disk::sync_folder(folder).map_err(failed(folder))?;
    }
    saydo_file::write(&weights_path, &whole).map_err(failed(&weights_path))?;
    saydo_file::write(&config_path, config.as_bytes()).map_err(failed(&config_path))
}
