use super::*;
use crate::dataset::LocatedTask;
use crate::{Example, Instance, Origin};
use proptest::prelude::*;
use std::path::PathBuf;

fn dataset(tasks: Vec<Task>) -> Dataset {
    let located = |task| LocatedTask { path: PathBuf::from("x"), line: 1, task };
    Dataset { tasks: tasks.into_iter().map(located).collect(), skipped: Vec::new() }
}

fn task(id: &str, category: &str, input: &str) -> Task {
    Task {
        id: id.to_owned(),
        definition: Some(format!("Do {id}.")),
        origin: Origin { category: vec![category.to_owned()], ..Origin::default() },
        instances: vec![Instance { outputs: vec!["o".into()], ..Instance::unlabelled(input) }],
        ..Task::default()
    }
}

fn derived(id: &str, bases: &[&str]) -> Task {
    let derives_from = bases.iter().map(|base| (*base).to_owned()).collect();
    Task { origin: Origin { derives_from, ..Origin::default() }, ..task(id, "", id) }
}

fn ids(tasks: &[TaskRef]) -> Vec<&str> {
    tasks.iter().map(|task| task.id.as_str()).collect()
}

fn three() -> Dataset {
    dataset(vec![task("a", "x", "1"), task("b", "y", "2"), task("c", "y", "3")])
}

#[test]
fn one_category_or_task_is_left_out() {
    let split = Split::leave_one_category(&three(), "Y").unwrap();
    assert_eq!((ids(&split.seen), ids(&split.unseen)), (vec!["a"], vec!["b", "c"]));
    assert_eq!(split.kind, Kind::LeaveOneCategory { category: "y".into() });
    let split = Split::leave_one_task(&three(), "b").unwrap();
    assert_eq!((ids(&split.seen), ids(&split.unseen)), (vec!["a", "c"], vec!["b"]));
}

#[test]
fn a_name_nobody_has_is_refused_with_those_there_are() {
    let error = Split::leave_one_category(&three(), "z").unwrap_err();
    assert_eq!(error.to_string(), "no task has the category `z`, expected one of x, y");
    let error = Split::leave_one_category(&dataset(vec![task("a", "x", "1")]), "x").unwrap_err();
    assert_eq!(error.to_string(), "the split leaves 0 tasks seen, expected at least one");
}

#[test]
fn a_task_of_several_datasets_is_left_out_with_each() {
    let mut tasks = three();
    tasks.tasks[1].task.origin.dataset = vec!["squad".into(), "drop".into()];
    let split = Split::leave_one_dataset(&tasks, "drop").unwrap();
    assert_eq!(ids(&split.unseen), ["b"]);
}

#[test]
fn a_smaller_subset_is_part_of_a_larger_one() {
    let tasks = (0..20).map(|i| task(&format!("t{i:02}"), if i < 2 { "x" } else { "y" }, &i.to_string())).collect();
    let split = Split::leave_one_category(&dataset(tasks), "x").unwrap();
    let first = split.clone().with_first_seen(3).unwrap();
    assert_eq!(ids(&first.seen), ["t02", "t03", "t04"]);
    assert_eq!((first.left_out.len(), first.subset), (15, Some(Subset { count: 3, seed: None })));
    let few = split.clone().with_random_seen(4, 7).unwrap();
    let many = split.clone().with_random_seen(9, 7).unwrap();
    assert_eq!((few.seen.len(), many.seen.len()), (4, 9));
    assert!(few.seen.iter().all(|task| many.seen.contains(task)));
    assert!(split.clone().with_first_seen(0).is_err());
    let error = split.with_random_seen(19, 7).unwrap_err();
    assert_eq!(error.to_string(), "the split leaves 19 tasks seen, expected 1 to 18");
}

#[test]
fn a_file_holds_the_split_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("split.json");
    let split = Split::zest(&dataset(vec![task("a", "", "1"), task("b", "", "2"), task("c", "", "3")]), 1).unwrap();
    split.save(&path, false).unwrap();
    assert_eq!(Split::load(&path).unwrap(), split);
    assert!(matches!(split.save(&path, false), Err(Error::Exists { .. })));
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in [("\"version\": 1", "\"version\": 2"), ("\"seen\"", "\"sene\""), ("\"zest\"", "\"best\"")] {
        std::fs::write(&path, text.replace(from, to)).unwrap();
        assert!(matches!(Split::load(&path), Err(Error::NotASplit { .. })), "{to}");
    }
}

#[test]
fn tasks_on_both_sides_are_leaks_nothing_can_allow() {
    let mut tasks = three();
    let twin = Task { id: "twin".into(), ..tasks.tasks[0].task.clone() };
    let mut reworded = task("reworded", "y", "4");
    reworded.definition = Some(" do  A.".into());
    tasks.tasks.extend([twin, reworded].map(|task| LocatedTask { path: PathBuf::from("x"), line: 1, task }));
    let mut split = Split::leave_one_category(&tasks, "y").unwrap();
    split.seen = vec![TaskRef::new(&tasks.tasks[0].task), TaskRef::new(&tasks.tasks[1].task)];
    split.unseen.push(TaskRef::new(&tasks.tasks[3].task));
    let leaks = check_leaks(&split, &tasks).leaks;
    let shown: Vec<_> = leaks.iter().map(Leak::to_string).collect();
    insta::assert_debug_snapshot!(shown);
    assert!(matches!(split.without_leaks(&tasks, true), Err(Error::Leaks { count: 3, .. })));
}

#[test]
fn shared_texts_are_refused_or_recorded() {
    let mut tasks =
        dataset(vec![task("a", "x", "The  Same TEXT"), task("b", "y", "the same\ntext"), task("c", "y", "")]);
    tasks.tasks[0].task.positive.push(Example { input: "shown".into(), output: "good".into(), ..Example::default() });
    tasks.tasks[2].task.instances.push(Instance { outputs: vec!["bad".into()], ..Instance::unlabelled("Shown") });
    let split = Split::leave_one_category(&tasks, "y").unwrap();
    let check = check_leaks(&split, &tasks);
    assert_eq!(check.shared_texts, SharedTexts { instances: 2, with_output: 1 });
    assert_eq!(
        check.leaks[0].to_string(),
        "unseen task `b` shares 1 of its inputs with the seen task `a` (1 with the same output): `the same text`"
    );
    assert!(split.clone().without_leaks(&tasks, false).is_err());
    let allowed = split.without_leaks(&tasks, true).unwrap();
    assert_eq!(allowed.shared_texts, Some(check.shared_texts));
}

#[test]
fn a_changed_or_missing_task_is_noticed() {
    let mut tasks = three();
    let split = Split::leave_one_task(&tasks, "c").unwrap();
    assert!(verify(&split, &tasks).is_empty());
    tasks.tasks[0].task.instances[0].outputs[0].push('!');
    tasks.tasks.pop();
    let shown: Vec<_> = verify(&split, &tasks).iter().map(Mismatch::to_string).collect();
    assert_eq!(shown, ["task `a` has changed since the split was made", "task `c` is not in the dataset"]);
}

#[test]
fn compositions_that_join_families_are_counted() {
    let base = |number: usize| derived(&format!("b{number:02}"), &[]);
    let bases: Vec<Task> = (0..20).map(base).collect();
    let apart = FamilyReport::of(&dataset(bases.clone()));
    assert_eq!((apart.families, apart.largest, apart.parts), (20, 1, [8, 2, 10]));
    assert!(!apart.misses_shares());
    let join =
        |number: usize| derived(&format!("c{number:02}"), &[&format!("b{number:02}"), &format!("b{:02}", number + 1)]);
    let joined = FamilyReport::of(&dataset(bases.into_iter().chain((0..15).map(join)).collect()));
    assert_eq!((joined.bases, joined.families, joined.largest, joined.parts), (20, 5, 16, [4, 0, 16]));
    assert!(joined.misses_shares());
    assert_eq!(
        joined.to_string(),
        "20 base tasks form 5 families, the largest with 16: train, dev and test get 4, 0 and 16 of them instead of 40%, \
         10% and 50%"
    );
}

#[test]
fn zest_shares_are_met_and_families_stay_together() {
    let mut tasks: Vec<Task> = (0..100).map(|i| derived(&format!("base{i:03}"), &[])).collect();
    tasks.extend((0..100).map(|i| derived(&format!("para{i:03}"), &[&format!("base{i:03}")])));
    let split = Split::zest(&dataset(tasks), 0).unwrap();
    let sizes: Vec<_> = split.sides().map(|(_, tasks)| tasks.len()).collect();
    assert_eq!(sizes, [80, 20, 100]);
}

#[test]
fn whole_domains_are_drawn_so_that_no_text_stands_on_two_sides() {
    let of_domain = |number: usize| {
        let mut task = task(&format!("t{number:02}"), "c", &format!("text of {}", number % 10));
        task.origin.domain = vec![format!("domain {}", number % 10)];
        task
    };
    let tasks = dataset((0..40).map(of_domain).collect());
    let split = Split::domains(&tasks, 0).unwrap();
    let sizes: Vec<_> = split.sides().map(|(_, tasks)| tasks.len()).collect();
    assert_eq!(sizes, [16, 4, 20]);
    assert!(check_leaks(&split, &tasks).leaks.is_empty());
    assert_eq!(Split::domains(&tasks, 0).unwrap(), split);
    assert_ne!(Split::domains(&tasks, 1).unwrap(), split);
}

/// Bases and derived tasks, by the numbers of the bases each task derives from; numbers beyond the list are unknown.
fn families() -> impl Strategy<Value = Vec<Vec<usize>>> {
    proptest::collection::vec(proptest::collection::vec(0..40_usize, 0..3), 3..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_splits_part_the_tasks(
        categories in proptest::collection::vec(0..4_u8, 2..40), per_category in 1..3_usize, seed: u64,
    ) {
        let task = |(i, category): (usize, &u8)| task(&format!("t{i}"), &category.to_string(), &i.to_string());
        let mut tasks: Vec<Task> = categories.iter().enumerate().map(task).collect();
        let Ok(split) = Split::random(&dataset(tasks.clone()), per_category, seed) else { return Ok(()) };
        let mut all: Vec<_> = split.seen.iter().chain(&split.unseen).map(|task| task.id.clone()).collect();
        all.sort();
        let mut expected: Vec<_> = tasks.iter().map(|task| task.id.clone()).collect();
        expected.sort();
        prop_assert_eq!(all, expected);
        for category in 0..4_u8 {
            let of_category: Vec<_> = tasks.iter().filter(|task| task.origin.category[0] == category.to_string()).collect();
            let held_out = of_category.iter().filter(|task| split.unseen.iter().any(|unseen| unseen.id == task.id));
            prop_assert_eq!(held_out.count(), per_category.min(of_category.len()));
        }
        tasks.reverse();
        prop_assert_eq!(Split::random(&dataset(tasks), per_category, seed).unwrap(), split);
    }

    #[test]
    fn derived_tasks_follow_their_bases(families in families(), seed: u64) {
        let name = |i: usize| format!("t{i}");
        let of = |(i, bases): (usize, &Vec<usize>)| {
            let bases: Vec<String> = bases.iter().map(|base| name(*base)).collect();
            derived(&name(i), &bases.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let mut tasks: Vec<Task> = families.iter().enumerate().map(of).collect();
        let Ok(split) = Split::zest(&dataset(tasks.clone()), seed) else { return Ok(()) };
        let side_of = |id: &str| split.sides().find(|(_, tasks)| tasks.iter().any(|task| task.id == id)).map(|(side, _)| side);
        let mut unknown = std::collections::HashMap::new();
        for task in &tasks {
            let side = side_of(&task.id);
            prop_assert!(side.is_some());
            for base in &task.origin.derives_from {
                let expected = side_of(base).or_else(|| *unknown.entry(base.clone()).or_insert(side));
                prop_assert_eq!(side, expected);
            }
        }
        prop_assert_eq!(split.sides().map(|(_, tasks)| tasks.len()).sum::<usize>(), tasks.len());
        tasks.reverse();
        prop_assert_eq!(Split::zest(&dataset(tasks), seed).unwrap(), split);
    }

    #[test]
    fn subsets_are_of_the_size_asked_for(count in 1..19_usize, seed: u64) {
        let tasks = (0..20).map(|i| task(&format!("t{i:02}"), if i == 0 { "x" } else { "y" }, &i.to_string())).collect();
        let split = Split::leave_one_category(&dataset(tasks), "x").unwrap();
        let subset = split.clone().with_random_seen(count, seed).unwrap();
        prop_assert_eq!(subset.seen.len(), count);
        prop_assert!(subset.seen.iter().all(|task| split.seen.contains(task)));
        prop_assert_eq!(subset.left_out.len() + count, split.seen.len());
        prop_assert_eq!(split.with_random_seen(count, seed).unwrap(), subset);
    }
}
