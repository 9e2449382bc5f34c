//! GGUF files, versions 2 and 3, little endian: metadata and tensors of a model in one file.
//!
//! The bytes come from strangers, so nothing in them is believed: counts are held against what the file could hold,
//! sums and products are checked, and whatever is wrong becomes an error that names the field. Large arrays are not
//! decoded before they are asked for. Follows the GGUF specification of the ggml project.

mod cursor;
mod error;
mod tensor;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub use error::GgufError;
pub use tensor::TensorInfo;
pub use value::{Array, Value, ValueType};
pub use write::GgufWriter;

use crate::Error;
use crate::mapping::Mapping;
use cursor::Cursor;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

const MAGIC: [u8; 4] = *b"GGUF";
const ALIGNMENT_KEY: &str = "general.alignment";
const DEFAULT_ALIGNMENT: usize = 32;
/// Far above what files have (a few dozen), so that a hostile table stays small in memory.
const MAX_KEYS: usize = 1 << 16;
/// Length of the key, type, one byte of value.
const MIN_ENTRY_BYTES: usize = 8 + 4 + 1;

/// A GGUF file whose metadata and tensor table were read and checked.
///
/// `B` is where the bytes live: a [`Mapping`] for files, a slice for bytes in memory. It must give the same bytes every
/// time.
///
/// ```
/// use saydo_model::gguf::{Gguf, GgufWriter, Value};
///
/// let mut writer = GgufWriter::new();
/// writer.set("general.architecture", Value::Text("llama"));
/// let mut bytes = Vec::new();
/// writer.write(&mut bytes)?;
/// let gguf = Gguf::parse(&bytes[..])?;
/// assert_eq!(gguf.text("general.architecture")?, "llama");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gguf<B> {
    bytes: B,
    version: u32,
    entries: Vec<Entry>,
    keys: HashMap<Box<str>, usize>,
    tensors: Vec<TensorInfo>,
    names: HashMap<Box<str>, usize>,
}

/// A metadata entry: its key, and the type and bytes of its value.
#[derive(Debug, Clone)]
struct Entry {
    key: Box<str>,
    value_type: ValueType,
    range: Range<usize>,
}

impl Gguf<Mapping> {
    /// Maps and reads the file at `path`; errors name it.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let mapping = Mapping::open(path)?;
        Self::parse(mapping.clone()).map_err(|error| Error::from(error).in_file(mapping.path()))
    }

    /// The mapped file.
    pub fn mapping(&self) -> &Mapping {
        &self.bytes
    }
}

impl<B: AsRef<[u8]>> Gguf<B> {
    /// Reads metadata and tensor table.
    pub fn parse(bytes: B) -> Result<Self, GgufError> {
        let mut cursor = Cursor::new(bytes.as_ref());
        let version = read_version(&mut cursor)?;
        let tensor_count = count(&mut cursor, "the tensor count", tensor::MIN_BYTES, tensor::MAX_TENSORS)?;
        let key_count = count(&mut cursor, "the metadata count", MIN_ENTRY_BYTES, MAX_KEYS)?;
        let mut entries = Vec::new();
        for index in 0..key_count {
            entries.push(read_entry(&mut cursor, index)?);
        }
        let keys = index_keys(&entries)?;
        let tensors = tensor::read_table(&mut cursor, tensor_count)?;
        let names = tensor::index(&tensors)?;
        let table_end = cursor.offset();
        let mut gguf = Self { bytes, version, entries, keys, tensors, names };
        gguf.place_tensors(table_end)?;
        Ok(gguf)
    }

    fn place_tensors(&mut self, table_end: usize) -> Result<(), GgufError> {
        let alignment = self.alignment()?;
        // A table without tensors may end the file before the padding does; nothing is read from there.
        let data_start = table_end.checked_next_multiple_of(alignment).unwrap_or(usize::MAX);
        tensor::place(&mut self.tensors, data_start, alignment, self.bytes.as_ref().len())
    }

    fn alignment(&self) -> Result<usize, GgufError> {
        let Some(alignment) = self.when_present(ALIGNMENT_KEY, Self::u32)? else { return Ok(DEFAULT_ALIGNMENT) };
        match usize::try_from(alignment) {
            Ok(alignment) if alignment.is_power_of_two() => Ok(alignment),
            _ => Err(GgufError::invalid(format!("metadata key {ALIGNMENT_KEY:?}"), alignment, "a power of two")),
        }
    }

    /// The version of the format, 2 or 3.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// All metadata in the order of the file.
    pub fn metadata(&self) -> impl Iterator<Item = (&str, Value<'_>)> {
        self.entries.iter().filter_map(|entry| Some((&*entry.key, self.decode(entry)?)))
    }

    /// The value under `key`.
    pub fn value(&self, key: &str) -> Option<Value<'_>> {
        self.keys.get(key).and_then(|index| self.decode(&self.entries[*index]))
    }

    fn decode(&self, entry: &Entry) -> Option<Value<'_>> {
        let bytes = self.bytes.as_ref().get(entry.range.clone())?;
        match entry.value_type {
            ValueType::Array => Array::reread(bytes).ok().map(Value::Array),
            value_type => Value::read(&mut Cursor::new(bytes), value_type, 0, &String::new).ok(),
        }
    }

    /// The integer under `key`, of any width, if it fits.
    pub fn u32(&self, key: &str) -> Result<u32, GgufError> {
        self.integer(key, "u32")
    }

    /// The integer under `key`, of any width, if it fits.
    pub fn u64(&self, key: &str) -> Result<u64, GgufError> {
        self.integer(key, "u64")
    }

    fn integer<T: TryFrom<i128>>(&self, key: &str, expected: &'static str) -> Result<T, GgufError> {
        let value = self.needed(key, expected)?;
        let integer = value.integer().ok_or_else(|| wrong_type(key, value, expected))?;
        let found = || format!("the {} {integer}", value.value_type().name());
        T::try_from(integer).map_err(|_| GgufError::WrongType { key: key.to_owned(), found: found(), expected })
    }

    /// The floating-point number under `key`.
    pub fn f32(&self, key: &str) -> Result<f32, GgufError> {
        let value = self.needed(key, "f32")?;
        value.float().ok_or_else(|| wrong_type(key, value, "f32"))
    }

    /// The bool under `key`.
    pub fn bool(&self, key: &str) -> Result<bool, GgufError> {
        match self.needed(key, "bool")? {
            Value::Bool(value) => Ok(value),
            value => Err(wrong_type(key, value, "bool")),
        }
    }

    /// The text under `key`.
    pub fn text(&self, key: &str) -> Result<&str, GgufError> {
        match self.needed(key, "text")? {
            Value::Text(value) => Ok(value),
            value => Err(wrong_type(key, value, "text")),
        }
    }

    /// The array under `key`, of any element type.
    pub fn array(&self, key: &str) -> Result<Array<'_>, GgufError> {
        match self.needed(key, "array")? {
            Value::Array(array) => Ok(array),
            value => Err(wrong_type(key, value, "array")),
        }
    }

    /// The array of texts under `key`.
    pub fn texts<'a>(&'a self, key: &str) -> Result<impl ExactSizeIterator<Item = &'a str> + use<'a, B>, GgufError> {
        self.elements(key, "array of text", |value| match value {
            Value::Text(text) => Some(text),
            _ => None,
        })
    }

    /// The array of floating-point numbers under `key`.
    pub fn f32s<'a>(&'a self, key: &str) -> Result<impl ExactSizeIterator<Item = f32> + use<'a, B>, GgufError> {
        self.elements(key, "array of f32", |value| value.float())
    }

    /// The array of integers under `key`, of any width; one that does not fit becomes `i32::MIN`.
    pub fn i32s<'a>(&'a self, key: &str) -> Result<impl ExactSizeIterator<Item = i32> + use<'a, B>, GgufError> {
        self.elements(key, "array of i32", |value| value.integer().map(|value| value.try_into().unwrap_or(i32::MIN)))
    }

    /// The elements under `key` as `pick` gives them. It must depend on the element's type alone whether it gives one.
    fn elements<'a, T: Default, F: Fn(Value<'a>) -> Option<T>>(
        &'a self,
        key: &str,
        expected: &'static str,
        pick: F,
    ) -> Result<impl ExactSizeIterator<Item = T> + use<'a, B, T, F>, GgufError> {
        let value = self.needed(key, expected)?;
        let Value::Array(array) = value else { return Err(wrong_type(key, value, expected)) };
        let mut elements = array.iter();
        if array.iter().next().is_some_and(|first| pick(first).is_none()) {
            let found = format!("array of {}", array.element().name());
            return Err(GgufError::WrongType { key: key.to_owned(), found, expected });
        }
        Ok((0..array.len()).map(move |_| elements.next().and_then(&pick).unwrap_or_default()))
    }

    /// What `read` gives for `key`, or nothing if there is no such key: `gguf.when_present(key, Gguf::u32)`.
    pub fn when_present<'a, T>(
        &'a self,
        key: &str,
        read: impl FnOnce(&'a Self, &str) -> Result<T, GgufError>,
    ) -> Result<Option<T>, GgufError> {
        if self.keys.contains_key(key) { read(self, key).map(Some) } else { Ok(None) }
    }

    fn needed(&self, key: &str, expected: &'static str) -> Result<Value<'_>, GgufError> {
        self.value(key).ok_or_else(|| GgufError::MissingKey { key: key.to_owned(), expected })
    }

    /// All tensors in the order of the file.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// The tensor called `name`.
    pub fn tensor(&self, name: &str) -> Result<&TensorInfo, GgufError> {
        let index = self.names.get(name).ok_or_else(|| GgufError::MissingTensor { name: name.to_owned() })?;
        Ok(&self.tensors[*index])
    }

    /// The bytes of the tensor called `name`.
    pub fn data(&self, name: &str) -> Result<&[u8], GgufError> {
        let range = self.tensor(name)?.range.clone();
        Ok(self.bytes.as_ref().get(range).expect("a tensor's range was held against the file's length"))
    }
}

fn wrong_type(key: &str, value: Value<'_>, expected: &'static str) -> GgufError {
    GgufError::WrongType { key: key.to_owned(), found: value.value_type().name().to_owned(), expected }
}

fn read_version(cursor: &mut Cursor<'_>) -> Result<u32, GgufError> {
    let magic: [u8; 4] = cursor.array(|| "the magic number".to_owned())?;
    if magic != MAGIC {
        let found = format!("\"{}\"", magic.escape_ascii());
        return Err(GgufError::invalid("the magic number", found, "\"GGUF\""));
    }
    let version = cursor.u32(|| "the version".to_owned())?;
    match version {
        2 | 3 => Ok(version),
        _ if matches!(version.swap_bytes(), 1..=0xffff) => {
            let found = format!("{} in big-endian byte order", version.swap_bytes());
            Err(GgufError::invalid("the version", found, "2 or 3 in little-endian byte order"))
        }
        _ => Err(GgufError::invalid("the version", version, "2 or 3")),
    }
}

fn count(cursor: &mut Cursor<'_>, field: &str, least_bytes: usize, most: usize) -> Result<usize, GgufError> {
    let count = cursor.count(least_bytes, || field.to_owned())?;
    if count > most { Err(GgufError::invalid(field, count, format!("at most {most}"))) } else { Ok(count) }
}

fn read_entry(cursor: &mut Cursor<'_>, index: usize) -> Result<Entry, GgufError> {
    let key = cursor.text(|| format!("metadata key {index}"))?;
    let field = || format!("metadata key {key:?}");
    let value_type = ValueType::read(cursor, field)?;
    let start = cursor.offset();
    Value::read(cursor, value_type, 0, &field)?;
    Ok(Entry { key: key.into(), value_type, range: start..cursor.offset() })
}

fn index_keys(entries: &[Entry]) -> Result<HashMap<Box<str>, usize>, GgufError> {
    let mut keys = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(first) = keys.insert(entry.key.clone(), index) {
            let found = format!("{:?}, as metadata key {first}", entry.key);
            return Err(GgufError::invalid(format!("metadata key {index}"), found, "a new key"));
        }
    }
    Ok(keys)
}
