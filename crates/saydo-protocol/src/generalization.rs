//! How well a model generalizes, as differences: each derived task against the tasks it derives from (ZEST, section 3).
//!
//! The paper compares the means of types, which are over different tasks. Here each paraphrase, flip, composition and
//! structure is paired with its own base tasks, so that the difference is of the wording and not of the questions. Whether a
//! paraphrase changes an answer is a second matter: the same input under two wordings should be answered alike.

use crate::competence::{Competence, Share};
use crate::score::{SampleScore, by_task};
use crate::table::{Table, percent, range};
use crate::zest::published::{self, PublishedSplit};
use crate::{GoldTask, Plan};
use saydo_metrics::bootstrap::paired_difference;
use saydo_metrics::exact::normalize_exact;
use saydo_metrics::mean::numpy_mean;
use saydo_task::Generalization;
use saydo_task::seen::normalized;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// What generalization costs, in one way of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Generalized {
    /// The layout, with few or many examples where both were run.
    pub layout: String,
    /// The decoding.
    pub decoding: String,
    /// The types of generalization in the paper's order, those without a pair left out.
    pub types: Vec<TypeDifference>,
    /// How often a paraphrase changes the answer; none if no input was asked about in both wordings.
    pub flips: Option<Share>,
    /// How many pairs of a task and its paraphrase the flips are over.
    pub wordings: usize,
}

/// Tasks of one type against the tasks they derive from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeDifference {
    /// The paper's word for the type.
    pub name: String,
    /// How many tasks of the type have a base task in the run.
    pub pairs: usize,
    /// Their mean.
    pub derived: f64,
    /// The mean of their base tasks, of each task the mean of its own.
    pub base: f64,
    /// The first less the second.
    pub difference: f64,
    /// Its 95% interval over other pairs.
    pub interval: [f64; 2],
    /// How often so large a difference comes up when the two of each pair are swapped at random.
    pub p_value: f64,
    /// The difference of the paper's rows in points, T5-11B on the test set.
    pub published: Option<i32>,
}

/// The differences in each way of asking; ways without any are left out.
pub(crate) fn generalized(
    plan: &Plan,
    samples: &[SampleScore],
    competence: &Competence,
    seed: u64,
) -> Vec<Generalized> {
    let bases = bases(&plan.tasks);
    if bases.is_empty() {
        return Vec::new();
    }
    let by_task = by_task(plan);
    let of_way = |way: &crate::competence::WayCompetence| {
        let values: HashMap<&str, f64> = way.tasks.iter().map(|task| (task.task.as_str(), task.value)).collect();
        let mut pairs: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
        for (derived, own) in &bases {
            let value = |task: &usize| values.get(plan.tasks[*task].id.as_str()).copied();
            let base = numpy_mean(&own.iter().filter_map(value).collect::<Vec<_>>());
            let (Some(place), Some(value), Some(base)) = (place(&plan.tasks[*derived]), value(derived), base) else {
                continue;
            };
            let (left, right) = pairs.entry(place).or_default();
            left.push(value);
            right.push(base);
        }
        let types = pairs.into_iter().filter_map(|(place, (derived, base))| difference(place, &derived, &base, seed));
        let samples_of = |task: usize| by_task.get(&(task, way.layout.clone(), way.decoding.clone()));
        let (mut flipped, mut wordings) = (Vec::new(), 0);
        for (derived, own) in bases.iter().filter(|(derived, _)| is_paraphrase(&plan.tasks[**derived])) {
            for base in own {
                let (Some(left), Some(right)) = (samples_of(*derived), samples_of(*base)) else { continue };
                let found = flips(plan, samples, left, right);
                wordings += usize::from(!found.is_empty());
                flipped.extend(found);
            }
        }
        let found = Generalized {
            layout: way.layout.clone(),
            decoding: way.decoding.clone(),
            types: types.collect(),
            flips: Share::of(&flipped, seed),
            wordings,
        };
        (!found.types.is_empty() || found.flips.is_some()).then_some(found)
    };
    competence.ways.iter().filter_map(of_way).collect()
}

/// Of each derived task its base tasks that are in the plan. A source's name may stand before an id.
fn bases(tasks: &[GoldTask]) -> BTreeMap<usize, Vec<usize>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (number, task) in tasks.iter().enumerate() {
        places.insert(&task.id, number);
        if let Some((_, rest)) = task.id.split_once('/') {
            places.entry(rest).or_insert(number);
        }
    }
    let own = |task: &GoldTask| -> Vec<usize> {
        task.derives_from.iter().filter_map(|id| places.get(id.as_str()).copied()).collect()
    };
    let derived = tasks.iter().enumerate().map(|(number, task)| (number, own(task)));
    derived.filter(|(number, own)| !own.is_empty() && !own.contains(number)).collect()
}

/// The type's place in the paper's order; none for base tasks and types that the paper does not know.
fn place(task: &GoldTask) -> Option<usize> {
    let kind = Generalization::from_key(task.generalization.as_deref()?);
    Generalization::ALL.iter().position(|known| *known == kind).filter(|_| kind != Generalization::Base)
}

fn is_paraphrase(task: &GoldTask) -> bool {
    task.generalization.as_deref() == Some(Generalization::Paraphrase.key())
}

fn difference(place: usize, derived: &[f64], base: &[f64], seed: u64) -> Option<TypeDifference> {
    let found = paired_difference(derived, base, seed)?;
    let kind = &Generalization::ALL[place];
    let row = |category: &str| {
        published::rows()
            .find(|row| row.model == published::T5_MTL && row.split == PublishedSplit::Test && row.category == category)
    };
    let published = row(kind.key()).zip(row(Generalization::Base.key()));
    Some(TypeDifference {
        name: kind.name().to_owned(),
        pairs: derived.len(),
        derived: numpy_mean(derived)?,
        base: numpy_mean(base)?,
        difference: found.mean,
        interval: [found.interval.low, found.interval.high],
        p_value: found.p_value,
        published: published.map(|(kind, base)| i32::from(kind.mean) - i32::from(base.mean)),
    })
}

/// Of each input that two tasks share, whether their answers differ but for case, punctuation and spacing.
fn flips(plan: &Plan, samples: &[SampleScore], left: &[usize], right: &[usize]) -> Vec<bool> {
    let said = |number: &usize| samples[*number].reply.as_deref().map(normalize_exact);
    let name = |number: &usize| {
        let sample = &plan.samples[*number];
        (normalized(&plan.instance(sample).input), sample.draw)
    };
    let known: HashMap<_, _> = right.iter().map(|number| (name(number), said(number))).collect();
    let flipped = |number: &usize| known.get(&name(number)).map(|other| *other != said(number));
    left.iter().filter_map(flipped).collect()
}

/// The tables: a row for each type, and the rate of flips.
pub(crate) fn tables(ways: &[Generalized]) -> Vec<Table> {
    let header = ["type", "layout", "decoding", "pairs", "derived", "base", "difference", "95%", "p", "T5-11B"];
    let mut types = Table::new("generalization: derived tasks against their base", &header).with_note(
        "Each task is paired with the tasks it derives from. p: randomization test over pairs. Published: difference of the \
         types' means on the test set, where paraphrases and flips count the worse of the task and its base.",
    );
    let header = ["layout", "decoding", "wordings", "inputs", "flips", "flip rate", "95%"];
    let mut flips = Table::new("the same input under two wordings", &header)
        .with_note("Flip: the answers to a task and to its paraphrase differ but for case, punctuation and spacing.");
    for way in ways {
        for row in &way.types {
            let points = |share: f64| format!("{:+.1}", 100.0 * share);
            let [low, high] = row.interval.map(points);
            types.row([
                row.name.clone(),
                way.layout.clone(),
                way.decoding.clone(),
                row.pairs.to_string(),
                percent(row.derived),
                percent(row.base),
                points(row.difference),
                format!("{low} to {high}"),
                format!("{:.3}", row.p_value),
                row.published.map_or_else(String::new, |published| format!("{published:+}")),
            ]);
        }
        if let Some(share) = way.flips {
            flips.row([
                way.layout.clone(),
                way.decoding.clone(),
                way.wordings.to_string(),
                share.of.to_string(),
                share.count.to_string(),
                percent(share.share),
                range(Some(share.interval)),
            ]);
        }
    }
    vec![types, flips]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, generalization: &str, derives_from: &[&str]) -> GoldTask {
        GoldTask {
            id: id.to_owned(),
            generalization: Some(generalization.to_owned()),
            derives_from: derives_from.iter().map(|id| (*id).to_owned()).collect(),
            ..GoldTask::default()
        }
    }

    #[test]
    fn derived_tasks_find_their_bases_with_and_without_a_sources_name() {
        let tasks = [
            task("everyday/travel/t1", "normal", &[]),
            task("everyday/travel/t2", "paraphrase", &["travel/t1"]),
            task("b", "target_semantics", &["a", "lost"]),
            task("a", "normal", &[]),
            task("c", "combination", &["lost"]),
        ];
        assert_eq!(bases(&tasks), BTreeMap::from([(1, vec![0]), (2, vec![3])]));
        assert_eq!((place(&tasks[0]), place(&tasks[2])), (None, Some(3)));
        assert!(is_paraphrase(&tasks[1]));
    }

    #[test]
    fn differences_are_paired_and_stand_beside_the_papers() {
        let found = difference(1, &[0.4, 0.6, 0.5], &[0.8, 0.9, 0.7], 0).expect("there are pairs");
        assert_eq!((found.name.as_str(), found.pairs, found.published), ("paraphrase", 3, Some(-7)));
        assert!((found.difference + 0.3).abs() < 1e-12 && found.interval[1] < 0.0, "{found:?}");
        assert!(difference(1, &[], &[], 0).is_none());
    }
}
