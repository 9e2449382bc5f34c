//! Which prediction file goes with which task file.

use super::error::Error;
use super::report::Skipped;
use rustc_hash::FxHashMap;
use saydo_task::dataset;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The prediction files of one task.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) task: String,
    pub(super) task_file: PathBuf,
    pub(super) files: Vec<PathBuf>,
}

/// What is to be scored.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) groups: Vec<Group>,
    pub(super) skipped: Vec<Skipped>,
    /// Whether the predictions were given as a folder.
    pub(super) is_folder: bool,
}

/// Files that were released under a name of their own, and how the id of their task begins.
const RELEASED: [(&str, &str); 1] = [("BART_sample_predictions", "subtask034_")];

/// Pairs the prediction files under a path with the task files under others, in the order of task names.
pub(super) fn plan(tasks: &[&Path], predictions: &Path) -> Result<Plan, Error> {
    let is_folder = is_folder(predictions)?;
    let files = files(predictions)?;
    let tasks = Tasks::find(tasks)?;
    let mut groups = BTreeMap::<PathBuf, Group>::new();
    let mut skipped = Vec::new();
    for file in files {
        match tasks.of(&file, is_folder) {
            Ok((task, task_file)) => {
                let group = || Group { task, task_file: task_file.to_owned(), files: Vec::new() };
                groups.entry(task_file.to_owned()).or_insert_with(group).files.push(file);
            }
            Err(error) if is_folder && error.leaves_others_scorable() => skipped.push(error.into_skipped()),
            Err(error) => return Err(error),
        }
    }
    Ok(Plan { groups: groups.into_values().collect(), skipped, is_folder })
}

/// Task files by the id of their task.
struct Tasks<'p> {
    paths: &'p [&'p Path],
    is_one_file: bool,
    files: FxHashMap<String, Vec<PathBuf>>,
}

impl<'p> Tasks<'p> {
    fn find(paths: &'p [&'p Path]) -> Result<Self, Error> {
        let mut files = FxHashMap::<String, Vec<PathBuf>>::default();
        for path in paths {
            for file in dataset::task_files(path)? {
                files.entry(stem(&file)).or_default().push(file);
            }
        }
        let is_one_file = matches!(paths, [path] if !is_folder(path)?);
        Ok(Tasks { paths, is_one_file, files })
    }

    /// The task of a prediction file. A lone task file serves any lone prediction file, and in a folder those that name
    /// no other task.
    fn of(&self, file: &Path, is_one_of_many: bool) -> Result<(String, &Path), Error> {
        let may_name_another = is_one_of_many && base_name(file).contains('@');
        if self.is_one_file && !may_name_another {
            let (task, files) = self.files.iter().next().expect("a path to a file is listed as that file");
            return Ok((task.clone(), &files[0]));
        }
        let task = self.released(stem(file));
        match self.files.get(&task).map(Vec::as_slice) {
            None | Some([]) => {
                let tasks = self.paths.iter().map(|path| path.to_path_buf()).collect();
                Err(Error::NoTask { path: file.to_owned(), task, tasks })
            }
            Some([only]) => Ok((task, only)),
            Some([first, second, ..]) => {
                Err(Error::RepeatedTask { task, first: first.clone(), second: second.clone() })
            }
        }
    }
}

impl Tasks<'_> {
    /// The task that a name stands for, which is the name itself but for the files that were released under another.
    fn released(&self, name: String) -> String {
        let beginning = RELEASED.iter().find(|(file, _)| *file == name).map(|(_, beginning)| *beginning);
        let known = beginning.and_then(|beginning| self.files.keys().find(|task| task.starts_with(beginning)));
        known.cloned().unwrap_or(name)
    }
}

fn is_folder(path: &Path) -> Result<bool, Error> {
    let read = |source| saydo_task::Error::Read { path: path.to_owned(), source };
    Ok(std::fs::metadata(path).map_err(read)?.is_dir())
}

/// A prediction file, or those of a folder.
pub(super) fn files(predictions: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_folder(predictions)? { prediction_files(predictions) } else { Ok(vec![predictions.to_owned()]) }
}

/// The prediction files directly in a folder, by name.
fn prediction_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = |source| saydo_task::Error::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        let name = base_name(&path);
        if name.ends_with(".json") && !name.starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Error::NoFiles { path: folder.to_owned() });
    }
    files.sort();
    files.sort_by_cached_key(|file| base_name(file));
    match files.windows(2).find(|pair| base_name(&pair[0]) == base_name(&pair[1])) {
        Some(pair) => Err(Error::RepeatedFile { first: pair[0].clone(), second: pair[1].clone() }),
        None => Ok(files),
    }
}

/// A file's name without folders and without `.gz`.
pub(super) fn base_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".gz").unwrap_or(&name).to_owned()
}

/// The task a file's name starts with: all before the first `@`, or before the extension.
pub(super) fn stem(path: &Path) -> String {
    let name = base_name(path);
    let extensions = [".json", ".jsonl", ".toml"];
    let bare = extensions.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(&name);
    bare.split('@').next().unwrap_or(bare).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(folder: &Path, names: &[&str]) {
        std::fs::create_dir_all(folder).unwrap();
        names.iter().for_each(|name| std::fs::write(folder.join(name), "{}").unwrap());
    }

    #[test]
    fn a_name_gives_the_task() {
        assert_eq!(stem(Path::new("x/subtask003@_Prompt@0_100.json.gz")), "subtask003");
        assert_eq!(stem(Path::new("task1.2_yes.json")), "task1.2_yes");
        assert_eq!(base_name(Path::new("x/a@b.json.gz")), "a@b.json");
    }

    #[test]
    fn folders_are_paired_by_name_and_the_rest_is_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let (tasks, predictions) = (folder.path().join("tasks"), folder.path().join("predictions"));
        touch(&tasks, &["a.json", "b.json", "unused.json"]);
        touch(&predictions, &["b@x.json", "a@y.json", "a@x.json", "c@x.json", "notes.txt", ".a.json"]);
        let plan = plan(&[folder.path()], &predictions).unwrap();
        let names = |group: &Group| group.files.iter().map(|file| base_name(file)).collect::<Vec<_>>();
        let paired: Vec<_> = plan.groups.iter().map(|group| (group.task.as_str(), names(group))).collect();
        assert_eq!(paired, [("a", vec!["a@x.json".to_owned(), "a@y.json".to_owned()]), ("b", vec!["b@x.json".into()])]);
        assert_eq!(plan.skipped.len(), 1);
        assert!(plan.skipped[0].reason.contains("c@x.json is for the task `c`, which is not in "));
    }

    #[test]
    fn the_released_sample_of_bart_and_tasks_of_several_folders_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        touch(&path("tasks"), &["subtask034_words.json"]);
        touch(&path("more"), &["subtask002_answers.json"]);
        touch(&path("predictions"), &["BART_sample_predictions.json", "subtask002_answers@x.json"]);
        let paired = plan(&[&path("tasks"), &path("more")], &path("predictions")).unwrap();
        let tasks: Vec<&str> = paired.groups.iter().map(|group| group.task.as_str()).collect();
        assert_eq!(tasks, ["subtask002_answers", "subtask034_words"]);
        let error = plan(&[&path("more")], &path("predictions/BART_sample_predictions.json")).unwrap_err();
        assert!(error.to_string().contains("for the task `BART_sample_predictions`"), "{error}");
    }

    #[test]
    fn a_lone_task_file_takes_the_files_that_name_no_other_task() {
        let folder = tempfile::tempdir().unwrap();
        let predictions = folder.path().join("predictions");
        touch(folder.path(), &["a.json"]);
        touch(&predictions, &["a@x.json", "b@x.json", "sample.json"]);
        let task = folder.path().join("a.json");
        let paired = plan(&[&task], &predictions).unwrap();
        assert_eq!(paired.groups[0].files.len(), 2);
        assert_eq!(paired.skipped[0].file, "b@x.json");
        let alone = plan(&[&task], &predictions.join("b@x.json")).unwrap();
        assert_eq!(alone.groups[0].task, "a");
    }

    #[test]
    fn a_task_in_two_files_is_refused_when_it_is_needed() {
        let folder = tempfile::tempdir().unwrap();
        touch(&folder.path().join("tasks"), &["a.json", "a.json.gz", "b.json"]);
        touch(folder.path(), &["a@x.json", "b@x.json"]);
        let error = plan(&[folder.path()], &folder.path().join("a@x.json")).unwrap_err();
        assert!(matches!(error, Error::RepeatedTask { task, .. } if task == "a"));
        assert!(plan(&[folder.path()], &folder.path().join("b@x.json")).is_ok());
    }

    #[test]
    fn a_file_that_is_there_packed_and_unpacked_would_count_twice() {
        let folder = tempfile::tempdir().unwrap();
        touch(&folder.path().join("tasks"), &["a.json"]);
        touch(folder.path(), &["a@x.json", "a@x.json.gz", "a@x.json.b.json"]);
        let error = plan(&[folder.path()], folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("a@x.json.gz, expected one of the two"), "{error}");
    }

    #[test]
    fn nothing_to_pair_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        touch(&folder.path().join("tasks"), &["a.json"]);
        touch(folder.path(), &["c.json"]);
        let lone = plan(&[folder.path()], &folder.path().join("c.json"));
        assert!(matches!(lone, Err(Error::NoTask { task, .. }) if task == "c"));
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        assert!(matches!(plan(&[folder.path()], &folder.path().join("empty")), Err(Error::NoFiles { .. })));
        assert!(matches!(plan(&[folder.path()], Path::new("no/such")), Err(Error::Input(_))));
    }
}
