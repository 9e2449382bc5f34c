//! What each reader keeps, and what it says of broken files.

use super::*;
use proptest::prelude::*;
use std::path::Path;

fn read(kind: ResourceKind, text: &str) -> ResourceReading {
    kind.read(&Source::from_bytes(Path::new("f"), text.as_bytes().to_vec()).unwrap())
}

fn problems(kind: ResourceKind, text: &str) -> Vec<String> {
    let told = |problem: &Problem| format!("{} {problem}", problem.code.id());
    read(kind, text).problems.iter().map(told).collect()
}

#[test]
fn quotes_in_a_table_mean_nothing() {
    let table = "Premise\tHypothesis\n\"Go, he said.\tHe said: \"\"go.\n\"a\t\"\"\n";
    let reading = read(ResourceKind::Sentences, table);
    assert_eq!(reading.resources, ["\"Go, he said.", "He said: \"\"go.", "\"a", "\"\""]);
    assert!(reading.problems.is_empty());
}

#[test]
fn columns_are_found_by_name() {
    let reading = read(ResourceKind::Sentences, "index\tsentence1\tsentence2\r\n0\tA b. \tC d.\r\n1\tC d.\tE f.\r\n");
    assert_eq!(reading.resources, ["A b.", "C d.", "E f."]);
}

#[test]
fn broken_tables_are_described() {
    assert_eq!(
        problems(ResourceKind::Sentences, "a\tb\nc\td\n"),
        ["F002 f:1:1: a header without the columns of sentences, expected `Premise` and `Hypothesis`, or `sentence1` \
          and `sentence2`, between tabs"]
    );
    assert_eq!(
        problems(ResourceKind::Sentences, "Premise\tHypothesis\n\nA.\n\tB.\n"),
        ["S003 f:3:1: 1 cells, expected 2 as in the header", "T006 f:4:1: Premise: an empty cell, expected a sentence"]
    );
}

const AGREED: &str = r#"["neutral","neutral","neutral","neutral","neutral"]"#;

fn pair(caption: &str, labels: &str) -> String {
    format!("{{\"captionID\":\"{caption}\",\"sentence1\":\"{caption} sleeps.\",\"annotator_labels\":{labels}}}\n")
}

#[test]
fn a_caption_needs_agreement_on_every_hypothesis_wherever_it_stands() {
    let split = AGREED.replacen("neutral", "entailment", 1);
    let file = pair("Ada", AGREED) + &pair("Bo", AGREED) + &pair("Cy", &split) + &pair("Ada", &split);
    let reading = read(ResourceKind::Captions, &file);
    assert_eq!((reading.resources, reading.seen), (vec!["Bo sleeps.".to_owned()], 3));
    assert!(reading.problems.is_empty());
}

#[test]
fn four_equal_labels_are_no_agreement_and_worth_a_warning() {
    let file = pair("Ada", AGREED) + &pair("Bo", r#"["neutral","neutral","neutral","neutral"]"#);
    let reading = read(ResourceKind::Captions, &file);
    assert_eq!(reading.resources, ["Ada sleeps."]);
    assert_eq!(
        problems(ResourceKind::Captions, &file),
        ["T012 f:2:63: annotator_labels: 4 labels, expected 5, one for each annotator"]
    );
    assert_eq!(reading.into_resources().unwrap(), ["Ada sleeps."], "a warning does not make the file unusable");
}

#[test]
fn broken_captions_are_described() {
    let file = "{\"captionID\": 3, \"sentence1\": \"A.\"}\n[1]\n{\n".to_owned() + &pair("Ada", "[]") + &pair("Bo", "1");
    assert_eq!(
        problems(ResourceKind::Captions, &file),
        [
            "F001 f:1:15: captionID: a number, expected a string",
            "F001 f:2:1: a list, expected an object",
            "S003 f:3:2: the end of the text, expected a key in double quotes",
            "T012 f:4:65: annotator_labels: 0 labels, expected 5, one for each annotator",
            "F001 f:5:63: annotator_labels: a number, expected a list of strings",
        ]
    );
    assert!(read(ResourceKind::Captions, &file).into_resources().is_err());
}

#[test]
fn paragraphs_need_five_questions() {
    let paragraph = |name: &str, questions: usize| {
        format!("{{\"context\": \"{name}\", \"qas\": [{}]}}", vec!["{}"; questions].join(","))
    };
    let list = [paragraph("a", 4), paragraph("b", 5), paragraph(" ", 5), paragraph("c", 9)].join(",");
    let file = format!("{{\"data\": [{{\"paragraphs\": [{list}]}}]}}");
    let reading = read(ResourceKind::Paragraphs, &file);
    assert_eq!((reading.resources.join(" "), reading.seen), ("b c".to_owned(), 4));
    assert_eq!(reading.problems[0].code.id(), "T006");
}

#[test]
fn broken_paragraphs_are_described() {
    let file = "{\"data\": [7, {}, {\"paragraphs\": [\"x\",\n{\"qas\": 1, \"context\": 2}]}]}";
    assert_eq!(
        problems(ResourceKind::Paragraphs, file),
        [
            "F001 f:1:11: data[0]: a number, expected an object",
            "F002 f:1:14: data[1]: no `paragraphs`, expected this field",
            "F001 f:1:34: data[2].paragraphs[0]: a string, expected an object",
            "F001 f:2:9: data[2].paragraphs[1].qas: a number, expected a list",
            "F001 f:2:23: data[2].paragraphs[1].context: a number, expected a string",
        ]
    );
    assert_eq!(problems(ResourceKind::Paragraphs, "[]"), ["F001 f:1:1: a list, expected an object"]);
}

#[test]
fn stories_with_fewer_answerable_questions_are_left_out() {
    let file = concat!(
        "{\"highlights\": [\"A\"], \"answerable_questions\": 5}\n",
        "{\"highlights\": [\"B\"], \"answerable_questions\": 6}\n",
        "{\"highlights\": [\"C\"], \"answerable_questions\": [\"Who?\"]}\n",
        "{\"highlights\": [\"D\"]}\n",
        "{\"highlights\": [\"E\"], \"answerable_questions\": \"six\"}\n",
    );
    let reading = read(ResourceKind::Highlights, file);
    assert_eq!((reading.seen, &reading.resources[..3]), (5, &["• B", "• D", "• E"].map(str::to_owned)[..]));
    let problem = "F001 f:5:47: answerable_questions: a string, expected a count or a list of questions";
    assert_eq!(problems(ResourceKind::Highlights, file), [problem]);
}

#[test]
fn highlights_become_bulleted_lines() {
    let file = "{\"highlights\": [\" One .\", \"\", \"Two\\nlines\"]}\n{\"highlights\": []}\n{\"highlights\": 1}\n";
    let reading = read(ResourceKind::Highlights, file);
    assert_eq!((reading.resources, reading.seen), (vec!["• One .\n• Two lines".to_owned()], 3));
    assert_eq!(
        problems(ResourceKind::Highlights, file),
        [
            "T006 f:2:16: highlights: no highlight, expected at least one",
            "F001 f:3:16: highlights: a number, expected a list of strings",
        ]
    );
}

#[test]
fn adding_leaves_out_what_is_there() {
    let mut resources = Resources::default();
    resources.add(ResourceKind::Captions, vec!["a".to_owned(), "b".to_owned()]);
    resources.add(ResourceKind::Captions, vec!["b".to_owned(), "c".to_owned(), "c".to_owned()]);
    assert_eq!(resources.of(ResourceKind::Captions), ["a", "b", "c"]);
}

/// Text that comes close to one of the formats.
fn nearly() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"data\"",
        "\"paragraphs\"",
        "\"qas\"",
        "\"context\"",
        "\"highlights\"",
        "\"captionID\"",
        "\"sentence1\"",
        "\"annotator_labels\"",
        "Premise\tHypothesis",
        "\t",
        "\n",
        "\r\n",
        "é",
        "1",
        "null",
        "\"\"",
    ]);
    proptest::collection::vec(word, 1..40).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn readers_never_panic(text in prop_oneof![any::<String>(), nearly()]) {
        if let Ok(source) = Source::from_bytes(Path::new("f"), text.into_bytes()) {
            for kind in ResourceKind::ALL {
                let reading = kind.read(&source);
                prop_assert!(reading.resources.iter().all(|resource| !resource.trim().is_empty()));
                prop_assert!(reading.resources.len() <= reading.seen);
            }
        }
    }
}
