//! What kind of answer a question asks for, told by its first word.
//!
//! Only the diagnostic breakdown of the results uses this. The word lists are the reference's (section 2.1 of the
//! metrics specification); the first word ends at the first space, so `Who,` is not `who`.

use saydo_metrics::python::lower;

const EXTRACTION: [&str; 17] = [
    "what's",
    "which",
    "what",
    "when",
    "where",
    "how",
    "on",
    "who",
    "in",
    "per",
    "the",
    "at",
    "could",
    "aside",
    "during",
    "how's",
    "pertaining",
];
const CLASSIFICATION: [&str; 15] =
    ["does", "are", "is", "am", "can", "do", "did", "was", "were", "should", "has", "have", "will", "while", "after"];

/// `extraction` or `classification`; the first word itself, in lower case, if it is on neither list.
pub fn question_format(question: &str) -> Result<&'static str, String> {
    let first = lower(question.split(' ').next().unwrap_or_default());
    if EXTRACTION.contains(&first.as_str()) {
        Ok("extraction")
    } else if CLASSIFICATION.contains(&first.as_str()) {
        Ok("classification")
    } else {
        Err(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides() {
        assert_eq!(question_format("WHAT'S the fee?"), Ok("extraction"));
        assert_eq!(question_format("Is it open?"), Ok("classification"));
        assert_eq!(question_format("Is\u{a0}it open?"), Err("is\u{a0}it".to_owned()));
        assert_eq!(question_format(" What is it?"), Err(String::new()));
    }
}
