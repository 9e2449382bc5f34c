//! The tables of a scored run, the paper's numbers beside ours; for terminals, pages and documents alike.

use crate::score::{Detail, Row, Scores};
use crate::turking::Estimate;
use serde::Serialize;

/// A table as text: cells are written out, and nothing says how it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// What a reader should know; may be empty.
    pub note: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, header: &[&str]) -> Self {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        Self { title: title.to_owned(), note: String::new(), header, rows: Vec::new() }
    }

    pub(crate) fn with_note(mut self, note: &str) -> Self {
        note.clone_into(&mut self.note);
        self
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
    }

    /// The table as GitHub writes tables.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", " --- |".repeat(self.header.len()));
        let mut text = format!("### {}\n\n", self.title);
        if !self.note.is_empty() {
            text += &format!("{}\n\n", self.note);
        }
        text += &line(&self.header);
        text += &rule;
        self.rows.iter().for_each(|row| text += &line(row));
        text
    }
}

/// What stands behind the name of a row, some of whose samples the model had learned.
pub const SEEN: &str = " (seen in training)";

/// The tables of a run. Where the model had learned samples of it, every table says so, and so does every row that is not
/// known to be free of them.
pub fn tables(scores: &Scores) -> Vec<Table> {
    let mut tables = own_tables(scores);
    tables.extend(crate::natural_instructions::gain::tables(&scores.elements));
    tables.extend(crate::generalization::tables(&scores.generalization));
    tables.extend(crate::competence::tables(&scores.competence));
    if scores.seen > 0 {
        let all = scores.asked + scores.missing;
        let warning =
            format!("{} of {all} samples were learned in training: these are not scores on unseen data.", scores.seen);
        let is_clean = |name: &str| {
            let mut rows = scores.rows.iter().filter(|row| row.name == name).peekable();
            rows.peek().is_some() && rows.all(|row| row.seen == 0)
        };
        for table in &mut tables {
            table.note = [warning.as_str(), table.note.as_str()].join(" ").trim_end().to_owned();
            for row in table.rows.iter_mut().filter(|row| !is_clean(&row[0])) {
                row[0] += SEEN;
            }
        }
    }
    tables
}

fn own_tables(scores: &Scores) -> Vec<Table> {
    match &scores.detail {
        Detail::Zest(ways) => crate::zest::table::tables(ways, scores),
        Detail::NaturalInstructions(report) => crate::natural_instructions::table::tables(report, scores),
        Detail::SuperNaturalInstructions(ways) => crate::super_natural_instructions::table::tables(ways, scores),
        Detail::Turking(ways) => crate::turking::table::tables(ways),
        Detail::Labelled(_) => crate::labelled::table::tables(scores),
        Detail::Reading(sources) => crate::reading::table::tables(sources),
    }
}

/// Tasks with labels: accuracy beside what saying one label always would earn.
pub(crate) fn labels(scores: &Scores) -> Option<Table> {
    let header = ["task", "layout", "n", "labels", "accuracy", "balanced", "largest label", "said most", "share"];
    let mut table = Table::new("tasks with labels", &header).with_note(
        "Balanced accuracy is the mean over labels of the share that is right; one label said always earns no more than \
         chance.",
    );
    for row in &scores.labels {
        let numbers = [row.samples.to_string(), row.labels.to_string()];
        let shares = [row.accuracy, row.balanced_accuracy, row.largest_label].map(percent);
        let (most, share) = &row.most_said;
        let said = [most.chars().take(24).collect(), percent(*share)];
        table.row([row.task.clone(), row.layout.clone()].into_iter().chain(numbers).chain(shares).chain(said));
    }
    (!scores.labels.is_empty()).then_some(table)
}

/// A share in percent with one decimal.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// An interval in percent.
pub(crate) fn range(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |[low, high]| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high))
}

/// How many, which share of them, and between which bounds.
pub(crate) fn cells(estimate: Estimate) -> [String; 3] {
    [estimate.count.to_string(), percent(estimate.value), range(Some(estimate.interval))]
}

/// A number that is in percent already.
pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}

/// The rows of a kind under a metric.
pub(crate) fn rows<'a>(scores: &'a Scores, by: &'a str, metric: &'a str) -> impl Iterator<Item = &'a Row> {
    scores.rows.iter().filter(move |row| row.by == by && row.metric == metric)
}

/// Names in the order of first appearance.
fn names<'a>(rows: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for name in rows {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A table of one metric: a row for each way of asking, a column for each group, the mean last.
pub(crate) fn grid(scores: &Scores, by: &str, metric: &str, title: &str) -> Option<Table> {
    let groups = names(rows(scores, by, metric).map(|row| row.name.as_str()));
    if groups.is_empty() {
        return None;
    }
    let header: Vec<&str> = ["layout", "decoding"].into_iter().chain(groups.iter().copied()).collect();
    let header: Vec<&str> = header.into_iter().chain(["mean", "95%", "tasks", "samples"]).collect();
    let mut table = Table::new(title, &header);
    for all in rows(scores, "all", metric) {
        let cell = |group: &&str| {
            let is_it = |row: &&Row| row.name == *group && row.layout == all.layout && row.decoding == all.decoding;
            rows(scores, by, metric).find(is_it).map_or_else(String::new, |row| percent(row.mean))
        };
        let head = [all.layout.clone(), all.decoding.clone()];
        let tail = [percent(all.mean), range(all.interval), all.tasks.to_string(), all.samples.to_string()];
        table.row(head.into_iter().chain(groups.iter().map(cell)).chain(tail));
    }
    Some(table)
}
