//! ZEST as T5 was trained on it.
//!
//! A question mark is added though questions already end with one: the released files have `??`. The paper's appendix
//! names other prefixes (`zeroshot question: `); those of the released code are used. Examples, which section 6 asks for and
//! no released file has, stand before it as prompts with their answers behind them.

pub(crate) fn prefix(question: &str, examples: &[(&str, &str)]) -> String {
    let head = format!("zest question: {question}?\n\nzest context: ");
    let mut text: String =
        examples.iter().map(|(context, answer)| format!("{head}{}{answer}\n\n", suffix(context))).collect();
    text.push_str(&head);
    text
}

pub(crate) fn suffix(context: &str) -> String {
    format!("{context}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_and_context_are_paragraphs() {
        let prompt = prefix("Are dogs allowed?", &[]) + &suffix("Dogs stay out.");
        assert_eq!(prompt, "zest question: Are dogs allowed??\n\nzest context: Dogs stay out.\n\n");
    }

    #[test]
    fn an_example_is_a_prompt_with_its_answer() {
        let prompt = prefix("Why?", &[("It rained.", "rain")]) + &suffix("It is late.");
        let example = "zest question: Why??\n\nzest context: It rained.\n\nrain\n\n";
        assert_eq!(prompt, format!("{example}zest question: Why??\n\nzest context: It is late.\n\n"));
    }
}
