//! Scores by the length of the input, in bins with about as many inputs each (the Turking Test's Figure 6).

use super::{Figure, mean, measure};
use crate::Run;
use crate::chart::{Chart, Series};
use crate::number::count;
use saydo_protocol::Protocol;
use saydo_task::turking::Instruction;

/// The most bins.
const BINS: usize = 8;

/// Samples that are drawn as one series: the length of each one's input, with its score.
struct Group {
    name: String,
    scored: Vec<(usize, f64)>,
}

pub(super) fn figure(runs: &[Run], seed: u64) -> Option<Figure> {
    let first = runs.first()?;
    let groups = groups(runs);
    let bins = bins(groups.iter().flat_map(|group| &group.scored).map(|(words, _)| *words).collect(), BINS);
    if bins.len() < 2 {
        return None;
    }
    let label = |bin: &[usize; 2]| {
        let inside: usize = groups.iter().map(|group| group.within(*bin).len()).sum();
        let [low, high] = bin;
        let words = if low == high { low.to_string() } else { format!("{low}-{high}") };
        format!("{words} (n {})", count(inside))
    };
    let series = |group: &Group| Series {
        name: group.name.clone(),
        values: bins.iter().map(|bin| mean(&group.within(*bin), seed)).collect(),
    };
    Some(Figure {
        title: format!("{} by length of the input in words", measure(first)),
        note: "Over all ways of asking; n: samples. Whiskers: 95% over samples.".to_owned(),
        chart: Chart::Bars {
            groups: bins.iter().map(label).collect(),
            series: groups.iter().map(series).collect(),
            measure: measure(first).to_owned(),
        },
    })
}

impl Group {
    fn within(&self, [low, high]: [usize; 2]) -> Vec<f64> {
        self.scored.iter().filter(|(words, _)| (low..=high).contains(words)).map(|(_, score)| *score).collect()
    }
}

/// The samples of each run; of a single run of the Turking Test, those of each task, which have little in common.
fn groups(runs: &[Run]) -> Vec<Group> {
    let mut groups: Vec<Group> = match runs {
        [run] if run.scores.protocol == Protocol::Turking => {
            let tasks = run.opened.plan.tasks.iter().enumerate();
            tasks
                .map(|(number, task)| Group { name: task.id.clone(), scored: scored(run, |task| task == number) })
                .collect()
        }
        runs => runs.iter().map(|run| Group { name: run.name.clone(), scored: scored(run, |_| true) }).collect(),
    };
    groups.retain(|group| !group.scored.is_empty());
    groups
}

fn scored(run: &Run, keeps: impl Fn(usize) -> bool) -> Vec<(usize, f64)> {
    let plan = &run.opened.plan;
    let pair = |(sample, scored): (&saydo_protocol::Sample, &saydo_protocol::score::SampleScore)| {
        let input = &plan.tasks[sample.task].instances[sample.instance].input;
        Some((words(plan.protocol, input), scored.metrics.first().copied().flatten()?))
    };
    let samples = plan.samples.iter().zip(&run.scores.samples);
    samples.filter(|(sample, _)| keeps(sample.task)).filter_map(pair).collect()
}

/// Words of the text that is asked about: of an instruction of the Turking Test, those of its resource.
fn words(protocol: Protocol, input: &str) -> usize {
    let resource = match protocol {
        Protocol::Turking => Instruction::parse(input).map(|instruction| instruction.resource),
        _ => None,
    };
    resource.as_deref().unwrap_or(input).split_whitespace().count()
}

/// Ranges of lengths with about as many values each; no length is in two of them.
fn bins(mut lengths: Vec<usize>, most: usize) -> Vec<[usize; 2]> {
    lengths.sort_unstable();
    let mut bins: Vec<[usize; 2]> = Vec::new();
    let mut begin = 0;
    for bin in 1..=most {
        let end = lengths.len() * bin / most;
        if end <= begin {
            continue;
        }
        let last = lengths[end - 1];
        let end = lengths.partition_point(|length| *length <= last);
        bins.push([lengths[begin], last]);
        begin = end;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_about_as_many_each_and_share_no_length() {
        assert_eq!(bins(vec![1, 2, 3, 4, 5, 6], 3), [[1, 2], [3, 4], [5, 6]]);
        assert_eq!(bins(vec![4, 4, 4, 4, 9], 3), [[4, 4], [9, 9]]);
        assert_eq!(bins(Vec::new(), 3), Vec::<[usize; 2]>::new());
    }

    #[test]
    fn an_instruction_is_as_long_as_its_sentence() {
        let input = "Write the second word from the sentence \"It rained.\".";
        assert_eq!((words(Protocol::Turking, input), words(Protocol::Zest, "It rained.")), (2, 2));
    }
}
