//! A safetensors file of 32-bit floats, written tensor by tensor: a model need not fit into memory twice.

use saydo_file::Draft;
use serde_json::{Map, json};
use std::io::{self, Write};
use std::path::Path;

/// A tensor to write.
pub(super) struct Named<'a> {
    /// Its name.
    pub name: String,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Makes its values, as many as the shape says.
    pub values: Box<dyn Fn() -> Vec<f32> + 'a>,
}

/// Writes tensors in the order of their names.
pub(super) fn write(mut tensors: Vec<Named<'_>>, path: &Path) -> io::Result<()> {
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    let (mut header, mut end) = (Map::new(), 0_usize);
    header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
    for tensor in &tensors {
        let begin = end;
        end += 4 * tensor.shape.iter().product::<usize>();
        let entry = json!({ "data_offsets": [begin, end], "dtype": "F32", "shape": tensor.shape });
        header.insert(tensor.name.clone(), entry);
    }
    let mut header = serde_json::Value::Object(header).to_string().into_bytes();
    // Values start at a multiple of 8 bytes, so that a mapped file can be read in place.
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut draft = Draft::create(path)?;
    draft.write_all(&(header.len() as u64).to_le_bytes())?;
    draft.write_all(&header)?;
    for tensor in &tensors {
        let bytes: Vec<u8> = (tensor.values)().iter().flat_map(|value| value.to_le_bytes()).collect();
        draft.write_all(&bytes)?;
    }
    draft.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::SafeTensors;

    #[test]
    fn what_is_written_is_safetensors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        let tensor = |name: &str, shape: &[usize], values: &'static [f32]| Named {
            name: name.to_owned(),
            shape: shape.to_vec(),
            values: Box::new(|| values.to_vec()),
        };
        write(vec![tensor("b", &[2, 1], &[1.0, 2.0]), tensor("a", &[1], &[3.0])], &path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        assert_eq!(file.names(), ["a", "b"]);
        let b = file.tensor("b").unwrap();
        assert_eq!((b.shape(), b.data()), (&[2, 1][..], &[0, 0, 128, 63, 0, 0, 0, 64][..]));
    }
}
