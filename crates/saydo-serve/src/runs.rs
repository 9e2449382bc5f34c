//! The runs in the folders that the server was told of. Clients name runs, never paths: a name is looked up in the list.

use crate::App;
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use saydo_corpus::Status;
use saydo_protocol::record;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// A run as the list shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Found {
    /// Its name here: that of its folder, with a number where two are called the same.
    pub(crate) name: String,
    /// The protocol, or `documents`.
    pub(crate) kind: String,
    /// What was asked.
    title: String,
    model: String,
    /// When it was begun, in seconds since 1970, where that is known.
    begun: Option<u64>,
    #[serde(skip)]
    pub(crate) folder: PathBuf,
}

/// A run over documents.
#[derive(Debug, Serialize)]
pub(crate) struct Detail {
    #[serde(flatten)]
    found: Found,
    tasks: Vec<String>,
    /// How many answers there are of each status.
    counts: BTreeMap<&'static str, usize>,
    settings: String,
}

/// Every run, by name.
pub(crate) async fn list(app: &App) -> Answered<Vec<Found>> {
    let folders = app.config().runs.clone();
    compute(move || Ok(all(&folders))).await
}

/// The run of this name.
pub(crate) async fn find(app: &App, name: String) -> Answered<Found> {
    list(app).await?.into_iter().find(|found| found.name == name).ok_or_else(|| Failure::missing("run"))
}

fn all(folders: &[PathBuf]) -> Vec<Found> {
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        paths.push(folder.clone());
        paths.sort();
        found.extend(paths.iter().filter_map(|path| of_folder(path)));
    }
    let mut taken = BTreeMap::new();
    for run in &mut found {
        let count = taken.entry(run.name.clone()).or_insert(0_usize);
        *count += 1;
        if *count > 1 {
            run.name = format!("{} ({count})", run.name);
        }
    }
    found
}

/// Whether a folder holds files and folders alone. Opening a pipe would wait for whoever writes to it.
fn is_plain(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    // What a link leads to counts; one that leads nowhere cannot be opened.
    entries.map(|entry| std::fs::metadata(entry.path())).all(|entry| entry.is_ok_and(|it| it.is_file() || it.is_dir()))
}

fn of_folder(folder: &Path) -> Option<Found> {
    if !is_plain(folder) {
        return None;
    }
    let name = folder.file_name()?.to_str()?.to_owned();
    if let Ok(record) = record::Record::load(folder) {
        return Some(Found {
            name,
            kind: record.protocol.to_string(),
            title: record.data.join(", "),
            model: record.model,
            begun: Some(record.begun),
            folder: folder.to_owned(),
        });
    }
    let record = saydo::record::Record::load(folder).ok()??;
    let titles: Vec<&str> = record.tasks.iter().map(|task| task.name.as_str()).collect();
    let (kind, title) = ("documents".to_owned(), titles.join("; "));
    Some(Found { name, kind, title, model: record.model, begun: None, folder: folder.to_owned() })
}

/// What there is to say of a run over documents.
pub(crate) async fn detail(found: Found) -> Answered<Detail> {
    compute(move || {
        let record = saydo::record::Record::load(&found.folder).ok().flatten();
        let record = record.ok_or_else(|| Failure::missing("run over documents"))?;
        let counts = counts(&found.folder).map_err(Failure::internal)?;
        let settings = serde_json::to_string_pretty(&record.settings).map_err(Failure::internal)?;
        let tasks = record.tasks.into_iter().map(|task| task.name).collect();
        Ok(Detail { found, tasks, counts, settings })
    })
    .await
}

/// Answers by status over all ledgers of a folder.
fn counts(folder: &Path) -> std::io::Result<BTreeMap<&'static str, usize>> {
    #[derive(serde::Deserialize)]
    struct Line {
        status: Status,
    }
    let mut counts = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !(name.starts_with("ledger") && name.ends_with(".jsonl")) {
            continue;
        }
        for line in BufReader::new(std::fs::File::open(&path)?).lines() {
            // A line that is none, as a killed process may leave, counts for nothing.
            if let Ok(line) = serde_json::from_str::<Line>(&line?) {
                *counts.entry(line.status.name()).or_insert(0) += 1;
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_over_documents_are_found_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let record = saydo::record::Record::new("m", "f", Vec::new(), 0, serde_json::json!({}));
        for name in ["a", "b"] {
            saydo::record::Folder::open(&folder.path().join(name), &record).unwrap();
        }
        std::fs::create_dir(folder.path().join("other")).unwrap();
        let names: Vec<String> = all(&[folder.path().to_owned()]).into_iter().map(|found| found.name).collect();
        assert_eq!(names, ["a", "b"]);
        let twice = all(&[folder.path().to_owned(), folder.path().to_owned()]);
        assert_eq!(twice[2].name, "a (2)");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_where_a_file_should_be_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let record = saydo::record::Record::new("m", "f", Vec::new(), 0, serde_json::json!({}));
        saydo::record::Folder::open(&folder.path().join("good"), &record).unwrap();
        for name in ["run.json", "eval.json", "ledger.jsonl"] {
            let bad = folder.path().join(format!("bad {name}"));
            std::fs::create_dir(&bad).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(bad.join(name)).status().unwrap().success());
        }
        let names: Vec<String> = all(&[folder.path().to_owned()]).into_iter().map(|found| found.name).collect();
        assert_eq!(names, ["good"]);
    }
}
