//! What the linter finds in the published data.

use saydo_conformance::outside;
use saydo_task::lint::{Options, lint_paths};
use saydo_task::problem::Code;

fn counts(name: &str) -> Vec<(&'static str, usize)> {
    let report = lint_paths(&[outside(&format!("data/{name}"))], &Options::default());
    report.counts().iter().map(|(code, count): (&Code, _)| (code.id(), *count)).collect()
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn published_natural_instructions() {
    assert_eq!(counts("natural-instructions-v1"), [("T005", 1), ("T009", 3)]);
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn published_super_natural_instructions() {
    assert_eq!(
        counts("super-natural-instructions"),
        [("F006", 1), ("T005", 3), ("T011", 3), ("T015", 11), ("T016", 8)]
    );
}

#[test]
#[ignore = "needs ../shared: the sample of ZEST"]
fn published_zest_sample() {
    assert_eq!(counts("zest/sample"), [("T013", 5), ("T015", 1)]);
}
