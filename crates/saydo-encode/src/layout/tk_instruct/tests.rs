use super::*;
use crate::tests::{WORDS, task_with};

fn prompt(layout: TkInstruct, input: &str) -> Prompt {
    Blocks::new(&task_with(0), layout, WORDS).prompt(input)
}

#[test]
fn the_default_is_definition_and_two_positive_examples() {
    insta::assert_snapshot!(prompt(TkInstruct::default(), "A cow").text(), @r"
    Definition: Name every animal
    in the sentence.

     Positive Example 1 -
    Input: The duck slept.
     Output: duck.

     Positive Example 2 -
    Input: Owls see cats.
     Output: owls, cats.

    Now complete the following example -
    Input: A cow.
    Output:
    ");
}

#[test]
fn everything_can_be_asked_for() {
    let layout = TkInstruct {
        task_name: true,
        num_positive: 1,
        num_negative: 1,
        explanations: true,
        ..TkInstruct::DEFINITION_POSITIVE
    };
    insta::assert_snapshot!(prompt(layout, "A cow?").text(), @r"
    animals. Definition: Name every animal
    in the sentence.

     Positive Example 1 -
    Input: The duck slept.
     Output: duck.
     Explanation: It is the only animal.

     Negative Example 1 -
    Input: A fox chased a hen.
     Output: fox hen.
     Explanation: There are two.

    Now complete the following example -
    Input: A cow?
    Output:
    ");
}

#[test]
fn every_field_ends_in_punctuation() {
    assert_eq!(closed("Input: ", " a cow\n"), "Input: a cow.");
    assert_eq!(closed("Input: ", "a cow?"), "Input: a cow?");
    assert_eq!(closed("Input: ", "a cow…"), "Input: a cow….");
    assert_eq!(closed("Input: ", " "), "Input: .");
}

#[test]
fn examples_are_dropped_from_the_end_until_the_prompt_fits() {
    let limited = |max_source_length| {
        let text = prompt(TkInstruct { max_source_length, ..TkInstruct::DEFINITION_POSITIVE_NEGATIVE }, "A cow").text();
        text.matches("Example ").count()
    };
    let full = (WORDS.count)(&prompt(TkInstruct::DEFINITION_POSITIVE_NEGATIVE, "A cow").text());
    assert_eq!([full, full - 1, full - 11, full - 24, full - 37].map(limited), [4, 3, 2, 1, 0]);
}

#[test]
fn a_prompt_that_is_still_too_long_loses_its_end() {
    let cut = prompt(TkInstruct { max_source_length: 12, ..TkInstruct::DEFINITION }, "A cow");
    assert!(cut.is_cut);
    assert_eq!(cut.text(), "Definition: Name every animal in the sentence. Now complete the following example");
}

#[test]
fn the_task_name_does_not_count_when_packing_but_does_when_cutting() {
    let named = TkInstruct { task_name: true, ..TkInstruct::DEFINITION_POSITIVE };
    let fitting = (WORDS.count)(&prompt(TkInstruct::DEFINITION_POSITIVE, "A cow").text());
    let cut = prompt(TkInstruct { max_source_length: fitting, ..named }, "A cow");
    assert!(cut.is_cut);
    assert_eq!(cut.text().matches("Positive Example").count(), 2);
}

#[test]
fn the_prompt_stands_in_for_a_missing_definition() {
    let task = Task { definition: None, ..task_with(0) };
    let text = Blocks::new(&task, TkInstruct::DEFINITION, WORDS).prompt("A cow.").text();
    assert!(text.starts_with("Definition: Name the animals:\n\nNow complete"), "{text}");
}

#[test]
fn a_task_without_description_has_no_definition_block() {
    let task = Task { definition: None, prompt: None, ..task_with(0) };
    let text = Blocks::new(&task, TkInstruct::DEFINITION, WORDS).prompt("A cow.").text();
    assert_eq!(text, "Now complete the following example -\nInput: A cow.\nOutput: ");
}
