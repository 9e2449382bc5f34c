//! The cells of a grid: every combination of its values, each as the arguments of one `saydo eval` and, if there are
//! trainings, of the `saydo train` before it.

use super::file::Experiment;
use crate::cmd::{eval, train};
use crate::flags::Arguments;
use anyhow::{Context, Result, bail};
use clap::Parser as _;
use saydo_protocol::harness::file_name;
use std::path::PathBuf;
use toml::Value;

/// What the command line says for all cells.
pub struct Shared {
    pub data: Vec<PathBuf>,
    pub train_data: Vec<PathBuf>,
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
    training: Option<Vec<String>>,
}

/// Flags that mean the same to an evaluation and to the training before it.
const COMMON: [&str; 3] = ["model", "layout", "seed"];

/// What varies.
#[derive(Clone)]
struct Axis {
    flag: String,
    values: Vec<Value>,
    /// Whether it is a flag of the training.
    trains: bool,
}

/// A value of each axis.
type Combination<'a> = Vec<(&'a Axis, &'a Value)>;

impl Cell {
    /// What tells it from the other cells.
    pub fn name(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|(axis, value)| format!("{axis} {value}")).collect();
        if values.is_empty() { "the only one".to_owned() } else { values.join(", ") }
    }

    /// The arguments of its evaluation, of what was `learned` if there is a flag that names it.
    pub fn args(&self, learned: Option<String>) -> Result<eval::Args> {
        let is_replaced = |argument: &&String| learned.as_ref().is_some_and(|flag| same_flag(flag, argument));
        let kept = self.arguments.iter().filter(|argument| !is_replaced(argument)).cloned();
        self.parse(kept.chain(learned.clone()))
    }

    /// The arguments of the training before it, if there is one.
    pub fn training(&self) -> Result<Option<train::Args>> {
        self.training.iter().map(|arguments| self.parse(arguments.iter().cloned())).next().transpose()
    }

    fn parse<A: clap::Args>(&self, arguments: impl Iterator<Item = String>) -> Result<A> {
        let arguments = Arguments::<A>::try_parse_from(arguments);
        Ok(arguments.with_context(|| format!("cell {}", self.name()))?.args)
    }
}

/// Whether two arguments set the same flag.
fn same_flag(one: &str, other: &str) -> bool {
    one.split('=').next() == other.split('=').next()
}

/// All cells; the last axis varies fastest.
pub fn cells(experiment: &Experiment, shared: &Shared) -> Result<Vec<Cell>> {
    let mut axes = axes(&experiment.grid, false)?;
    if !shared.models.is_empty() {
        let values = shared.models.iter().cloned().map(Value::String).collect();
        axes.retain(|axis| axis.flag != "model");
        axes.insert(0, Axis { flag: "model".to_owned(), values, trains: false });
    }
    let mut combinations: Vec<Combination<'_>> = vec![Vec::new()];
    for axis in &axes {
        combinations = combinations.iter().flat_map(|begun| with_each(begun, axis)).collect();
    }
    combinations.into_iter().map(|values| cell(experiment, shared, &values)).collect()
}

/// A combination with each value of another axis.
fn with_each<'a>(begun: &Combination<'a>, axis: &'a Axis) -> Vec<Combination<'a>> {
    axis.values.iter().map(|value| [begun.clone(), vec![(axis, value)]].concat()).collect()
}

/// The axes of a table, and those of the table `train` in it.
fn axes(grid: &toml::Table, trains: bool) -> Result<Vec<Axis>> {
    let mut axes = Vec::new();
    for (flag, values) in grid {
        match values {
            Value::Array(values) if !values.is_empty() => {
                axes.push(Axis { flag: flag.clone(), values: values.clone(), trains });
            }
            Value::Table(inner) if flag == "train" && !trains => axes.extend(self::axes(inner, true)?),
            other => bail!("grid.{flag} is {other}, expected a list of values"),
        }
    }
    Ok(axes)
}

fn cell(experiment: &Experiment, shared: &Shared, values: &[(&Axis, &Value)]) -> Result<Cell> {
    let data = paths_or(&shared.data, &experiment.data);
    let named: Vec<(String, String)> = values.iter().map(|(axis, value)| (axis.flag.clone(), text(value))).collect();
    let name: Vec<&str> = named.iter().map(|(_, value)| value.as_str()).collect();
    let name = if name.is_empty() { "run".to_owned() } else { file_name(&name.join("-")) };
    let folder = shared.folder.join(name);
    let of_eval = || {
        let varied = values.iter().filter(|(axis, _)| !axis.trains).map(|(axis, value)| (&axis.flag, *value));
        // What the command line makes an axis wins over what the file says for all cells.
        let is_varied = |flag: &str| values.iter().any(|(axis, _)| !axis.trains && axis.flag == flag);
        experiment.settings.iter().filter(move |(flag, _)| !is_varied(flag)).chain(varied)
    };
    let mut arguments = vec!["saydo eval".to_owned(), experiment.protocol.clone()];
    data.iter().for_each(|path| arguments.push(format!("--data={path}")));
    for (flag, value) in of_eval().filter(|(flag, _)| *flag != "limit" || shared.limit.is_none()) {
        push(&mut arguments, flag, value)?;
    }
    // Models are compared as they were published, or as a cell trained them: an adapter that ships would favor one of them.
    if !of_eval().any(|(flag, _)| flag == "adapter") {
        arguments.push("--adapter=none".to_owned());
    }
    arguments.extend(shared.limit.map(|limit| format!("--limit={limit}")));
    let home = shared.home.as_ref().map(|home| format!("--home={}", home.display()));
    arguments.extend(home.clone());
    arguments.push(format!("--output-path={}", folder.display()));
    let training = match &experiment.train {
        None => None,
        Some(train) => {
            let mut flags = training_flags(train, &paths_or(&shared.train_data, &data), of_eval(), values)?;
            flags.extend(home);
            flags.push(format!("--output-path={}", folder.join("training").display()));
            Some(flags)
        }
    };
    Ok(Cell { values: named, arguments, training })
}

/// Paths of the command line, or what holds without them.
fn paths_or(paths: &[PathBuf], otherwise: &[String]) -> Vec<String> {
    match paths {
        [] => otherwise.to_vec(),
        paths => paths.iter().map(|path| path.display().to_string()).collect(),
    }
}

/// The flags of a cell's training: what the evaluation says of both, what all trainings have, and what varies.
fn training_flags<'a>(
    train: &'a toml::Table,
    data: &[String],
    of_eval: impl Iterator<Item = (&'a String, &'a Value)>,
    values: &'a [(&'a Axis, &'a Value)],
) -> Result<Vec<String>> {
    let mut flags = vec!["saydo train".to_owned()];
    flags.extend(data.iter().map(|path| format!("--data={path}")));
    let varied = || values.iter().filter(|(axis, _)| axis.trains).map(|(axis, value)| (&axis.flag, *value));
    let is_varied = |flag: &str| varied().any(|(other, _)| other == flag);
    let common = of_eval.filter(|(flag, _)| COMMON.contains(&flag.as_str()) && !train.contains_key(*flag));
    for (flag, value) in common.chain(train).filter(|(flag, _)| !is_varied(flag)).chain(varied()) {
        push(&mut flags, flag, value)?;
    }
    Ok(flags)
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
        let shared = Shared {
            data: Vec::new(),
            train_data: Vec::new(),
            models: Vec::new(),
            limit,
            home: None,
            folder: PathBuf::from("out"),
        };
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
            "--adapter=none",
            "--limit=7",
            "--output-path=out/b_c-1",
        ];
        assert_eq!(cells[3].arguments, expected);
        assert!(cells[3].args(None).is_ok());
    }

    #[test]
    fn a_flag_that_eval_does_not_have_is_refused_with_the_cell() {
        let cells = cells_of(&format!("{HEAD}[settings]\nhold = true\n"), None).unwrap();
        let error = format!("{:#}", cells[0].args(None).err().unwrap());
        assert!(error.contains("--hold"), "{error}");
    }

    #[test]
    fn a_cell_trains_before_it_evaluates_and_evaluates_what_it_learned() {
        let text = format!(
            "{HEAD}[grid]\nlayout = [\"none\", \"ni-full\"]\n[grid.train]\nseen-tasks = [5, 15]\n[settings]\nmodel = \"m\"\n\
             [train]\nsteps = 3\n"
        );
        let cells = cells_of(&text, Some(7)).unwrap();
        assert_eq!(cells[3].name(), "layout ni-full, seen-tasks 15");
        let expected = [
            "saydo train",
            "--data=dev.jsonl",
            "--model=m",
            "--layout=ni-full",
            "--steps=3",
            "--seen-tasks=15",
            "--output-path=out/ni-full-15/training",
        ];
        assert_eq!(cells[3].training.as_deref(), Some(&expected.map(str::to_owned)[..]));
        assert!(cells[3].training().unwrap().is_some());
        assert!(!cells[3].arguments.iter().any(|argument| argument.contains("seen-tasks")));
        assert!(cells[3].args(Some("--adapter=best".to_owned())).is_ok());
        assert!(cells[3].args(Some("--model=best".to_owned())).is_ok(), "in place of the model that was trained");
    }

    #[test]
    fn an_axis_without_values_is_refused() {
        let error = cells_of(&format!("{HEAD}[grid]\nmodel = \"a\"\n"), None).unwrap_err();
        assert_eq!(error.to_string(), "grid.model is \"a\", expected a list of values");
    }
}
