//! Which figures runs of each kind have.

use super::*;
use crate::fixture;

fn titles(runs: &[Run]) -> Vec<String> {
    figures(runs, 0).into_iter().map(|figure| figure.title).collect()
}

#[test]
fn zest_has_competence_length_and_calibration() {
    let titles = titles(&[fixture::zest(&[])]);
    assert_eq!(
        titles,
        [
            "mean task F1 by type of generalization",
            "C@75: tasks with an F1 of at least 75",
            "C@90: tasks with an F1 of at least 90",
            "F1 by length of the input in words",
            "calibration: score by confidence",
            "competence: share of tasks that reach each level",
        ]
    );
}

#[test]
fn the_papers_rows_stand_beside() {
    let table = figures(&[fixture::zest(&[])], 0)[0].table();
    assert_eq!(table.header[1..], ["scripted", "T5-11B (paper)", "BART-large (paper)", "human (paper)"]);
    let base = table.rows.iter().find(|row| row[0] == "base").unwrap();
    assert_eq!(base[2..], ["63.0", "51.0", "88.0"]);
}

#[test]
fn natural_instructions_has_categories_without_confidence() {
    assert_eq!(
        titles(&[fixture::natural_instructions()]),
        [
            "ROUGE-L by category",
            "ROUGE-L by length of the input in words",
            "competence: share of tasks that reach each level"
        ]
    );
}

#[test]
fn runs_that_say_how_many_tasks_were_seen_make_a_curve() {
    let (few, mut many) = (fixture::zest(&[]), fixture::zest(&[]));
    assert!(!titles(&[few.clone(), many.clone()]).iter().any(|title| title.contains("seen tasks")));
    many.opened.record.settings["seen_tasks"] = 40.into();
    let figures = figures(&[few, many], 0);
    let curve = figures.iter().find(|figure| figure.title == "F1 by number of seen tasks").unwrap();
    let xs: Vec<String> = curve.table().rows.iter().map(|row| row[1].clone()).collect();
    assert_eq!(xs, ["10", "40"]);
}

#[test]
fn runs_of_other_seeds_are_one_point_of_the_curve() {
    let (few, mut many) = (fixture::zest(&[]), fixture::zest(&[]));
    many.opened.record.settings["seen_tasks"] = 40.into();
    let mut other = many.clone();
    other.scores.rows.iter_mut().for_each(|row| row.mean = 0.0);
    let mean = many.scores.rows.iter().find(|row| row.by == "all" && row.metric == "f1").unwrap().mean;
    let figures = figures(&[few, many, other], 0);
    let curve = figures.iter().find(|figure| figure.title == "F1 by number of seen tasks").unwrap();
    let rows = curve.table().rows;
    // The mean of a score and 0, and their standard deviation to either side.
    let (half, deviation) = (50.0 * mean, 100.0 * mean / 2.0_f64.sqrt());
    let point = format!("{half:.1} ({:.1}-{:.1})", half - deviation, half + deviation);
    assert_eq!((rows.len(), &*rows[1][2]), (2, &*point));
    assert!(curve.note.contains("standard deviation"), "{}", curve.note);
}

#[test]
fn many_layouts_become_a_field_of_cells() {
    let run =
        fixture::natural_instructions_in(&["ni-full", "ni-prompt", "ni-examples", "ni-no-examples", "ni-prompt-avoid"]);
    let figures = figures(&[run], 0);
    assert_eq!(figures[0].title, "ROUGE-L by encoding and category");
    let table = figures[0].table();
    assert_eq!(table.header, ["", "answer generation", "classification", "mean over tasks"]);
    assert_eq!(
        (table.rows.len(), &table.rows[1][..]),
        (5, &["ni-prompt", "50.0", "70.0", "60.0"].map(str::to_owned)[..])
    );
}

#[test]
fn the_turking_test_has_tasks_lengths_and_places() {
    let figures = figures(&[fixture::turking()], 0);
    let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "success by task",
            "accuracy by length of the input in words",
            "accuracy by which word is asked for",
            "lengths of all sentences and of solved ones"
        ]
    );
    let table = figures[0].table();
    assert_eq!(table.header[1..], ["scripted, greedy", "GPT-2 1.5B (paper)", "always one answer"]);
    assert_eq!(table.rows[0][2], "2.0");
    let places: Vec<String> = figures[2].table().rows.into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(places, ["1-4 (n 2)", "5-8 (n 2)"]);
}

#[test]
fn no_runs_have_no_figures() {
    assert_eq!(figures(&[], 0), []);
}
