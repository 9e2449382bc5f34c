//! At which rates the sources of a mixture are learned from: as many examples as each has, or the same for all, as in
//! multi-task learning of ZEST's paper.

use super::LabelSets;
use super::draw::generator;
use crate::{Example, shuffle};
use serde::{Deserialize, Serialize};

/// How sources are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mixture {
    /// Each source as often as it has examples.
    #[default]
    AsIs,
    /// All sources equally often: the examples of smaller ones come again, bundle by bundle.
    Equal,
}

/// How often a source is learned from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SamplingRate {
    /// The file, folder or part of the data set.
    pub source: String,
    /// Its examples.
    pub examples: usize,
    /// How often one of them comes in an epoch, all together.
    pub sampled: usize,
    /// Its share of the epoch.
    pub rate: f64,
}

/// Repeats the bundles of smaller sources until each source comes as often as the largest, but for less than a bundle.
/// `origins` says of each example which source it is of; repeated bundles get numbers of their own.
pub(super) fn equalize(examples: &mut Vec<Example>, origins: &mut Vec<usize>, labels: &mut LabelSets, seed: u64) {
    let sources = origins.iter().max().map_or(0, |last| last + 1);
    let count = |source: usize| origins.iter().filter(|origin| **origin == source).count();
    let largest = (0..sources).map(count).max().unwrap_or_default();
    let mut next = examples.iter().map(|example| example.task + 1).max().unwrap_or_default();
    let (mut added, mut added_origins) = (Vec::new(), Vec::new());
    for source in 0..sources {
        let own: Vec<Example> = examples
            .iter()
            .zip(&*origins)
            .filter(|(_, origin)| **origin == source)
            .map(|(example, _)| example.clone())
            .collect();
        let mut bundles: Vec<&[Example]> = own.chunk_by(|one, other| one.task == other.task).collect();
        let mut left = largest - own.len();
        for turn in 0.. {
            shuffle(&mut bundles, &mut generator("mixture", source + turn * sources, seed));
            let before = left;
            for bundle in bundles.iter().filter(|bundle| !bundle.is_empty()) {
                if bundle.len() > left {
                    continue;
                }
                left -= bundle.len();
                if let Some(of_bundle) = labels.get(&bundle[0].task).cloned() {
                    labels.insert(next, of_bundle);
                }
                added.extend(bundle.iter().map(|example| Example { task: next, ..example.clone() }));
                added_origins.extend(vec![source; bundle.len()]);
                next += 1;
            }
            if left == before {
                break;
            }
        }
    }
    examples.extend(added);
    origins.extend(added_origins);
}

/// The rates of all sources, given their examples before and after they were mixed.
pub(super) fn rates(sources: Vec<String>, before: &[usize], after: &[usize]) -> Vec<SamplingRate> {
    let count = |origins: &[usize], source: usize| origins.iter().filter(|origin| **origin == source).count();
    let rate = |(number, source): (usize, String)| {
        let sampled = count(after, number);
        let rate = sampled as f64 / after.len().max(1) as f64;
        SamplingRate { source, examples: count(before, number), sampled, rate }
    };
    sources.into_iter().enumerate().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::Prompt;
    use saydo_task::seen::Trace;

    /// Bundles of these sizes for each source.
    fn mixed(sources: &[&[usize]]) -> (Vec<Example>, Vec<usize>) {
        let (mut examples, mut origins, mut number) = (Vec::new(), Vec::new(), 0);
        for (source, bundles) in sources.iter().enumerate() {
            for size in *bundles {
                for place in 0..*size {
                    let prompt = Prompt::plain(format!("{source} {number} {place}"));
                    let (output, trace) = (String::new(), Trace::default());
                    examples.push(Example { task: number, prompt, output, told: None, trace });
                    origins.push(source);
                }
                number += 1;
            }
        }
        (examples, origins)
    }

    #[test]
    fn smaller_sources_come_again_in_bundles_of_their_own_until_all_are_equal() {
        let (mut examples, mut origins) = mixed(&[&[4, 4, 4], &[2, 1], &[5]]);
        let before = origins.clone();
        let mut labels = LabelSets::from([(3, vec!["yes".to_owned()])]);
        equalize(&mut examples, &mut origins, &mut labels, 1);
        let rates = rates(vec!["a".into(), "b".into(), "c".into()], &before, &origins);
        let sampled: Vec<(usize, usize)> = rates.iter().map(|rate| (rate.examples, rate.sampled)).collect();
        // A third of a bundle of five is not begun.
        assert_eq!(sampled, [(12, 12), (3, 12), (5, 10)]);
        assert!((rates.iter().map(|rate| rate.rate).sum::<f64>() - 1.0).abs() < 1e-9);
        let mut numbers: Vec<usize> =
            examples.chunk_by(|one, other| one.task == other.task).map(|bundle| bundle[0].task).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "no two bundles have a number");
        let repeated = examples.iter().filter(|example| example.prompt.text.starts_with("1 3 ")).map(|one| one.task);
        assert!(repeated.into_iter().all(|number| labels.contains_key(&number)), "labels come with their bundles");
        let again = |seed: u64| {
            let (mut examples, mut origins) = mixed(&[&[4, 4, 4], &[2, 1], &[5]]);
            equalize(&mut examples, &mut origins, &mut LabelSets::new(), seed);
            examples
        };
        assert_eq!(again(1), again(1));
    }

    #[test]
    fn one_source_and_none_stay_as_they_are() {
        let (mut examples, mut origins) = mixed(&[&[2, 2]]);
        equalize(&mut examples, &mut origins, &mut LabelSets::new(), 0);
        assert_eq!(examples.len(), 4);
        equalize(&mut Vec::new(), &mut Vec::new(), &mut LabelSets::new(), 0);
    }
}
