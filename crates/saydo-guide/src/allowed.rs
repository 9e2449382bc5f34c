//! The set of tokens that may come next.

/// A set of tokens, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Allowed(Vec<u64>);

impl Allowed {
    /// No token out of so many.
    pub fn none(tokens: usize) -> Allowed {
        Allowed(vec![0; tokens.div_ceil(64)])
    }

    /// Adds a token.
    pub fn insert(&mut self, token: u32) {
        self.0[token as usize / 64] |= 1 << (token % 64);
    }

    /// Takes a token out.
    pub fn remove(&mut self, token: u32) {
        self.0[token as usize / 64] &= !(1 << (token % 64));
    }

    /// Adds the tokens of another set over as many tokens.
    pub fn union(&mut self, other: &Allowed) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether there is no token in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Sets the logits of all other tokens, and whatever follows the vocabulary, to −∞.
    pub fn apply(&self, logits: &mut [f32]) {
        for (index, chunk) in logits.chunks_mut(64).enumerate() {
            match self.0.get(index).copied().unwrap_or(0) {
                0 => chunk.fill(f32::NEG_INFINITY),
                u64::MAX => {}
                word => {
                    for (bit, logit) in chunk.iter_mut().enumerate() {
                        if word >> bit & 1 == 0 {
                            *logit = f32::NEG_INFINITY;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_set_is_masked_with_padding() {
        let mut allowed = Allowed::none(130);
        for token in [0, 63, 64, 129] {
            allowed.insert(token);
        }
        allowed.remove(64);
        let mut logits = vec![0.5; 300];
        allowed.apply(&mut logits);
        let left: Vec<usize> = (0..300).filter(|&token| logits[token] == 0.5).collect();
        assert_eq!(left, [0, 63, 129]);
    }
}
