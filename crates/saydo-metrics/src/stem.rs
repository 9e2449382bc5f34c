//! Stems of English words: the Porter stemmer with the extensions of NLTK, as ROUGE uses it.
//!
//! Porter (1980), "An algorithm for suffix stripping": five steps, each with a list of endings. NLTK adds a table of
//! irregular words, keeps `ie` in short words, and undoes `-alli` twice. ROUGE counts equal stems as equal words, so a
//! stem that differs in one letter moves a score. Rule R3 of docs/metrics.md.

mod letters;
mod rules;

use std::borrow::Cow;

/// The stem of a lower-case word.
///
/// Made for words of ASCII letters and digits, which is all that ROUGE tokens hold: a word with any other character
/// beyond ASCII comes back unchanged, and capitals count as consonants.
///
/// ```
/// use saydo_metrics::stem::stem;
///
/// assert_eq!(stem("relational"), "relat");
/// assert_eq!(stem("flies"), "fli");
/// assert_eq!(stem("dies"), "die");
/// assert_eq!(stem("sky"), "sky");
/// ```
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() <= 2 || !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    if let Some(stem) = irregular(word) {
        return Cow::Borrowed(stem);
    }
    let mut letters = Vec::with_capacity(word.len() + 1);
    letters.extend_from_slice(word.as_bytes());
    rules::apply(&mut letters);
    if letters == word.as_bytes() {
        return Cow::Borrowed(word);
    }
    Cow::Owned(String::from_utf8(letters).expect("rules only cut and add ASCII letters"))
}

/// The stem of a word that the rules would get wrong.
fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "inning" | "innings" => "inning",
        "outing" | "outings" => "outing",
        "canning" | "cannings" => "canning",
        "howe" => "howe",
        "proceed" => "proceed",
        "exceed" => "exceed",
        "succeed" => "succeed",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
