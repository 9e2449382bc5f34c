use super::*;
use proptest::prelude::*;

fn texts(tokens: Vec<Vec<u8>>) -> Vec<String> {
    tokens.into_iter().map(|token| String::from_utf8(token).unwrap()).collect()
}

#[test]
fn a_space_belongs_to_the_word_after_it() {
    let tokens = Gpt2::shared().tokens("It's  2 dogs,\n\nrunning");
    assert_eq!(texts(tokens), ["It", "'s", " ", " 2", " dogs", ",", "\n", "\n", "running"]);
}

#[test]
fn rare_words_fall_apart_into_known_pieces() {
    assert_eq!(texts(Gpt2::shared().tokens("Bridalveil Fall")), ["B", "rid", "al", "ve", "il", " Fall"]);
}

#[test]
fn characters_outside_the_vocabulary_fall_apart_into_bytes() {
    let tokens = Gpt2::shared().tokens("犬");
    assert!(tokens.len() > 1);
    assert_eq!(tokens.concat(), "犬".as_bytes());
}

#[test]
fn end_of_text_is_one_token() {
    let gpt2 = Gpt2::shared();
    assert_eq!(texts(gpt2.tokens("a<|endoftext|> b")), ["a", END_OF_TEXT, " b"]);
    assert_eq!(gpt2.count("<|endoftext|>"), 1);
    assert!(gpt2.count("<|endoftext>") > 1);
}

#[test]
fn rouge_pieces_lose_leading_spaces_and_nothing_else() {
    let pieces = Gpt2::shared().rouge_pieces(" a   b\n c\u{a0}");
    assert_eq!(pieces, [&b"a"[..], b"", b"", b"b", b"\n", b"c", "\u{a0}".as_bytes()]);
}

#[test]
fn an_empty_text_has_no_tokens() {
    assert_eq!(Gpt2::shared().count(""), 0);
    assert!(Gpt2::shared().rouge_pieces("").is_empty());
}

#[test]
fn very_long_runs_are_read() {
    for (unit, times) in [(" ", 1_100_000), ("\n", 40_000), ("a", 40_000), ("é", 40_000), ("!", 40_000)] {
        let text = unit.repeat(times) + "x";
        assert_eq!(Gpt2::shared().tokens(&text).concat(), text.as_bytes());
    }
}

/// Our words and merges against the published encoder, on texts rich in what either could get wrong.
fn assert_agrees_with_the_published_encoder(text: &str) {
    let published = tiktoken_rs::r50k_base_singleton();
    let ids = published.encode_with_special_tokens(text);
    let expected: Vec<_> = ids.iter().map(|id| published.decode_bytes(&[*id]).unwrap()).collect();
    assert_eq!(Gpt2::shared().tokens(text), expected, "{text:?}");
}

proptest! {
    #[test]
    fn any_text_is_cut_as_by_the_published_encoder(text in any::<String>()) {
        assert_agrees_with_the_published_encoder(&text);
    }

    #[test]
    fn texts_of_hard_pieces_are_cut_as_by_the_published_encoder(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                " ", "  ", "\n", "\t", "\u{a0}", "\u{2003}", "\u{85}", "'", "'s", "'ll", "re", "running", "Straße",
                "aaaaaaaaaaaaaaaa", "12", "½", "Ⅷ", "日本犬", "ก็", "e\u{301}", "🦆", "--", "...", "<|endoftext|>", "\0",
            ]),
            0..40,
        ),
    ) {
        assert_agrees_with_the_published_encoder(&pieces.concat());
    }
}
