//! A collected dataset as a folder to publish: ZEST's own files with the test answers apart, a row for each pair of task and
//! passage, the training files of T5 and BART, a data card, a license, metadata and checksums.
//!
//! | File | Holds |
//! | --- | --- |
//! | `train.jsonl`, `dev.jsonl`, `test_unanswered.jsonl` | the tasks, in ZEST's format |
//! | `test-answers/test.jsonl` | the test tasks with their answers: keep this folder back for a hidden test set |
//! | `rows/{train,dev,test}.jsonl` | a row per task and passage, every row with the same fields; the test rows have no answers |
//! | `t5/`, `bart/` | the training files of the paper's models |
//! | `README.md` | the data card, with the header that Hugging Face `datasets` reads |
//! | `croissant.json` | the same for programs (Croissant 1.0) |
//! | `statistics.json` | Table 2 of the ZEST paper, for each part |
//! | `collection.json` | how it was collected, where that is known |
//! | `LICENSE`, `checksums.sha256` | the license; SHA-256 of every other file, for `sha256sum -c` |

mod card;
mod collection;
mod croissant;
mod row;

pub use collection::{Agreement, Collection, StepFacts};

use saydo_encode::training_file::{bart_lines, bart_test_lines, t5_csv};
use saydo_file::digest;
use saydo_metrics::python::Random;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::describe::{Description, describe};
use saydo_task::format::Format;
use saydo_task::format::zest::{Record, read_records};
use saydo_task::source::Source;
use saydo_task::{Instance, Task};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The names of the parts, in their order.
pub const PARTS: [&str; 3] = ["train", "dev", "test"];
/// The seed of the released script that drew one answer of several for BART.
const BART_SEED: u32 = 5;

/// What is released.
#[derive(Debug, Clone, Default)]
pub struct Release {
    /// What the dataset is called.
    pub name: String,
    /// The license: its SPDX identifier, such as `CC-BY-4.0`.
    pub license: String,
    /// The license's text; a reference to it if there is none.
    pub license_text: Option<String>,
    /// Where the dataset can be found.
    pub homepage: Option<String>,
    /// The tasks of train, dev and test.
    pub parts: [Vec<Task>; 3],
    /// How it was collected, where that is known.
    pub collection: Option<Collection>,
    /// What a user of the data should know.
    pub limits: Vec<String>,
}

/// A file of a release: its path in the folder, with `/` between, and its bytes.
pub type File = (String, Vec<u8>);

/// Why a dataset cannot be released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A part that must have tasks has none.
    #[error("{part} has no task, expected tasks in train and test")]
    EmptyPart {
        /// The part.
        part: &'static str,
    },
    /// A task that stands in two parts or twice in one.
    #[error("task {id} stands in {first} and in {second}, expected each task once")]
    Repeated {
        /// The task's id.
        id: String,
        /// The part it stands in first.
        first: &'static str,
        /// The part it stands in again.
        second: &'static str,
    },
    /// Derived tasks in another part than what they derive from.
    #[error(
        "families of tasks cross parts: {count}, expected none; the first: {task} in {part} derives from {base} in {base_part}"
    )]
    Crossing {
        /// How many derived tasks.
        count: usize,
        /// The first of them.
        task: String,
        /// Its part.
        part: &'static str,
        /// What it derives from.
        base: String,
        /// The part of that.
        base_part: &'static str,
    },
    /// An instance without an answer.
    #[error("task {id} in {part}: passage {number} has no answer, expected one for every passage")]
    Unanswered {
        /// The task's id.
        id: String,
        /// Its part.
        part: &'static str,
        /// Which passage, from 1.
        number: usize,
    },
    /// A name that cannot be one.
    #[error("the {what} is {found:?}, expected {expected}")]
    BadName {
        /// What it names.
        what: &'static str,
        /// What it is.
        found: String,
        /// What it can be.
        expected: &'static str,
    },
    /// A training file that cannot be made.
    #[error(transparent)]
    Encode(#[from] saydo_encode::Error),
    /// Tasks that do not come back from their file.
    #[error(transparent)]
    Task(#[from] saydo_task::Error),
}

impl Release {
    /// Every file of the folder, in the order of their names.
    ///
    /// Fails if train or test is empty, a task stands twice, a family of tasks crosses parts, or a passage has no answer.
    pub fn files(&self) -> Result<Vec<File>, Error> {
        self.check()?;
        let statistics = self.statistics();
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut put = |name: String, text: String| files.insert(name, text.into_bytes());
        for (name, tasks) in PARTS.into_iter().zip(&self.parts).filter(|(_, tasks)| !tasks.is_empty()) {
            if name == "test" {
                put("test_unanswered.jsonl".to_owned(), lines(tasks.iter().map(unanswered)));
                put("test-answers/test.jsonl".to_owned(), lines(tasks.iter().cloned()));
            } else {
                put(format!("{name}.jsonl"), lines(tasks.iter().cloned()));
            }
            put(format!("rows/{name}.jsonl"), row::lines(tasks, name != "test"));
        }
        for (name, text) in self.training_files()? {
            put(name, text);
        }
        put("statistics.json".to_owned(), pretty(&json!(statistics)));
        if let Some(collection) = &self.collection {
            put("collection.json".to_owned(), pretty(&json!(collection)));
        }
        put("LICENSE".to_owned(), self.license_file());
        put("README.md".to_owned(), card::write(self, &statistics));
        let croissant = croissant::write(self, &files);
        files.insert("croissant.json".to_owned(), pretty(&croissant).into_bytes());
        let sums: String = files.iter().map(|(name, bytes)| format!("{}  {name}\n", digest::of(bytes).hex())).collect();
        files.insert("checksums.sha256".to_owned(), sums.into_bytes());
        Ok(files.into_iter().collect())
    }

    /// Table 2 of the paper for each part that has tasks, as whoever reads the released files finds it: they hold no kinds of
    /// answers.
    pub fn statistics(&self) -> BTreeMap<&'static str, Description> {
        let released = |task: &Task| Task { answer: None, ..task.clone() };
        let located = |task: &Task| LocatedTask { path: "release".into(), line: 1, task: released(task) };
        let of =
            |tasks: &Vec<Task>| describe(&Dataset { tasks: tasks.iter().map(located).collect(), ..Dataset::default() });
        let parts = PARTS.into_iter().zip(&self.parts).filter(|(_, tasks)| !tasks.is_empty());
        parts.map(|(name, tasks)| (name, of(tasks))).collect()
    }

    fn check(&self) -> Result<(), Error> {
        let bad = |what, found: &str, expected| Error::BadName { what, found: found.to_owned(), expected };
        if self.name.trim().is_empty() || self.name.contains(['\n', '\r']) {
            return Err(bad("name", &self.name, "a line of text"));
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || "-.+".contains(c);
        if self.license.is_empty() || !self.license.chars().all(fits) {
            return Err(bad("license", &self.license, "an SPDX identifier such as CC-BY-4.0"));
        }
        let mut part_of: HashMap<&str, &'static str> = HashMap::new();
        for (part, tasks) in PARTS.into_iter().zip(&self.parts) {
            if tasks.is_empty() && part != "dev" {
                return Err(Error::EmptyPart { part });
            }
            for task in tasks {
                if let Some(first) = part_of.insert(&task.id, part) {
                    return Err(Error::Repeated { id: task.id.clone(), first, second: part });
                }
                if let Some(place) = task.instances.iter().position(|instance| instance.outputs.is_empty()) {
                    return Err(Error::Unanswered { id: task.id.clone(), part, number: place + 1 });
                }
            }
        }
        self.check_families(&part_of)
    }

    fn check_families(&self, part_of: &HashMap<&str, &'static str>) -> Result<(), Error> {
        let mut crossing = Vec::new();
        for (part, tasks) in PARTS.into_iter().zip(&self.parts) {
            for task in tasks {
                let elsewhere = |base: &&String| part_of.get(base.as_str()).is_some_and(|other| *other != part);
                crossing.extend(task.origin.derives_from.iter().find(elsewhere).map(|base| (task, part, base)));
            }
        }
        match crossing.first() {
            None => Ok(()),
            Some((task, part, base)) => Err(Error::Crossing {
                count: crossing.len(),
                task: task.id.clone(),
                part,
                base: (*base).clone(),
                base_part: part_of[base.as_str()],
            }),
        }
    }

    fn training_files(&self) -> Result<Vec<(String, String)>, Error> {
        let [train, dev, test] = &self.parts;
        let mut made = Vec::new();
        for (name, tasks) in [("train", train), ("validation", dev)].into_iter().filter(|(_, tasks)| !tasks.is_empty())
        {
            made.push((format!("t5/{name}.zest.csv"), t5_csv(&records(tasks.iter().cloned())?)));
        }
        // Whoever trains must not find the answers of the test set here.
        let unanswered = records(test.iter().map(unanswered))?;
        made.push(("t5/test.zest.csv".to_owned(), t5_csv(&unanswered)));
        let mut random = Random::seeded(BART_SEED);
        for (name, tasks) in [("train", train), ("val", dev)].into_iter().filter(|(_, tasks)| !tasks.is_empty()) {
            let found = bart_lines(&records(tasks.iter().cloned())?, &mut |count| random.choice_index(count))?;
            made.extend([(format!("bart/{name}.source"), found.source), (format!("bart/{name}.target"), found.target)]);
        }
        let found = bart_test_lines(&unanswered);
        made.extend([("bart/test.source".to_owned(), found.source), ("bart/test.target".to_owned(), found.target)]);
        Ok(made)
    }

    fn license_file(&self) -> String {
        let reference = || {
            let (name, license) = (&self.name, &self.license);
            format!("{name} is licensed under {license}.\n\nThe full text: https://spdx.org/licenses/{license}.html\n")
        };
        self.license_text.clone().unwrap_or_else(reference)
    }
}

/// The task without its answers.
fn unanswered(task: &Task) -> Task {
    let bare = |instance: &Instance| Instance { outputs: Vec::new(), all_answers: Vec::new(), ..instance.clone() };
    Task { instances: task.instances.iter().map(bare).collect(), ..task.clone() }
}

fn lines(tasks: impl Iterator<Item = Task>) -> String {
    tasks.map(|task| Format::Zest.write(&task).text).collect()
}

fn records(tasks: impl Iterator<Item = Task>) -> Result<Vec<Record>, Error> {
    let text = lines(tasks);
    Ok(read_records(&Source::from_bytes(Path::new("release.jsonl"), text.into_bytes())?)?)
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests;
