//! One answer of several: the majority for classes and records; for text of the passage the answer that the others contain,
//! the shorter one preferred (section 4.4 of the ZEST paper). Where that leaves a tie, a person has to decide.

use super::given::Given;
use std::collections::BTreeMap;

/// The answer that several amount to; none where they do not agree, and for no answers.
pub(super) fn aggregate(answers: &[Given]) -> Option<Given> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    answers.iter().for_each(|answer| *counts.entry(answer.label()).or_default() += 1);
    let majority = counts.into_iter().find(|(_, count)| 2 * count > answers.len()).map(|(label, _)| label);
    let has_text = |answer: &Given| matches!(answer, Given::Spans { .. });
    // Of several answers with text, even if most are the same, one may be part of all.
    let agreed = majority.and_then(|label| answers.iter().find(|answer| answer.label() == label));
    if let Some(agreed) = agreed.filter(|agreed| !has_text(agreed) || answers.len() == 1) {
        return Some(agreed.clone());
    }
    let with_text: Vec<&Given> = answers.iter().filter(|answer| has_text(answer)).collect();
    if 2 * with_text.len() <= answers.len() {
        return None;
    }
    let support = |answer: &Given| with_text.iter().filter(|other| is_within(answer, other)).count();
    // An answer is within itself; one more makes two who agree.
    let agreed = with_text.iter().filter(|answer| support(answer) >= 2);
    let best = agreed.min_by_key(|answer| (usize::MAX - support(answer), answer.text().chars().count()));
    best.map(|answer| (*answer).clone())
}

/// Whether two answers say the same: equal ones do, and for text of the passage those of which one is part of the other.
pub(crate) fn agrees(one: &Given, other: &Given) -> bool {
    let have_text = matches!((one, other), (Given::Spans { .. }, Given::Spans { .. }));
    one.label() == other.label() || have_text && (is_within(one, other) || is_within(other, one))
}

/// Whether every piece of one answer is part of a piece of the other, and every piece of the other has one of its own in it:
/// an answer that lacks a piece is no shorter way to say the same.
fn is_within(answer: &Given, other: &Given) -> bool {
    let pieces = |given: &Given| match given {
        Given::Spans { spans } => spans.iter().map(|piece| piece.text.to_lowercase()).collect(),
        _ => Vec::new(),
    };
    let (own, others): (Vec<String>, Vec<String>) = (pieces(answer), pieces(other));
    own.iter().all(|piece| others.iter().any(|other| other.contains(piece.as_str())))
        && others.iter().all(|other| own.iter().any(|piece| other.contains(piece.as_str())))
}

#[cfg(test)]
mod tests {
    use super::super::given::tests::spans;
    use super::*;

    const PASSAGE: &str = "The Lehamite Falls trail is open all year.";

    fn text(answers: &[Given]) -> Option<String> {
        aggregate(answers).map(|answer| answer.text())
    }

    #[test]
    fn classes_go_by_majority_and_ties_to_a_person() {
        assert_eq!(aggregate(&[Given::Yes, Given::No, Given::Yes]), Some(Given::Yes));
        assert_eq!(aggregate(&[Given::Yes, Given::No, Given::Na]), None);
        assert_eq!(aggregate(&[Given::Yes]), Some(Given::Yes));
        assert_eq!(aggregate(&[]), None);
    }

    #[test]
    fn spans_go_to_the_shortest_that_others_contain() {
        let (long, middle, short) = (
            spans(PASSAGE, &["The Lehamite Falls trail"]),
            spans(PASSAGE, &["Lehamite Falls"]),
            spans(PASSAGE, &["Lehamite"]),
        );
        assert_eq!(text(&[long.clone(), middle.clone(), short.clone()]).as_deref(), Some("Lehamite"));
        assert_eq!(text(&[long.clone(), middle.clone(), Given::Na]).as_deref(), Some("Lehamite Falls"));
        assert_eq!(text(&[long, spans(PASSAGE, &["all year"]), Given::Na]), None);
        assert_eq!(text(&[middle, Given::Na, Given::Na]).as_deref(), Some("n/a"));
    }

    #[test]
    fn the_part_that_all_contain_comes_before_the_majority() {
        let long = spans(PASSAGE, &["The Lehamite Falls trail"]);
        let short = spans(PASSAGE, &["Lehamite Falls"]);
        assert_eq!(text(&[long.clone(), long.clone(), short]).as_deref(), Some("Lehamite Falls"));
        assert_eq!(text(&[long.clone(), long.clone(), spans(PASSAGE, &["year"])]).as_deref(), Some(&*long.text()));
        assert_eq!(text(&[long]).as_deref(), Some("The Lehamite Falls trail"));
    }

    #[test]
    fn an_answer_that_lacks_a_piece_is_not_preferred() {
        let (both, one) = (spans(PASSAGE, &["Lehamite Falls", "all year"]), spans(PASSAGE, &["Lehamite Falls"]));
        assert_eq!(text(&[both.clone(), both, one]).as_deref(), Some("Lehamite Falls|all year"));
    }

    #[test]
    fn records_agree_when_they_hold_the_same() {
        let records = |text: &str| Given::kept(&format!(r#"{{"is":"records","records":{text}}}"#)).unwrap();
        let (a, b) = (records(r#"[{"x":"1"},{"x":"2"}]"#), records(r#"[{"x":"2"},{"x":"1"}]"#));
        assert_eq!(aggregate(&[a.clone(), b, Given::Na]), Some(a.clone()));
        assert_eq!(aggregate(&[a, records(r#"[{"x":"3"}]"#), Given::Na]), None);
    }
}
