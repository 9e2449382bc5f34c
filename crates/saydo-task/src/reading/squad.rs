//! SQuAD 1.1 and 2.0: articles, their paragraphs and the questions about them.

use super::{NA, Question, Questions, Style};
use crate::node::Node;
use crate::reader::{Need, Path, Reader};
use crate::{AnswerKind, AnswerSpec};

pub(super) fn read(reader: &mut Reader<'_>) -> Questions {
    let mut rows = Vec::new();
    let source = reader.source;
    if let Some(root) = reader.json(&source.text)
        && reader.object(&root, Path::Root).is_some()
    {
        let path = Path::Root.key("data");
        for (number, article) in reader.list(&root, Path::Root, "data", Need::Required).iter().enumerate() {
            read_article(reader, article, path.index(number), &mut rows);
        }
    }
    // Where every question has an answer, NA is not one of them.
    let na = (!rows.iter().any(|row| row.outputs == [NA])).then_some(false);
    Questions { style: Style::Squad, spec: Some(AnswerSpec { kind: AnswerKind::Spans, na }), rows }
}

fn read_article(reader: &mut Reader<'_>, article: &Node, path: Path<'_>, rows: &mut Vec<Question>) {
    if reader.object(article, path).is_none() {
        return;
    }
    let title = reader.text(article, path, "title", Need::Optional);
    let paragraphs = reader.list(article, path, "paragraphs", Need::Required);
    let path = path.key("paragraphs");
    for (number, paragraph) in paragraphs.iter().enumerate() {
        let path = path.index(number);
        let Some(text) = reader.text(paragraph, path, "context", Need::Required) else { continue };
        for (number, question) in reader.list(paragraph, path, "qas", Need::Required).iter().enumerate() {
            let path = path.key("qas");
            let path = path.index(number);
            let Some(asked) = reader.text(question, path, "question", Need::Required) else { continue };
            let Some(id) = reader.text(question, path, "id", Need::Required) else { continue };
            let outputs = answers(reader, question, path);
            rows.push(Question { id, article: title.clone(), question: asked, text: text.clone(), outputs });
        }
    }
}

/// The different answers of the annotators.
fn answers(reader: &mut Reader<'_>, question: &Node, path: Path<'_>) -> Vec<String> {
    let list = reader.list(question, path, "answers", Need::Required);
    let path = path.key("answers");
    let mut answers: Vec<String> = Vec::new();
    for (number, answer) in list.iter().enumerate() {
        if let Some(text) = reader.text(answer, path.index(number), "text", Need::Required)
            && !answers.contains(&text)
        {
            answers.push(text);
        }
    }
    if answers.is_empty() { vec![NA.to_owned()] } else { answers }
}
