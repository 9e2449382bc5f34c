//! The twelve conditions on nouns: two of number, case and first letter at a time.

use super::Noun;

/// Whether a noun names one thing or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Number {
    /// One.
    Singular,
    /// Several.
    Plural,
}

/// The case of a noun's first letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Case {
    /// As in `cat`.
    Lower,
    /// As in `Rome`.
    Upper,
}

/// Whether a noun's first letter is a vowel. Letters count, not sounds: `hour` starts with a consonant, `unit` with a
/// vowel, and `y` is a consonant because it is one wherever it starts an English noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sound {
    /// Any letter but a vowel.
    Consonant,
    /// `a`, `e`, `i`, `o`, `u`, accents aside.
    Vowel,
}

/// A condition that nouns must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// Case and first letter.
    CaseAndSound(Case, Sound),
    /// Number and case.
    NumberAndCase(Number, Case),
    /// Number and first letter.
    NumberAndSound(Number, Sound),
}

impl Condition {
    /// The twelve conditions, in the paper's order.
    pub const ALL: [Condition; 12] = {
        use Case::{Lower, Upper};
        use Condition::{CaseAndSound, NumberAndCase, NumberAndSound};
        use Number::{Plural, Singular};
        use Sound::{Consonant, Vowel};
        [
            CaseAndSound(Lower, Consonant),
            CaseAndSound(Upper, Consonant),
            CaseAndSound(Lower, Vowel),
            CaseAndSound(Upper, Vowel),
            NumberAndCase(Singular, Lower),
            NumberAndCase(Plural, Lower),
            NumberAndCase(Singular, Upper),
            NumberAndCase(Plural, Upper),
            NumberAndSound(Singular, Consonant),
            NumberAndSound(Plural, Consonant),
            NumberAndSound(Singular, Vowel),
            NumberAndSound(Plural, Vowel),
        ]
    };

    /// The number asked for, if any.
    pub fn number(self) -> Option<Number> {
        match self {
            Condition::CaseAndSound(..) => None,
            Condition::NumberAndCase(number, _) | Condition::NumberAndSound(number, _) => Some(number),
        }
    }

    /// The case asked for, if any.
    pub fn case(self) -> Option<Case> {
        match self {
            Condition::CaseAndSound(case, _) | Condition::NumberAndCase(_, case) => Some(case),
            Condition::NumberAndSound(..) => None,
        }
    }

    /// The kind of first letter asked for, if any.
    pub fn sound(self) -> Option<Sound> {
        match self {
            Condition::CaseAndSound(_, sound) | Condition::NumberAndSound(_, sound) => Some(sound),
            Condition::NumberAndCase(..) => None,
        }
    }

    /// The condition as a key, such as `plural-vowel`.
    pub fn key(self) -> String {
        let parts = [self.number_word(), self.case_word(), self.sound_word()];
        parts.into_iter().flatten().collect::<Vec<_>>().join("-")
    }

    /// Whether a noun meets the condition. A noun that does not start with a letter meets none.
    pub fn holds(self, noun: &Noun) -> bool {
        let Some(first) = noun.text.chars().next().filter(|first| first.is_alphabetic()) else { return false };
        self.number().is_none_or(|number| noun.is_plural == (number == Number::Plural))
            && self.case().is_none_or(|case| match case {
                Case::Lower => first.is_lowercase(),
                Case::Upper => first.is_uppercase(),
            })
            && self.sound().is_none_or(|sound| is_vowel(first) == (sound == Sound::Vowel))
    }

    pub(super) fn number_word(self) -> Option<&'static str> {
        self.number().map(|number| match number {
            Number::Singular => "singular",
            Number::Plural => "plural",
        })
    }

    pub(super) fn case_word(self) -> Option<&'static str> {
        self.case().map(|case| match case {
            Case::Lower => "lowercase",
            Case::Upper => "uppercase",
        })
    }

    pub(super) fn sound_word(self) -> Option<&'static str> {
        self.sound().map(|sound| match sound {
            Sound::Consonant => "consonant",
            Sound::Vowel => "vowel",
        })
    }
}

fn is_vowel(letter: char) -> bool {
    letter.to_lowercase().any(|letter| "aeiouàáâãäåæèéêëìíîïòóôõöøùúûüœ".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(text: &str, is_plural: bool) -> Vec<String> {
        let noun = Noun { text: text.to_owned(), is_plural };
        Condition::ALL.into_iter().filter(|condition| condition.holds(&noun)).map(Condition::key).collect()
    }

    #[test]
    fn a_noun_meets_one_condition_of_each_pair_of_properties() {
        assert_eq!(meets("cat", false), ["lowercase-consonant", "singular-lowercase", "singular-consonant"]);
        assert_eq!(meets("Apples", true), ["uppercase-vowel", "plural-uppercase", "plural-vowel"]);
        assert_eq!(meets("époques", true), ["lowercase-vowel", "plural-lowercase", "plural-vowel"]);
    }

    #[test]
    fn letters_count_and_not_sounds() {
        assert!(meets("hour", false).contains(&"lowercase-consonant".to_owned()));
        assert!(meets("unit", false).contains(&"lowercase-vowel".to_owned()));
        assert!(meets("Yuccas", true).contains(&"uppercase-consonant".to_owned()));
    }

    #[test]
    fn what_does_not_start_with_a_letter_meets_nothing() {
        assert!(meets("1990s", true).is_empty() && meets("", false).is_empty() && meets("'em", true).is_empty());
    }
}
