//! Questions over documents, made of the passages of tasks: for spans, for yes and no, and with the answer that a text does
//! not say.
//!
//! Tasks that ask questions over passages always have their answer in the passage, so a model that learns from them alone
//! learns to answer always. Here a passage also stands without a sentence that answers, and with one turned into its
//! denial; the same question then has another answer, and only reading tells which.

mod edition;
mod list;
mod passage;
mod record;
mod squad;
mod statement;

use super::draw::generator;
use anyhow::Result;
use edition::{Asked, Edition};
use saydo_function::{NOT_STATED, claim, question};
use saydo_tagger::Tagger;
use saydo_task::seen::Trace;
use saydo_task::{AnswerSpec, Task};
use saydo_train::{Example, shuffle};
use std::path::Path;

/// A passage, and the questions that words of it answer.
struct Page {
    passage: String,
    readings: Vec<Reading>,
}

/// A question, and the words of its passage that answer it.
struct Reading {
    question: String,
    answer: String,
}

/// Pages that belong together, so that a question of one is to the point, and mostly unanswered, in another: those of a
/// task, or of an article.
pub(super) struct Shelf {
    name: String,
    pages: Vec<Page>,
}

impl Shelf {
    /// The passages of each task that has some; where a task asks questions over them, with the questions.
    pub fn of_tasks(tasks: &[Task]) -> Vec<Self> {
        let shelf = |task: &Task| Self { name: task.id.clone(), pages: passage::pages(task) };
        tasks.iter().map(shelf).filter(|shelf| !shelf.pages.is_empty()).collect()
    }

    /// The articles of a file in SQuAD's format.
    pub fn of_squad(path: &Path) -> Result<Vec<Self>> {
        squad::load(path)
    }
}

/// Editions of a page: enough for each sentence to be there, to be denied and to be left out.
const EDITIONS: usize = 3;

/// The questions that shelves give rise to, of so many pages each that need not stay unseen. Those of one edition of a page
/// are numbered alike, from `first` on, since they share its text.
pub(super) fn questions(
    shelves: Vec<Shelf>,
    most: usize,
    is_unseen: &dyn Fn(&str) -> bool,
    (first, seed): (usize, u64),
    chat: bool,
) -> Vec<Example> {
    let tagger = Tagger::embedded();
    let mut examples = Vec::new();
    let mut number = first;
    for Shelf { name, mut pages } in shelves {
        shuffle(&mut pages, &mut generator(&name, 0, seed));
        let mut taken: Vec<Page> = Vec::new();
        for page in pages {
            if taken.len() < most && !is_unseen(&page.passage) {
                taken.push(page);
            }
        }
        for (place, page) in taken.iter().enumerate() {
            let mut random = generator(&name, place, seed);
            let others: Vec<&Page> = (1..taken.len()).map(|step| &taken[(place + step) % taken.len()]).collect();
            for turn in 0..EDITIONS {
                let Edition { text, asked } = Edition::new(page, &others, turn, &tagger, &mut random);
                for Asked { description, kind, answer } in asked {
                    let task = Task { definition: Some(description), ..Task::default() };
                    let spec = AnswerSpec { kind, na: None };
                    // A function asks both, and what is asked of one text shares its computation.
                    let is_answered = if answer == NOT_STATED { "No" } else { "Yes" };
                    let prompt = claim(&task, &spec, &text, chat);
                    let trace = Trace::of(&task, &page.passage);
                    let output = is_answered.to_owned();
                    examples.push(Example { task: number, prompt, output, told: None, trace: trace.clone() });
                    let prompt = question(&task, &spec, &text, chat);
                    examples.push(Example { task: number, prompt, output: answer, told: None, trace });
                }
                number += 1;
            }
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;
    use std::collections::{BTreeMap, BTreeSet};

    fn task() -> Task {
        let towns = ["Ulm", "Bath", "Cork", "Lund", "Graz", "Pisa"];
        let instance = |town: &&str| {
            let passage = format!(
                "The fair of {town} is held every spring in the old square. Its tents are set up by the bakers of \
                 {town}. The river is closed to boats for all of that week. Visitors can buy bread, cakes and beer there."
            );
            let input = format!("Passage: {passage} Question: Who set up the tents of {town}?");
            Instance { outputs: vec![format!("the bakers of {town}.")], ..Instance::unlabelled(input) }
        };
        Task { id: "fairs".into(), instances: towns.iter().map(instance).collect(), ..Task::default() }
    }

    #[test]
    fn the_same_question_has_another_answer_where_the_text_is_another() {
        let made = questions(Shelf::of_tasks(&[task()]), 6, &|_| false, (7, 1), true);
        let numbers: BTreeSet<usize> = made.iter().map(|example| example.task).collect();
        assert_eq!(numbers, (7..7 + 6 * EDITIONS).collect(), "a number for each edition of a passage");
        let mut answers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for example in &made {
            let (text, asked) = (&example.prompt.prefix, &example.prompt.text);
            if example.output.contains("bakers") && !example.output.starts_with('[') {
                assert!(text.contains(&example.output), "{text}");
            }
            answers.entry(asked.clone()).or_default().insert(&example.output);
        }
        let river =
            &answers.iter().find(|(asked, _)| asked.contains("Question: Is the river closed")).expect("asked").1;
        assert_eq!(river.iter().copied().collect::<Vec<_>>(), ["No", NOT_STATED, "Yes"]);
        let is_open = |asked: &str| asked.contains("set up the tents") && !asked.contains("Is it");
        let tents: BTreeSet<&str> = answers
            .iter()
            .filter(|(asked, _)| is_open(asked))
            .flat_map(|(_, answers)| answers.iter().copied())
            .collect();
        assert!(
            tents.contains(NOT_STATED) && tents.iter().any(|answer| answer.starts_with("the bakers of")),
            "{tents:?}"
        );
    }

    #[test]
    fn passages_that_must_stay_unseen_are_not_used() {
        let made = questions(Shelf::of_tasks(&[task()]), 6, &|text| !text.contains("Ulm"), (0, 1), true);
        assert!(!made.is_empty() && made.iter().all(|example| !example.prompt.whole().contains("Bath")));
        assert!(questions(Shelf::of_tasks(&[task()]), 6, &|_| true, (0, 1), true).is_empty());
    }

    #[test]
    fn a_task_without_passages_gives_none() {
        let other = Task { instances: vec![Instance::unlabelled("No passage here.")], ..Task::default() };
        assert!(Shelf::of_tasks(&[other]).is_empty());
    }
}
