use super::*;
use saydo_task::format::zest::RecordExample;

fn record(answers: &[&str]) -> Record {
    let answer = |json: &&str| saydo_task::json::parse(json).unwrap().root.value;
    let example = |json| RecordExample { context: "A pond.\nDucks.".to_owned(), answer: Some(answer(json)) };
    Record {
        id: Value::Integer("7".to_owned()),
        question: "Which birds?".to_owned(),
        generalization: None,
        domain: None,
        derives_from: Vec::new(),
        examples: answers.iter().map(example).collect(),
        line: 3,
    }
}

/// Takes the last of each list, and notes how long the lists were.
fn targets(answers: &[&str]) -> (Result<Vec<String>>, Vec<usize>) {
    let mut lengths = Vec::new();
    let lines = bart_lines(&[record(answers)], &mut |n| {
        lengths.push(n);
        n.checked_sub(1)
    });
    (lines.map(|lines| lines.target.lines().map(str::to_owned).collect()), lengths)
}

#[test]
fn a_plain_answer_is_kept_even_if_it_reads_as_json() {
    let (lines, lengths) = targets(&[r#""n/a""#, r#""12.50""#, r#""{\"a\": 1}""#, r#""[ducks""#]);
    assert_eq!(lines.unwrap(), ["n/a", "12.50", "{\"a\": 1}", "[ducks"]);
    assert!(lengths.is_empty());
}

#[test]
fn lists_give_one_element_in_file_order() {
    let (lines, lengths) = targets(&[
        r#"["duck", "coot", "teal"]"#,
        r#""[{\"bird\":[\"é\",\"coot\"],\"age\":3.50}, {\"bird\": \"n/a\", \"age\": [[1, 2]]}]""#,
    ]);
    assert_eq!(lines.unwrap(), ["teal", r#"[{"bird": "coot", "age": 3.5}, {"bird": "n/a", "age": [1, 2]}]"#]);
    assert_eq!(lengths, [3, 2, 1]);
}

#[test]
fn answers_the_released_code_stops_at_are_errors() {
    let error = |answer: &str| targets(&[r#""yes""#, answer]).0.unwrap_err();
    insta::assert_snapshot!(error("[]"), @"line 3, example 2: the answer has an empty list, expected something to choose from");
    insta::assert_snapshot!(error("[1]"), @"line 3, example 2: the answer has a number, expected a text for each alternative");
    insta::assert_snapshot!(error("true"), @"line 3, example 2: the answer has a boolean, expected a text or a list of texts");
    insta::assert_snapshot!(error(r#""[1, 2]""#), @"line 3, example 2: the answer has a number, expected an object for each row");
    insta::assert_snapshot!(error(r#""[{\"a\": []}]""#), @"line 3, example 2: the answer has an empty list, expected something to choose from");
    let mut unlabelled = record(&["0"]);
    unlabelled.examples[0].answer = None;
    insta::assert_snapshot!(bart_lines(&[unlabelled], &mut |_| None).unwrap_err(), @"line 3, example 1: the answer has no value, expected a text or a list of texts");
}

#[test]
fn the_test_split_has_a_constant_target() {
    let lines = bart_test_lines(&[record(&["1", "[]"])]);
    assert_eq!(lines.target, "TEST SET NO ANSWER\nTEST SET NO ANSWER\n");
    assert!(lines.source.starts_with(" zest question: Which birds? zest context: A pond. Ducks.\n"));
}
