//! The same in plain code: sums of a block in the order of the matrix unit (even and odd numbers of a tile apart) and, for
//! tests, in the order of AVX512-BF16; numbers moved from one kind of tile to another.

use super::{BLOCK, Block, DEPTH, Line, SIDE, Term, Tile};

pub(super) fn sum(terms: &[Term<'_>], row: usize, column: usize, block: &mut Block) {
    block.0 = [[0.0; BLOCK]; BLOCK];
    for (left, panel) in terms {
        for down in 0..panel.tiles_down {
            for (row, sums) in (row..).zip(&mut block.0) {
                let line = &left.line(row, down).0;
                for (across, sums) in sums.chunks_exact_mut(SIDE).enumerate() {
                    let tile = &panel.tiles[(column / SIDE + across) * panel.stride + down].0;
                    let mut pairs = [[0.0_f32; 2]; SIDE];
                    for (number, columns) in tile.iter().enumerate() {
                        for (pair, weights) in pairs.iter_mut().zip(columns) {
                            // A product of two such numbers is exact, so it matters not whether it is rounded before the sum.
                            pair[0] += line[2 * number].to_f32() * weights[0].to_f32();
                            pair[1] += line[2 * number + 1].to_f32() * weights[1].to_f32();
                        }
                    }
                    for (sum, pair) in sums.iter_mut().zip(pairs) {
                        *sum += pair[0] + pair[1];
                    }
                }
            }
        }
    }
}

/// What `vdpbf16ps` computes: of each pair the second number, then the first, each sum rounded, denormal numbers zero.
#[cfg(test)]
pub(super) fn in_order(terms: &[Term<'_>], row: usize, column: usize, block: &mut Block) {
    let normal = |x: f32| if x.abs() < f32::MIN_POSITIVE { 0.0_f32.copysign(x) } else { x };
    for (row, sums) in (row..).zip(&mut block.0) {
        for (column, sum) in (column..).zip(sums) {
            *sum = 0.0;
            for (left, panel) in terms {
                for down in 0..panel.tiles_down {
                    let line = &left.line(row, down).0;
                    let tile = &panel.tiles[column / SIDE * panel.stride + down].0;
                    for (number, columns) in tile.iter().enumerate() {
                        for half in [1, 0] {
                            let (a, b) = (line[2 * number + half], columns[column % SIDE][half]);
                            *sum = normal(normal(a.to_f32()).mul_add(normal(b.to_f32()), *sum));
                        }
                    }
                }
            }
        }
    }
}

/// Turns 32 rows of 32 numbers: those of two tiles side by side become columns.
pub(super) fn turn(from: [&Tile; 2], to: [&mut Tile; 2]) {
    for (side, tile) in to.into_iter().enumerate() {
        for (pair, columns) in tile.0.iter_mut().enumerate() {
            for (at, numbers) in columns.iter_mut().enumerate() {
                let column = SIDE * side + at;
                *numbers = [0, 1].map(|half| {
                    let row = 2 * pair + half;
                    from[row / SIDE].0[column / 2][row % SIDE][column % 2]
                });
            }
        }
    }
}

/// Makes columns of 16 rows of 32 numbers.
pub(super) fn columns_of(rows: [&Line; SIDE], to: &mut Tile) {
    for (pair, columns) in to.0.iter_mut().enumerate() {
        for (row, numbers) in rows.into_iter().zip(columns) {
            *numbers = [row.0[2 * pair], row.0[2 * pair + 1]];
        }
    }
}

/// Puts 32 rows of 32 numbers in pairs side by side.
pub(super) fn join(rows: [&Line; DEPTH], to: [&mut Tile; 2]) {
    for (side, tile) in to.into_iter().enumerate() {
        for (pair, columns) in tile.0.iter_mut().enumerate() {
            for (at, numbers) in columns.iter_mut().enumerate() {
                *numbers = [0, 1].map(|half| rows[2 * pair + half].0[SIDE * side + at]);
            }
        }
    }
}

const _: () = assert!(DEPTH == 2 * SIDE, "a tile has as many pairs of rows as columns");
