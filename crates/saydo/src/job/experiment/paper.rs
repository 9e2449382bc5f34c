//! A paper's table in the paper's own rows and columns: our values and the published ones, each found by what it was
//! measured on.
//!
//! A value has a place along several dimensions: the axes of the grid, `group` (a task category or type) and `metric`. A
//! table says which dimensions go down and which across; published values have places along the same dimensions, so they
//! stand beside ours. Runs that differ in nothing but their seed are one value, with mean and standard deviation.

use super::cell::text;
use super::file::{Experiment, PaperTable, Source};
use super::row::{Row, Value};
use saydo_protocol::table::Table;
use saydo_protocol::turking::published as turking;
use saydo_protocol::zest::published::{self as zest, PublishedSplit};
use saydo_task::Generalization;
use saydo_task::turking::Kind;
use std::collections::BTreeMap;

/// The axis whose values are runs of the same thing.
const SEED: &str = "seed";
const GROUP: &str = "group";
const METRIC: &str = "metric";

/// Where a value stands along each dimension.
type Place = BTreeMap<String, String>;

/// A value at its place, in percent.
#[derive(Debug, Clone, PartialEq)]
struct Placed {
    place: Place,
    score: f64,
    is_published: bool,
}

/// The paper's tables, filled with what ran.
pub fn tables(experiment: &Experiment, rows: &[Row]) -> Vec<Table> {
    experiment.table.iter().map(|table| filled(experiment, table, rows)).collect()
}

fn filled(experiment: &Experiment, table: &PaperTable, rows: &[Row]) -> Table {
    let (down, across) = dimensions(table, rows);
    let is_asked = |placed: &Placed| {
        let is_in = |dimension: &str, wanted: &[String]| {
            let value = placed.place.get(dimension);
            wanted.is_empty() || value.is_none_or(|value| wanted.contains(value))
        };
        is_in(GROUP, &table.groups) && is_in(METRIC, &table.metrics)
    };
    let mut values: Vec<Placed> = rows.iter().flat_map(own).filter(is_asked).collect();
    values.extend(published(experiment, table).into_iter().filter(is_asked));
    if !down.iter().chain(&across).any(|dimension| dimension == GROUP) {
        values.retain(|placed| placed.place.get(GROUP).is_none_or(|group| is_all(group)));
    }
    let label = |placed: &Placed, dimensions: &[String]| {
        let names = dimensions.iter().filter_map(|dimension| {
            let value = placed.place.get(dimension)?;
            Some(table.names.get(value).unwrap_or(value).as_str())
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let (mut row_names, mut column_names) = (Vec::new(), Vec::new());
    let mut cells: BTreeMap<(usize, usize), (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for placed in &values {
        let row = place_of(&mut row_names, label(placed, &down));
        let column = place_of(&mut column_names, label(placed, &across));
        let (own, theirs) = cells.entry((row, column)).or_default();
        if placed.is_published { theirs } else { own }.push(placed.score);
    }
    let header = [vec![down.join(", ")], column_names.clone()].concat();
    let line = |(row, name): (usize, &String)| {
        let cells = (0..column_names.len()).map(|column| cells.get(&(row, column)).map(cell).unwrap_or_default());
        [vec![name.clone()], cells.collect()].concat()
    };
    let title = if table.title.is_empty() { experiment.title.clone() } else { table.title.clone() };
    let lines = row_names.iter().enumerate().map(line).collect();
    Table { title, note: note(experiment, table, rows), header, rows: lines }
}

/// What goes down and what across. An axis with several values that the table does not name goes down, so that no two
/// values share a cell.
fn dimensions(table: &PaperTable, rows: &[Row]) -> (Vec<String>, Vec<String>) {
    let (mut down, across) = (table.rows.clone(), table.columns.clone());
    for (number, (axis, first)) in rows.first().map_or(&[][..], |row| &row.cell).iter().enumerate() {
        let varies = rows.iter().any(|row| row.cell.get(number).is_some_and(|(_, value)| value != first));
        if varies && axis != SEED && !down.contains(axis) && !across.contains(axis) {
            down.push(axis.clone());
        }
    }
    (down, across)
}

fn is_all(group: &str) -> bool {
    group == Value::ALL
}

/// The values of a cell of the grid.
fn own(row: &Row) -> impl Iterator<Item = Placed> {
    row.values.iter().map(|value| {
        let mut place: Place = row.cell.iter().filter(|(axis, _)| axis != SEED).cloned().collect();
        place.insert(GROUP.to_owned(), value.group.clone());
        place.insert(METRIC.to_owned(), value.metric.clone());
        Placed { place, score: value.score, is_published: false }
    })
}

/// The published values that the table names, and those of its source.
fn published(experiment: &Experiment, table: &PaperTable) -> Vec<Placed> {
    let metric = experiment.metrics().first().cloned();
    let written = table.published.iter().map(|entry| {
        let mut place: Place = entry.at.iter().map(|(dimension, value)| (dimension.clone(), text(value))).collect();
        place.entry(GROUP.to_owned()).or_insert_with(|| Value::ALL.to_owned());
        if let Some(metric) = &metric {
            place.entry(METRIC.to_owned()).or_insert_with(|| metric.clone());
        }
        Placed { place, score: entry.score, is_published: true }
    });
    let of_source = match table.source {
        None => Vec::new(),
        Some(Source::Zest) => zest_values(),
        Some(Source::Turking) => turking_values(),
    };
    let is_wanted = |placed: &Placed| {
        table.beside.is_empty() || placed.place.get("model").is_some_and(|model| table.beside.contains(model))
    };
    written.chain(of_source.into_iter().filter(is_wanted)).collect()
}

fn placed(model: String, group: &str, metric: &str, score: f64) -> Placed {
    let place = [("model", model), (GROUP, group.to_owned()), (METRIC, metric.to_owned())];
    let place = place.into_iter().map(|(dimension, value)| (dimension.to_owned(), value)).collect();
    Placed { place, score, is_published: true }
}

fn zest_values() -> Vec<Placed> {
    let of_row = |row: zest::PublishedRow| {
        let group = match row.category {
            "overall" => Value::ALL.to_owned(),
            category => Generalization::from_key(category).name().to_owned(),
        };
        let split = if row.split == PublishedSplit::Dev { "dev" } else { "test" };
        let scores = Value::COMPETENCE.into_iter().zip([row.mean, row.at_75, row.at_90]);
        let model = format!("{}, {split}", row.model);
        scores.map(move |(metric, score)| placed(model.clone(), &group, metric, f64::from(score))).collect::<Vec<_>>()
    };
    zest::rows().flat_map(of_row).collect()
}

fn turking_values() -> Vec<Placed> {
    let of_kind = |kind: Kind| {
        let row = turking::row(kind);
        let model = || turking::MODEL.to_owned();
        let accuracy = placed(model(), kind.id(), "accuracy", row.accuracy);
        let form = row.form_consistency.map(|form| placed(model(), kind.id(), "form", form));
        let baseline =
            row.baseline.map(|baseline| placed("published baseline".to_owned(), kind.id(), "accuracy", baseline));
        [Some(accuracy), form, baseline].into_iter().flatten()
    };
    Kind::ALL.into_iter().flat_map(of_kind).collect()
}

/// The place of a name, which is added if it is new.
fn place_of(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// Ours, with the standard deviation over seeds, and the published value in brackets.
fn cell((own, theirs): &(Vec<f64>, Vec<f64>)) -> String {
    let ours = match spread(own) {
        _ if own.is_empty() => String::new(),
        Some((mean, deviation)) => format!("{mean:.1} ± {deviation:.1}"),
        None => format!("{:.1}", own[0]),
    };
    let theirs = theirs.first().map(|score| format!("[{score}]"));
    [ours].into_iter().filter(|text| !text.is_empty()).chain(theirs).collect::<Vec<_>>().join(" ")
}

/// The mean of several values and their standard deviation (with n - 1); none of fewer than two.
pub fn spread(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (squares / (values.len() - 1) as f64).sqrt()))
}

fn note(experiment: &Experiment, table: &PaperTable, rows: &[Row]) -> String {
    let mut seeds: Vec<&str> =
        rows.iter().flat_map(|row| &row.cell).filter(|(axis, _)| axis == SEED).map(|(_, seed)| seed.as_str()).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let mut notes = vec!["In brackets: published.".to_owned()];
    if seeds.len() > 1 {
        notes.push(format!("± is the standard deviation over {} seeds.", seeds.len()));
    }
    let differs = [&experiment.differs[..], &table.differs].concat();
    if !differs.is_empty() {
        notes.push(format!("What differs from the paper: {}.", differs.join("; ")));
    }
    notes.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(text: &str) -> Experiment {
        toml::from_str(&format!("title = 't'\nprotocol = 'zest'\n{text}")).unwrap()
    }

    fn row(cell: &[(&str, &str)], values: &[(&str, &str, f64)]) -> Row {
        let value = |(group, metric, score): &(&str, &str, f64)| Value {
            group: (*group).to_owned(),
            metric: (*metric).to_owned(),
            score: *score,
            interval: None,
        };
        Row {
            cell: cell.iter().map(|(axis, value)| ((*axis).to_owned(), (*value).to_owned())).collect(),
            values: values.iter().map(value).collect(),
            ..Row::default()
        }
    }

    #[test]
    fn runs_of_other_seeds_are_one_value_beside_the_published_one() {
        let experiment = experiment(
            "metric = 'rougeL'\ndiffers = ['a smaller model']\n[[table]]\nrows = ['layout']\ncolumns = ['seen-tasks']\n\
             names = { none = 'no instructions' }\n[[table.published]]\nscore = 13\nat = { layout = 'none', seen-tasks = 5 }\n",
        );
        let rows = [("0", 10.0), ("1", 12.0)].map(|(seed, score)| {
            row(&[("layout", "none"), ("seed", seed), ("seen-tasks", "5")], &[("overall", "rougeL", score)])
        });
        let table = &tables(&experiment, &rows)[0];
        assert_eq!(table.header, ["layout", "5"]);
        assert_eq!(table.rows, [["no instructions", "11.0 ± 1.4 [13]"].map(str::to_owned).to_vec()]);
        assert_eq!(
            table.note,
            "In brackets: published. ± is the standard deviation over 2 seeds. What differs from the paper: a smaller model."
        );
    }

    #[test]
    fn zests_tables_have_types_down_and_the_models_metrics_across() {
        let experiment = experiment(
            "metrics = ['mean', 'C@75', 'C@90']\n[[table]]\nrows = ['group']\ncolumns = ['model', 'metric']\n\
             source = 'zest'\nbeside = ['human estimate, test']\n",
        );
        let values = [("base", "mean", 50.0), ("base", "C@75", 20.0), ("overall", "mean", 40.0)];
        let table = &tables(&experiment, &[row(&[("model", "m")], &values)])[0];
        assert_eq!(table.header[..3], ["group", "m, mean", "m, C@75"]);
        assert!(table.header.contains(&"human estimate, test, C@90".to_owned()), "{:?}", table.header);
        let base = table.rows.iter().find(|row| row[0] == "base").unwrap();
        assert!(base.contains(&"[88]".to_owned()) && base.contains(&"20.0".to_owned()), "{base:?}");
        assert_eq!(table.rows.len(), 6);
    }

    #[test]
    fn an_axis_that_the_table_does_not_name_goes_down() {
        let experiment = experiment("metric = 'f1'\n[[table]]\nrows = ['model']\ncolumns = ['metric']\n");
        let rows = ["a", "b"].map(|split| row(&[("model", "m"), ("split", split)], &[("overall", "f1", 1.0)]));
        let table = &tables(&experiment, &rows)[0];
        assert_eq!(table.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["m, a", "m, b"]);
    }

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert_eq!((spread(&[1.0]), spread(&[1.0, 3.0])), (None, Some((2.0, 2.0_f64.sqrt()))));
    }
}
