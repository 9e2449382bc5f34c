//! Right sides of products, wherever their numbers come from.

use super::{BLOCK, DEPTH, Left, Line, PANEL, Piece, Right, SIDE, Tile, avx512, portable};

/// The right side of a product.
#[derive(Clone, Copy)]
pub(crate) enum Factor<'a> {
    /// As it is.
    Tiles(&'a Right),
    /// Its transpose.
    Turned(&'a Right),
    /// The numbers of a left side: its rows are summed over.
    Rows(&'a Left),
}

/// Up to four tiles across of a right side: tile by tile down, then across.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub tiles: &'a [Tile],
    /// Tiles between one and that beside it.
    pub stride: usize,
    pub tiles_down: usize,
}

impl<'a> Piece<'a> {
    /// The panel that begins at one of its columns.
    pub(super) fn panel(&self, column: usize) -> Panel<'a> {
        let Self { right, columns, depth } = self;
        assert!(columns.start.is_multiple_of(SIDE) && depth.start.is_multiple_of(DEPTH), "pieces of whole tiles");
        let (across, stride) = ((columns.start + column) / SIDE, right.tiles_down);
        let tiles = &right.tiles[across * stride + depth.start / DEPTH..];
        Panel { tiles, stride, tiles_down: depth.len().div_ceil(DEPTH) }
    }
}

impl<'a> Factor<'a> {
    pub fn columns(&self) -> usize {
        match self {
            Self::Tiles(right) => right.columns,
            Self::Turned(right) => right.depth,
            Self::Rows(left) => left.columns,
        }
    }

    /// Tiles along the depth.
    pub(super) fn tiles_down(&self) -> usize {
        match self {
            Self::Tiles(right) => right.tiles_down,
            Self::Turned(right) => right.columns.div_ceil(DEPTH),
            Self::Rows(left) => left.rows.div_ceil(DEPTH),
        }
    }

    /// The panel that begins with a tile across, made in `made` unless it is there already.
    pub(super) fn panel<'m>(&self, first: usize, made: &'m mut Vec<Tile>) -> Panel<'m>
    where
        'a: 'm,
    {
        let tiles_down = self.tiles_down();
        let across = (self.columns().next_multiple_of(BLOCK) / SIDE - first).min(PANEL / SIDE);
        if let Self::Tiles(right) = self {
            let tiles = &right.tiles[first * tiles_down..][..across * tiles_down];
            return Panel { tiles, stride: tiles_down, tiles_down };
        }
        made.resize(across * tiles_down, Tile::ZERO);
        for (number, pair) in made.chunks_exact_mut(2 * tiles_down).enumerate() {
            let (left, right) = pair.split_at_mut(tiles_down);
            // Tiles come in pairs: 32 rows and 32 columns either way.
            let line = first / 2 + number;
            for (down, out) in left.iter_mut().zip(right).enumerate() {
                match self {
                    Self::Tiles(_) => unreachable!("these are there already"),
                    Self::Turned(right) => {
                        let at = |across| &right.tiles[across * right.tiles_down + line];
                        turn([at(2 * down), at(2 * down + 1)], out.into());
                    }
                    Self::Rows(left) => {
                        let rows = &left.values[down * DEPTH * left.lines..][..DEPTH * left.lines];
                        let at = |row| &rows[row * left.lines + line];
                        join(std::array::from_fn(at), out.into());
                    }
                }
            }
        }
        Panel { tiles: made, stride: tiles_down, tiles_down }
    }
}

/// Turns 32 rows of 32 numbers: those of two tiles side by side become columns.
fn turn(from: [&Tile; 2], to: [&mut Tile; 2]) {
    if avx512::is_there() { avx512::turn(from, to) } else { portable::turn(from, to) }
}

/// Makes columns of 16 rows of 32 numbers.
pub(super) fn columns_of(rows: [&Line; SIDE], to: &mut Tile) {
    if avx512::is_there() { avx512::columns_of(rows, to) } else { portable::columns_of(rows, to) }
}

/// Puts 32 rows of 32 numbers in pairs side by side.
pub(super) fn join(rows: [&Line; DEPTH], to: [&mut Tile; 2]) {
    if avx512::is_there() { avx512::join(rows, to) } else { portable::join(rows, to) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;

    fn number(row: usize, column: usize) -> bf16 {
        bf16::from_bits((row * DEPTH + column) as u16)
    }

    #[test]
    fn blocks_turn_and_join() {
        let rows: [Line; DEPTH] = std::array::from_fn(|row| Line(std::array::from_fn(|column| number(row, column))));
        // The two tiles hold the transpose: 32 columns in pairs of rows.
        let tile = |side: usize| {
            Tile(std::array::from_fn(|pair| {
                std::array::from_fn(|at| [0, 1].map(|half| number(SIDE * side + at, 2 * pair + half)))
            }))
        };
        let from = [tile(0), tile(1)];
        type Turn = fn([&Tile; 2], [&mut Tile; 2]);
        type Join = fn([&Line; DEPTH], [&mut Tile; 2]);
        type ColumnsOf = fn([&Line; SIDE], &mut Tile);
        for (name, turn, join, columns_of) in [
            ("chosen", turn as Turn, join as Join, columns_of as ColumnsOf),
            ("plain", portable::turn, portable::join, portable::columns_of),
        ] {
            let mut columns = Tile::ZERO;
            columns_of(std::array::from_fn(|at| &rows[at]), &mut columns);
            assert_eq!(columns.0, from[0].0, "{name}");
            let mut out = [[Tile::ZERO; 2]; 2];
            let [turned, joined] = &mut out;
            turn(from.each_ref(), turned.each_mut());
            join(rows.each_ref(), joined.each_mut());
            for (row, column) in (0..DEPTH).flat_map(|row| (0..DEPTH).map(move |column| (row, column))) {
                for tiles in &out {
                    assert_eq!(tiles[column / SIDE].0[row / 2][column % SIDE][row % 2], number(row, column), "{name}");
                }
            }
        }
    }
}
