//! Questions that differ from row to row: SQuAD's JSON, and JSON Lines of a question, a text and an answer.
//!
//! What the answers of a file look like says how they are scored ([`Style`]) and what kind of answer is asked for. Rows
//! become tasks, one for each question, so that the same function answers them as everything else.

mod row;
pub mod sets;
mod squad;

use crate::problem::Severity;
use crate::reader::Reader;
use crate::source::Source;
use crate::turking::Random;
use crate::{AnswerSpec, Error, Instance, Origin, Task};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;

/// How the answers of a source are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Task F1; a list of spans is a set, as in everyday.
    Set,
    /// Task F1; a list is alternatives, as in ZEST.
    Alternatives,
    /// SQuAD's exact match and F1.
    Squad,
    /// Labels that are right or wrong, NA among them where the data has it.
    Labels,
    /// Whether the text answers the question at all.
    Answerable,
}

/// What stands for an answer where it is only known that there is one.
pub const ANSWERED: &str = "answered";

/// What stands for NA among the outputs.
pub const NA: &str = "n/a";

/// The rows of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Questions {
    /// How they are scored.
    pub style: Style,
    /// What kind of answer is asked for; none if the words of each question say it.
    pub spec: Option<AnswerSpec>,
    /// The rows.
    pub rows: Vec<Question>,
}

/// A question about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The row's own id, or its line.
    pub id: String,
    /// SQuAD's article.
    pub article: Option<String>,
    /// The question.
    pub question: String,
    /// The text.
    pub text: String,
    /// Every acceptable answer; [`NA`] if the text has none.
    pub outputs: Vec<String>,
}

/// Reads a file: JSON as SQuAD has it, or JSON Lines.
pub fn read(source: &Source) -> Result<Questions, Error> {
    let name = source.path.to_string_lossy();
    let is_lines = name.strip_suffix(".gz").unwrap_or(&name).ends_with(".jsonl");
    let mut reader = Reader::new(source);
    let questions = if is_lines { row::read(&mut reader) } else { squad::read(&mut reader) };
    match reader.problems.into_iter().find(|problem| problem.severity() == Severity::Error) {
        Some(problem) => Err(problem.into()),
        None if questions.rows.is_empty() => {
            let expected = "SQuAD's JSON, or JSON Lines with `question`, `passage` and `answer`".to_owned();
            Err(Error::NoTasks { path: source.path.clone(), expected })
        }
        None => Ok(questions),
    }
}

impl Questions {
    /// Only the rows of these articles.
    #[must_use]
    pub fn of_articles(mut self, articles: &[String]) -> Self {
        self.rows.retain(|row| row.article.as_ref().is_some_and(|article| articles.contains(article)));
        self
    }

    /// Only the rows with these numbers, from 0.
    #[must_use]
    pub fn of_rows(mut self, rows: Range<usize>) -> Self {
        self.rows = self.rows.into_iter().take(rows.end).skip(rows.start).collect();
        self
    }

    /// Only the questions with these numbers, in the order in which they first appear, from 0.
    #[must_use]
    pub fn of_questions(mut self, questions: Range<usize>) -> Self {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        self.rows.retain(|row| {
            let next = numbers.len();
            questions.contains(numbers.entry(row.question.clone()).or_insert(next))
        });
        self
    }

    /// At most N rows, drawn at random by a seed; in the order of the file.
    #[must_use]
    pub fn drawn(mut self, limit: usize, seed: u64, name: &str) -> Self {
        let mut order = Random::stream(seed, name).shuffled(self.rows.len());
        order.truncate(limit);
        order.sort_unstable();
        let mut taken = order.into_iter().peekable();
        let mut number = 0;
        self.rows.retain(|_| {
            let is_taken = taken.next_if_eq(&number).is_some();
            number += 1;
            is_taken
        });
        self
    }

    /// The rows as tasks of a data set of this name: one for each question, with the texts it is asked of.
    pub fn tasks(self, name: &str) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for row in self.rows {
            let place = *places.entry(row.question.clone()).or_insert_with(|| {
                tasks.push(Task {
                    id: format!("{name}/{}", row.id),
                    definition: Some(row.question),
                    answer: self.spec.clone(),
                    origin: Origin { dataset: vec![name.to_owned()], ..Origin::default() },
                    ..Task::default()
                });
                tasks.len() - 1
            });
            let instance = Instance { id: Some(row.id), outputs: row.outputs, ..Instance::unlabelled(row.text) };
            tasks[place].instances.push(instance);
        }
        tasks
    }
}

/// Whole tasks with at most N instances together, drawn at random by a seed, from each kind of answer in turn; in
/// their order. At least one task is drawn.
pub fn drawn_tasks(tasks: Vec<Task>, limit: usize, seed: u64, name: &str) -> Vec<Task> {
    let mut kinds: Vec<(&str, Vec<usize>)> = Vec::new();
    for number in Random::stream(seed, name).shuffled(tasks.len()) {
        let kind = tasks[number].answer.as_ref().map_or("", |spec| spec.kind.name());
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, numbers)) => numbers.push(number),
            None => kinds.push((kind, vec![number])),
        }
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    let most = kinds.iter().map(|(_, numbers)| numbers.len()).max().unwrap_or_default();
    let in_turn = (0..most).flat_map(|turn| kinds.iter().filter_map(move |(_, numbers)| numbers.get(turn).copied()));
    let (mut taken, mut rows) = (vec![false; tasks.len()], 0);
    for number in in_turn {
        rows += tasks[number].instances.len();
        if rows > limit && taken.contains(&true) {
            break;
        }
        taken[number] = true;
    }
    tasks.into_iter().zip(taken).filter(|(_, is_taken)| *is_taken).map(|(task, _)| task).collect()
}

#[cfg(test)]
mod tests;
