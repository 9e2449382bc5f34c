//! The passages in the inputs of tasks: what stands under a heading before the question, or the whole input.

use super::{Page, Reading};
use regex::Regex;
use saydo_task::{Instance, Task};
use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation as _;

/// A passage under a heading, or without one, up to the next heading that begins another part.
static PASSAGE: LazyLock<Regex> = LazyLock::new(|| {
    let heading = "passage|context|paragraph|story|article|text|document|background|review";
    let pattern = format!(
        r"(?is)^\s*(?:(?:{heading})s?\s*\d*\s*[:\-]\s*)?(.+?)[\s,;]*(?:\b(?:[a-z]+\s)?(?:{PART})\s*\d*\s*[:\-].*)?$"
    );
    Regex::new(&pattern).expect("the pattern is well formed")
});

/// What other parts of an input are called.
const PART: &str =
    "questions?|query|answers?|options?|choices?|summary|hypothesis|claim|statement|title|headline|label|word";

/// A question behind the passage, and nothing behind the question.
static QUESTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?is)question\s*\d*\s*[:\-]\s*([^?\n]+\?)\s*$").expect("the pattern is well formed"));

/// The numbers that MultiRC puts before sentences.
static SENTENCE_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\bSent \d+:\s*").expect("the pattern is well formed"));

/// Shorter passages have nothing to leave out, longer ones cost too much.
const SENTENCES: std::ops::RangeInclusive<usize> = 3..=14;
const WORDS: std::ops::RangeInclusive<usize> = 30..=220;

/// The passages of a task, each once, with the questions that the task asks of it.
pub(super) fn pages(task: &Task) -> Vec<Page> {
    let is_misleading = asks_for_wrong_answers(task);
    let mut pages: Vec<Page> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for instance in &task.instances {
        let Some(passage) = passage(&instance.input) else { continue };
        let reading = (!is_misleading).then(|| reading(&passage, instance)).flatten();
        let place = *places.entry(passage.clone()).or_insert_with(|| {
            pages.push(Page { passage, readings: Vec::new() });
            pages.len() - 1
        });
        pages[place].readings.extend(reading);
    }
    pages
}

fn passage(input: &str) -> Option<String> {
    let passage = PASSAGE.captures(input)?[1].replace('\n', " ");
    let passage = SENTENCE_NUMBER.replace_all(passage.trim(), "").trim().to_owned();
    // Gaps, choices and other signs of a form that is no text.
    let is_text = passage.ends_with(['.', '!', '?', '"'])
        && !["***", "___", "(A)", "[", "{", "<"].iter().any(|sign| passage.contains(sign))
        && SENTENCES.contains(&passage.unicode_sentences().count())
        && WORDS.contains(&passage.split_whitespace().count());
    is_text.then_some(passage)
}

fn reading(passage: &str, instance: &Instance) -> Option<Reading> {
    let question = QUESTION.captures(&instance.input)?[1].trim().to_owned();
    let answer = instance.outputs.first()?.trim().trim_end_matches('.');
    // The answer as the passage spells it.
    let place = passage.to_lowercase().find(&answer.to_lowercase())?;
    let found = passage.get(place..place + answer.len()).filter(|found| !found.is_empty())?;
    // Small letters may have other lengths, so that the place is another.
    (found.to_lowercase() == answer.to_lowercase()).then(|| Reading { question, answer: found.to_owned() })
}

fn asks_for_wrong_answers(task: &Task) -> bool {
    let says_so = |text: &String| {
        let text = text.to_lowercase();
        ["incorrect", "wrong", "not correct", "implausible"].iter().any(|word| text.contains(word))
    };
    task.definition.iter().chain(&task.title).any(says_so) || says_so(&task.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "Ann walked down to the harbor early in the morning. She bought two small fish from an old man with a \
                         red hat. Then the rain began, and she ran home along the wall to cook them.";

    #[test]
    fn a_passage_ends_where_another_part_begins() {
        for input in [
            STORY.to_owned(),
            format!("Context: {STORY}\nQuestion: What did Ann buy?"),
            format!("Paragraph- {STORY} Question: What did Ann buy? Correct Answer: two fish"),
            format!("Paragraph- {}", STORY.replace("She bought", "Sent 2: She bought")),
        ] {
            assert_eq!(passage(&input).as_deref(), Some(STORY), "{input}");
        }
        assert_eq!(passage("Question: What did Ann buy?"), None);
        assert_eq!(passage("Too short. To be. Of use."), None);
    }

    #[test]
    fn questions_of_one_passage_stand_together() {
        let asked = |question: &str, answer: &str| Instance {
            outputs: vec![answer.to_owned()],
            ..Instance::unlabelled(format!("Passage: {STORY} Question: {question}"))
        };
        let instances = vec![asked("What did Ann buy?", "Two small fish."), asked("Who sold it?", "the queen")];
        let task = Task { instances, ..Task::default() };
        let found = pages(&task);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].readings.len(), 1, "the other answer is not in the passage");
        assert_eq!(found[0].readings[0].answer, "two small fish");
        let misleading = Task { id: "incorrect_answers".into(), ..task };
        assert!(pages(&misleading)[0].readings.is_empty());
    }
}
