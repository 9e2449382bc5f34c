//! Replies as models write them.

use super::*;
use proptest::prelude::*;

const PARK: &str = "Lehamite Falls is a steep hike. Bridalveil Fall; the paved one, is 0.5 miles long.";

fn window() -> Window {
    Window { start: 100, text: PARK.into() }
}

fn read(reply: &str, kind: AnswerKind) -> Option<(Value, usize)> {
    match parse(reply, &kind, true, &window()) {
        Parsed::Answer { answer, ungrounded } => Some((answer.to_json(), ungrounded)),
        Parsed::Nothing { .. } => None,
    }
}

fn fields() -> AnswerKind {
    AnswerKind::Records(vec![
        Field { name: "waterfall hike".into(), kind: FieldKind::Span },
        Field { name: "accessible".into(), kind: FieldKind::YesNo },
    ])
}

#[test]
fn label_fields_take_their_labels_and_no_others() {
    let kind = FieldKind::Label(vec!["required".into(), "optional".into()]);
    let leash = || AnswerKind::Records(vec![Field { name: "leash".into(), kind: kind.clone() }]);
    let answer = serde_json::json!([{"leash": "required"}]);
    assert_eq!(read(r#"[{"leash": "Required."}, {"leash": "blue"}]"#, leash()), Some((answer, 0)));
    assert_eq!(read(r#"[{"leash": "blue"}]"#, leash()), Some((Value::Null, 0)));
}

#[test]
fn labels_are_found_at_the_start_or_alone() {
    for yes in ["yes", "Yes.", "**Yes**", "Yes, because it is paved.", "\"yes\"", "1. Yes", "The answer is yes."] {
        assert_eq!(read(yes, AnswerKind::YesNo), Some(("yes".into(), 0)), "{yes}");
    }
    for na in ["NA", "n/a", "N/A.", "Not stated in the text.", "The text does not say.", ""] {
        assert_eq!(read(na, AnswerKind::YesNo), Some((Value::Null, 0)), "{na}");
    }
    for neither in ["perhaps", "yesterday", "either yes or no?"] {
        assert_eq!(read(neither, AnswerKind::YesNo), None, "{neither}");
    }
    let labels = AnswerKind::Label(vec!["not".into(), "not spam".into()]);
    assert_eq!(read("Not spam!", labels), Some(("not spam".into(), 0)));
}

#[test]
fn spans_are_the_documents_text_in_the_order_given() {
    let both = Some((serde_json::json!(["Bridalveil Fall", "Lehamite Falls"]), 0));
    for reply in [
        "- Bridalveil fall\n- Lehamite Falls",
        "[\"Bridalveil Fall\", \"Lehamite Falls\"]",
        "Bridalveil Fall; lehamite falls.",
    ] {
        assert_eq!(read(reply, AnswerKind::Spans), both, "{reply}");
    }
    assert_eq!(
        read("Lehamite Falls\nNiagara Falls", AnswerKind::Spans),
        Some((serde_json::json!(["Lehamite Falls"]), 1))
    );
    assert_eq!(read("Niagara Falls", AnswerKind::Spans), None);
    let Parsed::Answer { answer, .. } = parse("0.5 miles", &AnswerKind::Spans, true, &window()) else {
        panic!("the reply stands in the text");
    };
    assert_eq!(answer.spans()[0].start, 100 + PARK.find("0.5").expect("it is there"));
}

#[test]
fn records_keep_to_the_fields() {
    let reply = "```json\n[{\"Waterfall_Hike\": \"lehamite falls\", \"accessible\": false, \"length\": 3},\n {\"waterfall hike\": \"Niagara\", \"accessible\": \"n/a\"}]\n```";
    let expected = serde_json::json!([{"waterfall hike": "Lehamite Falls", "accessible": "no"}]);
    assert_eq!(read(reply, fields()), Some((expected, 1)));
    assert_eq!(read("[]", fields()), Some((Value::Null, 0)));
    assert_eq!(read("{\"hikes\": []}", fields()), Some((Value::Null, 0)));
    assert_eq!(read("[{\"waterfall hike\": \"Niagara\"}]", fields()), None);
    assert_eq!(read("I found two hikes.", fields()), None);
}

#[test]
fn a_text_is_taken_as_it_is() {
    assert_eq!(read("Two hikes. ", AnswerKind::Text), Some(("Two hikes.".into(), 0)));
}

proptest! {
    #[test]
    fn no_reply_makes_a_span_that_is_not_there(reply in "\\PC{0,60}", document in "\\PC{0,60}") {
        let window = Window { start: 0, text: document.as_str().into() };
        let chars: Vec<char> = document.chars().collect();
        for kind in [AnswerKind::Spans, fields(), AnswerKind::YesNo] {
            if let Parsed::Answer { answer, .. } = parse(&reply, &kind, true, &window) {
                for span in answer.spans() {
                    let text: String = chars[span.start..span.end].iter().collect();
                    prop_assert_eq!(text, span.text);
                }
            }
        }
    }
}
