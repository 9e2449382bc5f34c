//! All tasks of a file or folder, each with the file and line it came from.

use crate::format::{Format, Reading};
use crate::problem::{Code, Problem};
use crate::source::Source;
use crate::{Error, Task, everyday};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The tasks found under a path, in the order of file names.
#[derive(Debug, Default)]
pub struct Dataset {
    /// The tasks and where they stand.
    pub tasks: Vec<LocatedTask>,
    /// Files that look like data but hold no tasks; left out.
    pub skipped: Vec<PathBuf>,
}

/// A task and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedTask {
    /// The file.
    pub path: PathBuf,
    /// The line its record starts on, from 1.
    pub line: usize,
    /// The task.
    pub task: Task,
}

impl Dataset {
    /// Loads a task file, or every task file under a folder. A published dataset keeps its tasks in a folder named
    /// `tasks`, beside other things: where there is one, only that is read. Names of the data set that ships inside
    /// (`everyday`, `everyday:choose`, `everyday/hotels`) are data too, unless there is such a path.
    pub fn load(path: &Path) -> Result<Dataset, Error> {
        if let Some(name) = path.to_str().filter(|name| everyday::is_name(name) && !path.exists()) {
            return Ok(Dataset { tasks: everyday::load(name)?, ..Dataset::default() });
        }
        let files = task_files(path)?;
        let is_folder = path.is_dir();
        let read: Vec<_> = files.par_iter().map(|file| (file, load_file(file))).collect();
        let mut dataset = Dataset::default();
        for (file, tasks) in read {
            match tasks {
                Ok(tasks) => dataset.tasks.extend(tasks),
                Err(Error::UnknownFormat { .. }) if is_folder => dataset.skipped.push(file.clone()),
                Err(error) => return Err(error),
            }
        }
        if dataset.tasks.is_empty() {
            let expected =
                "task files: .toml, .json (Natural Instructions, Super-NaturalInstructions) or .jsonl (ZEST)";
            return Err(Error::NoTasks { path: path.to_owned(), expected: expected.to_owned() });
        }
        dataset.refuse_repeated_ids()?;
        Ok(dataset)
    }

    /// Loads several files or folders as one dataset; an id may stand in it once.
    pub fn load_all<P: AsRef<Path>>(paths: &[P]) -> Result<Dataset, Error> {
        let mut all = Dataset::default();
        for path in paths {
            let Dataset { tasks, skipped } = Dataset::load(path.as_ref())?;
            all.tasks.extend(tasks);
            all.skipped.extend(skipped);
        }
        all.refuse_repeated_ids()?;
        Ok(all)
    }

    /// The tasks for which `keep` says so.
    pub fn filtered(&self, keep: impl Fn(&LocatedTask) -> bool) -> Dataset {
        Dataset { tasks: self.tasks.iter().filter(|located| keep(located)).cloned().collect(), skipped: Vec::new() }
    }

    /// The task with this id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().map(|located| &located.task).find(|task| task.id == id)
    }

    fn refuse_repeated_ids(&self) -> Result<(), Error> {
        let mut seen = std::collections::HashMap::new();
        for located in &self.tasks {
            if let Some(first) = seen.insert(located.task.id.as_str(), located) {
                return Err(located.repeated_id(first).into());
            }
        }
        Ok(())
    }
}

impl LocatedTask {
    /// The problem of this task having the id of an earlier one.
    pub(crate) fn repeated_id(&self, first: &LocatedTask) -> Problem {
        Problem {
            code: Code::RepeatedId,
            place: crate::problem::Place { file: self.path.clone(), line: self.line, column: 1 },
            element: String::new(),
            found: format!("task `{}` again", self.task.id),
            expected: format!("each id once; it stands in {}:{} already", first.path.display(), first.line),
        }
    }
}

fn load_file(path: &Path) -> Result<Vec<LocatedTask>, Error> {
    let (_, reading) = read_file(path)?;
    let lines: Vec<usize> = reading.tasks.iter().map(|(line, _)| *line).collect();
    let tasks = reading.into_tasks()?;
    Ok(lines.into_iter().zip(tasks).map(|(line, task)| LocatedTask { path: path.to_owned(), line, task }).collect())
}

/// Reads one file in the format it is in, with every problem met.
pub fn read_file(path: &Path) -> Result<(Format, Reading), Error> {
    Format::read_any(&Source::load(path)?)
}

/// The files under `path` that may hold tasks, in order; `path` itself if it is a file.
pub fn task_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let io = |source| Error::Read { path: path.to_owned(), source };
    if !std::fs::metadata(path).map_err(io)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let tasks = path.join("tasks");
    let mut files = Vec::new();
    collect(if tasks.is_dir() { &tasks } else { path }, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let io = |source| Error::Read { path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let path = entry.path();
        // A link is followed to a file but not to a folder: folders could form a circle.
        if entry.file_type().map_err(io)?.is_dir() {
            collect(&path, files)?;
        } else if is_task_name(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn is_task_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    !name.starts_with('.') && [".toml", ".json", ".jsonl"].iter().any(|extension| name.ends_with(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "definition = \"Is it wet?\"\n";

    #[test]
    fn a_folder_gives_its_tasks_in_order_and_skips_other_data() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.toml", "sub/a.toml", "sub/.hidden.toml"] {
            std::fs::create_dir_all(folder.path().join("sub")).unwrap();
            std::fs::write(folder.path().join(name), TASK).unwrap();
        }
        std::fs::write(folder.path().join("manifest.json"), "{\"x\": 1}").unwrap();
        let dataset = Dataset::load(folder.path()).unwrap();
        let ids: Vec<_> = dataset.tasks.iter().map(|located| located.task.id.as_str()).collect();
        assert_eq!(ids, ["b", "a"]);
        assert_eq!(dataset.skipped, [folder.path().join("manifest.json")]);
    }

    #[test]
    fn two_tasks_with_one_id_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("x")).unwrap();
        std::fs::write(folder.path().join("a.toml"), TASK).unwrap();
        std::fs::write(folder.path().join("x/a.toml"), TASK).unwrap();
        let error = Dataset::load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("x/a.toml:1:1: task `a` again, expected each id once; it stands in "), "{error}");
    }

    #[test]
    fn an_empty_folder_says_what_it_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let error = Dataset::load(folder.path()).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "holds no task, expected task files: .toml, .json (Natural Instructions, \
                                 Super-NaturalInstructions) or .jsonl (ZEST)"
            ),
            "{error}"
        );
    }
}
