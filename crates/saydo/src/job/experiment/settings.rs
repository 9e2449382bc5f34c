//! From the keys of an experiment file to the settings of an evaluation and of a training.
//!
//! Keys are the names of flags. Each type of settings takes the keys that are its own; what is left over is unknown.

use crate::Error;
use crate::job::{eval, train};
use crate::nearest::nearest;
use crate::schema::names;
use crate::session::ModelSettings;
use saydo_train::{DataSettings, Recipe};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// Keys that take several values: one may stand alone, or several in one text with commas.
const LISTS: [&str; 11] = [
    "base-url",
    "data",
    "decoding",
    "layout",
    "lr",
    "per-task-cap",
    "reading",
    "reading-cap",
    "targets",
    "tasks",
    "unseen",
];

/// An evaluation from its keys; the model is in it.
pub fn evaluation(table: Table) -> Result<eval::Settings, Error> {
    let mut table = normalized(table);
    let model: ModelSettings = take(&mut table)?;
    let mut evaluation: eval::Settings = take(&mut table)?;
    refuse(&table, &[names::<eval::Settings>(), names::<ModelSettings>()])?;
    evaluation.model = model;
    Ok(evaluation)
}

/// A training from its keys, with nowhere to go yet.
pub fn training(table: Table) -> Result<train::Settings, Error> {
    let mut table = normalized(table);
    let (model, data, recipe) = (take(&mut table)?, take(&mut table)?, take(&mut table)?);
    refuse(&table, &[names::<DataSettings>(), names::<Recipe>(), names::<ModelSettings>()])?;
    Ok(train::Settings { data, recipe, model, folder: Default::default() })
}

/// Keys with hyphens; what is `false` is left out, and lists are lists.
fn normalized(table: Table) -> Table {
    let given = table.into_iter().filter(|(_, value)| *value != Value::Boolean(false));
    given
        .map(|(key, value)| {
            let key = key.replace('_', "-");
            let value = if LISTS.contains(&key.as_str()) { listed(value) } else { value };
            (key, value)
        })
        .collect()
}

fn listed(value: Value) -> Value {
    Value::Array(match value {
        Value::Array(values) => values,
        Value::String(text) => text.split(',').map(|part| Value::String(part.to_owned())).collect(),
        value => vec![value],
    })
}

/// The settings of a type, whose keys leave the table.
fn take<T: DeserializeOwned>(table: &mut Table) -> Result<T, Error> {
    let mut own = Table::new();
    for key in names::<T>() {
        if let Some(value) = table.remove(*key) {
            own.insert((*key).to_owned(), value);
        }
    }
    let keys: Vec<String> = own.keys().cloned().collect();
    own.try_into().map_err(|source| Error::BadValue { keys: keys.join(", "), source: Box::new(source) })
}

fn refuse(left: &Table, known: &[&[&'static str]]) -> Result<(), Error> {
    let Some(unknown) = left.keys().next() else { return Ok(()) };
    let nearest = nearest(unknown, known.iter().copied().flatten().copied()).map(str::to_owned);
    Err(Error::UnknownSetting { key: unknown.clone(), nearest, known: known.concat() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn every_list_is_a_list_of_some_settings() {
        let known = [names::<eval::Settings>(), names::<ModelSettings>(), names::<DataSettings>(), names::<Recipe>()];
        for key in LISTS {
            assert!(known.concat().contains(&key), "{key}");
        }
        let all = "base-url = 'a'\ndata = 'd'\ndecoding = 'greedy,beam'\nlayout = ['x']\ntasks = 'a,b'\n";
        assert_eq!(evaluation(table(all)).unwrap().data.len(), 1);
        let all = "lr = 1\nper_task_cap = [1, 2]\nreading = 'r'\nreading-cap = 3\ntargets = 'q,k'\nunseen = 'u'\n";
        let job = training(table(all)).unwrap();
        assert_eq!((&job.recipe.lr[..], &job.data.per_task_cap[..]), (&[1.0][..], &[1, 2][..]));
        assert_eq!(job.recipe.targets, ["q", "k"]);
    }

    #[test]
    fn an_unknown_key_is_refused_with_what_may_be_meant() {
        let message = |text: &str| crate::record::cell::chain(&evaluation(table(text)).err().unwrap());
        assert_eq!(message("constrain = true"), "`constrain` is no setting; did you mean `constrained`?");
        assert!(message("steps = 3").contains("is no setting"));
        assert!(message("nonsensical-words = 3").contains("expected some of"));
        assert!(message("limit = 'many'").contains("limit"));
        let message = |text: &str| crate::record::cell::chain(&training(table(text)).err().unwrap());
        assert_eq!(message("step = 3"), "`step` is no setting; did you mean `steps`?");
        assert!(message("schedule = 'liner'").contains("unknown variant `liner`"));
    }

    #[test]
    fn settings_have_the_types_of_flags() {
        let evaluation =
            evaluation(table("num_fewshot = 'max'\nbatch-size = 4\nadapter = 'none'\nheld = false")).unwrap();
        assert_eq!(evaluation.model.name, crate::session::DEFAULT_MODEL);
        let job = training(table("seen-tasks = 'all'\nprecision = 'bf16'\nseed = 3")).unwrap();
        assert_eq!((job.data.seen_tasks, job.model.seed), (saydo_train::SeenTasks::All, 3));
    }
}
