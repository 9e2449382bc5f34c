//! How well a tagger finds nouns and their number, counted over a treebank. Counts are kept and ratios taken at the end,
//! so that parts can be added up.

use crate::treebank::Sentence;
use crate::{Number, Tag, Tagger};

/// Counts over tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Tokens of the treebank.
    pub tokens: usize,
    /// Tokens given the treebank's tag.
    pub tags_right: usize,
    /// Nouns of the treebank.
    pub true_nouns: usize,
    /// Nouns of the tagger.
    pub found_nouns: usize,
    /// Nouns of both.
    pub shared_nouns: usize,
    /// Nouns of the treebank to which it gives a number.
    pub true_numbered: usize,
    /// Of these, nouns that the tagger found too.
    pub shared_numbered: usize,
    /// Of these, nouns given the right number.
    pub numbers_right: usize,
}

impl Score {
    /// Share of the tagger's nouns that are nouns; none if it found none.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.shared_nouns, self.found_nouns)
    }

    /// Share of the nouns that the tagger found; none if there are none.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.shared_nouns, self.true_nouns)
    }

    /// Harmonic mean of precision and recall; none without any noun on either side.
    pub fn f1(&self) -> Option<f64> {
        ratio(2 * self.shared_nouns, self.true_nouns + self.found_nouns)
    }

    /// Share of the true nouns found whose number is right; none without any.
    pub fn number_accuracy(&self) -> Option<f64> {
        ratio(self.numbers_right, self.shared_numbered)
    }

    /// Share of all true nouns that were found and whose number is right; none without any.
    pub fn number_recall(&self) -> Option<f64> {
        ratio(self.numbers_right, self.true_numbered)
    }

    /// Share of tokens with the right tag; none when tokens were not tagged one by one.
    pub fn tag_accuracy(&self) -> Option<f64> {
        ratio(self.tags_right, self.tokens)
    }

    /// Adds a tagger's result on the treebank's own tokens.
    pub fn add_tokens(&mut self, tag: impl Fn(&[&str]) -> Vec<Tag>, sentence: &Sentence) {
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.form.as_str()).collect();
        for (token, tag) in sentence.tokens.iter().zip(tag(&words)) {
            self.tokens += 1;
            self.tags_right += usize::from(tag == token.tag);
            self.found_nouns += usize::from(tag.is_noun());
            self.add_noun(token.tag, token.numbered, tag.number());
        }
    }

    /// Adds a tagger's result on the sentence as written; nouns agree where they hold the same characters.
    pub fn add_text(&mut self, tagger: &Tagger, sentence: &Sentence) {
        let nouns = tagger.nouns(&sentence.text);
        self.found_nouns += nouns.len();
        for token in &sentence.tokens {
            let same = |noun: &&crate::Noun<'_>| Some(noun.start) == token.start && noun.text == token.form;
            self.add_noun(token.tag, token.numbered, nouns.iter().find(same).map(|noun| noun.number));
        }
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: &Score) {
        self.tokens += other.tokens;
        self.tags_right += other.tags_right;
        self.true_nouns += other.true_nouns;
        self.found_nouns += other.found_nouns;
        self.shared_nouns += other.shared_nouns;
        self.true_numbered += other.true_numbered;
        self.shared_numbered += other.shared_numbered;
        self.numbers_right += other.numbers_right;
    }

    /// Adds one token of the treebank and the number of the noun found there, if one was.
    fn add_noun(&mut self, truth: Tag, numbered: bool, found: Option<Number>) {
        self.true_nouns += usize::from(truth.is_noun());
        self.true_numbered += usize::from(numbered);
        if truth.is_noun() && found.is_some() {
            self.shared_nouns += 1;
            self.shared_numbered += usize::from(numbered);
            self.numbers_right += usize::from(numbered && found == truth.number());
        }
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treebank;

    const SAMPLE: &str = "# text = Dogs bark\n1\tDogs\t_\tNOUN\tNNS\t_\n2\tbark\t_\tVERB\tVBP\t_\n";

    #[test]
    fn counts_follow_the_definitions() {
        let sentence = &treebank::parse(SAMPLE).unwrap()[0];
        let mut score = Score::default();
        score.add_tokens(|_| vec![Tag::Noun, Tag::Noun], sentence);
        assert_eq!((score.precision(), score.recall()), (Some(0.5), Some(1.0)));
        assert_eq!(score.f1(), Some(2.0 / 3.0));
        assert_eq!((score.number_accuracy(), score.tag_accuracy()), (Some(0.0), Some(0.0)));
        score.add_tokens(|_| vec![Tag::PluralNoun, Tag::Verb], sentence);
        score.add_tokens(|_| vec![Tag::Verb, Tag::Verb], sentence);
        assert_eq!((score.number_accuracy(), score.number_recall()), (Some(0.5), Some(1.0 / 3.0)));
    }

    #[test]
    fn nothing_has_no_score() {
        let score = Score::default();
        assert_eq!((score.f1(), score.number_accuracy(), score.tag_accuracy()), (None, None, None));
    }
}
