use super::*;
use crate::tests::task_with;
use crate::{Encoder, Layout, Tokens};

fn prompt(task: &Task, layout: &str, num_examples: usize) -> Result<String> {
    let layout = Layout::named(layout)?.with_num_examples(num_examples);
    Ok(Encoder::new(task, &layout, Tokens::UNCOUNTED)?.prompt("A cow and a bee.").text())
}

#[test]
fn text_elements_are_stripped_and_stand_on_lines_of_their_own() {
    insta::assert_snapshot!(prompt(&task_with(0), "ni-no-examples", 2).unwrap(), @r"
    Definition: Name every animal
    in the sentence.
    Prompt: Name the animals:
    Things to Avoid: Do not name plants.
    Emphasis & Caution: Keep the order
    input: A cow and a bee.
    output:
    ");
}

#[test]
fn without_an_instruction_the_input_still_has_an_end() {
    assert_eq!(prompt(&task_with(0), "ni-no-instruction", 2).unwrap(), "input: A cow and a bee.\noutput:");
}

#[test]
fn plain_examples_need_no_line_end_at_the_start() {
    insta::assert_snapshot!(prompt(&task_with(0), "ni-examples", 1).unwrap(), @r"
    input: The duck slept.
    output: duck
    input: A cow and a bee.
    output:
    ");
}

#[test]
fn the_full_instruction_has_negative_examples_before_positive_ones() {
    insta::assert_snapshot!(prompt(&task_with(9), "ni-full", 3).unwrap(), @r"
    Definition: Name every animal
    in the sentence.
    Prompt: Name the animals:
    Things to Avoid: Do not name plants.
    Emphasis & Caution: Keep the order
    Negative Example1- 
    input: A fox chased a hen.
    output: fox hen
    reason: There are two.suggestion: Put a comma.
    Negative Example2- 
    input: A rose.
    output: rose
    reason: It is a plant.
    Positive Example1- 
    input: The duck slept.
    output: duck
    reason: It is the only animal.
    Positive Example2- 
    input: Owls see cats.
    output: owls, cats
    reason: Both are animals.
    Positive Example3- 
    input: Sentence 0.
    output: animal 0
    input: A cow and a bee.
    output:
    ");
}

#[test]
fn examples_can_alternate() {
    let prompt = prompt(&task_with(9), "ni-full-alternating", 3).unwrap();
    let places: Vec<&str> = prompt.lines().filter(|line| line.contains("Example")).collect();
    let expected = ["Positive Example1- ", "Negative Example1- ", "Positive Example2- ", "Negative Example2- "];
    assert_eq!((&places[..4], places[4]), (&expected[..], "Positive Example3- "));
    assert!(prompt.contains("reason: There are two.suggestion: Put a comma.\nPositive Example2- "), "{prompt}");
    let layout = Layout::named("ni-full-alternating").unwrap();
    assert_eq!(layout.shown_inputs(&task_with(9)).len(), 4);
}

#[test]
fn raw_instructions_stand_alone_and_must_be_there() {
    let raw = Some("Dear worker,\nname the animals.\n".to_owned());
    let task = Task { raw, ..task_with(0) };
    assert_eq!(
        prompt(&task, "ni-raw", 2).unwrap(),
        "Dear worker,\nname the animals.\ninput: A cow and a bee.\noutput:"
    );
    insta::assert_snapshot!(prompt(&Task { raw: None, ..task_with(0) }, "ni-raw", 2).unwrap_err(), @"task `animals` has no raw instructions, expected `raw` in its task file");
    assert!(Layout::named("ni-raw").unwrap().needs_raw() && !Layout::named("ni-full").unwrap().needs_raw());
}

#[test]
fn a_task_that_lacks_every_element_leaves_a_line_end_before_the_input() {
    assert_eq!(prompt(&Task::default(), "ni-full", 0).unwrap(), "\ninput: A cow and a bee.\noutput:");
}

#[test]
fn a_borrowed_example_always_has_a_line_end_before_it() {
    let task = Task { positive: Vec::new(), ..task_with(1) };
    assert_eq!(
        prompt(&task, "ni-examples", 1).unwrap(),
        "\ninput: Sentence 0.\noutput: animal 0\ninput: A cow and a bee.\noutput:"
    );
}

#[test]
fn a_suggestion_without_a_reason_follows_an_empty_one() {
    let mut task = task_with(0);
    task.negative[0].reason = None;
    task.negative[1].reason = None;
    let prompt = prompt(&task, "ni-full", 2).unwrap();
    assert!(prompt.contains("output: fox hen\nreason: suggestion: Put a comma.\nNegative Example2- "), "{prompt}");
    assert!(prompt.contains("output: rose\nPositive Example1- "), "{prompt}");
}

#[test]
fn the_first_evaluated_instance_is_not_borrowed() {
    let layout = NaturalInstructions { elements: vec![Element::PositiveExamplesFullOnly], num_examples: 64 };
    let task = task_with(90);
    let expected: Vec<usize> = (0..60).chain([80, 61]).collect();
    assert_eq!(layout.borrowed_instances(&task), expected);
    let prefix = layout.prefix(&task).unwrap();
    assert!(!prefix.contains("Sentence 60.") && prefix.contains("Sentence 80.") && prefix.contains("Sentence 61."));
}

#[test]
fn nothing_is_borrowed_for_a_layout_without_positive_examples() {
    let layout = NaturalInstructions { elements: vec![Element::Prompt], num_examples: 64 };
    assert!(layout.borrowed_instances(&task_with(90)).is_empty());
}

#[test]
fn what_cannot_be_borrowed_is_an_error() {
    insta::assert_snapshot!(prompt(&task_with(1), "ni-examples", 4).unwrap_err(), @"task `animals` has 2 positive examples and no instance 1 to borrow as a further one");
    insta::assert_snapshot!(prompt(&task_with(70), "ni-examples", 63).unwrap_err(), @"task `animals` has 2 positive examples and no instance 80 to borrow as a further one");
    let mut task = task_with(1);
    task.instances[0].outputs.clear();
    insta::assert_snapshot!(prompt(&task, "ni-full", 3).unwrap_err(), @"cannot borrow instance 0 of task `animals` as an example: it has no output");
}

#[test]
fn as_many_examples_can_be_given_as_can_be_borrowed_in_a_row() {
    assert_eq!(max_positive(&task_with(0)), 2);
    assert_eq!(max_positive(&task_with(60)), 62);
    assert_eq!(max_positive(&task_with(80)), 62);
    assert_eq!(max_positive(&task_with(81)), 83);
    let mut task = task_with(9);
    task.instances[4].outputs.clear();
    assert_eq!(max_positive(&task), 6);
}
