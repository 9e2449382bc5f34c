//! Super-NaturalInstructions: both metrics, and each category with the metric the paper chose for it.

use crate::score::Scores;
use crate::super_natural_instructions::{Report, Spread};
use crate::table::{Table, percent};
use std::collections::BTreeMap;

pub(crate) fn tables(ways: &BTreeMap<String, Report>, scores: &Scores) -> Vec<Table> {
    let mut tables = Vec::new();
    let header = ["layout, decoding", "n", "exact match", "95%", "ROUGE-L", "95%"];
    let mut overall = Table::new("default track, means over instances", &header);
    for (way, report) in ways {
        for track in &report.details.tracks {
            let [exact, exact_range] = cells(&track.exact_match);
            let [rouge, rouge_range] = cells(&track.rouge_l);
            overall.row([way.clone(), track.n.to_string(), exact, exact_range, rouge, rouge_range]);
        }
    }
    tables.push(overall);
    for (way, report) in ways {
        let title = format!("by category, each with its headline metric ({way})");
        let mut table = Table::new(&title, &["category", "n", "metric", "score", "95%"]);
        for row in &report.details.headline {
            let [score, range] = cells(&row.score);
            table.row([row.category.clone(), row.n.to_string(), row.metric.name().to_owned(), score, range]);
        }
        tables.push(table);
    }
    tables.extend(crate::table::labels(scores));
    let mut each = Table::new("each task", &["task", "layout", "n", "ROUGE-L", "95%"]);
    for row in crate::table::rows(scores, "task", "rougeL") {
        let (mean, range) = (percent(row.mean), crate::table::range(row.interval));
        each.row([row.name.clone(), row.layout.clone(), row.samples.to_string(), mean, range]);
    }
    tables.push(each);
    tables
}

/// Scores of this protocol are points already.
fn cells(spread: &Spread) -> [String; 2] {
    let range = spread.interval.map_or_else(String::new, |[low, high]| format!("{low:.1}-{high:.1}"));
    [format!("{:.1}", spread.mean), range]
}
