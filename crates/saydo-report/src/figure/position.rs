//! Success by the place that is asked for: the nth word, the nth character.

use super::{Figure, mean};
use crate::Run;
use crate::chart::{Chart, Series};
use crate::number::count;
use saydo_protocol::Protocol;
use saydo_task::turking::{Ask, Instruction};
use std::collections::{BTreeMap, BTreeSet};

/// Places that share a bar.
const STEP: usize = 4;

/// The scores at each range of places.
type Places = BTreeMap<usize, Vec<f64>>;

pub(super) fn figures(runs: &[Run], seed: u64) -> Vec<Figure> {
    if runs.first().is_none_or(|run| run.scores.protocol != Protocol::Turking) {
        return Vec::new();
    }
    let word = |ask: Ask| if let Ask::NthWord(n) = ask { Some(n) } else { None };
    let character = |ask: Ask| if let Ask::NthCharacter(n) = ask { Some(n) } else { None };
    [figure(runs, "word", word, seed), figure(runs, "character", character, seed)].into_iter().flatten().collect()
}

fn figure(runs: &[Run], what: &str, place: impl Fn(Ask) -> Option<usize>, seed: u64) -> Option<Figure> {
    let all: Vec<Places> = runs.iter().map(|run| places(run, &place)).collect();
    let bins: BTreeSet<usize> = all.iter().flat_map(|places| places.keys().copied()).collect();
    if bins.len() < 2 {
        return None;
    }
    let group = |bin: &usize| {
        let inside: usize = all.iter().filter_map(|places| places.get(bin)).map(Vec::len).sum();
        format!("{}-{} (n {})", bin * STEP + 1, (bin + 1) * STEP, count(inside))
    };
    let series = |(run, places): (&Run, &Places)| Series {
        name: run.name.clone(),
        values: bins.iter().map(|bin| mean(places.get(bin).map_or(&[], Vec::as_slice), seed)).collect(),
    };
    Some(Figure {
        title: format!("accuracy by which {what} is asked for"),
        note: "Over all decodings; n: samples. Whiskers: 95% over samples.".to_owned(),
        chart: Chart::Bars {
            groups: bins.iter().map(group).collect(),
            series: runs.iter().zip(&all).map(series).collect(),
            measure: "accuracy".to_owned(),
        },
    })
}

fn places(run: &Run, place: impl Fn(Ask) -> Option<usize>) -> Places {
    let plan = &run.opened.plan;
    let mut places = Places::new();
    for (sample, scored) in plan.samples.iter().zip(&run.scores.samples) {
        let input = &plan.tasks[sample.task].instances[sample.instance].input;
        let asked = Instruction::parse(input).and_then(|instruction| place(instruction.ask));
        if let (Some(n), Some(score)) = (asked, scored.metrics.first().copied().flatten()) {
            places.entry(n.saturating_sub(1) / STEP).or_default().push(score);
        }
    }
    places
}
