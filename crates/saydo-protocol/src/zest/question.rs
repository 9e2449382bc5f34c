//! What kind of answer a question asks for, told by its first word.
//!
//! Only the diagnostic breakdown of the results uses this. The word lists are the reference's (rule Z7 of
//! docs/metrics.md); the first word ends at the first space, so `Who,` is not `who`.

use saydo_metrics::python::lower;
use saydo_task::describe::format_by_first_word;

/// `extraction` or `classification`; the first word itself, in lower case, if it is on neither list.
pub fn question_format(question: &str) -> Result<&'static str, String> {
    match format_by_first_word(question) {
        Some(format) => Ok(format.name()),
        None => Err(lower(question.split(' ').next().unwrap_or_default())),
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
