//! Guides over a small vocabulary: what is allowed, forced, complete and refused.

use super::*;
use crate::{Escape, TokenBytes};
use serde_json::json;

/// All single bytes, then these words, then an end token.
fn vocabulary(words: &[&str]) -> Vocabulary {
    let bytes = (0..=255u8).map(|byte| vec![byte]).chain(words.iter().map(|word| word.as_bytes().to_vec()));
    let mut tokens: Vec<TokenBytes> = bytes.map(|bytes| TokenBytes { bytes, control: false }).collect();
    tokens.push(TokenBytes { bytes: b"<end>".to_vec(), control: true });
    let end = tokens.len() as u32 - 1;
    Vocabulary::new(tokens, &[end]).expect("a good vocabulary")
}

fn guide(constraint: &Constraint) -> Guide {
    Guide::new(&vocabulary(&[]), constraint).expect("a good constraint")
}

fn end(guide: &Guide) -> u32 {
    guide.vocabulary.ends()[0]
}

fn allowed(guide: &mut Guide) -> Vec<u32> {
    let mut logits = vec![0.0; guide.vocabulary.len() + 7];
    guide.mask(&mut logits).expect("something can come next");
    (0..logits.len() as u32).filter(|&token| logits[token as usize] == 0.0).collect()
}

fn feed(guide: &mut Guide, text: &str) -> Result<(), Error> {
    text.bytes().try_for_each(|byte| guide.accept(u32::from(byte)))
}

fn accepts(constraint: &Constraint, text: &str) -> bool {
    let mut guide = guide(constraint);
    feed(&mut guide, text).is_ok() && guide.is_complete()
}

#[test]
fn guides_move_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Guide>();
    check::<Vocabulary>();
}

#[test]
fn labels_are_followed_over_token_bounds() {
    let vocabulary = vocabulary(&["ye", "s", "yesterday", "no", "t", "nothing"]);
    let mut guide = Guide::new(&vocabulary, &Constraint::labels(["yes", "no", "not"])).expect("a good constraint");
    let words: Vec<&[u8]> = allowed(&mut guide).iter().map(|&token| vocabulary.bytes(token)).collect();
    assert_eq!(words, [&b"n"[..], b"y", b"ye", b"no"]);
    guide.accept(256 + 3).expect("no");
    assert!(guide.is_complete() && !guide.is_finished());
    assert_eq!(allowed(&mut guide), [u32::from(b't'), 256 + 4, end(&guide)]);
    guide.accept(256 + 4).expect("not");
    assert!(guide.is_finished());
    let last = end(&guide);
    assert_eq!(allowed(&mut guide), [last]);
    guide.accept(last).expect("the end");
    assert_eq!(guide.accept(last), Err(Error::Token { token: last }));
    assert_eq!(guide.mask(&mut vec![0.0; 500]), Err(Error::Stuck));
}

#[test]
fn a_token_that_cannot_come_leaves_the_guide_as_it_was() {
    let mut guide = guide(&Constraint::labels(["yes", "no"]));
    feed(&mut guide, "y").expect("a beginning");
    for token in [u32::from(b'x'), end(&guide), 9999] {
        assert_eq!(guide.accept(token), Err(Error::Token { token }));
    }
    feed(&mut guide, "es").expect("the rest");
    assert!(guide.is_finished());
}

#[test]
fn spans_are_pieces_with_separators_or_na() {
    let spans = Constraint::spans("red, green and blue; tan", ", ", 3).or("NA");
    for text in ["NA", "red", "red, green", "green and, red", "blue; tan, tan, tan", "red, green, red, green, tan"] {
        assert!(accepts(&spans, text), "{text}");
    }
    for text in ["", "N", "NA, red", "re", "red,green", "tan, tan, tan, tan", "red ", "red, "] {
        assert!(!accepts(&spans, text), "{text}");
    }
}

#[test]
fn records_have_their_fields_in_order() {
    let text = "The \"Mist\" Trail\nis steep.";
    let records = Constraint::records(
        [
            ("hike", Constraint::json_piece(text)),
            ("paved", Constraint::json_labels(["yes", "no"])),
            ("note", Constraint::json_line(5)),
            ("miles", Constraint::Number),
        ],
        0,
        2,
    );
    let record = r#"{"hike": "\"Mist\" Trail\nis", "paved": "no", "note": "a\"b", "miles": -1.5}"#;
    for list in ["[]".to_owned(), format!("[{record}]"), format!("[{record}, {record}]")] {
        assert!(accepts(&records, &list), "{list}");
        serde_json::from_str::<serde_json::Value>(&list).expect("it is JSON");
    }
    for list in ["[".to_owned(), format!("[{record},{record}]"), format!("[{record}, {record}, {record}]")] {
        assert!(!accepts(&records, &list), "{list}");
    }
}

#[test]
fn forced_bytes_stop_where_there_is_a_choice() {
    let record = Constraint::object([("paved", Constraint::json_labels(["yes", "no"]))]);
    let mut guide = guide(&record);
    assert_eq!(guide.forced(), b"{\"paved\": \"");
    feed(&mut guide, "{\"paved\": \"y").expect("allowed");
    assert_eq!(guide.forced(), b"es\"}");
    feed(&mut guide, "es\"}").expect("allowed");
    assert_eq!(guide.forced(), b"");
}

#[test]
fn counts_are_not_lost_when_separators_also_stand_in_the_text() {
    let list = Constraint::spans("a, b, c, d, e, f, g, h", ", ", 2);
    assert!(accepts(&list, "a, b, c, d, e, f, g, h"));
    assert!(accepts(&list, "a, b, a"));
    assert!(!accepts(&list, "a, a, a"));
    let piece = Constraint::PieceOf { text: "a, b".into(), escape: Escape::None };
    let four = Constraint::Repeat { item: Box::new(piece), separator: ", ".into(), min: 4, max: 4 };
    assert!(accepts(&four, "a, b, a, b"));
    assert!(accepts(&four, "a, b, a, b, a, b"));
    assert!(!accepts(&four, "a, b, a"));
}

#[test]
fn huge_counts_cost_nothing() {
    let item = Box::new(Constraint::labels(["a", "aa", ""]));
    for max in [usize::MAX, usize::MAX - 1] {
        let repeat = Constraint::Repeat { item: item.clone(), separator: ",".into(), min: 2, max };
        assert!(accepts(&repeat, &"aa,a,,".repeat(300)));
        assert!(!accepts(&repeat, "a"));
        let none = Constraint::Repeat { item: item.clone(), separator: ",".into(), min: max, max };
        assert!(!accepts(&none, "a,a"));
    }
}

#[test]
fn readings_without_number_are_refused_in_bounded_time() {
    let item = Constraint::labels((1..400).map(|len| "a".repeat(len)));
    let inner = Constraint::Repeat { item: Box::new(item), separator: String::new(), min: 500, max: 1000 };
    let outer = Constraint::Repeat { item: Box::new(inner), separator: String::new(), min: 0, max: 1000 };
    let mut guide = guide(&outer);
    let failed = (0..2000).find_map(|_| guide.accept(u32::from(b'a')).err());
    assert_eq!(failed, Some(Error::Ambiguous { most: 256 }));
}

#[test]
fn nested_empties_do_not_multiply() {
    let choice = Constraint::OneOf(vec!["".into(), Constraint::Sequence(vec![]), "a".into(), "".into()]);
    let many = Constraint::Sequence(vec![choice; 200]);
    assert!(accepts(&many, "aaa"));
    assert!(accepts(&many, ""));
}

#[test]
fn too_few_logits_are_refused() {
    let mut guide = guide(&"a".into());
    assert_eq!(guide.mask(&mut [0.0; 9]), Err(Error::Logits { found: 9, expected: 257 }));
}

#[test]
fn a_byte_no_token_spells_is_an_error_when_it_is_wanted() {
    let tokens = ["a", ""].map(|word| TokenBytes { bytes: word.into(), control: word.is_empty() });
    let vocabulary = Vocabulary::new(tokens.to_vec(), &[1]).expect("a good vocabulary");
    let mut guide = Guide::new(&vocabulary, &"ab".into()).expect("a good constraint");
    guide.accept(0).expect("a");
    let mut logits = [1.0, 2.0];
    assert_eq!(guide.mask(&mut logits), Err(Error::Stuck));
    assert_eq!(logits, [1.0, 2.0]);
}

#[test]
fn schemas_are_followed_beside_other_alternatives() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 3}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": false,
    });
    let constraint = Constraint::Json(schema).or("NA");
    for (text, taken) in [
        ("NA", true),
        (r#"{"name": "Bo", "age": 7}"#, true),
        (r#"{"name":"Bo","age":7}"#, false),
        (r#"{"name": "Bobby", "age": 7}"#, false),
        (r#"{"name": "Bo"}"#, false),
    ] {
        assert_eq!(accepts(&constraint, text), taken, "{text}");
    }
    let mut guide = guide(&constraint);
    assert_eq!(allowed(&mut guide), [u32::from(b'N'), u32::from(b'{')]);
    feed(&mut guide, r#"{"name": "Bo", "age": 7}"#).expect("allowed");
    assert!(guide.is_finished());
    let last = end(&guide);
    assert_eq!(allowed(&mut guide), [last]);
}

#[test]
fn schemas_that_cannot_be_followed_name_the_feature() {
    let fails = |schema| Guide::new(&vocabulary(&[]), &Constraint::Json(schema)).expect_err("it is bad").to_string();
    assert_eq!(
        fails(json!({"not": {"type": "string"}})),
        "JSON Schema cannot be followed: Unimplemented keys: [\"not\"]"
    );
    assert!(fails(json!({"type": "array", "uniqueItems": true})).contains("uniqueItems"));
    assert_eq!(fails(json!(3)), "JSON Schema cannot be followed: found 3, expected an object or a boolean");
    assert_eq!(fails(json!(false)), "constraint accepts no text: JSON Schema is false");
}

#[test]
fn hostile_schemas_fail_or_work_but_end() {
    let mut deep = json!({"type": "string"});
    for _ in 0..300 {
        deep = json!({"type": "array", "items": deep});
    }
    let hostile = [
        deep,
        json!({"type": "string", "pattern": "^((a{1,1000}){1,1000}){1,1000}$"}),
        json!({"type": "string", "pattern": "^(a+)+(a|aa)*b{0,100000}$"}),
        json!({"type": "string", "minLength": 1_000_000_000, "maxLength": 2_000_000_000}),
        json!({"type": "array", "items": {"type": "string"}, "minItems": 1_000_000_000}),
        json!({"$ref": "#"}),
        json!({"$ref": "https://example.org/schema"}),
        json!({"enum": (0..40_000).map(|i| format!("label {i}")).collect::<Vec<_>>()}),
    ];
    let vocabulary = vocabulary(&["aa", "\"a", "[[", "[\""]);
    for schema in hostile {
        let Ok(mut guide) = Guide::new(&vocabulary, &Constraint::Json(schema)) else { continue };
        for _ in 0..50 {
            let mut logits = vec![0.0; vocabulary.len()];
            let Ok(()) = guide.mask(&mut logits) else { break };
            let token = logits.iter().rposition(|logit| logit.is_finite()).expect("a mask leaves a token");
            guide.accept(token as u32).expect("the mask left it");
        }
    }
}

#[test]
fn lines_end_where_the_next_part_begins() {
    let vocabulary = vocabulary(&["ab", "a\"", "a\"}", "\"}", "\\\"", "\\n", "a\n", "\n", "東", "a\\"]);
    let quoted = Constraint::object([("n", Constraint::json_line(40))]);
    let mut guide = Guide::new(&vocabulary, &quoted).expect("a good constraint");
    feed(&mut guide, "{\"n\": \"x").expect("allowed");
    let words: Vec<&[u8]> = allowed(&mut guide).iter().filter(|t| **t > 255).map(|&t| vocabulary.bytes(t)).collect();
    let expected: [&[u8]; 7] = [b"ab", b"a\"", b"a\"}", b"\"}", b"\\\"", "東".as_bytes(), b"a\\"];
    assert_eq!(words, expected);
}
