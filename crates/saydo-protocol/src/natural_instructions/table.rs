//! Natural Instructions: Table 5 (encodings by categories), Table 6 (negative examples), and GPT-3's rows.

use crate::natural_instructions::{Cell, Report};
use crate::score::Scores;
use crate::table::{Table, percent};

pub(crate) fn tables(report: &Report, scores: &Scores) -> Vec<Table> {
    let mut tables = Vec::new();
    tables.extend(crate::table::grid(scores, "category", "rougeL", "ROUGE-L by encoding and category (Table 5)").map(
        |table| {
            table.with_note(
            "Published means over the twelve tasks: BART-base trained on 49 other tasks 32 with full instructions, 35 \
                 without negative examples, 13 with none; GPT-3 24 and 44; BART trained on each task itself 66.",
        )
        },
    ));
    if !report.by_encoding.is_empty() {
        tables.push(encodings(report));
    }
    tables.extend(crate::table::grid(scores, "category", "exact_match", "exact match of the first line"));
    tables.extend(crate::table::labels(scores));
    tables.push(each_task(scores));
    tables
}

fn encodings(report: &Report) -> Table {
    let header = ["encoding", "tasks", "few examples", "tasks", "many examples", "GPT-3, published"];
    let mut table = Table::new("ROUGE-L by encoding and number of examples", &header);
    for row in &report.by_encoding {
        let cells = |cell: Cell| [cell.tasks.to_string(), percent(cell.rouge_l)];
        let [few_tasks, few] = cells(row.small);
        let [many_tasks, many] = row.large.map(cells).unwrap_or_default();
        let published = row.published.map_or_else(String::new, |share| format!("{:.0}", 100.0 * share));
        table.row([row.encoding.clone(), few_tasks, few, many_tasks, many, published]);
    }
    table
}

fn each_task(scores: &Scores) -> Table {
    let mut table = Table::new("each task", &["task", "layout", "n", "ROUGE-L", "95%"]);
    for row in crate::table::rows(scores, "task", "rougeL") {
        let (mean, range) = (percent(row.mean), crate::table::range(row.interval));
        table.row([row.name.clone(), row.layout.clone(), row.samples.to_string(), mean, range]);
    }
    table
}
