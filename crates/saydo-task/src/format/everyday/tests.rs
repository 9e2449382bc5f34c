//! A small domain with every kind of answer.

use super::*;
use crate::format::Format;
use std::path::Path as FilePath;

const TRAILS: &str = r#"{"domain": "trail pages", "documents": [
  {"id": "d1", "form": "web page", "text": "Dogs on a lead may come. Huts: Fern Hut and Moss Hut."},
  {"id": "d2", "form": "note", "text": "Nothing is said of dogs but that one was seen."}],
 "tasks": [
  {"id": "t1", "question": "Are dogs allowed?", "paraphrases": ["May dogs come?"], "kind": "yes-no", "type": "base",
   "answers": {"d1": "yes", "d2": null}, "evidence": {"d1": "Dogs on a lead may come"}, "near_misses": ["d2"]},
  {"id": "t2", "question": "Which huts are there?", "paraphrases": [], "kind": "spans", "type": "flip",
   "derives_from": ["t1"], "answers": {"d1": ["Fern Hut", "Moss Hut"], "d2": null}},
  {"id": "t3", "question": "Which huts, and is a leash needed?", "paraphrases": [], "kind": "records",
   "fields": {"hut": "span", "leash": ["required", "optional"]}, "type": "structure",
   "answers": {"d1": [{"hut": "Fern Hut", "leash": null}], "d2": null}}]}"#;

fn read_text(text: &str) -> Reading {
    let source = Source::from_bytes(FilePath::new("trails.json"), text.as_bytes().to_vec()).unwrap();
    Format::read_any(&source).unwrap().1
}

#[test]
fn every_part_of_a_domain_is_read() {
    let tasks = read_text(TRAILS).into_tasks().unwrap();
    let [dogs, huts, records] = &tasks[..] else { panic!("{} tasks", tasks.len()) };
    assert_eq!((dogs.id.as_str(), dogs.other_definitions.len()), ("trails/t1", 1));
    assert_eq!((&dogs.origin.domain[..], &dogs.origin.dataset[..]), (&["trails".into()][..], &["everyday".into()][..]));
    assert_eq!(dogs.instances[0].evidence.as_deref(), Some("Dogs on a lead may come"));
    assert_eq!((dogs.instances[1].is_near_miss, dogs.instances[0].is_near_miss), (true, false));
    assert_eq!(huts.origin.generalization, Some(Generalization::SemanticFlip));
    assert_eq!(huts.origin.derives_from, ["trails/t1"]);
    // A set is one output, not two alternatives.
    assert_eq!(huts.instances[0].outputs, [r#"["Fern Hut","Moss Hut"]"#]);
    assert_eq!(huts.instances[1].outputs, ["n/a"]);
    let Some(AnswerSpec { kind: AnswerKind::Records(fields), .. }) = &records.answer else { panic!("no records") };
    assert_eq!(fields[1].kind, FieldKind::Label(vec!["required".into(), "optional".into()]));
    assert_eq!(records.instances[0].outputs, [r#"[{"hut":"Fern Hut","leash":null}]"#]);
}

#[test]
fn what_is_written_reads_back_equal() {
    for task in read_text(TRAILS).into_tasks().unwrap() {
        let written = write(&task);
        assert_eq!((written.lost, read_text(&written.text).into_tasks().unwrap()), (Vec::new(), vec![task]));
    }
}

#[test]
fn odd_files_say_what_is_wrong() {
    let found = |from: &str, to: &str| {
        let problems = read_text(&TRAILS.replacen(from, to, 1)).problems;
        problems.first().map(ToString::to_string).unwrap_or_default()
    };
    insta::assert_snapshot!(found("\"answers\": {\"d1\"", "\"answers\": {\"d9\""), @"trails.json:6:22: tasks[0].answers: an answer for `d9`, expected the id of a document");
    insta::assert_snapshot!(found("\"yes-no\"", "\"maybe\""), @"trails.json:5:3: tasks[0].kind: `maybe`, expected yes-no, label, spans, records or text");
    insta::assert_snapshot!(found("[\"required\", \"optional\"]", "[\"required\"]"), @"trails.json:10:39: tasks[2].fields.leash: 1 labels, 1 of them different, expected two or more different labels");
}
