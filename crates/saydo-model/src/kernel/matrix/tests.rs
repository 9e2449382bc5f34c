//! Products against the portable version (bit for bit), against plain floats (within rounding), and in batches.

use super::*;
use crate::quant::dequantize;

const KINDS: [BlockType; 13] = [
    BlockType::F32,
    BlockType::F16,
    BlockType::BF16,
    BlockType::Q4_0,
    BlockType::Q4_1,
    BlockType::Q5_0,
    BlockType::Q5_1,
    BlockType::Q8_0,
    BlockType::Q2_K,
    BlockType::Q3_K,
    BlockType::Q4_K,
    BlockType::Q5_K,
    BlockType::Q6_K,
];

/// A small generator, so that tests need no seed from outside.
struct Noise(u64);

impl Noise {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 56) as u8
    }

    /// Near a bell curve with deviation about 1.
    fn float(&mut self) -> f32 {
        (0..6).map(|_| f32::from(self.byte()) / 128.0 - 1.0).sum::<f32>() / 1.4
    }

    fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.float()).collect()
    }
}

/// Blocks of random quants whose half-float scales are small and positive (minimums negative or positive).
fn random_weights(kind: BlockType, rows: usize, cols: usize, noise: &mut Noise) -> Vec<u8> {
    let values = rows * cols;
    match kind {
        BlockType::F32 => return (0..values).flat_map(|_| noise.float().to_le_bytes()).collect(),
        BlockType::F16 => return (0..values).flat_map(|_| f16::from_f32(noise.float()).to_le_bytes()).collect(),
        BlockType::BF16 => return (0..values).flat_map(|_| bf16::from_f32(noise.float()).to_le_bytes()).collect(),
        _ => {}
    }
    let mut bytes: Vec<u8> = (0..kind.bytes_for(values).unwrap()).map(|_| noise.byte()).collect();
    let halves: &[usize] = match kind {
        BlockType::Q4_1 | BlockType::Q5_1 | BlockType::Q4_K | BlockType::Q5_K => &[0, 2],
        BlockType::Q2_K => &[80, 82],
        BlockType::Q3_K => &[108],
        BlockType::Q6_K => &[208],
        _ => &[0],
    };
    for block in bytes.chunks_mut(kind.block_bytes()) {
        for at in halves {
            let half = f16::from_f32(noise.float() * 0.02);
            block[*at..][..2].copy_from_slice(&half.to_le_bytes());
        }
    }
    bytes
}

fn random_matrix(kind: BlockType, rows: usize, cols: usize, noise: &mut Noise) -> (PackedMatrix, Vec<f32>) {
    let bytes = random_weights(kind, rows, cols, noise);
    let mut floats = vec![0.0; rows * cols];
    dequantize(kind, &bytes, &mut floats).unwrap();
    (PackedMatrix::pack(kind, &bytes, rows, cols).unwrap(), floats)
}

#[test]
fn packing_keeps_every_weight() {
    let mut noise = Noise(1);
    for kind in KINDS {
        let (packed, floats) = random_matrix(kind, 13, 512, &mut noise);
        let mut row = vec![0.0; 512];
        for (r, expected) in floats.chunks(512).enumerate() {
            packed.row(r, &mut row);
            if kind == BlockType::Q2_K {
                let largest = expected.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
                assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() <= largest / 200.0));
            } else {
                assert_eq!(row, expected, "{kind:?} row {r}");
            }
        }
    }
}

/// The results of the first two groups for every activation row, as bits.
type Bits = Vec<[[u32; GROUP]; 2]>;

/// By tiles of activation rows, as without AVX-512.
fn by_tiles<B: Kernel>(groups: [&[B]; 2], x: &Activations<'_>, avx2: bool) -> Bits {
    let mut bits = Bits::new();
    for tile in 0..x.rows().div_ceil(TILE) {
        let width = activation::tile_width(x.rows(), tile);
        let (mut single, mut double) = ([[[0.0; GROUP]; TILE]; 1], [[[0.0; GROUP]; TILE]; 2]);
        multiply_tile([groups[0]], x.tile(tile), width, &mut single, avx2);
        multiply_tile(groups, x.tile(tile), width, &mut double, avx2);
        assert_eq!(single[0], double[0]);
        bits.extend((0..width).map(|row| [0, 1].map(|g| double[g][row].map(f32::to_bits))));
    }
    bits
}

#[cfg(target_arch = "x86_64")]
fn by_avx512<B: Kernel>(groups: [&[B]; 2], x: &Activations<'_>) -> Option<Bits> {
    let mut bits = vec![[[0; GROUP]; 2]; x.rows()];
    let multiply = || avx512::multiply(groups, x, |row, values| bits[row] = values.map(|v| v.map(f32::to_bits)));
    avx512::is_available().then(multiply)?;
    Some(bits)
}

#[cfg(not(target_arch = "x86_64"))]
fn by_avx512<B: Kernel>(_groups: [&[B]; 2], _x: &Activations<'_>) -> Option<Bits> {
    None
}

#[test]
fn every_version_gives_the_bits_of_the_portable_one() {
    fn check<B: Kernel>(blocks: &[B], groups: usize, x: &Activations<'_>) {
        let mut groups = blocks.chunks(blocks.len() / groups);
        let groups = [groups.next().unwrap(), groups.next().unwrap()];
        let portable = by_tiles(groups, x, false);
        assert_eq!(by_tiles(groups, x, lanes::has_avx2()), portable);
        assert!(by_avx512(groups, x).is_none_or(|bits| bits == portable));
    }
    let mut noise = Noise(2);
    let pool = Pool::new(1);
    for kind in KINDS {
        for (rows, m) in [(16, 7), (19, 1), (16, 30)] {
            let (packed, _) = random_matrix(kind, rows, 768, &mut noise);
            let floats = noise.floats(m * 768);
            let x = Activations::quantize(&floats, m, &pool);
            match &packed.weights {
                Weights::Four(blocks) => check(blocks, packed.groups(), &x),
                Weights::Five(blocks) => check(blocks, packed.groups(), &x),
                Weights::Four256(blocks) => check(blocks, packed.groups(), &x),
                Weights::Five256(blocks) => check(blocks, packed.groups(), &x),
                Weights::Six256(blocks) => check(blocks, packed.groups(), &x),
                Weights::Eight(blocks) => check(blocks, packed.groups(), &x),
                Weights::F32(_) | Weights::F16(_) | Weights::BF16(_) => {}
            }
        }
    }
}

/// Every quant and activation at its limit: nothing saturates.
#[test]
fn extreme_weights_and_activations_do_not_saturate() {
    let pool = Pool::new(1);
    for kind in KINDS.into_iter().filter(|kind| kind.block_values() > 1) {
        for fill in [0x00, 0x7f, 0x80, 0xff] {
            let mut bytes = vec![fill; kind.bytes_for(24 * 256).unwrap()];
            for block in bytes.chunks_mut(kind.block_bytes()) {
                for at in [0, 2, 80, 82, 108, 208] {
                    let is_half = match kind {
                        BlockType::Q2_K => at == 80 || at == 82,
                        BlockType::Q3_K => at == 108,
                        BlockType::Q6_K => at == 208,
                        BlockType::Q4_1 | BlockType::Q5_1 | BlockType::Q4_K | BlockType::Q5_K => at < 4,
                        _ => at == 0,
                    };
                    if is_half {
                        block[at..][..2].copy_from_slice(&f16::from_f32(0.5).to_le_bytes());
                    }
                }
            }
            // A pair of groups and one alone.
            let packed = PackedMatrix::pack(kind, &bytes, 24, 256).unwrap();
            let mut weights = vec![0.0; 256];
            packed.row(0, &mut weights);
            for sign in [1.0, -1.0] {
                let x = vec![127.0 * sign; 256];
                let mut out = vec![0.0; 24];
                packed.matmul(&x, 1, &mut out, &pool);
                let exact: f64 = weights.iter().map(|w| f64::from(*w) * 127.0 * f64::from(sign)).sum();
                for value in out {
                    let error = (f64::from(value) - exact).abs();
                    assert!(error <= exact.abs() * 1e-5, "{kind:?} {fill} {value} {exact}");
                }
            }
        }
    }
}

#[test]
fn a_product_is_close_to_the_same_product_in_floats() {
    let mut noise = Noise(3);
    let pool = Pool::new(2);
    let (rows, cols, m) = (40, 1024, 5);
    for kind in KINDS {
        let (packed, weights) = random_matrix(kind, rows, cols, &mut noise);
        let x = noise.floats(m * cols);
        let mut out = vec![0.0; m * rows];
        packed.matmul(&x, m, &mut out, &pool);
        let exact: Vec<f64> = x
            .chunks(cols)
            .flat_map(|x| weights.chunks(cols).map(|w| x.iter().zip(w).map(|(a, b)| f64::from(a * b)).sum::<f64>()))
            .collect();
        let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
        let error =
            norm(&mut out.iter().zip(&exact).map(|(a, b)| f64::from(*a) - b)) / norm(&mut exact.iter().copied());
        let allowed = if kind.block_values() == 1 { 1e-5 } else { 0.01 };
        assert!(error < allowed, "{kind:?} {error}");
    }
}

#[test]
fn a_row_has_the_same_bits_alone_and_in_any_batch() {
    let mut noise = Noise(4);
    let pool = Pool::new(2);
    let (rows, cols) = (45, 512);
    for kind in KINDS {
        let (packed, _) = random_matrix(kind, rows, cols, &mut noise);
        let x = noise.floats(27 * cols);
        let alone: Vec<u32> = x
            .chunks(cols)
            .flat_map(|x| {
                let mut out = vec![0.0; rows];
                packed.matmul(x, 1, &mut out, &Pool::new(1));
                out.into_iter().map(f32::to_bits)
            })
            .collect();
        for m in (1..=12).chain([19, 27]) {
            let mut out = vec![0.0; m * rows];
            packed.matmul(&x[..m * cols], m, &mut out, &pool);
            assert!(out.iter().zip(&alone).all(|(a, b)| a.to_bits() == *b), "{kind:?} {m}");
        }
    }
}

#[test]
fn several_matrices_at_once_give_what_each_gives_alone() {
    let mut noise = Noise(5);
    let pool = Pool::new(2);
    let (a, _) = random_matrix(BlockType::Q4_K, 33, 256, &mut noise);
    let (b, _) = random_matrix(BlockType::Q6_K, 9, 256, &mut noise);
    let x = noise.floats(3 * 256);
    let (mut alone_a, mut alone_b) = (vec![0.0; 99], vec![0.0; 27]);
    a.matmul(&x, 3, &mut alone_a, &pool);
    b.matmul(&x, 3, &mut alone_b, &pool);
    let (mut both_a, mut both_b) = (vec![0.0; 99], vec![0.0; 27]);
    let rounded = Activations::quantize(&x, 3, &pool);
    matmul_all(&rounded, &mut [(&a, &mut both_a), (&b, &mut both_b)], &pool);
    assert_eq!((both_a, both_b), (alone_a, alone_b));
}

#[test]
fn plain_floats_take_any_number_of_inputs() {
    let mut noise = Noise(6);
    let (packed, weights) = random_matrix(BlockType::F32, 3, 17, &mut noise);
    let x = noise.floats(17);
    let mut out = vec![0.0; 3];
    packed.matmul(&x, 1, &mut out, &Pool::new(1));
    let chain = |w: &[f32]| w.iter().zip(&x).fold(0.0_f32, |sum, (w, x)| w.mul_add(*x, sum));
    assert_eq!(out, weights.chunks(17).map(chain).collect::<Vec<_>>());
}

#[test]
fn sizes_are_checked() {
    assert!(PackedMatrix::pack(BlockType::Q4_1, &[0; 19], 1, 32).is_err());
    assert!(PackedMatrix::pack(BlockType::Q4_1, &[0; 30], 3, 16).is_err());
    assert!(PackedMatrix::pack(BlockType::F32, &[], usize::MAX, 2).is_err());
    let empty = PackedMatrix::pack(BlockType::Q8_0, &[], 0, 32).unwrap();
    empty.matmul(&[1.0; 32], 1, &mut [], &Pool::new(2));
    assert_eq!(empty.bytes(), 0);
}
