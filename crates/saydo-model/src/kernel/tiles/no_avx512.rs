//! No vector instructions for bf16 that are known here.

use super::{DEPTH, Line, SIDE, Sums, Term, Tile, portable};

pub(super) enum Unit {}

impl Unit {
    pub fn new() -> Option<Self> {
        None
    }

    pub fn sum(&self, _: &[Term<'_>], _: usize, _: &mut Sums<'_>) {
        match *self {}
    }
}

pub(super) fn is_there() -> bool {
    false
}

pub(super) fn turn(from: [&Tile; 2], to: [&mut Tile; 2]) {
    portable::turn(from, to);
}

pub(super) fn join(rows: [&Line; DEPTH], to: [&mut Tile; 2]) {
    portable::join(rows, to);
}

pub(super) fn columns_of(rows: [&Line; SIDE], to: &mut Tile) {
    portable::columns_of(rows, to);
}
