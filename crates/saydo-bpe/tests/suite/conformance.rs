//! The made-up sets of `fixtures/conformance`.

use crate::check_set;

#[test]
fn rouge_pieces_are_those_of_the_scorer() {
    for set in ["plain", "odd"] {
        check_set(&saydo_conformance::path(&format!("super-natural-instructions/{set}")));
    }
}
