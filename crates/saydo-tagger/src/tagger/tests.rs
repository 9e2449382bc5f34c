//! Tests of the tagger with its embedded weights, on sentences of our own.

use proptest::prelude::*;

use super::{SIGNATURE, Tagger};
use crate::{Error, Number, Tag};

fn nouns(sentence: &str) -> Vec<(&str, char)> {
    let letter = |number| if number == Number::Plural { 'p' } else { 's' };
    Tagger::embedded().nouns(sentence).iter().map(|noun| (noun.text, letter(noun.number))).collect()
}

#[test]
fn common_nouns_are_found_with_their_number() {
    assert_eq!(nouns("The farmer fed three hungry geese."), [("farmer", 's'), ("geese", 'p')]);
    assert_eq!(
        nouns("My children love old stories about ships."),
        [("children", 'p'), ("stories", 'p'), ("ships", 'p')]
    );
    assert_eq!(nouns("She quickly ran away and never came back."), []);
}

#[test]
fn verbs_and_nouns_of_one_spelling_are_told_apart() {
    assert_eq!(nouns("They plan to visit us."), []);
    assert_eq!(nouns("The plan needs a visit."), [("plan", 's'), ("visit", 's')]);
}

#[test]
fn proper_nouns_are_nouns() {
    let tagger = Tagger::embedded();
    let found = tagger.nouns("Then Maria flew from Boston to Paris.");
    let proper: Vec<&str> = found.iter().filter(|noun| noun.proper).map(|noun| noun.text).collect();
    assert_eq!(proper, ["Maria", "Boston", "Paris"]);
}

#[test]
fn offsets_are_bytes_of_the_sentence() {
    let sentence = "  Zoë’s café\u{a0}sold  books.";
    for noun in Tagger::embedded().nouns(sentence) {
        assert_eq!(&sentence[noun.start..noun.start + noun.text.len()], noun.text);
    }
    assert_eq!(nouns(sentence).last(), Some(&("books", 'p')));
}

#[test]
fn no_words_have_no_tags() {
    let tagger = Tagger::embedded();
    assert!(tagger.tag(&[]).is_empty());
    assert!(tagger.nouns("").is_empty());
    assert_eq!(tagger.tag(&["."]), [Tag::Punctuation]);
}

#[test]
fn words_may_be_empty_or_hold_spaces() {
    assert_eq!(Tagger::embedded().tag(&["", " ", "a b"]).len(), 3);
}

#[test]
fn what_is_written_reads_back_equal() {
    let tagger = Tagger::embedded();
    let bytes = tagger.to_bytes();
    assert_eq!(bytes, include_bytes!("../../weights/english.bin"));
    assert_eq!(Tagger::from_bytes(&bytes).unwrap(), tagger);
}

#[test]
fn truncated_weights_are_refused_at_every_kind_of_field() {
    let bytes = Tagger::embedded().to_bytes();
    let cuts = (0..200).chain((200..bytes.len()).step_by(9973)).chain([bytes.len() - 1]);
    for cut in cuts {
        let error = Tagger::from_bytes(&bytes[..cut]).unwrap_err();
        assert!(matches!(error, Error::NotWeights { .. } | Error::Truncated { .. }), "cut at {cut}: {error}");
    }
}

#[test]
fn bytes_behind_the_weights_are_refused() {
    let mut bytes = Tagger::embedded().to_bytes();
    bytes.push(0);
    let error = Tagger::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "tagger weights hold 1 bytes after the end for file, expected none");
}

#[test]
fn other_files_and_impossible_counts_are_refused() {
    assert!(matches!(Tagger::from_bytes(b"GGUF\x03\0\0\0").unwrap_err(), Error::NotWeights { .. }));
    let huge = [SIGNATURE, &[0xff; 4]].concat();
    let error = Tagger::from_bytes(&huge).unwrap_err();
    assert!(matches!(error, Error::Truncated { field: "lexicon", .. }), "{error}");
}

proptest! {
    #[test]
    fn garbage_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(Tagger::from_bytes(&bytes).is_err());
        prop_assert!(Tagger::from_bytes(&[SIGNATURE, &bytes].concat()).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_weights_never_panic(at in 0usize..600_000, byte: u8, sentence: String) {
        let mut bytes = Tagger::embedded().to_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(tagger) = Tagger::from_bytes(&bytes) {
            tagger.nouns(&sentence);
        }
    }

    #[test]
    fn every_noun_is_the_slice_at_its_start(sentence: String) {
        let tagger = Tagger::embedded();
        let mut end = 0;
        for noun in tagger.nouns(&sentence) {
            prop_assert_eq!(&sentence[noun.start..noun.start + noun.text.len()], noun.text);
            prop_assert!(noun.start >= end);
            end = noun.start + noun.text.len();
        }
    }
}
