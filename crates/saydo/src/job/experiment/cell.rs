//! The cells of a grid: every combination of its values, each with the settings of its evaluation and, if there are
//! trainings, of the training before it.

use super::file::Experiment;
use super::settings;
use crate::Error;
use crate::job::{eval, train};
use saydo_protocol::harness::file_name;
use std::path::PathBuf;
use toml::{Table, Value};

/// What is said for all cells beside the file.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    /// Data in place of the file's. Default: the file's.
    pub data: Vec<PathBuf>,
    /// Data to train on. Default: the data of the evaluations.
    pub train_data: Vec<PathBuf>,
    /// Models in place of the file's. Default: the file's.
    pub models: Vec<String>,
    /// The model of a file that names none.
    pub default_model: String,
    /// Max instances of each task. Default: the file's.
    pub limit: Option<usize>,
    /// The split in place of the file's. Default: the file's.
    pub split: Option<String>,
    /// Addresses of servers, unless the file has some. Default: none.
    pub base_url: Vec<String>,
    /// The folder of runs and table.
    pub folder: PathBuf,
}

/// One evaluation of the grid.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The values of the axes, in the order of the file.
    pub values: Vec<(String, String)>,
    evaluation: eval::Settings,
    training: Option<train::Settings>,
    /// What tells its evaluation from others but for seed and training.
    asks: String,
}

/// Settings that mean the same to an evaluation and to the training before it.
const COMMON: [&str; 5] = ["model", "layout", "seed", "split", "ablation"];

/// Protocols whose data are questions over documents, which `saydo train` takes as `--reading`.
const OF_QUESTIONS: [&str; 2] = ["reading", "everyday"];

/// What varies.
#[derive(Clone)]
struct Axis {
    key: String,
    values: Vec<Value>,
    /// Whether it is a setting of the training.
    trains: bool,
}

/// A value of each axis.
type Combination<'a> = Vec<(&'a Axis, &'a Value)>;

impl Cell {
    /// What tells it from the other cells.
    pub fn name(&self) -> String {
        name_of(&self.values)
    }

    /// What it asks: the same for cells that differ in nothing but seed and training.
    pub fn asks(&self) -> &str {
        &self.asks
    }

    /// Its evaluation, of what was learned for it if there is a training.
    pub fn evaluation(&self, trained: Option<&train::Trained>) -> eval::Settings {
        let mut evaluation = self.evaluation.clone();
        let Some(trained) = trained else { return evaluation };
        evaluation.seen_tasks = Some(trained.tasks);
        evaluation.model = if trained.is_adapter() {
            evaluation.model.with_adapter(Some(trained.result.clone()))
        } else {
            evaluation.model.with_model(&trained.result.display().to_string())
        };
        evaluation
    }

    /// The training before it, if there is one.
    pub fn training(&self) -> Option<train::Settings> {
        self.training.clone()
    }
}

fn name_of(values: &[(String, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(axis, value)| format!("{axis} {value}")).collect();
    if values.is_empty() { "the only one".to_owned() } else { values.join(", ") }
}

/// All cells; the last axis varies fastest.
pub fn cells(experiment: &Experiment, shared: &Shared) -> Result<Vec<Cell>, Error> {
    let mut axes = axes(&experiment.grid, false)?;
    if let (Some(split), true) = (&shared.split, axes.iter().any(|axis| axis.key == "split")) {
        let found = format!("--split {split} for an experiment whose grid has splits");
        return Err(Error::unfit(found, "one or the other"));
    }
    if !shared.models.is_empty() {
        let values = shared.models.iter().cloned().map(Value::String).collect();
        axes.retain(|axis| axis.key != "model");
        axes.insert(0, Axis { key: "model".to_owned(), values, trains: false });
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
fn axes(grid: &Table, trains: bool) -> Result<Vec<Axis>, Error> {
    let mut axes = Vec::new();
    for (key, values) in grid {
        match values {
            Value::Array(values) if !values.is_empty() => {
                axes.push(Axis { key: key.clone(), values: values.clone(), trains });
            }
            Value::Table(inner) if key == "train" && !trains => axes.extend(self::axes(inner, true)?),
            other => return Err(Error::unfit(format!("grid.{key} is {other}"), "a list of values")),
        }
    }
    Ok(axes)
}

fn cell(experiment: &Experiment, shared: &Shared, values: &[(&Axis, &Value)]) -> Result<Cell, Error> {
    let named: Vec<(String, String)> = values.iter().map(|(axis, value)| (axis.key.clone(), text(value))).collect();
    let words: Vec<&str> = named.iter().map(|(_, value)| value.as_str()).collect();
    let folder = shared.folder.join(if words.is_empty() { "run".to_owned() } else { file_name(&words.join("-")) });
    let varied = |trains: bool| values.iter().filter(move |(axis, _)| axis.trains == trains).copied();
    let mut given = experiment.settings.clone();
    given.entry("model").or_insert_with(|| Value::String(shared.default_model.clone()));
    given.extend(varied(false).map(|(axis, value)| (axis.key.clone(), value.clone())));
    if let Some(split) = &shared.split {
        given.insert("split".to_owned(), Value::String(split.clone()));
    }
    let within = |source| Error::Cell { name: name_of(&named), source: Box::new(source) };
    let data = if shared.data.is_empty() { &experiment.data } else { &shared.data };
    let mut evaluation = settings::evaluation(given.clone()).map_err(within)?;
    evaluation.protocol.clone_from(&experiment.protocol);
    if !data.is_empty() {
        evaluation.data.clone_from(data);
    }
    evaluation.limit = shared.limit.or(evaluation.limit);
    // Models are compared as they were published, or as a cell trained them: an adapter that ships would favor one of them.
    if !given.contains_key("adapter") {
        evaluation.model = evaluation.model.with_adapter(None);
    }
    if evaluation.model.base_url.is_empty() {
        evaluation.model.base_url.clone_from(&shared.base_url);
    }
    evaluation.folder = Some(folder.clone());
    let training = experiment.train.as_ref().map(|train| {
        let common = given.iter().filter(|(key, _)| COMMON.contains(&key.as_str()));
        let mut given: Table = common.map(|(key, value)| (key.clone(), value.clone())).collect();
        given.extend(train.clone());
        given.extend(varied(true).map(|(axis, value)| (axis.key.clone(), value.clone())));
        let mut job = settings::training(given).map_err(within)?;
        if job.recipe.lr.len() > 1 {
            let found = format!("{} learning rates", job.recipe.lr.len());
            return Err(within(Error::unfit(found, "one: put them on an axis of the grid")));
        }
        let data = if shared.train_data.is_empty() { data } else { &shared.train_data };
        if OF_QUESTIONS.contains(&experiment.protocol.as_str()) {
            job.data.reading = [data, &job.data.reading[..]].concat();
        } else {
            job.data.data = [data, &job.data.data[..]].concat();
        }
        if job.model.base_url.is_empty() {
            job.model.base_url.clone_from(&shared.base_url);
        }
        job.folder = folder.join("training");
        Ok(job)
    });
    let training = training.transpose()?;
    if let Some(task) = training.as_ref().and_then(|job| job.data.upper_bound.clone()) {
        // The model has learned this very task, on instances that are not measured; its scores say so.
        (evaluation.tasks, evaluation.allow_seen) = (vec![task], true);
    }
    let asks: Vec<String> = varied(false)
        .filter(|(axis, _)| axis.key != "seed")
        .map(|(axis, value)| format!("{} {}", axis.key, text(value)))
        .chain(training.as_ref().and_then(|job| job.data.upper_bound.clone()))
        .collect();
    Ok(Cell { values: named, evaluation, training, asks: asks.join(", ") })
}

/// A value as the name of a cell has it.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(text: &str, limit: Option<usize>) -> Result<Vec<Cell>, Error> {
        let experiment: Experiment = toml::from_str(text).unwrap();
        let (default_model, folder) = ("default".to_owned(), PathBuf::from("out"));
        cells(&experiment, &Shared { limit, default_model, folder, ..Shared::default() })
    }

    const HEAD: &str = "title = \"t\"\nprotocol = \"zest\"\ndata = [\"dev.jsonl\"]\n";

    #[test]
    fn every_combination_is_a_cell_and_has_a_folder() {
        let text =
            format!("{HEAD}[grid]\nmodel = [\"a\", \"b/c\"]\nseed = [0, 1]\n[settings]\nheld = true\nchat = false\n");
        let cells = cells_of(&text, Some(7)).unwrap();
        let names: Vec<String> = cells.iter().map(Cell::name).collect();
        assert_eq!(names, ["model a, seed 0", "model a, seed 1", "model b/c, seed 0", "model b/c, seed 1"]);
        let last = cells[3].evaluation(None);
        assert_eq!(
            (last.protocol.as_str(), &last.data[..], last.constrained),
            ("zest", &[PathBuf::from("dev.jsonl")][..], true)
        );
        assert_eq!((last.model.name.as_str(), last.model.seed, last.limit), ("b/c", 1, Some(7)));
        assert_eq!(last.folder, Some(PathBuf::from("out/b_c-1")));
        assert!(last.model.is_bare(), "no adapter that ships");
    }

    #[test]
    fn a_setting_that_evaluations_do_not_have_is_refused_with_the_cell_before_anything_runs() {
        let message = |text: &str| {
            let error = cells_of(&format!("{HEAD}{text}"), None).err().unwrap();
            crate::record::cell::chain(&error)
        };
        assert_eq!(
            message("[grid]\nseed = [1]\n[settings]\nconstrain = true\n"),
            "cell seed 1: `constrain` is no setting; did you mean `constrained`?"
        );
        assert_eq!(message("[train]\nstep = 3\n"), "cell the only one: `step` is no setting; did you mean `steps`?");
    }

    #[test]
    fn a_cell_trains_before_it_evaluates_and_evaluates_what_it_learned() {
        let text = format!(
            "{HEAD}[grid]\nlayout = [\"none\", \"ni-full\"]\n[grid.train]\nseen-tasks = [5, 15]\n[settings]\nmodel = \"m\"\n\
             [train]\nsteps = 3\n"
        );
        let cells = cells_of(&text, Some(7)).unwrap();
        assert_eq!(cells[3].name(), "layout ni-full, seen-tasks 15");
        let training = cells[3].training().unwrap();
        assert_eq!((&training.data.data[..], training.model.name.as_str()), (&[PathBuf::from("dev.jsonl")][..], "m"));
        assert_eq!((&training.data.layout[..], training.recipe.steps), (&["ni-full".to_owned()][..], Some(3)));
        assert_eq!(training.data.seen_tasks, saydo_train::SeenTasks::Some(15));
        assert_eq!(training.folder, PathBuf::from("out/ni-full-15/training"));
        let folder = tempfile::tempdir().unwrap();
        let result = folder.path().to_owned();
        let trained = train::Trained {
            lr: 1e-4,
            folder: result.clone(),
            tasks: 15,
            steps: 3,
            best: None,
            loss: None,
            result: result.clone(),
        };
        let model = cells[3].evaluation(Some(&trained));
        assert_eq!(model.model.name, result.display().to_string(), "in place of the model that was trained");
        std::fs::write(result.join("adapter_config.json"), "{}").unwrap();
        let adapter = cells[3].evaluation(Some(&trained));
        assert_eq!((adapter.model.name.as_str(), adapter.model.adapter_folder()), ("m", Some(folder.path())));
        assert_eq!(adapter.seen_tasks, Some(15));
    }

    #[test]
    fn an_upper_bound_is_measured_on_the_task_that_was_learned() {
        let text = format!("{HEAD}[grid.train]\nupper-bound = [\"subtask040\", \"subtask044\"]\n[train]\nsteps = 3\n");
        let cells = cells_of(&text, None).unwrap();
        let evaluation = cells[1].evaluation(None);
        assert_eq!((&evaluation.tasks[..], evaluation.allow_seen), (&["subtask044".to_owned()][..], true));
    }

    #[test]
    fn a_training_leaves_out_what_its_evaluation_holds_out_and_takes_away_the_same() {
        let text = "title = 't'\nprotocol = 'reading'\ndata = ['everyday']\n[grid]\nablation = ['question-only']\n\
                    [settings]\nsplit = 'domains'\n[train]\nreading = 'boolq.jsonl'\n";
        let job = cells_of(text, None).unwrap()[0].training().unwrap();
        assert_eq!(job.data.split.as_deref(), Some("domains"));
        assert_eq!(job.data.ablation, Some(saydo_task::Ablation::QuestionOnly));
        assert_eq!(job.data.reading, [PathBuf::from("everyday"), PathBuf::from("boolq.jsonl")]);
        assert!(job.data.data.is_empty());
    }

    #[test]
    fn an_axis_without_values_is_refused() {
        let error = cells_of(&format!("{HEAD}[grid]\nmodel = \"a\"\n"), None).err().unwrap();
        assert_eq!(error.to_string(), "grid.model is \"a\", expected a list of values");
    }
}
