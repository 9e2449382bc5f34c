//! What `saydo check` prints.

use crate::table::{Table, percent};
use saydo_metrics::bootstrap::{Interval, mean_interval};
use saydo_protocol::labelled::{Flips, LabelledRow, Verdict};
use saydo_task::AnswerKind;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Competence is asked for at these levels, as in ZEST.
const LEVELS: [f64; 2] = [0.75, 0.9];
/// Enough of an answer to see what it is.
const ANSWER_CHARS: usize = 60;

/// Everything that was found out.
pub(super) struct Report {
    pub(super) model: String,
    pub(super) checked: Vec<Checked>,
    pub(super) threshold: Option<f64>,
    pub(super) worst: usize,
}

/// One task's part.
pub(super) struct Checked {
    pub(super) name: String,
    pub(super) kind: AnswerKind,
    pub(super) rows: Vec<LabelledRow>,
    pub(super) verdict: Verdict,
    pub(super) flips: Option<Flips>,
    /// The answers of each wording.
    pub(super) given: Vec<Vec<Option<String>>>,
}

impl Report {
    /// The mean of the tasks' F1.
    fn mean(&self) -> f64 {
        self.checked.iter().map(|checked| checked.verdict.f1).sum::<f64>() / self.checked.len() as f64
    }

    pub(super) fn is_good_enough(&self) -> bool {
        self.threshold.is_none_or(|threshold| self.mean() >= threshold)
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        match self.checked.as_slice() {
            [only] => self.render_one(&mut out, only),
            several => self.render_several(&mut out, several),
        }
        if let Some(threshold) = self.threshold {
            let verdict = if self.is_good_enough() { "reached" } else { "not reached" };
            let _ = writeln!(out, "\nthreshold {}: {verdict}", percent(threshold));
        }
        out
    }

    fn render_one(&self, out: &mut String, checked: &Checked) {
        let verdict = &checked.verdict;
        let _ =
            writeln!(out, "{} ({}, {} rows, {})\n", checked.name, checked.kind.name(), checked.rows.len(), self.model);
        let mut table = Table::new(&["measure", "%", "95%"]);
        let score = if checked.kind == AnswerKind::Text { "ROUGE-L" } else { "F1" };
        table.row([score.to_owned(), percent(verdict.f1), interval(verdict.f1_interval)]);
        table.row(["accuracy".to_owned(), percent(verdict.accuracy), interval(verdict.accuracy_interval)]);
        if let Some(flips) = &checked.flips {
            table.row(["flips with the wording".to_owned(), percent(flips.rate), interval(flips.interval)]);
        }
        out.push_str(&table.render());
        for level in LEVELS {
            let is = if verdict.is_competent(level) { "yes" } else { "no" };
            let _ = writeln!(out, "competent at {:.0}: {is}", 100.0 * level);
        }
        if !verdict.confusions.is_empty() {
            let mut table = Table::new(&["gold", "given", "rows"]).with_words(&[1]);
            for confusion in &verdict.confusions {
                table.row([cut(&confusion.gold), cut(&confusion.given), confusion.count.to_string()]);
            }
            let _ = write!(out, "\n{}", table.render());
        }
        self.render_worst(out, checked);
    }

    fn render_worst(&self, out: &mut String, checked: &Checked) {
        let worst = checked.verdict.worst(self.worst);
        if worst.is_empty() {
            return;
        }
        let mut table = Table::new(&["worst rows", "score", "gold", "given", "text"]).with_words(&[2, 3, 4]);
        for row in worst {
            let one = &checked.verdict.rows[row];
            let given = one.given.as_deref().unwrap_or("(failed)");
            let text = cut(&checked.rows[row].text);
            table.row([
                checked.rows[row].id.clone(),
                percent(one.score),
                cut(&one.gold.join(" or ")),
                cut(given),
                text,
            ]);
        }
        let _ = write!(out, "\n{}", table.render());
    }

    fn render_several(&self, out: &mut String, several: &[Checked]) {
        let mut table = Table::new(&["task", "kind", "rows", "F1", "95%", "accuracy", "flips"]).with_words(&[1]);
        for checked in several {
            let verdict = &checked.verdict;
            table.row([
                cut(&checked.name),
                checked.kind.name().to_owned(),
                checked.rows.len().to_string(),
                percent(verdict.f1),
                interval(verdict.f1_interval),
                percent(verdict.accuracy),
                checked.flips.as_ref().map_or_else(String::new, |flips| percent(flips.rate)),
            ]);
        }
        out.push_str(&table.render());
        let scores: Vec<f64> = several.iter().map(|checked| checked.verdict.f1).collect();
        let between = mean_interval(&scores, 0).map(interval).unwrap_or_default();
        let _ = writeln!(
            out,
            "\nmean task F1 {} ({between}), {} tasks, {}",
            percent(self.mean()),
            several.len(),
            self.model
        );
        for level in LEVELS {
            let _ = writeln!(out, "C@{:.0} {}", 100.0 * level, percent(self.competence(level)));
        }
    }

    /// The share of tasks that are done at this level.
    fn competence(&self, level: f64) -> f64 {
        let competent = self.checked.iter().filter(|checked| checked.verdict.is_competent(level)).count();
        competent as f64 / self.checked.len() as f64
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "model": self.model,
            "mean_f1": self.mean(),
            "competence": {"75": self.competence(0.75), "90": self.competence(0.9)},
            "threshold": self.threshold,
            "is_good_enough": self.is_good_enough(),
            "tasks": self.checked.iter().map(Checked::json).collect::<Value>(),
        })
    }
}

impl Checked {
    fn json(&self) -> Value {
        let verdict = &self.verdict;
        let row = |(number, row): (usize, &LabelledRow)| {
            let given: Vec<&Option<String>> = self.given.iter().map(|wording| &wording[number]).collect();
            json!({"id": row.id, "gold": row.gold, "given": given, "score": verdict.rows[number].score})
        };
        let confusion = |one: &saydo_protocol::labelled::Confusion| json!([one.gold, one.given, one.count]);
        json!({
            "task": self.name,
            "kind": self.kind.name(),
            "f1": verdict.f1,
            "f1_interval": [verdict.f1_interval.low, verdict.f1_interval.high],
            "accuracy": verdict.accuracy,
            "accuracy_interval": [verdict.accuracy_interval.low, verdict.accuracy_interval.high],
            "flip_rate": self.flips.as_ref().map(|flips| flips.rate),
            "confusions": verdict.confusions.iter().map(confusion).collect::<Value>(),
            "rows": self.rows.iter().enumerate().map(row).collect::<Value>(),
        })
    }
}

fn interval(interval: Interval) -> String {
    format!("{}-{}", percent(interval.low), percent(interval.high))
}

/// The text on one line, its end cut off if it is long.
fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(ANSWER_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
