//! Packs: instances of one task behind a single copy of what their prompts have in common.
//!
//! Each instance sees the common part and itself only, at the positions it would have alone, so its loss is the same as
//! alone; but the common part, often nine tenths of a prompt, is computed once.

use crate::{Error, Tokens};
use saydo_model::nn::Span;

/// Rows that go through the network together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// The tokens of all rows.
    pub tokens: Vec<u32>,
    /// Which rows belong together.
    pub spans: Vec<Span>,
    /// Rows whose next token is to be learned, and that token.
    pub targets: Vec<(u32, u32)>,
    /// How many examples it holds.
    pub examples: usize,
    /// Tokens that the examples would have apart.
    pub unpacked_tokens: usize,
}

/// How packs are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packer {
    /// Rows of a pack at most; an example that is longer is left out.
    pub max_rows: usize,
    /// Whether examples share what their prompts have in common; without, each stands alone in its rows.
    pub is_shared: bool,
}

impl Packer {
    /// Packs examples, those of a task together as far as they follow each other. Examples that are too long are left
    /// out; how many is the second result.
    pub fn pack(&self, examples: &[&Tokens]) -> Result<(Vec<Pack>, usize), Error> {
        let fits = |example: &&&Tokens| example.rows() <= self.max_rows;
        let fitting: Vec<&Tokens> = examples.iter().filter(fits).copied().collect();
        let left_out = examples.len() - fitting.len();
        let mut packs = Vec::new();
        for of_task in fitting.chunk_by(|a, b| a.task == b.task) {
            let mut rest = of_task;
            while !rest.is_empty() {
                let count = self.fitting(rest);
                packs.push(self.one(&rest[..count]));
                rest = &rest[count..];
            }
        }
        Ok((packs, left_out))
    }

    /// How many of the first examples fit into one pack; at least 1.
    fn fitting(&self, examples: &[&Tokens]) -> usize {
        let mut common = self.common(&examples[..1]);
        let mut own = 0;
        for (count, example) in examples.iter().enumerate() {
            // The common part can only shrink, and what it loses each example has to carry itself.
            let next = common.min(self.common_with(examples[0], example));
            own += example.rows();
            if count > 0 && next + own - (count + 1) * next > self.max_rows {
                return count;
            }
            common = next;
        }
        examples.len()
    }

    fn common(&self, examples: &[&Tokens]) -> usize {
        examples.iter().map(|example| self.common_with(examples[0], example)).min().unwrap_or(0)
    }

    /// Tokens at the start of two prompts that are the same; the last token of a prompt is never shared, since its row
    /// has the first target.
    fn common_with(&self, a: &Tokens, b: &Tokens) -> usize {
        if !self.is_shared {
            return 0;
        }
        let most = a.prompt.len().min(b.prompt.len()).saturating_sub(1);
        (0..most).take_while(|i| a.prompt[*i] == b.prompt[*i]).count()
    }

    fn one(&self, examples: &[&Tokens]) -> Pack {
        let common = if examples.len() > 1 { self.common(examples) } else { 0 };
        let mut tokens = examples[0].prompt[..common].to_vec();
        let mut spans = Vec::new();
        if common > 0 {
            spans.push(Span { rows: 0..common, after: None });
        }
        let mut targets = Vec::new();
        for example in examples {
            let start = tokens.len();
            tokens.extend(&example.prompt[common..]);
            let first_target = tokens.len() - 1;
            // The last token of the output is only predicted.
            tokens.extend(&example.output[..example.output.len().saturating_sub(1)]);
            let rows = (first_target..).map(|row| row as u32);
            targets.extend(rows.zip(example.output.iter().copied()));
            spans.push(Span { rows: start..tokens.len(), after: (common > 0).then_some(0..common) });
        }
        let unpacked_tokens = examples.iter().map(|example| example.rows()).sum();
        Pack { tokens, spans, targets, examples: examples.len(), unpacked_tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(task: usize, prompt: &[u32], output: &[u32]) -> Tokens {
        Tokens { task, prompt: prompt.to_vec(), output: output.to_vec() }
    }

    #[test]
    fn instances_stand_behind_one_copy_of_what_they_share() {
        let (a, b) = (tokens(0, &[1, 2, 3, 4], &[8, 9]), tokens(0, &[1, 2, 5], &[7]));
        let (packs, left_out) = Packer { max_rows: 100, is_shared: true }.pack(&[&a, &b]).unwrap();
        let pack = &packs[0];
        assert_eq!((packs.len(), left_out, pack.examples, pack.unpacked_tokens), (1, 0, 2, 8));
        assert_eq!(pack.tokens, [1, 2, 3, 4, 8, 5]);
        assert_eq!(pack.targets, [(3, 8), (4, 9), (5, 7)]);
        let spans: Vec<_> = pack.spans.iter().map(|span| (span.rows.clone(), span.after.clone())).collect();
        assert_eq!(spans, [(0..2, None), (2..5, Some(0..2)), (5..6, Some(0..2))]);
    }

    #[test]
    fn unshared_examples_stand_alone() {
        let (a, b) = (tokens(0, &[1, 2], &[8]), tokens(0, &[1, 2], &[7]));
        let (packs, _) = Packer { max_rows: 100, is_shared: false }.pack(&[&a, &b]).unwrap();
        assert_eq!(packs[0].tokens, [1, 2, 1, 2]);
        assert_eq!(packs[0].targets, [(1, 8), (3, 7)]);
    }

    #[test]
    fn a_pack_keeps_to_its_rows_and_what_is_longer_is_left_out() {
        let examples: Vec<Tokens> = (0..10).map(|i| tokens(i / 6, &[1, 2, 3, 4, 5, 10 + i as u32], &[7, 8])).collect();
        let long = tokens(9, &[0; 40], &[1]);
        let all: Vec<&Tokens> = examples.iter().chain([&long]).collect();
        let (packs, left_out) = Packer { max_rows: 12, is_shared: true }.pack(&all).unwrap();
        assert_eq!(left_out, 1);
        assert!(packs.iter().all(|pack| pack.tokens.len() <= 12), "{packs:?}");
        assert_eq!(packs.iter().map(|pack| pack.examples).sum::<usize>(), 10);
        // No pack mixes tasks, though they follow each other.
        assert_eq!(packs.iter().map(|pack| pack.examples).collect::<Vec<_>>(), [3, 3, 3, 1]);
    }
}
