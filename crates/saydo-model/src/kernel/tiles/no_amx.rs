//! No matrix unit that is known here.

use super::{Block, Left, Right};

pub(super) enum Unit {}

impl Unit {
    pub fn new() -> Option<Self> {
        None
    }

    pub fn sum(&self, _: &[(&Left, &Right)], _: usize, _: usize, _: &mut Block) {
        match *self {}
    }
}
