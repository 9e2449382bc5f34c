//! No matrix unit that is known here.

use super::{Block, Term};

pub(super) enum Unit {}

impl Unit {
    pub fn new() -> Option<Self> {
        None
    }

    pub fn sum(&self, _: &[Term<'_>], _: usize, _: usize, _: &mut Block) {
        match *self {}
    }
}
