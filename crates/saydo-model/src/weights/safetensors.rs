//! Safetensors files: one, or the shards that an index names.

use super::Raw;
use crate::Error;
use crate::mapping::Mapping;
use crate::quant::BlockType;
use safetensors::{Dtype, SafeTensors};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Mapped files and where each tensor lies in them.
pub(super) struct SafetensorsFiles {
    files: Vec<Mapping>,
    tensors: BTreeMap<String, Place>,
}

struct Place {
    file: usize,
    kind: Result<BlockType, Dtype>,
    shape: Vec<usize>,
    range: Range<usize>,
}

impl SafetensorsFiles {
    /// Opens `model.safetensors`, or the files that `model.safetensors.index.json` names, in a folder.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let mut all = Self { files: Vec::new(), tensors: BTreeMap::new() };
        for name in file_names(folder)? {
            let path = folder.join(name);
            let mapping = Mapping::open(&path)?;
            all.add(mapping).map_err(|error| error.in_file(path))?;
        }
        Ok(all)
    }

    fn add(&mut self, mapping: Mapping) -> Result<(), Error> {
        let (header, metadata) = SafeTensors::read_metadata(&mapping).map_err(Error::Safetensors)?;
        // Eight bytes of length and the header come before the data.
        let start = header + 8;
        for (name, info) in metadata.tensors() {
            let (from, to) = info.data_offsets;
            let range = start + from..start + to;
            let place =
                Place { file: self.files.len(), kind: block_type(info.dtype), shape: info.shape.clone(), range };
            if self.tensors.insert(name.clone(), place).is_some() {
                return Err(Error::RepeatedTensor { name });
            }
        }
        self.files.push(mapping);
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// Gives back the memory of these bytes of one of the files.
    pub fn release(&self, bytes: &[u8]) {
        self.files.iter().for_each(|file| file.release(bytes));
    }

    pub fn bytes(&self) -> usize {
        self.tensors.values().map(|place| place.range.len()).sum()
    }

    pub fn find(&self, name: &str) -> Result<Raw<'_>, Error> {
        let place = self.tensors.get(name).ok_or_else(|| Error::MissingTensor { name: name.to_owned() })?;
        let kind =
            place.kind.map_err(|found| Error::TensorType { name: name.to_owned(), found: format!("{found:?}") })?;
        let bytes = self.files[place.file].get(place.range.clone());
        let bytes = bytes.expect("safetensors holds every tensor's range against the file's length");
        Ok(Raw { kind, shape: place.shape.clone(), bytes })
    }
}

fn block_type(dtype: Dtype) -> Result<BlockType, Dtype> {
    match dtype {
        Dtype::F32 => Ok(BlockType::F32),
        Dtype::F16 => Ok(BlockType::F16),
        Dtype::BF16 => Ok(BlockType::BF16),
        other => Err(other),
    }
}

/// Names of the weight files in a folder. Names in an index come from a stranger: they may not leave the folder.
fn file_names(folder: &Path) -> Result<BTreeSet<String>, Error> {
    let path = folder.join("model.safetensors.index.json");
    if folder.join("model.safetensors").exists() || !path.exists() {
        return Ok(["model.safetensors".to_owned()].into());
    }
    let json = std::fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
    let index: serde_json::Value = serde_json::from_slice(&json).map_err(|error| Error::Json(error).in_file(&path))?;
    let bad = |found: &str| {
        let error =
            Error::Setting { key: "weight_map".into(), found: found.into(), expected: "names of files beside it" };
        error.in_file(&path)
    };
    let map = index["weight_map"].as_object().ok_or_else(|| bad("no map"))?;
    let mut names = BTreeSet::new();
    for name in map.values() {
        let name = name.as_str().unwrap_or_default();
        if name.is_empty() || name.contains(['/', '\\']) || name == ".." {
            return Err(bad(&format!("{name:?}")));
        }
        names.insert(name.to_owned());
    }
    Ok(names)
}
