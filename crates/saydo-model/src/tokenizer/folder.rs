//! The tokenizer and chat template that come with weights, wherever those keep them.

use super::{Roles, Tokenizer};
use crate::Error;
use crate::chat::ChatTemplate;
use crate::weights::Weights;
use serde_json::Value;
use std::path::Path;

impl Tokenizer {
    /// The tokenizer of a GGUF file, or the one in `tokenizer.json` beside safetensors files, with the roles that
    /// `generation_config.json` and `config.json` give to its tokens.
    pub fn of_weights(weights: &Weights, path: &Path) -> Result<Self, Error> {
        if let Some(gguf) = weights.gguf() {
            return Self::from_gguf(gguf).map_err(|error| error.in_file(path));
        }
        let tokenizer = Self::load_json(&path.join("tokenizer.json"))?;
        let generation = read_json(&path.join("generation_config.json"))?;
        let id = |key: &str| ids(&generation[key]).or_else(|| ids(weights.config().value(key)));
        let ends = id("eos_token_id").unwrap_or_default();
        let bos = id("bos_token_id").and_then(|ids| ids.first().copied());
        let add_bos = bos.is_some_and(|bos| tokenizer.frame().0.contains(&bos));
        let pad = id("pad_token_id").and_then(|ids| ids.first().copied());
        let eos = ends.first().copied();
        let mut sorted = ends;
        sorted.sort_unstable();
        Ok(tokenizer.with_roles(Roles { bos, eos, pad, add_bos, add_eos: false, ends: sorted }))
    }
}

impl ChatTemplate {
    /// The chat template in a GGUF file's metadata, in `chat_template.jinja` or in `tokenizer_config.json`, if any.
    pub fn of_weights(weights: &Weights, path: &Path, tokenizer: &Tokenizer) -> Result<Option<Self>, Error> {
        let source = match weights.gguf() {
            Some(gguf) => gguf.text("tokenizer.chat_template").ok().map(str::to_owned),
            None => match std::fs::read_to_string(path.join("chat_template.jinja")) {
                Ok(template) => Some(template),
                Err(_) => from_config(&read_json(&path.join("tokenizer_config.json"))?["chat_template"]),
            },
        };
        let Some(source) = source else { return Ok(None) };
        let text = |id: Option<u32>| id.and_then(|id| tokenizer.token(id)).unwrap_or_default().to_owned();
        let template = Self::new(source).map_err(|error| error.in_file(path))?;
        Ok(Some(template.with_tokens(text(tokenizer.bos()), text(tokenizer.eos()))))
    }
}

/// A template, or the one called "default" of several.
fn from_config(value: &Value) -> Option<String> {
    let named = |entries: &Vec<Value>| {
        let default = entries.iter().find(|entry| entry["name"] == "default")?;
        default["template"].as_str().map(str::to_owned)
    };
    value.as_str().map(str::to_owned).or_else(|| value.as_array().and_then(named))
}

/// A JSON file, null if it is not there.
pub(crate) fn read_json(path: &Path) -> Result<Value, Error> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| Error::Json(error).in_file(path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Value::Null),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

/// One token or a list of them.
fn ids(value: &Value) -> Option<Vec<u32>> {
    let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
    match value {
        Value::Array(ids) => ids.iter().map(id).collect(),
        value => id(value).map(|id| vec![id]),
    }
}
