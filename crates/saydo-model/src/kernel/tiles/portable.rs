//! The sums of a block in plain code, in the order of the matrix unit: even and odd numbers of a tile apart.

use super::{BLOCK, Block, DEPTH, Left, Right, SIDE};

pub(super) fn sum(terms: &[(&Left, &Right)], row: usize, column: usize, block: &mut Block) {
    block.0 = [[0.0; BLOCK]; BLOCK];
    for (left, right) in terms {
        for down in 0..right.tiles_down {
            for (row, sums) in (row..).zip(&mut block.0) {
                let line = &left.values[row * left.lines + down].0;
                for (across, sums) in sums.chunks_exact_mut(SIDE).enumerate() {
                    let tile = &right.tiles[(column / SIDE + across) * right.tiles_down + down].0;
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

const _: () = assert!(DEPTH == 2 * SIDE, "a tile has as many pairs of rows as columns");
