//! JSON Lines of a text, a question or a claim about it, and the answer.
//!
//! | Answers | Asked as | Style |
//! | --- | --- | --- |
//! | to a `claim` or `hypothesis`: whether it holds, does not, or is left open | "Is it true that …?", yes, no or NA | labels |
//! | `yes`, `no`, true, false (BoolQ) | yes or no | labels |
//! | `yes`, `no`, `maybe` (PubMedQA) | one of the three | labels |
//! | the texts `True` and `False` (PrivacyQA): whether the text answers the question | as its words say, or NA | answerable |
//! | anything else: one text or several acceptable ones, null for NA | spans of the text, or free text where most answers do not stand in it | SQuAD's |

use super::{ANSWERED, NA, Question, Questions, Style};
use crate::node::{Node, Value};
use crate::problem::Code;
use crate::reader::{Path, Reader};
use crate::{AnswerKind, AnswerSpec};

const TEXTS: [&str; 5] = ["passage", "context", "premise", "text", "document"];
const QUESTIONS: [&str; 1] = ["question"];
const CLAIMS: [&str; 2] = ["claim", "hypothesis"];
const ANSWERS: [&str; 3] = ["answer", "label", "answers"];

/// What different data sets call the three verdicts on a claim.
const VERDICTS: [(&str, [&str; 4]); 3] = [
    ("yes", ["true", "supports", "entailment", "yes"]),
    ("no", ["false", "refutes", "contradiction", "no"]),
    (NA, ["neither", "not enough info", "neutral", "n/a"]),
];

struct Line {
    question: Question,
    is_claim: bool,
    answer: Value,
    offset: usize,
}

pub(super) fn read(reader: &mut Reader<'_>) -> Questions {
    let mut lines = Vec::new();
    let source = reader.source;
    for (number, line) in source.lines().enumerate() {
        let (offset, text) = match line {
            Ok(line) => line,
            Err(problem) => {
                reader.problems.push(problem);
                break;
            }
        };
        reader.starting_at(offset);
        let Some(node) = reader.json(text) else { continue };
        lines.extend(line_of(reader, &node, number + 1, offset));
    }
    reader.starting_at(0);
    styled(reader, lines)
}

fn line_of(reader: &mut Reader<'_>, node: &Node, number: usize, offset: usize) -> Option<Line> {
    reader.object(node, Path::Root)?;
    let first = |names: &[&'static str]| names.iter().find_map(|name| Some((*name, node.get(name)?)));
    let missing = |reader: &mut Reader<'_>, names: &[&str]| {
        let expected = format!("one of `{}`", names.join("`, `"));
        reader.report(Code::MissingField, node.offset, Path::Root, "no such field", expected);
    };
    let Some((name, text)) = first(&TEXTS) else {
        missing(reader, &TEXTS);
        return None;
    };
    let text = reader.string(text, Path::Root.key(name))?;
    let claim = first(&CLAIMS);
    let Some((name, question)) = claim.or_else(|| first(&QUESTIONS)) else {
        missing(reader, &["question", "claim", "hypothesis"]);
        return None;
    };
    let question = reader.string(question, Path::Root.key(name))?;
    let Some((_, answer)) = first(&ANSWERS) else {
        missing(reader, &ANSWERS);
        return None;
    };
    let id = match node.get("id").map(|id| &id.value) {
        Some(Value::String(id) | Value::Integer(id)) => id.clone(),
        _ => format!("line {number}"),
    };
    let question = if claim.is_some() { is_it_true(&question) } else { question };
    let question = Question { id, article: None, question, text, outputs: Vec::new() };
    Some(Line { question, is_claim: claim.is_some(), answer: answer.value.clone(), offset })
}

fn is_it_true(claim: &str) -> String {
    format!("Is it true that {}?", claim.trim().trim_end_matches(['.', ' ']))
}

/// Says of all rows together how they are scored, and writes their answers so.
fn styled(reader: &mut Reader<'_>, mut lines: Vec<Line>) -> Questions {
    let word = |line: &Line| match &line.answer {
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::String(text) => Some(text.trim().to_lowercase()),
        Value::Null => Some(NA.to_owned()),
        _ => None,
    };
    let all = |words: &[&str]| {
        let is_one = |line: &Line| word(line).is_some_and(|word| words.contains(&word.as_str()));
        !lines.is_empty() && lines.iter().all(is_one)
    };
    let is_claims = lines.iter().any(|line| line.is_claim);
    let is_spelled_true =
        |line: &Line| matches!(&line.answer, Value::String(text) if text == "True" || text == "False");
    let (style, kind) = if is_claims || all(&["yes", "no", NA]) {
        (Style::Labels, Some(AnswerKind::YesNo))
    } else if lines.iter().all(is_spelled_true) {
        (Style::Answerable, None)
    } else if all(&["yes", "no", "maybe"]) {
        (Style::Labels, Some(AnswerKind::Label(["yes", "no", "maybe"].map(str::to_owned).to_vec())))
    } else {
        (Style::Squad, Some(AnswerKind::Spans))
    };
    for line in &mut lines {
        let word = word(line);
        line.question.outputs = match style {
            Style::Answerable => vec![if word.as_deref() == Some("true") { ANSWERED } else { NA }.to_owned()],
            Style::Labels if is_claims => verdict(reader, line.offset, word),
            Style::Labels => word.into_iter().collect(),
            Style::Squad | Style::Set | Style::Alternatives => texts(&line.answer),
        };
    }
    let rows: Vec<Question> = lines.into_iter().map(|line| line.question).collect();
    let has_na = rows.iter().any(|row| row.outputs == [NA]);
    let kind = match kind {
        Some(AnswerKind::Spans) if !stand_in_texts(&rows) => Some(AnswerKind::Text),
        kind => kind,
    };
    let spec = kind.map(|kind| AnswerSpec { kind, na: if has_na { None } else { Some(false) } });
    Questions { style, spec, rows }
}

fn verdict(reader: &mut Reader<'_>, offset: usize, word: Option<String>) -> Vec<String> {
    let word = word.unwrap_or_default();
    let found = VERDICTS.iter().find(|(_, names)| names.contains(&word.as_str()));
    if found.is_none() {
        let expected = "a verdict on the claim: true, false or neither (or supports, refutes, not enough info; or \
                        entailment, contradiction, neutral)";
        reader.report(Code::UnknownWord, offset, Path::Root.key("label"), format!("`{word}`"), expected);
    }
    found.map(|(answer, _)| (*answer).to_owned()).into_iter().collect()
}

/// The acceptable answers; NA if there is none.
fn texts(answer: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::String(text) if !["", "n/a", "na", "cannotanswer"].contains(&text.trim().to_lowercase().as_str()) => {
            Some(text.clone())
        }
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Integer(digits) => Some(digits.clone()),
        _ => None,
    };
    let texts: Vec<String> = match answer {
        Value::Array(items) => items.iter().filter_map(|item| text(&item.value)).collect(),
        one => text(one).into_iter().collect(),
    };
    if texts.is_empty() { vec![NA.to_owned()] } else { texts }
}

/// Whether at least half of the answers stand in their texts.
fn stand_in_texts(rows: &[Question]) -> bool {
    let answered: Vec<&Question> = rows.iter().filter(|row| row.outputs != [NA]).collect();
    let stands = |row: &&&Question| {
        let text = row.text.to_lowercase();
        row.outputs.iter().any(|output| text.contains(&output.trim().to_lowercase()))
    };
    2 * answered.iter().filter(stands).count() >= answered.len()
}
