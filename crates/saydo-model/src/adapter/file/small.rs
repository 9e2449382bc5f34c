//! Numbers of an adapter in 8 bits: half the size of floats of 16 bits, and hardly less exact. Each of the adapter's dimensions
//! has a factor of its own, for A and for B.

use super::{DOWN, FACTORS, Stored};
use crate::Error;
use candle_core::{Device, Tensor};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

/// The largest number in 8 bits.
const MAX: f32 = 127.0;

/// The integers and their factors.
pub(super) fn stored(name: &str, values: &Tensor, is_down: bool) -> Result<[Stored; 2], Error> {
    let rows = values.to_vec2::<f32>()?;
    let (height, width) = values.dims2()?;
    let rank = if is_down { height } else { width };
    let dimension = |row: usize, column: usize| if is_down { row } else { column };
    let mut factors = vec![0.0_f32; rank];
    for (row, values) in rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let factor = &mut factors[dimension(row, column)];
            *factor = factor.max(value.abs() / MAX);
        }
    }
    let mut bytes = Vec::with_capacity(height * width);
    for (row, values) in rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let factor = factors[dimension(row, column)];
            let rounded = if factor > 0.0 { (value / factor).round() } else { 0.0 };
            bytes.extend((rounded as i8).to_le_bytes());
        }
    }
    let factor_bytes = factors.iter().flat_map(|factor| factor.to_le_bytes()).collect();
    Ok([
        Stored { name: name.to_owned(), kind: Dtype::I8, shape: vec![height, width], bytes },
        Stored { name: of_factors(name), kind: Dtype::F32, shape: vec![rank], bytes: factor_bytes },
    ])
}

/// The floats again.
pub(super) fn tensor(file: &SafeTensors<'_>, name: &str, view: &TensorView<'_>) -> Result<Tensor, Error> {
    let wrong = |what: String| Error::AdapterFile(format!("{name:?} in 8 bits {what}"));
    let &[height, width] = view.shape() else {
        return Err(wrong(format!("of the shape {:?}, expected a matrix", view.shape())));
    };
    let is_down = name.ends_with(DOWN);
    let rank = if is_down { height } else { width };
    let factors = file.tensor(&of_factors(name)).map_err(|_| wrong("without factors".to_owned()))?;
    if factors.dtype() != Dtype::F32 || factors.shape() != [rank] {
        return Err(wrong(format!(
            "with factors of {:?} {:?}, expected {rank} floats of 32 bits",
            factors.shape(),
            factors.dtype()
        )));
    }
    let factors: Vec<f32> = factors.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let value = |(place, byte): (usize, &u8)| {
        let factor = factors[if is_down { place / width } else { place % width }];
        f32::from(i8::from_le_bytes([*byte])) * factor
    };
    let values: Vec<f32> = view.data().iter().enumerate().map(value).collect();
    Ok(Tensor::from_vec(values, (height, width), &Device::Cpu)?)
}

fn of_factors(name: &str) -> String {
    format!("{}{FACTORS}", name.strip_suffix("weight").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use crate::adapter::{Adapter, AdapterConfig, AdapterLayer, Precision};
    use candle_core::{Device, Tensor};

    #[test]
    fn numbers_come_back_within_half_a_step_of_their_dimension() {
        let values = |rows: usize, columns: usize, step: f32| {
            let values: Vec<f32> = (0..rows * columns).map(|i| ((i * 7919 % 193) as f32 - 96.0) * step).collect();
            Tensor::from_vec(values, (rows, columns), &Device::Cpu).unwrap()
        };
        let layer = AdapterLayer { name: "0.q_proj".to_owned(), down: values(3, 40, 0.01), up: values(24, 3, 2.0) };
        let config: AdapterConfig =
            serde_json::from_str(r#"{"r": 3, "lora_alpha": 6.0, "target_modules": ["q_proj"]}"#).unwrap();
        let adapter = Adapter { config, layers: vec![layer] };
        let folder = tempfile::tempdir().unwrap();
        adapter.save_as(folder.path(), Precision::Int8).unwrap();
        let again = Adapter::load(folder.path()).unwrap();
        for (before, after) in
            [(&adapter.layers[0].down, &again.layers[0].down), (&adapter.layers[0].up, &again.layers[0].up)]
        {
            let all = |tensor: &Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let greatest = all(before).iter().fold(0.0, |greatest: f32, value| greatest.max(value.abs()));
            for (before, after) in all(before).iter().zip(all(after)) {
                assert!((before - after).abs() <= greatest / 127.0 * 0.501, "{before} became {after}");
            }
        }
    }
}
