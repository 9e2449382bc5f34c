//! There and back: every format holds what it says it holds.

use super::*;
use crate::{AnswerKind, AnswerSpec, Criterion, Example, Field, FieldKind, Generalization, Instance, Origin};
use proptest::prelude::*;
use std::path::Path;

fn read_back(format: Format, task: &Task) -> Task {
    let name = format!("{}.{}", task.id, format.extension());
    let source = Source::from_bytes(Path::new(&name), format.write(task).text.into_bytes()).unwrap();
    let mut tasks = format.read(&source).into_tasks().unwrap();
    assert_eq!(tasks.len(), 1);
    tasks.remove(0)
}

/// Any text, and often one of those that formats treat specially.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), Just(" ".to_owned()), Just(String::new()), "[ -~\r\n]{0,20}"]
}

/// Text that Natural Instructions v1 does not use to say "absent".
fn element() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(text().prop_filter("means absent", |text| text != "-"))
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(text(), 0..3)
}

fn example() -> impl Strategy<Value = Example> {
    let suggestion = proptest::option::of(text().prop_filter("means absent", |text| text != " "));
    (text(), text(), proptest::option::of(text()), suggestion).prop_map(|(input, output, reason, suggestion)| Example {
        input,
        output,
        reason,
        suggestion,
    })
}

fn instance() -> impl Strategy<Value = Instance> {
    (proptest::option::of(text()), text(), texts(), texts()).prop_map(|(id, input, outputs, all_answers)| Instance {
        id,
        outputs,
        all_answers,
        ..Instance::unlabelled(input)
    })
}

fn answer() -> impl Strategy<Value = AnswerSpec> {
    let labels = FieldKind::Label(vec!["a".to_owned(), "b".to_owned()]);
    let kinds: Vec<FieldKind> = FieldKind::NAMED.into_iter().chain([labels]).collect();
    let field = (text(), proptest::sample::select(kinds)).prop_map(|(name, kind)| Field { name, kind });
    let fields = proptest::collection::vec(field, 1..4).prop_map(|mut fields| {
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        fields.dedup_by(|a, b| a.name == b.name);
        fields
    });
    let kind = prop_oneof![
        Just(AnswerKind::YesNo),
        Just(AnswerKind::Spans),
        Just(AnswerKind::Text),
        Just(AnswerKind::Label(vec!["a".to_owned(), "b".to_owned()])),
        fields.prop_map(AnswerKind::Records),
    ];
    (kind, any::<Option<bool>>()).prop_map(|(kind, na)| AnswerSpec { kind, na })
}

fn criterion() -> impl Strategy<Value = Criterion> {
    let metric = proptest::option::of(proptest::sample::select(crate::Metric::ALL.to_vec()));
    let level = proptest::option::of((0..=20_u8).prop_map(|step| f64::from(step) / 20.0));
    (metric, level).prop_map(|(metric, competent_at)| Criterion { metric, competent_at })
}

prop_compose! {
    fn origin()(
        dataset in texts(), category in texts(), domain in texts(), derives_from in texts(), reasoning in texts(),
        language in texts(), contributors in texts(), url in texts(), license in texts(),
        generalization in proptest::option::of("[a-z_]{1,8}"),
    ) -> Origin {
        Origin {
            dataset, category, domain, derives_from, reasoning, contributors, url, license,
            input_language: language.clone(), output_language: language.clone(), instruction_language: language,
            generalization: generalization.map(|key| Generalization::from_key(&key)),
        }
    }
}

prop_compose! {
    fn task()(
        title in element(), definition in text(), prompt in element(), things_to_avoid in element(),
        emphasis in element(), other_definitions in texts(), origin in origin(),
        answer in proptest::option::of(answer()), criterion in criterion(), raw in element(),
        positive in proptest::collection::vec(example(), 0..3),
        negative in proptest::collection::vec(example(), 0..3),
        instances in proptest::collection::vec(instance(), 0..3),
    ) -> Task {
        Task {
            id: "task042".to_owned(),
            definition: Some(definition).filter(|text| text != "-"),
            title, prompt, things_to_avoid, emphasis, other_definitions, origin, answer, criterion, raw, positive, negative,
            instances,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn our_own_format_holds_everything(task in task()) {
        let task = Task { definition: task.definition.or(Some("x".to_owned())), ..task };
        prop_assert_eq!(read_back(Format::Toml, &task), task);
    }

    #[test]
    fn natural_instructions_holds_what_it_says(task in task()) {
        let held = Task {
            other_definitions: Vec::new(),
            answer: None,
            criterion: Criterion::default(),
            raw: None,
            origin: Origin::default(),
            positive: task.positive.iter().cloned().map(|e| Example { suggestion: None, ..e }).collect(),
            instances: task.instances.iter().cloned().map(|i| Instance { id: None, all_answers: vec![], ..i }).collect(),
            ..task.clone()
        };
        prop_assert!(Format::NaturalInstructions.write(&held).lost.is_empty());
        prop_assert_eq!(Format::NaturalInstructions.write(&task).lost.is_empty(), task == held);
        prop_assert_eq!(read_back(Format::NaturalInstructions, &task), held);
    }

    #[test]
    fn super_natural_instructions_holds_what_it_says(task in task()) {
        let bare = |e: Example| Example { suggestion: None, ..e };
        let mut held = Task {
            definition: task.definition.clone().or(Some("x".to_owned())),
            title: None, prompt: None, things_to_avoid: None, emphasis: None, answer: None, raw: None,
            criterion: Criterion::default(),
            positive: task.positive.iter().cloned().map(bare).collect(),
            negative: task.negative.iter().cloned().map(bare).collect(),
            instances: task.instances.iter().cloned().map(|i| Instance { all_answers: vec![], ..i }).collect(),
            ..task.clone()
        };
        held.origin.generalization = None;
        held.origin.derives_from = Vec::new();
        let task = Task { definition: held.definition.clone(), ..task };
        prop_assert_eq!(Format::SuperNaturalInstructions.write(&task).lost.is_empty(), task == held);
        prop_assert_eq!(read_back(Format::SuperNaturalInstructions, &task), held);
    }

    #[test]
    fn zest_holds_what_it_says(task in task()) {
        let definition = task.definition.clone().or(task.prompt.clone()).or(Some("x".to_owned()));
        let task = Task { definition: definition.clone(), ..task };
        let mut origin = Origin::default();
        if task.origin.generalization.is_some() {
            origin.generalization = task.origin.generalization.clone();
            origin.derives_from = task.origin.derives_from.clone();
            origin.domain = vec![task.origin.domain.first().cloned().unwrap_or_default()];
        }
        let held = Task {
            id: task.id.clone(),
            definition,
            origin,
            instances: task.instances.iter().cloned().map(|i| Instance { id: None, ..i }).collect(),
            ..Task::default()
        };
        prop_assert_eq!(read_back(Format::Zest, &task), held);
    }

    #[test]
    fn no_reader_panics(text in "[\\[\\]{}\",:=0-9a-z \n\\\\.#'-]{0,80}") {
        for format in Format::ALL {
            if let Ok(source) = Source::from_bytes(Path::new("x"), text.clone().into_bytes()) {
                let _ = format.read(&source);
            }
        }
    }
}

#[test]
fn published_traps_are_read() {
    let text = r#"{"Title": "t", "Definition": "-", "Prompt": "Do it.", "Things to Avoid": "-", "Emphasis & Caution": "x",
        "Examples": {"Positive Examples": [], "Negative Examples": ["-"]},
        "Instances": [{"input": "i", "output": ["o"]}]}"#;
    let source = Source::from_bytes(Path::new("dir/subtask001_x.json"), text.as_bytes().to_vec()).unwrap();
    let (format, reading) = Format::read_any(&source).unwrap();
    assert_eq!(format, Format::NaturalInstructions);
    let task = reading.into_tasks().unwrap().remove(0);
    assert_eq!((task.id.as_str(), &task.definition, &task.things_to_avoid), ("subtask001_x", &None, &None));
    assert!(task.negative.is_empty());

    let text = r#"{"Definition": "Do it.", "URL": [NaN], "Categories": ["c"], "Source": ["s"],
        "Positive Examples": [], "Negative Examples": [], "Instances": [{"input": "i", "output": "o"}]}"#;
    let source = Source::from_bytes(Path::new("task1_y.json"), text.as_bytes().to_vec()).unwrap();
    let (format, reading) = Format::read_any(&source).unwrap();
    assert_eq!(format, Format::SuperNaturalInstructions);
    let codes: Vec<_> = reading.problems.iter().map(|problem| problem.code.id()).collect();
    assert_eq!(codes, ["F006", "F006"]);
    let task = reading.into_tasks().unwrap().remove(0);
    assert_eq!(task.definition.as_deref(), Some("Do it."));
    assert_eq!((task.instances[0].outputs.as_slice(), task.origin.url.is_empty()), (&["o".to_owned()][..], true));
}
