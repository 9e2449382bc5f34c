//! How the rows of Tk-Instruct vectors are encoded with ours.

use crate::{number, strings};
use saydo_encode::{Encoder, Layout, TkInstruct, Tokens};
use saydo_task::{Example, Task};
use serde_json::Value;

/// The tokenizer of the vectors: words, and an end marker.
const WORDS: Tokens<'static> = Tokens {
    count: &|text| text.split_whitespace().count() + 1,
    truncate: &|text, max_tokens| text.split_whitespace().take(max_tokens).collect::<Vec<_>>().join(" "),
};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn examples(rows: &Value) -> Vec<Example> {
    let example = |row: &Value| Example {
        input: text(&row["input"]),
        output: text(&row["output"]),
        reason: row.get("explanation").map(text),
        suggestion: None,
    };
    rows.as_array().unwrap().iter().map(example).collect()
}

fn layout(row: &Value) -> TkInstruct {
    let options = &row["options"];
    TkInstruct {
        task_name: options["add_task_name"].as_bool().unwrap(),
        definition: options["add_task_definition"].as_bool().unwrap(),
        num_positive: number(&options["num_pos_examples"]),
        num_negative: number(&options["num_neg_examples"]),
        explanations: options["add_explanation"].as_bool().unwrap(),
        max_source_length: number(&row["budget_words_plus_one"]),
    }
}

/// Each row with its example; rows may say that it is the one of the row before.
pub fn with_examples(rows: &[Value]) -> Vec<(&Value, &Value)> {
    let mut example = &rows[0]["example"];
    let with_example = |row| {
        let row: &Value = row;
        if row["example"].get("same_as_previous").is_none() {
            example = &row["example"];
        }
        (row, example)
    };
    rows.iter().map(with_example).collect()
}

/// Compares the source that ours gives for a row with the one of the released collator.
pub fn check((row, example): (&Value, &Value)) {
    let task = Task {
        id: text(&example["Task"]),
        definition: Some(strings(&example["Definition"])[0].to_owned()),
        positive: examples(&example["Positive Examples"]),
        negative: examples(&example["Negative Examples"]),
        ..Task::default()
    };
    let encoder = Encoder::new(&task, &Layout::TkInstruct(layout(row)), WORDS).unwrap();
    let prompt = encoder.prompt(example["Instance"]["input"].as_str().unwrap());
    assert_eq!(prompt.text(), row["source"].as_str().unwrap(), "{}", row["scheme"]);
}
