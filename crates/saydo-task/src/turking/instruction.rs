//! An instruction: what is asked about which resource, as text and back.
//!
//! Reading one back from an instance's input is what lets predictions be scored against tasks in any format, those that
//! drop instance ids included.

use super::{Ask, Condition, Ordinal};

/// What is asked about a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// What is asked.
    pub ask: Ask,
    /// The sentence, caption, paragraph or highlights it is asked about.
    pub resource: String,
}

impl Instruction {
    /// The whole text, without the newline that follows it in a prompt.
    ///
    /// ```
    /// use saydo_task::turking::{Ask, Instruction, Ordinal};
    ///
    /// let instruction = Instruction { ask: Ask::NthWord(4), resource: "The cat sat down.".to_owned() };
    /// let text = instruction.text(Ordinal::Words);
    /// assert_eq!(text, "Write the fourth word from the sentence \"The cat sat down.\".");
    /// assert_eq!(Instruction::parse(&text), Some(instruction));
    /// ```
    pub fn text(&self, ordinal: Ordinal) -> String {
        let (before, after) = self.ask.frame(ordinal);
        before + &self.resource + &after
    }

    /// Reads an instruction back, whichever way its ordinal is written; none if the text follows no template. Space
    /// around the text is not looked at.
    pub fn parse(text: &str) -> Option<Instruction> {
        let text = text.trim();
        let plain = [Ask::Snli, Ask::Squad, Ask::NewsQa, Ask::Nouns];
        let asks = plain.into_iter().chain(Condition::ALL.map(Ask::NounsUnder)).chain(nth(text));
        asks.flat_map(|ask| Ordinal::ALL.map(|ordinal| (ask, ordinal))).find_map(|(ask, ordinal)| {
            let (before, after) = ask.frame(ordinal);
            let resource = text.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
            Some(Instruction { ask, resource: resource.to_owned() })
        })
    }
}

/// What a text with an ordinal number in the right place asks for.
fn nth(text: &str) -> Option<Ask> {
    let after = |start| Ordinal::parse(text.strip_prefix(start)?.split_once(' ')?.0);
    after("Write the ").map(Ask::NthWord).or_else(|| after("Write down the ").map(Ask::NthCharacter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(ask: Ask) -> String {
        Instruction { ask, resource: "R {resource}".to_owned() }.text(Ordinal::Words)
    }

    #[test]
    fn conditions_read_as_in_the_appendix() {
        let texts: Vec<_> = Condition::ALL.map(|condition| text(Ask::NounsUnder(condition))).into();
        insta::assert_snapshot!(texts.join("\n"), @r#"
        List all the nouns from the sentence "R {resource}" that start with a lowercase consonant.
        List all the nouns from the sentence "R {resource}" that start with an uppercase consonant.
        List all the nouns from the sentence "R {resource}" that start with a lowercase vowel.
        List all the nouns from the sentence "R {resource}" that start with an uppercase vowel.
        List all the singular nouns from the sentence "R {resource}" that start with a lowercase letter.
        List all the plural nouns from the sentence "R {resource}" that start with a lowercase letter.
        List all the singular nouns from the sentence "R {resource}" that start with an uppercase letter.
        List all the plural nouns from the sentence "R {resource}" that start with an uppercase letter.
        List all the singular nouns from the sentence "R {resource}" that start with a consonant.
        List all the plural nouns from the sentence "R {resource}" that start with a consonant.
        List all the singular nouns from the sentence "R {resource}" that start with a vowel.
        List all the plural nouns from the sentence "R {resource}" that start with a vowel.
        "#);
    }

    #[test]
    fn short_templates_read_as_in_the_appendix() {
        assert_eq!(text(Ask::Nouns), "List all the nouns of the sentence \"R {resource}\".");
        assert_eq!(text(Ask::NthWord(2)), "Write the second word from the sentence \"R {resource}\".");
        let instruction = Instruction { ask: Ask::NthCharacter(31), resource: "R".to_owned() };
        assert_eq!(instruction.text(Ordinal::Digits), "Write down the 31st letter from the sentence \"R\".");
    }

    #[test]
    fn long_templates_hold_the_resource_once_and_end_without_a_newline() {
        let starts =
            ["We will show you the caption", "Read the following paragraph", "Write Questions From A Summary\n"];
        let ends = ["one that is definitely a false description of the photo:", "about the paragraph:", "about them:"];
        for ((ask, start), end) in [Ask::Snli, Ask::Squad, Ask::NewsQa].into_iter().zip(starts).zip(ends) {
            let text = text(ask);
            assert!(text.starts_with(start) && text.ends_with(end), "{text}");
            assert_eq!(text.matches("R {resource}").count(), 1);
            assert_eq!(text.matches("{resource}").count(), 1);
        }
    }

    #[test]
    fn quirks_of_the_appendix_are_kept() {
        let snli = text(Ask::Snli);
        assert!(snli.contains("running through a field. you could write"), "the missing quote stays missing");
        assert!(snli.contains("Here’s the caption: \"R {resource}\".\nAccording"), "curly apostrophes stay curly");
        assert_eq!(text(Ask::NewsQa).matches('•').count(), 12);
    }

    #[test]
    fn other_text_is_no_instruction() {
        for text in ["", "Write the fourth word", "Write the cat word from the sentence \"a\".", "List all the nouns."]
        {
            assert_eq!(Instruction::parse(text), None, "{text}");
        }
    }

    fn ask() -> impl Strategy<Value = Ask> {
        prop_oneof![
            proptest::sample::select(vec![Ask::Snli, Ask::Squad, Ask::NewsQa, Ask::Nouns]),
            proptest::sample::select(Condition::ALL.to_vec()).prop_map(Ask::NounsUnder),
            (1..=40_usize).prop_map(Ask::NthWord),
            (1..=40_usize).prop_map(Ask::NthCharacter),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            ask in ask(),
            resource in prop_oneof![any::<String>(), "[\"a. {}\n]{0,9}", Just("{resource} {nth}".to_owned())],
            ordinal in proptest::sample::select(Ordinal::ALL.to_vec()),
        ) {
            let instruction = Instruction { ask, resource };
            prop_assert_eq!(Instruction::parse(&instruction.text(ordinal)), Some(instruction));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            Instruction::parse(&text);
        }
    }
}
