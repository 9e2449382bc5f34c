//! Tests of the tokenizer, on sentences of our own.

use proptest::prelude::*;

use super::tokenize;

fn check(sentence: &str, spaced: &str) {
    assert_eq!(tokenize(sentence).join(" "), spaced);
}

#[test]
fn marks_stand_alone_and_runs_stay_together() {
    check("\"Wait...\" (she said), \"what?!\"", "\" Wait ... \" ( she said ) , \" what ?! \"");
    check("It costs $5 -- or 7%!!", "It costs $ 5 -- or 7 % !!");
    check("'quoted' words", "' quoted ' words");
    check("nice :) day ;-)", "nice :) day ;-)");
}

#[test]
fn clitics_are_cut_with_either_apostrophe() {
    check("I'm sure they've won't've", "I 'm sure they 've won't 've");
    check("She’s Ann’s, isn’t she?", "She ’s Ann ’s , is n’t she ?");
    check("cannot DON'T gonna", "can not DO N'T gon na");
    check("the dogs' bowls", "the dogs ' bowls");
    check("the dog 's bowl", "the dog 's bowl");
    check("O'Brien liked the 70's", "O'Brien liked the 70's");
}

#[test]
fn hyphenated_words_are_cut_except_behind_prefixes() {
    check("a well-known mother-in-law", "a well - known mother - in - law");
    check("non-human e-mail, re-wording", "non-human e-mail , re-wording");
    check("call 555-867-5309 in 10-15 days", "call 555-867-5309 in 10 - 15 days");
}

#[test]
fn periods_stay_with_abbreviations_and_numbers() {
    check("Mr. Fox of the U.S. paid 3.50.", "Mr. Fox of the U.S. paid 3.50 .");
    check("J. Doe, etc., at 5 p.m. sharp", "J. Doe , etc. , at 5 p.m. sharp");
    check("So did I.", "So did I .");
    check("Take vitamin A.", "Take vitamin A .");
    check("He left the U.S.", "He left the U.S.");
}

#[test]
fn numbers_dates_and_units() {
    check("5,000 at 12:30 on 08/16/2000", "5,000 at 12:30 on 08/16/2000");
    check("8gb in the 1990s, the 17th", "8 gb in the 1990s , the 17th");
    check("and/or b/c w/o", "and / or b/c w/o");
}

#[test]
fn addresses_stay_whole() {
    check("See <http://example.org/a?b=1>, ok.", "See < http://example.org/a?b=1 > , ok .");
    check("Mail ann.lee@example.org.", "Mail ann.lee@example.org .");
    check("Visit example.com or #now", "Visit example.com or #now");
}

#[test]
fn nothing_visible_gives_no_tokens() {
    assert!(tokenize("").is_empty());
    assert!(tokenize(" \t\n\u{a0}").is_empty());
}

fn near_english() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z]{1,6}",
        "[0-9]{1,4}",
        Just("n't".to_owned()),
        Just("’s".to_owned()),
        "[-'’./:,;()@#$_&*\"!? é]",
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn tokens_hold_every_visible_character_in_order(sentence in prop_oneof![any::<String>(), near_english()]) {
        let tokens = tokenize(&sentence);
        let visible: String = sentence.chars().filter(|c| !c.is_whitespace()).collect();
        prop_assert_eq!(tokens.concat(), visible);
        prop_assert!(tokens.iter().all(|token| !token.is_empty() && !token.contains(char::is_whitespace)));
    }
}
