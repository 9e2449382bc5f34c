//! Functions with a scripted model: what is asked, and what becomes of the replies.

use saydo_function::{Error, Function, Settings, Way, WindowSize, answer_each};
use saydo_model::{Error as ModelError, ScriptedModel, Wanted};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Field, FieldKind, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
fn records_are_generated_only_where_there_is_an_answer() {
    let kind = AnswerKind::Records(vec![Field { name: "hike".into(), kind: FieldKind::Span }]);
    // The scripted reply is no JSON, which shows that it was asked for; the silent document is NA without it.
    let answers = answers(task("Which hikes?", kind), Settings::default(), &["Fern Hike is short.", "It is long."]);
    assert_eq!(answers, ["the reply is not a JSON list of records from the document: \"Fern Hike\"", "null"]);
}

#[test]
fn several_functions_answer_side_by_side() {
    let make = |question: &str, kind| {
        Function::new(task(question, kind), Arc::new(reader()), Settings::default()).expect("the function is made")
    };
    let (dogs, hikes) = (make("Are dogs allowed?", AnswerKind::YesNo), make("Which hikes?", AnswerKind::Spans));
    let documents: Vec<Arc<str>> = ["Dogs are welcome.", "Fern Hike is short.", ""].map(Arc::from).to_vec();
    let mut asked =
        documents.iter().flat_map(|document| [(&dogs, Arc::clone(document)), (&hikes, Arc::clone(document))]);
    let mut together = vec![None; 6];
    answer_each(&mut asked, &mut |index, outcome| together[index] = Some(format!("{outcome:?}"))).expect("answered");
    for (index, document) in documents.iter().enumerate() {
        assert_eq!(together[2 * index], Some(format!("{:?}", dogs.apply(document))));
        assert_eq!(together[2 * index + 1], Some(format!("{:?}", hikes.apply(document))));
    }
}

#[test]
fn what_nobody_waits_for_is_answered_no_further() {
    for kind in [AnswerKind::YesNo, AnswerKind::Spans] {
        // Whoever asked for the second and third document goes away while the first is looked at.
        let has_gone = Arc::new(AtomicBool::new(false));
        let going = Arc::clone(&has_gone);
        let calls = Arc::new(AtomicUsize::new(0));
        let asked = Arc::clone(&calls);
        let model = ScriptedModel::new(|_| "Fern Hike".into()).with_log_prob(move |_, _| {
            going.store(true, Ordering::Relaxed);
            asked.fetch_add(1, Ordering::Relaxed);
            -1.0
        });
        let function = Function::new(task("Which hikes?", kind), Arc::new(model), Settings::default()).expect("made");
        let (always, until) = (Wanted::new(|| true), Wanted::new(move || !has_gone.load(Ordering::Relaxed)));
        let wanted = [always.clone(), until.clone(), until, always];
        let mut documents = wanted.into_iter().map(|wanted| (Arc::from("Fern Hike is short."), wanted));
        let mut outcomes: Vec<Option<Result<_, Error>>> = (0..4).map(|_| None).collect();
        function
            .apply_each_wanted(&mut documents, &mut |index, outcome| outcomes[index] = Some(outcome))
            .expect("it goes on");
        let outcomes: Vec<_> = outcomes.into_iter().map(|outcome| outcome.expect("each is told of")).collect();
        assert!(outcomes[0].is_ok() && outcomes[3].is_ok(), "{outcomes:?}");
        let is_unwanted = |outcome| matches!(outcome, &Err(Error::Model(ModelError::Unwanted)));
        assert!(outcomes[1..3].iter().all(is_unwanted), "{outcomes:?}");
        let alone = calls.load(Ordering::Relaxed);
        function.apply("Fern Hike is short.").expect("an answer");
        assert_eq!(alone, 2 * (calls.load(Ordering::Relaxed) - alone), "two of four were looked at");
    }
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
fn of_a_long_document_few_windows_are_read_if_they_hold_the_answer() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let model = ScriptedModel::new(|_| String::new()).with_log_prob(move |prompt, continuation| {
        counted.fetch_add(1, Ordering::Relaxed);
        let is_answer = prompt.contains("leash") == (continuation == "Yes") && continuation != "No";
        if is_answer { -0.1 } else { -6.0 }
    });
    let count = Arc::new(|text: &str| text.split_whitespace().count());
    let settings = Settings { window: WindowSize { context_tokens: 220, count }, ..Settings::default() };
    let function = Function::new(task("Are dogs allowed?", AnswerKind::YesNo), Arc::new(model), settings);
    let function = function.expect("the function is made");
    let filler = |pages: usize| "The valley is wide and the river bends here. ".repeat(60 * pages);
    let windows_read = |document: String| {
        asked.store(0, Ordering::Relaxed);
        let outcome = function.apply(&document).expect("it is answered");
        // Yes, No and "Not stated" are scored for each window.
        (outcome.answer.to_json().to_string(), outcome.windows > 100, asked.load(Ordering::Relaxed) / 3)
    };
    let document = format!("{}Your dogs are allowed on a leash. {}", filler(70), filler(30));
    assert_eq!(windows_read(document), ("\"yes\"".to_owned(), true, 5));
    let (answer, _, read) = windows_read(filler(100));
    assert!(answer == "null" && read > 100, "where nothing is found, all is read: {answer}, {read}");
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
