//! Linear layers: y = x Wᵀ + b, with an optional low-rank addition.

use super::fused::Frozen;
use super::values::{is_kernel, tensor, with_values};
use super::{Dropout, RoundedMatrix, fused};
use crate::Error;
use crate::kernel::{Activations, PackedMatrix, Pool, matmul_add, matmul_all, ops};
use crate::quant::BlockType;
use candle_core::Tensor;
use std::sync::Arc;

/// Weights of shape (outputs, inputs).
#[derive(Clone)]
pub enum Matrix {
    /// Packed for the CPU kernels; carries no gradient.
    Packed(Arc<PackedMatrix>),
    /// A tensor of floats.
    Plain(Tensor),
    /// Rounded to bf16, for training; gradients flow through it, and it has none of its own.
    Rounded(Arc<RoundedMatrix>),
}

impl Matrix {
    /// Packs floats of shape (outputs, inputs).
    pub fn pack(weight: &Tensor) -> Result<Self, Error> {
        let (rows, cols) = weight.dims2()?;
        let bytes: Vec<u8> = with_values(weight, |values| values.iter().flat_map(|x| x.to_le_bytes()).collect())?;
        Ok(Self::Packed(Arc::new(PackedMatrix::pack(BlockType::F32, &bytes, rows, cols)?)))
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        match self {
            Self::Packed(matrix) => matrix.rows(),
            Self::Plain(weight) => weight.dims()[0],
            Self::Rounded(matrix) => matrix.outputs,
        }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        match self {
            Self::Packed(matrix) => matrix.cols(),
            Self::Plain(weight) => weight.dims()[1],
            Self::Rounded(matrix) => matrix.inputs,
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Packed(matrix) => matrix.bytes(),
            Self::Plain(weight) => weight.elem_count() * weight.dtype().size_in_bytes(),
            Self::Rounded(matrix) => matrix.bytes(),
        }
    }

    /// x Wᵀ for x of shape (rows, inputs).
    fn multiply(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        match self {
            Self::Packed(matrix) => {
                let out = multiply_packed(&[&**matrix], x, pool)?.remove(0);
                Ok(tensor(out, (x.dims()[0], matrix.rows()))?)
            }
            Self::Plain(weight) if fused::is_fused(x) && !weight.track_op() => {
                Ok(fused::frozen_product(x, Frozen::Floats(weight.clone()))?)
            }
            Self::Rounded(matrix) => Ok(fused::frozen_product(x, Frozen::Rounded(Arc::clone(matrix)))?),
            Self::Plain(weight) => Ok(x.matmul(&weight.t()?)?),
        }
    }
}

/// An addition of rank r to a linear layer, as LoRA learns it: scale × x Aᵀ Bᵀ.
#[derive(Clone)]
pub struct LowRank {
    /// A, shape (r, inputs).
    pub down: Matrix,
    /// B, shape (outputs, r).
    pub up: Matrix,
    /// Usually alpha / r.
    pub scale: f64,
    /// What is dropped of x before A, in training.
    pub dropout: Option<Dropout>,
}

/// A linear layer.
#[derive(Clone)]
pub struct Linear {
    name: String,
    matrix: Matrix,
    bias: Option<Tensor>,
    low_rank: Option<LowRank>,
}

impl Linear {
    /// A layer called `name`, by the dotted path of its weights.
    pub fn new(name: &str, matrix: Matrix, bias: Option<Tensor>) -> Self {
        Self { name: name.to_owned(), matrix, bias, low_rank: None }
    }

    /// Where its weights stand in a checkpoint, such as `model.layers.0.self_attn.q_proj`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its weights.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// Its weights, if they are rounded and all there is to it.
    pub(super) fn only_rounded(&self) -> Option<&Arc<RoundedMatrix>> {
        match &self.matrix {
            Matrix::Rounded(matrix) if self.bias.is_none() && self.low_rank.is_none() => Some(matrix),
            _ => None,
        }
    }

    /// Rounds weights of floats to bf16, which must not learn.
    pub fn round(&mut self) -> Result<(), Error> {
        if let Matrix::Plain(weight) = &self.matrix {
            self.matrix = Matrix::Rounded(Arc::new(RoundedMatrix::new(weight)?));
        }
        Ok(())
    }

    /// Attaches a low-rank addition, in place of an earlier one; `None` takes it off.
    pub fn set_low_rank(&mut self, low_rank: Option<LowRank>) {
        self.low_rank = low_rank;
    }

    /// Applies the layer to x of shape (rows, inputs).
    pub fn forward(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        let [y] = Self::forward_all([self], x, pool)?;
        Ok(y)
    }

    /// Applies several layers to the same input, which is rounded for the kernels only once.
    pub fn forward_all<const N: usize>(layers: [&Self; N], x: &Tensor, pool: &Pool) -> Result<[Tensor; N], Error> {
        let packed = layers.map(|layer| match &layer.matrix {
            Matrix::Packed(matrix) if is_kernel(x) => Some(matrix),
            _ => None,
        });
        if packed.iter().any(Option::is_none) {
            let each = layers.iter().map(|layer| layer.apply(x, pool));
            return Ok(each.collect::<Result<Vec<_>, _>>()?.try_into().expect("one result for each layer"));
        }
        let rows = x.dims()[0];
        let additions = layers.map(Self::packed_addition);
        // The first halves of low-rank additions meet the same rounded input.
        let downs = additions.iter().flatten().map(|(down, _, _)| *down);
        let matrices: Vec<&PackedMatrix> = packed.into_iter().flatten().map(|matrix| &**matrix).chain(downs).collect();
        let mut outs = multiply_packed(&matrices, x, pool)?;
        let mut inners = outs.split_off(N).into_iter();
        let mut all = Vec::with_capacity(N);
        for ((layer, mut out), addition) in layers.into_iter().zip(outs).zip(additions) {
            if let Some(bias) = &layer.bias {
                with_values(bias, |bias| ops::add_to_rows(&mut out, bias))?;
            }
            if let Some((_, up, scale)) = addition {
                let mut inner = inners.next().expect("one for each addition");
                inner.iter_mut().for_each(|value| *value *= scale);
                matmul_add(&Activations::quantize(&inner, rows, pool), up, &mut out, pool);
            }
            let out = tensor(out, (rows, layer.matrix.outputs()))?;
            all.push(if addition.is_some() { out } else { layer.add_low_rank(out, x, pool)? });
        }
        Ok(all.try_into().expect("one result for each layer"))
    }

    fn apply(&self, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        if let Some((weight, addition, scale)) = self.learned_addition(x)
            && self.bias.as_ref().is_none_or(is_kernel)
        {
            return Ok(fused::low_rank_product(x, (weight, self.bias.as_ref()), addition, scale)?);
        }
        let y = self.add_low_rank(self.matrix.multiply(x, pool)?, x, pool)?;
        Ok(self.bias.as_ref().map_or(Ok(y.clone()), |bias| y.broadcast_add(bias))?)
    }

    /// Frozen weights, and the two halves of an addition that learns, where one operation serves them all.
    fn learned_addition(&self, x: &Tensor) -> Option<(Frozen, [&Tensor; 2], f32)> {
        let low_rank = self.low_rank.as_ref()?;
        let weight = match &self.matrix {
            Matrix::Plain(weight) if !weight.track_op() => Frozen::Floats(weight.clone()),
            Matrix::Rounded(matrix) => Frozen::Rounded(Arc::clone(matrix)),
            _ => return None,
        };
        let (Matrix::Plain(down), Matrix::Plain(up)) = (&low_rank.down, &low_rank.up) else { return None };
        let is_learned = fused::is_fused(down) && fused::is_fused(up);
        let serves = is_learned && low_rank.dropout.is_none() && x.device().is_cpu();
        serves.then_some((weight, [down, up], low_rank.scale as f32))
    }

    /// The same, if that is all there is to it and the weights are rounded.
    pub(super) fn rounded_layer(&self, x: &Tensor) -> Option<fused::Layer<'_>> {
        let Matrix::Rounded(matrix) = &self.matrix else { return None };
        let (_, halves, scale) = self.learned_addition(x).filter(|_| self.bias.is_none())?;
        Some(fused::Layer { matrix, halves, scale })
    }

    /// The two halves of an addition that the kernels multiply, and its scale.
    fn packed_addition(&self) -> Option<(&PackedMatrix, &PackedMatrix, f32)> {
        match self.low_rank.as_ref()? {
            LowRank { down: Matrix::Packed(down), up: Matrix::Packed(up), scale, dropout: None } => {
                Some((down, up, *scale as f32))
            }
            _ => None,
        }
    }

    fn add_low_rank(&self, y: Tensor, x: &Tensor, pool: &Pool) -> Result<Tensor, Error> {
        let Some(LowRank { down, up, scale, dropout }) = &self.low_rank else { return Ok(y) };
        let dropped = dropout.as_ref().map(|dropout| dropout.apply(x)).transpose()?;
        let inner = (down.multiply(dropped.as_ref().unwrap_or(x), pool)? * *scale)?;
        Ok((y + up.multiply(&inner, pool)?)?)
    }
}

fn multiply_packed(matrices: &[&PackedMatrix], x: &Tensor, pool: &Pool) -> Result<Vec<Vec<f32>>, Error> {
    let (rows, inputs) = x.dims2()?;
    if let Some(matrix) = matrices.iter().find(|matrix| matrix.cols() != inputs) {
        let message = format!("{inputs} inputs for a matrix of {} × {}", matrix.rows(), matrix.cols());
        return Err(candle_core::Error::Msg(message).into());
    }
    let mut outs: Vec<Vec<f32>> = matrices.iter().map(|matrix| vec![0.0; rows * matrix.rows()]).collect();
    with_values(x, |x| {
        let mut products: Vec<(&PackedMatrix, &mut [f32])> =
            matrices.iter().zip(&mut outs).map(|(matrix, out)| (*matrix, &mut out[..])).collect();
        matmul_all(&Activations::quantize(x, rows, pool), &mut products, pool);
    })?;
    Ok(outs)
}
