//! The folder of a run: everything needed to go on with it, score it again and explain it.
//!
//! | File | Holds |
//! | --- | --- |
//! | `eval.json` | what was run: [`Record`] |
//! | `tasks.jsonl` | a task a line, with its evaluated instances and their gold |
//! | `prefixes.jsonl` | what prompts begin with, each once |
//! | `samples.jsonl` | a sample a line: what was asked, and the key of its reply |
//! | `ledger.jsonl` | the replies |
//!
//! The first four are written whole before anything is asked; the ledger grows with each reply. What people said of the
//! Turking Test's outputs comes later, in `judgements.jsonl` ([`crate::turking::judged`]).

mod lines;

use crate::plan::Plan;
use crate::{Error, NamedDecoding, Protocol};
pub(crate) use lines::write_lines;
use lines::{draft_lines, read_ledger, read_lines};
use saydo_corpus::Cell;
use saydo_file::digest::Sum;
use saydo_file::{Draft, disk};
use saydo_task::Ablation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run is a run of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of Saydo that wrote it.
    pub version: String,
    /// The protocol.
    pub protocol: Protocol,
    /// The model, as it was named.
    pub model: String,
    /// What tells the model, with its adapter, from others.
    pub fingerprint: String,
    /// Where the data came from, as it was named.
    pub data: Vec<String>,
    /// SHA-256 over the tasks and instances that are evaluated.
    pub data_fingerprint: String,
    /// The layouts.
    pub layouts: Vec<String>,
    /// The decodings.
    pub decodings: Vec<NamedDecoding>,
    /// Whether prompts used the model's chat template.
    pub chat: bool,
    /// What was left out of the inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ablation: Option<Ablation>,
    /// The seed of everything random.
    pub seed: u64,
    /// How many tasks.
    pub tasks: usize,
    /// How many samples.
    pub samples: usize,
    /// When it was begun, in seconds since 1970.
    pub begun: u64,
    /// Everything else that was asked for.
    pub settings: Value,
}

/// `eval.json`: the record, and what tells the files beside it from those of another time. Of several files one is the last to
/// get its name, and a process may end before it.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    record: Record,
    /// By the files' names; records of Saydo 0.1 have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sha256: BTreeMap<String, String>,
}

const EVAL: &str = "eval.json";
const TASKS: &str = "tasks.jsonl";
const PREFIXES: &str = "prefixes.jsonl";
const SAMPLES: &str = "samples.jsonl";

/// A run that was read back.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Where it is.
    pub folder: PathBuf,
    /// What it is a run of.
    pub record: Record,
    /// What was asked. Its tasks have no more than their gold.
    pub plan: Plan,
    /// The reply to each sample; none where there is none yet.
    pub cells: Vec<Option<Cell>>,
}

/// The ledger of a run's folder.
pub fn ledger_path(folder: &Path) -> PathBuf {
    folder.join("ledger.jsonl")
}

impl Record {
    /// Writes the record and the plan into a folder, which is made if it is not there. The time of an earlier record
    /// stays: it is the same run that goes on.
    pub fn save(&mut self, folder: &Path, plan: &Plan) -> Result<(), Error> {
        disk::create_folders(folder).map_err(Error::file("write", folder))?;
        if let Ok(earlier) = Self::load(folder) {
            self.begun = earlier.begun;
        }
        let write = || {
            let drafts = [
                (TASKS, draft_lines(&folder.join(TASKS), &plan.tasks)?),
                (PREFIXES, draft_lines(&folder.join(PREFIXES), plan.prefixes.iter().map(|prefix| &**prefix))?),
                (SAMPLES, draft_lines(&folder.join(SAMPLES), &plan.samples)?),
            ];
            let sums = drafts.iter().map(|(name, (_, sum))| ((*name).to_owned(), sum.clone())).collect();
            let written = Written { record: self.clone(), sha256: sums };
            let mut text = serde_json::to_string_pretty(&written).expect("a record is JSON");
            text.push('\n');
            let mut last = Draft::create(&folder.join(EVAL))?;
            last.write_all(text.as_bytes())?;
            let mut drafts = drafts.map(|(_, (draft, _))| draft);
            drafts.iter_mut().chain([&mut last]).try_for_each(Draft::sync)?;
            drafts.into_iter().try_for_each(Draft::commit)?;
            last.commit()
        };
        write().map_err(Error::file("write", folder))
    }

    /// Reads the record of a folder.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        Written::load(folder).map(|written| written.record)
    }
}

impl Written {
    fn load(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(EVAL);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoRecord { folder: folder.to_owned() });
            }
            Err(source) => return Err(Error::File { verb: "read", path, source }),
        };
        serde_json::from_str(&text).map_err(|error| lines::bad(&path, error.line(), &error))
    }
}

impl Opened {
    /// Reads a run back: what was asked and what was said.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        let Written { record, sha256 } = Written::load(folder)?;
        let sum = |name: &str| sha256.get(name).map(String::as_str);
        let prefixes: Vec<String> = read_lines(&folder.join(PREFIXES), sum(PREFIXES))?;
        let plan = Plan {
            protocol: record.protocol,
            tasks: read_lines(&folder.join(TASKS), sum(TASKS))?,
            sources: Vec::new(),
            layouts: record.layouts.clone(),
            decodings: record.decodings.clone(),
            prefixes: prefixes.into_iter().map(Arc::from).collect(),
            samples: read_lines(&folder.join(SAMPLES), sum(SAMPLES))?,
            notes: Vec::new(),
        };
        check(&plan, &folder.join(SAMPLES))?;
        let mut replies = read_ledger(&ledger_path(folder))?;
        let cells = plan.samples.iter().map(|sample| replies.remove(&sample.key)).collect();
        Ok(Self { folder: folder.to_owned(), record, plan, cells })
    }
}

/// Every number of a sample must point at something.
fn check(plan: &Plan, path: &Path) -> Result<(), Error> {
    let is_sound = |sample: &crate::Sample| {
        let task = plan.tasks.get(sample.task);
        task.is_some_and(|task| sample.instance < task.instances.len())
            && sample.layout < plan.layouts.len()
            && sample.decoding < plan.decodings.len()
            && sample.prefix < plan.prefixes.len()
    };
    match plan.samples.iter().position(|sample| !is_sound(sample)) {
        Some(place) => Err(Error::BadRecord {
            path: path.to_owned(),
            line: place + 1,
            reason: "a sample of a task, layout, decoding or prefix that the run does not have".to_owned(),
        }),
        None => Ok(()),
    }
}

/// SHA-256 over the tasks and instances of a plan.
pub fn data_fingerprint(plan: &Plan) -> String {
    let mut state = Sum::default();
    for task in &plan.tasks {
        state.update(serde_json::to_vec(&task.unmarked()).expect("a task is JSON"));
        state.update(b"\n");
    }
    state.hex()
}

/// Writes a value as JSON; the file appears when it is whole.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_string_pretty(value).expect("a record is JSON");
    text.push('\n');
    saydo_file::write(path, text.as_bytes()).map_err(Error::file("write", path))
}
