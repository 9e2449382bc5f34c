//! The ways a task was asked: its layout, with few or many examples, the decoding and its draw.

use crate::{Plan, Sample};
use std::collections::BTreeMap;

/// The name of each sample's way of being asked: the layout and, where a layout comes with several numbers of examples
/// for a task, `few` or `many` or the number between them.
pub fn variants(plan: &Plan) -> Vec<String> {
    let mut numbers: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for sample in &plan.samples {
        let known = numbers.entry((sample.task, sample.layout)).or_default();
        if let Err(place) = known.binary_search(&sample.examples) {
            known.insert(place, sample.examples);
        }
    }
    let is_several: Vec<bool> = (0..plan.layouts.len())
        .map(|layout| numbers.iter().any(|((_, other), known)| *other == layout && known.len() > 1))
        .collect();
    let name = |sample: &Sample| {
        let layout = &plan.layouts[sample.layout];
        let known = &numbers[&(sample.task, sample.layout)];
        match () {
            () if !is_several[sample.layout] => layout.clone(),
            () if sample.examples == known[0] => format!("{layout} few"),
            () if Some(&sample.examples) == known.last() => format!("{layout} many"),
            () => format!("{layout} {}", sample.examples),
        }
    };
    plan.samples.iter().map(name).collect()
}

/// One way of asking.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub layout: String,
    pub decoding: String,
    pub draw: usize,
}

impl Way {
    /// Its name among the results of a run.
    pub(crate) fn name(&self) -> String {
        let Way { layout, decoding, draw } = self;
        if *draw == 0 { format!("{layout}, {decoding}") } else { format!("{layout}, {decoding} {draw}") }
    }
}

/// The samples that were asked in each way.
pub(crate) fn ways(plan: &Plan) -> BTreeMap<Way, Vec<usize>> {
    grouped(plan, |sample, layout, decoding| Way { layout, decoding, draw: sample.draw })
}

/// The samples of each task, layout and decoding.
pub(crate) fn by_task(plan: &Plan) -> BTreeMap<(usize, String, String), Vec<usize>> {
    grouped(plan, |sample, layout, decoding| (sample.task, layout, decoding))
}

fn grouped<K: Ord>(plan: &Plan, key: impl Fn(&Sample, String, String) -> K) -> BTreeMap<K, Vec<usize>> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (number, (sample, layout)) in plan.samples.iter().zip(variants(plan)).enumerate() {
        let decoding = plan.decodings[sample.decoding].name.clone();
        groups.entry(key(sample, layout, decoding)).or_default().push(number);
    }
    groups
}
