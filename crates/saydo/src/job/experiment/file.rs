//! The file that declares an experiment.

use crate::Error;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A grid of evaluations, each of what was trained for it if there are trainings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it shows.
    pub title: String,
    /// Which table or figure of which paper it follows.
    #[serde(default)]
    pub follows: String,
    /// What a reader of the table should know.
    #[serde(default)]
    pub note: String,
    /// The protocol, as `saydo eval` names it.
    pub protocol: String,
    /// Where the data is, unless `--data` says.
    #[serde(default)]
    pub data: Vec<PathBuf>,
    /// The groups that get a column each: `category`, `generalization`, `domain`, `dataset`, `kind` or `task`.
    #[serde(default)]
    pub columns: Option<String>,
    /// The metric in the table; the protocol's first if absent.
    #[serde(default)]
    pub metric: Option<String>,
    /// Further metrics, for `[[table]]`; for ZEST also `mean`, `C@75` and `C@90`, the paper's own.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// The paper's tables, which are printed before the table of all cells.
    #[serde(default)]
    pub table: Vec<PaperTable>,
    /// What differs from the paper, in a few words each: the model, the data at hand.
    #[serde(default)]
    pub differs: Vec<String>,
    /// What varies: flags of `saydo eval` with the values each one takes; in `grid.train`, flags of `saydo train`.
    #[serde(default)]
    pub grid: toml::Table,
    /// What every cell trains before it evaluates: flags of `saydo train`. Nothing is trained without it.
    #[serde(default)]
    pub train: Option<toml::Table>,
    /// What is the same for all cells: flags of `saydo eval`.
    #[serde(default)]
    pub settings: toml::Table,
    /// Published rows to print beside.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// A row of a paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Whose.
    pub name: String,
    /// The score, in percent.
    pub score: f64,
}

/// A table of a paper: which dimensions go down and which across. Dimensions are the axes of the grid, `group` and `metric`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperTable {
    /// Which one; the experiment's title if empty.
    #[serde(default)]
    pub title: String,
    /// The dimensions that go down.
    pub rows: Vec<String>,
    /// The dimensions that go across.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Only these groups; `overall` is the mean. All of them if empty.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Only these metrics; all of them if empty.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// What the paper calls a value.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Published values, each with its place along the dimensions.
    #[serde(default)]
    pub published: Vec<PublishedAt>,
    /// Where more published values come from.
    #[serde(default)]
    pub source: Option<Source>,
    /// Only these published models of the source; all of them if empty.
    #[serde(default)]
    pub beside: Vec<String>,
    /// What differs from the paper in this table.
    #[serde(default)]
    pub differs: Vec<String>,
}

/// A published value and its place.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedAt {
    /// In percent.
    pub score: f64,
    /// The value of each dimension; `group` is `overall` and `metric` the first one unless they are given.
    pub at: toml::Table,
}

/// Published values that are part of Saydo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// ZEST's Tables 3 to 5 and 7 to 10: `T5-11B ZEST + MTL, dev` and so on.
    Zest,
    /// The Turking Test's Tables 1 to 3.
    Turking,
}

impl Experiment {
    /// The metrics that are looked at, the one of the table of all cells first; empty for the protocol's first.
    pub fn metrics(&self) -> Vec<String> {
        let further = self.metrics.iter().filter(|metric| Some(*metric) != self.metric.as_ref());
        self.metric.iter().chain(further).cloned().collect()
    }

    /// Reads an experiment.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::read(path))?;
        let bad = |source| Error::BadSettings { path: path.to_owned(), what: "experiment", source: Box::new(source) };
        let experiment: Self = toml::from_str(&text).map_err(bad)?;
        let known = ["category", "generalization", "domain", "dataset", "kind", "task"];
        if let Some(columns) = experiment.columns.as_deref().filter(|columns| !known.contains(columns)) {
            let found = format!("{}: columns = \"{columns}\"", path.display());
            return Err(Error::unfit(found, format!("one of {}", known.join(", "))));
        }
        if experiment.grid.contains_key("train") && experiment.train.is_none() {
            return Err(Error::unfit(format!("{}: grid.train without [train]", path.display()), "both"));
        }
        let grid = experiment.grid.iter().filter(|(key, _)| *key != "train").map(|(key, _)| key);
        let trained = experiment.grid.get("train").and_then(toml::Value::as_table);
        let axes: Vec<&str> = grid.chain(trained.into_iter().flat_map(toml::Table::keys)).map(String::as_str).collect();
        for dimension in experiment.table.iter().flat_map(|table| table.rows.iter().chain(&table.columns)) {
            let dimension = dimension.as_str();
            if !axes.contains(&dimension) && !["model", "group", "metric"].contains(&dimension) {
                let found = format!("{}: {dimension} is no axis of the grid", path.display());
                return Err(Error::unfit(found, "one, group or metric"));
            }
        }
        Ok(experiment)
    }
}
