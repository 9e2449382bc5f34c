//! Whether a question asks for a class or for a piece of text: ZEST's question format.
//!
//! The lists of first words are those of the ZEST scorer (rule Z7 of docs/metrics.md), which refuses any
//! other word; here the answers decide then, and a task that gives no sign either way has no format.

use super::tally::is_na;
use crate::{AnswerKind, FieldKind, Task};
use serde::Serialize;
use serde_json::{Map, Value};

const EXTRACTION: [&str; 17] = [
    "what's",
    "which",
    "what",
    "when",
    "where",
    "how",
    "on",
    "who",
    "in",
    "per",
    "the",
    "at",
    "could",
    "aside",
    "during",
    "how's",
    "pertaining",
];
const CLASSIFICATION: [&str; 15] =
    ["does", "are", "is", "am", "can", "do", "did", "was", "were", "should", "has", "have", "will", "while", "after"];

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionFormat {
    /// Yes, no or another label.
    Classification,
    /// Text of the input.
    Extraction,
}

impl QuestionFormat {
    /// The word for this format in results.
    pub fn name(self) -> &'static str {
        match self {
            QuestionFormat::Classification => "classification",
            QuestionFormat::Extraction => "extraction",
        }
    }
}

/// The format of a task's question: by its stated kind of answer, else by the question's first word, else by the gold
/// answers. None for free text, for a definition that is no question, and when nothing tells.
pub fn question_format(task: &Task) -> Option<QuestionFormat> {
    match task.answer.as_ref().map(|spec| &spec.kind) {
        Some(AnswerKind::YesNo | AnswerKind::Label(_)) => Some(QuestionFormat::Classification),
        Some(AnswerKind::Spans | AnswerKind::Records(_)) => Some(QuestionFormat::Extraction),
        Some(AnswerKind::Text) => None,
        None => {
            // "In this task, …" begins with a word of the list but is no question.
            let question = task.definition.as_deref().filter(|text| text.trim_end().ends_with('?'))?;
            format_by_first_word(question).or_else(|| by_answers(task))
        }
    }
}

/// The format that the question's first word tells, as the ZEST scorer does; none for a word on neither of its lists.
pub fn format_by_first_word(question: &str) -> Option<QuestionFormat> {
    let word = question.split(' ').next().unwrap_or_default().to_lowercase();
    if EXTRACTION.contains(&word.as_str()) {
        Some(QuestionFormat::Extraction)
    } else {
        CLASSIFICATION.contains(&word.as_str()).then_some(QuestionFormat::Classification)
    }
}

/// Whether a task asks for records with yes-no fields and fields of another kind: what the ZEST paper calls mixed. Where the
/// kind of answer is not stated, the gold answers tell.
pub fn is_mixed(task: &Task) -> bool {
    let kinds: Vec<bool> = match task.answer.as_ref().map(|spec| &spec.kind) {
        Some(AnswerKind::Records(fields)) => fields.iter().map(|field| field.kind == FieldKind::YesNo).collect(),
        Some(_) => return false,
        None => {
            let golds = task.instances.iter().flat_map(|instance| &instance.outputs);
            let values = golds.filter_map(|gold| serde_json::from_str::<Vec<Map<String, Value>>>(gold).ok()).flatten();
            let texts = values.flatten().filter_map(|(_, value)| value.as_str().map(str::to_lowercase));
            texts.filter(|text| !is_na(text)).map(|text| ["yes", "no"].contains(&text.as_str())).collect()
        }
    };
    kinds.contains(&true) && kinds.contains(&false)
}

fn by_answers(task: &Task) -> Option<QuestionFormat> {
    let golds = task.instances.iter().filter_map(|instance| instance.outputs.first());
    let mut golds = golds.filter(|gold| !is_na(gold)).peekable();
    golds.peek()?;
    let is_yes_no = |gold: &String| gold.eq_ignore_ascii_case("yes") || gold.eq_ignore_ascii_case("no");
    Some(if golds.all(is_yes_no) { QuestionFormat::Classification } else { QuestionFormat::Extraction })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnswerSpec, Field, Instance};

    fn format(definition: &str, outputs: &[&str]) -> Option<QuestionFormat> {
        let instance = |output: &&str| Instance { outputs: vec![(*output).to_owned()], ..Instance::default() };
        let instances = outputs.iter().map(instance).collect();
        question_format(&Task { definition: Some(definition.to_owned()), instances, ..Task::default() })
    }

    #[test]
    fn the_first_word_decides() {
        assert_eq!(format("Are dogs allowed?", &[]), Some(QuestionFormat::Classification));
        assert_eq!(format("What's the fee?", &["yes"]), Some(QuestionFormat::Extraction));
    }

    #[test]
    fn answers_decide_where_the_word_does_not() {
        assert_eq!(format("Dogs: allowed?", &["n/a", "Yes", "no"]), Some(QuestionFormat::Classification));
        assert_eq!(format("Dogs: allowed?", &["n/a", "on a leash"]), Some(QuestionFormat::Extraction));
        assert_eq!(format("Dogs: allowed?", &["n/a"]), None);
        assert_eq!(format("In this task, you answer.", &["yes"]), None);
        assert_eq!(format("", &[]), None);
    }

    #[test]
    fn records_with_yes_no_and_other_fields_are_mixed() {
        let of = |outputs: &[&str]| {
            let instance = |output: &&str| Instance { outputs: vec![(*output).to_owned()], ..Instance::default() };
            is_mixed(&Task { instances: outputs.iter().map(instance).collect(), ..Task::default() })
        };
        assert!(of(&["n/a", r#"[{"hike": "Fern Falls", "open": "yes"}]"#]));
        assert!(!of(&[r#"[{"hike": "Fern Falls", "open": "n/a"}]"#]) && !of(&["yes", "Fern Falls"]) && !of(&[]));
        let field = |name: &str, kind| Field { name: name.to_owned(), kind };
        let mut fields = vec![field("hike", FieldKind::Span), field("open", FieldKind::YesNo)];
        let stated = |fields: &[Field]| {
            let answer = Some(AnswerSpec { kind: AnswerKind::Records(fields.to_vec()), na: None });
            is_mixed(&Task { answer, ..Task::default() })
        };
        assert!(stated(&fields));
        fields.truncate(1);
        assert!(!stated(&fields));
    }

    #[test]
    fn a_stated_kind_comes_first() {
        let answer = Some(AnswerSpec { kind: AnswerKind::Spans, na: None });
        let task = Task { definition: Some("Is it?".into()), answer, ..Task::default() };
        assert_eq!(question_format(&task), Some(QuestionFormat::Extraction));
    }
}
