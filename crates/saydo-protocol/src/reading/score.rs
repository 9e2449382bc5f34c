//! Questions over texts: each source by its own rules, with intervals, and how much the confidence is worth.

use crate::Mode;
use crate::reading::calibration::{Calibration, calibration};
use crate::reading::generalization::{self, TypeScores};
use crate::reading::{classes, ranking, set, squad};
use crate::score::row::TaskValue;
use crate::score::{Detail, Options, SampleScore, Scored, indicator};
use crate::zest::{Buckets, Repairs, Scorer};
use crate::{GoldInstance, GoldTask, Plan, measure};
use saydo_corpus::{Cell, Status};
use saydo_function::Graded;
use saydo_metrics::bootstrap::{RESAMPLES, interval_of};
use saydo_metrics::token_f1::token_f1;
use saydo_task::gold::Gold;
use saydo_task::reading::{ANSWERED, NA, Style};
use saydo_task::{AnswerKind, Field, FieldKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// The label of spans that show an answer rather than being part of it.
const EVIDENCE: &str = "evidence";

/// What a source reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceScores {
    /// Its name.
    pub source: String,
    /// How it is scored.
    pub style: Style,
    /// How many questions or tasks.
    pub tasks: usize,
    /// How many rows.
    pub rows: usize,
    /// Its metrics, the headline first.
    pub metrics: Vec<Metric>,
    /// ZEST's types of generalization with their consistency, for sources of tasks that have types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeScores>,
    /// The share of tasks that reach each F1, for sources of tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub competence: Vec<Competence>,
    /// Confidence against right answers; none if no answer says how sure it is.
    pub calibration: Option<Calibration>,
}

/// One number with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metric {
    /// What it is.
    pub name: String,
    /// From 0 to 1.
    pub value: f64,
    /// Its 95% interval: over tasks for task F1, over rows otherwise.
    pub interval: Option<[f64; 2]>,
    /// How many tasks or rows are behind it.
    pub count: usize,
}

/// ZEST's competence at one threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Competence {
    /// The F1 that a task must reach, in percent.
    pub threshold: u32,
    /// The share of tasks that do.
    pub share: f64,
}

impl SourceScores {
    /// The metric of this name.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }
}

pub(crate) fn score(plan: &Plan, cells: &[Option<Cell>], samples: &mut [SampleScore], options: &Options) -> Scored {
    let mut sources: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, sample) in plan.samples.iter().enumerate() {
        let name = plan.tasks[sample.task].dataset.clone().unwrap_or_default();
        match sources.iter_mut().find(|(known, _)| *known == name) {
            Some((_, numbers)) => numbers.push(number),
            None => sources.push((name, vec![number])),
        }
    }
    let (mut values, mut detail, mut is_repaired) = (Vec::new(), Vec::new(), false);
    for (name, numbers) in sources {
        let rows: Vec<Row<'_>> =
            numbers.iter().map(|number| Row::new(plan, *number, cells[*number].as_ref(), options)).collect();
        for (number, row) in numbers.iter().zip(&rows) {
            samples[*number].metrics = vec![Some(row.score), Some(indicator(row.is_right))];
        }
        is_repaired |= rows.iter().any(|row| row.is_repaired);
        let (scores, tasks) = source(name, &rows, options.seed);
        for (task, f1) in tasks {
            let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.number == task).collect();
            let drawn_f1 = |drawn: &[usize]| task_f1(&drawn.iter().map(|i| own[*i]).collect::<Vec<_>>());
            let interval = measure::over(own.len(), options.seed, drawn_f1).map(|it| it.interval);
            let (layout, decoding) = (plan.layouts[0].clone(), plan.decodings[0].name.clone());
            values.push(TaskValue { task, layout, decoding, metric: "f1", value: f1, interval });
        }
        detail.push(scores);
    }
    Scored { values, is_repaired, ..Scored::new(Detail::Reading(detail)) }
}

/// The answers that say how sure they are, with whether they are right.
pub fn graded(plan: &Plan, cells: &[Option<Cell>], options: &Options) -> Vec<Graded> {
    let rows = cells.iter().enumerate().map(|(number, cell)| Row::new(plan, number, cell.as_ref(), options));
    let graded = |row: Row<'_>| {
        let (confidence, is_na) = (row.confidence?, row.given == Some(Gold::Na));
        Some(Graded { kind: row.kind, is_na, confidence, is_right: row.is_right })
    };
    rows.filter_map(graded).collect()
}

/// A row with what was said.
struct Row<'a> {
    number: usize,
    task: &'a GoldTask,
    instance: &'a GoldInstance,
    style: Style,
    kind: AnswerKind,
    /// None if the row failed, which is wrong and not NA.
    given: Option<Gold>,
    gold: Gold,
    /// From 0 to 1.
    score: f64,
    is_right: bool,
    /// ZEST's buckets, for alternatives.
    buckets: Buckets,
    /// Whether the reference program would have stopped at it.
    is_repaired: bool,
    confidence: Option<f64>,
    evidence: Vec<&'a str>,
}

impl<'a> Row<'a> {
    fn new(plan: &'a Plan, number: usize, cell: Option<&'a Cell>, options: &Options) -> Self {
        let sample = &plan.samples[number];
        let task = &plan.tasks[sample.task];
        let instance = &task.instances[sample.instance];
        let kind = kind(task);
        let given = cell.and_then(|cell| given(cell, &kind));
        let first = instance.gold.first().map(String::as_str).unwrap_or(NA);
        let mut row = Row {
            number: sample.task,
            task,
            instance,
            style: task.style.unwrap_or(Style::Alternatives),
            gold: Gold::parse(first, &kind),
            kind,
            given,
            score: 0.0,
            is_right: false,
            buckets: Buckets::default(),
            is_repaired: false,
            confidence: cell
                .filter(|cell| matches!(cell.status, Status::Ok | Status::Na))
                .and_then(|cell| cell.confidence),
            evidence: cell.into_iter().flat_map(evidence).collect(),
        };
        (row.score, row.is_right) = row.scored(options.mode);
        row
    }

    fn scored(&mut self, mode: Mode) -> (f64, bool) {
        let whole = |score: f64| (score, score >= 1.0 - 1e-9);
        match self.style {
            Style::Set => {
                whole(self.given.as_ref().map_or(0.0, |given| set::match_score(&self.kind, given, &self.gold)))
            }
            Style::Alternatives => {
                let said = self.given.as_ref().map(|given| text(given, "|"));
                let scored = |mode| Scorer::new(Repairs::from(mode)).score_texts(&self.instance.gold, said.as_deref());
                // What the reference program would stop at is scored with its quirks repaired.
                let first = scored(mode);
                self.is_repaired = first.is_err();
                match first.or_else(|_| scored(Mode::Fixed)) {
                    Ok(scored) => {
                        self.buckets = scored.buckets;
                        whole(scored.score.max(0.0))
                    }
                    Err(_) => {
                        self.buckets.add(0.0, self.is_na(), self.gold == Gold::Na);
                        (0.0, false)
                    }
                }
            }
            Style::Squad => {
                let scored = self.squad().scored();
                (scored.f1, scored.exact > 0.5)
            }
            Style::Labels | Style::Answerable => whole(indicator(Some(self.gold_label()) == self.given_label())),
        }
    }

    fn squad_gold(&self) -> Vec<String> {
        if self.instance.gold == [NA] { Vec::new() } else { self.instance.gold.clone() }
    }

    /// Whether NA was said.
    fn is_na(&self) -> bool {
        self.given == Some(Gold::Na)
    }

    /// What was said as SQuAD writes it: empty for NA; none if the row failed.
    fn prediction(&self) -> Option<String> {
        self.given.as_ref().map(|given| if *given == Gold::Na { String::new() } else { text(given, " ") })
    }

    fn gold_label(&self) -> String {
        self.instance.gold.first().cloned().unwrap_or_default()
    }

    fn given_label(&self) -> Option<String> {
        self.given.as_ref().map(|given| match (given, self.style) {
            (Gold::Na, _) => NA.to_owned(),
            (_, Style::Answerable) => ANSWERED.to_owned(),
            (given, _) => text(given, " ").to_lowercase(),
        })
    }

    fn is_answerable(&self) -> bool {
        self.instance.gold != [NA] && self.gold != Gold::Na
    }

    /// How likely the model holds it that the text has no answer.
    fn na_probability(&self) -> Option<f64> {
        let confidence = self.confidence?;
        Some(if self.is_na() { confidence } else { 1.0 - confidence })
    }

    fn squad(&self) -> squad::Row {
        squad::Row { gold: self.squad_gold(), prediction: self.prediction(), na_probability: self.na_probability() }
    }

    /// F1 of the evidence; none if there is no gold, or none was given.
    fn evidence_f1(&self) -> Option<f64> {
        let gold = self.instance.evidence.as_ref().filter(|_| !self.is_na())?;
        (!self.evidence.is_empty()).then(|| token_f1(&self.evidence.join(" "), gold))
    }
}

/// The kind of answer as far as scoring needs it.
fn kind(task: &GoldTask) -> AnswerKind {
    let field = |(name, kind): &(String, String)| Field {
        name: name.clone(),
        kind: FieldKind::named(kind).unwrap_or(FieldKind::Text),
    };
    match task.kind.as_deref() {
        Some("yes-no") => AnswerKind::YesNo,
        Some("label") => AnswerKind::Label(Vec::new()),
        Some("spans") => AnswerKind::Spans,
        Some("records") => AnswerKind::Records(task.fields.iter().map(field).collect()),
        _ => AnswerKind::Text,
    }
}

/// What was said; none if the row failed.
fn given(cell: &Cell, kind: &AnswerKind) -> Option<Gold> {
    match (cell.status, &cell.answer) {
        (Status::Na, _) => Some(Gold::Na),
        (Status::Ok, serde_json::Value::String(text)) => Some(Gold::parse(text, kind)),
        (Status::Ok, answer) => Some(Gold::from_json(answer)),
        (Status::Failed | Status::Unparsable, _) => None,
    }
}

fn text(gold: &Gold, separator: &str) -> String {
    match gold {
        Gold::Spans(spans) => spans.join(separator),
        Gold::Records(records) => {
            let value =
                |value: &Option<String>| serde_json::Value::from(value.clone().unwrap_or_else(|| NA.to_owned()));
            let fields = |record: &Vec<(String, Option<String>)>| {
                record.iter().map(|(name, field)| (name.clone(), value(field))).collect::<serde_json::Map<_, _>>()
            };
            serde_json::Value::Array(records.iter().map(|record| fields(record).into()).collect()).to_string()
        }
        Gold::Na | Gold::Text(_) => gold.to_output(),
    }
}

fn evidence(cell: &Cell) -> impl Iterator<Item = &str> {
    cell.spans.iter().filter(|span| span.label.as_deref() == Some(EVIDENCE)).map(|span| span.text.as_str())
}

/// The numbers of a source, and the F1 of each of its tasks where tasks have one.
fn source(name: String, rows: &[Row<'_>], seed: u64) -> (SourceScores, Vec<(usize, f64)>) {
    let style = rows[0].style;
    let mut metrics = Metrics { seed, list: Vec::new() };
    let tasks: Vec<Vec<&Row<'_>>> = grouped(rows, |row| row.number);
    let mut f1s: Vec<(usize, f64)> = Vec::new();
    match style {
        Style::Set | Style::Alternatives => {
            f1s = tasks.iter().map(|rows| (rows[0].number, task_f1(rows))).collect();
            task_metrics(&mut metrics, &tasks, &f1s);
        }
        Style::Squad => squad_metrics(&mut metrics, rows),
        Style::Labels | Style::Answerable => label_metrics(&mut metrics, rows),
    }
    let evidence: Vec<f64> = rows.iter().filter_map(Row::evidence_f1).collect();
    metrics.mean("evidence F1", &evidence);
    let ranked: Vec<(f64, bool)> =
        rows.iter().filter_map(|row| Some((1.0 - row.na_probability()?, row.is_answerable()))).collect();
    metrics.over("AUC answerable", ranked.len(), |drawn| ranking::area_under_curve(&pick(&ranked, drawn)));
    let sure: Vec<(f64, bool)> = rows.iter().filter_map(|row| Some((row.confidence?, row.is_right))).collect();
    metrics.over("calibration error", sure.len(), |drawn| Some(calibration(&pick(&sure, drawn))?.error));
    let competence = |threshold: u32| {
        let reached = f1s.iter().filter(|(_, f1)| *f1 >= f64::from(threshold) / 100.0).count();
        Competence { threshold, share: reached as f64 / f1s.len() as f64 }
    };
    let typed: Vec<(&GoldTask, f64)> = tasks.iter().zip(&f1s).map(|(rows, (_, f1))| (rows[0].task, *f1)).collect();
    let thresholds = if f1s.is_empty() { 0..0 } else { 10..21 };
    let scores = SourceScores {
        source: name,
        style,
        tasks: tasks.len(),
        rows: rows.len(),
        metrics: metrics.list,
        types: generalization::by_type(&typed, seed),
        competence: thresholds.map(|step| competence(5 * step)).collect(),
        calibration: calibration(&sure),
    };
    (scores, f1s)
}

fn grouped<'r, 'a, K: Ord>(rows: &'r [Row<'a>], key: impl Fn(&Row<'a>) -> K) -> Vec<Vec<&'r Row<'a>>> {
    let mut groups: BTreeMap<K, Vec<&Row<'a>>> = BTreeMap::new();
    rows.iter().for_each(|row| groups.entry(key(row)).or_default().push(row));
    groups.into_values().collect()
}

fn task_f1(rows: &[&Row<'_>]) -> f64 {
    match rows[0].style {
        Style::Alternatives => {
            let mut all = Buckets::default();
            rows.iter().for_each(|row| all.extend(&row.buckets));
            all.f1()
        }
        _ => set::task_f1(&rows[0].kind, rows.iter().map(|row| (row.given.as_ref(), &row.gold))),
    }
}

fn task_metrics(metrics: &mut Metrics, tasks: &[Vec<&Row<'_>>], f1s: &[(usize, f64)]) {
    let all: Vec<f64> = f1s.iter().map(|(_, f1)| *f1).collect();
    metrics.mean("f1", &all);
    for (name, threshold) in [("C@75", 0.75), ("C@90", 0.9)] {
        let reached: Vec<f64> = all.iter().map(|f1| indicator(*f1 >= threshold)).collect();
        metrics.mean(name, &reached);
    }
    let groups: [fn(&GoldTask) -> Option<&str>; 3] =
        [|task| task.kind.as_deref(), |task| task.generalization.as_deref(), |task| task.domain.as_deref()];
    for name_of in groups {
        let mut parts: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (rows, f1) in tasks.iter().zip(&all) {
            if let Some(name) = name_of(rows[0].task) {
                parts.entry(name).or_default().push(*f1);
            }
        }
        for (name, f1s) in parts {
            metrics.mean(&format!("f1 {}", saydo_task::Generalization::from_key(name).name()), &f1s);
        }
    }
}

fn squad_metrics(metrics: &mut Metrics, rows: &[Row<'_>]) {
    let all: Vec<squad::ScoredRow> = rows.iter().map(|row| row.squad().scored()).collect();
    let scores = |drawn: &[usize]| squad::scores(&pick(&all, drawn));
    let n = all.len();
    metrics.over("f1", n, |drawn| Some(scores(drawn)?.all.f1));
    metrics.over("exact", n, |drawn| Some(scores(drawn)?.all.exact));
    if all.iter().any(|row| !row.has_answer) {
        metrics.over("HasAns f1", n, |drawn| Some(scores(drawn)?.has_answer?.f1));
        metrics.over("HasAns exact", n, |drawn| Some(scores(drawn)?.has_answer?.exact));
        metrics.over("NoAns", n, |drawn| Some(scores(drawn)?.no_answer?.f1));
        metrics.over("best f1", n, |drawn| Some(scores(drawn)?.best?.f1));
        metrics.over("best exact", n, |drawn| Some(scores(drawn)?.best?.exact));
    }
}

fn label_metrics(metrics: &mut Metrics, rows: &[Row<'_>]) {
    let labels: Vec<(String, Option<String>)> = rows.iter().map(|row| (row.gold_label(), row.given_label())).collect();
    let found =
        |drawn: &[usize]| classes::classes(drawn.iter().map(|i| (labels[*i].0.as_str(), labels[*i].1.as_deref())));
    metrics.over("accuracy", labels.len(), |drawn| Some(found(drawn)?.accuracy));
    metrics.over("balanced accuracy", labels.len(), |drawn| Some(found(drawn)?.balanced_accuracy));
    let every: Vec<usize> = (0..labels.len()).collect();
    let names: Vec<String> = found(&every).into_iter().flat_map(|classes| classes.labels.into_keys()).collect();
    for name in names {
        metrics.over(&format!("recall {name}"), labels.len(), |drawn| Some(found(drawn)?.labels.get(&name)?.1));
    }
}

fn pick<T: Clone>(items: &[T], drawn: &[usize]) -> Vec<T> {
    drawn.iter().map(|i| items[*i].clone()).collect()
}

/// Metrics in the making.
struct Metrics {
    seed: u64,
    list: Vec<Metric>,
}

impl Metrics {
    /// Adds a statistic of `n` items with its interval; nothing if it has no value.
    fn over(&mut self, name: &str, n: usize, statistic: impl Fn(&[usize]) -> Option<f64>) {
        let every: Vec<usize> = (0..n).collect();
        let Some(value) = statistic(&every).filter(|_| n > 0) else { return };
        // A resample without any item of some kind has no value of its own.
        let interval = interval_of(n, RESAMPLES, self.seed, |drawn| statistic(drawn).unwrap_or(value));
        let interval = interval.map(|interval| [interval.low, interval.high]);
        self.list.push(Metric { name: name.to_owned(), value, interval, count: n });
    }

    fn mean(&mut self, name: &str, values: &[f64]) {
        self.over(name, values.len(), |drawn| {
            (!drawn.is_empty()).then(|| drawn.iter().map(|i| values[*i]).sum::<f64>() / drawn.len() as f64)
        });
    }
}
