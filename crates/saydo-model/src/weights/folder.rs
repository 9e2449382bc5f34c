//! Weights written as a Hugging Face folder: `config.json`, the tokenizer's files and `model.safetensors`.
//!
//! What stands beside safetensors is copied. A GGUF file has the same facts under other names, and its weights in
//! another order here and there; what it does not say, or says in a way that the folder could not, is refused.

use super::{Source, Weights};
use crate::Error;
use crate::adapter::OutputOrder;
use crate::tokenizer::Tokenizer;
use candle_core::{Device, Tensor};
use safetensors::{Dtype, View};
use saydo_file::disk;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

const WEIGHTS: &str = "model.safetensors";

/// What is copied from one folder to the other.
const BESIDE: [&str; 14] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "spiece.model",
    "tokenizer.model",
    "chat_template.jinja",
    "chat_template.json",
    "LICENSE",
];

impl Weights {
    /// Writes tensors into a folder, as floats of 32 bits, replaced ones as they are now, and beside them all else that
    /// a model needs. Each file appears when it is whole. The names are those that a network asked for: see
    /// [`Weights::used`].
    pub fn save_folder(&self, names: &BTreeSet<String>, folder: &Path) -> Result<(), Error> {
        self.check_folder()?;
        disk::create_folders(folder).map_err(|source| Error::Write { path: folder.to_owned(), source })?;
        match &self.source {
            Source::Safetensors(_) => copy_beside(&self.path, folder)?,
            Source::Gguf(_) => self.write_beside(folder)?,
        }
        let order = OutputOrder::of_weights(self)?;
        let mut tensors = Vec::new();
        for name in names {
            let shape = self.find(name)?.shape;
            tensors.push((name, Stored { weights: self, order, name, shape }));
        }
        let path = folder.join(WEIGHTS);
        let temporary = path.with_added_extension("partial");
        let metadata = Some([("format".to_owned(), "pt".to_owned())].into());
        safetensors::serialize_to_file(tensors, metadata, &temporary).map_err(Error::Safetensors)?;
        // The library lets nobody else read what it writes; whoever may read the settings may read the weights.
        std::fs::metadata(folder.join("config.json"))
            .and_then(|config| std::fs::set_permissions(&temporary, config.permissions()))
            .and_then(|()| disk::sync_file(&temporary))
            .and_then(|()| disk::publish(&temporary, &path))
            .map_err(|source| Error::Write { path, source })
    }

    /// Whether a folder can be written: any from safetensors, and from GGUF what a folder can say.
    pub fn check_folder(&self) -> Result<(), Error> {
        let Some(gguf) = self.gguf() else { return Ok(()) };
        let refuse = |what: &str| {
            let advice = "start from its Hugging Face folder instead".to_owned();
            Err(Error::Unsupported { what: format!("a model folder from a GGUF file {what}"), advice })
        };
        if self.has("rope_freqs.weight") {
            return refuse("with factors for its rotary frequencies");
        }
        match (self.config.model_type()?, gguf.text("tokenizer.ggml.model")?) {
            ("llama" | "qwen2", "gpt2") => Ok(()),
            ("llama" | "qwen2", kind) => refuse(&format!("whose vocabulary is of the kind {kind:?}")),
            (architecture, _) => refuse(&format!("of the architecture {architecture:?}")),
        }
    }

    /// Files beside the weights, from a GGUF file's metadata.
    fn write_beside(&self, folder: &Path) -> Result<(), Error> {
        let gguf = self.gguf().expect("the caller saw a GGUF file");
        let tokenizer = Tokenizer::of_weights(self, &self.path)?;
        let roles = tokenizer.roles();
        let mut config = self.config.settings().clone();
        let class = if self.config.model_type()? == "qwen2" { "Qwen2ForCausalLM" } else { "LlamaForCausalLM" };
        let mut set = |key: &str, value: Value| config.insert(key.to_owned(), value);
        set("architectures", json!([class]));
        set("dtype", "float32".into());
        set("bos_token_id", json!(roles.bos));
        set("eos_token_id", json!(roles.eos));
        set("attention_bias", self.has("model.layers.0.self_attn.q_proj.bias").into());
        set("hidden_act", "silu".into());
        write_config(folder, &Value::Object(config))?;
        let mut ends = roles.ends.clone();
        ends.sort_by_key(|end| Some(*end) != roles.eos);
        let generation = json!({ "bos_token_id": roles.bos, "eos_token_id": ends, "pad_token_id": roles.pad });
        write_json(&folder.join("generation_config.json"), &generation)?;
        write_json(&folder.join("tokenizer.json"), &tokenizer.to_json(gguf)?)?;
        let text = |id: Option<u32>| id.and_then(|id| tokenizer.token(id));
        let about = json!({
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": text(roles.bos),
            "eos_token": text(roles.eos),
            "pad_token": text(roles.pad),
            "clean_up_tokenization_spaces": false,
            "chat_template": gguf.text("tokenizer.chat_template").ok(),
        });
        write_json(&folder.join("tokenizer_config.json"), &about)
    }
}

/// A tensor that is read when it is written.
struct Stored<'w> {
    weights: &'w Weights,
    order: OutputOrder,
    name: &'w str,
    shape: Vec<usize>,
}

impl Stored<'_> {
    /// Its values in the order of Hugging Face checkpoints.
    fn values(&self) -> Result<Vec<f32>, Error> {
        let (shape, values) = self.weights.stored(self.name)?;
        let (layer, _) = self.name.rsplit_once('.').unwrap_or((self.name, ""));
        let rows = Tensor::from_vec(values, (shape[0], shape[1..].iter().product::<usize>()), &Device::Cpu)?;
        Ok(self.order.to_checkpoint(layer, &rows)?.flatten_all()?.to_vec1()?)
    }
}

impl View for Stored<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let values = self.values().expect("the network read it before");
        values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    fn data_len(&self) -> usize {
        4 * self.shape.iter().product::<usize>()
    }
}

fn copy_beside(source: &Path, folder: &Path) -> Result<(), Error> {
    for name in BESIDE {
        let (from, to) = (source.join(name), folder.join(name));
        let bytes = match std::fs::read(&from) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(source) => return Err(Error::Read { path: from, source }),
        };
        if name == "config.json" {
            let mut config: Value =
                serde_json::from_slice(&bytes).map_err(|error| Error::Json(error).in_file(&from))?;
            // Whichever of the two names the file has, and the newer one otherwise.
            let key = if config["torch_dtype"].is_null() { "dtype" } else { "torch_dtype" };
            config[key] = "float32".into();
            write_config(folder, &config)?;
        } else {
            write(&to, &bytes)?;
        }
    }
    Ok(())
}

/// Settings of another model take the old weights away first: beside them these might load, and mean something else.
fn write_config(folder: &Path, config: &Value) -> Result<(), Error> {
    let (path, weights) = (folder.join("config.json"), folder.join(WEIGHTS));
    let found = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    if weights.exists() && found.as_ref() != Some(config) {
        disk::remove_file(&weights)
            .and_then(|()| disk::sync_folder(folder))
            .map_err(|source| Error::Write { path: weights, source })?;
    }
    write_json(&path, config)
}

fn write_json(path: &Path, value: &Value) -> Result<(), Error> {
    write(path, format!("{value:#}\n").as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    saydo_file::write(path, bytes).map_err(|source| Error::Write { path: path.to_owned(), source })
}
