//! Questions over the paragraphs of articles, in SQuAD's format. Other paragraphs of an article are on its subject and
//! seldom answer the same question, which is what "Not stated" is learned from best.

use super::{Page, Reading, Shelf};
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

/// A shelf for each article: its paragraphs with every question that words of them answer.
pub(super) fn load(path: &Path) -> Result<Vec<Shelf>> {
    let reading = || format!("cannot read {}", path.display());
    let bytes = std::fs::read(path).with_context(reading)?;
    let document: Document =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is not in SQuAD's format", path.display()))?;
    let shelf =
        |article: Article| Shelf { name: article.title, pages: article.paragraphs.into_iter().map(page).collect() };
    Ok(document.data.into_iter().map(shelf).collect())
}

fn page(paragraph: Paragraph) -> Page {
    let passage = paragraph.context.trim().to_owned();
    let reading = |asked: Asked| {
        let answer = asked.answers.into_iter().next()?.text.trim().to_owned();
        let is_there = !answer.is_empty() && passage.contains(&answer);
        is_there.then(|| Reading { question: asked.question.trim().to_owned(), answer })
    };
    let readings = paragraph.qas.into_iter().filter_map(reading).collect();
    Page { passage, readings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_become_shelves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squad.json");
        let asked = r#"{"question": "What is old?", "answers": [{"text": "Ulm", "answer_start": 0}]}"#;
        let none = r#"{"question": "What is not?", "answers": []}"#;
        let paragraph = |town: &str| format!(r#"{{"context": "{town} is old.", "qas": [{asked}, {none}]}}"#);
        let (kept, other) = (paragraph("Ulm"), paragraph("Bath"));
        let text = format!(r#"{{"data": [{{"title": "Towns", "paragraphs": [{kept}, {other}]}}]}}"#);
        std::fs::write(&path, text).unwrap();
        let shelves = load(&path).unwrap();
        let pages: Vec<(&str, usize)> =
            shelves[0].pages.iter().map(|page| (&*page.passage, page.readings.len())).collect();
        assert_eq!(pages, [("Ulm is old.", 1), ("Bath is old.", 0)], "the answer must be in the paragraph");
        std::fs::write(&path, "[]").unwrap();
        let message = load(&path).err().expect("an error").to_string();
        assert!(message.contains("is not in SQuAD's format"), "{message}");
    }
}
