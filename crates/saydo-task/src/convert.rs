//! Writing a dataset in another format, and saying what that format cannot hold.
//!
//! Formats with one task per file give a folder, ZEST gives one file. A new folder appears when it is whole;
//! in one that is there already, each file does. Each task is read back from the text that is written and compared, so that a loss no writer
//! announces is still reported.

mod name;

use crate::dataset::{Dataset, LocatedTask};
use crate::format::Format;
use crate::output;
use crate::source::Source;
use crate::{Error, Task};
use name::Names;
use rayon::prelude::*;
use saydo_file::{StagedFolder, disk};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

/// So many tasks are turned into text at once, on all cores, before they are written.
const CHUNK: usize = 64;

/// What became of each task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertReport {
    /// The format written.
    pub format: Format,
    /// The tasks, in the order of the dataset.
    pub tasks: Vec<ConvertedTask>,
}

/// What became of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedTask {
    /// Its id.
    pub id: String,
    /// The file it stands in now.
    pub path: PathBuf,
    /// The parts the format cannot hold; empty when reading the file gives the same task.
    pub lost: Vec<String>,
}

impl ConvertReport {
    /// How many tasks lost each part.
    pub fn losses(&self) -> BTreeMap<&str, usize> {
        let mut losses = BTreeMap::new();
        for part in self.tasks.iter().flat_map(|task| &task.lost) {
            *losses.entry(part.as_str()).or_default() += 1;
        }
        losses
    }
}

/// Writes every task of a dataset in a format.
///
/// `out` is a folder for formats with one task per file, and a file for ZEST. Nothing is written if a file would be
/// overwritten, unless `overwrite` allows it; other files in the folder are left alone.
pub fn convert_dataset(dataset: &Dataset, to: Format, out: &Path, overwrite: bool) -> Result<ConvertReport, Error> {
    let tasks: Vec<&Task> = dataset.tasks.iter().map(|LocatedTask { task, .. }| task).collect();
    let tasks = if to.is_line_per_task() {
        write_lines(&tasks, to, out, overwrite)
    } else {
        write_folder(&tasks, to, out, overwrite)
    };
    Ok(ConvertReport { format: to, tasks: tasks? })
}

fn write_lines(tasks: &[&Task], to: Format, out: &Path, overwrite: bool) -> Result<Vec<ConvertedTask>, Error> {
    if out.is_dir() {
        return Err(Error::IsFolder { path: out.to_owned() });
    }
    let mut converted = Vec::with_capacity(tasks.len());
    output::write_whole(out, overwrite, |file| {
        for task in tasks {
            let (text, lost) = write_checked(task, to, out);
            file.write_all(text.as_bytes())?;
            converted.push(ConvertedTask { id: task.id.clone(), path: out.to_owned(), lost });
        }
        Ok(())
    })?;
    Ok(converted)
}

fn write_folder(tasks: &[&Task], to: Format, out: &Path, overwrite: bool) -> Result<Vec<ConvertedTask>, Error> {
    let io = |source| Error::Write { path: out.to_owned(), source };
    let mut names = Names::default();
    let paths: Vec<PathBuf> =
        tasks.iter().map(|task| out.join(format!("{}.{}", names.stem(&task.id), to.extension()))).collect();
    for path in &paths {
        output::refuse_existing(path, overwrite)?;
    }
    // Inside the folder if there is one: it may be a file system of its own, to which nothing can be renamed.
    let is_new = !out.is_dir();
    let staged = StagedFolder::create(&if is_new { out.to_owned() } else { out.join(".saydo") }).map_err(io)?;
    let mut converted = Vec::with_capacity(tasks.len());
    for (tasks, paths) in tasks.chunks(CHUNK).zip(paths.chunks(CHUNK)) {
        let texts: Vec<_> = tasks.par_iter().zip(paths).map(|(task, path)| write_checked(task, to, path)).collect();
        for ((task, path), (text, lost)) in tasks.iter().zip(paths).zip(texts) {
            let failed = |source| Error::Write { path: path.clone(), source };
            staged.write(name_of(path), text.as_bytes()).map_err(failed)?;
            converted.push(ConvertedTask { id: task.id.clone(), path: path.clone(), lost });
        }
    }
    if is_new {
        staged.commit().map_err(io)?;
    } else {
        for path in &paths {
            let failed = |source| Error::Write { path: path.clone(), source };
            disk::rename(&staged.staging_path().join(name_of(path)), path).map_err(failed)?;
        }
        disk::sync_folder(out).map_err(io)?;
    }
    Ok(converted)
}

/// The last part of a path that was joined from a folder and a name.
fn name_of(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).expect("the name was made from text")
}

/// A task as text, and what a reader of that text will miss.
fn write_checked(task: &Task, to: Format, path: &Path) -> (String, Vec<String>) {
    let written = to.write(task);
    let mut lost = written.lost;
    let read =
        Source::from_bytes(path, written.text.clone().into_bytes()).and_then(|source| to.read(&source).into_tasks());
    match read.map(|mut tasks| tasks.pop()) {
        Ok(Some(back)) => {
            if back.id != task.id {
                lost.push("id (the file's name stands for it)".to_owned());
            }
            if written_whole(&lost) && (Task { id: task.id.clone(), ..back }) != *task {
                lost.push("words the format reads as something else".to_owned());
            }
        }
        Ok(None) => lost.push("everything: no task is read back".to_owned()),
        Err(error) => lost.push(format!("everything, as it cannot be read back: {error}")),
    }
    (written.text, lost)
}

/// Whether nothing but the id is known to be lost, so that the rest must be equal.
fn written_whole(lost: &[String]) -> bool {
    lost.iter().all(|part| part.starts_with("id "))
}

#[cfg(test)]
mod tests;
