//! The fields of an object as lists of `key value` strings that span scores can compare.
//!
//! A field with a list holds alternatives, so an object stands for several such lists. The reference means to form all
//! combinations but shares one list of pending fields between its branches, and only the first branch finds any left
//! (Q11): rule Z20 of docs/metrics.md.

use saydo_task::node::{Node, Value};

use super::error::{Fault, Reason, Side};
use super::python_text::to_text;
use super::repair::{Repairs, quirk};

/// With Q11 repaired, further alternatives are left out once there are this many combinations.
const MAX_SETS: usize = 4096;

type Entries = [(String, Node)];

/// The answer sets of an object, in the reference's order.
///
/// An object without lists has one set. A list without elements in the last place leaves none; elsewhere it is a fault.
pub fn answer_sets(object: &Entries, side: Side, repairs: Repairs) -> Result<Vec<Vec<String>>, Fault> {
    let (scalars, lists) = fields(object, side)?;
    if repairs.has(quirk::COMBINATIONS) {
        return combinations(scalars, &lists, side);
    }
    let mut expanded = scalars;
    // The copies that stay unexpanded, the latest first.
    let mut rest: Vec<Vec<String>> = Vec::new();
    for (depth, (key, values)) in lists.iter().rev().enumerate() {
        let mut copies = values
            .iter()
            .map(|value| Ok([expanded.clone(), strings(key, &value.value, side)?].concat()))
            .collect::<Result<Vec<_>, Fault>>()?
            .into_iter();
        match copies.next() {
            Some(first) => expanded = first,
            None if depth == 0 => return Ok(Vec::new()),
            None => return Err(side.fault(Reason::EmptyList)),
        }
        rest.splice(..0, copies);
    }
    rest.insert(0, expanded);
    Ok(rest)
}

/// The one answer set of a predicted object: the first of its [`answer_sets`]. An empty list is a fault.
///
/// With Q8 repaired, all elements of a list are in it, since a predicted list means several spans.
pub(super) fn predicted_set(object: &Entries, repairs: Repairs) -> Result<Vec<String>, Fault> {
    let (mut set, lists) = fields(object, Side::Predicted)?;
    for (key, values) in lists.iter().rev() {
        if values.is_empty() && !repairs.has(quirk::RANDOM_ELEMENT) {
            return Err(Side::Predicted.fault(Reason::EmptyList));
        }
        for (i, value) in values.iter().enumerate() {
            let strings = strings(key, &value.value, Side::Predicted)?;
            if i == 0 || repairs.has(quirk::RANDOM_ELEMENT) {
                set.extend(strings);
            }
        }
    }
    Ok(set)
}

/// The strings of all fields that are not lists, and the fields that are.
#[expect(clippy::type_complexity, reason = "a pair of lists used by the two functions above")]
fn fields(object: &Entries, side: Side) -> Result<(Vec<String>, Vec<(&str, &[Node])>), Fault> {
    let (mut scalars, mut lists) = (Vec::new(), Vec::new());
    for (key, node) in object {
        match &node.value {
            Value::Array(values) => lists.push((key.as_str(), values.as_slice())),
            scalar => scalars.extend(strings(key, scalar, side)?),
        }
    }
    Ok((scalars, lists))
}

/// `key value`, once for each part of the value between `|`.
fn strings(key: &str, value: &Value, side: Side) -> Result<Vec<String>, Fault> {
    let key = key.replace('_', " ");
    let text = to_text(value);
    if text.contains('|') && !matches!(value, Value::String(_)) {
        return Err(side.fault(Reason::BarOutsideText { found: value.kind() }));
    }
    Ok(text.split('|').map(|part| format!("{key} {part}")).collect())
}

/// The repair of Q11: every choice of one alternative per list. A list without elements takes no part.
fn combinations(scalars: Vec<String>, lists: &[(&str, &[Node])], side: Side) -> Result<Vec<Vec<String>>, Fault> {
    let mut sets = vec![scalars];
    for (key, values) in lists.iter().filter(|(_, values)| !values.is_empty()) {
        let affordable = (MAX_SETS / sets.len()).max(1);
        let choices = values
            .iter()
            .take(affordable)
            .map(|value| strings(key, &value.value, side))
            .collect::<Result<Vec<_>, Fault>>()?;
        sets = sets.iter().flat_map(|set| choices.iter().map(|choice| [set.as_slice(), choice].concat())).collect();
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::json::parse;

    fn sets(object: &str, repairs: Repairs) -> Result<Vec<Vec<String>>, Fault> {
        answer_sets(parse(object).unwrap().root.as_object().unwrap(), Side::Gold, repairs)
    }

    fn predicted(object: &str, repairs: Repairs) -> Result<Vec<String>, Fault> {
        predicted_set(parse(object).unwrap().root.as_object().unwrap(), repairs)
    }

    #[test]
    fn values_print_as_python_does_and_bars_part_them() {
        let object = r#"{"best_season": "May|June", "open": true, "miles": 2.50, "fee": null, "size": {"x": [1]}}"#;
        let expected = ["best season May", "best season June", "open True", "miles 2.5", "fee None", "size {'x': [1]}"];
        assert_eq!(sets(object, Repairs::NONE).unwrap(), [expected]);
        assert_eq!(sets("{}", Repairs::NONE).unwrap(), [[""; 0]]);
    }

    #[test]
    fn only_the_first_copy_is_expanded_further() {
        let object = r#"{"a": [1, 2], "b": "x", "c": [3, 4], "d": [5, 6]}"#;
        let expected: Vec<Vec<&str>> = vec![
            vec!["b x", "d 5", "c 3", "a 1"],
            vec!["b x", "d 5", "c 3", "a 2"],
            vec!["b x", "d 5", "c 4"],
            vec!["b x", "d 6"],
        ];
        assert_eq!(sets(object, Repairs::NONE).unwrap(), expected);
        assert_eq!(predicted(object, Repairs::NONE).unwrap(), expected[0]);
    }

    #[test]
    fn repaired_alternatives_form_all_combinations_up_to_a_limit() {
        let repairs = Repairs::NONE.with(quirk::COMBINATIONS);
        let all = sets(r#"{"a": [1, 2], "c": [3, 4], "e": []}"#, repairs).unwrap();
        assert_eq!(all, [["a 1", "c 3"], ["a 1", "c 4"], ["a 2", "c 3"], ["a 2", "c 4"]]);
        let many: Vec<String> = (0..40).map(|i| format!("\"k{i}\": [1, 2]")).collect();
        assert_eq!(sets(&format!("{{{}}}", many.join(",")), repairs).unwrap().len(), MAX_SETS);
    }

    #[test]
    fn a_predicted_list_counts_whole_when_repaired() {
        let repairs = Repairs::NONE.with(quirk::RANDOM_ELEMENT);
        assert_eq!(predicted(r#"{"a": ["x", "y|z"], "b": []}"#, repairs).unwrap(), ["a x", "a y", "a z"]);
    }

    #[test]
    fn empty_lists_and_bars_outside_text_are_faults() {
        assert_eq!(sets(r#"{"a": ["x"], "b": []}"#, Repairs::NONE).unwrap(), Vec::<Vec<String>>::new());
        assert_eq!(sets(r#"{"a": [], "b": ["x"]}"#, Repairs::NONE).unwrap_err().reason, Reason::EmptyList);
        assert_eq!(predicted(r#"{"a": ["x"], "b": []}"#, Repairs::NONE).unwrap_err().reason, Reason::EmptyList);
        let bar = sets(r#"{"a": ["x", ["p|q"]]}"#, Repairs::NONE).unwrap_err();
        assert_eq!(bar.to_string(), "the gold answer holds a list with a `|` in it, expected text");
    }
}
