//! What Porter's conditions ask of a stem: its measure, a vowel in it, and how it ends.

/// The kind of each letter in turn: true for a vowel.
///
/// `y` is a vowel after a consonant; digits count as consonants.
fn vowels(stem: &[u8]) -> impl Iterator<Item = bool> {
    // Before the first letter stands, in effect, a vowel: a first `y` is a consonant.
    stem.iter().scan(true, |after_vowel, letter| {
        *after_vowel = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => !*after_vowel,
            _ => false,
        };
        Some(*after_vowel)
    })
}

/// Porter's m: how often a vowel is followed by a consonant.
pub(super) fn measure(stem: &[u8]) -> usize {
    let mut after_vowel = false;
    vowels(stem).filter(|&vowel| std::mem::replace(&mut after_vowel, vowel) && !vowel).count()
}

pub(super) fn has_vowel(stem: &[u8]) -> bool {
    vowels(stem).any(|vowel| vowel)
}

pub(super) fn ends_in_consonant(stem: &[u8]) -> bool {
    vowels(stem).last() == Some(false)
}

pub(super) fn ends_in_double_consonant(stem: &[u8]) -> bool {
    matches!(stem, [.., a, b] if a == b) && ends_in_consonant(stem)
}

/// Porter's *o: consonant, vowel, consonant at the end, the last not w, x or y; or, in NLTK, just vowel and consonant.
pub(super) fn ends_in_short_syllable(stem: &[u8]) -> bool {
    let kinds = vowels(stem).fold([None; 3], |[_, b, c], kind| [b, c, Some(kind)]);
    match kinds {
        [None, Some(true), Some(false)] => true,
        [Some(false), Some(true), Some(false)] => !matches!(stem.last(), Some(b'w' | b'x' | b'y')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measure_counts_vowel_consonant_transitions() {
        let cases = [
            ("", 0),
            ("tr", 0),
            ("ee", 0),
            ("tree", 0),
            ("y", 0),
            ("by", 0),
            ("trouble", 1),
            ("oats", 1),
            ("ivy", 1),
            ("troubles", 2),
            ("private", 2),
            ("oaten", 2),
            ("10th", 0),
        ];
        for (word, m) in cases {
            assert_eq!(measure(word.as_bytes()), m, "{word}");
        }
    }

    #[test]
    fn y_is_a_vowel_only_after_a_consonant() {
        assert!(has_vowel(b"by") && has_vowel(b"yy"));
        assert!(!has_vowel(b"y") && !has_vowel(b"brr"));
        assert!(ends_in_consonant(b"toy") && !ends_in_consonant(b"try"));
    }

    #[test]
    fn double_consonants_are_equal_letters() {
        assert!(ends_in_double_consonant(b"fall") && ends_in_double_consonant(b"22"));
        assert!(
            !ends_in_double_consonant(b"see") && !ends_in_double_consonant(b"fast") && !ends_in_double_consonant(b"l")
        );
    }

    #[test]
    fn short_syllables_do_not_end_in_w_x_or_y() {
        for stem in ["hop", "fil", "at", "on", "ow"] {
            assert!(ends_in_short_syllable(stem.as_bytes()), "{stem}");
        }
        for stem in ["snow", "box", "tray", "fail", "ee", "t", ""] {
            assert!(!ends_in_short_syllable(stem.as_bytes()), "{stem}");
        }
    }
}
