//! A model as judge of the crowd's tasks, where there is no gold.
//!
//! It answers the two questions people were asked, under the same rules of leniency, by which of ` Yes` and ` No` it
//! finds more likely. Many models lean to one of the two whatever they read, so what it says of an empty output to the
//! same instruction is taken off (Zhao and others, "Calibrate Before Use", 2021). This is a model's opinion and never
//! goes by the name of a person's; [`super::judgement::compare`] measures how much it is worth where people judged too.

mod wording;

use super::Item;
use super::judgement::Question;
use saydo_model::{Error, Form, Model, Prompt, Score, ScoreRequest};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use wording::{head, tail};

/// A model's answer to one question about one output.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// Whether yes is more likely than no, calibrated.
    pub is_yes: bool,
    /// The probability of yes against no, calibrated.
    pub probability: f64,
    /// Log-odds of yes against no for this output, as the model has them.
    pub log_odds: f64,
    /// Those for an empty output, which are taken off.
    pub empty_log_odds: f64,
}

impl ModelAnswer {
    fn new(log_odds: f64, empty_log_odds: f64) -> Self {
        let calibrated = log_odds - empty_log_odds;
        let probability = 1.0 / (1.0 + (-calibrated).exp());
        ModelAnswer { is_yes: calibrated > 0.0, probability, log_odds, empty_log_odds }
    }
}

/// A model's judgement of one output.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ModelJudgement {
    /// Whether the output does what the instruction asks, for its resource.
    pub accurate: ModelAnswer,
    /// Whether it would for some resource.
    pub form_consistent: ModelAnswer,
}

impl ModelJudgement {
    /// The answer to a question.
    pub fn answer(&self, question: Question) -> ModelAnswer {
        match question {
            Question::Accurate => self.accurate,
            Question::FormConsistent => self.form_consistent,
        }
    }
}

/// Has a model judge outputs, each with its instance, and calls `done` with an output's number, from 0, and what the model
/// says, in any order. An output that cannot be judged gets its error and does not stop the others.
///
/// The empty output is scored once for each instruction, before the outputs themselves. The prompts of an instruction
/// share a prefix. `form` is how the model is asked: plain, or in its chat template.
///
/// ```
/// use saydo_protocol::turking::{Item, model_judge};
/// use saydo_model::{Form, ScriptedModel};
/// use saydo_task::turking::{Ask, Instruction};
///
/// let says = |prompt: &str, answer: &str| if prompt.contains("a red boat") == (answer == " Yes") { -0.1 } else { -2.0 };
/// let model = ScriptedModel::new(|_| String::new()).with_log_prob(says);
/// let instruction = Instruction { ask: Ask::Snli, resource: "A boat.".to_owned() };
/// let item = Item { id: "a".to_owned(), instruction, gold: vec![] };
/// model_judge::judge_each(&model, &Form::Plain, &[(&item, "There is a red boat.")], &mut |number, judgement| {
///     assert!(number == 0 && judgement.unwrap().accurate.is_yes);
/// })?;
/// # Ok::<(), saydo_model::Error>(())
/// ```
pub fn judge_each(
    model: &dyn Model,
    form: &Form,
    outputs: &[(&Item, &str)],
    done: &mut dyn FnMut(usize, Result<ModelJudgement, Arc<Error>>),
) -> Result<(), Error> {
    let asking = Asking::new(model, form, outputs)?;
    // The answer to whichever question came back first, until the other one does.
    let mut first: HashMap<usize, Odds> = HashMap::new();
    let requests =
        outputs.iter().flat_map(|(item, text)| Question::ALL.map(|question| asking.request(item, text, question)));
    model.score_each(&mut requests.into_iter(), &mut |request, scores| {
        let (number, at) = (request / 2, request % 2);
        let odds = log_odds(scores);
        match first.remove(&number) {
            None => drop(first.insert(number, odds)),
            Some(other) => {
                let pair = if at == 0 { (odds, other) } else { (other, odds) };
                done(number, asking.judgement(outputs[number].0, pair));
            }
        }
    })
}

/// Log-odds of yes against no, or why there are none. The error of an empty output is that of every output.
type Odds = Result<f64, Arc<Error>>;

/// What is asked of a model, with what it says of empty outputs.
struct Asking<'a> {
    form: &'a Form,
    heads: HashMap<&'a str, Arc<str>>,
    /// For each instance, what is said under either question.
    empty: HashMap<&'a str, [Odds; 2]>,
}

impl<'a> Asking<'a> {
    fn new(model: &dyn Model, form: &'a Form, outputs: &[(&'a Item, &str)]) -> Result<Self, Error> {
        let mut items: Vec<&Item> = Vec::new();
        let mut heads = HashMap::new();
        for (item, _) in outputs {
            heads.entry(item.id.as_str()).or_insert_with(|| {
                items.push(item);
                Arc::from(head(item))
            });
        }
        let mut asking = Asking { form, heads, empty: HashMap::new() };
        let requests: Vec<ScoreRequest> =
            items.iter().flat_map(|item| Question::ALL.map(|question| asking.request(item, "", question))).collect();
        let mut odds = model.score(requests)?.into_iter().map(log_odds);
        let mut next = || odds.next().expect("a model answers every request it takes");
        asking.empty = items.into_iter().map(|item| (item.id.as_str(), [next(), next()])).collect();
        Ok(asking)
    }

    fn request(&self, item: &Item, output: &str, question: Question) -> ScoreRequest {
        let prefix = Arc::clone(&self.heads[item.id.as_str()]);
        let prompt = Prompt { prefix, text: tail(item, output, question), form: self.form.clone() };
        // A reply in a chat template starts without a space; a continuation starts with one.
        let space = if matches!(self.form, Form::Chat { .. }) { "" } else { " " };
        ScoreRequest::new(prompt, ["Yes", "No"].map(|answer| format!("{space}{answer}")).into())
    }

    fn judgement(&self, item: &Item, (accurate, form): (Odds, Odds)) -> Result<ModelJudgement, Arc<Error>> {
        let [empty_accurate, empty_form] = self.empty[item.id.as_str()].clone();
        Ok(ModelJudgement {
            accurate: ModelAnswer::new(accurate?, empty_accurate?),
            form_consistent: ModelAnswer::new(form?, empty_form?),
        })
    }
}

/// How much more likely the first continuation is than the second. What cannot be is bounded, so that two of those differ
/// by nothing.
fn log_odds(scores: Result<Vec<Score>, Error>) -> Odds {
    const LEAST: f64 = -1e3;
    let scores = scores.map_err(Arc::new)?;
    let of = |at: usize| scores.get(at).map_or(LEAST, |score| score.log_prob.max(LEAST));
    Ok(of(0) - of(1))
}

#[cfg(test)]
mod tests;
