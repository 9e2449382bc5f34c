//! Greedy replies of the catalog's models against those that llama.cpp gave (fixtures/llama-cpp).
//!
//! Engines round differently, so a near-tie between two tokens may fall either way, and from there on replies are
//! different texts. llama.cpp differs from itself in the same way: computed in one batch with flash attention, 54, 75 and
//! 55 of a hundred replies of the three models come out as before. Four things are asked:
//!
//! - Of a hundred prompts taken as they come, 95 replies are equal over 24 tokens. This is the aim as it was set, and it is
//!   missed (51, 72 and 56).
//! - Of a hundred prompts taken as they come, about as many replies are equal as llama.cpp repeats itself.
//! - Of the same hundred, 95 are equal, or equal up to a token where llama.cpp's own best two are within half a logit:
//!   this guards against errors that are larger than rounding. The half was set after the partings had been seen;
//!   SmolLM2's gaps differ from those of the same weights in full precision by 0.54 at the 99th percentile.
//! - Of a hundred replies of SmolLM2 that llama.cpp gave in each of four orders of computation, chosen by llama.cpp alone
//!   (`pick_steady.py`), 95 are equal. This is missed: 84 are. llama.cpp in a fifth order repeats 84 of them too, so
//!   four orders do not find replies that are free of rounding; see docs/performance.md.

use saydo_model::{Decoding, EngineSettings, Form, LocalModel, Model, Prompt, Request};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Half a logit.
const NEAR_TIE: f64 = 0.5;

/// By how many replies of a hundred we may fall short of llama.cpp's agreement with itself. Which replies two
/// computations share is a matter of luck where tokens nearly tie: a count of about half of 100 has a standard error of
/// 5, and 10 is two of them.
const MARGIN: usize = 10;

/// Our reply to a prompt beside the recorded one.
struct Pair {
    ours: Vec<Value>,
    recorded: Value,
}

impl Pair {
    fn theirs(&self) -> &[Value] {
        self.recorded["reply_ids"].as_array().expect("a list")
    }

    fn is_equal(&self) -> bool {
        self.ours == self.theirs()
    }

    /// Whether llama.cpp gave all of the reply again in one batch with flash attention.
    fn is_repeated_by_llama_cpp(&self) -> bool {
        self.recorded["steady_tokens"] == self.theirs().len()
    }

    /// The first token that differs, and how far llama.cpp's best logit is above its second there.
    fn parting(&self) -> Option<(usize, f64)> {
        let place = self.ours.iter().zip(self.theirs()).take_while(|(ours, theirs)| ours == theirs).count();
        let gap = || self.recorded["gaps"][place].as_f64().expect("a gap for every token");
        (!self.is_equal()).then(|| (place, gap()))
    }
}

fn load(model: &str) -> LocalModel {
    let folder = std::env::var_os("SAYDO_TEST_MODELS").expect("SAYDO_TEST_MODELS names the folder with the models");
    let path = PathBuf::from(folder).join(format!("{model}.gguf"));
    LocalModel::load(&path, EngineSettings::default()).expect("the model loads")
}

/// The hundred recorded prompts of a fixture.
fn fixture(file: &str) -> Vec<Value> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/llama-cpp"));
    let json = std::fs::read(folder.join(file)).expect("the fixture is there");
    let mut whole: Value = serde_json::from_slice(&json).expect("the fixture is JSON");
    let Value::Array(prompts) = whole["prompts"].take() else { panic!("{file} has a list of prompts") };
    assert_eq!(prompts.len(), 100);
    prompts
}

/// Runs all prompts of the fixture and prints where replies part.
fn compare(model: &str, file: &str) -> Vec<Pair> {
    let prompts = fixture(file);
    let request = |prompt: &Value| {
        let text = prompt["prompt"].as_str().expect("a text");
        let form = if prompt["special"] == true { Form::Rendered } else { Form::Plain };
        Request::new(Prompt { form, ..Prompt::plain(text) }, Decoding::greedy(24))
    };
    let replies = load(model).generate(prompts.iter().map(request).collect()).expect("the model runs");
    let pair = |(reply, recorded): (Result<saydo_model::Reply, _>, Value)| {
        let reply = reply.expect("a reply");
        assert_eq!(reply.usage.prompt_tokens, recorded["prompt_ids"].as_array().expect("a list").len());
        Pair { ours: reply.tokens.iter().map(|token| Value::from(*token)).collect(), recorded }
    };
    let pairs: Vec<Pair> = replies.into_iter().zip(prompts).map(pair).collect();
    for pair in &pairs {
        if let Some((place, gap)) = pair.parting() {
            eprintln!("{file}: parts at token {place}, where the gap is {gap}: {}", pair.recorded["prompt"]);
        }
    }
    pairs
}

/// Token for token, on the prompts as they come.
fn check_replies_are_equal(model: &str) {
    let pairs = compare(model, &format!("{model}.json"));
    let equal = pairs.iter().filter(|pair| pair.is_equal()).count();
    assert!(equal >= 95, "{equal} of 100 replies are equal");
}

/// Token for token, on the prompts whose reply llama.cpp repeated in every order that chose them.
fn check_steady_replies(model: &str) {
    let pairs = compare(model, &format!("{model}.steady.json"));
    let equal = pairs.iter().filter(|pair| pair.is_equal()).count();
    eprintln!("{model}: of 100 steady replies {equal} are equal");
    assert!(equal >= 95, "{equal} of 100 replies are equal");
}

/// The prompts as they come: as often equal as llama.cpp is to itself, and else parting where it hesitates.
fn check_replies_to_any_prompt(model: &str) {
    let pairs = compare(model, &format!("{model}.json"));
    let count = |test: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| test(pair)).count();
    let (equal, repeated) = (count(&Pair::is_equal), count(&Pair::is_repeated_by_llama_cpp));
    let both = count(&|pair| pair.is_equal() && pair.is_repeated_by_llama_cpp());
    let up_to_a_tie = count(&|pair| pair.parting().is_none_or(|(_, gap)| gap <= NEAR_TIE));
    eprintln!(
        "{model}: of 100 replies {equal} are equal, {up_to_a_tie} equal up to a near-tie; llama.cpp repeats {repeated}, \
         {both} of them equal to ours"
    );
    assert!(equal + MARGIN >= repeated, "{equal} of 100 replies are equal, llama.cpp repeats {repeated}");
    assert!(up_to_a_tie >= 95, "{up_to_a_tie} of 100 replies are equal up to a near-tie");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_replies_as_llama_cpp_does_where_it_agrees_with_itself() {
    check_steady_replies("smollm2-135m");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_parts_from_llama_cpp_no_more_than_it_does_from_itself() {
    check_replies_to_any_prompt("smollm2-135m");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn qwen_parts_from_llama_cpp_no_more_than_it_does_from_itself() {
    check_replies_to_any_prompt("qwen2.5-coder-1.5b");
}

#[test]
#[ignore = "needs weights: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn gemma_parts_from_llama_cpp_no_more_than_it_does_from_itself() {
    check_replies_to_any_prompt("gemma3-270m");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn smollm2_replies_as_llama_cpp_does() {
    check_replies_are_equal("smollm2-135m");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn qwen_replies_as_llama_cpp_does() {
    check_replies_are_equal("qwen2.5-coder-1.5b");
}

#[test]
#[ignore = "needs weights, and the aim is missed so far: SAYDO_TEST_MODELS=DIR cargo test --release -p saydo-model -- --ignored"]
fn gemma_replies_as_llama_cpp_does() {
    check_replies_are_equal("gemma3-270m");
}
