//! Questions over documents, made of tasks that ask questions over passages: for spans, for yes and no, and with the
//! answer that a text does not say.
//!
//! Such tasks always have their answer in the passage, so a model that learns from them alone learns to answer always.
//! Here a question is also asked of another passage of the same task, where the answer is "Not stated".

use super::draw::{generator, shuffle};
use rand_chacha::rand_core::Rng as _;
use regex::Regex;
use saydo_function::{NOT_STATED, question};
use saydo_task::{AnswerKind, AnswerSpec, Task};
use saydo_train::Example;
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

/// The questions that tasks give rise to, each numbered from `first` on as a task of its own.
pub(super) fn questions(tasks: &[Task], (first, seed): (usize, u64), chat: bool) -> Vec<Example> {
    let mut examples = Vec::new();
    for task in tasks {
        let readings: Vec<Reading> = task.instances.iter().filter_map(reading).collect();
        // A task that asks for wrong answers has few of them in its passages.
        if readings.len() * 3 < task.instances.len() * 2 || asks_for_wrong_answers(task) {
            continue;
        }
        let mut random = generator(&task.id, 0, seed);
        let mut order: Vec<usize> = (0..readings.len()).collect();
        shuffle(&mut order, &mut random);
        for (place, number) in order.iter().enumerate() {
            let other = &readings[order[(place + 1) % order.len()]];
            let made = ask(&readings[*number], other, random.next_u64());
            examples.extend(made.map(|(question_of, spec, document, answer)| {
                let asked = Task { definition: Some(question_of), ..Task::default() };
                Example {
                    task: first + examples.len(),
                    prompt: question(&asked, &spec, document, chat),
                    output: answer,
                }
            }));
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

/// One way of asking, by what was drawn: half of the questions are for spans, half for yes or no; a third of each are
/// asked of a passage that does not answer them.
fn ask<'r>(reading: &'r Reading, other: &'r Reading, drawn: u64) -> Option<(String, AnswerSpec, &'r str, String)> {
    let is_elsewhere = drawn.is_multiple_of(3);
    if is_elsewhere && may_be_answered(reading, &other.passage) {
        return None;
    }
    let document = if is_elsewhere { &*other.passage } else { &*reading.passage };
    if (drawn >> 8).is_multiple_of(2) {
        let answer = if is_elsewhere { NOT_STATED.to_owned() } else { reading.answer.clone() };
        return Some((reading.question.clone(), AnswerSpec { kind: AnswerKind::Spans, na: None }, document, answer));
    }
    let is_right = (drawn >> 16).is_multiple_of(2);
    if !is_right && other.answer.to_lowercase() == reading.answer.to_lowercase() {
        return None;
    }
    let claimed = if is_right { &reading.answer } else { &other.answer };
    let asked = format!("{} Is it \"{claimed}\"?", reading.question);
    let answer = if is_elsewhere {
        NOT_STATED
    } else if is_right {
        "Yes"
    } else {
        "No"
    };
    Some((asked, AnswerSpec { kind: AnswerKind::YesNo, na: None }, document, answer.to_owned()))
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
        let mut answers = Vec::new();
        for seed in 0..20 {
            for example in questions(&[task("fairs")], (7, seed), true) {
                let document = example.prompt.text.split("\n\n").next().unwrap_or_default();
                match &*example.output {
                    NOT_STATED | "Yes" | "No" => {}
                    span => assert!(document.contains(span), "{document} {span}"),
                }
                assert!(example.task >= 7);
                answers.push(example.output);
            }
        }
        for answer in [NOT_STATED, "Yes", "No", "Ulm"] {
            assert!(answers.iter().any(|found| found == answer), "{answer} in {answers:?}");
        }
    }

    #[test]
    fn tasks_that_ask_for_wrong_answers_give_none() {
        assert!(questions(&[task("fairs_incorrect_answer")], (0, 1), true).is_empty());
        let other = Task { instances: vec![Instance::unlabelled("No passage here.")], ..Task::default() };
        assert!(questions(&[other], (0, 1), true).is_empty());
    }
}
