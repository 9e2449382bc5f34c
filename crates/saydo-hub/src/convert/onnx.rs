//! What Saydo needs of an ONNX file: constant tensors, and which integer product multiplies by which of them.
//!
//! ONNX is a protobuf (`onnx.proto`); this reads its wire format. Bytes are a stranger's: nothing is allocated beyond the
//! size of the file, sizes are computed with checks, and what does not fit is an error that says where.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is wrong with an ONNX file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The file ends too early.
    #[error("byte {at}: the file ends inside a field")]
    Ends {
        /// Where the field starts.
        at: usize,
    },
    /// A number of more than 64 bits.
    #[error("byte {at}: a number has more than 64 bits")]
    Number {
        /// Where it starts.
        at: usize,
    },
    /// A field of another type than its number says.
    #[error("byte {at}: field {field} has wire type {found}, expected {expected}")]
    WireType {
        /// Where it is.
        at: usize,
        /// The number of the field.
        field: u64,
        /// Its type.
        found: u64,
        /// The right type.
        expected: &'static str,
    },
    /// A name that is not UTF-8.
    #[error("byte {at}: a name is not UTF-8")]
    Name {
        /// Where it starts.
        at: usize,
    },
    /// The file has no graph.
    #[error("it has no graph")]
    NoGraph,
    /// Two tensors have one name.
    #[error("two tensors are named `{name}`")]
    Repeated {
        /// The name.
        name: String,
    },
    /// A tensor of a type that is not read.
    #[error("tensor `{name}` has data type {found}, expected 1 (float), 2 (uint8) or 3 (int8)")]
    DataType {
        /// The tensor.
        name: String,
        /// The number of its type.
        found: u64,
    },
    /// A tensor whose values are in another file.
    #[error("the values of tensor `{name}` are in another file, expected them inside")]
    External {
        /// The tensor.
        name: String,
    },
    /// A tensor with another number of values than its shape says.
    #[error("tensor `{name}` of shape {shape:?} has {found} bytes of values, expected {expected}")]
    Size {
        /// The tensor.
        name: String,
        /// Its shape.
        shape: Vec<usize>,
        /// How many bytes of values there are.
        found: usize,
        /// How many there should be; the largest number where the product of the shape has no room in 64 bits.
        expected: usize,
    },
    /// A tensor with a negative dimension, or more values than an address can count.
    #[error("tensor `{name}` has a dimension of {found}")]
    Dimension {
        /// The tensor.
        name: String,
        /// The dimension.
        found: i64,
    },
    /// A value that the type of its tensor cannot hold.
    #[error("tensor `{name}` holds {found}, which its type cannot hold")]
    Value {
        /// The tensor.
        name: String,
        /// The value.
        found: i64,
    },
    /// A tensor that a conversion needs.
    #[error("it has no tensor `{name}`")]
    Missing {
        /// The tensor.
        name: String,
    },
    /// A tensor of another shape or type than a conversion needs.
    #[error("tensor `{name}` is {found}, expected {expected}")]
    Unexpected {
        /// The tensor.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A tensor that a conversion does not know.
    #[error("tensor `{name}` is no weight of a T5")]
    Unknown {
        /// The tensor.
        name: String,
    },
}

/// Values of a tensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values<'a> {
    /// 32-bit floats.
    Floats(Vec<f32>),
    /// Unsigned 8-bit numbers.
    Unsigned(Cow<'a, [u8]>),
    /// Signed 8-bit numbers, as their bytes.
    Signed(Cow<'a, [u8]>),
}

/// A constant tensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor<'a> {
    /// Its dimensions, none for a single number.
    pub shape: Vec<usize>,
    /// As many values as the shape says.
    pub values: Values<'a>,
}

/// A `MatMulInteger`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Product<'a> {
    /// The name of the node.
    pub name: &'a str,
    /// The name of its second factor.
    pub factor: &'a str,
}

/// The constant tensors and integer products of a graph.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Graph<'a> {
    pub tensors: BTreeMap<&'a str, Tensor<'a>>,
    pub products: Vec<Product<'a>>,
}

impl<'a> Graph<'a> {
    /// Reads a file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut graph = None;
        Message::new(bytes, 0).each(|field| {
            if field.number == 7 {
                graph = Some(field.bytes("a graph")?);
            }
            Ok(())
        })?;
        let (bytes, at) = graph.ok_or(Malformed::NoGraph)?;
        let mut graph = Self::default();
        Message::new(bytes, at).each(|field| {
            match field.number {
                1 => graph.products.extend(product(field.bytes("a node")?)?),
                5 => {
                    let (name, tensor) = tensor(field.bytes("a tensor")?)?;
                    if graph.tensors.insert(name, tensor).is_some() {
                        return Err(Malformed::Repeated { name: name.to_owned() });
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(graph)
    }
}

fn product((bytes, at): (&[u8], usize)) -> Result<Option<Product<'_>>, Malformed> {
    let (mut inputs, mut name, mut kind) = (Vec::new(), "", "");
    Message::new(bytes, at).each(|field| {
        match field.number {
            1 => inputs.push(field.text()?),
            3 => name = field.text()?,
            4 => kind = field.text()?,
            _ => {}
        }
        Ok(())
    })?;
    let factor = inputs.get(1).filter(|_| kind == "MatMulInteger");
    Ok(factor.map(|factor| Product { name, factor }))
}

fn tensor((bytes, at): (&[u8], usize)) -> Result<(&str, Tensor<'_>), Malformed> {
    let (mut name, mut kind, mut is_external) = ("", 0, false);
    let (mut dimensions, mut floats, mut numbers, mut raw) = (Vec::new(), Vec::new(), Vec::new(), None);
    Message::new(bytes, at).each(|field| {
        match field.number {
            1 => field.numbers(&mut dimensions)?,
            2 => kind = field.number_value()?,
            4 => field.floats(&mut floats)?,
            5 => field.numbers(&mut numbers)?,
            8 => name = field.text()?,
            9 => raw = Some(field.bytes("raw values")?.0),
            14 => is_external = field.number_value()? != 0,
            _ => {}
        }
        Ok(())
    })?;
    let owned = || name.to_owned();
    if is_external {
        return Err(Malformed::External { name: owned() });
    }
    let dimension =
        |found: &i64| usize::try_from(*found).map_err(|_| Malformed::Dimension { name: owned(), found: *found });
    let shape = dimensions.iter().map(dimension).collect::<Result<Vec<usize>, _>>()?;
    let small = |range: std::ops::RangeInclusive<i64>| -> Result<Vec<u8>, Malformed> {
        let number = |found: &i64| match range.contains(found) {
            true => Ok(*found as u8),
            false => Err(Malformed::Value { name: owned(), found: *found }),
        };
        numbers.iter().map(number).collect()
    };
    let (values, found, width) = match (kind, raw) {
        (1, Some(raw)) => {
            let value = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            (Values::Floats(raw.chunks_exact(4).map(value).collect()), raw.len(), 4)
        }
        (1, None) => (Values::Floats(floats.clone()), 4 * floats.len(), 4),
        (2, Some(raw)) => (Values::Unsigned(Cow::Borrowed(raw)), raw.len(), 1),
        (2, None) => (Values::Unsigned(Cow::Owned(small(0..=255)?)), numbers.len(), 1),
        (3, Some(raw)) => (Values::Signed(Cow::Borrowed(raw)), raw.len(), 1),
        (3, None) => (Values::Signed(Cow::Owned(small(-128..=127)?)), numbers.len(), 1),
        (found, _) => return Err(Malformed::DataType { name: owned(), found }),
    };
    let count = shape.iter().try_fold(1_usize, |count, dimension| count.checked_mul(*dimension));
    let expected = count.and_then(|count| count.checked_mul(width)).unwrap_or(usize::MAX);
    if found != expected {
        return Err(Malformed::Size { name: owned(), shape, found, expected });
    }
    Ok((name, Tensor { shape, values }))
}

/// The bytes of a protobuf message, and where they stand in the file.
struct Message<'a> {
    bytes: &'a [u8],
    at: usize,
    place: usize,
}

/// A field of a message.
struct Field<'a> {
    at: usize,
    number: u64,
    content: Content<'a>,
}

enum Content<'a> {
    Number(u64),
    Eight,
    Bytes(&'a [u8], usize),
    Four([u8; 4]),
}

impl<'a> Message<'a> {
    fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, place: 0 }
    }

    /// Gives every field to `take`, in order.
    fn each(mut self, mut take: impl FnMut(&Field<'a>) -> Result<(), Malformed>) -> Result<(), Malformed> {
        while self.place < self.bytes.len() {
            take(&self.field()?)?;
        }
        Ok(())
    }

    fn field(&mut self) -> Result<Field<'a>, Malformed> {
        let at = self.at + self.place;
        let key = self.number()?;
        let number = key >> 3;
        let content = match key & 7 {
            0 => Content::Number(self.number()?),
            1 => {
                self.take(8)?;
                Content::Eight
            }
            2 => {
                let length = self.number()?;
                let start = self.at + self.place;
                Content::Bytes(self.take(length)?, start)
            }
            5 => {
                let bytes = self.take(4)?;
                Content::Four([bytes[0], bytes[1], bytes[2], bytes[3]])
            }
            found => return Err(Malformed::WireType { at, field: number, found, expected: "0, 1, 2 or 5" }),
        };
        Ok(Field { at, number, content })
    }

    /// A number in 7 bits a byte, the lowest first.
    fn number(&mut self) -> Result<u64, Malformed> {
        let at = self.at + self.place;
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take(1)? else { return Err(Malformed::Ends { at }) };
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed::Number { at });
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed::Number { at })
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let ends = Malformed::Ends { at: self.at + self.place };
        let end = usize::try_from(length).ok().and_then(|length| self.place.checked_add(length));
        let end = end.filter(|end| *end <= self.bytes.len()).ok_or(ends)?;
        let taken = &self.bytes[self.place..end];
        self.place = end;
        Ok(taken)
    }
}

impl<'a> Field<'a> {
    fn wrong(&self, expected: &'static str) -> Malformed {
        let found = match self.content {
            Content::Number(_) => 0,
            Content::Eight => 1,
            Content::Bytes(..) => 2,
            Content::Four(_) => 5,
        };
        Malformed::WireType { at: self.at, field: self.number, found, expected }
    }

    fn bytes(&self, expected: &'static str) -> Result<(&'a [u8], usize), Malformed> {
        match self.content {
            Content::Bytes(bytes, at) => Ok((bytes, at)),
            _ => Err(self.wrong(expected)),
        }
    }

    fn text(&self) -> Result<&'a str, Malformed> {
        let (bytes, at) = self.bytes("2 (a name)")?;
        std::str::from_utf8(bytes).map_err(|_| Malformed::Name { at })
    }

    fn number_value(&self) -> Result<u64, Malformed> {
        match self.content {
            Content::Number(number) => Ok(number),
            _ => Err(self.wrong("0 (a number)")),
        }
    }

    /// A number, or many of them behind each other.
    fn numbers(&self, into: &mut Vec<i64>) -> Result<(), Malformed> {
        match self.content {
            Content::Number(number) => into.push(number as i64),
            Content::Bytes(bytes, at) => {
                let mut message = Message::new(bytes, at);
                while message.place < bytes.len() {
                    into.push(message.number()? as i64);
                }
            }
            _ => return Err(self.wrong("0 or 2 (numbers)")),
        }
        Ok(())
    }

    fn floats(&self, into: &mut Vec<f32>) -> Result<(), Malformed> {
        match self.content {
            Content::Four(bytes) => into.push(f32::from_le_bytes(bytes)),
            Content::Bytes(bytes, at) => {
                let (values, rest) = bytes.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(Malformed::Ends { at: at + bytes.len() - rest.len() });
                }
                into.extend(values.iter().map(|bytes| f32::from_le_bytes(*bytes)));
            }
            _ => return Err(self.wrong("5 or 2 (floats)")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
