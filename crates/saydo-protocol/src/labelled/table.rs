//! A user's own tasks: F1 and exact answers.

use crate::score::Scores;
use crate::table::{Table, percent, range};

pub(crate) fn tables(scores: &Scores) -> Vec<Table> {
    let header = ["task", "layout", "decoding", "rows", "F1", "exact answers", "95%", "C@75", "C@90"];
    let mut table = Table::new("task F1", &header);
    for row in crate::table::rows(scores, "task", "f1") {
        let exact = crate::table::rows(scores, "task", "exact_match")
            .find(|other| (&other.name, &other.layout, &other.decoding) == (&row.name, &row.layout, &row.decoding));
        let competent = |threshold: f64| if row.mean >= threshold { "yes" } else { "no" }.to_owned();
        table.row([
            row.name.clone(),
            row.layout.clone(),
            row.decoding.clone(),
            row.samples.to_string(),
            percent(row.mean),
            exact.map_or_else(String::new, |exact| percent(exact.mean)),
            exact.map_or_else(String::new, |exact| range(exact.interval)),
            competent(0.75),
            competent(0.9),
        ]);
    }
    vec![table]
}
