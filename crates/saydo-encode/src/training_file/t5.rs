//! T5's training file: CSV with every field quoted.

use super::python;
use crate::layout::zest_t5;
use saydo_task::format::zest::Record;
use saydo_task::node::Value;

/// The CSV of one split: a header, then a row per passage. Line ends are LF, quotes are doubled.
///
/// A list of alternative answers becomes a Python list literal, as the released code has it; a passage without answer
/// has an empty target.
pub fn t5_csv(records: &[Record]) -> String {
    let mut csv = "\"inputs\",\"targets\"\n".to_owned();
    for record in records {
        let prefix = zest_t5::prefix(&record.question, &[]);
        for example in &record.examples {
            let inputs = prefix.clone() + &zest_t5::suffix(&example.context);
            csv.push_str(&format!("{},{}\n", quoted(&inputs), quoted(&target(example.answer.as_ref()))));
        }
    }
    csv
}

fn target(answer: Option<&Value>) -> String {
    match answer {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => python::literal(other),
    }
}

fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::format::zest::RecordExample;

    #[test]
    fn every_field_is_quoted_and_lists_are_python_literals() {
        let answers = ["\"a \\\"b\\\"\"", "[\"duck\", \"owl's\"]", "null", "12"];
        let answers = answers.map(|json| Some(saydo_task::json::parse(json).unwrap().root.value));
        let record = Record {
            id: Value::Null,
            question: "Any \"birds\"?".to_owned(),
            generalization: None,
            domain: None,
            derives_from: Vec::new(),
            examples: answers.map(|answer| RecordExample { context: "Pond,\r\nreeds".to_owned(), answer }).to_vec(),
            line: 1,
        };
        let input = "\"zest question: Any \"\"birds\"\"??\n\nzest context: Pond,\r\nreeds\n\n\"";
        let targets = ["\"a \"\"b\"\"\"", "\"['duck', \"\"owl's\"\"]\"", "\"\"", "\"12\""];
        let rows: String = targets.iter().map(|target| format!("{input},{target}\n")).collect();
        assert_eq!(t5_csv(&[record]), format!("\"inputs\",\"targets\"\n{rows}"));
    }
}
