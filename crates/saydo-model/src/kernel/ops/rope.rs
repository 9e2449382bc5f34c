//! Rotary position embedding: pairs of a head's dimensions turn by an angle that grows with the position.

/// Which dimensions make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopeOrder {
    /// 2i with 2i + 1: llama models as GGUF files store them.
    Interleaved,
    /// i with i + half: GPT-NeoX order (qwen2, gemma3, and Hugging Face checkpoints).
    HalfSplit,
}

/// Angle per position of each pair: base to the power of −2i / dims.
pub fn rope_frequencies(dims: usize, base: f64) -> Vec<f64> {
    (0..dims / 2).map(|i| base.powf(-((2 * i) as f64) / dims as f64)).collect()
}

/// Sines and cosines for the rows of one call, shared by all layers.
pub struct RopeTable {
    pairs: usize,
    cos: Vec<f32>,
    sin: Vec<f32>,
}

impl RopeTable {
    /// Angles for rows at these positions. Scaled variants divide or replace the frequencies beforehand.
    pub fn new(frequencies: &[f64], positions: &[usize]) -> Self {
        let angles = positions.iter().flat_map(|position| frequencies.iter().map(move |f| *position as f64 * f));
        let (cos, sin) = angles.map(|angle| (angle.cos() as f32, angle.sin() as f32)).unzip();
        Self { pairs: frequencies.len(), cos, sin }
    }

    /// The same turns the other way.
    pub fn back(&self) -> Self {
        Self { pairs: self.pairs, cos: self.cos.clone(), sin: self.sin.iter().map(|sin| -sin).collect() }
    }

    /// Pairs of dimensions that turn.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Cosines, shape (rows, pairs).
    pub fn cos(&self) -> &[f32] {
        &self.cos
    }

    /// Sines, shape (rows, pairs).
    pub fn sin(&self) -> &[f32] {
        &self.sin
    }

    /// Turns `x` of shape (rows, heads, head_dim) in place; dimensions of a head beyond twice the number of
    /// frequencies stay. Panics if `x` does not have the table's rows or a head is too short.
    pub fn apply(&self, order: RopeOrder, x: &mut [f32], heads: usize, head_dim: usize) {
        assert_eq!(x.len() * self.pairs, self.cos.len() * heads * head_dim, "rows differ from the table's");
        self.apply_from(0, order, x, heads, head_dim);
    }

    /// Turns some rows of a batch in place, the first of which is the table's row `first`. Panics if the table has
    /// fewer rows or a head is too short.
    pub fn apply_from(&self, first: usize, order: RopeOrder, x: &mut [f32], heads: usize, head_dim: usize) {
        let width = heads * head_dim;
        assert!(2 * self.pairs <= head_dim, "{} pairs in heads of {head_dim}", self.pairs);
        if self.pairs == 0 {
            return;
        }
        let (cos, sin) = (&self.cos[first * self.pairs..], &self.sin[first * self.pairs..]);
        assert!(x.len() * self.pairs <= cos.len() * width, "more rows than the table's");
        let angles = cos.chunks_exact(self.pairs).zip(sin.chunks_exact(self.pairs));
        for (row, (cos, sin)) in x.chunks_exact_mut(width).zip(angles) {
            for head in row.chunks_exact_mut(head_dim) {
                turn(order, &mut head[..2 * self.pairs], cos, sin);
            }
        }
    }
}

fn turn(order: RopeOrder, head: &mut [f32], cos: &[f32], sin: &[f32]) {
    let rotate = |a: &mut f32, b: &mut f32, cos: f32, sin: f32| (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
    match order {
        RopeOrder::Interleaved => {
            let pairs = head.as_chunks_mut::<2>().0.iter_mut().zip(cos.iter().zip(sin));
            pairs.for_each(|([a, b], (cos, sin))| rotate(a, b, *cos, *sin));
        }
        RopeOrder::HalfSplit => {
            let (first, last) = head.split_at_mut(cos.len());
            let pairs = first.iter_mut().zip(last).zip(cos.iter().zip(sin));
            pairs.for_each(|((a, b), (cos, sin))| rotate(a, b, *cos, *sin));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_turn_the_same_pairs() {
        let table = RopeTable::new(&rope_frequencies(4, 100.0), &[0, 3]);
        let mut split = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0];
        table.apply(RopeOrder::HalfSplit, &mut split, 1, 4);
        let mut interleaved = [1.0, 3.0, 2.0, 4.0, 1.0, 3.0, 2.0, 4.0];
        table.apply(RopeOrder::Interleaved, &mut interleaved, 1, 4);
        assert_eq!(split[..4], [1.0, 2.0, 3.0, 4.0]);
        assert_eq!([4, 6, 5, 7].map(|i| split[i]), interleaved[4..]);
        let (sin, cos) = 3.0_f32.sin_cos();
        assert!((split[4] - (cos - 3.0 * sin)).abs() < 1e-6);
        let (sin, cos) = 0.3_f32.sin_cos();
        assert!((split[7] - (2.0 * sin + 4.0 * cos)).abs() < 1e-6);
    }

    #[test]
    fn dimensions_beyond_the_pairs_stay() {
        let table = RopeTable::new(&rope_frequencies(2, 10_000.0), &[1]);
        let mut x = [1.0, 0.0, 5.0, 6.0, 1.0, 0.0, 7.0, 8.0];
        table.apply(RopeOrder::HalfSplit, &mut x, 2, 4);
        assert_eq!([x[2], x[3], x[6], x[7]], [5.0, 6.0, 7.0, 8.0]);
        assert_eq!((x[0], x[1]), (1.0_f32.cos(), 1.0_f32.sin()));
    }
}
