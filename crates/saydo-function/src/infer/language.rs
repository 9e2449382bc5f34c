//! Whether a description is English, the only language the rules know. Separate because every other file may then
//! assume it is.

use super::step;
use super::vocabulary::{CHECK, CHOOSE, FIND, WRITE};

/// Words that only English has.
const ENGLISH: &[&str] = &[
    "the", "and", "of", "is", "are", "were", "does", "did", "do", "what", "which", "who", "whose", "where", "when",
    "why", "how", "with", "this", "that", "these", "their", "they", "there", "it", "its", "for", "from", "has", "have",
    "be", "been", "can", "could", "will", "would", "should", "whether", "if", "each", "every", "all", "any", "you",
    "your", "my", "me", "please", "not", "or", "an", "by", "at", "to", "as", "into", "was", "in", "a", "on", "he",
    "she", "his", "her", "options",
];

/// Common words of languages that share letters, and some words, with English.
const FOREIGN: &[&str] = &[
    // German, Dutch
    "der", "das", "den", "dem", "des", "ein", "eine", "einen", "ist", "sind", "und", "oder", "nicht", "wer", "wo",
    "wann", "wie", "warum", "welche", "welcher", "welches", "im", "auf", "mit", "für", "aus", "zu", "von", "wird",
    "werden", "hat", "het", "een", "wat", "wie", "welke", "zijn", "van", "en", "alle", "gib", "nenne", "fasse",
    // French
    "le", "la", "les", "un", "une", "du", "est", "sont", "et", "ou", "que", "qui", "quel", "quelle", "quels", "quelles",
    "où", "quand", "pourquoi", "dans", "pour", "par", "avec", "ce", "cette", "ces", "sur", "au", "aux", "il", "elle",
    "il", // Spanish, Portuguese, Italian
    "el", "los", "las", "una", "es", "son", "y", "o", "de", "del", "qué", "quién", "quien", "cuál", "cuáles", "cuándo",
    "dónde", "cómo", "para", "por", "con", "está", "os", "um", "uma", "são", "é", "e", "do", "da", "dos", "das",
    "qual", "quais", "quem", "onde", "no", "na", "che", "chi", "cosa", "quali", "quale", "dove", "perché", "di", "gli",
    "sono", "nel", "si", "resume", "traduce",
];

/// Whether the text is English, or at least nothing speaks against it. Short names of things, `invoice number`, pass.
pub(super) fn is_english(text: &str) -> bool {
    step::read(text.len());
    let lower = text.to_lowercase();
    let letters = |keep: &dyn Fn(char) -> bool| lower.chars().filter(|c| c.is_alphabetic() && keep(*c)).count();
    if letters(&|c| c.is_ascii()) * 2 < letters(&|_| true) {
        return false;
    }
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let count = |lists: &[&[&str]]| words.iter().filter(|word| lists.iter().any(|list| list.contains(word))).count();
    let english = count(&[ENGLISH, FIND, CHECK, CHOOSE, WRITE]);
    let foreign = count(&[FOREIGN]);
    let is_plain = || lower.is_ascii() && words.len() <= 5;
    english > foreign || (english == foreign && foreign == 0 && is_plain())
}

#[cfg(test)]
mod tests {
    use super::is_english;

    #[test]
    fn other_languages_are_told_from_english() {
        for text in ["What is it?", "List hikes", "invoice number", "Résumé: is the candidate a nurse?"] {
            assert!(is_english(text), "{text}");
        }
        let others = [
            "Was ist der Preis?",
            "Fasse den Text zusammen",
            "Qui a signé le document ?",
            "¿Quién es el presidente?",
            "Quais são os prazos?",
            "这只狗多大？",
            "Какие озёра есть в парке?",
            "ما هو السعر؟",
        ];
        for text in others {
            assert!(!is_english(text), "{text}");
        }
    }
}
