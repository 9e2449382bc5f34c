//! A writer of GGUF files, version 3: metadata, tensor table, data. What it writes reads back equal.

use super::tensor::size;
use super::{ALIGNMENT_KEY, Array, DEFAULT_ALIGNMENT, GgufError, MAGIC, Value, ValueType};
use crate::quant::BlockType;
use std::collections::HashSet;
use std::io::{self, Write};

/// Collects metadata and tensors, then writes them. Tensor data is borrowed until then.
#[derive(Debug, Default)]
pub struct GgufWriter<'a> {
    entries: Vec<(String, Vec<u8>)>,
    tensors: Vec<Tensor<'a>>,
    names: HashSet<String>,
}

#[derive(Debug)]
struct Tensor<'a> {
    name: String,
    shape: Vec<usize>,
    block_type: BlockType,
    data: &'a [u8],
}

impl<'a> GgufWriter<'a> {
    /// A writer of an empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `key`, in place if it was set before. The key `general.alignment` is dropped: files are written with the
    /// default alignment.
    pub fn set(&mut self, key: &str, value: Value<'_>) {
        self.put(key, |out| {
            put_type(out, value.value_type());
            put_value(out, value);
        });
    }

    /// Sets `key` to an array of `element`s. All values must have that type, or nothing is set and the first that does
    /// not is given back.
    pub fn set_array<'v>(
        &mut self,
        key: &str,
        element: ValueType,
        values: impl IntoIterator<Item = Value<'v>>,
    ) -> Result<(), Value<'v>> {
        let (mut count, mut elements) = (0u64, Vec::new());
        for value in values {
            if value.value_type() != element {
                return Err(value);
            }
            put_value(&mut elements, value);
            count += 1;
        }
        self.put(key, |out| {
            put_type(out, ValueType::Array);
            put_array(out, element, count, &elements);
        });
        Ok(())
    }

    fn put(&mut self, key: &str, encode: impl FnOnce(&mut Vec<u8>)) {
        if key == ALIGNMENT_KEY {
            return;
        }
        let mut value = Vec::new();
        encode(&mut value);
        match self.entries.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.entries.push((key.to_owned(), value)),
        }
    }

    /// Adds a tensor, its shape given fastest-moving size first. Name, shape and the length of the data are checked.
    pub fn tensor(
        &mut self,
        name: &str,
        shape: &[usize],
        block_type: BlockType,
        data: &'a [u8],
    ) -> Result<(), GgufError> {
        let expected = size(name, shape, block_type)?;
        if data.len() != expected || expected == 0 || shape.len() > 4 {
            let found = format!("{} bytes of shape {shape:?}", data.len());
            return Err(GgufError::invalid(format!("tensor {name:?}"), found, format!("{expected} bytes")));
        }
        if !self.names.insert(name.to_owned()) {
            return Err(GgufError::invalid(format!("tensor {name:?}"), "there already", "a new name"));
        }
        self.tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), block_type, data });
        Ok(())
    }

    /// Writes the whole file.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut head = self.head();
        head.resize(head.len().next_multiple_of(DEFAULT_ALIGNMENT), 0);
        out.write_all(&head)?;
        for tensor in &self.tensors {
            out.write_all(tensor.data)?;
            let padding = tensor.data.len().next_multiple_of(DEFAULT_ALIGNMENT) - tensor.data.len();
            out.write_all(&[0; DEFAULT_ALIGNMENT][..padding])?;
        }
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend(3u32.to_le_bytes());
        head.extend((self.tensors.len() as u64).to_le_bytes());
        head.extend((self.entries.len() as u64).to_le_bytes());
        for (key, value) in &self.entries {
            put_text(&mut head, key);
            head.extend(value);
        }
        let mut offset = 0;
        for tensor in &self.tensors {
            put_tensor(&mut head, tensor, offset);
            offset += tensor.data.len().next_multiple_of(DEFAULT_ALIGNMENT) as u64;
        }
        head
    }
}

fn put_tensor(out: &mut Vec<u8>, tensor: &Tensor<'_>, offset: u64) {
    put_text(out, &tensor.name);
    out.extend((tensor.shape.len() as u32).to_le_bytes());
    for size in &tensor.shape {
        out.extend((*size as u64).to_le_bytes());
    }
    out.extend(tensor.block_type.ggml_id().to_le_bytes());
    out.extend(offset.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn put_type(out: &mut Vec<u8>, value_type: ValueType) {
    out.extend((value_type as u32).to_le_bytes());
}

fn put_array(out: &mut Vec<u8>, element: ValueType, count: u64, elements: &[u8]) {
    put_type(out, element);
    out.extend(count.to_le_bytes());
    out.extend(elements);
}

fn put_value(out: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::U8(value) => out.push(value),
        Value::I8(value) => out.extend(value.to_le_bytes()),
        Value::U16(value) => out.extend(value.to_le_bytes()),
        Value::I16(value) => out.extend(value.to_le_bytes()),
        Value::U32(value) => out.extend(value.to_le_bytes()),
        Value::I32(value) => out.extend(value.to_le_bytes()),
        Value::F32(value) => out.extend(value.to_le_bytes()),
        Value::U64(value) => out.extend(value.to_le_bytes()),
        Value::I64(value) => out.extend(value.to_le_bytes()),
        Value::F64(value) => out.extend(value.to_le_bytes()),
        Value::Bool(value) => out.push(value.into()),
        Value::Text(value) => put_text(out, value),
        Value::Array(array) => put_copy(out, array),
    }
}

fn put_copy(out: &mut Vec<u8>, array: Array<'_>) {
    put_array(out, array.element(), array.len() as u64, array.bytes());
}
