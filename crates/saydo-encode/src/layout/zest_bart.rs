//! ZEST as BART was trained on it: one line with a leading space, so line ends inside become spaces.

pub(crate) fn prefix(question: &str) -> String {
    format!(" zest question: {} zest context: ", on_one_line(question))
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
        let prompt = prefix("Are dogs\nallowed?") + &suffix("Dogs\r\nstay out.");
        assert_eq!(prompt, " zest question: Are dogs allowed? zest context: Dogs\r stay out.");
    }
}
