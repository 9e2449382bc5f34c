//! Questions over documents, made of tasks that ask questions over passages: for spans, for yes and no, and with the
//! answer that a text does not say.
//!
//! Such tasks always have their answer in the passage, so a model that learns from them alone learns to answer always.
//! Here each passage is also asked questions of other passages of the same task, where the answer is "Not stated".

mod squad;

use super::draw::generator;
use anyhow::Result;
use regex::Regex;
use saydo_function::{NOT_STATED, question};
use saydo_task::{AnswerKind, AnswerSpec, Task};
use saydo_train::{Example, shuffle};
use std::path::Path;
use std::sync::LazyLock;

/// A passage under a heading, then a question under another, and nothing behind it.
static PASSAGE_AND_QUESTION: LazyLock<Regex> = LazyLock::new(|| {
    let heading = "passage|context|paragraph|story|article|text|document|background|sentence|fact|review";
    let pattern =
        format!(r"(?is)^\s*(?:{heading})s?\s*\d*\s*[:\-]\s*(.+?)[\s,;]*question\s*\d*\s*[:\-]\s*([^?\n]+\?)\s*$");
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// A question, the passage it was asked of, and words of the passage that answer it.
struct Reading {
    passage: String,
    question: String,
    answer: String,
}

/// A longer sentence is not asked about.
const MOST_STATED_CHARS: usize = 200;

/// Questions that are asked of each passage from other passages of the task.
const FROM_ELSEWHERE: usize = 2;

/// Readings that belong together, so that a question of one is to the point, and mostly unanswered, in another: those of a
/// task, or of an article.
pub(super) struct Shelf {
    name: String,
    readings: Vec<Reading>,
}

impl Shelf {
    /// The readings of each task that asks questions over passages; tasks that ask for wrong answers have none.
    pub fn of_tasks(tasks: &[Task]) -> Vec<Self> {
        let shelf = |task: &Task| {
            let readings: Vec<Reading> = task.instances.iter().filter_map(reading).collect();
            // A task that asks for wrong answers has few of them in its passages.
            let has_answers = readings.len() * 3 >= task.instances.len() * 2 && !readings.is_empty();
            (has_answers && !asks_for_wrong_answers(task)).then(|| Self { name: task.id.clone(), readings })
        };
        tasks.iter().filter_map(shelf).collect()
    }

    /// The articles of a file in SQuAD's format, without paragraphs that must stay unseen.
    pub fn of_squad(path: &Path, is_unseen: &dyn Fn(&str) -> bool) -> Result<Vec<Self>> {
        squad::load(path, is_unseen)
    }
}

/// The questions that shelves give rise to, of so many readings each. Those of a reading are numbered alike, from `first`
/// on, since they share its passage.
pub(super) fn questions(shelves: Vec<Shelf>, most: usize, (first, seed): (usize, u64), chat: bool) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut number = first;
    for Shelf { name, mut readings } in shelves {
        shuffle(&mut readings, &mut generator(&name, 0, seed));
        for (place, reading) in readings.iter().enumerate().take(most) {
            let others = (1..readings.len()).map(|step| &readings[(place + step) % readings.len()]);
            for (description, kind, answer) in asked(reading, others) {
                let asked = Task { definition: Some(description), ..Task::default() };
                let prompt = question(&asked, &AnswerSpec { kind, na: None }, &reading.passage, chat);
                examples.push(Example { task: number, prompt, output: answer });
            }
            number += 1;
        }
    }
    examples
}

fn reading(instance: &saydo_task::Instance) -> Option<Reading> {
    let parts = PASSAGE_AND_QUESTION.captures(&instance.input)?;
    let answer = instance.outputs.first()?.trim().trim_end_matches('.');
    let passage = parts[1].trim().to_owned();
    // The answer as the passage spells it.
    let place = passage.to_lowercase().find(&answer.to_lowercase())?;
    let answer = passage.get(place..place + answer.len()).filter(|found| !found.is_empty())?.to_owned();
    Some(Reading { question: parts[2].trim().to_owned(), passage, answer })
}

fn asks_for_wrong_answers(task: &Task) -> bool {
    let says_so = |text: &String| {
        let text = text.to_lowercase();
        ["incorrect", "wrong", "not correct", "implausible"].iter().any(|word| text.contains(word))
    };
    task.definition.iter().chain(&task.title).any(says_so) || says_so(&task.id)
}

/// The sentence of a passage that has the answer, with another answer in its place; none if it is long.
fn statement(reading: &Reading, answer: &str) -> Option<String> {
    let place = reading.passage.find(&reading.answer)?;
    let (before, behind) = (&reading.passage[..place], &reading.passage[place + reading.answer.len()..]);
    let start = before.rfind(". ").map_or(0, |end| end + 2);
    let end = behind.find(['.', '!', '?']).unwrap_or(behind.len());
    let sentence = format!("{}{answer}{}", &before[start..], &behind[..end]);
    (sentence.chars().count() <= MOST_STATED_CHARS).then(|| format!("Is it true that {}?", sentence.trim()))
}

/// What is asked of a passage: its own question for a span and for yes and no, and questions of other passages; and
/// whether its own sentence is true, the same with a wrong answer, and a sentence of another passage.
fn asked<'r>(
    reading: &Reading,
    others: impl Iterator<Item = &'r Reading> + Clone,
) -> Vec<(String, AnswerKind, String)> {
    let claim = |asked: &Reading, answer: &str| format!("{} Is it \"{answer}\"?", asked.question);
    let mut all = vec![
        (reading.question.clone(), AnswerKind::Spans, reading.answer.clone()),
        (claim(reading, &reading.answer), AnswerKind::YesNo, "Yes".to_owned()),
    ];
    let wrong = others.clone().find(|other| other.answer.to_lowercase() != reading.answer.to_lowercase());
    all.extend(wrong.map(|other| (claim(reading, &other.answer), AnswerKind::YesNo, "No".to_owned())));
    let stated = |reading: &Reading, put: &str, answer: &str| {
        statement(reading, put).map(|sentence| (sentence, AnswerKind::YesNo, answer.to_owned()))
    };
    all.extend(stated(reading, &reading.answer, "Yes"));
    all.extend(wrong.and_then(|other| stated(reading, &other.answer, "No")));
    let silent = others.filter(|other| !may_be_answered(other, &reading.passage));
    for (place, other) in silent.take(FROM_ELSEWHERE).enumerate() {
        all.push((other.question.clone(), AnswerKind::Spans, NOT_STATED.to_owned()));
        if place == 0 {
            all.push((claim(other, &other.answer), AnswerKind::YesNo, NOT_STATED.to_owned()));
            all.extend(stated(other, &other.answer, NOT_STATED));
        }
    }
    all
}

/// Whether another passage might answer a question after all: it has the answer, or every telling word of the question.
fn may_be_answered(reading: &Reading, passage: &str) -> bool {
    let passage = passage.to_lowercase();
    let question = reading.question.to_lowercase();
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
    let mut telling = words.filter(|word| !["what", "where", "when", "which", "whose", "does"].contains(word));
    passage.contains(&reading.answer.to_lowercase()) || telling.all(|word| passage.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;

    fn task(id: &str) -> Task {
        let towns = ["Ulm", "Bath", "Cork", "Lund", "Graz", "Pisa"];
        let instance = |town: &&str| Instance {
            outputs: vec![format!("{town}.")],
            ..Instance::unlabelled(format!("Passage: {town} is old. Question: Which town has a fair like {town}'s?"))
        };
        Task { id: id.into(), instances: towns.iter().map(instance).collect(), ..Task::default() }
    }

    #[test]
    fn questions_ask_for_what_is_there_and_for_what_is_not() {
        let made = questions(Shelf::of_tasks(&[task("fairs")]), 6, (7, 1), true);
        let of_first: Vec<&Example> = made.iter().filter(|example| example.task == 7).collect();
        let document = of_first[0].prompt.text.split("\n\n").next().unwrap_or_default();
        assert!(of_first.iter().all(|example| example.prompt.text.starts_with(document)), "they share their passage");
        let answers: Vec<&str> = of_first.iter().map(|example| &*example.output).collect();
        assert!(document.contains(answers[0]), "{document} {answers:?}");
        let expected = ["Yes", "No", "Yes", "No", NOT_STATED, NOT_STATED, NOT_STATED, NOT_STATED];
        assert_eq!(answers[1..], expected);
        let asked = |text: &str| of_first.iter().filter(|example| example.prompt.text.contains(text)).count();
        assert_eq!(asked("Is it true that "), 3);
        assert_eq!(made.last().map(|example| example.task), Some(12), "a number for each passage");
    }

    #[test]
    fn tasks_that_ask_for_wrong_answers_give_none() {
        assert!(Shelf::of_tasks(&[task("fairs_incorrect_answer")]).is_empty());
        let other = Task { instances: vec![Instance::unlabelled("No passage here.")], ..Task::default() };
        assert!(Shelf::of_tasks(&[other]).is_empty());
    }
}
