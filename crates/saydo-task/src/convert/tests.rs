use super::*;
use crate::Instance;

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
