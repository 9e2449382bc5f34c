use super::*;
use crate::Instance;
use std::fs;

fn dataset(tasks: Vec<Task>) -> Dataset {
    let located = |task| LocatedTask { path: PathBuf::from("x"), line: 1, task };
    Dataset { tasks: tasks.into_iter().map(located).collect(), skipped: Vec::new() }
}

fn task(id: &str) -> Task {
    let instances = vec![Instance { outputs: vec!["o".into()], ..Instance::unlabelled("i") }];
    Task { id: id.into(), definition: Some("Do it.".into()), instances, ..Task::default() }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn hostile_ids_stay_in_the_folder_and_inside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let long = "x".repeat(4_000);
    let ids = ["../../evil", "a/b", "nul\0", "..", &long, "plain"];
    let dataset = dataset(ids.iter().map(|id| task(id)).collect());
    let report = convert_dataset(&dataset, Format::Toml, &out, false).unwrap();
    assert!(report.losses().is_empty(), "{:?}", report.losses());
    assert_eq!((names(folder.path()), names(&out).len()), (vec!["out".to_owned()], 6));
    let mut read: Vec<_> = Dataset::load(&out).unwrap().tasks.into_iter().map(|located| located.task.id).collect();
    let mut ids = ids.map(str::to_owned);
    read.sort();
    ids.sort();
    assert_eq!(read, ids);
}

#[test]
fn formats_without_ids_say_that_the_name_stands_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let dataset = dataset(vec![task("a/b"), task("plain")]);
    let report = convert_dataset(&dataset, Format::NaturalInstructions, &out, false).unwrap();
    assert_eq!(report.tasks[0].lost, ["id (the file's name stands for it)"]);
    assert!(report.tasks[1].lost.is_empty());
    assert_eq!(report.tasks[1].path, out.join("plain.json"));
}

#[test]
fn losses_no_writer_announces_are_found() {
    let folder = tempfile::tempdir().unwrap();
    // To a reader of this format a dash means that there is nothing.
    let dash = Task { emphasis: Some("-".into()), ..task("dash") };
    let report =
        convert_dataset(&dataset(vec![dash]), Format::NaturalInstructions, &folder.path().join("ni"), false).unwrap();
    assert_eq!(report.tasks[0].lost, ["words the format reads as something else"]);
    let silent = Task { definition: None, ..task("silent") };
    let report = convert_dataset(&dataset(vec![silent]), Format::Toml, &folder.path().join("toml"), false).unwrap();
    assert!(report.tasks[0].lost[0].starts_with("everything, as it cannot be read back: "), "{report:?}");
}

#[test]
fn nothing_is_overwritten_unless_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    fs::write(out.join("b.toml"), "mine").unwrap();
    fs::write(out.join("other.txt"), "mine").unwrap();
    let dataset = dataset(vec![task("a"), task("b")]);
    let error = convert_dataset(&dataset, Format::Toml, out, false).unwrap_err();
    assert!(matches!(&error, Error::Exists { path } if path.ends_with("b.toml")), "{error}");
    assert_eq!(names(out), ["b.toml", "other.txt"]);
    convert_dataset(&dataset, Format::Toml, out, true).unwrap();
    assert_eq!(names(out), ["a.toml", "b.toml", "other.txt"]);
    assert_eq!(fs::read_to_string(out.join("other.txt")).unwrap(), "mine");
    assert_eq!(Dataset::load(out).unwrap().tasks.len(), 2);
}

#[test]
fn zest_is_one_file_and_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(vec![task("a"), task("b")]);
    let error = convert_dataset(&dataset, Format::Zest, folder.path(), true).unwrap_err();
    assert!(error.to_string().ends_with("is a folder, expected the name of a file"), "{error}");
    let out = folder.path().join("new/tasks.jsonl");
    convert_dataset(&dataset, Format::Zest, &out, false).unwrap();
    assert_eq!(Dataset::load(&out).unwrap().tasks.len(), 2);
    assert!(convert_dataset(&dataset, Format::Zest, &out, false).is_err());
    assert_eq!(names(out.parent().unwrap()), ["tasks.jsonl"]);
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_each_file_old_or_new() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().unwrap();
    let changed = |id: &str| Task { definition: Some("Say no.".into()), ..task(id) };
    let (old, new) = (dataset(vec![task("a"), task("b")]), dataset(vec![changed("a"), changed("b")]));
    for (format, name) in [(Format::Toml, "folder"), (Format::Zest, "tasks.jsonl")] {
        let convert =
            |folder: &Path, dataset: &Dataset| convert_dataset(dataset, format, &folder.join(name), true).map(|_| ());
        let texts = |folder: &Path| {
            let path = folder.join(name);
            let files = if path.is_dir() { vec![path.join("a.toml"), path.join("b.toml")] } else { vec![path] };
            files.iter().map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<String>>()
        };
        let of = |dataset: &Dataset| {
            let folder = tempfile::tempdir().unwrap();
            convert(folder.path(), dataset).unwrap();
            texts(folder.path())
        };
        let (old_texts, new_texts) = (of(&old), of(&new));
        let after = |folder: &Path, trial: &Trial<Error>| {
            let found = texts(folder);
            let is_whole = |(found, (old, new)): (&String, (&String, &String))| found == old || found == new;
            assert!(found.iter().zip(old_texts.iter().zip(&new_texts)).all(is_whole), "{name}: {trial}: {found:?}");
            assert!(trial.outcome.is_err() || found == new_texts, "{name}: {trial}: it said that it had written");
            convert(folder, &new).unwrap();
            let left = fs::read_dir(folder.join(name)).map_or(2, Iterator::count);
            assert_eq!((left, fs::read_dir(folder).unwrap().count()), (2, 1), "{name}: {trial}: something stays");
        };
        let before = |folder: &Path| convert(folder, &old).unwrap();
        assert!(at_every_step(name, scratch.path(), before, |folder| convert(folder, &new), after) >= 5);
    }
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_no_new_folder_or_all_of_it() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().unwrap();
    let tasks = dataset(vec![task("a"), task("b")]);
    let convert = |folder: &Path| convert_dataset(&tasks, Format::Toml, &folder.join("new"), false).map(|_| ());
    let after = |folder: &Path, trial: &Trial<Error>| {
        let found = folder.join("new").is_dir().then(|| Dataset::load(&folder.join("new")).unwrap().tasks.len());
        assert!(found.is_none_or(|found| found == 2), "{trial}: {found:?}");
        assert!(trial.outcome.is_err() || found == Some(2), "{trial}: it said that it had written");
    };
    assert!(at_every_step("new folder of tasks", scratch.path(), |_| (), convert, after) >= 8);
}
