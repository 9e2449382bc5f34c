//! Golden values of every format, and what is refused.
//!
//! Blocks are filled by a formula and given simple scales; sums and picked values are what `gguf.quants.dequantize`
//! 0.19 of the `gguf` package gives for them. All are dyadic, so the comparison is exact.

use super::*;

/// Two blocks of the type, from a formula over the byte's index, with dyadic half-float scales at the given offsets.
fn two_blocks(kind: BlockType) -> Vec<u8> {
    let size = kind.block_bytes();
    let byte = |i: u64| (((i * i * 7 + i * 13 + size as u64) * 2_654_435_761) >> 7) as u8;
    let mut bytes: Vec<u8> = (0..2 * size as u64).map(byte).collect();
    let halves: &[usize] = match kind {
        BlockType::Q4_1 | BlockType::Q5_1 | BlockType::Q4_K | BlockType::Q5_K => &[0, 2],
        BlockType::Q2_K => &[80, 82],
        BlockType::Q3_K => &[108],
        BlockType::Q6_K => &[208],
        _ => &[0],
    };
    for block in 0..2 {
        for (at, sign) in halves.iter().zip([1.0, -1.0]) {
            let half = f16::from_f32(sign * 0.078125 * (block + 1) as f32);
            bytes[block * size + at..][..2].copy_from_slice(&half.to_le_bytes());
        }
    }
    bytes
}

/// Type, sum, sum weighted by (index + 1) mod 17, and values at twelve places.
type Golden = (BlockType, f64, f64, [f64; 12]);

const GOLDEN: [Golden; 10] = [
    (
        BlockType::Q4_0,
        -11.875,
        -83.59375,
        [-0.390625, -0.234375, -0.390625, -0.078125, -0.546875, 0.0, 0.0, 0.625, -0.78125, 0.0, 1.09375, -1.25],
    ),
    (
        BlockType::Q4_1,
        48.828125,
        370.859375,
        [1.015625, 1.09375, 0.78125, 1.015625, 0.078125, 0.234375, 0.234375, 1.40625, 2.03125, 0.625, 0.9375, 0.46875],
    ),
    (
        BlockType::Q5_0,
        -23.59375,
        -121.71875,
        [0.46875, -0.78125, 0.0, 0.78125, -0.625, -0.859375, -0.859375, 2.1875, -2.5, -2.03125, -1.71875, -1.40625],
    ),
    (
        BlockType::Q5_1,
        103.28125,
        803.359375,
        [2.109375, 2.03125, 1.40625, 1.875, 0.0, 0.625, 0.625, 3.59375, 0.9375, 2.1875, 1.09375, 1.25],
    ),
    (
        BlockType::Q8_0,
        -120.9375,
        -705.078125,
        [
            -6.796875, 5.9375, -5.46875, 0.15625, -7.96875, 9.453125, 9.453125, 5.46875, 12.34375, 10.3125, 11.875,
            -12.65625,
        ],
    ),
    (
        BlockType::Q2_K,
        1081.171875,
        8440.46875,
        [1.953125, 3.828125, 3.828125, 4.53125, 3.359375, 4.53125, 0.703125, 3.59375, 3.59375, 1.875, 5.625, 0.15625],
    ),
    (
        BlockType::Q3_K,
        61.484375,
        226.5625,
        [0.546875, -1.09375, -1.640625, 0.0, 0.0, 0.0, 7.8125, 4.375, -4.375, 5.625, 5.0, -8.4375],
    ),
    (
        BlockType::Q4_K,
        11993.984375,
        96020.234375,
        [9.21875, 22.5, 22.5, 22.5, 21.171875, 22.5, 17.1875, 78.125, 57.96875, 24.375, 7.5, 93.28125],
    ),
    (
        BlockType::Q5_K,
        35488.90625,
        288097.1875,
        [
            79.84375, 26.5625, 31.40625, 7.1875, 137.96875, 70.15625, 36.328125, 52.5, 218.125, 44.21875, 100.78125,
            104.0625,
        ],
    ),
    (
        BlockType::Q6_K,
        -1922.03125,
        -47906.875,
        [
            -218.28125, 59.53125, 228.203125, -9.375, -14.84375, -14.84375, -5.0, 416.71875, -476.25, 16.40625,
            354.375, 503.125,
        ],
    ),
];

#[test]
fn every_quantized_type_decodes_to_the_reference_values() {
    for (kind, sum, weighted, picked) in GOLDEN {
        let mut values = vec![0.0; 2 * kind.block_values()];
        dequantize(kind, &two_blocks(kind), &mut values).unwrap();
        let (n, half) = (values.len(), values.len() / 2);
        let places = [0, 1, 15, 16, 17, 31, half - 1, half, half + 1, half + 17, n - 17, n - 1];
        assert_eq!(places.map(|i| f64::from(values[i])), picked, "{kind:?}");
        assert_eq!(values.iter().map(|v| f64::from(*v)).sum::<f64>(), sum, "{kind:?}");
        let by_place: f64 = values.iter().enumerate().map(|(i, v)| ((i + 1) % 17) as f64 * f64::from(*v)).sum();
        assert_eq!(by_place, weighted, "{kind:?}");
    }
}

#[test]
fn plain_floats_decode() {
    let mut two = [0.0; 2];
    dequantize(BlockType::BF16, &[0xc0, 0x3f, 0x12, 0xc1], &mut two).unwrap();
    assert_eq!(two, [1.5, -9.125]);
    dequantize(BlockType::F32, &[0, 0, 192, 63, 0, 0, 192, 190], &mut two).unwrap();
    assert_eq!(two, [1.5, -0.375]);
}

#[test]
fn ids_are_those_of_gguf_files() {
    let all = [0, 1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 30];
    for id in all {
        assert_eq!(BlockType::from_ggml_id(id).unwrap().ggml_id(), id);
    }
    for (place, (kind, ..)) in TABLE.iter().enumerate() {
        assert_eq!(*kind as usize, place);
    }
    assert_eq!(BlockType::from_ggml_id(9), Err(Error::UnknownType { id: 9 }));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let mut out = [0.0; 32];
    let short = dequantize(BlockType::Q4_1, &[0; 19], &mut out).unwrap_err();
    assert_eq!(short.to_string(), "32 values of Q4_1 have 19 bytes, expected 20");
    let partial = BlockType::Q6_K.bytes_for(288).unwrap_err();
    assert_eq!(partial.to_string(), "288 values of Q6_K are not whole blocks of 256");
    assert!(matches!(BlockType::F32.bytes_for(usize::MAX), Err(Error::TooLarge { .. })));
    assert_eq!(dequantize(BlockType::Q8_0, &[], &mut []), Ok(()));
}
