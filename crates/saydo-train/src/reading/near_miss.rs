//! Questions asked of a text that is on their subject and does not answer them.
//!
//! Sets like BoolQ only hold questions that their passage answers; a model that learns from them alone learns to answer
//! always. Each question is asked again of the other passage that shares most of its rare words. Such a passage answers it
//! once in a long while; that noise costs less than never hearing "n/a".

use super::{Asked, Page};
use saydo_function::form::NA;
use std::collections::{BTreeSet, HashMap};

/// Asks every `every`th question of the passage most like it that is not its own, with the reply that the text does not say.
pub fn add_near_misses(pages: &mut [Page], every: usize) {
    let index = Index::new(pages);
    let mut found: Vec<(usize, Asked)> = Vec::new();
    let all = pages.iter().enumerate().flat_map(|(number, page)| page.asked.iter().map(move |asked| (number, asked)));
    for (own, asked) in all.step_by(every.max(1)) {
        let question = asked.task.definition.as_deref().unwrap_or_default();
        if let Some(other) = index.nearest(question, own) {
            found.push((other, Asked { reply: NA.to_owned(), ..asked.clone() }));
        }
    }
    for (page, asked) in found {
        pages[page].asked.push(asked);
    }
}

/// Which pages hold which words.
struct Index {
    pages: HashMap<String, Vec<usize>>,
    count: usize,
}

impl Index {
    fn new(pages: &[Page]) -> Self {
        let mut index: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, page) in pages.iter().enumerate() {
            for word in words(&page.document) {
                index.entry(word).or_default().push(number);
            }
        }
        Self { pages: index, count: pages.len() }
    }

    /// The page other than its own that shares most of the question's rare words; none if no other shares any.
    fn nearest(&self, question: &str, own: usize) -> Option<usize> {
        let mut weights: HashMap<usize, f64> = HashMap::new();
        for word in words(question) {
            let Some(pages) = self.pages.get(&word) else { continue };
            let weight = (self.count as f64 / pages.len() as f64).ln();
            for page in pages.iter().filter(|page| **page != own) {
                *weights.entry(*page).or_default() += weight;
            }
        }
        let best = weights.into_iter().max_by(|(a, one), (b, other)| one.total_cmp(other).then(b.cmp(a)));
        best.filter(|(_, weight)| *weight > 0.0).map(|(page, _)| page)
    }
}

/// In order, so that weights are summed up in the same order each time: a training that goes on needs the same data.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::AnswerKind;

    #[test]
    fn the_same_pages_are_found_each_time() {
        let words = ["ferry", "yard", "harbour", "island", "timetable", "engine", "captain", "storm", "crew"];
        let page = |number: usize| {
            let text = |step: usize| {
                (0..5).map(|i| words[(number * step + i * i) % words.len()]).collect::<Vec<_>>().join(" ")
            };
            Page { document: text(2), asked: vec![Asked::new(&text(5), AnswerKind::YesNo, "yes".to_owned())] }
        };
        let found = || {
            let mut pages: Vec<Page> = (0..60).map(page).collect();
            add_near_misses(&mut pages, 1);
            pages
        };
        let first = found();
        assert!((0..20).all(|_| found() == first));
    }

    #[test]
    fn a_question_is_asked_of_the_text_that_is_most_like_it() {
        let page = |document: &str, question: &str| Page {
            document: document.to_owned(),
            asked: vec![Asked::new(question, AnswerKind::YesNo, "yes".to_owned())],
        };
        let mut pages = [
            page("The ferry to Ulva sails daily.", "Does the ferry sail on Sundays?"),
            page("A new ferry was built in the yard.", "Was the yard busy?"),
            page("Cats sleep.", "Do cats sleep?"),
        ];
        add_near_misses(&mut pages, 2);
        let asked: Vec<usize> = pages.iter().map(|page| page.asked.len()).collect();
        assert_eq!(asked, [1, 2, 1], "nothing is like the question on cats");
        assert_eq!(
            pages[1].asked[1],
            Asked::new("Does the ferry sail on Sundays?", AnswerKind::YesNo, "n/a".to_owned())
        );
    }
}
