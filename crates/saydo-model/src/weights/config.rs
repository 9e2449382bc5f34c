//! The settings of an architecture: the numbers in `config.json`, or the same in GGUF metadata.

use crate::Error;
use crate::gguf::{Gguf, Value};
use crate::mapping::Mapping;
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// Settings by their names in `config.json`.
#[derive(Debug, Clone)]
pub struct Config {
    settings: Map<String, Json>,
}

/// Names in `config.json` and, behind the architecture's name, in GGUF.
const FROM_GGUF: [(&str, &str); 14] = [
    ("hidden_size", "embedding_length"),
    ("intermediate_size", "feed_forward_length"),
    ("num_hidden_layers", "block_count"),
    ("num_attention_heads", "attention.head_count"),
    ("num_key_value_heads", "attention.head_count_kv"),
    ("head_dim", "attention.key_length"),
    ("rms_norm_eps", "attention.layer_norm_rms_epsilon"),
    ("sliding_window", "attention.sliding_window"),
    ("attn_logit_softcapping", "attn_logit_softcapping"),
    ("final_logit_softcapping", "final_logit_softcapping"),
    ("rope_theta", "rope.freq_base"),
    ("rope_dims", "rope.dimension_count"),
    ("max_position_embeddings", "context_length"),
    ("vocab_size", "vocab_size"),
];

impl Config {
    /// Reads a `config.json`.
    pub fn load_json(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::parse_json(&bytes).map_err(|error| error.in_file(path))
    }

    /// The settings in the bytes of a `config.json`. What transformers 5 nests under `rope_parameters` is found where
    /// earlier versions put it, and the text part of a model with several parts counts as the whole.
    pub fn parse_json(bytes: &[u8]) -> Result<Self, Error> {
        let json: Json = serde_json::from_slice(bytes).map_err(Error::Json)?;
        let Json::Object(mut settings) = json else {
            return Err(Error::Setting { key: "the file".into(), found: "no object".into(), expected: "an object" });
        };
        if let Some(Json::Object(rope)) = settings.get("rope_parameters").cloned() {
            if let Some(theta) = rope.get("rope_theta") {
                settings.entry("rope_theta").or_insert(theta.clone());
            }
            settings.entry("rope_scaling").or_insert(Json::Object(rope));
        }
        Ok(Self { settings })
    }

    /// The settings in a GGUF file's metadata. Which names are known is written in this file.
    pub fn from_gguf(gguf: &Gguf<Mapping>) -> Result<Self, Error> {
        let architecture = gguf.text("general.architecture")?;
        let mut settings = Map::new();
        settings.insert("model_type".into(), architecture.into());
        for (name, key) in FROM_GGUF {
            if let Some(value) = gguf.value(&format!("{architecture}.{key}")).and_then(number) {
                settings.insert(name.into(), value);
            }
        }
        let rows = gguf.tensor("token_embd.weight").ok().and_then(|tensor| tensor.shape.get(1).copied());
        if let Some(rows) = rows {
            settings.insert("vocab_size".into(), json!(rows));
        }
        settings.insert("tie_word_embeddings".into(), gguf.tensor("output.weight").is_err().into());
        let scaling = gguf.value(&format!("{architecture}.rope.scaling.type"));
        if let Some(Value::Text(kind)) = scaling.filter(|kind| *kind != Value::Text("none")) {
            let factor = gguf.value(&format!("{architecture}.rope.scaling.factor")).and_then(number);
            settings.insert("rope_scaling".into(), json!({ "rope_type": kind, "factor": factor }));
        }
        Ok(Self { settings })
    }

    /// All settings.
    pub(super) fn settings(&self) -> &Map<String, Json> {
        &self.settings
    }

    /// The architecture's name, as Hugging Face's `model_type` spells it.
    pub fn model_type(&self) -> Result<&str, Error> {
        self.setting("model_type", "the name of an architecture", Json::as_str)
    }

    /// A count: above 0, below a hundred million.
    pub fn count(&self, key: &str) -> Result<usize, Error> {
        self.setting(key, "a whole number from 1 to 100 million", count)
    }

    /// A count that may be absent or null.
    pub fn count_if_any(&self, key: &str) -> Result<Option<usize>, Error> {
        if self.is_absent(key) { Ok(None) } else { self.count(key).map(Some) }
    }

    /// A finite number.
    pub fn number(&self, key: &str) -> Result<f64, Error> {
        self.setting(key, "a number", |value| value.as_f64().filter(|number| number.is_finite()))
    }

    /// A finite number that may be absent or null.
    pub fn number_if_any(&self, key: &str) -> Result<Option<f64>, Error> {
        if self.is_absent(key) { Ok(None) } else { self.number(key).map(Some) }
    }

    /// A truth value; `default` if absent or null.
    pub fn flag(&self, key: &str, default: bool) -> Result<bool, Error> {
        if self.is_absent(key) { Ok(default) } else { self.setting(key, "true or false", Json::as_bool) }
    }

    /// A text; `default` if absent or null.
    pub fn text<'a>(&'a self, key: &str, default: &'a str) -> Result<&'a str, Error> {
        if self.is_absent(key) { Ok(default) } else { self.setting(key, "a text", Json::as_str) }
    }

    /// A value as it stands, null if absent.
    pub fn value(&self, key: &str) -> &Json {
        self.settings.get(key).unwrap_or(&Json::Null)
    }

    fn is_absent(&self, key: &str) -> bool {
        self.value(key).is_null()
    }

    fn setting<'a, T>(
        &'a self,
        key: &str,
        expected: &'static str,
        read: impl Fn(&'a Json) -> Option<T>,
    ) -> Result<T, Error> {
        let value = self.value(key);
        read(value).ok_or_else(|| Error::Setting { key: key.to_owned(), found: value.to_string(), expected })
    }
}

fn count(value: &Json) -> Option<usize> {
    value.as_u64().and_then(|count| usize::try_from(count).ok()).filter(|count| (1..=100_000_000).contains(count))
}

/// A number of metadata; of an array (a value per layer), the first if all are equal.
fn number(value: Value<'_>) -> Option<Json> {
    match value {
        Value::U8(n) => Some(json!(n)),
        Value::U16(n) => Some(json!(n)),
        Value::U32(n) => Some(json!(n)),
        Value::U64(n) => Some(json!(n)),
        Value::I32(n) => Some(json!(n)),
        Value::I64(n) => Some(json!(n)),
        Value::F32(n) => Some(json!(n)),
        Value::F64(n) => Some(json!(n)),
        _ => None,
    }
}
