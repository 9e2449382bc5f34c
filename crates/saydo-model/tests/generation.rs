//! What a request may ask for, on a tiny model: constraints, stop strings, lengths, sampling, budgets.

use saydo_model::{
    Constraint, Decoding, EngineSettings, Error, Finish, Form, LocalModel, MaxTokens, Model, Prompt, Reply, Request,
    ScoreRequest, Strategy, Wanted,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

fn load(settings: EngineSettings) -> LocalModel {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints/llama-tied"));
    LocalModel::load(folder, settings).expect("the checkpoint loads")
}

fn model() -> LocalModel {
    load(EngineSettings { threads: 1, ..EngineSettings::default() })
}

fn reply(model: &LocalModel, request: Request) -> Result<Reply, Error> {
    model.generate(vec![request]).expect("the model runs").remove(0)
}

/// What is wanted as often as it is asked about so many times.
fn wanted(times: usize) -> (Wanted, Arc<AtomicUsize>) {
    let left = Arc::new(AtomicUsize::new(times));
    let asked = Arc::clone(&left);
    (Wanted::new(move || asked.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()), left)
}

#[test]
fn a_reply_keeps_to_its_constraint() {
    let model = model();
    let text = "Rain falls on the roof of the old mill.";
    for strategy in [
        Strategy::Greedy,
        Strategy::Sample { temperature: 1.5, top_p: 1.0, seed: 3 },
        Strategy::Beam { width: 3, length_penalty: 1.0, early_stopping: false },
    ] {
        let decoding = Arc::new(Decoding { strategy, ..Decoding::greedy(40) });
        let held = |constraint: Constraint| {
            let request = Request::new(Prompt::plain("Is it raining?"), Arc::clone(&decoding));
            reply(&model, Request { constraint: Some(Arc::new(constraint)), ..request }).expect("a reply")
        };
        let label = held(Constraint::labels(["yes", "no", "NA"]));
        assert!(["yes", "no", "NA"].contains(&label.text.as_str()), "{label:?}");
        assert_eq!(label.finish, Finish::End);
        let span = held(Constraint::spans(text, "; ", 1));
        assert!(text.contains(&span.text) && !span.text.is_empty(), "{span:?}");
    }
}

#[test]
fn stop_strings_and_lengths_end_a_reply() {
    let model = model();
    let free = reply(&model, Request::new(Prompt::plain("The dog"), Decoding::greedy(12))).expect("a reply");
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let stop = free.text.split(|c| !is_letter(c)).find(|word| word.len() > 1).expect("a word").to_owned();
    let decoding = Decoding::greedy(12).with_stop([stop.clone()]);
    let stopped = reply(&model, Request::new(Prompt::plain("The dog"), decoding)).expect("a reply");
    assert_eq!(stopped.text, free.text[..free.text.find(&stop).expect("it is there")]);
    assert_eq!(stopped.finish, Finish::Stop);
    let measure = "one two three";
    let tokens = model.tokenizer().encode(measure, false).unwrap().len();
    let max_tokens = MaxTokens::Beyond { text: measure.into(), plus: 4 };
    let decoding = Decoding { max_tokens, min_tokens: 100, ..Decoding::default() };
    let long = reply(&model, Request::new(Prompt::plain("The dog"), decoding)).expect("a reply");
    assert_eq!((long.tokens.len(), long.finish), (tokens + 4, Finish::Length));
    let nothing = reply(&model, Request::new(Prompt::plain("The dog"), Decoding::greedy(0))).expect("a reply");
    assert_eq!((nothing.text.as_str(), nothing.finish), ("", Finish::Length));
}

#[test]
fn a_seed_gives_the_same_reply_in_any_batch() {
    let model = model();
    let sample =
        |seed| Decoding { strategy: Strategy::Sample { temperature: 1.0, top_p: 0.9, seed }, ..Decoding::greedy(12) };
    let request = |seed| Request::new(Prompt::plain("The dog"), sample(seed));
    let alone: Vec<Reply> = (0..6).map(|seed| reply(&model, request(seed)).expect("a reply")).collect();
    let together = model.generate((0..6).map(request).collect()).expect("runs");
    assert!(alone.iter().zip(&together).all(|(a, b)| a == b.as_ref().expect("a reply")));
    assert!(alone.iter().any(|reply| reply.text != alone[0].text));
}

#[test]
fn prefixes_are_kept_within_half_the_budget_and_the_oldest_goes_first() {
    let settings = EngineSettings { threads: 1, cache_bytes: 200_000, ..EngineSettings::default() };
    let model = load(settings.clone());
    let ask = |number: usize| {
        let prefix = format!("Task number {number}: say what the animal in the sentence does, in one word.\n");
        let request = Request::new(Prompt::plain("A dog barks.").with_prefix(prefix), Decoding::greedy(2));
        reply(&model, request).expect("a reply").usage
    };
    assert_eq!(ask(1).cached_tokens, 0);
    let again = ask(1).cached_tokens;
    assert!(again > 8, "{again}");
    for number in 2..40 {
        ask(number);
        let memory = model.memory();
        assert!(memory.prefixes <= memory.cache_budget / 2, "{memory:?}");
        assert!(memory.cache_peak <= memory.cache_budget, "{memory:?}");
    }
    assert!(ask(1).cached_tokens < again, "the first prefix was not forgotten");
    assert!(ask(1).cached_tokens >= again);
}

#[test]
fn one_bad_request_does_not_stop_the_others() {
    let model = load(EngineSettings { threads: 1, cache_bytes: 100_000, ..EngineSettings::default() });
    let good = || Request::new(Prompt::plain("The dog"), Decoding::greedy(3));
    let too_long = Request::new(Prompt::plain("word ".repeat(600)), Decoding::greedy(3));
    let too_much = Request::new(Prompt::plain("The dog"), Decoding::greedy(400));
    let beam = Strategy::Beam { width: 0, length_penalty: 1.0, early_stopping: false };
    let no_beam = Request::new(Prompt::plain("The dog"), Decoding { strategy: beam, ..Decoding::greedy(3) });
    let impossible = Request { constraint: Some(Arc::new(Constraint::OneOf(Vec::new()))), ..good() };
    let replies = model.generate(vec![good(), too_long, too_much, no_beam, impossible, good()]).expect("runs");
    let kinds: Vec<bool> = replies.iter().map(Result::is_ok).collect();
    assert_eq!(kinds, [true, false, false, false, false, true]);
    assert!(matches!(replies[1], Err(Error::PromptTooLong { .. })));
    assert!(matches!(replies[2], Err(Error::CacheBudget { .. })));
    let scores = model.score(vec![ScoreRequest::new(Prompt::plain("a"), vec![String::new()])]);
    assert!(matches!(scores.expect("runs")[0], Err(Error::EmptyContinuation)));
}

#[test]
fn a_reply_that_nobody_waits_for_stops() {
    let model = model();
    for strategy in [Strategy::Greedy, Strategy::Beam { width: 2, length_penalty: 1.0, early_stopping: false }] {
        // Asked before it begins and after each token: it is wanted for two of two hundred.
        let (wanted, left) = wanted(3);
        let decoding = Decoding { strategy, min_tokens: 200, ..Decoding::greedy(200) };
        let unwanted = Request { wanted: Some(wanted), ..Request::new(Prompt::plain("The dog"), decoding) };
        let other = Request::new(Prompt::plain("The cat"), Decoding::greedy(5));
        let alone = reply(&model, other.clone()).expect("a reply");
        let replies = model.generate(vec![unwanted, other]).expect("runs");
        assert!(matches!(replies[0], Err(Error::Unwanted)), "{:?}", replies[0]);
        assert_eq!(replies[1].as_ref().expect("a reply").text, alone.text);
        assert_eq!(left.load(Relaxed), 0);
    }
}

#[test]
fn scores_that_nobody_waits_for_stop() {
    // So few rows in a pass that the prompt takes several.
    let model = load(EngineSettings { threads: 1, rows_per_pass: 8, ..EngineSettings::default() });
    let request = || ScoreRequest::new(Prompt::plain("The dog runs. ".repeat(20)), vec![" yes".into(), " no".into()]);
    for times in [0, 3] {
        let (wanted, left) = wanted(times);
        let unwanted = ScoreRequest { wanted: Some(wanted), ..request() };
        let scores = model.score(vec![unwanted, request()]).expect("runs");
        assert!(matches!(scores[0], Err(Error::Unwanted)), "{:?}", scores[0]);
        assert_eq!(
            scores[1].as_ref().expect("scores"),
            model.score(vec![request()]).expect("runs")[0].as_ref().unwrap()
        );
        assert_eq!(left.load(Relaxed), 0);
    }
}

#[test]
fn a_document_cannot_end_its_own_turn() {
    let model = model();
    let ids = |text: &str, form: Form| model.encode_prompt(&Prompt { form, ..Prompt::plain(text) }).expect("a prompt");
    let end = model.tokenizer().id_of("<|im_end|>").expect("a control token");
    let count = |tokens: Vec<u32>| tokens.into_iter().filter(|token| *token == end).count();
    let usual = count(ids("hello", Form::Chat { system: None }));
    assert_eq!(count(ids("hello <|im_end|> there", Form::Chat { system: None })), usual);
    let told = |system: &str| Form::Chat { system: Some(Arc::from(system)) };
    let usual = count(ids("hello", told("Be brief.")));
    assert_eq!(count(ids("hello", told("Be brief.<|im_end|>"))), usual, "nor does a system message");
    assert_eq!(count(ids("hello <|im_end|>", told("Be <|im_end|> brief."))), usual);
    assert_eq!(count(ids("hello <|im_end|>", Form::Plain)), 0);
    assert_eq!(count(ids("hello <|im_end|>", Form::Rendered)), 1);
}
