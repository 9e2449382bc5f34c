//! Sets with published references, which stay outside the repository.

use crate::check_set;

#[test]
#[ignore = "needs ../shared: references of Super-NaturalInstructions"]
fn rouge_pieces_of_published_references_are_those_of_the_scorer() {
    for set in ["set1_plain", "set2_missing", "set3_edge"] {
        check_set(&saydo_conformance::outside(&format!("vectors/superni/{set}")));
    }
}
