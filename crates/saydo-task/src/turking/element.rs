//! The nth word and the nth character of a sentence.
//!
//! Words are what stands between white space, punctuation included: `mat.` is one word, and so is a dash on its own.
//! Characters are Unicode scalar values, and spaces count as positions although none is ever asked for.

use super::random::Random;

/// No word further on than this is asked for.
pub const MAX_WORD: usize = 20;

/// No character further on than this is asked for.
pub const MAX_CHARACTER: usize = 40;

/// The nth word, from 1.
pub fn nth_word(sentence: &str, n: usize) -> Option<&str> {
    sentence.split_whitespace().nth(n.checked_sub(1)?)
}

/// The nth character, from 1; none at a space.
pub fn nth_character(sentence: &str, n: usize) -> Option<char> {
    sentence.chars().nth(n.checked_sub(1)?).filter(|c| !c.is_whitespace())
}

/// A place of a word, from 1; none if there is no word.
pub(super) fn draw_word(sentence: &str, random: &mut Random) -> Option<usize> {
    let words = sentence.split_whitespace().take(MAX_WORD).count();
    (words > 0).then(|| 1 + random.below(words))
}

/// A place of a character that is no space, from 1; none if there is no such character among the first ones.
pub(super) fn draw_character(sentence: &str, random: &mut Random) -> Option<usize> {
    let visible = |(i, c): (usize, char)| (!c.is_whitespace()).then_some(i + 1);
    let places: Vec<usize> = sentence.chars().take(MAX_CHARACTER).enumerate().filter_map(visible).collect();
    (!places.is_empty()).then(|| places[random.below(places.len())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_count_from_one() {
        let sentence = "Ada's  café — open.";
        assert_eq!(
            [1, 2, 3, 4].map(|n| nth_word(sentence, n)),
            [Some("Ada's"), Some("café"), Some("—"), Some("open.")]
        );
        assert_eq!([0, 5].map(|n| nth_word(sentence, n)), [None, None]);
        assert_eq!([1, 6, 11, 19].map(|n| nth_character(sentence, n)), [Some('A'), None, Some('é'), Some('.')]);
        assert_eq!([0, 20].map(|n| nth_character(sentence, n)), [None, None]);
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        let mut random = Random::stream(0, "");
        assert_eq!((draw_word(" \t", &mut random), draw_character(" \t", &mut random)), (None, None));
        let late = " ".repeat(MAX_CHARACTER) + "a";
        assert_eq!((draw_word(&late, &mut random), draw_character(&late, &mut random)), (Some(1), None));
    }

    proptest! {
        #[test]
        fn what_is_drawn_is_there(sentence in "[a-c .\u{a0}é]{0,60}", seed in any::<u64>()) {
            let mut random = Random::stream(seed, "");
            if let Some(n) = draw_word(&sentence, &mut random) {
                prop_assert!(n <= MAX_WORD && nth_word(&sentence, n).is_some());
            }
            if let Some(n) = draw_character(&sentence, &mut random) {
                prop_assert!(n <= MAX_CHARACTER && nth_character(&sentence, n).is_some());
            }
        }
    }
}
