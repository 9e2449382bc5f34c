//! Whatever the model, every span is text of its document at the place it names. The decoder is the real one, with tiny
//! random weights: a model that has no idea tests the constraint hardest.

use saydo_function::{Function, Settings, WindowSize};
use saydo_model::{EngineSettings, LocalModel};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Field, FieldKind, Task};
use std::path::Path;
use std::sync::Arc;

/// Words of several scripts: Latin with and without accents, Chinese, Japanese, Arabic, Hebrew, Thai, Devanagari, emoji
/// of several characters, and what documents have between words.
const WORDS: &[&str] = &[
    "falls",
    "Bridalveil",
    "the",
    "hike;",
    "0.5",
    "miles.",
    "naïve",
    "Ångström",
    "Straße",
    "e\u{301}te\u{301}",
    "瀑布",
    "国家公园。",
    "滝のハイキング",
    "شلال",
    "ההליכה",
    "น้ำตก",
    "झरना",
    "🐻\u{200d}❄\u{fe0f}",
    "👩🏽\u{200d}🚀",
    "🇨🇭",
    "“quoted”",
    "a\tb",
    "\"x\"",
    "\\n",
    "|",
    "NA",
    "İstanbul",
    "ﬁn",
];

/// The same documents every time: `count` of them, none too long for two windows of a tiny context.
fn documents(count: usize) -> Vec<Arc<str>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let separators = [" ", " ", " ", "\n", "  ", ". "];
    let mut document = || {
        let words = 1 + below(14);
        (0..words)
            .map(|_| [WORDS[below(WORDS.len())], separators[below(separators.len())]].concat())
            .collect::<String>()
    };
    (0..count).map(|_| Arc::from(document())).collect()
}

fn function(kind: AnswerKind) -> Function {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/checkpoints/llama");
    let model = Arc::new(LocalModel::load(&folder, EngineSettings::default()).expect("the fixture loads"));
    let counting = Arc::clone(&model);
    let count = Arc::new(move |text: &str| counting.tokenizer().count(text));
    let settings = Settings {
        chat: false,
        window: WindowSize { context_tokens: model.context(), count },
        // Never NA, so that every document gives spans.
        na_bias: f64::NEG_INFINITY,
        ..Settings::default()
    };
    let task =
        Task { definition: Some("Which?".into()), answer: Some(AnswerSpec { kind, na: None }), ..Task::default() };
    Function::new(task, model, settings).expect("the task leaves room for documents")
}

fn check(kind: AnswerKind, count: usize) {
    let documents = documents(count);
    let function = function(kind);
    let (mut spans, mut answered) = (0, 0);
    let mut check = |index: usize, answer: &Answer| {
        let chars: Vec<char> = documents[index].chars().collect();
        for span in answer.spans() {
            let text: String = chars[span.start..span.end].iter().collect();
            assert_eq!(text, span.text, "in {:?}", documents[index]);
            spans += 1;
        }
    };
    let mut done = vec![0; count];
    function
        .apply_each(&mut documents.iter().cloned(), &mut |index, outcome| {
            done[index] += 1;
            if let Ok(outcome) = outcome {
                answered += 1;
                check(index, &outcome.answer);
            }
        })
        .expect("the model runs");
    assert!(done.iter().all(|times| *times == 1), "every document is answered once");
    assert!(
        spans >= count / 4 && answered >= count * 9 / 10,
        "{spans} spans, {answered} of {count} documents answered"
    );
}

#[test]
fn spans_of_500_documents_stand_where_they_say() {
    check(AnswerKind::Spans, 500);
}

#[test]
fn spans_in_records_stand_where_they_say() {
    let field = |name: &str, kind| Field { name: name.into(), kind };
    let label = FieldKind::Label(vec!["dry".into(), "wet".into()]);
    let fields = vec![field("it", FieldKind::Span), field("ok", FieldKind::YesNo), field("weather", label)];
    check(AnswerKind::Records(fields), 60);
}

#[test]
fn an_answer_does_not_depend_on_the_documents_around_it() {
    let function = function(AnswerKind::Spans);
    let documents = documents(12);
    let mut together = vec![None; documents.len()];
    let done = &mut |index: usize, outcome: Result<_, _>| together[index] = Some(format!("{outcome:?}"));
    function.apply_each(&mut documents.iter().cloned(), done).expect("the model runs");
    for (document, outcome) in documents.iter().zip(together) {
        assert_eq!(Some(format!("{:?}", function.apply(document))), outcome, "{document:?}");
    }
}
