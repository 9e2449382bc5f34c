//! x Wᵀ with frozen W: backward multiplies by W once, and leaves W's own gradient alone.

use super::values;
use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};

/// x Wᵀ for x of shape (rows, inputs) and W of shape (outputs, inputs).
pub(in crate::nn) fn frozen_product(x: &Tensor, weight: &Tensor) -> Result<Tensor> {
    x.contiguous()?.apply_op1(FrozenProduct { weight: weight.clone() })
}

struct FrozenProduct {
    weight: Tensor,
}

impl CustomOp1 for FrozenProduct {
    fn name(&self) -> &'static str {
        "frozen-product"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let x = Tensor::from_slice(values(storage, layout)?, layout.shape(), &Device::Cpu)?;
        let y = x.matmul(&self.weight.t()?)?;
        let shape = y.shape().clone();
        Ok((CpuStorage::F32(y.flatten_all()?.to_vec1()?), shape))
    }

    fn bwd(&self, _x: &Tensor, _y: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        Ok(Some(gradient.contiguous()?.matmul(&self.weight)?))
    }
}
