//! Questions over the paragraphs of articles, in SQuAD's format. Other paragraphs of an article are on its subject and
//! seldom answer the same question, which is what "Not stated" is learned from best.

use super::{Reading, Shelf};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Document {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    #[serde(default)]
    title: String,
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    text: String,
}

/// A shelf for each article: every question that words of its paragraph answer.
pub(super) fn load(path: &Path, is_unseen: &dyn Fn(&str) -> bool) -> Result<Vec<Shelf>> {
    let reading = || format!("cannot read {}", path.display());
    let bytes = std::fs::read(path).with_context(reading)?;
    let document: Document =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is not in SQuAD's format", path.display()))?;
    let shelf = |article: Article| {
        let seen = article.paragraphs.into_iter().filter(|paragraph| !is_unseen(&paragraph.context));
        Shelf { name: article.title, readings: seen.flat_map(readings).collect() }
    };
    Ok(document.data.into_iter().map(shelf).filter(|shelf| !shelf.readings.is_empty()).collect())
}

fn readings(paragraph: Paragraph) -> Vec<Reading> {
    let passage = paragraph.context.trim().to_owned();
    let reading = |asked: Asked| {
        let answer = asked.answers.into_iter().next()?.text.trim().to_owned();
        let is_there = !answer.is_empty() && passage.contains(&answer);
        is_there.then(|| Reading { passage: passage.clone(), question: asked.question.trim().to_owned(), answer })
    };
    paragraph.qas.into_iter().filter_map(reading).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_become_shelves_without_what_must_stay_unseen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squad.json");
        let asked = r#"{"question": "What is old?", "answers": [{"text": "Ulm", "answer_start": 0}]}"#;
        let none = r#"{"question": "What is not?", "answers": []}"#;
        let paragraph = |town: &str| format!(r#"{{"context": "{town} is old.", "qas": [{asked}, {none}]}}"#);
        let (kept, other) = (paragraph("Ulm"), paragraph("Bath"));
        let text = format!(r#"{{"data": [{{"title": "Towns", "paragraphs": [{kept}, {other}]}}]}}"#);
        std::fs::write(&path, text).unwrap();
        let shelves = load(&path, &|_| false).unwrap();
        assert_eq!((shelves.len(), shelves[0].readings.len()), (1, 1), "the answer must be in the paragraph");
        assert_eq!(&*shelves[0].readings[0].passage, "Ulm is old.");
        assert!(load(&path, &|text| text.starts_with("Ulm")).unwrap().is_empty());
        std::fs::write(&path, "[]").unwrap();
        let message = load(&path, &|_| false).err().expect("an error").to_string();
        assert!(message.contains("is not in SQuAD's format"), "{message}");
    }
}
