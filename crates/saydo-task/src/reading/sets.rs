//! The two fixed sets of questions: one to choose recipes, prompts and thresholds by, one to report on. Written down once, in
//! `data/reading/sets.toml`, for evaluation, which asks them, and for training, which leaves them out.

use super::Questions;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const SETS: &str = include_str!("../../data/reading/sets.toml");

/// What a set has of one source.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What it is called in tables.
    pub name: String,
    /// A name of everyday, `built-in:NAME`, or a path below a folder of data.
    pub data: String,
    /// Rows at most.
    pub limit: usize,
    #[serde(default)]
    articles: Vec<String>,
    rows: Option<[usize; 2]>,
    questions: Option<[usize; 2]>,
}

/// The parts of a set, `choose` or `report`; empty if there is no such set.
pub fn parts(set: &str) -> Vec<Part> {
    all().remove(set).unwrap_or_default()
}

/// What is left of a file to learn from: no row of either set, and none whose text is that of one.
#[must_use]
pub fn left(path: &Path, mut questions: Questions) -> Questions {
    let name = path.file_name();
    let all = all();
    let parts = all.values().flatten().filter(|part| Path::new(&part.data).file_name() == name);
    let held_back: Vec<Questions> = parts.map(|part| part.of(questions.clone())).collect();
    let texts: HashSet<&str> = held_back.iter().flat_map(|part| &part.rows).map(|row| row.text.as_str()).collect();
    questions.rows.retain(|row| !texts.contains(row.text.as_str()));
    questions
}

fn all() -> BTreeMap<String, Vec<Part>> {
    toml::from_str(SETS).expect("a test reads the sets")
}

impl Part {
    /// The part of a file that the set has.
    #[must_use]
    pub fn of(&self, questions: Questions) -> Questions {
        let range = |[start, end]: [usize; 2]| start..end;
        let questions = if self.articles.is_empty() { questions } else { questions.of_articles(&self.articles) };
        let questions = match self.questions {
            Some(bounds) => questions.of_questions(range(bounds)),
            None => questions,
        };
        match self.rows {
            Some(bounds) => questions.of_rows(range(bounds)),
            None => questions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Question, Style};

    #[test]
    fn the_sets_have_nothing_in_common() {
        let sets = all();
        assert_eq!(sets.keys().collect::<Vec<_>>(), ["choose", "report"]);
        for one in &sets["choose"] {
            for other in sets["report"].iter().filter(|other| other.data == one.data) {
                let apart = |a: Option<[usize; 2]>, b: Option<[usize; 2]>| matches!((a, b), (Some(a), Some(b)) if a[1] <= b[0] || b[1] <= a[0]);
                let has_common = one.articles.iter().any(|article| other.articles.contains(article));
                let is_apart = apart(one.rows, other.rows)
                    || apart(one.questions, other.questions)
                    || !one.articles.is_empty() && !other.articles.is_empty() && !has_common;
                assert!(is_apart, "{} and {}", one.name, other.name);
            }
        }
    }

    #[test]
    fn what_is_asked_is_not_learned_from() {
        let row = |number: usize, article: &str| Question {
            id: number.to_string(),
            article: Some(article.to_owned()),
            question: format!("Question {number}?"),
            text: format!("A text on {article}, {}.", number / 2),
            outputs: vec!["text".to_owned()],
        };
        let rows = vec![row(0, "Amazon_rainforest"), row(1, "Normans"), row(2, "Victoria_(Australia)")];
        let questions = Questions { style: Style::Squad, spec: None, rows };
        let left_of = |path: &str| -> Vec<String> {
            left(Path::new(path), questions.clone()).rows.into_iter().map(|row| row.id).collect()
        };
        assert_eq!(left_of("data/squad2-28-articles.json.gz"), ["2"]);
        assert_eq!(left_of("data/mine.json"), ["0", "1", "2"]);
        assert!(left_of("vitaminc-1500.jsonl.gz").is_empty(), "all of it is reported on");
        let shared =
            Questions { rows: vec![Question { article: None, ..row(0, "Normans") }, row(0, "Normans")], ..questions };
        assert!(left(Path::new("squad2-28-articles.json.gz"), shared).rows.is_empty(), "the text is the same");
    }
}
