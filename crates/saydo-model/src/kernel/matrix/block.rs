//! Packed blocks: eight output rows by 32 or 256 inputs.
//!
//! Inputs are taken four at a time, in eight steps per 32. Byte 4·r + i of step s is input 4·s + i of row r.

use half::f16;

/// 32 bytes: four inputs of each of eight rows.
pub(super) type Step = [u8; 32];

/// Values below 16: steps 0 to 3 in the low nibbles, steps 4 to 7 in the high ones.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Nibbles {
    pub low: [Step; 4],
}

/// Values below 32: nibbles, and the fifth bit of step s in bit s.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Fives {
    pub low: Nibbles,
    pub high: Step,
}

/// Values below 64: nibbles, and two more bits of step s in bits 2·(s mod 4) of `high[s / 4]`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Sixes {
    pub low: Nibbles,
    pub high: [Step; 2],
}

/// 32 inputs, value = scale × quant + min.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Affine<P> {
    pub scale: [f16; 8],
    pub min: [f16; 8],
    pub plane: P,
}

/// 256 inputs, value = (d × scale) × quant − dmin × min, with scale and min per 32.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Affine256<P> {
    pub d: [f16; 8],
    pub dmin: [f16; 8],
    pub parts: [AffinePart<P>; 8],
}

/// 32 inputs of [`Affine256`].
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct AffinePart<P> {
    pub scale: [u8; 8],
    pub min: [u8; 8],
    pub plane: P,
}

/// 256 inputs, value = (d × scale) × (quant − 32), with scale per 16.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Centered256 {
    pub d: [f16; 8],
    pub parts: [CenteredPart; 8],
}

/// 32 inputs of [`Centered256`]; each row has the scales of its first and last 16 side by side.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct CenteredPart {
    pub scale: [[i8; 2]; 8],
    pub plane: Sixes,
}

/// 32 inputs, value = scale × signed byte.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Signed {
    pub scale: [f16; 8],
    pub steps: [[i8; 32]; 8],
}

/// Unsigned integers of eight rows by 32 inputs.
pub(super) trait Plane: Copy {
    const ZERO: Self;

    /// Puts the 32 quants of a row in place; the row must still be zero.
    fn set(&mut self, row: usize, quants: &[u8; 32]);

    /// Quant of one row and input.
    fn quant(&self, row: usize, input: usize) -> u8;
}

/// Byte of a step that holds this input of this row.
pub(super) fn place(row: usize, input: usize) -> usize {
    4 * row + input % 4
}

impl Plane for Nibbles {
    const ZERO: Self = Self { low: [[0; 32]; 4] };

    #[inline]
    fn set(&mut self, row: usize, quants: &[u8; 32]) {
        let steps = quants.as_chunks::<4>().0;
        for (s, step) in self.low.iter_mut().enumerate() {
            let word =
                u32::from_le_bytes(steps[s]) & 0x0f0f_0f0f | (u32::from_le_bytes(steps[s + 4]) & 0x0f0f_0f0f) << 4;
            step[4 * row..][..4].copy_from_slice(&word.to_le_bytes());
        }
    }

    fn quant(&self, row: usize, input: usize) -> u8 {
        let step = input / 4;
        self.low[step % 4][place(row, input)] >> (4 * (step / 4)) & 15
    }
}

impl Plane for Fives {
    const ZERO: Self = Self { low: Nibbles::ZERO, high: [0; 32] };

    #[inline]
    fn set(&mut self, row: usize, quants: &[u8; 32]) {
        self.low.set(row, quants);
        let mut word = 0;
        for (s, four) in quants.as_chunks::<4>().0.iter().enumerate() {
            word |= (u32::from_le_bytes(*four) >> 4 & 0x0101_0101) << s;
        }
        self.high[4 * row..][..4].copy_from_slice(&word.to_le_bytes());
    }

    fn quant(&self, row: usize, input: usize) -> u8 {
        self.low.quant(row, input) | (self.high[place(row, input)] >> (input / 4) & 1) << 4
    }
}

impl Plane for Sixes {
    const ZERO: Self = Self { low: Nibbles::ZERO, high: [[0; 32]; 2] };

    #[inline]
    fn set(&mut self, row: usize, quants: &[u8; 32]) {
        self.low.set(row, quants);
        let mut words = [0; 2];
        for (s, four) in quants.as_chunks::<4>().0.iter().enumerate() {
            words[s / 4] |= (u32::from_le_bytes(*four) >> 4 & 0x0303_0303) << (2 * (s % 4));
        }
        for (high, word) in self.high.iter_mut().zip(words) {
            high[4 * row..][..4].copy_from_slice(&word.to_le_bytes());
        }
    }

    fn quant(&self, row: usize, input: usize) -> u8 {
        let step = input / 4;
        self.low.quant(row, input) | (self.high[step / 4][place(row, input)] >> (2 * (step % 4)) & 3) << 4
    }
}
