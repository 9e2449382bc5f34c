//! ZEST: Tables 3, 4 and 7 to 10 of the paper, a row for each type of generalization.

use crate::score::{Scores, ZestResult};
use crate::table::{Table, percent, range};
use crate::zest::published::{self, PublishedRow, PublishedSplit};
use crate::zest::{ErrorKinds, ZestScores};
use saydo_task::Generalization;
use std::collections::BTreeMap;

/// Whose rows stand beside ours.
const BESIDE: [&str; 3] = [published::T5_MTL, published::BART, published::HUMAN];

pub(crate) fn tables(ways: &BTreeMap<String, ZestResult>, scores: &Scores) -> Vec<Table> {
    let mut tables: Vec<Table> = ways.iter().map(|(way, result)| official(way, &result.scores)).collect();
    tables.extend(ways.iter().map(|(way, result)| errors(way, &result.errors)));
    tables.extend(crate::table::grid(scores, "kind", "f1", "task F1 by kind of answer"));
    tables.extend(crate::table::grid(scores, "domain", "f1", "task F1 by domain"));
    tables.push(each_task(scores));
    tables
}

fn official(way: &str, result: &ZestScores) -> Table {
    let header =
        ["type", "mean", "95%", "C@75", "95%", "C@90", "95%", "T5-11B (test)", "BART-large (test)", "human (test)"];
    let title = format!("task competence ({way}), {} tasks, {} rows", result.n_tasks, result.n_predictions_needed);
    let mut table = Table::new(&title, &header).with_note(
        "Paraphrase and semantic flips count the worse of the task and its base, as in the paper. Published: mean, C@75, \
         C@90 on the full test set.",
    );
    let average = ("average".to_owned(), result.official.average);
    let mut rows: Vec<_> = result.official.rows.0.iter().collect();
    let place = |name: &str| Generalization::ALL.iter().position(|known| known.key() == name).unwrap_or(usize::MAX);
    rows.sort_by_key(|(name, _)| place(name));
    for (name, row) in rows.into_iter().chain([&average]) {
        let interval = result.intervals.as_ref().and_then(|intervals| intervals.get(name));
        let own = [
            Generalization::from_key(name).name().to_owned(),
            percent(row.mean),
            range(interval.map(|interval| interval.mean)),
            percent(row.at_75),
            range(interval.map(|interval| interval.at_75)),
            percent(row.at_90),
            range(interval.map(|interval| interval.at_90)),
        ];
        table.row(own.into_iter().chain(BESIDE.iter().map(|model| beside(model, name))));
    }
    table
}

/// Table 6: what kinds of error there are.
fn errors(way: &str, errors: &ErrorKinds) -> Table {
    let title = format!("errors by kind ({way}), {} of {} rows", errors.errors, errors.instances);
    let note = "Recall: NA was said though there is an answer. Precision: something was said though the answer is NA. \
                Partial: some of several are right. Published: 100 errors of T5-11B, sorted by hand.";
    let mut table = Table::new(&title, &["kind", "errors", "share", "95%", "T5-11B"]).with_note(note);
    for kind in &errors.kinds {
        let share = kind.share.map_or_else(String::new, percent);
        let cells = [kind.kind.name().to_owned(), kind.count.to_string(), share, range(kind.interval)];
        table.row(cells.into_iter().chain([format!("{:.0}", kind.published)]));
    }
    for (name, rate) in [
        ("JSON that cannot be read, of structure rows", errors.unparsable_structures),
        ("JSON where none was asked, of other rows", errors.needless_json),
    ] {
        let share = rate.share.map_or_else(String::new, percent);
        let count = format!("{} of {}", rate.count, rate.of);
        table.row([name.to_owned(), count, share, String::new(), rate.published.to_string()]);
    }
    table
}

fn beside(model: &str, name: &str) -> String {
    let category = if name == "average" { "overall" } else { name };
    let is_it =
        |row: &PublishedRow| row.model == model && row.split == PublishedSplit::Test && row.category == category;
    published::rows().find(is_it).map_or_else(String::new, |row| format!("{} {} {}", row.mean, row.at_75, row.at_90))
}

fn each_task(scores: &Scores) -> Table {
    let mut table = Table::new("each task", &["task", "layout", "decoding", "rows", "F1"]);
    for row in crate::table::rows(scores, "task", "f1") {
        let count = row.samples.to_string();
        table.row([row.name.clone(), row.layout.clone(), row.decoding.clone(), count, percent(row.mean)]);
    }
    table
}
