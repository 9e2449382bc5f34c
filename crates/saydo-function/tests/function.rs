//! Functions with a scripted model: what is asked, and what becomes of the replies.

use saydo_function::{Aptitudes, Error, Function, Settings, Way, WindowSize};
use saydo_model::ScriptedModel;
use saydo_task::{Answer, AnswerKind, AnswerSpec, Field, FieldKind, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn task(description: &str, kind: AnswerKind) -> Task {
    Task { definition: Some(description.into()), answer: Some(AnswerSpec { kind, na: None }), ..Task::default() }
}

/// A model that reads: it finds "Yes" likely behind "welcome", "No" behind "no dogs" or "closed", and "Not stated" behind
/// anything else. What stands before the question is the text.
fn reader() -> ScriptedModel {
    ScriptedModel::new(|prompt| if prompt.contains("Fern Hike") { "Fern Hike".into() } else { "the".into() })
        .with_log_prob(|prompt, continuation| {
            let text = prompt.split("\n\nQuestion:").next().unwrap_or_default().to_lowercase();
            let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
            let reply = if says(&["welcome", "included", "earned"]) {
                "Yes"
            } else if says(&["no dogs", "closed", "loss"]) {
                "No"
            } else if says(&["fern"]) {
                "Fern Hike"
            } else {
                "Not stated"
            };
            if continuation == reply { -0.1 } else { -6.0 }
        })
}

fn answers(task: Task, settings: Settings, documents: &[&str]) -> Vec<String> {
    let function = Function::new(task, Arc::new(reader()), settings).expect("the function is made");
    let answer = |document: &&str| match function.apply(document) {
        Ok(outcome) => outcome.answer.to_json().to_string(),
        Err(error) => error.to_string(),
    };
    documents.iter().map(answer).collect()
}

#[test]
fn yes_no_and_na_come_from_scores() {
    let documents = ["Dogs are welcome.", "There are no dogs here.", "The trail is long.", "", " \n "];
    let answers = answers(task("Are dogs allowed?", AnswerKind::YesNo), Settings::default(), &documents);
    assert_eq!(answers, ["\"yes\"", "\"no\"", "null", "null", "null"]);
}

#[test]
fn documents_tell_what_share_of_them_is_silent() {
    let make = |model: ScriptedModel, na_bias| {
        let settings = Settings { na_bias, ..Settings::default() };
        Function::new(task("Are dogs allowed?", AnswerKind::YesNo), Arc::new(model), settings).expect("made")
    };
    let documents = |answering: usize, silent: usize| -> Vec<Arc<str>> {
        let answering = std::iter::repeat_n("Dogs are welcome.", answering);
        answering.chain(std::iter::repeat_n("The trail is long.", silent)).chain([" "]).map(Arc::from).collect()
    };
    let share = |function: &Function, answering, silent| {
        function.silent_share(&documents(answering, silent)).expect("scored").expect("a model that can tell")
    };
    let function = make(reader(), 0.0);
    assert!(share(&function, 1, 19) > 0.8 && share(&function, 19, 1) < 0.2);
    assert!((share(&function, 10, 10) - 0.5).abs() < 1e-6, "an empty document is not counted");
    assert_eq!(share(&make(reader(), 3.0), 1, 19), share(&function, 1, 19), "the line does not move what is seen");
    let cannot_tell = ScriptedModel::new(|_| String::new()).with_log_prob(|_, _| -1.0);
    assert_eq!(make(cannot_tell, 0.0).silent_share(&documents(1, 19)).expect("scored"), None);
}

/// A model that says "Yes" to any question, and "Not stated" to none. Asked whether a text answers, it can tell with
/// `strength`.
fn claimant(strength: f64) -> ScriptedModel {
    ScriptedModel::new(|_| String::new()).with_log_prob(move |prompt, continuation| {
        let answers = ["welcome", "no dogs", "included", "closed", "earned", "loss"];
        let is_answer = answers.iter().any(|word| prompt.to_lowercase().contains(word));
        match (prompt.contains("Does this text answer the question"), continuation) {
            (true, "Yes") if is_answer => -0.1,
            (true, "No") if is_answer => -0.1 - strength,
            (true, "Yes") => -0.1 - strength,
            (true, _) => -0.1,
            (false, "Yes") => -0.1,
            (false, _) => -6.0,
        }
    })
}

#[test]
fn a_model_whose_not_stated_means_nothing_may_tell_when_asked_outright() {
    let asked = |strength: f64| {
        let task = task("Are dogs allowed?", AnswerKind::YesNo);
        let function = Function::new(task, Arc::new(claimant(strength)), Settings::default()).expect("a function");
        let answer = |text: &str| function.apply(text).expect("an answer").answer.to_json().to_string();
        [answer("Dogs are welcome."), answer("The trail is long.")]
    };
    assert_eq!(asked(4.0), ["\"yes\"", "null"]);
    assert_eq!(asked(0.1), ["\"yes\"", "\"yes\""], "what hardly moves does not count");
}

#[test]
fn a_task_that_allows_no_na_always_has_a_label() {
    let mut task = task("Are dogs allowed?", AnswerKind::YesNo);
    task.answer = Some(AnswerSpec { kind: AnswerKind::YesNo, na: Some(false) });
    assert_eq!(answers(task, Settings::default(), &["The trail is long.", ""]), ["\"yes\"", "\"yes\""]);
}

#[test]
fn spans_are_generated_only_where_there_is_an_answer() {
    let documents = ["Fern Hike is short.", "The trail is long."];
    assert_eq!(
        answers(task("Which hikes?", AnswerKind::Spans), Settings::default(), &documents),
        ["[\"Fern Hike\"]", "null"]
    );
}

#[test]
fn records_are_judged_by_the_question_for_spans() {
    let kind = AnswerKind::Records(vec![Field { name: "hike".into(), kind: FieldKind::Span }]);
    // The scripted reply is no JSON, which shows that it was asked for; the silent document is NA without asking.
    let answers = answers(task("Which hikes?", kind), Settings::default(), &["Fern Hike is short.", "It is long."]);
    assert_eq!(answers, ["the reply is not a JSON list of records from the document: \"Fern Hike\"", "null"]);
}

#[test]
fn a_bias_moves_the_line() {
    let never = Settings { na_bias: f64::NEG_INFINITY, ..Settings::default() };
    assert_eq!(answers(task("Are dogs allowed?", AnswerKind::YesNo), never, &["The trail is long."]), ["\"yes\""]);
    let always = Settings { na_bias: f64::INFINITY, ..Settings::default() };
    assert_eq!(answers(task("Are dogs allowed?", AnswerKind::YesNo), always, &["Dogs are welcome."]), ["null"]);
}

#[test]
fn long_documents_are_windows_and_one_of_them_may_know() {
    let count = Arc::new(|text: &str| text.split_whitespace().count());
    let settings = Settings { window: WindowSize { context_tokens: 220, count }, ..Settings::default() };
    let function = Function::new(task("Are dogs allowed?", AnswerKind::YesNo), Arc::new(reader()), settings);
    let document = format!("{} Dogs are welcome. {}", "It is long. ".repeat(100), "It is steep. ".repeat(100));
    let outcome = function.expect("the function is made").apply(&document).expect("it is answered");
    assert_eq!(outcome.answer, Answer::Label("yes".into()));
    assert!(outcome.windows > 3, "{}", outcome.windows);
}

#[test]
fn free_replies_are_parsed_and_grounded() {
    let free = Settings { way: Way::Free, ..Settings::default() };
    let documents = ["Fern Hike is short.", "A trail."];
    let answers = answers(task("Which hikes?", AnswerKind::Spans), free, &documents);
    assert_eq!(answers, ["[\"Fern Hike\"]", "the reply is not text of the document: \"the\""]);
}

#[test]
fn an_empty_description_is_refused() {
    let made = Function::new(Task::default(), Arc::new(reader()), Settings::default());
    assert!(matches!(made, Err(Error::EmptyDescription)));
    let small = Settings { window: WindowSize::estimated(40), ..Settings::default() };
    let error = Function::new(task("Which hikes?", AnswerKind::Spans), Arc::new(reader()), small).err();
    insta::assert_snapshot!(error.expect("there is no room"), @"the task takes 115 tokens and a reply up to 10, which leaves no room for documents in a context of 40");
}

#[test]
fn the_identity_changes_with_what_answers_depend_on() {
    let identity = |task: Task, settings: Settings| {
        Function::new(task, Arc::new(reader()), settings).expect("the function is made").identity()
    };
    let plain = || task("Are dogs allowed?", AnswerKind::YesNo);
    let base = identity(plain(), Settings::default());
    assert_eq!(identity(plain(), Settings::default()), base);
    let others = [
        identity(task("Are dogs allowed", AnswerKind::YesNo), Settings::default()),
        identity(task("Are dogs allowed?", AnswerKind::Spans), Settings::default()),
        identity(plain(), Settings { na_bias: 1.0, ..Settings::default() }),
        identity(plain(), Settings { chat: false, ..Settings::default() }),
    ];
    assert!(others.iter().all(|other| *other != base));
}

#[test]
fn a_model_is_asked_about_its_aptitude_once_for_functions_that_share_it() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let model = ScriptedModel::new(|_| String::new()).with_log_prob(move |_, text| {
        counted.fetch_add(1, Ordering::Relaxed);
        -(text.len() as f64)
    });
    let model: Arc<dyn saydo_model::Model> = Arc::new(model);
    let task = |question: &str| Task { definition: Some(question.to_owned()), ..Task::default() };
    let aptitudes = Aptitudes::default();
    let asked = |question: &str| {
        let before = calls.load(Ordering::Relaxed);
        Function::with_aptitudes(task(question), Arc::clone(&model), Settings::default(), &aptitudes)
            .expect("a function");
        calls.load(Ordering::Relaxed) - before
    };
    let (first, second) = (asked("Are dogs allowed?"), asked("Are cats allowed?"));
    assert!(second < first, "{second} scores the second time, {first} the first");
}
