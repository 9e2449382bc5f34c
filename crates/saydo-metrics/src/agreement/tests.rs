use super::*;
use proptest::prelude::*;

fn near(found: Option<f64>, expected: f64) {
    let found = found.expect("it is defined");
    assert!((found - expected).abs() < 5e-4, "{found}, not {expected}");
}

/// Labels written out from the number of raters who chose each category.
fn from_counts(rows: &[[usize; 5]]) -> Vec<Vec<usize>> {
    let labels = |row: &[usize; 5]| (0..5).flat_map(|label| vec![label; row[label]]).collect();
    rows.iter().map(labels).collect()
}

/// Four observers, twelve units, five values, seven gaps (Krippendorff, 2011).
fn four_observers() -> Vec<Vec<char>> {
    let observers = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
    let unit = |u: usize| observers.iter().filter_map(|row| row.chars().nth(u)).filter(|value| *value != '.').collect();
    (0..12).map(unit).collect()
}

#[test]
fn alpha_of_the_published_example_is_the_published_one() {
    near(krippendorff_alpha(&four_observers()), 0.743);
}

#[test]
fn alpha_of_two_observers_is_that_of_the_published_binary_example() {
    // Ten articles, two observers (Krippendorff, 2011): 0.095.
    let pairs = "0100000010 1110010000".split(' ').map(|row| row.chars().collect::<Vec<_>>()).collect::<Vec<_>>();
    let items: Vec<Vec<char>> = (0..10).map(|u| pairs.iter().map(|row| row[u]).collect()).collect();
    near(krippendorff_alpha(&items), 0.095);
    assert_eq!(percent_agreement(&items), Some(0.6));
}

#[test]
fn fleiss_kappa_of_fourteen_raters_is_the_known_one() {
    let items = from_counts(&[
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]);
    near(fleiss_kappa(&items), 0.210);
    near(percent_agreement(&items), 0.378);
}

#[test]
fn cohen_kappa_of_fifty_proposals_is_the_known_one() {
    let table = [(true, true, 20), (true, false, 5), (false, true, 10), (false, false, 15)];
    let pairs: Vec<(bool, bool)> = table.iter().flat_map(|&(a, b, n)| vec![(a, b); n]).collect();
    let kappa = cohen_kappa(&pairs).expect("it is defined");
    assert!((kappa - 0.4).abs() < 1e-12, "{kappa}");
}

#[test]
fn what_is_not_defined_is_none() {
    let nothing: [Vec<u8>; 0] = [];
    let alone = [vec![1], vec![], vec![2]];
    let same = [vec![1, 1], vec![1, 1]];
    for items in [&nothing[..], &alone[..]] {
        assert_eq!((percent_agreement(items), krippendorff_alpha(items), fleiss_kappa(items)), (None, None, None));
    }
    assert_eq!((percent_agreement(&same), krippendorff_alpha(&same), fleiss_kappa(&same)), (Some(1.0), None, None));
    assert_eq!((cohen_kappa::<u8>(&[]), cohen_kappa(&[(1, 1)]), cohen_kappa(&[(1, 2)])), (None, None, Some(0.0)));
}

#[test]
fn systematic_disagreement_is_below_zero() {
    assert_eq!(cohen_kappa(&[(1, 2), (2, 1)]), Some(-1.0));
    let items = [vec![1, 2], vec![2, 1]];
    assert_eq!((percent_agreement(&items), fleiss_kappa(&items)), (Some(0.0), Some(-1.0)));
    near(krippendorff_alpha(&items), -0.5);
}

fn items() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0..3_u8, 0..5), 0..12)
}

fn even_items() -> impl Strategy<Value = Vec<Vec<u8>>> {
    (2..5_usize).prop_flat_map(|raters| prop::collection::vec(prop::collection::vec(0..3_u8, raters), 1..12))
}

fn same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() < 1e-12,
        (one, other) => one.is_none() && other.is_none(),
    }
}

proptest! {
    #[test]
    fn nothing_exceeds_perfect_agreement(items in items(), even in even_items()) {
        prop_assert!(percent_agreement(&items).is_none_or(|share| (0.0..=1.0).contains(&share)));
        prop_assert!(krippendorff_alpha(&items).is_none_or(|alpha| (-1.0..=1.0 + 1e-12).contains(&alpha)));
        prop_assert!(fleiss_kappa(&even).is_none_or(|kappa| (-1.0 - 1e-12..=1.0 + 1e-12).contains(&kappa)));
    }

    #[test]
    fn raters_who_always_agree_score_one(labels in prop::collection::vec((0..3_u8, 2..5_usize), 1..12)) {
        let items: Vec<Vec<u8>> = labels.iter().map(|&(label, raters)| vec![label; raters]).collect();
        let varied = labels.iter().any(|label| label.0 != labels[0].0);
        prop_assert_eq!(percent_agreement(&items), Some(1.0));
        prop_assert_eq!(krippendorff_alpha(&items), varied.then_some(1.0));
        let pairs: Vec<(u8, u8)> = labels.iter().map(|&(label, _)| (label, label)).collect();
        prop_assert_eq!(cohen_kappa(&pairs), varied.then_some(1.0));
    }

    #[test]
    fn the_order_of_raters_and_items_and_the_names_of_labels_do_not_matter(items in items(), even in even_items()) {
        let turned = |items: &[Vec<u8>]| -> Vec<Vec<u8>> {
            items.iter().rev().map(|labels| labels.iter().rev().map(|label| 7 - label).collect()).collect()
        };
        prop_assert!(same(percent_agreement(&items), percent_agreement(&turned(&items))));
        prop_assert!(same(krippendorff_alpha(&items), krippendorff_alpha(&turned(&items))));
        prop_assert!(same(fleiss_kappa(&even), fleiss_kappa(&turned(&even))));
        let pairs: Vec<(u8, u8)> = even.iter().map(|labels| (labels[0], labels[1])).collect();
        let swapped: Vec<(u8, u8)> = pairs.iter().map(|&(one, other)| (other, one)).collect();
        prop_assert!(same(cohen_kappa(&pairs), cohen_kappa(&swapped)));
    }

    #[test]
    fn for_two_raters_alpha_is_fleiss_kappa_with_its_small_sample_correction(
        pairs in prop::collection::vec(prop::collection::vec(0..3_u8, 2), 1..12)
    ) {
        let n = 2.0 * pairs.len() as f64;
        let corrected = fleiss_kappa(&pairs).map(|pi| pi + (1.0 - pi) / n);
        prop_assert!(same(krippendorff_alpha(&pairs), corrected));
    }
}
