//! The product in plain Rust, for any CPU. It is the definition: other versions give the same bits.

use super::GROUP;
use super::block::{Affine, Affine256, Centered256, Plane, Signed, place};
use crate::kernel::activation;

/// A packed block as plain numbers.
pub(super) trait Block {
    /// Adds the products of eight rows with this block's inputs, of which `x` has one activation block per 32.
    fn add(&self, x: &[activation::Block], sums: &mut [f32; GROUP]);

    /// Inputs per block.
    const INPUTS: usize;

    /// The weight of one row and input.
    fn value(&self, row: usize, input: usize) -> f32;
}

/// Multiplies a group of eight rows by a tile of `out.len()` activation rows.
pub(super) fn tile<B: Block>(weights: &[B], x: &[activation::Block], out: &mut [[f32; GROUP]]) {
    let width = out.len();
    for (row, sums) in out.iter_mut().enumerate() {
        let x: Vec<_> = x.iter().skip(row).step_by(width).copied().collect();
        *sums = [0.0; GROUP];
        for (block, x) in weights.iter().zip(x.chunks(B::INPUTS / 32)) {
            block.add(x, sums);
        }
    }
}

/// Multiplies out row `lane` of a group.
pub(super) fn row<B: Block>(weights: &[B], lane: usize, out: &mut [f32]) {
    for (block, out) in weights.iter().zip(out.chunks_mut(B::INPUTS)) {
        for (input, value) in out.iter_mut().enumerate() {
            *value = block.value(lane, input);
        }
    }
}

/// Integer product of one row with one activation block.
fn dot(x: &activation::Block, quant: impl Fn(usize) -> i32) -> i32 {
    (0..32).map(|input| quant(input) * x.quant(input)).sum()
}

/// The one rounding rule of all affine formats.
fn add_affine<P: Plane>(plane: &P, row: usize, scale: f32, min: f32, x: &activation::Block, sum: &mut f32) {
    let product = dot(x, |input| i32::from(plane.quant(row, input)));
    *sum = (product as f32).mul_add(scale * x.scale, *sum);
    *sum = min.mul_add(x.sum, *sum);
}

impl<P: Plane> Block for Affine<P> {
    const INPUTS: usize = 32;

    fn add(&self, x: &[activation::Block], sums: &mut [f32; GROUP]) {
        for (row, sum) in sums.iter_mut().enumerate() {
            add_affine(&self.plane, row, self.scale[row].to_f32(), self.min[row].to_f32(), &x[0], sum);
        }
    }

    fn value(&self, row: usize, input: usize) -> f32 {
        self.scale[row].to_f32() * f32::from(self.plane.quant(row, input)) + self.min[row].to_f32()
    }
}

impl<P: Plane> Affine256<P> {
    /// Scale and minimum of one row and part.
    fn factors(&self, row: usize, part: usize) -> (f32, f32) {
        let scale = self.d[row].to_f32() * f32::from(self.parts[part].scale[row]);
        (scale, -(self.dmin[row].to_f32() * f32::from(self.parts[part].min[row])))
    }
}

impl<P: Plane> Block for Affine256<P> {
    const INPUTS: usize = 256;

    fn add(&self, x: &[activation::Block], sums: &mut [f32; GROUP]) {
        for (i, (part, x)) in self.parts.iter().zip(x).enumerate() {
            for (row, sum) in sums.iter_mut().enumerate() {
                let (scale, min) = self.factors(row, i);
                add_affine(&part.plane, row, scale, min, x, sum);
            }
        }
    }

    fn value(&self, row: usize, input: usize) -> f32 {
        let (scale, min) = self.factors(row, input / 32);
        scale * f32::from(self.parts[input / 32].plane.quant(row, input % 32)) + min
    }
}

impl Block for Centered256 {
    const INPUTS: usize = 256;

    fn add(&self, x: &[activation::Block], sums: &mut [f32; GROUP]) {
        for (part, x) in self.parts.iter().zip(x) {
            for (row, sum) in sums.iter_mut().enumerate() {
                let weight = |input: usize| {
                    i32::from(part.scale[row][input / 16]) * (i32::from(part.plane.quant(row, input)) - 32)
                };
                *sum = (dot(x, weight) as f32).mul_add(self.d[row].to_f32() * x.scale, *sum);
            }
        }
    }

    fn value(&self, row: usize, input: usize) -> f32 {
        let part = &self.parts[input / 32];
        let scale = self.d[row].to_f32() * f32::from(part.scale[row][input % 32 / 16]);
        scale * (f32::from(part.plane.quant(row, input % 32)) - 32.0)
    }
}

impl Block for Signed {
    const INPUTS: usize = 32;

    fn add(&self, x: &[activation::Block], sums: &mut [f32; GROUP]) {
        for (row, sum) in sums.iter_mut().enumerate() {
            let product = dot(&x[0], |input| i32::from(self.steps[input / 4][place(row, input)]));
            *sum = (product as f32).mul_add(self.scale[row].to_f32() * x[0].scale, *sum);
        }
    }

    fn value(&self, row: usize, input: usize) -> f32 {
        self.scale[row].to_f32() * f32::from(self.steps[input / 4][place(row, input)])
    }
}
