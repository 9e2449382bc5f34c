//! Metadata values: the thirteen types of the GGUF specification, decoded from the file's bytes when asked for.
//!
//! Arrays are not copied: a vocabulary of 262,144 texts stays where it is until someone iterates over it.

use super::GgufError;
use super::cursor::Cursor;

/// How deep arrays of arrays may go. No published file goes deeper than two.
const MAX_DEPTH: usize = 4;

/// The type of a metadata value, numbered as in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum ValueType {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    Text = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
}

impl ValueType {
    const ALL: [Self; 13] = [
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::F32,
        Self::Bool,
        Self::Text,
        Self::Array,
        Self::U64,
        Self::I64,
        Self::F64,
    ];

    /// The type's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::Bool => "bool",
            Self::Text => "text",
            Self::Array => "array",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
        }
    }

    pub(super) fn read(cursor: &mut Cursor<'_>, field: impl Fn() -> String) -> Result<Self, GgufError> {
        let field = || format!("the type of {}", field());
        let id = cursor.u32(field)?;
        let known = usize::try_from(id).ok().and_then(|id| Self::ALL.get(id).copied());
        known.ok_or_else(|| GgufError::invalid(field(), id, "a value type from 0 to 12"))
    }

    /// The fewest bytes a value of this type takes in a file.
    fn least_bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Bool => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 | Self::Text => 8,
            Self::Array => 12,
        }
    }

    /// Whether all values of this type have the same size and every pattern of bytes is one.
    fn is_plain(self) -> bool {
        !matches!(self, Self::Bool | Self::Text | Self::Array)
    }
}

/// A metadata value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Value<'a> {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    Text(&'a str),
    Array(Array<'a>),
    U64(u64),
    I64(i64),
    F64(f64),
}

impl<'a> Value<'a> {
    /// The value's type.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::U8(_) => ValueType::U8,
            Self::I8(_) => ValueType::I8,
            Self::U16(_) => ValueType::U16,
            Self::I16(_) => ValueType::I16,
            Self::U32(_) => ValueType::U32,
            Self::I32(_) => ValueType::I32,
            Self::F32(_) => ValueType::F32,
            Self::Bool(_) => ValueType::Bool,
            Self::Text(_) => ValueType::Text,
            Self::Array(_) => ValueType::Array,
            Self::U64(_) => ValueType::U64,
            Self::I64(_) => ValueType::I64,
            Self::F64(_) => ValueType::F64,
        }
    }

    /// The value as an integer, whatever its width; nothing if it is not one.
    pub fn integer(&self) -> Option<i128> {
        Some(match *self {
            Self::U8(value) => value.into(),
            Self::I8(value) => value.into(),
            Self::U16(value) => value.into(),
            Self::I16(value) => value.into(),
            Self::U32(value) => value.into(),
            Self::I32(value) => value.into(),
            Self::U64(value) => value.into(),
            Self::I64(value) => value.into(),
            _ => return None,
        })
    }

    /// The value as a number of single precision; nothing if it is not a floating-point number.
    pub fn float(&self) -> Option<f32> {
        match *self {
            Self::F32(value) => Some(value),
            Self::F64(value) => Some(value as f32),
            _ => None,
        }
    }

    /// Reads a value of `value_type` and, for an array, checks all it holds.
    pub(super) fn read(
        cursor: &mut Cursor<'a>,
        value_type: ValueType,
        depth: usize,
        field: &impl Fn() -> String,
    ) -> Result<Self, GgufError> {
        Ok(match value_type {
            ValueType::U8 => Self::U8(u8::from_le_bytes(cursor.array(field)?)),
            ValueType::I8 => Self::I8(i8::from_le_bytes(cursor.array(field)?)),
            ValueType::U16 => Self::U16(u16::from_le_bytes(cursor.array(field)?)),
            ValueType::I16 => Self::I16(i16::from_le_bytes(cursor.array(field)?)),
            ValueType::U32 => Self::U32(u32::from_le_bytes(cursor.array(field)?)),
            ValueType::I32 => Self::I32(i32::from_le_bytes(cursor.array(field)?)),
            ValueType::F32 => Self::F32(f32::from_le_bytes(cursor.array(field)?)),
            ValueType::U64 => Self::U64(u64::from_le_bytes(cursor.array(field)?)),
            ValueType::I64 => Self::I64(i64::from_le_bytes(cursor.array(field)?)),
            ValueType::F64 => Self::F64(f64::from_le_bytes(cursor.array(field)?)),
            ValueType::Bool => Self::Bool(read_bool(cursor, field)?),
            ValueType::Text => Self::Text(cursor.text(field)?),
            ValueType::Array => Self::Array(Array::read(cursor, depth, field)?),
        })
    }
}

fn read_bool(cursor: &mut Cursor<'_>, field: impl Fn() -> String) -> Result<bool, GgufError> {
    match cursor.array(&field)? {
        [0] => Ok(false),
        [1] => Ok(true),
        [other] => Err(GgufError::invalid(field(), other, "0 or 1 for a bool")),
    }
}

/// Values of one type, still encoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Array<'a> {
    element: ValueType,
    count: usize,
    bytes: &'a [u8],
}

impl<'a> Array<'a> {
    /// The type of the elements.
    pub fn element(&self) -> ValueType {
        self.element
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let (mut cursor, element) = (Cursor::new(self.bytes), self.element);
        (0..self.count).map_while(move |_| Value::read(&mut cursor, element, 1, &String::new).ok())
    }

    /// The elements as they stand in the file.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Reads type, count and elements.
    fn read(cursor: &mut Cursor<'a>, depth: usize, field: &impl Fn() -> String) -> Result<Self, GgufError> {
        if depth >= MAX_DEPTH {
            return Err(GgufError::invalid(field(), "an array nested too deep", format!("{MAX_DEPTH} levels at most")));
        }
        let (element, count) = Self::read_head(cursor, field)?;
        let start = cursor.rest();
        if element.is_plain() {
            cursor.take((count * element.least_bytes()) as u64, field)?;
        } else {
            for index in 0..count {
                // A type per level would make the compiler build this function without end, hence the `dyn`.
                let field: &dyn Fn() -> String = &|| format!("element {index} of {}", field());
                Value::read(cursor, element, depth + 1, &field)?;
            }
        }
        let bytes = &start[..start.len() - cursor.rest().len()];
        Ok(Self { element, count, bytes })
    }

    /// An array that was read before and found good, of which `bytes` is all.
    pub(super) fn reread(bytes: &'a [u8]) -> Result<Self, GgufError> {
        let mut cursor = Cursor::new(bytes);
        let (element, count) = Self::read_head(&mut cursor, String::new)?;
        Ok(Self { element, count, bytes: cursor.rest() })
    }

    fn read_head(cursor: &mut Cursor<'_>, field: impl Fn() -> String) -> Result<(ValueType, usize), GgufError> {
        let element = ValueType::read(cursor, || format!("the elements of {}", field()))?;
        let count = cursor.count(element.least_bytes(), || format!("the length of {}", field()))?;
        Ok((element, count))
    }
}
