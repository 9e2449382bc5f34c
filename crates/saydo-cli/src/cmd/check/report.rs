//! What `saydo check` prints.

use crate::table::{Table, percent};
use saydo::job::check::{Checked, Report};
use saydo_metrics::bootstrap::{Interval, mean_interval};
use saydo_task::AnswerKind;
use std::fmt::Write as _;

/// Competence is asked for at these levels, as in ZEST.
const LEVELS: [f64; 2] = [0.75, 0.9];
/// Enough of an answer to see what it is.
const ANSWER_CHARS: usize = 60;

/// A report as a terminal shows it.
pub(super) struct Printed<'a> {
    pub(super) report: &'a Report,
    pub(super) threshold: Option<f64>,
    pub(super) worst: usize,
}

impl Printed<'_> {
    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        match self.report.tasks.as_slice() {
            [only] => self.render_one(&mut out, only),
            several => self.render_several(&mut out, several),
        }
        if let Some(threshold) = self.threshold {
            let verdict = if self.report.is_good_enough(Some(threshold)) { "reached" } else { "not reached" };
            let _ = writeln!(out, "\nthreshold {}: {verdict}", percent(threshold));
        }
        out
    }

    fn render_one(&self, out: &mut String, checked: &Checked) {
        let verdict = &checked.verdict;
        let _ = writeln!(
            out,
            "{} ({}, {} rows, {})\n",
            checked.name,
            checked.kind.name(),
            checked.rows.len(),
            self.report.model
        );
        let mut table = Table::new(&["measure", "%", "95%"]);
        let score = if checked.kind == AnswerKind::Text { "ROUGE-L" } else { "F1" };
        table.row([score.to_owned(), percent(verdict.f1), interval(verdict.f1_interval)]);
        table.row(["accuracy".to_owned(), percent(verdict.accuracy), interval(verdict.accuracy_interval)]);
        if let Some(flips) = &checked.flips {
            table.row(["flips with the wording".to_owned(), percent(flips.rate), interval(flips.interval)]);
        }
        for score in &checked.scores {
            table.row([score.name.clone(), percent(score.mean), interval(score.interval)]);
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
            percent(self.report.mean_f1()),
            several.len(),
            self.report.model
        );
        for level in LEVELS {
            let _ = writeln!(out, "C@{:.0} {}", 100.0 * level, percent(self.report.competence(level)));
        }
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
