//! Random constraints, texts and vocabularies: what a guide lets through is what a plain checker accepts, and nothing
//! that the checker accepts is held back.

use proptest::prelude::*;
use saydo_guide::{Constraint, Error, Escape, Guide, TokenBytes, Vocabulary, ground};
use std::collections::BTreeSet;
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

/// A small generator of numbers, so that a failing case is a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

/// All `(start, end)` of pieces, by the words of the rule.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    let is_spaceless = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c);
    let words: Vec<usize> = text.split_word_bound_indices().map(|(at, _)| at).collect();
    let clusters: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
    let cut = |at: usize| {
        let beside = text[at..].chars().next().into_iter().chain(text[..at].chars().next_back());
        at == text.len() || (clusters.contains(&at) && (words.contains(&at) || beside.into_iter().any(is_spaceless)))
    };
    let mut found = vec![];
    for start in (0..text.len()).filter(|&at| text.is_char_boundary(at) && cut(at)) {
        for end in (start + 1..=text.len()).filter(|&at| text.is_char_boundary(at) && cut(at)) {
            let piece = &text[start..end];
            if !piece.starts_with(char::is_whitespace) && !piece.ends_with(char::is_whitespace) {
                found.push((start, end));
            }
        }
    }
    found
}

fn written(text: &str, escape: Escape) -> String {
    match escape {
        Escape::None => text.to_owned(),
        Escape::Json => {
            let quoted = serde_json::to_string(text).expect("a string is JSON");
            quoted[1..quoted.len() - 1].to_owned()
        }
    }
}

/// Where what the constraint accepts can end in `reply` if it starts at `from`.
fn ends(constraint: &Constraint, reply: &str, from: usize) -> BTreeSet<usize> {
    let literal = |text: &str| reply[from..].starts_with(text).then_some(from + text.len());
    match constraint {
        Constraint::Text(text) => literal(text).into_iter().collect(),
        Constraint::OneOf(parts) => parts.iter().flat_map(|part| ends(part, reply, from)).collect(),
        Constraint::Sequence(parts) => parts.iter().fold(BTreeSet::from([from]), |starts, part| {
            starts.into_iter().flat_map(|start| ends(part, reply, start)).collect()
        }),
        Constraint::Repeat { item, separator, min, max } => {
            let mut found = BTreeSet::new();
            let mut starts = BTreeSet::from([from]);
            for count in 0..=*max {
                if count >= *min {
                    found.extend(&starts);
                }
                let apart = Constraint::Text(if count == 0 { String::new() } else { separator.clone() });
                let begun: BTreeSet<usize> = starts.iter().flat_map(|&start| ends(&apart, reply, start)).collect();
                starts = begun.into_iter().flat_map(|start| ends(item, reply, start)).collect();
            }
            found
        }
        Constraint::PieceOf { text, escape } => {
            let texts = pieces(text).into_iter().map(|(start, end)| written(&text[start..end], *escape));
            texts.filter_map(|piece| literal(&piece)).collect()
        }
        Constraint::Line { max_chars, escape } => (from + 1..=reply.len())
            .filter(|&end| reply.is_char_boundary(end))
            .filter(|&end| {
                let text = escape.read(&reply[from..end]);
                text.is_some_and(|text| text.chars().count() <= *max_chars && !text.contains(char::is_control))
            })
            .collect(),
        Constraint::Number => (from + 1..=reply.len()).filter(|&end| is_number(reply.get(from..end))).collect(),
        Constraint::Json(_) => unreachable!("not generated"),
    }
}

fn is_number(text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let digits = |part: &str| (1..=15).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

fn accepts(constraint: &Constraint, reply: &str) -> bool {
    ends(constraint, reply, 0).contains(&reply.len())
}

/// A text that the constraint accepts.
fn sample(constraint: &Constraint, dice: &mut Dice) -> String {
    match constraint {
        Constraint::Text(text) => text.clone(),
        Constraint::OneOf(parts) => sample(&parts[dice.roll(parts.len())], dice),
        Constraint::Sequence(parts) => parts.iter().map(|part| sample(part, dice)).collect(),
        Constraint::Repeat { item, separator, min, max } => {
            let count = min + dice.roll(max - min + 1);
            (0..count).map(|_| sample(item, dice)).collect::<Vec<_>>().join(separator)
        }
        Constraint::PieceOf { text, escape } => {
            let pieces = pieces(text);
            let (start, end) = pieces[dice.roll(pieces.len())];
            written(&text[start..end], *escape)
        }
        Constraint::Line { max_chars, escape } => {
            let count = 1 + dice.roll(*max_chars);
            let text: String = (0..count).map(|_| ['a', ' ', '"', '\\', 'é', '東', '👧', ','][dice.roll(8)]).collect();
            written(&text, *escape)
        }
        Constraint::Number => ["0", "-7", "12.50", "-0.125", "999999999999999"][dice.roll(5)].to_owned(),
        Constraint::Json(_) => unreachable!("not generated"),
    }
}

fn text() -> impl Strategy<Value = Arc<str>> {
    let bits = [
        "a",
        "b",
        "ab",
        " ",
        " ",
        ", ",
        ",",
        "的",
        "京",
        "タ",
        "é",
        "e\u{301}",
        "\"",
        "\\",
        "\n",
        "\r\n",
        "👩‍👧",
        "3.5",
        "\u{1}",
    ];
    let bits = prop::collection::vec(prop::sample::select(bits.to_vec()), 0..14);
    bits.prop_map(|bits| format!("{}x", bits.concat()).into())
}

fn escape() -> impl Strategy<Value = Escape> {
    prop_oneof![Just(Escape::None), Just(Escape::Json)]
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["", "a", "ab", ", ", "\"", "{\"n\": ", "的"]).prop_map(Constraint::from),
        (text(), escape()).prop_map(|(text, escape)| Constraint::PieceOf { text, escape }),
        (1usize..30, escape()).prop_map(|(max_chars, escape)| Constraint::Line { max_chars, escape }),
        Just(Constraint::Number),
    ];
    leaf.prop_recursive(3, 10, 3, |part| {
        let repeat = (part.clone(), prop::sample::select(vec![",", ", ", "a", "; "]), 0usize..3, 0usize..3);
        prop_oneof![
            prop::collection::vec(part.clone(), 1..4).prop_map(Constraint::OneOf),
            prop::collection::vec(part, 0..4).prop_map(Constraint::Sequence),
            repeat.prop_map(|(item, separator, min, more)| Constraint::Repeat {
                item: Box::new(item),
                separator: separator.into(),
                min,
                max: min + more,
            }),
        ]
    })
}

/// All bytes, some merges of bytes that come up in such replies, a control token and two end tokens.
fn vocabulary(constraint: &Constraint, dice: &mut Dice) -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    for _ in 0..40 {
        let reply = sample(constraint, dice) + &sample(constraint, dice);
        if !reply.is_empty() {
            let start = dice.roll(reply.len());
            let end = reply.len().min(start + 1 + dice.roll(8));
            tokens.push(reply.as_bytes()[start..end].to_vec());
        }
    }
    let count = tokens.len() as u32;
    let mut tokens: Vec<TokenBytes> = tokens.into_iter().map(|bytes| TokenBytes { bytes, control: false }).collect();
    tokens.extend((0..3).map(|_| TokenBytes { bytes: b"a".to_vec(), control: true }));
    Vocabulary::new(tokens, &[count + 1, count + 2]).expect("a good vocabulary")
}

fn allowed(guide: &mut Guide, vocabulary: &Vocabulary) -> Vec<u32> {
    let mut logits = vec![0.0; vocabulary.len() + 3];
    guide.mask(&mut logits).expect("every byte has a token");
    (0..logits.len() as u32).filter(|&token| logits[token as usize] == 0.0).collect()
}

/// One token that may come next: now and then the end, if it may.
fn choose(tokens: &[u32], vocabulary: &Vocabulary, dice: &mut Dice) -> u32 {
    let ending = tokens.iter().find(|token| vocabulary.ends().contains(token));
    match ending {
        Some(&end) if dice.roll(4) == 0 => end,
        _ => tokens[dice.roll(tokens.len())],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_walk_that_keeps_to_the_mask_ends_in_a_text_the_constraint_accepts(
        constraint in constraint(),
        seed in any::<u64>(),
    ) {
        let mut dice = Dice(seed);
        let vocabulary = vocabulary(&constraint, &mut dice);
        let mut guide = Guide::new(&vocabulary, &constraint).expect("a good constraint");
        let mut reply = vec![];
        for _ in 0..120 {
            if let Ok(reply) = std::str::from_utf8(&reply) {
                prop_assert_eq!(guide.is_complete(), accepts(&constraint, reply), "{:?}", reply);
            }
            let tokens = allowed(&mut guide, &vocabulary);
            let only_ends = tokens.iter().all(|token| vocabulary.ends().contains(token));
            prop_assert_eq!(guide.is_finished(), only_ends);
            let token = choose(&tokens, &vocabulary, &mut dice);
            guide.accept(token).expect("the mask left it");
            if vocabulary.ends().contains(&token) {
                let reply = std::str::from_utf8(&reply).expect("a complete reply is text");
                prop_assert!(accepts(&constraint, reply), "{:?}", reply);
                return Ok(());
            }
            reply.extend_from_slice(vocabulary.bytes(token));
        }
    }

    #[test]
    fn every_spelling_of_an_acceptable_text_is_allowed(constraint in constraint(), seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let vocabulary = vocabulary(&constraint, &mut dice);
        let mut guide = Guide::new(&vocabulary, &constraint).expect("a good constraint");
        let reply = sample(&constraint, &mut dice);
        prop_assert!(accepts(&constraint, &reply), "the sampler and the checker agree on {:?}", reply);
        let mut rest = reply.as_bytes();
        while !rest.is_empty() {
            let tokens = allowed(&mut guide, &vocabulary);
            let fits = |token: &u32| !vocabulary.bytes(*token).is_empty() && rest.starts_with(vocabulary.bytes(*token));
            let spellings: Vec<u32> = (0..vocabulary.len() as u32).filter(fits).collect();
            prop_assert!(spellings.iter().all(|token| tokens.contains(token)), "{:?} in {:?}", rest, reply);
            prop_assert!(rest.starts_with(&guide.forced()) || guide.forced().starts_with(rest));
            let token = spellings[dice.roll(spellings.len())];
            guide.accept(token).expect("the mask left it");
            rest = &rest[vocabulary.bytes(token).len()..];
        }
        prop_assert!(guide.is_complete());
    }

    #[test]
    fn clones_behave_alike_and_apart(constraint in constraint(), seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let vocabulary = vocabulary(&constraint, &mut dice);
        let mut guide = Guide::new(&vocabulary, &constraint).expect("a good constraint");
        for _ in 0..20 {
            let tokens = allowed(&mut guide, &vocabulary);
            let mut twin = guide.clone();
            let away = choose(&tokens, &vocabulary, &mut dice);
            twin.accept(away).expect("the mask left it");
            prop_assert_eq!(&allowed(&mut guide, &vocabulary), &tokens);
            let masked = dice.roll(vocabulary.len()) as u32;
            if !tokens.contains(&masked) {
                prop_assert_eq!(guide.accept(masked), Err(Error::Token { token: masked }));
            }
            guide.accept(away).expect("the mask left it");
            if vocabulary.ends().contains(&away) {
                return Ok(());
            }
            prop_assert_eq!(allowed(&mut twin, &vocabulary), allowed(&mut guide, &vocabulary));
            prop_assert_eq!(twin.is_complete(), guide.is_complete());
        }
    }

    #[test]
    fn every_piece_is_found_where_it_stands(text in text()) {
        let pieces = pieces(&text);
        for &(start, end) in &pieces {
            let places = ground(&text, &text[start..end]);
            let expected: Vec<_> = pieces.iter().filter(|(s, e)| text[*s..*e] == text[start..end]).collect();
            prop_assert_eq!(places.len(), expected.len());
            prop_assert!(places.contains(&(start..end)));
        }
    }
}
