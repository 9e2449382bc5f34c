//! The tensor table: where each tensor lies in the file, with every size checked before anyone reads a weight.

use super::GgufError;
use super::cursor::Cursor;
use crate::quant::BlockType;
use std::collections::HashMap;
use std::ops::Range;

/// The format's limit on dimensions.
const MAX_DIMENSIONS: u32 = 4;
/// Far above what models have (a few thousand), so that a hostile table stays small in memory.
pub(super) const MAX_TENSORS: usize = 1 << 16;
/// Length of the name, number of dimensions, one dimension, type, offset.
pub(super) const MIN_BYTES: usize = 8 + 4 + 8 + 4 + 8;

/// A tensor's place in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorInfo {
    /// The dotted name, such as `blk.0.attn_q.weight`.
    pub name: String,
    /// The sizes, the fastest-moving one first: a matrix of `rows` by `columns` is stored as `[columns, rows]`.
    pub shape: Vec<usize>,
    /// How the numbers are stored.
    pub block_type: BlockType,
    /// The bytes in the file.
    pub range: Range<usize>,
}

impl TensorInfo {
    /// How many numbers the tensor holds.
    pub fn elements(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The bytes that a tensor of this shape takes. An error names the tensor.
pub(super) fn size(name: &str, shape: &[usize], block_type: BlockType) -> Result<usize, GgufError> {
    let too_large =
        || GgufError::invalid(format!("the shape of tensor {name:?}"), format!("{shape:?}"), "a smaller one");
    let row = shape.first().copied().unwrap_or(0);
    if row == 0 || !row.is_multiple_of(block_type.block_values()) {
        let expected = format!("a multiple of {}, the block size of {block_type:?}", block_type.block_values());
        return Err(GgufError::invalid(format!("dimension 0 of tensor {name:?}"), row, expected));
    }
    let elements = shape.iter().try_fold(1usize, |product, size| product.checked_mul(*size)).ok_or_else(too_large)?;
    block_type.bytes_for(elements).map_err(|_| too_large())
}

/// Reads the table. Ranges still count from the start of the data; `place` makes them count from the start of the file.
pub(super) fn read_table(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<TensorInfo>, GgufError> {
    let mut tensors = Vec::new();
    for index in 0..count {
        tensors.push(read_tensor(cursor, index)?);
    }
    Ok(tensors)
}

fn read_tensor(cursor: &mut Cursor<'_>, index: usize) -> Result<TensorInfo, GgufError> {
    let name = cursor.text(|| format!("the name of tensor {index}"))?.to_owned();
    let shape = read_shape(cursor, &name)?;
    let field = || format!("the type of tensor {name:?}");
    let id = cursor.u32(field)?;
    let block_type =
        BlockType::from_ggml_id(id).map_err(|_| GgufError::invalid(field(), id, "one we can compute with"))?;
    let field = || format!("the offset of tensor {name:?}");
    let offset = cursor.u64(field)?;
    let size = size(&name, &shape, block_type)?;
    let end = usize::try_from(offset).ok().and_then(|offset| offset.checked_add(size));
    let end = end.ok_or_else(|| GgufError::invalid(field(), offset, "an offset within the file"))?;
    Ok(TensorInfo { name, shape, block_type, range: end - size..end })
}

fn read_shape(cursor: &mut Cursor<'_>, name: &str) -> Result<Vec<usize>, GgufError> {
    let field = || format!("the number of dimensions of tensor {name:?}");
    let dimensions = cursor.u32(field)?;
    if dimensions == 0 || dimensions > MAX_DIMENSIONS {
        return Err(GgufError::invalid(field(), dimensions, format!("1 to {MAX_DIMENSIONS}")));
    }
    let mut shape = Vec::new();
    for dimension in 0..dimensions {
        let field = || format!("dimension {dimension} of tensor {name:?}");
        let size = cursor.u64(field)?;
        match usize::try_from(size) {
            Ok(size) if size > 0 => shape.push(size),
            _ => return Err(GgufError::invalid(field(), size, "a size above 0 that fits in memory")),
        }
    }
    Ok(shape)
}

/// Moves every range behind `data_start` and checks alignment, the end of the file and overlaps.
pub(super) fn place(
    tensors: &mut [TensorInfo],
    data_start: usize,
    alignment: usize,
    file_len: usize,
) -> Result<(), GgufError> {
    for tensor in &mut *tensors {
        let field = || format!("the offset of tensor {:?}", tensor.name);
        if !tensor.range.start.is_multiple_of(alignment) {
            let expected = format!("a multiple of the alignment {alignment}");
            return Err(GgufError::invalid(field(), tensor.range.start, expected));
        }
        match tensor.range.end.checked_add(data_start) {
            Some(end) if end <= file_len => tensor.range = tensor.range.start + data_start..end,
            _ => {
                let expected = format!("room for its {} bytes before the end at {file_len}", tensor.range.len());
                return Err(GgufError::invalid(
                    field(),
                    format!("{} after {data_start}", tensor.range.start),
                    expected,
                ));
            }
        }
    }
    check_overlaps(tensors)
}

fn check_overlaps(tensors: &[TensorInfo]) -> Result<(), GgufError> {
    let mut order: Vec<&TensorInfo> = tensors.iter().collect();
    order.sort_by_key(|tensor| tensor.range.start);
    match order.windows(2).find(|pair| pair[0].range.end > pair[1].range.start) {
        None => Ok(()),
        Some(pair) => {
            let found = format!("inside tensor {:?}", pair[0].name);
            let field = format!("the start of tensor {:?}", pair[1].name);
            Err(GgufError::invalid(field, found, format!("{} or later", pair[0].range.end)))
        }
    }
}

/// The index by name; a name that stands twice is an error.
pub(super) fn index(tensors: &[TensorInfo]) -> Result<HashMap<Box<str>, usize>, GgufError> {
    let mut index = HashMap::new();
    for (at, tensor) in tensors.iter().enumerate() {
        if let Some(first) = index.insert(tensor.name.as_str().into(), at) {
            let field = format!("the name of tensor {at}");
            return Err(GgufError::invalid(field, format!("{:?}, as of tensor {first}", tensor.name), "a new name"));
        }
    }
    Ok(index)
}
