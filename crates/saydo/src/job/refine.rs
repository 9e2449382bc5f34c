//! Other wordings of a task, the best chosen on one part of the labelled rows and reported on the other.

mod wording;

pub use wording::Wording;

use super::labelled::{Recorder, has_learned};
use super::{Watch, note};
use crate::task::Named;
use crate::{Error, Session};
use saydo_function::Function;
use saydo_protocol::labelled::{LabelledRow, Lead, Parts, Verdict, verdict};
use saydo_task::{AnswerKind, AnswerSpec, Task};
use serde_json::{Value, json};
use std::sync::Arc;
use wording::{by_model, by_rules, own};

/// Rows with fewer of which neither part says anything.
const MIN_ROWS: usize = 4;

/// What is refined, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The task.
    pub task: Named,
    /// Labelled rows; at least 4.
    pub rows: Vec<LabelledRow>,
    /// Wordings to try beside those of rules and of the task file. Default: none.
    pub wordings: Vec<String>,
    /// How many wordings the model writes. Default: 0.
    pub from_model: usize,
    /// Whether rows that the model was trained on are scored, too; the report says so. Default: that is an error.
    pub allow_seen: bool,
    /// Where answers are recorded and found again. Default: nowhere.
    pub recorder: Recorder,
    /// The seed of the two parts and of the intervals. Default: 0.
    pub seed: u64,
}

impl Settings {
    /// The defaults, for a task and labelled rows.
    pub fn new(task: Named, rows: Vec<LabelledRow>) -> Self {
        let (wordings, recorder) = (Vec::new(), Recorder::default());
        Self { task, rows, wordings, from_model: 0, allow_seen: false, recorder, seed: 0 }
    }
}

/// The result.
#[derive(Debug, Clone)]
pub struct Report {
    /// Every wording on the rows that one is chosen on; the original is the first.
    pub tried: Vec<Tried>,
    /// Which of them was chosen.
    pub chosen: usize,
    /// How many rows it was chosen on, and reported on.
    pub rows: [usize; 2],
    /// The original on the rows that nothing was chosen on.
    pub original: Verdict,
    /// The chosen wording on the same rows.
    pub refined: Verdict,
    /// How far it is ahead there.
    pub lead: Lead,
    /// Whether the model was trained on some of the rows.
    pub is_seen: bool,
    /// The task in the chosen wording.
    pub task: Task,
}

/// A wording and how it did on the rows that one is chosen on.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The wording.
    pub wording: Wording,
    /// How it did.
    pub verdict: Verdict,
}

/// Fails if there are too few rows. Worth knowing before a model is opened.
pub fn check_rows(rows: &[LabelledRow]) -> Result<(), Error> {
    match rows.len() {
        found if found < MIN_ROWS => Err(Error::TooFewRows { found, expected: MIN_ROWS }),
        _ => Ok(()),
    }
}

/// Tries wordings of a task, and compares the best with the original.
pub fn refine(session: &Session, settings: Settings, watch: &mut Watch<'_>) -> Result<Report, Error> {
    check_rows(&settings.rows)?;
    let is_seen = has_learned(&settings.rows, &settings.task.said(), &session.seen, settings.allow_seen)?;
    let refinement = Refinement::new(session, settings)?;
    let wordings = refinement.wordings()?;
    let mut tried = Vec::new();
    let all = wordings.len();
    for (number, wording) in wordings.into_iter().enumerate() {
        note(watch, &format!("wording {} of {all}: {}", number + 1, wording.text));
        let verdict = refinement.scored(&wording, &refinement.choose, watch)?;
        tried.push(Tried { wording, verdict });
    }
    // The first of the highest F1, so that the original wins a tie.
    let chosen =
        (0..all).fold(0, |best, next| if tried[next].verdict.f1 > tried[best].verdict.f1 { next } else { best });
    let original = refinement.scored(&tried[0].wording, &refinement.report, watch)?;
    let refined = refinement.scored(&tried[chosen].wording, &refinement.report, watch)?;
    let lead = Lead::of(&refinement.kind, &refined.rows, &original.rows, refinement.settings.seed)
        .expect("a part has at least one row");
    let rows = [refinement.choose.len(), refinement.report.len()];
    let task = refinement.worded(&tried[chosen].wording);
    Ok(Report { tried, chosen, rows, original, refined, lead, is_seen, task })
}

/// A task with its rows in two parts.
struct Refinement<'a> {
    session: &'a Session,
    settings: Settings,
    task: Task,
    kind: AnswerKind,
    choose: Vec<LabelledRow>,
    report: Vec<LabelledRow>,
}

impl<'a> Refinement<'a> {
    fn new(session: &'a Session, mut settings: Settings) -> Result<Self, Error> {
        let rows = std::mem::take(&mut settings.rows);
        let parts = Parts::drawn(rows.len(), settings.seed);
        let of = |part: &[usize]| part.iter().map(|row| rows[*row].clone()).collect();
        let mut task = Task { instances: Vec::new(), ..settings.task.task.clone() };
        // Another wording must not change what kind of answer is asked for.
        let function = Function::new(task.clone(), Arc::clone(&session.model), session.settings.clone());
        let kind = function.map_err(Error::Function)?.spec().kind.clone();
        let na = task.answer.take().and_then(|spec| spec.na);
        task.answer = Some(AnswerSpec { kind: kind.clone(), na });
        Ok(Self { session, settings, task, kind, choose: of(&parts.choose), report: of(&parts.report) })
    }

    /// What is tried, the original first; each text once.
    fn wordings(&self) -> Result<Vec<Wording>, Error> {
        let original = Wording::original(&self.task).ok_or(Error::EmptyTask)?;
        let mut all = vec![original.clone()];
        all.extend(own(&self.task));
        all.extend(self.settings.wordings.iter().map(|text| Wording::given(text)));
        all.extend(by_rules(&original.text, &self.kind));
        if self.settings.from_model > 0 {
            all.extend(by_model(&original.text, self.settings.from_model, self.session, self.settings.seed)?);
        }
        let mut known = Vec::new();
        all.retain(|wording| {
            let is_new = !known.contains(&wording.text);
            known.push(wording.text.clone());
            is_new
        });
        Ok(all)
    }

    fn worded(&self, wording: &Wording) -> Task {
        let mut task = self.task.clone();
        let others = self.task.definition.iter().chain(&self.task.other_definitions);
        task.other_definitions = others.filter(|other| **other != wording.text).cloned().collect();
        task.definition = Some(wording.text.clone());
        task
    }

    fn scored(&self, wording: &Wording, rows: &[LabelledRow], watch: &mut Watch<'_>) -> Result<Verdict, Error> {
        let Session { model, settings, .. } = self.session;
        let function = Function::new(self.worded(wording), Arc::clone(model), settings.clone());
        let function = function.map_err(Error::Function)?;
        let given = self.settings.recorder.answers(self.session, &function, rows, watch)?;
        let pairs: Vec<_> = rows.iter().zip(given).map(|(row, given)| (row.gold.clone(), given)).collect();
        Ok(verdict(&function.spec().kind, &pairs, self.settings.seed).expect("a part has at least one row"))
    }
}

impl Report {
    /// Whether another wording is better than the original, beyond luck.
    pub fn is_better(&self) -> bool {
        self.chosen > 0 && self.lead.is_significant()
    }

    /// The chosen wording.
    pub fn wording(&self) -> &Wording {
        &self.tried[self.chosen].wording
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        let f1 =
            |verdict: &Verdict| json!({ "f1": verdict.f1, "95%": [verdict.f1_interval.low, verdict.f1_interval.high] });
        let wordings: Vec<_> = self
            .tried
            .iter()
            .map(
                |one| json!({ "wording": one.wording.text, "from": one.wording.origin, "chosen_on": f1(&one.verdict) }),
            )
            .collect();
        let lead = self.lead;
        json!({
            "wordings": wordings,
            "rows": { "chosen_on": self.rows[0], "reported_on": self.rows[1] },
            "chosen": self.wording().text,
            "original": f1(&self.original),
            "refined": f1(&self.refined),
            "lead": { "f1": lead.f1, "95%": [lead.interval.low, lead.interval.high] },
            "is_better": self.is_better(),
            "seen": self.is_seen,
        })
    }
}
