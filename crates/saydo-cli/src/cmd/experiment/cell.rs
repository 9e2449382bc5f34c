//! The cells of a grid: every combination of its values, each as the arguments of one `saydo eval`.

use super::file::Experiment;
use crate::cmd::eval;
use anyhow::{Context, Result, bail};
use clap::Parser;
use saydo_protocol::harness::file_name;
use std::path::PathBuf;
use toml::Value;

/// What the command line says for all cells.
pub struct Shared {
    pub data: Vec<PathBuf>,
    pub models: Vec<String>,
    pub limit: Option<usize>,
    pub home: Option<PathBuf>,
    pub folder: PathBuf,
}

/// One evaluation of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The values of the axes, in the order of the file.
    pub values: Vec<(String, String)>,
    arguments: Vec<String>,
}

/// Lets clap read an evaluation's arguments from a list.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    args: eval::Args,
}

impl Cell {
    /// What tells it from the other cells.
    pub fn name(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|(axis, value)| format!("{axis} {value}")).collect();
        if values.is_empty() { "the only one".to_owned() } else { values.join(", ") }
    }

    /// The arguments of its evaluation.
    pub fn args(&self) -> Result<eval::Args> {
        let arguments = Arguments::try_parse_from(&self.arguments);
        Ok(arguments.with_context(|| format!("cell {}", self.name()))?.args)
    }
}

/// All cells; the last axis varies fastest.
pub fn cells(experiment: &Experiment, shared: &Shared) -> Result<Vec<Cell>> {
    let mut axes: Vec<(String, Vec<Value>)> = Vec::new();
    for (axis, values) in &experiment.grid {
        let values = match values {
            Value::Array(values) if !values.is_empty() => values.clone(),
            other => bail!("grid.{axis} is {other}, expected a list of values"),
        };
        axes.push((axis.clone(), values));
    }
    if !shared.models.is_empty() {
        let models = shared.models.iter().cloned().map(Value::String).collect();
        axes.retain(|(axis, _)| axis != "model");
        axes.insert(0, ("model".to_owned(), models));
    }
    let mut combinations: Vec<Vec<(String, Value)>> = vec![Vec::new()];
    for (axis, values) in &axes {
        let longer = |begun: &Vec<(String, Value)>| {
            let with = |value: &Value| [begun.clone(), vec![(axis.clone(), value.clone())]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    combinations.into_iter().map(|values| cell(experiment, shared, values)).collect()
}

fn cell(experiment: &Experiment, shared: &Shared, values: Vec<(String, Value)>) -> Result<Cell> {
    let mut arguments = vec!["saydo eval".to_owned(), experiment.protocol.clone()];
    let own: Vec<String> = shared.data.iter().map(|path| path.display().to_string()).collect();
    let data = if own.is_empty() { &experiment.data } else { &own };
    data.iter().for_each(|path| arguments.push(format!("--data={path}")));
    for (flag, value) in experiment.settings.iter().filter(|(flag, _)| *flag != "limit" || shared.limit.is_none()) {
        push(&mut arguments, flag, value)?;
    }
    for (axis, value) in values.iter().filter(|(axis, _)| axis != "limit" || shared.limit.is_none()) {
        push(&mut arguments, axis, value)?;
    }
    if let Some(limit) = shared.limit {
        arguments.push(format!("--limit={limit}"));
    }
    if let Some(home) = &shared.home {
        arguments.push(format!("--home={}", home.display()));
    }
    let values: Vec<(String, String)> = values.into_iter().map(|(axis, value)| (axis, text(&value))).collect();
    let name: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
    let name = if name.is_empty() { "run".to_owned() } else { file_name(&name.join("-")) };
    arguments.push(format!("--output-path={}", shared.folder.join(name).display()));
    Ok(Cell { values, arguments })
}

/// Adds a flag. `true` gives it alone, `false` leaves it out.
fn push(arguments: &mut Vec<String>, flag: &str, value: &Value) -> Result<()> {
    let flag = flag.replace('_', "-");
    match value {
        Value::Boolean(true) => arguments.push(format!("--{flag}")),
        Value::Boolean(false) => {}
        Value::Array(values) => arguments.extend(values.iter().map(|value| format!("--{flag}={}", text(value)))),
        Value::Table(_) => bail!("{flag} is a table, expected a value"),
        value => arguments.push(format!("--{flag}={}", text(value))),
    }
    Ok(())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(text: &str, limit: Option<usize>) -> Result<Vec<Cell>> {
        let experiment: Experiment = toml::from_str(text).unwrap();
        let shared = Shared { data: Vec::new(), models: Vec::new(), limit, home: None, folder: PathBuf::from("out") };
        cells(&experiment, &shared)
    }

    const HEAD: &str = "title = \"t\"\nprotocol = \"zest\"\ndata = [\"dev.jsonl\"]\n";

    #[test]
    fn every_combination_is_a_cell_and_has_a_folder() {
        let text =
            format!("{HEAD}[grid]\nmodel = [\"a\", \"b/c\"]\nseed = [0, 1]\n[settings]\nheld = true\nchat = false\n");
        let cells = cells_of(&text, Some(7)).unwrap();
        let names: Vec<String> = cells.iter().map(Cell::name).collect();
        assert_eq!(names, ["model a, seed 0", "model a, seed 1", "model b/c, seed 0", "model b/c, seed 1"]);
        let expected = [
            "saydo eval",
            "zest",
            "--data=dev.jsonl",
            "--held",
            "--model=b/c",
            "--seed=1",
            "--limit=7",
            "--output-path=out/b_c-1",
        ];
        assert_eq!(cells[3].arguments, expected);
        assert!(cells[3].args().is_ok());
    }

    #[test]
    fn a_flag_that_eval_does_not_have_is_refused_with_the_cell() {
        let cells = cells_of(&format!("{HEAD}[settings]\nhold = true\n"), None).unwrap();
        let error = format!("{:#}", cells[0].args().err().unwrap());
        assert!(error.contains("--hold"), "{error}");
    }

    #[test]
    fn an_axis_without_values_is_refused() {
        let error = cells_of(&format!("{HEAD}[grid]\nmodel = \"a\"\n"), None).unwrap_err();
        assert_eq!(error.to_string(), "grid.model is \"a\", expected a list of values");
    }
}
