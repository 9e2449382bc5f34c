//! The verdict on labelled rows, before a description is applied to the rest.

use super::labelled::{Recorder, has_learned};
use super::{Watch, note};
use crate::scorer::{Score, Scorer, scored};
use crate::task::Named;
use crate::{Error, Session};
use saydo_function::Function;
use saydo_protocol::competence::{LEVEL, TaskCompetence, WayCompetence};
use saydo_protocol::labelled::{Flips, LabelledRow, Verdict, answer_text, flips, verdict};
use saydo_protocol::measure::{self, Measured};
use saydo_protocol::table::SEEN;
use saydo_task::gold::Gold;
use saydo_task::{AnswerKind, Criterion, Instance, Metric, Task};
use serde_json::{Value, json};
use std::sync::Arc;

/// What is checked, and how.
#[derive(Clone)]
pub struct Settings {
    /// The tasks. With `rows`, all of them are wordings of one task; without, each is checked on its own instances.
    pub tasks: Vec<Named>,
    /// Further wordings, to see how often answers flip. Default: none.
    pub paraphrases: Vec<Named>,
    /// Labelled rows. Default: the tasks' own instances.
    pub rows: Option<Vec<LabelledRow>>,
    /// Max rows of each task. Default: all.
    pub limit: Option<usize>,
    /// The level, from 0 to 1, that every task must reach in its metric. Default: the one that its file states, if any.
    pub threshold: Option<f64>,
    /// Metrics beside F1 and accuracy. Default: none.
    pub scorers: Vec<Arc<dyn Scorer>>,
    /// Whether rows that the model was trained on are scored, too; the result is marked. Default: that is an error.
    pub allow_seen: bool,
    /// Where answers are recorded and found again. Default: nowhere.
    pub recorder: Recorder,
    /// The seed of the intervals. Default: 0.
    pub seed: u64,
}

/// A row's gold outputs, any of which is right, and what was answered.
type GoldAndGiven = (Vec<String>, Option<String>);

impl Settings {
    /// The defaults, for a task in plain words or a task file.
    pub fn new(task: &str) -> Result<Self, Error> {
        Ok(Self {
            tasks: crate::task::resolve(task)?,
            paraphrases: Vec::new(),
            rows: None,
            limit: None,
            threshold: None,
            scorers: Vec::new(),
            allow_seen: false,
            recorder: Recorder::default(),
            seed: 0,
        })
    }
}

/// What was found out.
#[derive(Debug, Clone)]
pub struct Report {
    /// The model, as it was named.
    pub model: String,
    /// The level that was asked of every task.
    pub threshold: Option<f64>,
    /// Each task's part; at least one.
    pub tasks: Vec<Checked>,
}

/// One task's part.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The title of the task, or what it asks.
    pub name: String,
    /// The kind of answer.
    pub kind: AnswerKind,
    /// The rows.
    pub rows: Vec<LabelledRow>,
    /// How the first wording did.
    pub verdict: Verdict,
    /// The task's metric against its level.
    pub competence: TaskCompetence,
    /// The level that the task must reach, if there is one.
    pub level: Option<f64>,
    /// How often answers change with the wording; none if there is one wording.
    pub flips: Option<Flips>,
    /// What further metrics say of the first wording.
    pub scores: Vec<Score>,
    /// The answers of each wording; none where there was none.
    pub given: Vec<Vec<Option<String>>>,
}

/// A check that is ready to go: what is wrong with tasks and rows is known, and no model was opened.
pub struct Check {
    settings: Settings,
    parts: Vec<Part>,
}

/// One task in one or several wordings, with the rows to try it on.
struct Part {
    name: String,
    wordings: Vec<Task>,
    rows: Vec<LabelledRow>,
}

/// Checks a task on labelled rows.
///
/// ```
/// use saydo::{LabelledRow, job::check};
///
/// let row = |text: &str, gold: &str| LabelledRow { id: text.into(), text: text.into(), gold: vec![gold.into()] };
/// let rows = vec![row("Leashed dogs are welcome.", "yes"), row("Dogs must stay at home.", "no")];
/// let settings = check::Settings { rows: Some(rows), ..check::Settings::new("Are dogs allowed?")? };
/// let report = saydo::check(&saydo::open("scripted")?, settings)?;
/// assert!((0.0..=1.0).contains(&report.mean_f1()));
/// # Ok::<(), saydo::Error>(())
/// ```
pub fn check(session: &Session, settings: Settings) -> Result<Report, Error> {
    Check::new(settings)?.run(session, &mut |_| {})
}

impl Check {
    /// Puts wordings and rows together.
    pub fn new(mut settings: Settings) -> Result<Self, Error> {
        let limit = settings.limit.unwrap_or(usize::MAX);
        let (tasks, paraphrases) = (std::mem::take(&mut settings.tasks), std::mem::take(&mut settings.paraphrases));
        let parts = match settings.rows.take() {
            Some(rows) => of_rows(tasks, paraphrases, rows.into_iter().take(limit).collect())?,
            None => of_instances(tasks, &paraphrases, limit)?,
        };
        Ok(Self { settings, parts })
    }

    /// Asks the model.
    pub fn run(mut self, session: &Session, watch: &mut Watch<'_>) -> Result<Report, Error> {
        for part in &mut self.parts {
            // Rows that the model was trained on tell nothing of others. Its task may well be one that it learned.
            if has_learned(&part.rows, &part.name, &session.seen, self.settings.allow_seen)? {
                part.name += SEEN;
            }
        }
        let mut tasks = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let (all, rows) = (self.parts.len(), part.rows.len());
            note(watch, &format!("task {} of {all}: {} ({rows} rows)", number + 1, part.name));
            tasks.push(part.checked(session, &self.settings, watch)?);
        }
        Ok(Report { model: session.name.clone(), threshold: self.settings.threshold, tasks })
    }
}

fn of_rows(tasks: Vec<Named>, paraphrases: Vec<Named>, rows: Vec<LabelledRow>) -> Result<Vec<Part>, Error> {
    if rows.is_empty() {
        return Err(Error::NoLabelledRows);
    }
    let mut all = tasks.into_iter().chain(paraphrases);
    let first = all.next().ok_or(Error::EmptyTask)?;
    let name = first.said();
    let wordings = [first.task].into_iter().chain(all.map(|named| named.task)).collect();
    Ok(vec![Part { name, wordings, rows }])
}

fn of_instances(tasks: Vec<Named>, paraphrases: &[Named], limit: usize) -> Result<Vec<Part>, Error> {
    let part = |named: Named| {
        let kind = named.task.answer.as_ref().map(|spec| &spec.kind);
        let rows = named.task.instances.iter().enumerate();
        let rows = rows.filter_map(|(number, instance)| labelled(number, instance, kind)).take(limit).collect();
        let name = named.said();
        let wordings = [named.task].into_iter().chain(paraphrases.iter().map(|other| other.task.clone())).collect();
        Part { name, wordings, rows }
    };
    let name = tasks.first().map(Named::said).unwrap_or_default();
    let mut parts: Vec<Part> = tasks.into_iter().map(part).collect();
    parts.retain(|part| !part.rows.is_empty());
    if parts.is_empty() {
        return Err(Error::NoInstances { task: name });
    }
    Ok(parts)
}

fn labelled(number: usize, instance: &Instance, kind: Option<&AnswerKind>) -> Option<LabelledRow> {
    // Where the kind is stated, an output can be a set.
    let json = |output: &String| match kind {
        Some(kind) => Gold::parse(output, kind).to_json(),
        None => output.as_str().into(),
    };
    let gold: Vec<String> = instance.outputs.iter().map(|output| answer_text(&json(output))).collect();
    let id = instance.id.clone().unwrap_or_else(|| format!("instance {}", number + 1));
    (!gold.is_empty()).then(|| LabelledRow { id, text: instance.input.clone(), gold })
}

impl Part {
    fn checked(&self, session: &Session, settings: &Settings, watch: &mut Watch<'_>) -> Result<Checked, Error> {
        let mut given = Vec::new();
        let mut kind = None;
        for wording in &self.wordings {
            let task = Task { instances: Vec::new(), ..wording.clone() };
            // Gold answers say what kind is meant, but the function must find it out as it would in a run.
            let function =
                Function::new(task, Arc::clone(&session.model), session.settings.clone()).map_err(Error::Function)?;
            kind.get_or_insert_with(|| function.spec().kind.clone());
            given.push(settings.recorder.answers(session, &function, &self.rows, watch)?);
        }
        let kind = kind.expect("a part has at least one wording");
        let rows: Vec<_> =
            self.rows.iter().zip(&given[0]).map(|(row, given)| (row.gold.clone(), given.clone())).collect();
        let verdict = verdict(&kind, &rows, settings.seed).expect("a part has at least one row");
        let scores = settings.scorers.iter().filter_map(|scorer| scored(&**scorer, &rows, settings.seed)).collect();
        let flips = flips(&given, settings.seed);
        let criterion = self.wordings[0].criterion;
        let level = settings.threshold.or(criterion.competent_at);
        let competence = self.competence(criterion, &kind, (&rows, &verdict), (level, settings.seed));
        let (name, labelled) = (self.name.clone(), self.rows.clone());
        Ok(Checked { name, kind, rows: labelled, verdict, competence, level, flips, scores, given })
    }

    /// The task's metric against its level: those of its file, or else F1 (ROUGE-L for free text) and the level given.
    fn competence(
        &self,
        criterion: Criterion,
        kind: &AnswerKind,
        (rows, verdict): (&[GoldAndGiven], &Verdict),
        (level, seed): (Option<f64>, u64),
    ) -> TaskCompetence {
        let (metric, measured) = match criterion.metric {
            Some(metric) => {
                let rows: Vec<measure::Row<'_>> =
                    rows.iter().map(|(gold, given)| (&gold[..], given.as_deref())).collect();
                (metric, measure::measure(metric, &rows, seed).expect("a part has at least one row"))
            }
            None => {
                let interval = [verdict.f1_interval.low, verdict.f1_interval.high];
                let metric = if *kind == AnswerKind::Text { Metric::RougeL } else { Metric::F1 };
                (metric, Measured { value: verdict.f1, interval, rows: rows.len() })
            }
        };
        TaskCompetence::new(&self.name, metric.name(), measured, level.unwrap_or(LEVEL))
    }
}

impl Report {
    /// The mean of the tasks' F1.
    pub fn mean_f1(&self) -> f64 {
        self.tasks.iter().map(|checked| checked.verdict.f1).sum::<f64>() / self.tasks.len() as f64
    }

    /// Which tasks the model can do.
    pub fn competence(&self) -> WayCompetence {
        let tasks: Vec<TaskCompetence> = self.tasks.iter().map(|checked| checked.competence.clone()).collect();
        let own = self.tasks.iter().filter(|checked| checked.level.is_some()).count();
        let level = self.threshold.unwrap_or(LEVEL);
        WayCompetence::of(["saydo", "constrained"], tasks, own, level, 0).expect("a report has at least one task")
    }

    /// Whether every task reaches the level it must reach.
    pub fn is_good_enough(&self) -> bool {
        self.tasks.iter().all(Checked::is_good_enough)
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        json!({
            "model": self.model,
            "mean_f1": self.mean_f1(),
            "competence": self.competence(),
            "threshold": self.threshold,
            "is_good_enough": self.is_good_enough(),
            "tasks": self.tasks.iter().map(Checked::json).collect::<Value>(),
        })
    }
}

impl Checked {
    /// Whether the task reaches the level it must reach, if there is one.
    pub fn is_good_enough(&self) -> bool {
        self.level.is_none() || self.competence.is_competent
    }

    fn json(&self) -> Value {
        let verdict = &self.verdict;
        let row = |(number, row): (usize, &LabelledRow)| {
            let given: Vec<&Option<String>> = self.given.iter().map(|wording| &wording[number]).collect();
            json!({"id": row.id, "gold": row.gold, "given": given, "score": verdict.rows[number].score})
        };
        let confusion = |one: &saydo_protocol::labelled::Confusion| json!([one.gold, one.given, one.count]);
        let mut json = json!({
            "task": self.name,
            "kind": self.kind.name(),
            "f1": verdict.f1,
            "f1_interval": [verdict.f1_interval.low, verdict.f1_interval.high],
            "accuracy": verdict.accuracy,
            "accuracy_interval": [verdict.accuracy_interval.low, verdict.accuracy_interval.high],
            "metric": self.competence.metric,
            "value": self.competence.value,
            "value_interval": self.competence.interval,
            "level": self.competence.level,
            "is_competent": self.competence.is_competent,
            "is_certain": self.competence.is_certain,
            "flip_rate": self.flips.as_ref().map(|flips| flips.rate),
            "confusions": verdict.confusions.iter().map(confusion).collect::<Value>(),
            "rows": self.rows.iter().enumerate().map(row).collect::<Value>(),
        });
        for score in &self.scores {
            json["scores"][&score.name] = json!({"mean": score.mean, "95%": [score.interval.low, score.interval.high]});
        }
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_the_rows_is_known_without_a_model() {
        let settings = Settings::new("Are dogs allowed?").unwrap();
        assert!(
            matches!(Check::new(settings.clone()), Err(Error::NoInstances { task }) if task == "Are dogs allowed?")
        );
        let empty = Settings { rows: Some(Vec::new()), ..settings };
        assert!(matches!(Check::new(empty), Err(Error::NoLabelledRows)));
    }
}
