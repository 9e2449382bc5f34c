//! Packs: instances of one task behind a single copy of what their prompts have in common.
//!
//! Each instance sees the common part and itself only, at the positions it would have alone, so its loss is the same as
//! alone; but the common part, often nine tenths of a prompt, is computed once. Tasks that fit go through the network
//! side by side: products over many rows take less time than over few at a time.
//!
//! Behind an encoder each example has a prompt of its own, because there every token of a prompt sees every other, and
//! rows of the decoder that see it.

use crate::{Error, Tokens};
use saydo_model::nn::Span;
use std::iter::once;
use std::ops::Range;

/// Rows that go through the network together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// The tokens of all rows.
    pub tokens: Vec<u32>,
    /// Which rows belong together.
    pub spans: Vec<Span>,
    /// What an encoder reads, if there is one.
    pub source: Option<Source>,
    /// Rows whose next token is to be learned, and that token.
    pub targets: Vec<(u32, u32)>,
    /// The same targets behind the prompts that the network is held to, if its examples hold it; `None` if they are learned
    /// from.
    pub before: Option<Box<Pack>>,
    /// How many examples it has.
    pub examples: usize,
    /// Tokens that the examples would have apart.
    pub unpacked_tokens: usize,
}

impl Pack {
    /// Rows that go through the network, those of an encoder included.
    pub fn rows(&self) -> usize {
        self.tokens.len() + self.source.as_ref().map_or(0, |source| source.tokens.len())
    }

    /// Puts the rows of another pack behind this one's; neither sees the other. Both are without an encoder.
    fn append(&mut self, other: Self) {
        let first = self.tokens.len();
        let moved = |rows: Range<usize>| rows.start + first..rows.end + first;
        self.tokens.extend(other.tokens);
        let spans = other.spans.into_iter();
        self.spans.extend(spans.map(|span| Span { rows: moved(span.rows), after: span.after.map(moved) }));
        self.targets.extend(other.targets.into_iter().map(|(row, target)| (row + first as u32, target)));
        self.examples += other.examples;
        self.unpacked_tokens += other.unpacked_tokens;
        if let (Some(before), Some(others)) = (&mut self.before, other.before) {
            before.append(*others);
        }
    }
}

/// Prompts for an encoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The tokens of all prompts.
    pub tokens: Vec<u32>,
    /// The prompt of each span.
    pub inputs: Vec<Range<usize>>,
}

/// How packs are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packer {
    /// Rows of a pack at most; an example that is longer is left out.
    pub max_rows: usize,
    /// Whether examples share what their prompts have in common; without, each stands alone in its rows.
    pub is_shared: bool,
    /// The greatest number of positions of a sequence; an example that needs more is left out.
    pub context: usize,
    /// The token that a decoder behind an encoder starts with; `None` without an encoder.
    pub decoder_start: Option<u32>,
}

impl Packer {
    /// Packs examples, those of a task together as far as they follow each other. Examples that are too long are left
    /// out; how many is the second result.
    pub fn pack(&self, examples: &[&Tokens]) -> Result<(Vec<Pack>, usize), Error> {
        let mut fitting: Vec<&Tokens> = examples.iter().filter(|example| self.fits(example)).copied().collect();
        // A pack is learned from, or holds: the second kind costs another pass.
        fitting.sort_by_key(|example| example.held_to.is_some());
        let left_out = examples.len() - fitting.len();
        if let Some(start) = self.decoder_start {
            return Ok((fitting.iter().map(|example| behind_encoder(example, start)).collect(), left_out));
        }
        let mut packs: Vec<Pack> = Vec::new();
        for of_task in fitting.chunk_by(|a, b| a.task == b.task) {
            let mut rest = of_task;
            while !rest.is_empty() {
                let count = self.fitting(rest);
                let pack = self.one(&rest[..count]);
                let joins = |last: &Pack| {
                    last.before.is_some() == pack.before.is_some()
                        && last.tokens.len() + pack.tokens.len() <= self.max_rows
                };
                match packs.last_mut().filter(|last| joins(last)) {
                    Some(last) => last.append(pack),
                    None => packs.push(pack),
                }
                rest = &rest[count..];
            }
        }
        Ok((packs, left_out))
    }

    /// Whether an example fits into a pack, and each of its sequences into the network's context. What it is held to may
    /// take more rows than a pack has: nothing is kept of them for a way back.
    pub fn fits(&self, example: &Tokens) -> bool {
        let has_encoder = self.decoder_start.is_some();
        let is_in_context = |example: &Tokens| {
            let longest = if has_encoder { example.prompt.len().max(example.output.len()) } else { example.rows() };
            longest <= self.context
        };
        // A decoder behind an encoder has a row for its start.
        example.rows() + usize::from(has_encoder) <= self.max_rows
            && is_in_context(example)
            && example.before().is_none_or(|before| is_in_context(&before))
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
        let held: Vec<Tokens> = examples.iter().filter_map(|example| example.before()).collect();
        let before = (!held.is_empty()).then(|| Box::new(self.one(&held.iter().collect::<Vec<_>>())));
        Pack { tokens, spans, source: None, targets, before, examples: examples.len(), unpacked_tokens }
    }
}

/// One example: its prompt for the encoder, and rows of the decoder that start with a token of their own.
fn behind_encoder(example: &Tokens, start: u32) -> Pack {
    let before_last = &example.output[..example.output.len().saturating_sub(1)];
    let tokens = [&[start], before_last].concat();
    Pack {
        spans: vec![Span { rows: 0..tokens.len(), after: None }],
        targets: (0..).zip(example.output.iter().copied()).collect(),
        before: example.before().map(|before| Box::new(behind_encoder(&before, start))),
        examples: 1,
        unpacked_tokens: example.prompt.len() + tokens.len(),
        source: Some(Source { tokens: example.prompt.clone(), inputs: once(0..example.prompt.len()).collect() }),
        tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(task: usize, prompt: &[u32], output: &[u32]) -> Tokens {
        Tokens { task, prompt: prompt.to_vec(), output: output.to_vec(), held_to: None }
    }

    #[test]
    fn instances_stand_behind_one_copy_of_what_they_share() {
        let (a, b) = (tokens(0, &[1, 2, 3, 4], &[8, 9]), tokens(0, &[1, 2, 5], &[7]));
        let (packs, left_out) =
            Packer { max_rows: 100, is_shared: true, context: 1000, decoder_start: None }.pack(&[&a, &b]).unwrap();
        let pack = &packs[0];
        assert_eq!((packs.len(), left_out, pack.examples, pack.unpacked_tokens), (1, 0, 2, 8));
        assert_eq!(pack.tokens, [1, 2, 3, 4, 8, 5]);
        assert_eq!(pack.targets, [(3, 8), (4, 9), (5, 7)]);
        let spans: Vec<_> = pack.spans.iter().map(|span| (span.rows.clone(), span.after.clone())).collect();
        assert_eq!(spans, [(0..2, None), (2..5, Some(0..2)), (5..6, Some(0..2))]);
    }

    #[test]
    fn what_holds_is_apart_from_what_is_learned() {
        let held = tokens(0, &[1, 2, 3], &[8, 0]).held(None);
        let (a, b) = (tokens(1, &[4, 5], &[9]), tokens(2, &[6], &[9]));
        let packer = Packer { max_rows: 100, is_shared: true, context: 1000, decoder_start: None };
        let (packs, _) = packer.pack(&[&a, &held, &b]).unwrap();
        let parts: Vec<_> = packs.iter().map(|pack| (pack.before.is_some(), pack.examples)).collect();
        assert_eq!(parts, [(false, 2), (true, 1)]);
    }

    #[test]
    fn what_holds_has_the_same_targets_behind_prompts_that_tell_more() {
        let held = |tail: u32, told: &[u32]| tokens(0, &[1, 2, tail], &[8, 9]).held(Some(told.to_vec()));
        let (a, b) = (held(3, &[1, 5, 6, 7, 3]), held(4, &[1, 5, 6, 7, 4]));
        let packer = Packer { max_rows: 8, is_shared: true, context: 1000, decoder_start: None };
        let (packs, _) = packer.pack(&[&a, &b]).unwrap();
        let before = packs[0].before.as_deref().expect("holds");
        assert_eq!(
            (packs.len(), &packs[0].tokens[..], &packs[0].targets[..]),
            (1, &[1, 2, 3, 4][..], &[(2, 8), (3, 8)][..])
        );
        assert_eq!((&before.tokens[..], &before.targets[..]), (&[1, 5, 6, 7, 3, 4][..], &[(4, 8), (5, 8)][..]));
        // Another task's stands behind both.
        let c = tokens(1, &[5, 6], &[8]).held(None);
        let (packs, _) = packer.pack(&[&a, &b, &c]).unwrap();
        let before = packs[0].before.as_deref().expect("holds");
        assert_eq!((packs[0].targets[2], before.targets[2]), ((5, 8), (7, 8)));
        assert_eq!(Packer { context: 4, ..packer }.pack(&[&a, &c]).unwrap().1, 1, "too long for what it is held to");
    }

    #[test]
    fn unshared_examples_stand_alone() {
        let (a, b) = (tokens(0, &[1, 2], &[8]), tokens(0, &[1, 2], &[7]));
        let (packs, _) =
            Packer { max_rows: 100, is_shared: false, context: 1000, decoder_start: None }.pack(&[&a, &b]).unwrap();
        assert_eq!(packs[0].tokens, [1, 2, 1, 2]);
        assert_eq!(packs[0].targets, [(1, 8), (3, 7)]);
    }

    #[test]
    fn behind_an_encoder_each_example_has_its_own_prompt_and_the_decoder_its_start() {
        let (a, b) = (tokens(0, &[1, 2, 3], &[8, 9]), tokens(0, &[1, 2], &[7]));
        let packer = Packer { max_rows: 5, is_shared: true, context: 1000, decoder_start: Some(6) };
        let (packs, left_out) = packer.pack(&[&a, &b, &tokens(0, &[1, 2, 3, 4], &[8, 9])]).unwrap();
        assert_eq!((packs.len(), left_out), (2, 1));
        assert_eq!(packs[0].source, Some(Source { tokens: vec![1, 2, 3], inputs: once(0..3).collect() }));
        assert_eq!((&packs[0].tokens[..], &packs[0].targets[..]), (&[6, 8][..], &[(0, 8), (1, 9)][..]));
        assert_eq!((&packs[1].tokens[..], packs[1].unpacked_tokens), (&[6][..], 3));
        assert_eq!(Packer { context: 2, ..packer }.pack(&[&a, &b]).unwrap().1, 1);
    }

    #[test]
    fn a_pack_keeps_to_its_rows_and_what_is_longer_is_left_out() {
        let examples: Vec<Tokens> = (0..10).map(|i| tokens(i / 6, &[1, 2, 3, 4, 5, 10 + i as u32], &[7, 8])).collect();
        let long = tokens(9, &[0; 40], &[1]);
        let all: Vec<&Tokens> = examples.iter().chain([&long]).collect();
        let (packs, left_out) =
            Packer { max_rows: 12, is_shared: true, context: 1000, decoder_start: None }.pack(&all).unwrap();
        assert_eq!(left_out, 1);
        assert!(packs.iter().all(|pack| pack.tokens.len() <= 12), "{packs:?}");
        assert_eq!(packs.iter().map(|pack| pack.examples).sum::<usize>(), 10);
        assert_eq!(packs.iter().map(|pack| pack.examples).collect::<Vec<_>>(), [3, 3, 3, 1]);
    }

    #[test]
    fn tasks_that_fit_stand_side_by_side_and_do_not_see_each_other() {
        let (a, b) = (tokens(0, &[1, 2, 3], &[8]), tokens(0, &[1, 2, 4], &[9]));
        let (c, d) = (tokens(1, &[1, 2, 5], &[6]), tokens(1, &[1, 2, 7], &[6]));
        let packer = Packer { max_rows: 8, is_shared: true, context: 1000, decoder_start: None };
        let (packs, _) = packer.pack(&[&a, &b, &c, &d]).unwrap();
        assert_eq!(packs.len(), 1);
        assert_eq!(packs[0].tokens, [1, 2, 3, 4, 1, 2, 5, 7]);
        assert_eq!(packs[0].targets, [(2, 8), (3, 9), (6, 6), (7, 6)]);
        let afters: Vec<_> = packs[0].spans.iter().map(|span| span.after.clone()).collect();
        assert_eq!(afters, [None, Some(0..2), Some(0..2), None, Some(4..6), Some(4..6)]);
        assert_eq!((packs[0].examples, packs[0].unpacked_tokens), (4, 12));
        assert_eq!(Packer { max_rows: 7, ..packer }.pack(&[&a, &b, &c, &d]).unwrap().0.len(), 2);
    }
}
