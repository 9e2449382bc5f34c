//! From gold and given answers to F1, accuracy, competence, confusions and flips.

use crate::Mode;
use crate::zest::{Buckets, Repairs, Scorer};
use saydo_metrics::bootstrap::{Interval, RESAMPLES, interval_of, mean_interval};
use saydo_metrics::rouge::{RougeScorer, rouge_l};
use saydo_task::AnswerKind;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// How a task did on labelled rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Rows that were scored; those that failed count as wrong.
    pub rows: Vec<RowVerdict>,
    /// ZEST's task F1, or mean ROUGE-L for free text, as a fraction.
    pub f1: f64,
    /// Its 95% interval over other samples of documents.
    pub f1_interval: Interval,
    /// The share of rows whose answer is exactly a gold one.
    pub accuracy: f64,
    /// Its 95% interval.
    pub accuracy_interval: Interval,
    /// Gold and given answers that were confused, the most frequent first.
    pub confusions: Vec<Confusion>,
}

/// One row's part in the verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct RowVerdict {
    /// The gold answers, as ZEST writes them.
    pub gold: Vec<String>,
    /// What was given, as ZEST writes it; none if the row failed.
    pub given: Option<String>,
    /// From 0 to 1.
    pub score: f64,
    pub(super) buckets: Buckets,
}

/// How often one answer was given for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    /// The gold answer: a label, `n/a`, or "an answer" for kinds without labels.
    pub gold: String,
    /// What was given: likewise, or "failed".
    pub given: String,
    /// How often.
    pub count: usize,
}

/// How often answers change with the wording.
#[derive(Debug, Clone, PartialEq)]
pub struct Flips {
    /// The share of rows on which at least one other wording gives another answer.
    pub rate: f64,
    /// Its 95% interval.
    pub interval: Interval,
    /// The rows, from 0.
    pub rows: Vec<usize>,
}

impl Verdict {
    /// Whether the task is done at this level of F1: ZEST's competence.
    pub fn is_competent(&self, threshold: f64) -> bool {
        self.f1 >= threshold
    }

    /// The rows that scored worst, the worst first; only those below 1.
    pub fn worst(&self, count: usize) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.rows.len()).filter(|row| self.rows[*row].score < 1.0).collect();
        rows.sort_by(|a, b| self.rows[*a].score.total_cmp(&self.rows[*b].score));
        rows.truncate(count);
        rows
    }
}

/// An answer's JSON as ZEST writes answers: `n/a`, a text, pieces joined by `|`, or a list of objects.
pub fn answer_text(answer: &Json) -> String {
    match answer {
        Json::Null => "n/a".to_owned(),
        Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Json::String(text) => na_or(text.trim()),
        Json::Number(number) => number.to_string(),
        Json::Object(_) => answer_text(&Json::Array(vec![answer.clone()])),
        Json::Array(items) if items.is_empty() => "n/a".to_owned(),
        Json::Array(items) if items.iter().all(Json::is_object) => {
            let records = items.iter().map(|item| {
                let fields = item.as_object().into_iter().flatten();
                fields.map(|(name, value)| (name.clone(), Json::from(answer_text(value)))).collect()
            });
            Json::Array(records.map(Json::Object).collect()).to_string()
        }
        Json::Array(items) => items.iter().map(answer_text).collect::<Vec<_>>().join("|"),
    }
}

fn na_or(text: &str) -> String {
    match text.to_lowercase().as_str() {
        "" | "na" | "n/a" | "not stated" => "n/a".to_owned(),
        _ => text.to_owned(),
    }
}

/// The verdict on rows of gold answers and the given one (none if the row failed); none if there are no rows.
pub fn verdict(kind: &AnswerKind, rows: &[(Vec<String>, Option<String>)], seed: u64) -> Option<Verdict> {
    let rows: Vec<RowVerdict> = rows.iter().map(|(gold, given)| row_verdict(kind, gold, given.as_deref())).collect();
    let f1 = |drawn: &[usize]| f1_of(kind, &rows, drawn);
    let every: Vec<usize> = (0..rows.len()).collect();
    let f1_interval = interval_of(rows.len(), RESAMPLES, seed, f1)?;
    let right: Vec<f64> = rows.iter().map(|row| f64::from(is_right(row))).collect();
    Some(Verdict {
        f1: f1(&every),
        f1_interval,
        accuracy: right.iter().sum::<f64>() / right.len() as f64,
        accuracy_interval: mean_interval(&right, seed)?,
        confusions: confusions(kind, &rows),
        rows,
    })
}

/// ZEST's task F1 of some rows, or mean ROUGE-L for free text. There must be at least one row.
pub(super) fn f1_of(kind: &AnswerKind, rows: &[RowVerdict], drawn: &[usize]) -> f64 {
    if *kind == AnswerKind::Text {
        return drawn.iter().map(|row| rows[*row].score).sum::<f64>() / drawn.len() as f64;
    }
    let mut all = Buckets::default();
    drawn.iter().for_each(|row| all.extend(&rows[*row].buckets));
    all.f1()
}

/// How one row does.
pub fn row_verdict(kind: &AnswerKind, gold: &[String], given: Option<&str>) -> RowVerdict {
    match kind {
        AnswerKind::Text => text_row(gold, given),
        _ => typed_row(gold, given),
    }
}

fn typed_row(gold: &[String], given: Option<&str>) -> RowVerdict {
    let scored = Scorer::new(Repairs::from(Mode::Fixed)).score_texts(gold, given);
    let (score, buckets) = scored.map(|scored| (scored.score, scored.buckets)).unwrap_or_default();
    RowVerdict { gold: gold.to_vec(), given: given.map(str::to_owned), score: score.max(0.0), buckets }
}

fn text_row(gold: &[String], given: Option<&str>) -> RowVerdict {
    let mut rouge = RougeScorer::new();
    let mut score = |gold: &String| {
        let (given, gold) = (rouge.encode(given.unwrap_or_default()), rouge.encode(gold));
        rouge_l(&given, &gold).f_measure
    };
    let score = gold.iter().map(&mut score).fold(0.0, f64::max);
    RowVerdict { gold: gold.to_vec(), given: given.map(str::to_owned), score, buckets: Buckets::default() }
}

fn is_right(row: &RowVerdict) -> bool {
    let given = row.given.as_deref().map(str::to_lowercase);
    row.gold.iter().any(|gold| Some(gold.to_lowercase()) == given) || row.score == 1.0 && row.given.is_some()
}

fn confusions(kind: &AnswerKind, rows: &[RowVerdict]) -> Vec<Confusion> {
    let has_labels = matches!(kind, AnswerKind::YesNo | AnswerKind::Label(_));
    let class = |text: &str| if has_labels || text == "n/a" { text.to_lowercase() } else { "an answer".to_owned() };
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| !is_right(row)) {
        let gold = row.gold.first().map(|gold| class(gold)).unwrap_or_default();
        let given = row.given.as_deref().map_or_else(|| "failed".to_owned(), class);
        *counts.entry((gold, given)).or_default() += 1;
    }
    let mut confusions: Vec<Confusion> =
        counts.into_iter().map(|((gold, given), count)| Confusion { gold, given, count }).collect();
    confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.count));
    confusions
}

/// How often the answers of the first wording and those of any other differ; none without a second wording or rows.
/// Each wording gives one answer for each row, as ZEST writes them.
pub fn flips(wordings: &[Vec<Option<String>>], seed: u64) -> Option<Flips> {
    let (first, others) = wordings.split_first().filter(|(_, others)| !others.is_empty())?;
    let flipped = |row: &usize| others.iter().any(|other| other.get(*row) != first.get(*row));
    let rows: Vec<usize> = (0..first.len()).filter(flipped).collect();
    let values: Vec<f64> = (0..first.len()).map(|row| f64::from(rows.binary_search(&row).is_ok())).collect();
    Some(Flips { rate: rows.len() as f64 / first.len() as f64, interval: mean_interval(&values, seed)?, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(gold: &str, given: Option<&str>) -> (Vec<String>, Option<String>) {
        (vec![gold.to_owned()], given.map(str::to_owned))
    }

    #[test]
    fn answers_are_written_as_zest_does() {
        for (answer, text) in [
            (json!(null), "n/a"),
            (json!("NA"), "n/a"),
            (json!(true), "yes"),
            (json!(["a", "b c"]), "a|b c"),
            (json!([]), "n/a"),
            (json!({"hike": "Fern", "open": null}), r#"[{"hike":"Fern","open":"n/a"}]"#),
        ] {
            assert_eq!(answer_text(&answer), text);
        }
    }

    #[test]
    fn na_is_apart_and_failed_rows_are_wrong() {
        let rows = [row("yes", Some("yes")), row("no", Some("yes")), row("n/a", Some("n/a")), row("yes", None)];
        let verdict = verdict(&AnswerKind::YesNo, &rows, 0).expect("there are rows");
        // Three gold answers, three given, one right.
        assert!((verdict.f1 - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(verdict.accuracy, 0.5);
        assert!(verdict.f1_interval.low <= verdict.f1 && verdict.f1 <= verdict.f1_interval.high);
        assert_eq!(verdict.worst(9), [1, 3]);
        let confusions: Vec<_> =
            verdict.confusions.iter().map(|one| (one.gold.as_str(), one.given.as_str(), one.count)).collect();
        assert_eq!(confusions, [("no", "yes", 1), ("yes", "failed", 1)]);
        assert!(!verdict.is_competent(0.75));
    }

    #[test]
    fn spans_count_by_shared_words_and_text_by_rouge() {
        let spans = verdict(&AnswerKind::Spans, &[row("black bears|elk", Some("elk"))], 0).expect("there is a row");
        assert_eq!(spans.f1, 0.5);
        let text = verdict(&AnswerKind::Text, &[row("a red car", Some("a red car")), row("x", Some("y"))], 0);
        assert_eq!(text.expect("there are rows").f1, 0.5);
        assert_eq!(verdict(&AnswerKind::Text, &[], 0), None);
    }

    #[test]
    fn a_row_flips_if_any_other_wording_differs() {
        let answers = |texts: [&str; 3]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
        let wordings = [answers(["yes", "no", "n/a"]), answers(["yes", "yes", "n/a"]), answers(["yes", "no", "no"])];
        let flips = flips(&wordings, 0).expect("there are two wordings and more");
        assert_eq!(flips.rows, [1, 2]);
        assert_eq!(super::flips(&wordings[..1], 0), None);
    }
}
