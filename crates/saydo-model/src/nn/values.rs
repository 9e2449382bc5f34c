//! Between tensors and the slices our kernels work on.

use crate::Error;
use candle_core::{DType, Device, Shape, Storage, Tensor};

/// Whether our kernels may compute with this tensor: floats on the CPU, through which no gradient flows.
pub(super) fn is_kernel(x: &Tensor) -> bool {
    x.device().is_cpu() && x.dtype() == DType::F32 && !x.track_op()
}

/// Calls `f` with the values of a tensor of floats, wherever it lives.
pub(crate) fn with_values<T>(x: &Tensor, f: impl FnOnce(&[f32]) -> T) -> Result<T, Error> {
    let x = x.to_device(&Device::Cpu)?.contiguous()?;
    let (storage, layout) = x.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else { unreachable!("the tensor was moved to the CPU") };
    let values = storage.as_slice::<f32>()?;
    let (start, end) = layout.contiguous_offsets().expect("the tensor was made contiguous");
    Ok(f(&values[start..end]))
}

/// A tensor of these values, on the CPU.
pub(crate) fn tensor(values: Vec<f32>, shape: impl Into<Shape>) -> Result<Tensor, Error> {
    Ok(Tensor::from_vec(values, shape.into(), &Device::Cpu)?)
}
