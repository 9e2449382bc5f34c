use super::*;
use saydo_task::{Generalization, Origin};
use std::collections::BTreeSet;

fn task(id: &str, bases: &[&str], answers: &[&[&str]]) -> Task {
    let kind = if bases.is_empty() { Generalization::Base } else { Generalization::Paraphrase };
    let instance = |(number, answers): (usize, &&[&str])| Instance {
        outputs: answers.iter().map(|text| (*text).to_owned()).collect(),
        all_answers: vec![answers[0].to_owned(), "n/a".to_owned()],
        ..Instance::unlabelled(format!("Passage {number} of {id}, \"quoted\".\nSecond line."))
    };
    Task {
        id: id.to_owned(),
        definition: Some("Which trail is open?".to_owned()),
        origin: Origin {
            domain: vec!["parks".to_owned()],
            generalization: Some(kind),
            derives_from: bases.iter().map(|base| (*base).to_owned()).collect(),
            ..Origin::default()
        },
        instances: answers.iter().enumerate().map(instance).collect(),
        ..Task::default()
    }
}

fn release() -> Release {
    Release {
        name: "Parks".to_owned(),
        license: "CC-BY-4.0".to_owned(),
        parts: [
            vec![task("q1", &[], &[&["Mist Trail", "Mist"], &["n/a"]])],
            vec![task("q2", &[], &[&["yes"]])],
            vec![task("q3", &[], &[&["secret trail"]]), task("q4", &["q3"], &[&["secret trail", "trail"]])],
        ],
        ..Release::default()
    }
}

fn text(files: &[File], name: &str) -> String {
    let (_, bytes) = files.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(bytes.clone()).unwrap()
}

#[test]
fn the_folder_holds_what_it_says_and_no_test_answer_stands_elsewhere() {
    let files = release().files().unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "LICENSE",
            "README.md",
            "bart/test.source",
            "bart/test.target",
            "bart/train.source",
            "bart/train.target",
            "bart/val.source",
            "bart/val.target",
            "checksums.sha256",
            "croissant.json",
            "dev.jsonl",
            "rows/dev.jsonl",
            "rows/test.jsonl",
            "rows/train.jsonl",
            "statistics.json",
            "t5/test.zest.csv",
            "t5/train.zest.csv",
            "t5/validation.zest.csv",
            "test-answers/test.jsonl",
            "test_unanswered.jsonl",
            "train.jsonl",
        ]
    );
    for (name, bytes) in &files {
        let has_answer = String::from_utf8_lossy(bytes).contains("secret");
        assert_eq!(has_answer, name == "test-answers/test.jsonl", "{name}");
    }
    assert!(text(&files, "test-answers/test.jsonl").contains(r#""answer": ["secret trail", "trail"]"#));
    let sums = text(&files, "checksums.sha256");
    assert_eq!(sums.lines().count(), files.len() - 1);
    let (name, bytes) = &files[0];
    assert!(sums.contains(&format!("{}  {name}\n", digest::of(bytes).hex())));
}

#[test]
fn every_row_has_the_same_fields_and_the_card_names_them() {
    let files = release().files().unwrap();
    let mut fields = BTreeSet::new();
    for part in PARTS {
        for line in text(&files, &format!("rows/{part}.jsonl")).lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            fields.insert(row.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
            assert_eq!(row["answers"].as_array().unwrap().is_empty(), part == "test");
        }
    }
    let declared: Vec<String> = row::FIELDS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(fields, BTreeSet::from([declared]));
    let card = text(&files, "README.md");
    for words in ["split: validation", "path: rows/dev.jsonl", "| tasks | 1 | 1 | 2 |", "| paraphrase | 0 | 0 | 1 |"] {
        assert!(card.contains(words), "{words} in\n{card}");
    }
    let croissant: serde_json::Value = serde_json::from_str(&text(&files, "croissant.json")).unwrap();
    assert_eq!(croissant["distribution"][2]["sha256"], digest::of(text(&files, "rows/test.jsonl")).hex());
}

#[test]
fn the_card_tells_how_it_was_collected() {
    let collection = Collection {
        period: Some([1_794_812_596, 1_794_912_596]),
        workers: 4,
        annotators: [3, 5],
        decided: 2,
        left_out: 1,
        steps: vec![StepFacts { step: "answer".to_owned(), answers: 12, cost: Some(1.5), ..StepFacts::default() }],
        agreement: Agreement { items: 4, percent: Some(0.75), ..Agreement::default() },
        cost: Some(1.5),
        ..Collection::default()
    };
    let files = Release { collection: Some(collection.clone()), ..release() }.files().unwrap();
    let card = text(&files, "README.md");
    for words in
        ["from 2026-11-16 to 2026-11-17", "75.0% of pairs", "1 pairs of question", "In all 1.50 USD", "| answer |"]
    {
        assert!(card.contains(words), "{words} in\n{card}");
    }
    let back: Collection = serde_json::from_str(&text(&files, "collection.json")).unwrap();
    assert_eq!(back, collection);
}

#[test]
fn what_cannot_be_released_is_said() {
    let error = |change: &dyn Fn(&mut Release)| {
        let mut release = release();
        change(&mut release);
        release.files().unwrap_err().to_string()
    };
    assert_eq!(error(&|it| it.parts[0].clear()), "train has no task, expected tasks in train and test");
    assert_eq!(
        error(&|it| it.parts[1] = vec![task("q5", &["q3"], &[&["yes"]])]),
        "families of tasks cross parts: 1, expected none; the first: q5 in dev derives from q3 in test"
    );
    assert_eq!(
        error(&|it| it.parts[0].push(task("q2", &[], &[&["yes"]]))),
        "task q2 stands in train and in dev, expected each task once"
    );
    assert_eq!(
        error(&|it| it.parts[2][0].instances[0].outputs.clear()),
        "task q3 in test: passage 1 has no answer, expected one for every passage"
    );
    assert_eq!(
        error(&|it| it.license = "my own".to_owned()),
        "the license is \"my own\", expected an SPDX identifier such as CC-BY-4.0"
    );
    let without_dev =
        Release { parts: [release().parts[0].clone(), Vec::new(), release().parts[2].clone()], ..release() };
    assert!(text(&without_dev.files().unwrap(), "README.md").contains("There is no dev part"));
}
