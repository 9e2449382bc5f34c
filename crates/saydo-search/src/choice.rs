//! Which passages each question gets.

use crate::Error;
use crate::finder::{Finder, words};
use std::collections::{BTreeMap, HashSet};
use unicode_segmentation::UnicodeSegmentation as _;

/// Longer paragraphs are cut down to the hit's sentence and a few around it.
const LONG_PARAGRAPH_WORDS: usize = 300;
/// Random sentences on each side of the hit, at most.
const MAX_AROUND: usize = 3;
/// Hits that are looked at for each passage that is wanted.
const HITS_PER_PASSAGE: usize = 10;

/// How passages are chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Passages for each question. Default: 20, as in ZEST.
    pub per_question: usize,
    /// The greatest share of all passages that come from one entity; one passage is always allowed. Default: 0.05.
    pub entity_share: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { per_question: 20, entity_share: 0.05 }
    }
}

/// A passage for a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// What the passage is about.
    pub entity: String,
    /// The passage: a paragraph, or some sentences of a long one.
    pub text: String,
}

/// Passages for each question. Questions take turns, so that the limit on entities meets all of them alike; where there is
/// too little to find, a question gets fewer. `below(n)` draws a number below n.
pub fn choose(
    finder: &Finder,
    questions: &[&str],
    rules: &Rules,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Vec<Vec<Passage>>, Error> {
    let most = rules.per_question * HITS_PER_PASSAGE;
    let mut hits = Vec::with_capacity(questions.len());
    for question in questions {
        hits.push(finder.find(question, most)?.into_iter());
    }
    let limit = ((questions.len() * rules.per_question) as f64 * rules.entity_share).floor().max(1.0) as usize;
    let mut of_entity: BTreeMap<&str, usize> = BTreeMap::new();
    let mut chosen: Vec<Vec<Passage>> = vec![Vec::new(); questions.len()];
    for _ in 0..rules.per_question {
        for (place, question) in questions.iter().enumerate() {
            let next = hits[place]
                .find(|hit| of_entity.get(finder.paragraph(*hit).entity.as_str()).is_none_or(|n| *n < limit));
            let Some(hit) = next else { continue };
            let paragraph = finder.paragraph(hit);
            *of_entity.entry(&paragraph.entity).or_default() += 1;
            let text = passage(&paragraph.text, question, below);
            chosen[place].push(Passage { entity: paragraph.entity.clone(), text });
        }
    }
    Ok(chosen)
}

/// The paragraph, or the sentence with most of the question's words and a few random ones around it.
fn passage(paragraph: &str, question: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    if paragraph.split_whitespace().count() <= LONG_PARAGRAPH_WORDS {
        return paragraph.to_owned();
    }
    let wanted: HashSet<String> = words(question).into_iter().collect();
    let sentences: Vec<(usize, &str)> = paragraph.split_sentence_bound_indices().collect();
    let score = |sentence: &str| words(sentence).iter().filter(|word| wanted.contains(*word)).count();
    let hit = (0..sentences.len()).rev().max_by_key(|place| score(sentences[*place].1)).unwrap_or(0);
    let first = hit.saturating_sub(below(MAX_AROUND + 1));
    let last = (hit + below(MAX_AROUND + 1)).min(sentences.len() - 1);
    let end = sentences[last].0 + sentences[last].1.len();
    paragraph[sentences[first].0..end].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn documents(count: usize) -> Vec<Document> {
        let text = |number: usize| format!("Dogs run here, number {number}.\n\nDogs sleep there, number {number}.");
        (0..count).map(|number| Document { entity: format!("e{number}"), text: text(number) }).collect()
    }

    #[test]
    fn no_entity_has_more_than_its_share() {
        let finder = Finder::new(&documents(40)).unwrap();
        let rules = Rules { per_question: 20, entity_share: 0.05 };
        let chosen = choose(&finder, &["Do dogs run?", "Do dogs sleep?"], &rules, &mut |_| 0).unwrap();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        chosen.iter().flatten().for_each(|passage| *counts.entry(&passage.entity).or_default() += 1);
        assert_eq!(chosen.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20]);
        assert!(counts.values().all(|count| *count <= 2), "{counts:?}");
    }

    #[test]
    fn a_question_gets_no_passage_twice_and_fewer_where_there_are_few() {
        let finder = Finder::new(&documents(3)).unwrap();
        let chosen = choose(&finder, &["dogs"], &Rules { per_question: 9, entity_share: 1.0 }, &mut |_| 0).unwrap();
        let distinct: HashSet<&str> = chosen[0].iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!((chosen[0].len(), distinct.len()), (6, 6));
    }

    #[test]
    fn long_paragraphs_are_cut_around_the_hit() {
        let mut sentences: Vec<String> =
            (0..80).map(|n| format!("Sentence number {n} is about nothing at all.")).collect();
        sentences[40] = "Dogs are allowed on the trail.".to_owned();
        let text = sentences.join(" ");
        let alone = passage(&text, "Are dogs allowed?", &mut |_| 0);
        assert_eq!(alone, "Dogs are allowed on the trail.");
        let around = passage(&text, "Are dogs allowed?", &mut |most| most - 1);
        assert!(
            around.starts_with("Sentence number 37") && around.contains("Dogs") && around.ends_with("all."),
            "{around}"
        );
    }
}
