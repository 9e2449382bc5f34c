//! Models that are published in a form Saydo does not read: converted once, when they are pulled.
//!
//! A conversion takes the entry's parts, whose SHA-256 was checked as they arrived, and writes a folder as Hugging Face's
//! libraries do. What comes out is checked against the catalog like every other file.

mod onnx;
mod t5;
#[cfg(test)]
pub(crate) mod tiny;
mod weights;

pub use onnx::Malformed;

use crate::catalog::Model;
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How the parts of a model become its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conversion {
    /// T5 as two ONNX graphs with 8-bit weights, `encoder.onnx` and `decoder.onnx`, beside a `tokenizer.json`.
    T5Onnx,
}

impl Conversion {
    /// The parts it needs, by file name.
    pub(crate) fn parts(self) -> &'static [&'static str] {
        match self {
            Self::T5Onnx => &["encoder.onnx", "decoder.onnx", "tokenizer.json"],
        }
    }
}

/// Converts the parts of a model, joined in the order of the entry, into a folder that exists.
pub(crate) fn convert(conversion: Conversion, model: &Model, joined: &[u8], folder: &Path) -> Result<(), Error> {
    let mut parts = BTreeMap::new();
    let mut rest = joined;
    for part in &model.parts {
        let length = usize::try_from(part.bytes).unwrap_or(usize::MAX).min(rest.len());
        let (own, behind) = rest.split_at(length);
        parts.insert(part.file(), own);
        rest = behind;
    }
    match conversion {
        Conversion::T5Onnx => t5::convert(&parts, folder),
    }
}
