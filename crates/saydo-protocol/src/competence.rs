//! Which tasks a model can do, whatever the protocol (ZEST, section 2.3).
//!
//! A model is competent at a task if the task's metric μ reaches a level c. A task may state both; otherwise μ is the
//! protocol's metric and c one level for all. C is the share of tasks at which the model is competent, and C@T that share if
//! every task had the level T. Each task counts by itself here: ZEST's own tables pair paraphrases and flips with their base.

use crate::measure::{self, Measured, Row};
use crate::score::row::TaskValue;
use crate::score::{SampleScore, by_task};
use crate::super_natural_instructions::{HEADLINE, Metric as SniMetric};
use crate::table::{Table, percent, range};
use crate::{GoldTask, Plan, Protocol};
use saydo_metrics::bootstrap::mean_interval;
use saydo_task::Metric;
use serde::Serialize;
use std::collections::BTreeMap;

/// The level of tasks that state none, unless another is asked for.
pub const LEVEL: f64 = 0.75;
/// The levels that tables show.
pub const LEVELS: [f64; 3] = [0.5, 0.75, 0.9];
/// The levels of the curve lie this far apart.
const STEPS: usize = 20;

/// Competence under each way of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Competence {
    /// The level of tasks that state none.
    pub level: f64,
    /// The ways of asking, by layout and decoding.
    pub ways: Vec<WayCompetence>,
}

/// Competence at tasks that were asked in one way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WayCompetence {
    /// The layout, with few or many examples where both were run.
    pub layout: String,
    /// The decoding.
    pub decoding: String,
    /// C: the share of tasks whose metric reaches their level.
    pub competent: Share,
    /// How many tasks state a level of their own.
    pub own_levels: usize,
    /// C@T at each of [`LEVELS`] and at the level asked for.
    pub at: Vec<Point>,
    /// C@T from 0 to 1.
    pub curve: Vec<Point>,
    /// The tasks.
    pub tasks: Vec<TaskCompetence>,
}

/// A share of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// How many tasks.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The share.
    pub share: f64,
    /// Its 95% interval over other tasks.
    pub interval: [f64; 2],
}

/// C@T at one level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The level T.
    pub level: f64,
    /// The share of tasks that reach it.
    #[serde(flatten)]
    pub share: Share,
}

/// Whether the model can do one task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskCompetence {
    /// The task.
    pub task: String,
    /// The metric μ.
    pub metric: String,
    /// Its value.
    pub value: f64,
    /// Its 95% interval over other instances.
    pub interval: [f64; 2],
    /// How many instances.
    pub instances: usize,
    /// The level c.
    pub level: f64,
    /// Whether the value reaches the level.
    pub is_competent: bool,
    /// Whether the whole interval lies on the same side of the level as the value.
    pub is_certain: bool,
}

impl TaskCompetence {
    /// Judges a measured value by a level.
    pub fn new(task: &str, metric: &str, measured: Measured, level: f64) -> Self {
        let Measured { value, interval: [low, high], rows } = measured;
        let is_competent = value >= level;
        Self {
            task: task.to_owned(),
            metric: metric.to_owned(),
            value,
            interval: [low, high],
            instances: rows,
            level,
            is_competent,
            is_certain: if is_competent { low >= level } else { high < level },
        }
    }

    /// The same value judged by another level.
    pub fn at(&self, level: f64) -> Self {
        let measured = Measured { value: self.value, interval: self.interval, rows: self.instances };
        Self::new(&self.task, &self.metric, measured, level)
    }

    /// The verdict in words.
    pub fn verdict(&self) -> &'static str {
        match (self.is_competent, self.is_certain) {
            (true, true) => "yes",
            (true, false) => "yes, uncertain",
            (false, true) => "no",
            (false, false) => "no, uncertain",
        }
    }
}

impl Share {
    /// The share of tasks for which something is so; none of no tasks.
    pub fn of(is_so: &[bool], seed: u64) -> Option<Self> {
        let values: Vec<f64> = is_so.iter().map(|is_so| crate::score::indicator(*is_so)).collect();
        let interval = mean_interval(&values, seed)?;
        let count = is_so.iter().filter(|is_so| **is_so).count();
        let share = count as f64 / values.len() as f64;
        Some(Self { count, of: values.len(), share, interval: [interval.low, interval.high] })
    }
}

impl WayCompetence {
    /// Competence at these tasks; none for no tasks. `level` is that of tasks without one, and is among [`Self::at`].
    pub fn of(way: [&str; 2], tasks: Vec<TaskCompetence>, own_levels: usize, level: f64, seed: u64) -> Option<Self> {
        let point = |level: f64| {
            let reached: Vec<bool> = tasks.iter().map(|task| task.value >= level).collect();
            Some(Point { level, share: Share::of(&reached, seed)? })
        };
        let mut levels = LEVELS.to_vec();
        if !levels.contains(&level) {
            levels.push(level);
            levels.sort_by(f64::total_cmp);
        }
        let competent: Vec<bool> = tasks.iter().map(|task| task.is_competent).collect();
        Some(Self {
            layout: way[0].to_owned(),
            decoding: way[1].to_owned(),
            competent: Share::of(&competent, seed)?,
            own_levels,
            at: levels.into_iter().filter_map(point).collect(),
            curve: (0..=STEPS).filter_map(|step| point(step as f64 / STEPS as f64)).collect(),
            tasks,
        })
    }
}

/// Competence of a scored run. `values` are those tasks' values that are no mean of their samples.
pub(crate) fn competence(
    plan: &Plan,
    samples: &[SampleScore],
    values: &[TaskValue],
    (level, seed): (f64, u64),
) -> Competence {
    let mut ways: BTreeMap<(String, String), Vec<(usize, TaskCompetence)>> = BTreeMap::new();
    for ((task, layout, decoding), numbers) in by_task(plan) {
        let gold = &plan.tasks[task];
        let metric = gold.metric.as_deref().and_then(Metric::named);
        let found = match metric {
            Some(metric) => own(plan, samples, &numbers, metric, seed).map(|measured| (metric.name(), measured)),
            None => {
                let is_it =
                    |value: &&TaskValue| value.task == task && value.layout == layout && value.decoding == decoding;
                let given =
                    values.iter().find(is_it).and_then(|value| Some((value.metric, value.interval?, value.value)));
                match given {
                    Some((metric, interval, value)) => {
                        Some((metric, Measured { value, interval, rows: numbers.len() }))
                    }
                    None => protocols(plan, samples, &numbers, seed),
                }
            }
        };
        if let Some((metric, measured)) = found {
            let judged = TaskCompetence::new(&gold.id, metric, measured, gold.competent_at.unwrap_or(level));
            ways.entry((layout, decoding)).or_default().push((task, judged));
        }
    }
    let way = |((layout, decoding), tasks): ((String, String), Vec<(usize, TaskCompetence)>)| {
        let own_levels = tasks.iter().filter(|(task, _)| plan.tasks[*task].competent_at.is_some()).count();
        let tasks = tasks.into_iter().map(|(_, task)| task).collect();
        WayCompetence::of([&layout, &decoding], tasks, own_levels, level, seed)
    };
    Competence { level, ways: ways.into_iter().filter_map(way).collect() }
}

/// A task's own metric on its samples.
fn own(plan: &Plan, samples: &[SampleScore], numbers: &[usize], metric: Metric, seed: u64) -> Option<Measured> {
    let row = |number: &usize| -> Row<'_> {
        (&plan.instance(&plan.samples[*number]).gold, samples[*number].reply.as_deref())
    };
    let rows: Vec<Row<'_>> = numbers.iter().map(row).filter(|(gold, _)| !gold.is_empty()).collect();
    measure::measure(metric, &rows, seed)
}

/// The protocol's metric: the mean over instances, an instance with several draws counting by their mean.
fn protocols(plan: &Plan, samples: &[SampleScore], numbers: &[usize], seed: u64) -> Option<(&'static str, Measured)> {
    let task = &plan.tasks[plan.samples[*numbers.first()?].task];
    let place = place(plan.protocol, task);
    let mut instances: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for number in numbers {
        if let Some(value) = samples[*number].metrics.get(place).copied().flatten() {
            let (sum, count) = instances.entry(plan.samples[*number].instance).or_default();
            *sum += value;
            *count += 1.0;
        }
    }
    let values: Vec<f64> = instances.values().map(|(sum, count)| sum / count).collect();
    Some((plan.protocol.metrics()[place], measure::mean(&values, seed)?))
}

/// Which of a protocol's metrics counts: the first, or the one that the paper chose for the task's category.
fn place(protocol: Protocol, task: &GoldTask) -> usize {
    let key = |category: &str| category.to_lowercase().replace([' ', '-'], "_");
    let category = task.category.as_deref().map(key);
    let chosen = HEADLINE.iter().find(|(name, _)| Some(*name) == category.as_deref());
    let is_exact = protocol == Protocol::SuperNaturalInstructions
        && chosen.is_some_and(|(_, metric)| *metric == SniMetric::ExactMatch);
    usize::from(is_exact)
}

/// The tables: C and C@T for each way of asking, and each task with its verdict.
pub(crate) fn tables(competence: &Competence) -> Vec<Table> {
    let Some(first) = competence.ways.first() else { return Vec::new() };
    let levels: Vec<String> = first.at.iter().map(|point| format!("C@{}", named(point.level))).collect();
    let header = ["layout", "decoding", "tasks", "competent", "C", "95%"].into_iter();
    let header: Vec<&str> = header.chain(levels.iter().flat_map(|level| [level.as_str(), "95%"])).collect();
    let note = format!(
        "C: tasks whose metric reaches their level: their own, or {}. C@T: tasks whose metric reaches T. Each task counts by \
         itself.",
        named(competence.level)
    );
    let mut shares = Table::new("competence over all tasks", &header).with_note(&note);
    let header = ["task", "layout", "decoding", "n", "metric", "value", "95%", "level", "competent"];
    let mut tasks = Table::new("can the model do it", &header)
        .with_note("Uncertain: the interval holds the level, so more instances could turn the verdict.");
    for way in &competence.ways {
        let share = way.competent;
        let cells = [way.layout.clone(), way.decoding.clone(), share.of.to_string(), share.count.to_string()];
        let at = way.at.iter().flat_map(|point| share_cells(point.share));
        shares.row(cells.into_iter().chain(share_cells(share)).chain(at));
        for task in &way.tasks {
            tasks.row([
                task.task.clone(),
                way.layout.clone(),
                way.decoding.clone(),
                task.instances.to_string(),
                task.metric.clone(),
                percent(task.value),
                range(Some(task.interval)),
                named(task.level),
                task.verdict().to_owned(),
            ]);
        }
    }
    vec![shares, tasks]
}

fn share_cells(share: Share) -> [String; 2] {
    [percent(share.share), range(Some(share.interval))]
}

/// A level in percent, without decimals it does not need.
pub fn named(level: f64) -> String {
    let percent = format!("{:.2}", 100.0 * level);
    percent.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(value: f64, interval: [f64; 2], level: f64) -> TaskCompetence {
        TaskCompetence::new("t", "f1", Measured { value, interval, rows: 8 }, level)
    }

    #[test]
    fn a_verdict_is_certain_if_the_whole_interval_is_on_its_side() {
        assert_eq!(task(0.8, [0.75, 0.9], 0.75).verdict(), "yes");
        assert_eq!(task(0.8, [0.6, 0.9], 0.75).verdict(), "yes, uncertain");
        assert_eq!(task(0.7, [0.6, 0.75], 0.75).verdict(), "no, uncertain");
        assert_eq!(task(0.2, [0.1, 0.3], 0.75).verdict(), "no");
    }

    #[test]
    fn each_task_has_its_own_level_and_the_curve_falls() {
        let tasks = vec![task(0.8, [0.8, 0.8], 0.9), task(0.6, [0.6, 0.6], 0.5), task(0.3, [0.3, 0.3], 0.62)];
        let way = WayCompetence::of(["l", "d"], tasks, 2, 0.62, 0).expect("there are tasks");
        assert_eq!((way.competent.count, way.competent.of), (1, 3));
        let at: Vec<_> = way.at.iter().map(|point| (named(point.level), point.share.count)).collect();
        assert_eq!(at, [("50".into(), 2), ("62".into(), 1), ("75".into(), 1), ("90".into(), 0)]);
        assert!(way.curve.windows(2).all(|pair| pair[0].share.share >= pair[1].share.share));
        assert_eq!((way.curve.len(), way.curve[0].share.share), (21, 1.0));
        assert!(WayCompetence::of(["l", "d"], Vec::new(), 0, 0.5, 0).is_none());
    }

    #[test]
    fn levels_are_written_without_needless_digits() {
        assert_eq!([0.75, 0.625, 0.9, 1.0, 0.0].map(named), ["75", "62.5", "90", "100", "0"]);
    }
}
