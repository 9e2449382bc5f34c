//! Sums with AVX512-BF16's `vdpbf16ps`, and numbers moved between tiles with AVX-512.
//!
//! A few rows and all columns of a panel are summed in registers: six rows and four tiles across leave room for the
//! panel's numbers, and each number that is read serves four or six sums. The depth is cut into strips, so that a panel's
//! strip stays in the nearest caches while all rows go by; sums wait in the result meanwhile.
#![expect(unsafe_code, reason = "vector instructions")]

use super::{DEPTH, Line, SIDE, Sums, Term, Tile};
use crate::kernel::lanes::has_avx512;
use std::arch::x86_64::*;
use std::array::from_fn;

/// Tiles of a strip.
const STRIP: usize = 16;

/// This CPU has the instructions.
pub(super) struct Unit {
    _checked: (),
}

impl Unit {
    pub fn new() -> Option<Self> {
        (has_avx512() && is_x86_feature_detected!("avx512bf16")).then_some(Self { _checked: () })
    }

    /// The sum of all terms, which have so many rows.
    pub fn sum(&self, terms: &[Term<'_>], rows: usize, sums: &mut Sums<'_>) {
        let across = sums.columns.div_ceil(SIDE);
        for (left, panel) in terms {
            assert!(left.rows == rows && left.lines == panel.tiles_down, "the shape of both sides");
            assert!(
                rows == 0 || (rows - 1) * left.stride + left.lines <= left.values.len(),
                "all rows of the left side"
            );
            let last = (across.max(1) - 1) * panel.stride + panel.tiles_down;
            assert!(last <= panel.tiles.len(), "all tiles of the panel");
        }
        assert!(rows == 0 || (rows - 1) * sums.stride + sums.columns <= sums.out.len(), "places for all sums");
        // SAFETY: the CPU has the instructions, and by the checks above all rows, tiles and places are there.
        unsafe {
            match across {
                0 => (),
                1 => sum::<14, 1>(terms, rows, sums),
                2 => sum::<12, 2>(terms, rows, sums),
                3 => sum::<8, 3>(terms, rows, sums),
                4 => sum::<6, 4>(terms, rows, sums),
                across => unreachable!("{across} tiles across of a panel"),
            }
        }
    }
}

/// Sums `C` tiles across, `R` rows at a time.
///
/// # Safety
/// The CPU has AVX512-BF16; all rows of the left sides, `C` tiles across of the panels and the places are there.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn sum<const R: usize, const C: usize>(terms: &[Term<'_>], rows: usize, sums: &mut Sums<'_>) {
    let mut adds = sums.adds;
    let last = sums.columns - SIDE * (C - 1);
    for (left, panel) in terms {
        for down in (0..panel.tiles_down).step_by(STRIP) {
            for row in (0..rows).step_by(R) {
                let strip = Strip {
                    // The last row stands in for rows that are not there.
                    lines: from_fn(|r| left.values[(row + r).min(rows - 1) * left.stride + down..].as_ptr()),
                    tiles: from_fn(|c| panel.tiles[c * panel.stride + down..].as_ptr()),
                    count: STRIP.min(panel.tiles_down - down),
                };
                let to = Places {
                    out: sums.out[row * sums.stride..].as_mut_ptr(),
                    stride: sums.stride,
                    rows: R.min(rows - row),
                    mask: (0xffff_u32 >> (SIDE - last)) as __mmask16,
                };
                // SAFETY: by the caller's promise.
                unsafe { add::<R, C>(&strip, &to, adds) };
            }
            adds = true;
        }
    }
}

/// Numbers of `R` rows and `C` tiles across.
struct Strip<const R: usize, const C: usize> {
    lines: [*const Line; R],
    tiles: [*const Tile; C],
    count: usize,
}

/// Where the sums of a few rows are.
struct Places {
    out: *mut f32,
    stride: usize,
    /// How many of the rows are there.
    rows: usize,
    /// Columns of the last tile.
    mask: __mmask16,
}

/// Adds a strip to its sums, or begins them.
///
/// # Safety
/// The CPU has AVX512-BF16, and everything that the strip and the places name is there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn add<const R: usize, const C: usize>(strip: &Strip<R, C>, to: &Places, adds: bool) {
    let mut sums = [[_mm512_setzero_ps(); C]; R];
    let mask = |c: usize| if c + 1 < C { 0xffff } else { to.mask };
    // SAFETY, for all of it: by the caller's promise.
    unsafe {
        if adds {
            for (r, sums) in sums.iter_mut().enumerate() {
                for (c, sum) in sums.iter_mut().enumerate() {
                    if r < to.rows {
                        *sum = _mm512_maskz_loadu_ps(mask(c), to.out.add(r * to.stride + SIDE * c));
                    }
                }
            }
        }
        let mut lines: [*const i32; R] = strip.lines.map(|line| line.cast());
        let mut tiles: [*const __m512i; C] = strip.tiles.map(|tile| tile.cast());
        for _ in 0..strip.count {
            for pair in 0..DEPTH / 2 {
                let columns: [__m512bh; C] = from_fn(|c| bf16(_mm512_load_si512(tiles[c].add(pair))));
                for (line, sums) in lines.iter().zip(&mut sums) {
                    let numbers = bf16(_mm512_set1_epi32(*line.add(pair)));
                    for (sum, columns) in sums.iter_mut().zip(columns) {
                        *sum = _mm512_dpbf16_ps(*sum, numbers, columns);
                    }
                }
            }
            lines = lines.map(|line| line.add(DEPTH / 2));
            tiles = tiles.map(|tile| tile.add(DEPTH / 2));
        }
        for (r, sums) in sums.iter().enumerate() {
            for (c, sum) in sums.iter().enumerate() {
                if r < to.rows {
                    _mm512_mask_storeu_ps(to.out.add(r * to.stride + SIDE * c), mask(c), *sum);
                }
            }
        }
    }
}

#[inline(always)]
fn bf16(bits: __m512i) -> __m512bh {
    // SAFETY: both are 512 bits, any of which are numbers.
    unsafe { std::mem::transmute(bits) }
}

/// Whether there are vectors to move numbers with.
pub(super) fn is_there() -> bool {
    has_avx512()
}

/// Turns 32 rows of 32 numbers: those of two tiles side by side become columns. Panics without AVX-512.
pub(super) fn turn(from: [&Tile; 2], to: [&mut Tile; 2]) {
    assert!(has_avx512());
    // SAFETY: the CPU has the instructions.
    unsafe { turn_by_vectors(from, to) }
}

/// Puts 32 rows of 32 numbers in pairs side by side. Panics without AVX-512.
pub(super) fn join(rows: [&Line; DEPTH], to: [&mut Tile; 2]) {
    assert!(has_avx512());
    // SAFETY: the CPU has the instructions.
    unsafe { join_by_vectors(rows, to) }
}

/// Makes columns of 16 rows of 32 numbers. Panics without AVX-512.
pub(super) fn columns_of(rows: [&Line; SIDE], to: &mut Tile) {
    assert!(has_avx512());
    // SAFETY: the CPU has the instructions.
    unsafe { columns_by_vectors(rows, to) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn columns_by_vectors(rows: [&Line; SIDE], to: &mut Tile) {
    for (pairs, to) in transposed(rows.map(|row| load(&row.0))).into_iter().zip(&mut to.0) {
        store(pairs, to);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn turn_by_vectors(from: [&Tile; 2], [left, right]: [&mut Tile; 2]) {
    for (side, tile) in from.into_iter().enumerate() {
        let columns = transposed(from_fn(|pair| load(&tile.0[pair])));
        for (number, two) in columns.chunks_exact(2).enumerate() {
            let [low, high] = side_by_side(two[0], two[1]);
            let pair = SIDE / 2 * side + number;
            store(low, &mut left.0[pair]);
            store(high, &mut right.0[pair]);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn join_by_vectors(rows: [&Line; DEPTH], [left, right]: [&mut Tile; 2]) {
    for (pair, two) in rows.chunks_exact(2).enumerate() {
        let [low, high] = side_by_side(load(&two[0].0), load(&two[1].0));
        store(low, &mut left.0[pair]);
        store(high, &mut right.0[pair]);
    }
}

/// The numbers of two rows in turns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn side_by_side(upper: __m512i, lower: __m512i) -> [__m512i; 2] {
    const LOW: [u16; DEPTH] = in_turns(0);
    const HIGH: [u16; DEPTH] = in_turns(SIDE as u16);
    [LOW, HIGH].map(|places| _mm512_permutex2var_epi16(upper, load(&places), lower))
}

const fn in_turns(first: u16) -> [u16; DEPTH] {
    let mut places = [0; DEPTH];
    let mut at = 0;
    while at < DEPTH {
        places[at] = first + (at / 2) as u16 + (at % 2 * DEPTH) as u16;
        at += 1;
    }
    places
}

/// Rows of 16 words as columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn transposed(rows: [__m512i; SIDE]) -> [__m512i; SIDE] {
    // Within each quarter of 128 bits: words, then pairs of words.
    let words: [__m512i; SIDE] = from_fn(|i| {
        let (a, b) = (rows[i / 2 * 2], rows[i / 2 * 2 + 1]);
        if i % 2 == 0 { _mm512_unpacklo_epi32(a, b) } else { _mm512_unpackhi_epi32(a, b) }
    });
    // Element 4 g + j: of rows 4 g to 4 g + 3, column j of each quarter.
    let fours: [__m512i; SIDE] = from_fn(|i| {
        let (g, j) = (i / 4, i % 4);
        let (a, b) = (words[4 * g + j / 2], words[4 * g + 2 + j / 2]);
        if j % 2 == 0 { _mm512_unpacklo_epi64(a, b) } else { _mm512_unpackhi_epi64(a, b) }
    });
    // Quarters: column 4 k + j is quarter k of the four groups.
    let halves: [[__m512i; 4]; 4] = from_fn(|j| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|g| fours[4 * g + j]);
        [
            _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
            _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
            _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
            _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
        ]
    });
    from_fn(|i| {
        let (k, [ab_low, ab_high, cd_low, cd_high]) = (i / 4, halves[i % 4]);
        match k {
            0 => _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_low, cd_low),
            1 => _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_low, cd_low),
            2 => _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_high, cd_high),
            _ => _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_high, cd_high),
        }
    })
}

/// All 512 bits of an array.
#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: Copy, const N: usize>(values: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == 64) };
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(bits: __m512i, to: &mut [[half::bf16; 2]; SIDE]) {
    // SAFETY: 64 bytes are there, any of which are numbers.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bits) }
}
