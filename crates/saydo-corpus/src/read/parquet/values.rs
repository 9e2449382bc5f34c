//! Texts and ids out of Arrow columns, however they are stored.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrowPrimitiveType, OffsetSizeTrait};
use arrow_schema::DataType;
use serde_json::Value;

/// Whether a column of this type holds text.
pub fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Whether a column of this type can be an id.
pub fn is_id(kind: &DataType) -> bool {
    is_text(kind) || kind.is_integer()
}

/// The texts of a column; none if it holds something else.
pub fn texts(array: &dyn Array) -> Option<Vec<Option<String>>> {
    match array.data_type() {
        DataType::Utf8 => Some(plain_texts::<i32>(array)),
        DataType::LargeUtf8 => Some(plain_texts::<i64>(array)),
        DataType::Utf8View => Some(array.as_string_view().iter().map(|text| text.map(str::to_owned)).collect()),
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let values = texts(dictionary.values())?;
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let text = |(row, key): (usize, usize)| (!array.is_null(row)).then(|| values.get(key).cloned().flatten());
            Some(keys.map(|key| text(key).flatten()).collect())
        }
        _ => None,
    }
}

fn plain_texts<O: OffsetSizeTrait>(array: &dyn Array) -> Vec<Option<String>> {
    array.as_string::<O>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// The ids of a column, as JSON; empty if it holds neither text nor whole numbers.
pub fn ids(array: &dyn Array) -> Vec<Option<Value>> {
    match array.data_type() {
        DataType::Int8 => numbers::<Int8Type>(array),
        DataType::Int16 => numbers::<Int16Type>(array),
        DataType::Int32 => numbers::<Int32Type>(array),
        DataType::Int64 => numbers::<Int64Type>(array),
        DataType::UInt8 => numbers::<UInt8Type>(array),
        DataType::UInt16 => numbers::<UInt16Type>(array),
        DataType::UInt32 => numbers::<UInt32Type>(array),
        DataType::UInt64 => numbers::<UInt64Type>(array),
        _ => texts(array).unwrap_or_default().into_iter().map(|text| text.map(Value::from)).collect(),
    }
}

fn numbers<T: ArrowPrimitiveType<Native: Into<Value>>>(array: &dyn Array) -> Vec<Option<Value>> {
    array.as_primitive::<T>().iter().map(|number| number.map(Into::into)).collect()
}
