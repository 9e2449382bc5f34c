//! Several runs beside each other: a row for each headline number, a column for each run.

use crate::Run;
use crate::number::{percent, range};
use saydo_protocol::Protocol;
use saydo_protocol::score::{Detail, Row};
use saydo_protocol::table::Table;

/// What a row is about: the group of tasks, the way they were asked, the metric.
type Name = [String; 4];

/// The headline numbers of all runs.
pub(crate) fn table(runs: &[Run]) -> Table {
    // Runs with one way of asking each stand on one line, whatever that way is; that is what they are compared for.
    let keeps_ways = runs.iter().any(|run| ways(run) > 1);
    let mut names: Vec<Name> = Vec::new();
    let columns: Vec<Vec<(Name, String)>> = runs.iter().map(|run| column(run, keeps_ways)).collect();
    for (name, _) in columns.iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let header = ["", "layout", "decoding", "metric"].into_iter().chain(runs.iter().map(|run| run.name.as_str()));
    let mut table = crate::report::table("runs beside each other", header);
    table.note = "Percent, with 95% intervals over tasks.".to_owned();
    for name in names {
        let cell = |column: &Vec<(Name, String)>| {
            column.iter().find(|(other, _)| *other == name).map_or_else(String::new, |(_, cell)| cell.clone())
        };
        table.rows.push(name.iter().cloned().chain(columns.iter().map(cell)).collect());
    }
    without_empty_columns(table)
}

fn ways(run: &Run) -> usize {
    run.scores.rows.iter().filter(|row| row.by == "all" && row.metric == run.metric()).count()
}

fn column(run: &Run, keeps_ways: bool) -> Vec<(Name, String)> {
    let way = |text: &str| if keeps_ways { text.to_owned() } else { String::new() };
    // The Turking Test's tasks are seven tests of their own; the mean over them is nobody's number.
    let by = if run.scores.protocol == Protocol::Turking { "task" } else { "all" };
    let of_row = |row: &Row| {
        let name = [row.name.clone(), way(&row.layout), way(&row.decoding), row.metric.clone()];
        (name, cell(row.mean, row.interval))
    };
    // With many ways of asking, one metric is enough, and a mean over some of the tasks says nothing beside one over all.
    let rows = || run.scores.rows.iter().filter(|row| row.by == by);
    let whole = rows().map(|row| row.tasks).max();
    let is_kept = |row: &&Row| !keeps_ways || by == "task" || row.metric == run.metric() && Some(row.tasks) == whole;
    let mut cells: Vec<_> = rows().filter(is_kept).map(of_row).collect();
    if let Detail::Zest(results) = &run.scores.detail {
        for (name, result) in results {
            let average = result.scores.official.average;
            let interval = result.scores.intervals.as_ref().and_then(|intervals| intervals.get("average"));
            let (layout, decoding) = name.split_once(", ").unwrap_or((name, ""));
            let rows = [
                ("mean over types", average.mean, interval.map(|interval| interval.mean)),
                ("C@75", average.at_75, interval.map(|interval| interval.at_75)),
                ("C@90", average.at_90, interval.map(|interval| interval.at_90)),
            ];
            cells.extend(rows.map(|(metric, value, interval)| {
                (["all".to_owned(), way(layout), way(decoding), metric.to_owned()], cell(value, interval))
            }));
        }
    }
    cells
}

fn cell(value: f64, interval: Option<[f64; 2]>) -> String {
    let own = percent(value);
    interval.map_or(own.clone(), |[low, high]| format!("{own} ({})", range([100.0 * low, 100.0 * high])))
}

/// Columns that say nothing are left out.
fn without_empty_columns(table: Table) -> Table {
    let keeps = |column: &usize| {
        *column > 0 && table.rows.iter().any(|row| !row[*column].is_empty()) || {
            *column == 0 && table.rows.iter().any(|row| row[0] != "all")
        }
    };
    let kept: Vec<usize> = (0..table.header.len()).filter(keeps).collect();
    let pick = |cells: &Vec<String>| kept.iter().map(|column| cells[*column].clone()).collect::<Vec<_>>();
    let mut picked = self::empty(&table, pick(&table.header));
    picked.rows = table.rows.iter().map(pick).collect();
    picked
}

fn empty(like: &Table, header: Vec<String>) -> Table {
    let mut table = crate::report::table(like.title.clone(), header);
    table.note.clone_from(&like.note);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn runs_with_one_way_each_share_their_rows() {
        let mut runs = [fixture::zest(&[]), fixture::zest(&[(0, "wrong")])];
        crate::run::tell_apart(&mut runs);
        let table = table(&runs);
        assert_eq!(table.header.len(), 3, "{:?}", table.header);
        assert_eq!(table.rows[0][0], "f1");
        assert!(table.rows.iter().any(|row| row[0] == "C@90"));
        assert!(table.rows.iter().all(|row| row.iter().all(|cell| !cell.is_empty())), "{:?}", table.rows);
    }

    #[test]
    fn of_many_ways_only_the_headline_metric_is_shown() {
        let mut runs = [fixture::natural_instructions_in(&["ni-full", "ni-prompt"]), fixture::natural_instructions()];
        crate::run::tell_apart(&mut runs);
        let table = table(&runs);
        assert_eq!(table.header[..3], ["layout", "decoding", "metric"]);
        let names: Vec<&[String]> = table.rows.iter().map(|row| &row[..3]).collect();
        assert_eq!(names, [["ni-full", "greedy", "rougeL"], ["ni-prompt", "greedy", "rougeL"]]);
        assert_eq!(table.rows[1][4], "");
    }
}
