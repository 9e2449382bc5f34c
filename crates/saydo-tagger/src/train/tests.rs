//! Tests of training: both methods memorize a few sentences, and a seed gives the same bytes again.

use super::*;

fn lessons() -> Vec<Lesson> {
    let sentence = |tagged: &[(&str, Tag)]| Lesson {
        words: tagged.iter().map(|(word, _)| (*word).to_owned()).collect(),
        tags: tagged.iter().map(|(_, tag)| *tag).collect(),
        weight: 1.0,
    };
    vec![
        sentence(&[("The", Tag::Determiner), ("dogs", Tag::PluralNoun), ("run", Tag::Verb)]),
        sentence(&[("A", Tag::Determiner), ("run", Tag::Noun), ("helps", Tag::Verb)]),
        sentence(&[("Ann", Tag::ProperNoun), ("helps", Tag::Verb), ("the", Tag::Determiner), ("dog", Tag::Noun)]),
        Lesson { words: Vec::new(), tags: Vec::new(), weight: 1.0 },
    ]
}

fn settings(method: Method) -> Settings {
    Settings { method, passes: 40, min_count: 1, seed: 5 }
}

/// How many of the lessons' ten tags a tagger gets wrong after learning them.
fn mistakes(method: Method) -> usize {
    let tagger = train(&lessons(), Lexicon::default(), &settings(method));
    let wrong = |lesson: &Lesson| {
        let words: Vec<&str> = lesson.words.iter().map(String::as_str).collect();
        tagger.tag(&words).iter().zip(&lesson.tags).filter(|(found, tag)| found != tag).count()
    };
    lessons().iter().map(wrong).sum()
}

#[test]
fn both_methods_memorize_a_few_sentences() {
    assert_eq!(mistakes(Method::Chain), 0);
    // The perceptron stops at the first margin it finds, and rounding may cost it one tag.
    assert!(mistakes(Method::Perceptron) <= 1);
}

#[test]
fn a_seed_gives_the_same_bytes_again() {
    let bytes = |seed| {
        let settings = Settings { seed, ..settings(Method::Chain) };
        train(&lessons(), lexicon(["the dogs run and run and run"]), &settings).to_bytes()
    };
    assert_eq!(bytes(5), bytes(5));
    assert_ne!(bytes(5), bytes(6));
}

#[test]
fn nothing_to_learn_from_gives_a_tagger_without_features() {
    let tagger = train(&[], Lexicon::default(), &Settings::default());
    assert_eq!(tagger.feature_count(), 0);
    assert_eq!(tagger.tag(&["word"]).len(), 1);
}
