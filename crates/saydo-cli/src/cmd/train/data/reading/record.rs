//! Two questions over one text as one question for a record: a field for each.

use super::edition::Asked;
use saydo_function::{NOT_STATED, infer};
use saydo_task::{AnswerKind, FieldKind};
use serde_json::Value;

/// A question for a span and another one that is asked of the same text, as one; none if there are no such two, or if they do
/// not read as a question for a record.
pub(super) fn join(asked: &[Asked]) -> Option<Asked> {
    let is_answered = |asked: &&Asked| asked.answer != NOT_STATED;
    let spans = || asked.iter().filter(|one| one.kind == AnswerKind::Spans);
    let first = spans().find(is_answered).or_else(|| spans().next())?;
    let mut others = asked.iter().filter(|other| other.description != first.description && is_simple(other));
    let (second, fields) = others.find_map(|other| match infer(&both(first, other)).spec.kind {
        AnswerKind::Records(fields) if fields.len() == 2 && fields[0].kind == FieldKind::Span => {
            let kind = if other.kind == AnswerKind::YesNo { FieldKind::YesNo } else { FieldKind::Span };
            (fields[1].kind == kind).then_some((other, fields))
        }
        _ => None,
    })?;
    let description = both(first, second);
    if !is_answered(&first) && !is_answered(&second) {
        // Whether there is a record at all is told by the question for spans.
        return Some(Asked::new(description, AnswerKind::Spans, NOT_STATED));
    }
    let names = (fields[0].name.as_str(), fields[1].name.as_str());
    let things: Vec<&str> = first.answer.split("; ").collect();
    let record = |thing: &&str| format!("{{{}, {}}}", field(names.0, thing), field(names.1, &value(second)));
    let records: Vec<String> = things.iter().map(record).collect();
    Some(Asked { description, kind: AnswerKind::Records(fields), answer: format!("[{}]", records.join(", ")) })
}

fn both(first: &Asked, second: &Asked) -> String {
    format!("{} {}", first.description, second.description)
}

/// Whether its answer is one value.
fn is_simple(asked: &Asked) -> bool {
    matches!(asked.kind, AnswerKind::YesNo | AnswerKind::Spans) && !asked.answer.contains("; ")
}

fn value(asked: &Asked) -> String {
    match asked.kind {
        AnswerKind::YesNo => asked.answer.to_lowercase(),
        _ => asked.answer.clone(),
    }
}

/// A field as functions ask for it, `NA` where the text does not say.
fn field(name: &str, value: &str) -> String {
    let value = if value.eq_ignore_ascii_case(NOT_STATED) { "NA" } else { value };
    format!("{}: {}", Value::from(name), Value::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(description: &str, kind: AnswerKind, answer: &str) -> Asked {
        Asked::new(description.to_owned(), kind, answer)
    }

    #[test]
    fn two_questions_become_a_record_with_a_field_for_each() {
        let rivers = asked("What rivers are there?", AnswerKind::Spans, "Blue River; Red River");
        let boats = asked("Are boats allowed?", AnswerKind::YesNo, "No");
        let joined = join(&[boats, rivers]).expect("a record");
        assert_eq!(joined.description, "What rivers are there? Are boats allowed?");
        let AnswerKind::Records(fields) = &joined.kind else { panic!("{:?}", joined.kind) };
        let [one, other] = [&fields[0].name, &fields[1].name];
        let expected =
            format!(r#"[{{"{one}": "Blue River", "{other}": "no"}}, {{"{one}": "Red River", "{other}": "no"}}]"#);
        assert_eq!(joined.answer, expected);
    }

    #[test]
    fn what_the_text_does_not_say_is_na_and_nothing_at_all_is_not_stated() {
        let rivers = || asked("What rivers are there?", AnswerKind::Spans, NOT_STATED);
        let boats = |answer: &str| asked("Are boats allowed?", AnswerKind::YesNo, answer);
        let half = join(&[rivers(), boats("Yes")]).expect("a record");
        assert!(half.answer.contains(": \"NA\", ") && half.answer.contains(": \"yes\"}"), "{}", half.answer);
        let nothing = join(&[rivers(), boats(NOT_STATED)]).expect("a question");
        assert_eq!((nothing.kind, nothing.answer.as_str()), (AnswerKind::Spans, NOT_STATED));
        assert!(join(&[boats("Yes")]).is_none() && join(&[]).is_none());
    }
}
