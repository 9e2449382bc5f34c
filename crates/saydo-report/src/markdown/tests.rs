//! The whole of a tiny report, and texts that are no plain words.

use super::*;
use crate::fixture;

#[test]
fn texts_of_runs_become_no_markup() {
    let report = Report::new(vec![fixture::hostile()], 0).unwrap();
    let text = write(&report);
    assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
}

#[test]
fn two_runs_are_beside_each_other() {
    let report = Report::new(vec![fixture::zest(&[]), fixture::zest(&[(0, "wrong")])], 0).unwrap();
    let text = write(&report);
    for title in ["## Runs beside each other", "## Difference", "## Published", "## Plotted values"] {
        assert!(text.contains(title), "{title}: {text}");
    }
}

#[test]
fn a_tiny_run_reads_well() {
    let report = Report::new(vec![fixture::natural_instructions()], 0).unwrap();
    insta::assert_snapshot!(write(&report));
}
