//! Prediction files: a prediction per example, in the order of the dataset.
//!
//! The reference reads text, a prediction per line (rules Z3 to Z5 of docs/metrics.md). JSON Lines and one-column
//! CSV are ours, for models whose answers have line ends in them; there a row may also name its task, which is checked.

mod csv;

use std::path::Path;

use saydo_metrics::python::strip;
use saydo_task::json;
use saydo_task::node::Value;

use super::error::{Error, LineFault};
use super::python_text::to_text;
use super::repair::{Repairs, quirk};

/// How a prediction file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PredictionFormat {
    /// A line of text each; in double quotes it is a JSON string.
    #[default]
    Text,
    /// A JSON string each, or an object with a string under `prediction` and perhaps the task's `id`.
    JsonLines,
    /// One column without a header.
    Csv,
}

impl PredictionFormat {
    /// The format the file name suggests: `.jsonl` and `.csv`, else text.
    pub fn from_path(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => PredictionFormat::JsonLines,
            Some("csv") => PredictionFormat::Csv,
            _ => PredictionFormat::Text,
        }
    }
}

/// One prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// The text, or why there is none; the latter only with Q2 repaired, else it stops the reading.
    pub text: Result<String, LineFault>,
    /// The line it starts on, from 1.
    pub line: usize,
    /// The id of the task it says it is for.
    pub task: Option<String>,
}

/// Reads a prediction file.
///
/// With Q2 repaired, an empty line is an empty prediction and a broken one is kept as such; otherwise, as in the
/// reference, both are errors, surplus lines included.
///
/// ```
/// use saydo_protocol::zest::{PredictionFormat, Repairs, read_predictions};
///
/// let predictions = read_predictions("yes\n\"a \\\"b\\\"\"\n", PredictionFormat::Text, Repairs::NONE).unwrap();
/// assert_eq!(predictions[1].text, Ok("a \"b\"".to_owned()));
/// ```
pub fn read_predictions(text: &str, format: PredictionFormat, repairs: Repairs) -> Result<Vec<Prediction>, Error> {
    let predictions: Vec<Prediction> = match format {
        PredictionFormat::Text => numbered_lines(text).map(|(line, text)| text_line(line, text)).collect(),
        PredictionFormat::JsonLines => numbered_lines(text)
            .filter(|(_, text)| !strip(text).is_empty())
            .map(|(line, text)| json_line(line, text))
            .collect(),
        PredictionFormat::Csv => csv::cells(text).map(|(line, text)| Prediction { text, line, task: None }).collect(),
    };
    if predictions.is_empty() {
        return Err(Error::NoPredictions);
    }
    predictions.into_iter().map(|prediction| finish(prediction, repairs)).collect()
}

/// Lines end at LF, CRLF or a lone CR.
fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let next = move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = tail.strip_prefix("\r\n").or_else(|| tail.get(1..)).unwrap_or("");
        Some(line)
    };
    std::iter::from_fn(next).zip(1..).map(|(line, number)| (number, line))
}

fn text_line(line: usize, text: &str) -> Prediction {
    let text = strip(text);
    let text = if text.is_empty() {
        Err(LineFault::Empty)
    } else if text.starts_with('"') && text.ends_with('"') {
        json::parse(text)
            .map(|parsed| to_text(&parsed.root.value))
            .map_err(|error| LineFault::Quotes { message: error.to_string() })
    } else {
        Ok(text.to_owned())
    };
    Prediction { text, line, task: None }
}

fn json_line(line: usize, text: &str) -> Prediction {
    let root = match json::parse(text) {
        Ok(parsed) => parsed.root,
        Err(error) => {
            return Prediction { text: Err(LineFault::Syntax { message: error.to_string() }), line, task: None };
        }
    };
    let task = root.get("id").map(|id| to_text(&id.value));
    let value = match &root.value {
        Value::Object(_) => root.get("prediction").map(|node| &node.value),
        value => Some(value),
    };
    let text = match value {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(LineFault::NotPrediction { found: other.kind() }),
        None => Err(LineFault::NotPrediction { found: "an object without `prediction`" }),
    };
    Prediction { text, line, task }
}

fn finish(prediction: Prediction, repairs: Repairs) -> Result<Prediction, Error> {
    let text = match prediction.text {
        Ok(text) => Ok(with_braces(text)),
        Err(fault) if !repairs.has(quirk::ABORTS) => return Err(Error::Line { line: prediction.line, fault }),
        Err(LineFault::Empty) => Ok(String::new()),
        Err(fault) => Err(fault),
    };
    Ok(Prediction { text, ..prediction })
}

/// T5's vocabulary has no braces and writes U+2047 for either: they are put back in turn, `{` first.
fn with_braces(text: String) -> String {
    const UNKNOWN: char = '\u{2047}';
    if !text.contains(UNKNOWN) {
        return text;
    }
    let mut braces = ['{', '}'].into_iter().cycle();
    text.chars().map(|c| if c == UNKNOWN { braces.next().unwrap_or(c) } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, format: PredictionFormat, repairs: Repairs) -> Vec<Result<String, LineFault>> {
        read_predictions(text, format, repairs).unwrap().into_iter().map(|prediction| prediction.text).collect()
    }

    fn error(text: &str, format: PredictionFormat) -> String {
        read_predictions(text, format, Repairs::NONE).unwrap_err().to_string()
    }

    const FIXED: Repairs = Repairs::NONE.with(quirk::ABORTS);

    #[test]
    fn lines_end_in_three_ways_and_are_stripped() {
        let found = texts(" yes \nno\r\n\u{a0}n/a\u{1c}\rlast", PredictionFormat::Text, Repairs::NONE);
        assert_eq!(found, ["yes", "no", "n/a", "last"].map(|text| Ok(text.to_owned())));
        assert_eq!(texts("\u{2028}x\u{b}y", PredictionFormat::Text, Repairs::NONE), [Ok("x\u{b}y".to_owned())]);
    }

    #[test]
    fn braces_come_back_in_turn() {
        let found = texts("[⁇\"a\": \"b\"⁇, ⁇⁇]\n\"\\u2047\"", PredictionFormat::Text, Repairs::NONE);
        assert_eq!(found, [Ok("[{\"a\": \"b\"}, {}]".to_owned()), Ok("{".to_owned())]);
    }

    #[test]
    fn quoted_lines_are_json_and_kept_as_they_decode() {
        assert_eq!(texts("\" \\u00e9\\n\"", PredictionFormat::Text, Repairs::NONE), [Ok(" é\n".to_owned())]);
        assert_eq!(
            error("yes\n\"say \"\"hi\"\"\"\n", PredictionFormat::Text),
            "prediction line 2: found text in double quotes that is not a JSON string: \
             found `\"`, expected the end of the text"
        );
        assert!(read_predictions("\"", PredictionFormat::Text, Repairs::NONE).is_err());
    }

    #[test]
    fn empty_lines_stop_the_reading_unless_repaired() {
        assert_eq!(
            error("yes\n \n", PredictionFormat::Text),
            "prediction line 2: found an empty line, expected a prediction (an empty one is written \"\")"
        );
        assert_eq!(error("", PredictionFormat::Text), "the prediction file is empty, expected a prediction per line");
        let found = texts("yes\n\n\"a\" or \"b\"\n", PredictionFormat::Text, FIXED);
        assert_eq!(found[..2], [Ok("yes".to_owned()), Ok(String::new())]);
        assert!(matches!(found[2], Err(LineFault::Quotes { .. })));
    }

    #[test]
    fn json_lines_hold_strings_or_objects_with_an_id() {
        let text = "\"yes\"\n\n{\"id\": 7, \"prediction\": \"a|b\"}\n";
        let found = read_predictions(text, PredictionFormat::JsonLines, Repairs::NONE).unwrap();
        assert_eq!(found[0], Prediction { text: Ok("yes".into()), line: 1, task: None });
        assert_eq!(found[1], Prediction { text: Ok("a|b".into()), line: 3, task: Some("7".into()) });
        for broken in ["5", "{\"output\": \"yes\"}", "{\"prediction\": null}", "yes"] {
            assert!(read_predictions(broken, PredictionFormat::JsonLines, Repairs::NONE).is_err(), "{broken}");
        }
    }

    #[test]
    fn file_names_tell_the_format() {
        let formats = ["p.jsonl", "p.csv", "p.txt", "p"].map(|name| PredictionFormat::from_path(Path::new(name)));
        let [text, lines, csv] = [PredictionFormat::Text, PredictionFormat::JsonLines, PredictionFormat::Csv];
        assert_eq!(formats, [lines, csv, text, text]);
    }
}
