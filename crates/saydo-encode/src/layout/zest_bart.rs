//! ZEST as BART was trained on it: one line with a leading space, so line ends inside become spaces. Examples stand before it in
//! the same words, each with its answer.

pub(crate) fn prefix(question: &str, examples: &[(&str, &str)]) -> String {
    let head = format!(" zest question: {} zest context: ", on_one_line(question));
    let mut text: String = examples
        .iter()
        .map(|(context, answer)| format!("{head}{} zest answer: {}", suffix(context), on_one_line(answer)))
        .collect();
    text.push_str(&head);
    text
}

pub(crate) fn suffix(context: &str) -> String {
    on_one_line(context)
}

/// Only LF is replaced: the released code leaves CR where it is.
fn on_one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_and_context_share_a_line() {
        let prompt = prefix("Are dogs\nallowed?", &[]) + &suffix("Dogs\r\nstay out.");
        assert_eq!(prompt, " zest question: Are dogs allowed? zest context: Dogs\r stay out.");
    }

    #[test]
    fn an_example_has_its_answer_behind_it() {
        let prompt = prefix("Why?", &[("It\nrained.", "rain")]) + &suffix("Late.");
        let example = " zest question: Why? zest context: It rained. zest answer: rain";
        assert_eq!(prompt, format!("{example} zest question: Why? zest context: Late."));
    }
}
