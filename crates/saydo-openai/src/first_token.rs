//! Continuations of a chat told apart by their first token.
//!
//! A server keeps its chat template to itself, so nothing can be put behind a chat prompt and be scored there. But it
//! lists the likeliest first tokens of its reply: one token of work, and enough where each continuation begins in a way
//! of its own, as labels do.

use crate::Error;
use crate::body::Generation;
use crate::field::{Unusable, choice};
use crate::served::Served;
use crate::server::{SchemaForm, Server};
use crate::transport::Target;
use saydo_model::{Decoding, Score, ScoreRequest};
use serde_json::Value;

/// How many tokens are listed: as many as OpenAI and vLLM give.
const LISTED: u32 = 20;
/// Continuations are not told apart if tokens that begin several of them have more than this probability together.
const MAX_SHARED: f64 = 0.05;
/// No log-probability is less: nothing at all.
const MIN_LOG_PROB: f64 = -30.0;

/// Scores the continuations of a chat prompt by their first token.
pub(crate) async fn score(served: &Served, request: &ScoreRequest) -> Result<Vec<Score>, Error> {
    if served.servers().iter().all(|server| server.without_first_tokens.is_on()) {
        return Err(unlisted());
    }
    let decoding = Decoding::greedy(1);
    let body = |server: &Server| {
        let generation = Generation {
            prompt: &request.prompt,
            decoding: &decoding,
            schema: None,
            schema_form: SchemaForm::Nothing,
            max_tokens: 1,
            renamed_max_tokens: server.renamed_max_tokens.is_on(),
            log_probs: Some(LISTED),
        };
        Some(generation.body(&served.settings))
    };
    let read = |server: &Server, answer: &Value| {
        let Some(listed) = listed(choice(answer)?) else {
            server.without_first_tokens.turn_on();
            return Err(Unusable::Final(unlisted()));
        };
        scores(&listed, &request.continuations).ok_or_else(|| Unusable::Final(alike()))
    };
    let learn = |server: &Server, error: &Error| {
        let is_renamed = error.refuses("max_completion_tokens") && !server.renamed_max_tokens.is_on();
        if is_renamed {
            server.renamed_max_tokens.turn_on();
        } else if error.refuses("logprobs") {
            server.without_first_tokens.turn_on();
        }
        is_renamed
    };
    let result = served.transport.ask(Target::below("chat/completions"), body, read, learn).await;
    result.map_err(|error| if error.refuses("logprobs") { unlisted() } else { error })
}

/// The likeliest first tokens with their log-probabilities; none if the server lists fewer than two.
fn listed(choice: &Value) -> Option<Vec<(String, f64)>> {
    let top = choice.pointer("/logprobs/content/0/top_logprobs")?.as_array()?;
    let read = |token: &Value| Some((token.get("token")?.as_str()?.to_owned(), token.get("logprob")?.as_f64()?));
    let listed: Vec<_> = top.iter().filter_map(read).collect();
    (listed.len() > 1).then_some(listed)
}

/// A score for each continuation: the probability of all listed tokens that begin it and no other. One that no listed
/// token begins is taken to be as likely as the last on the list, or as all that is not listed if that is less. None if
/// too much falls to tokens that begin several.
fn scores(listed: &[(String, f64)], continuations: &[String]) -> Option<Vec<Score>> {
    let mut sums = vec![0.0; continuations.len()];
    let mut greatest = (f64::NEG_INFINITY, None);
    let (mut shared, mut all) = (0.0, 0.0);
    for (token, log_prob) in listed {
        let begun = begun(token, continuations);
        all += log_prob.exp();
        match begun[..] {
            [one] => sums[one] += log_prob.exp(),
            [] => {}
            _ => shared += log_prob.exp(),
        }
        if *log_prob > greatest.0 {
            greatest = (*log_prob, begun.first().copied());
        }
    }
    let least = listed.iter().map(|(_, log_prob)| *log_prob).fold(0.0, f64::min);
    let unlisted = least.min((1.0 - all).max(0.0).ln());
    let score = |(index, sum): (usize, &f64)| {
        let log_prob = if *sum > 0.0 { sum.ln() } else { unlisted };
        Score { log_prob: log_prob.clamp(MIN_LOG_PROB, 0.0), tokens: 1, is_greedy: greatest.1 == Some(index) }
    };
    (shared <= MAX_SHARED).then(|| sums.iter().enumerate().map(score).collect())
}

/// The continuations that a token may be the beginning of. One that it spells whole goes before others that go on (`No`
/// before `Not stated`), one in its own case before others.
fn begun(token: &str, continuations: &[String]) -> Vec<usize> {
    let token = token.trim_start();
    if token.is_empty() {
        return Vec::new();
    }
    let lower = token.trim_end().to_lowercase();
    let find = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
        continuations.iter().enumerate().filter(|(_, text)| is_meant(text.trim_start())).map(|(at, _)| at).collect()
    };
    let ways: [&dyn Fn(&str) -> bool; 4] = [
        &|text| text == token.trim_end(),
        &|text| text.starts_with(token),
        &|text| text.to_lowercase() == lower,
        &|text| text.to_lowercase().starts_with(&lower),
    ];
    ways.into_iter().map(find).find(|found| !found.is_empty()).unwrap_or_default()
}

fn unlisted() -> Error {
    Error::Unsupported {
        what: "scoring of chat prompts on a server that does not list the likeliest tokens (`top_logprobs`)".to_owned(),
        advice: "use a plain prompt, or run the model locally".to_owned(),
    }
}

fn alike() -> Error {
    Error::Unsupported {
        what: "scoring of continuations of a chat that begin with the same token".to_owned(),
        advice: "use a plain prompt, or run the model locally".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probabilities(listed: &[(&str, f64)], continuations: &[&str]) -> Option<Vec<f64>> {
        let listed: Vec<(String, f64)> = listed.iter().map(|(token, p)| ((*token).to_owned(), p.ln())).collect();
        let continuations: Vec<String> = continuations.iter().map(|text| (*text).to_owned()).collect();
        let round = |score: Score| (score.log_prob.exp() * 1000.0).round() / 1000.0;
        Some(scores(&listed, &continuations)?.into_iter().map(round).collect())
    }

    const ANSWERS: [&str; 3] = ["Yes", "No", "Not stated"];

    #[test]
    fn tokens_count_to_what_they_begin() {
        let listed = [("Yes", 0.5), (" yes", 0.1), ("No", 0.2), ("Not", 0.1), ("The", 0.05), ("N", 0.01), ("no", 0.01)];
        assert_eq!(probabilities(&listed, &ANSWERS), Some(vec![0.6, 0.21, 0.1]));
    }

    #[test]
    fn what_is_not_listed_is_at_most_as_likely_as_the_last_on_the_list() {
        assert_eq!(probabilities(&[("Yes", 0.6), ("The", 0.1)], &ANSWERS), Some(vec![0.6, 0.1, 0.1]));
        assert_eq!(probabilities(&[("Yes", 0.9), ("The", 0.09)], &ANSWERS), Some(vec![0.9, 0.01, 0.01]));
    }

    #[test]
    fn labels_that_begin_alike_are_not_told_apart() {
        assert_eq!(
            probabilities(&[("Not", 0.6), ("s", 0.3)], &["not spam", "spam", "Not stated"]),
            Some(vec![0.1, 0.3, 0.6])
        );
        assert_eq!(probabilities(&[("very", 0.6), ("bad", 0.3)], &["very good", "very bad", "bad"]), None);
    }

    #[test]
    fn the_likeliest_token_is_the_greedy_one() {
        let greedy = |listed: &[(String, f64)]| -> Vec<bool> {
            let answers = ANSWERS.map(str::to_owned);
            scores(listed, &answers).unwrap().iter().map(|score| score.is_greedy).collect()
        };
        assert_eq!(greedy(&[("No".to_owned(), -0.5), ("Yes".to_owned(), -2.0)]), [false, true, false]);
        assert_eq!(greedy(&[("The".to_owned(), -0.5), ("Yes".to_owned(), -2.0)]), [false; 3]);
    }
}
