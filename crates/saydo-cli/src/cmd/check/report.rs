//! What `saydo check` prints.

use crate::table::{Table, percent};
use saydo::job::check::{Checked, Report};
use saydo_metrics::bootstrap::{Interval, mean_interval};
use saydo_protocol::competence::{LEVELS, Share, named};
use saydo_task::AnswerKind;
use std::fmt::Write as _;

/// Enough of an answer to see what it is.
const ANSWER_CHARS: usize = 60;

/// A report as a terminal shows it.
pub(super) struct Printed<'a> {
    pub(super) report: &'a Report,
    pub(super) worst: usize,
}

impl Printed<'_> {
    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        match self.report.tasks.as_slice() {
            [only] => self.render_one(&mut out, only),
            several => self.render_several(&mut out, several),
        }
        let asked: Vec<&Checked> = self.report.tasks.iter().filter(|checked| checked.level.is_some()).collect();
        if let Some(first) = asked.first() {
            let reached = asked.iter().filter(|checked| checked.is_good_enough()).count();
            let verdict = match (asked.len(), reached) {
                (1, 1) => "reached".to_owned(),
                (1, _) => "not reached".to_owned(),
                (all, reached) => format!("reached by {reached} of {all} tasks"),
            };
            let level = match (self.report.threshold, asked.len()) {
                (None, 2..) => "of each task".to_owned(),
                _ => percent(first.competence.level),
            };
            let _ = writeln!(out, "\nthreshold {level}: {verdict}");
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
        let competence = &checked.competence;
        if !["f1", "rouge-l"].contains(&competence.metric.as_str()) || competence.value != verdict.f1 {
            let name = format!("{} (its metric)", competence.metric);
            table.row([name, percent(competence.value), range(competence.interval)]);
        }
        if let Some(flips) = &checked.flips {
            table.row(["flips with the wording".to_owned(), percent(flips.rate), interval(flips.interval)]);
        }
        for score in &checked.scores {
            table.row([score.name.clone(), percent(score.mean), interval(score.interval)]);
        }
        out.push_str(&table.render());
        for level in levels(checked.level) {
            let at = checked.competence.at(level);
            let _ = writeln!(out, "competent at {}: {}", named(level), at.verdict());
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
        let header =
            ["task", "kind", "rows", "F1", "95%", "accuracy", "flips", "metric", "value", "95%", "level", "competent"];
        let mut table = Table::new(&header).with_words(&[1, 7, 11]);
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
                checked.competence.metric.clone(),
                percent(checked.competence.value),
                range(checked.competence.interval),
                named(checked.competence.level),
                checked.competence.verdict().to_owned(),
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
        let all = self.report.competence();
        let share = |share: Share| {
            format!("{} ({}), {} of {} tasks", percent(share.share), range(share.interval), share.count, share.of)
        };
        let _ = writeln!(out, "C {}", share(all.competent));
        for point in &all.at {
            let _ = writeln!(out, "C@{} {}", named(point.level), share(point.share));
        }
    }
}

/// The levels that a single task is held against: those of tables, and its own.
fn levels(own: Option<f64>) -> Vec<f64> {
    let mut levels = LEVELS.to_vec();
    levels.extend(own.filter(|own| !LEVELS.contains(own)));
    levels.sort_by(f64::total_cmp);
    levels
}

fn interval(interval: Interval) -> String {
    range([interval.low, interval.high])
}

fn range([low, high]: [f64; 2]) -> String {
    format!("{}-{}", percent(low), percent(high))
}

/// The text on one line, its end cut off if it is long.
fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(ANSWER_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
