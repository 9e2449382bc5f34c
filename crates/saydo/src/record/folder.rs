//! The folder of a run: what was run (`run.json`), and the answers (`ledger.jsonl`, or a ledger for each shard).

use super::Key;
use crate::Error;
use saydo_corpus::Shard;
use saydo_file::disk;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What a run is a run of. Two runs with the same key give the same answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of Saydo that wrote it.
    pub version: String,
    /// The key of the functions on their model, in digits.
    pub key: String,
    /// The model, as it was named.
    pub model: String,
    /// What tells the model, with its adapter, from others.
    pub fingerprint: String,
    /// The functions.
    pub tasks: Vec<TaskRecord>,
    /// The seed of everything random.
    pub seed: u64,
    /// Everything else that was asked for; it changes which documents are run and where rows go, but no answer.
    pub settings: Value,
}

/// One function of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Its column.
    pub name: String,
    /// Everything but model and document that its answers depend on.
    pub identity: Value,
}

impl Record {
    /// The record of these functions on this model.
    pub fn new(model: &str, fingerprint: &str, tasks: Vec<TaskRecord>, seed: u64, settings: Value) -> Self {
        let identities: Vec<&Value> = tasks.iter().map(|task| &task.identity).collect();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            key: Key::of_set(&identities, fingerprint).to_string(),
            model: model.to_owned(),
            fingerprint: fingerprint.to_owned(),
            tasks,
            seed,
            settings,
        }
    }

    /// Reads the record of a folder; none if it has none.
    pub fn load(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join("run.json");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::Read { path, source }),
        };
        let record: Self = serde_json::from_slice(&bytes)
            .map_err(|error| Error::BadRecord { path: path.clone(), reason: error.to_string() })?;
        match record.key.parse::<Key>() {
            Ok(_) => Ok(Some(record)),
            Err(()) => Err(Error::BadRecord { path, reason: format!("its key is {:?}", record.key) }),
        }
    }

    /// The name of a folder for this run: the words of its first task, and the start of its key.
    pub fn folder_name(&self) -> String {
        let words = self.tasks.first().map(|task| slug(&task.name)).unwrap_or_default();
        let words = if words.is_empty() { "run" } else { &words };
        format!("{words}-{}", &self.key[..8])
    }

    /// What the run is of, in a few words.
    pub(crate) fn describe(&self) -> String {
        let names: Vec<String> = self.tasks.iter().map(|task| format!("`{}`", task.name)).collect();
        format!("{} on {} ({})", names.join(", "), self.model, &self.key[..8])
    }

    fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join("run.json");
        let text = serde_json::to_string_pretty(self).expect("a record is JSON") + "\n";
        saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))
    }
}

/// Lower-case words of at most 40 characters together, with hyphens between; letters of any script stay.
fn slug(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut slug = String::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let longer = slug.chars().count() + 1 + word.chars().count();
        if longer > 41 {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    slug
}

/// The folder of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder if it is not there and writes the record. Fails if it holds a run of something else.
    pub fn open(path: &Path, record: &Record) -> Result<Self, Error> {
        disk::create_folders(path).map_err(Error::write(path))?;
        match Record::load(path)? {
            Some(found) if found.key != record.key => {
                Err(Error::OtherRun { folder: path.to_owned(), found: found.describe(), expected: record.describe() })
            }
            Some(found) if found == *record => Ok(Self { path: path.to_owned() }),
            _ => record.save(path).map(|()| Self { path: path.to_owned() }),
        }
    }

    /// A folder that holds a run already.
    pub fn existing(path: &Path) -> Result<(Self, Record), Error> {
        let record = Record::load(path)?.ok_or_else(|| Error::NoRun { folder: path.to_owned() })?;
        Ok((Self { path: path.to_owned() }, record))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The ledger of the whole run, or of one shard.
    pub fn ledger(&self, shard: Option<Shard>) -> PathBuf {
        self.path.join(match shard {
            None => "ledger.jsonl".to_owned(),
            Some(shard) => format!("ledger-{}-of-{}.jsonl", shard.index(), shard.count()),
        })
    }

    /// All ledgers of the folder, each with its shard: those of shards in their order, the one of the whole run last.
    pub fn ledgers(&self) -> Result<Vec<(Option<Shard>, PathBuf)>, Error> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(Error::read(&self.path))? {
            let path = entry.map_err(Error::read(&self.path))?.path();
            match path.file_name().and_then(|name| name.to_str()) {
                Some("ledger.jsonl") => found.push((None, path)),
                Some(name) => found.extend(shard_of(name).map(|shard| (Some(shard), path))),
                None => {}
            }
        }
        let order = |shard: &Option<Shard>| shard.map_or((u64::MAX, 0), |shard| (shard.count(), shard.index()));
        found.sort_by_key(|(shard, _)| order(shard));
        Ok(found)
    }

    /// The ledgers beside that of a shard, or of the whole run.
    pub fn beside(&self, shard: Option<Shard>) -> Result<Vec<PathBuf>, Error> {
        let all = self.ledgers()?.into_iter();
        Ok(all.filter(|(other, _)| *other != shard).map(|(_, path)| path).collect())
    }
}

fn shard_of(name: &str) -> Option<Shard> {
    let numbers = name.strip_prefix("ledger-")?.strip_suffix(".jsonl")?;
    let (index, count) = numbers.split_once("-of-")?;
    Shard::new(index.parse().ok()?, count.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(task: &str) -> Record {
        let tasks = vec![TaskRecord { name: task.to_owned(), identity: json!({"definition": task}) }];
        Record::new("tiny", "f00", tasks, 0, json!({}))
    }

    #[test]
    fn folders_are_named_for_their_first_task() {
        let record = record("What waterfall hikes are there in this national park, and are they accessible?");
        let expected = format!("what-waterfall-hikes-are-there-in-this-{}", &record.key[..8]);
        assert_eq!(record.folder_name(), expected);
        assert_eq!(slug("¿Dónde está?"), "dónde-está");
        assert_eq!(slug("../../etc"), "etc");
        assert!(self::record("???").folder_name().starts_with("run-"));
    }

    #[test]
    fn a_folder_takes_only_the_run_it_was_made_for() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("deep/run");
        Folder::open(&folder, &record("Is it wet?")).unwrap();
        Folder::open(&folder, &record("Is it wet?")).unwrap();
        let error = Folder::open(&folder, &record("Is it dry?")).unwrap_err().to_string();
        let (wet, dry) = (&record("Is it wet?").key[..8], &record("Is it dry?").key[..8]);
        let expected = format!("holds a run of `Is it wet?` on tiny ({wet}), expected `Is it dry?` on tiny ({dry})");
        assert!(error.ends_with(&expected), "{error}");
    }

    #[test]
    fn settings_that_change_no_answer_may_change() {
        let scratch = tempfile::tempdir().unwrap();
        Folder::open(scratch.path(), &record("a")).unwrap();
        let changed = Record { settings: json!({"limit": "10"}), ..record("a") };
        Folder::open(scratch.path(), &changed).unwrap();
        assert_eq!(Record::load(scratch.path()).unwrap(), Some(changed));
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn a_fault_at_any_step_leaves_the_old_or_the_new_record() {
        use saydo_file::fault::{Trial, at_every_step};
        let scratch = tempfile::tempdir().unwrap();
        let changed = Record { settings: json!({"limit": "10"}), ..record("a") };
        let open = |folder: &Path, record: &Record| Folder::open(&folder.join("run"), record).map(|_| ());
        let after = |folder: &Path, trial: &Trial<Error>| {
            let found = Record::load(&folder.join("run")).unwrap();
            assert!(found == Some(record("a")) || found.as_ref() == Some(&changed), "{trial}: {found:?}");
            assert!(trial.outcome.is_err() || found.as_ref() == Some(&changed), "{trial}: it said that it had written");
            open(folder, &changed).unwrap();
        };
        let before = |folder: &Path| open(folder, &record("a")).unwrap();
        assert!(at_every_step("run record", scratch.path(), before, |folder| open(folder, &changed), after) >= 5);
    }

    #[test]
    fn a_record_that_is_none_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        for text in ["", "{}", "[1]"] {
            fs::write(scratch.path().join("run.json"), text).unwrap();
            assert!(matches!(Folder::open(scratch.path(), &record("a")), Err(Error::BadRecord { .. })), "{text}");
        }
        let bad = Record { key: "x".to_owned(), ..record("a") };
        fs::write(scratch.path().join("run.json"), serde_json::to_string(&bad).unwrap()).unwrap();
        assert!(matches!(Record::load(scratch.path()), Err(Error::BadRecord { .. })));
    }

    #[test]
    fn shards_have_ledgers_of_their_own() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::open(scratch.path(), &record("a")).unwrap();
        let shards = [Shard::new(2, 10), Shard::new(10, 10), None];
        for shard in shards.iter().rev() {
            fs::write(folder.ledger(*shard), "").unwrap();
        }
        fs::write(scratch.path().join("ledger.jsonl.1"), "").unwrap();
        fs::write(scratch.path().join("ledger-3-of-2.jsonl"), "").unwrap();
        let found: Vec<Option<Shard>> = folder.ledgers().unwrap().into_iter().map(|(shard, _)| shard).collect();
        assert_eq!(found, shards);
        assert_eq!(folder.beside(None).unwrap(), [folder.ledger(shards[0]), folder.ledger(shards[1])]);
    }
}
