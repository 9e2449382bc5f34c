//! Statistics of our own tasks.

use saydo_task::dataset::Dataset;
use saydo_task::describe::{Description, describe};
use std::path::Path;

fn own(name: &str) -> Description {
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tasks"));
    describe(&Dataset::load(&fixtures.join(name)).expect("tasks load"))
}

#[test]
fn zest_by_generalization_and_domain() {
    insta::assert_json_snapshot!(own("zest"));
}

#[test]
fn natural_instructions_by_category() {
    insta::assert_json_snapshot!(own("natural-instructions"));
}
