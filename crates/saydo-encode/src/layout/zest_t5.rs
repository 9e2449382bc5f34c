//! ZEST as T5 was trained on it.
//!
//! A question mark is added though questions already end with one: the released files have `??`. The paper's appendix
//! names other prefixes (`zeroshot question: `); those of the released code are used.

pub(crate) fn prefix(question: &str) -> String {
    format!("zest question: {question}?\n\nzest context: ")
}

pub(crate) fn suffix(context: &str) -> String {
    format!("{context}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_and_context_are_paragraphs() {
        let prompt = prefix("Are dogs allowed?") + &suffix("Dogs stay out.");
        assert_eq!(prompt, "zest question: Are dogs allowed??\n\nzest context: Dogs stay out.\n\n");
    }
}
