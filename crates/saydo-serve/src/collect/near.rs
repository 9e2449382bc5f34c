//! Questions that say nearly the same in other words, for the owner to look at: in different families they would put the same
//! task into different parts.

use super::part::families;
use super::question::Question;
use saydo_metrics::stem::stem;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that overlap at least so much are listed.
const LEAST: f64 = 0.65;
/// Pairs that are listed.
const MOST: usize = 200;

/// Words that carry little of what a question asks.
const LITTLE: &str = "a about all an and any are as at be been being by can could did do does for from had has have how if in \
                      into is it its may might must of on or shall should so some such than that the their them there these \
                      they this those to was were what when where whether which who whom whose why will with would you your";

/// Two questions that are nearly the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Near {
    pub(crate) questions: [i64; 2],
    /// The share of what they say that they have in common: of content words or of letters in threes, whichever is more.
    pub(crate) overlap: f64,
}

/// The pairs of questions of different families that are nearly the same, the nearest first.
pub(crate) fn near(questions: &[Question]) -> Vec<Near> {
    let family: BTreeMap<i64, usize> = families(questions)
        .iter()
        .enumerate()
        .flat_map(|(number, family)| family.iter().map(move |question| (question.id, number)))
        .collect();
    let active: Vec<(&Question, Said)> = questions
        .iter()
        .filter(|question| !question.dropped)
        .map(|question| (question, Said::by(&question.text)))
        .collect();
    let mut found = Vec::new();
    for (place, (one, said)) in active.iter().enumerate() {
        for (other, also) in active[place + 1..].iter().filter(|(other, _)| family[&other.id] != family[&one.id]) {
            let overlap = said.overlap(also);
            if overlap >= LEAST {
                found.push(Near { questions: [one.id, other.id], overlap });
            }
        }
    }
    found.sort_by(|a, b| b.overlap.total_cmp(&a.overlap));
    found.truncate(MOST);
    found
}

/// What a question says: its content words without endings, and its letters in threes.
struct Said {
    words: BTreeSet<String>,
    threes: BTreeSet<[char; 3]>,
}

impl Said {
    fn by(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_little = |word: &&str| LITTLE.split_whitespace().any(|little| little == *word);
        let content = words.iter().filter(|word| !is_little(word)).map(|word| stem(word).into_owned()).collect();
        let letters: Vec<char> = words.join(" ").chars().collect();
        Self { words: content, threes: letters.windows(3).map(|three| [three[0], three[1], three[2]]).collect() }
    }

    fn overlap(&self, other: &Self) -> f64 {
        dice(&self.words, &other.words).max(dice(&self.threes, &other.threes))
    }
}

/// Twice the common members over all members; 0 for two empty sets.
fn dice<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> f64 {
    let all = one.len() + other.len();
    if all == 0 { 0.0 } else { 2.0 * one.intersection(other).count() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::part::tests::question;
    use super::*;

    fn asked(texts: &[(&str, &[i64])]) -> Vec<Near> {
        let one = |(id, (text, bases)): (usize, &(&str, &[i64]))| Question {
            text: (*text).to_owned(),
            ..question(id as i64, bases, None)
        };
        near(&texts.iter().enumerate().map(one).collect::<Vec<_>>())
    }

    #[test]
    fn the_same_in_other_words_is_listed_and_other_questions_are_not() {
        let found = asked(&[
            ("Are dogs allowed on the trails?", &[]),
            ("May dogs walk on trails?", &[]),
            ("Which waterfalls are there?", &[]),
            ("What waterfall is there?", &[]),
            ("How high is the highest point?", &[]),
        ]);
        let pairs: Vec<[i64; 2]> = found.iter().map(|near| near.questions).collect();
        assert_eq!(pairs, [[2, 3], [0, 1]], "{found:?}");
        assert!(found[0].overlap > found[1].overlap);
    }

    #[test]
    fn a_question_may_be_like_what_it_was_made_from() {
        assert_eq!(asked(&[("Are dogs allowed on trails?", &[]), ("Are dogs allowed on a trail?", &[0])]), []);
    }
}
