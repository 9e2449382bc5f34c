//! The ways a task was asked: its layout, with few or many examples.

use crate::Plan;
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
    let name = |sample: &crate::Sample| {
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
