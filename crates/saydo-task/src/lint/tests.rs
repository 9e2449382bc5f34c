use super::*;
use crate::problem::Problem;

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn ids(report: &Report) -> Vec<&str> {
    report.problems.iter().map(|problem| problem.code.id()).collect()
}

fn lint(paths: &[&Path]) -> Report {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    lint_paths(&paths, &Options::default())
}

#[test]
fn what_cannot_be_read_is_a_problem_of_its_place() {
    let folder = folder(&[("a.toml", b"definition = \"x\xff\"\n"), ("notes.txt", b"hello")]);
    let missing = folder.path().join("missing.toml");
    let report = lint(&[folder.path(), &missing, &folder.path().join("notes.txt")]);
    assert_eq!(ids(&report), ["S001", "S007", "F008"]);
    let Problem { place, found, .. } = &report.problems[0];
    assert_eq!((place.line, place.column, found.as_str()), (1, 16, "byte 0xFF"));
    assert_eq!((report.files, report.tasks, report.errors()), (3, 0, 3));
}

#[test]
fn an_empty_folder_is_a_problem() {
    let folder = folder(&[]);
    assert_eq!(ids(&lint(&[folder.path()])), ["F010"]);
}

#[test]
fn a_byte_order_mark_is_odd_but_no_more() {
    let task = b"\xef\xbb\xbfdefinition = \"Is it?\"\n[[positive]]\ninput = \"a\"\noutput = \"b\"\n";
    let folder = folder(&[("a.toml", task)]);
    let report = lint(&[folder.path()]);
    assert_eq!((ids(&report), report.errors(), report.tasks), (vec!["S006"], 0, 1));
}

#[test]
fn a_file_reached_twice_is_read_once() {
    let folder = folder(&[("a.toml", b"definition = \"Is it?\"\n")]);
    let report = lint(&[folder.path(), &folder.path().join("a.toml")]);
    assert_eq!((ids(&report), report.files), (vec!["T003"], 1));
}

#[test]
fn ids_repeat_across_files() {
    let folder = folder(&[
        ("a.toml", b"id = \"x\"\ndefinition = \"Is it?\"\n"),
        ("b.toml", b"id = \"x\"\ndefinition = \"Was it?\"\n"),
    ]);
    let report = lint(&[folder.path()]);
    let repeated = report.problems.iter().find(|problem| problem.code == Code::RepeatedId).unwrap();
    assert!(repeated.place.file.ends_with("b.toml"));
    assert!(repeated.expected.ends_with("a.toml:1 already"), "{}", repeated.expected);
}

#[test]
fn a_flood_is_counted_not_listed() {
    let instance = "[[instance]]\ninput = \"same\"\noutput = \"x\"\n";
    let text = format!("definition = \"Is it?\"\n{}", instance.repeat(1_500));
    let folder = folder(&[("a.toml", text.as_bytes())]);
    let report = lint(&[folder.path()]);
    assert_eq!(report.counts()[&Code::RepeatedInstance], 1_499);
    assert_eq!(report.problems.iter().filter(|problem| problem.code == Code::RepeatedInstance).count(), 20);
    let [unlisted] = &report.unlisted[..] else { panic!("{:?}", report.unlisted) };
    assert_eq!((unlisted.code, unlisted.count), (Code::RepeatedInstance, 1_479));
    assert!(report.to_string().contains("a.toml: T007 1479 more like these\n"), "{report}");
}

#[test]
fn warnings_never_hide_an_error() {
    let odd = r#"{"input": "a", "output": ["b"], "odd": 1},"#.repeat(3_000);
    let text = format!(
        r#"{{"Definition": ["d"], "Source": ["s"], "Categories": ["c"], "Positive Examples": [],
            "Negative Examples": [], "Instances": [{odd} {{"input": 5, "output": ["b"]}}]}}"#
    );
    let folder = folder(&[("task1.json", text.as_bytes())]);
    assert!(crate::dataset::Dataset::load(folder.path()).is_err());
    let report = lint(&[folder.path()]);
    assert_eq!((report.errors(), report.counts()[&Code::UnknownField]), (1, 3_000));
}

#[test]
fn other_data_in_a_folder_is_bounded_by_folder() {
    let files: Vec<(String, &[u8])> = (0..30).map(|i| (format!("p{i}.json"), b"[1]".as_slice())).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let folder = folder(&files);
    let report = lint(&[folder.path()]);
    assert_eq!((report.problems.len(), report.warnings(), report.errors()), (20, 30, 0));
    assert_eq!(report.unlisted, [Unlisted { path: folder.path().to_owned(), code: Code::NotATask, count: 10 }]);
}

#[test]
fn an_unreadable_output_is_not_called_missing() {
    let line = r#"{"id": 1, "question": "Is it?", "examples": [{"context": "a", "answer": 5}, {"context": "b", "answer": "no"}]}"#;
    let folder = folder(&[("a.jsonl", line.as_bytes())]);
    assert_eq!(ids(&lint(&[folder.path()])), ["F001"]);
}

#[test]
fn an_element_keeps_its_number_when_one_before_it_is_unreadable() {
    let task = "definition = \"Is it?\"\n[[positive]]\ninput = \"a\"\noutput = \"b\"\n[[instance]]\ninput = 1\n\
                [[instance]]\ninput = \" \"\n";
    let folder = folder(&[("a.toml", task.as_bytes())]);
    let report = lint(&[folder.path()]);
    let shown: Vec<_> = report.problems.iter().map(|p| (p.code.id(), p.place.line, p.element.as_str())).collect();
    assert_eq!(shown, [("F001", 6, "instance[0].input"), ("T006", 7, "instance[1]")]);
}

#[test]
fn lines_of_another_kind_are_not_taken_for_tasks() {
    let folder = folder(&[
        ("pairs.jsonl", b"{\"sentence1\": \"a\", \"examples\": []}\n"),
        ("task.jsonl", b"{\"id\": 1, \"examples\": []}\n"),
    ]);
    assert_eq!(ids(&lint(&[folder.path()])), ["F009", "F002"]);
}
