use super::*;
use crate::turking::judgement::compare;
use saydo_model::ScriptedModel;
use saydo_task::turking::{Ask, Instruction};

fn item(id: &str, ask: Ask, resource: &str) -> Item {
    Item { id: id.to_owned(), instruction: Instruction { ask, resource: resource.to_owned() }, gold: Vec::new() }
}

/// Judges by a function from prompt to log-odds of yes.
fn judged(odds: impl Fn(&str) -> f64 + Send + Sync + 'static, outputs: &[(&Item, &str)]) -> Vec<ModelJudgement> {
    let says = move |prompt: &str, answer: &str| if answer == " Yes" { odds(prompt) } else { 0.0 };
    let model = ScriptedModel::new(|_| String::new()).with_log_prob(says);
    let mut found = vec![None; outputs.len()];
    judge_each(&model, &Form::Plain, outputs, &mut |number, judgement| found[number] = Some(judgement.unwrap()))
        .unwrap();
    found.into_iter().map(|judgement| judgement.unwrap()).collect()
}

#[test]
fn both_questions_are_asked_of_each_output() {
    let (boat, field) = (item("a", Ask::Squad, "A boat."), item("b", Ask::Squad, "A field."));
    let odds = |prompt: &str| match (prompt.contains("WELL"), prompt.contains("for the paragraph in it")) {
        (true, true) => -1.0,
        (true, false) => 2.0,
        (false, _) => 0.0,
    };
    let found = judged(odds, &[(&boat, "WELL"), (&field, "ill"), (&boat, "ill")]);
    assert!(!found[0].accurate.is_yes && found[0].form_consistent.is_yes);
    assert!((found[0].form_consistent.probability - 1.0 / (1.0 + (-2.0_f64).exp())).abs() < 1e-12);
    for judgement in &found[1..] {
        assert_eq!((judgement.accurate.is_yes, judgement.accurate.probability), (false, 0.5));
    }
}

#[test]
fn a_leaning_to_yes_is_taken_off() {
    let item = item("a", Ask::NewsQa, "• A boat");
    let odds = |prompt: &str| if prompt.contains("<<<\n\n>>>") { 5.0 } else { 3.0 };
    let answer = judged(odds, &[(&item, "Who?")])[0].answer(Question::Accurate);
    assert_eq!((answer.is_yes, answer.log_odds, answer.empty_log_odds), (false, 3.0, 5.0));
}

#[test]
fn probabilities_of_nothing_are_bounded() {
    let item = item("a", Ask::Squad, "A boat.");
    let model = ScriptedModel::new(|_| String::new()).with_log_prob(|_, _| f64::NEG_INFINITY);
    judge_each(&model, &Form::Plain, &[(&item, "Who?")], &mut |_, judgement| {
        assert_eq!(judgement.unwrap().accurate.probability, 0.5);
    })
    .unwrap();
}

#[test]
fn a_reply_in_a_chat_template_starts_without_a_space() {
    let item = item("a", Ask::Squad, "A boat.");
    let says = |_: &str, answer: &str| if answer == "Yes" { 3.0 } else { 0.0 };
    let model = ScriptedModel::new(|_| String::new()).with_log_prob(says);
    judge_each(&model, &Form::Chat { system: None }, &[(&item, "Who?")], &mut |_, judgement| {
        assert_eq!(judgement.unwrap().accurate.log_odds, 3.0);
    })
    .unwrap();
}

/// A model that scores nothing whose prompt holds a word.
struct Failing(&'static str);

impl Model for Failing {
    fn generate_each(
        &self,
        _: &mut dyn Iterator<Item = saydo_model::Request>,
        _: &mut dyn FnMut(usize, Result<saydo_model::Reply, Error>),
    ) -> Result<(), Error> {
        Err(Error::EmptyPrompt)
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        for (number, request) in requests.enumerate() {
            let score = |_| Score { log_prob: -1.0, tokens: 1, is_greedy: false };
            let fails = request.prompt.whole().contains(self.0);
            done(number, if fails { Err(Error::EmptyPrompt) } else { Ok((0..2).map(score).collect()) });
        }
        Ok(())
    }
}

#[test]
fn one_output_that_fails_does_not_stop_the_others() {
    let (boat, field) = (item("a", Ask::Squad, "A boat."), item("b", Ask::Squad, "A field."));
    let outputs = [(&boat, "Who?"), (&boat, "What?"), (&field, "Who?")];
    let failures = |word: &'static str| {
        let mut failed = [false; 3];
        judge_each(&Failing(word), &Form::Plain, &outputs, &mut |number, judgement| {
            failed[number] = judgement.is_err()
        })
        .unwrap();
        failed
    };
    assert_eq!(failures("What?"), [false, true, false]);
    assert_eq!(failures("boat"), [true, true, false], "without the empty output there is nothing to take off");
    assert_eq!(failures("nothing"), [false; 3]);
}

#[test]
fn a_model_is_measured_against_people() {
    let item = item("a", Ask::Squad, "A boat.");
    let found = judged(|prompt| f64::from(u8::from(prompt.contains("Who"))), &[(&item, "Who?"), (&item, "No.")]);
    let model: Vec<Option<bool>> = found.iter().map(|judgement| Some(judgement.accurate.is_yes)).collect();
    let agreement = compare(&[Some(true), Some(false)], &model).unwrap();
    assert_eq!((agreement.observed, agreement.kappa), (1.0, Some(1.0)));
}

#[test]
fn prompts_read_well() {
    let item = item("a", Ask::Nouns, "A boat sails.");
    let prompt = head(&item) + &tail(&item, " boat\n", Question::FormConsistent);
    insta::assert_snapshot!(prompt, @r#"
    Somebody was given an instruction and wrote a response. Judge the response by these rules.
    1. Read it from the start. If its beginning does what was asked, ignore whatever follows.
    2. A phrase that introduces the answer may come first.
    3. The list may be in any order and form, but complete.

    Instruction:
    <<<
    List all the nouns of the sentence "A boat sails.".
    >>>

    Response:
    <<<
    boat
    >>>

    Question: Is there any sentence for which the response would do what the instruction asks? Answer Yes or No.
    Answer:
    "#);
    let item = super::tests::item("a", Ask::Snli, "A boat sails.");
    assert!(head(&item).contains("in any order and without saying which is which.\n\nInstruction:\n<<<\nWe will show"));
    assert!(tail(&item, "x", Question::Accurate).contains("for the caption in it? Answer Yes or No.\nAnswer:"));
}
