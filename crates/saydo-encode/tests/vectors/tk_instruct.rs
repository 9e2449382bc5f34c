//! Tk-Instruct: sources under all schemes and under limits that drop examples or cut the end.

use super::{lines, shared, strings};
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
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    TkInstruct {
        task_name: options["add_task_name"].as_bool().unwrap(),
        definition: options["add_task_definition"].as_bool().unwrap(),
        num_positive: number(&options["num_pos_examples"]),
        num_negative: number(&options["num_neg_examples"]),
        explanations: options["add_explanation"].as_bool().unwrap(),
        max_source_length: number(&row["budget_words_plus_one"]),
    }
}

#[test]
fn sources_are_those_of_the_released_collator() {
    let Some(path) = shared("vectors/encodings/tk_instruct_prompts.jsonl") else { return };
    let rows = lines(&path);
    assert_eq!(rows.len(), 45);
    let mut example = &rows[0]["example"];
    for row in &rows {
        if row["example"].get("same_as_previous").is_none() {
            example = &row["example"];
        }
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
}
