//! Porter's five steps, in NLTK's order of endings.
//!
//! In each step the first ending that fits decides, even if its condition then fails. The word is changed in place;
//! it grows by at most one letter.

use super::letters::{ends_in_consonant, ends_in_double_consonant, ends_in_short_syllable, has_vowel, measure};

/// An ending and what takes its place.
type Rule = (&'static str, &'static str);

const STEP_2: [Rule; 20] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

const STEP_3: [Rule; 7] =
    [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// Turns a word of more than two lower-case letters into its stem.
pub(super) fn apply(word: &mut Vec<u8>) {
    plurals(word);
    participles(word);
    final_y(word);
    double_suffixes(word);
    derived_adjectives(word);
    single_suffixes(word);
    final_e(word);
    final_ll(word);
}

/// Step 1a.
fn plurals(word: &mut Vec<u8>) {
    if word.len() == 4 && word.ends_with(b"ies") {
        word.truncate(3);
    } else if word.ends_with(b"sses") || word.ends_with(b"ies") {
        word.truncate(word.len() - 2);
    } else if word.ends_with(b"s") && !word.ends_with(b"ss") {
        word.pop();
    }
}

/// Step 1b.
fn participles(word: &mut Vec<u8>) {
    if word.ends_with(b"ied") {
        let cut = if word.len() == 4 { 1 } else { 2 };
        word.truncate(word.len() - cut);
    } else if let Some(stem) = word.strip_suffix(b"eed") {
        if measure(stem) > 0 {
            word.pop();
        }
    } else if let Some(stem) = word.strip_suffix(b"ed").or_else(|| word.strip_suffix(b"ing"))
        && has_vowel(stem)
    {
        word.truncate(stem.len());
        mend_participle(word);
    }
}

/// Gives a stem left by step 1b the ending of its base form: hoped, hopping, conflated.
fn mend_participle(stem: &mut Vec<u8>) {
    if stem.ends_with(b"at") || stem.ends_with(b"bl") || stem.ends_with(b"iz") {
        stem.push(b'e');
    } else if ends_in_double_consonant(stem) {
        if !matches!(stem.last(), Some(b'l' | b's' | b'z')) {
            stem.pop();
        }
    } else if measure(stem) == 1 && ends_in_short_syllable(stem) {
        stem.push(b'e');
    }
}

/// Step 1c.
fn final_y(word: &mut [u8]) {
    if let [stem @ .., last @ b'y'] = word
        && stem.len() > 1
        && ends_in_consonant(stem)
    {
        *last = b'i';
    }
}

/// Step 2.
fn double_suffixes(word: &mut Vec<u8>) {
    // NLTK: what `-alli` leaves goes through the step again, so that `-ationalli` ends as `-ate`.
    if let Some(stem) = word.strip_suffix(b"alli")
        && measure(stem) > 0
    {
        word.truncate(word.len() - 2);
    }
    // NLTK: the measure of `-logi` takes the `l` in.
    if word.ends_with(b"logi") {
        if measure(&word[..word.len() - 3]) > 0 {
            word.pop();
        }
    } else {
        replace_first(word, &STEP_2);
    }
}

/// Step 3.
fn derived_adjectives(word: &mut Vec<u8>) {
    replace_first(word, &STEP_3);
}

/// Step 4.
fn single_suffixes(word: &mut Vec<u8>) {
    let Some(ending) = STEP_4.iter().find(|ending| word.ends_with(ending.as_bytes())) else {
        return;
    };
    let stem = &word[..word.len() - ending.len()];
    if measure(stem) > 1 && (*ending != "ion" || matches!(stem.last(), Some(b's' | b't'))) {
        word.truncate(stem.len());
    }
}

/// Step 5a.
fn final_e(word: &mut Vec<u8>) {
    if let Some(stem) = word.strip_suffix(b"e") {
        let m = measure(stem);
        if m > 1 || (m == 1 && !ends_in_short_syllable(stem)) {
            word.pop();
        }
    }
}

/// Step 5b.
fn final_ll(word: &mut Vec<u8>) {
    if word.ends_with(b"ll") && measure(&word[..word.len() - 1]) > 1 {
        word.pop();
    }
}

/// Applies the first rule whose ending fits, if the rest has a positive measure.
fn replace_first(word: &mut Vec<u8>, rules: &[Rule]) {
    let Some((ending, replacement)) = rules.iter().find(|(ending, _)| word.ends_with(ending.as_bytes())) else {
        return;
    };
    let stem = word.len() - ending.len();
    if measure(&word[..stem]) > 0 {
        word.truncate(stem);
        word.extend_from_slice(replacement.as_bytes());
    }
}
