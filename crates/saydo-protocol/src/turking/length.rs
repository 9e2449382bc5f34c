//! Success by the length of the sentence (Figure 6 of the paper), for the tasks with gold.
//!
//! The paper draws the lengths of all 100 sentences of the noun task beside those of the nine that were solved, which are
//! shorter. Here the same for every task with gold and every decoding, with the accuracy at each length.

use super::{Estimate, Gold, Outputs, judge};
use saydo_metrics::mean::numpy_mean;
use saydo_metrics::quartile::{Quartiles, quartiles};
use saydo_task::turking::Kind;
use serde::Serialize;

/// How many lengths a bin holds: 1 to 5 words, 6 to 10, and so on.
pub const BIN_WORDS: usize = 5;

/// The lengths of one task's sentences, all and solved, under one decoding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LengthReport {
    /// The task's id.
    pub task: &'static str,
    /// Its name in the paper.
    pub name: &'static str,
    /// The decoding.
    pub decoding: String,
    /// How many instances have an output.
    pub instances: usize,
    /// How many of them are solved: right under both rules of leniency. An instance with several samples counts by the
    /// share of right ones.
    pub solved: f64,
    /// The mean number of words over all instances.
    pub mean_words: f64,
    /// That over the solved ones; none if none is.
    pub mean_words_solved: Option<f64>,
    /// The quartiles of the number of words over all instances.
    pub quartiles: Spread,
    /// Those over the instances with at least one right sample; none if there is none.
    pub quartiles_solved: Option<Spread>,
    /// The number of words of each instance, and of each with at least one right sample: what violins are drawn of.
    #[serde(skip)]
    pub words: [Vec<usize>; 2],
    /// The lengths from the shortest bin to the longest; a bin between them may be empty.
    pub bins: Vec<LengthBin>,
}

/// The values that cut a sample of lengths into quarters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// A quarter is shorter.
    pub first: f64,
    /// Half is shorter.
    pub median: f64,
    /// Three quarters are shorter.
    pub third: f64,
}

impl Spread {
    /// None of no lengths.
    fn of(words: &[usize]) -> Option<Self> {
        let words: Vec<f64> = words.iter().map(|words| *words as f64).collect();
        quartiles(&words).map(|Quartiles { first, median, third }| Self { first, median, third })
    }
}

/// Sentences of about the same length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LengthBin {
    /// The fewest words.
    pub from: usize,
    /// The most words.
    pub to: usize,
    /// How many instances have so many words.
    pub instances: usize,
    /// Their share of all instances.
    pub share: f64,
    /// The share of the solved instances that is here; none if none is solved at all.
    pub share_solved: Option<f64>,
    /// The share of the instances here that is solved; none if there is no instance.
    pub accuracy: Option<Estimate>,
}

/// An instance: the words of its sentence, and how far it is solved, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solved {
    /// The number of words.
    pub words: usize,
    /// The share of right samples.
    pub share: f64,
}

/// The lengths of the tasks with gold, in the paper's order, under each decoding that has outputs. `seed` fixes the
/// intervals.
pub fn by_length(gold: &Gold, outputs: &Outputs, seed: u64) -> Vec<LengthReport> {
    let kinds = Kind::ALL.into_iter().filter(|kind| kind.has_gold());
    let pairs = kinds.flat_map(|kind| outputs.decodings().iter().map(move |decoding| (kind, decoding)));
    pairs.filter_map(|(kind, decoding)| report(kind, decoding, &solved(gold, outputs, kind, decoding), seed)).collect()
}

/// The report on instances that are already judged; none for no instances.
pub fn report(kind: Kind, decoding: &str, instances: &[Solved], seed: u64) -> Option<LengthReport> {
    let words: Vec<f64> = instances.iter().map(|instance| instance.words as f64).collect();
    let solved: f64 = instances.iter().map(|instance| instance.share).sum();
    let weighted: f64 = instances.iter().map(|instance| instance.share * instance.words as f64).sum();
    let bin_of = |instance: &Solved| instance.words.saturating_sub(1) / BIN_WORDS;
    let (first, last) = (instances.iter().map(bin_of).min()?, instances.iter().map(bin_of).max()?);
    let bin = |number: usize| {
        let here: Vec<f64> = instances.iter().filter(|one| bin_of(one) == number).map(|one| one.share).collect();
        LengthBin {
            from: number * BIN_WORDS + 1,
            to: (number + 1) * BIN_WORDS,
            instances: here.len(),
            share: here.len() as f64 / instances.len() as f64,
            share_solved: (solved > 0.0).then(|| here.iter().sum::<f64>() / solved),
            accuracy: Estimate::of(&here, seed),
        }
    };
    let all: Vec<usize> = instances.iter().map(|instance| instance.words).collect();
    let solved_words: Vec<usize> =
        instances.iter().filter(|instance| instance.share > 0.0).map(|instance| instance.words).collect();
    Some(LengthReport {
        quartiles: Spread::of(&all)?,
        quartiles_solved: Spread::of(&solved_words),
        words: [all, solved_words],
        task: kind.id(),
        name: kind.name(),
        decoding: decoding.to_owned(),
        instances: instances.len(),
        solved,
        mean_words: numpy_mean(&words)?,
        mean_words_solved: (solved > 0.0).then(|| weighted / solved),
        bins: (first..=last).map(bin).collect(),
    })
}

/// The instances of a task that have an output under a decoding.
fn solved(gold: &Gold, outputs: &Outputs, kind: Kind, decoding: &str) -> Vec<Solved> {
    let of = |(position, item): (usize, &super::Item)| {
        let own = outputs.of(position).iter().filter(|output| output.decoding == decoding);
        let is_right = |text: &str| judge(item, text).verdict.is_some_and(|verdict| verdict.lenient);
        let right = own.map(|output| f64::from(u8::from(is_right(output.text.as_deref().unwrap_or_default()))));
        let share = numpy_mean(&right.collect::<Vec<_>>())?;
        Some(Solved { words: item.instruction.resource.split_whitespace().count(), share })
    };
    let items = gold.items().iter().enumerate().filter(|(_, item)| item.instruction.ask.kind() == kind);
    items.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turking::Output;
    use saydo_task::{Instance, Task};

    fn words(pairs: &[(usize, f64)]) -> Vec<Solved> {
        pairs.iter().map(|&(words, share)| Solved { words, share }).collect()
    }

    #[test]
    fn short_sentences_are_solved_more_often() {
        let report = report(Kind::Nouns, "greedy", &words(&[(3, 1.0), (5, 0.0), (6, 0.5), (19, 0.0)]), 0).unwrap();
        assert_eq!((report.instances, report.solved), (4, 1.5));
        assert_eq!((report.mean_words, report.mean_words_solved), (8.25, Some(4.0)));
        assert_eq!((report.quartiles.median, report.quartiles_solved.unwrap().median), (5.5, 4.5));
        assert_eq!(report.words[1], [3, 6]);
        let bins: Vec<_> = report.bins.iter().map(|bin| (bin.from, bin.to, bin.instances, bin.share_solved)).collect();
        let shares = [Some(1.0 / 1.5), Some(0.5 / 1.5), Some(0.0), Some(0.0)];
        assert_eq!(bins, [(1, 5, 2, shares[0]), (6, 10, 1, shares[1]), (11, 15, 0, shares[2]), (16, 20, 1, shares[3])]);
        assert_eq!(report.bins[0].accuracy.unwrap().value, 0.5);
        assert!(report.bins[2].accuracy.is_none());
        assert_eq!(report.bins.iter().map(|bin| bin.share).sum::<f64>(), 1.0);
    }

    #[test]
    fn nothing_solved_has_no_mean_and_nothing_at_all_no_report() {
        let unsolved = report(Kind::Nouns, "greedy", &words(&[(0, 0.0)]), 0).unwrap();
        assert_eq!((unsolved.mean_words_solved, unsolved.bins[0].share_solved), (None, None));
        assert_eq!((unsolved.bins[0].from, unsolved.bins.len()), (1, 1));
        assert!(report(Kind::Nouns, "greedy", &[], 0).is_none());
    }

    #[test]
    fn outputs_are_judged_task_by_task_and_decoding_by_decoding() {
        let instance =
            |input: &str, gold: &str| Instance { outputs: vec![gold.to_owned()], ..Instance::unlabelled(input) };
        let instances = vec![
            instance("Write the second word from the sentence \"It rained.\".", "rained."),
            instance("Write the first word from the sentence \"It did not rain at all today.\".", "It"),
            instance("List all the nouns of the sentence \"Cats sleep.\".", "Cats"),
        ];
        let gold = Gold::new(&[Task { instances, ..Task::default() }]).unwrap();
        let mut outputs = Outputs::new(&gold);
        let texts = [(0, "a", "rained"), (0, "a", "It"), (0, "b", "x"), (1, "a", "no"), (2, "a", "Cats, sleep")];
        for (position, decoding, text) in texts {
            outputs.add(position, Output { decoding: decoding.to_owned(), text: Some(text.to_owned()) });
        }
        let reports = by_length(&gold, &outputs, 0);
        let found: Vec<_> =
            reports.iter().map(|one| (one.task, one.decoding.as_str(), one.instances, one.solved)).collect();
        let [nouns, word] = [Kind::Nouns.id(), Kind::NthWord.id()];
        assert_eq!(found, [(nouns, "a", 1, 1.0), (word, "a", 2, 0.5), (word, "b", 1, 0.0)]);
        assert_eq!(reports[1].mean_words_solved, Some(2.0));
    }
}
