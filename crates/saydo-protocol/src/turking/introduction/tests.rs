//! Phrases that are introductions, and phrases that only look like one.

use super::*;
use proptest::prelude::*;
use saydo_task::turking::{Case, Number, Sound};

const SENTENCE: &str = "The cat sat down.";

fn rest(text: &str, ask: Ask) -> &str {
    without(text, &Instruction { ask, resource: SENTENCE.to_owned() })
}

fn assert_all_lead_to(answer: &str, ask: Ask, introductions: &[&str]) {
    for introduction in introductions {
        let text = format!("{introduction} {answer}");
        assert_eq!(rest(&text, ask), answer, "{text}");
    }
}

fn assert_none(ask: Ask, texts: &[&str]) {
    for text in texts {
        assert_eq!(rest(text, ask), *text);
    }
}

#[test]
fn phrases_before_a_word_are_passed_over() {
    assert_all_lead_to(
        "\"down\".",
        Ask::NthWord(4),
        &[
            "The fourth word is",
            "the 4th word is:",
            "The fourth word:",
            "Fourth word:",
            "The word is",
            "Word:",
            "Answer:",
            "The answer is",
            "The answer is:",
            "My answer would be",
            "\n\nThe fourth word in the sentence is",
            "The fourth word of the given sentence is:\n",
            "The fourth word from the sentence \"The cat sat down.\" is",
            "The fourth word in this sentence “The cat sat down.”, is",
            "The fourth word in the sentence \"the cat sat down\" is:",
            "Sure!",
            "Sure! The fourth word is",
            "Of course, here is the fourth word:",
            "Okay. Here is the fourth word of the above sentence:",
        ],
    );
}

#[test]
fn other_phrases_are_part_of_the_answer() {
    assert_none(
        Ask::NthWord(4),
        &[
            "The third word is \"down\".",
            "The fourth letter is d",
            "The fourth word in the paragraph is down",
            "The fourth word from the sentence \"A dog ran.\" is down",
            "I think the fourth word is down",
            "The fourth word down",
            "The fourth word",
            "The fourth word is",
            "The answer",
            "Surely, down",
            "Sure down",
            "Here the fourth word is down",
            "Write the fourth word from the sentence \"The cat sat down.\": down",
            "down is the fourth word",
            "",
            ":",
        ],
    );
}

#[test]
fn phrases_before_a_character_are_passed_over() {
    assert_all_lead_to("h", Ask::NthCharacter(2), &["The second letter is", "The 2nd character in the sentence is:"]);
    assert_none(Ask::NthCharacter(2), &["The second word is h", "The 2st letter is h"]);
}

#[test]
fn phrases_before_nouns_are_passed_over() {
    let any =
        ["Nouns:", "The nouns are", "All the nouns in the sentence are:", "All of the nouns:", "Here are the nouns:"];
    assert_all_lead_to("cat", Ask::Nouns, &any);
    assert_all_lead_to("cat", Ask::Nouns, &["The nouns of the sentence \"The cat sat down.\" are:", "The noun is"]);
    assert_none(
        Ask::Nouns,
        &["The plural nouns are cats", "The verbs are: sat", "The nouns that start with c are cat"],
    );
}

#[test]
fn a_condition_may_be_repeated_but_not_changed() {
    let plural_vowel = Ask::NounsUnder(Condition::NumberAndSound(Number::Plural, Sound::Vowel));
    assert_all_lead_to(
        "eggs",
        plural_vowel,
        &[
            "The nouns are",
            "The plural nouns that start with a vowel are:",
            "The plural nouns in the sentence that begin with a vowel are",
            "Here are all the plural nouns that start with a vowel from the sentence:",
        ],
    );
    assert_none(
        plural_vowel,
        &[
            "The singular nouns are eggs",
            "The plural nouns that start with a consonant are eggs",
            "The nouns that end are eggs",
        ],
    );
    let upper_singular = Ask::NounsUnder(Condition::NumberAndCase(Number::Singular, Case::Upper));
    assert_all_lead_to("Rome", upper_singular, &["The singular nouns that start with an uppercase letter are:"]);
    assert_none(upper_singular, &["The nouns that start with an uppercase vowel are: Rome"]);
}

#[test]
fn crowd_tasks_may_open_with_a_line_about_what_follows() {
    let questions = "Who sat?\nWhere?";
    assert_all_lead_to(
        questions,
        Ask::Squad,
        &["Here are five questions about the paragraph:\n", "Sure! Questions:\n"],
    );
    assert_none(Ask::Squad, &["Here are some facts:\nThe cat sat.", "Questions about cats\nWho sat?", "Questions:"]);
    assert_all_lead_to("A cat is down.", Ask::Snli, &["Three alternate captions:\n"]);
    let long = "Here are the questions that I was asked to write about all the highlights above:\nWho sat?";
    assert_none(Ask::NewsQa, &[long]);
}

proptest! {
    #[test]
    fn what_is_left_is_the_end_of_the_text(
        text in prop_oneof![
            any::<String>(),
            "(sure|!|,|the| |fourth|4th|word|in|sentence|is|:|\"|\n|answer|é){0,12}",
        ],
    ) {
        for ask in [Ask::NthWord(4), Ask::Nouns, Ask::Snli, Ask::NounsUnder(Condition::ALL[0])] {
            prop_assert!(text.ends_with(rest(&text, ask)));
        }
    }
}
