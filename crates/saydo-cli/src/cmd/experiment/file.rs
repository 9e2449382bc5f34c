//! The file that declares an experiment.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::Path;

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
    pub data: Vec<String>,
    /// The groups that get a column each: `category`, `generalization`, `domain`, `dataset`, `kind` or `task`.
    #[serde(default)]
    pub columns: Option<String>,
    /// The metric in the table; the protocol's first if absent.
    #[serde(default)]
    pub metric: Option<String>,
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

impl Experiment {
    /// Reads an experiment.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let experiment: Self = toml::from_str(&text).with_context(|| format!("{} is no experiment", path.display()))?;
        let known = ["category", "generalization", "domain", "dataset", "kind", "task"];
        if let Some(columns) = experiment.columns.as_deref().filter(|columns| !known.contains(columns)) {
            bail!("{}: columns = \"{columns}\", expected one of {}", path.display(), known.join(", "));
        }
        if experiment.grid.contains_key("train") && experiment.train.is_none() {
            bail!("{}: grid.train without [train], expected both", path.display());
        }
        Ok(experiment)
    }
}
