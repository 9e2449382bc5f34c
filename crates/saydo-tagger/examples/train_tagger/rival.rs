//! The taggers that are compared, from a table of counts to the one that is shipped.

use std::collections::HashMap;

use saydo_tagger::train::{self, Lesson, Lexicon, Method, Settings};
use saydo_tagger::treebank::Sentence;
use saydo_tagger::{Tag, Tagger};

use crate::Material;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// The tag seen most often with a word; a noun if the word is new.
    MostFrequentTag,
    Perceptron,
    PerceptronWithClasses,
    Chain,
    ChainWithClasses,
    ChainWithClassesAndParses,
}

pub enum Trained {
    Counts(HashMap<String, Tag>),
    Model(Box<Tagger>),
}

impl Rival {
    pub const SHIPPED: Rival = Rival::ChainWithClassesAndParses;

    pub const ALL: [Rival; 6] = [
        Rival::MostFrequentTag,
        Rival::Perceptron,
        Rival::PerceptronWithClasses,
        Rival::Chain,
        Rival::ChainWithClasses,
        Rival::ChainWithClassesAndParses,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rival::MostFrequentTag => "most frequent tag",
            Rival::Perceptron => "averaged perceptron",
            Rival::PerceptronWithClasses => "averaged perceptron, word classes",
            Rival::Chain => "conditional random field",
            Rival::ChainWithClasses => "conditional random field, word classes",
            Rival::ChainWithClassesAndParses => "conditional random field, word classes, SNLI parses (shipped)",
        }
    }

    pub fn train<'a>(self, sentences: impl Iterator<Item = &'a Sentence>, material: &Material) -> Trained {
        let mut lessons: Vec<Lesson> = sentences.map(Lesson::from).collect();
        let (method, classes) = match self {
            Rival::MostFrequentTag => return Trained::Counts(most_frequent_tags(&lessons)),
            Rival::Perceptron => (Method::Perceptron, false),
            Rival::PerceptronWithClasses => (Method::Perceptron, true),
            Rival::Chain => (Method::Chain, false),
            Rival::ChainWithClasses => (Method::Chain, true),
            Rival::ChainWithClassesAndParses => {
                lessons.extend(material.parsed.iter().cloned());
                (Method::Chain, true)
            }
        };
        let lexicon = if classes { material.lexicon.clone() } else { Lexicon::default() };
        let settings = Settings { method, ..Settings::default() };
        Trained::Model(Box::new(train::train(&lessons, lexicon, &settings)))
    }
}

impl Trained {
    pub fn tag(&self, words: &[&str]) -> Vec<Tag> {
        match self {
            Trained::Model(tagger) => tagger.tag(words),
            Trained::Counts(tags) => {
                words.iter().map(|word| tags.get(&word.to_lowercase()).copied().unwrap_or(Tag::Noun)).collect()
            }
        }
    }
}

fn most_frequent_tags(lessons: &[Lesson]) -> HashMap<String, Tag> {
    let mut counts: HashMap<String, [usize; Tag::COUNT]> = HashMap::new();
    for lesson in lessons {
        for (word, tag) in lesson.words.iter().zip(&lesson.tags) {
            counts.entry(word.to_lowercase()).or_default()[tag.index()] += 1;
        }
    }
    let best = |counts: [usize; Tag::COUNT]| Tag::ALL.into_iter().rev().max_by_key(|tag| counts[tag.index()]);
    counts.into_iter().filter_map(|(word, counts)| Some((word, best(counts)?))).collect()
}
