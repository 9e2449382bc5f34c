//! Each pattern with an output that shows it and one that nearly does.

use super::*;

const SENTENCE: &str = "The old baker sold seven loaves before noon.";
const CAPTION: &str = "A woman in a red coat waves from the deck of a ferry.";
const HIGHLIGHTS: &str = "• Mayor of Lund opens a library on a barge .\n• The barge visits twelve villages a month .";

fn found(text: &str, ask: Ask, resource: &str) -> Vec<&'static str> {
    let instruction = Instruction { ask, resource: resource.to_owned() };
    patterns(text, &instruction, false, false).into_iter().map(Pattern::name).collect()
}

#[test]
fn the_resource_is_repeated_by_half_of_it() {
    let word = |text| found(text, Ask::NthWord(3), SENTENCE);
    assert_eq!(word("The old baker sold"), ["repeats-resource", "begins-with-resource", "repeats"]);
    assert_eq!(word("He said: \"sold seven LOAVES before noon\""), ["repeats-resource", "repeats"]);
    assert!(word("The old baker").is_empty() && word("seven old loaves before noon").is_empty());
    assert_eq!(
        found("It rained", Ask::NthWord(2), "It rained."),
        ["repeats-resource", "begins-with-resource", "repeats"]
    );
    assert!(found("It", Ask::NthWord(2), "It rained.").is_empty());
}

#[test]
fn the_instruction_is_repeated_by_five_words() {
    let nouns = |text| found(text, Ask::Nouns, SENTENCE);
    assert_eq!(
        nouns("List all the nouns of the sentence"),
        ["repeats-instruction", "repeats", "continues-instruction"]
    );
    assert_eq!(nouns("You must list all the nouns"), Vec::<&str>::new());
    let word = |text| found(text, Ask::NthWord(3), SENTENCE);
    assert_eq!(word("2nd: the 3rd word from the sentence"), ["repeats-instruction", "repeats"]);
    assert_eq!(word("the sentence \"the old\""), Vec::<&str>::new(), "a run does not cross into the resource");
}

#[test]
fn a_right_answer_shows_no_pattern() {
    let instruction = Instruction { ask: Ask::NthWord(1), resource: "Rain.".to_owned() };
    assert!(patterns("Rain", &instruction, true, false).is_empty());
    assert_eq!(patterns("Rain", &instruction, false, false).len(), 3);
}

#[test]
fn instructions_are_continued_by_one_more_of_them() {
    assert_eq!(found("Write the fifth letter", Ask::NthWord(3), SENTENCE), ["continues-instruction"]);
    assert!(found("• Write one alternate sentence", Ask::Snli, CAPTION).contains(&"continues-instruction"));
    assert!(found("Do not re-use any names.", Ask::NewsQa, HIGHLIGHTS).contains(&"continues-instruction"));
    assert!(!found("There are animals outdoors.", Ask::Snli, CAPTION).contains(&"continues-instruction"));
    assert!(!found("Write it down.", Ask::Snli, CAPTION).contains(&"continues-instruction"));
}

#[test]
fn the_resource_is_continued_by_more_of_its_kind() {
    let news = |text| found(text, Ask::NewsQa, HIGHLIGHTS).contains(&"continues-resource");
    assert!(news("• Readers may keep a book for three weeks"));
    assert!(news("Readers like the library on the barge."));
    assert!(!news("Readers may keep one for three weeks"));
    assert!(!news("• Who opens a library on a barge?"), "a question is an attempt");
    assert!(!news(""));
    assert!(!found("The baker sold loaves.", Ask::Nouns, SENTENCE).contains(&"continues-resource"));
    let consistent = Instruction { ask: Ask::Snli, resource: CAPTION.to_owned() };
    let text = "A woman waves. A ferry has a deck. A coat is red.";
    assert!(!patterns(text, &consistent, true, false).contains(&Pattern::ContinuesResource));
}

#[test]
fn examples_are_copied_by_words_or_names() {
    let copies = |text, ask, resource| found(text, ask, resource).contains(&"copies-example");
    assert!(copies("The women are sitting on a couch.", Ask::Snli, CAPTION));
    assert!(copies("A dog barks.", Ask::Snli, CAPTION));
    assert!(!copies("A dog barks.", Ask::Snli, "A brown dog sleeps."));
    assert!(copies("Who is thinking about global warming?", Ask::NewsQa, HIGHLIGHTS));
    assert!(copies("Where was McCain’s book?", Ask::NewsQa, HIGHLIGHTS));
    assert!(!copies("Who opens a library?", Ask::NewsQa, HIGHLIGHTS));
    assert!(!copies("The dog and Palin", Ask::Squad, CAPTION));
}

#[test]
fn whole_examples_are_told_from_parts_of_them() {
    let copied = |text, ask, resource| {
        let found = found(text, ask, resource);
        ["copies-whole-example", "copies-part-of-example"].map(|pattern| found.contains(&pattern))
    };
    assert_eq!(copied("So: the pets are sitting on a couch. Yes.", Ask::Snli, CAPTION), [true, false]);
    assert_eq!(copied("The women are sitting on a couch.", Ask::Snli, CAPTION), [false, true]);
    assert_eq!(copied("A dog barks.", Ask::Snli, CAPTION), [false, true]);
    assert_eq!(copied("Two women talk.", Ask::Snli, CAPTION), [false, false]);
}

#[test]
fn forbidden_questions_count_for_highlights_only() {
    let shows = |ask| {
        let instruction = Instruction { ask, resource: HIGHLIGHTS.to_owned() };
        patterns("Why?", &instruction, false, true).contains(&Pattern::ForbiddenQuestion)
    };
    assert!(shows(Ask::NewsQa) && !shows(Ask::Squad));
}

#[test]
fn every_example_stands_in_its_template() {
    for ask in [Ask::Snli, Ask::NewsQa] {
        let (before, after) = ask.frame(Ordinal::default());
        assert!(examples(ask).iter().all(|example| (before.clone() + &after).contains(example)));
    }
    let words = instruction_words(Ask::Snli, Ordinal::default());
    assert!(words.contains(&"alternate".to_owned()) && !words.contains(&"puppies".to_owned()));
}

#[test]
fn no_words_show_no_run() {
    assert!(found("", Ask::NthWord(1), "").is_empty());
    assert!(!Run(0).is_shared(&[], &[]));
}
