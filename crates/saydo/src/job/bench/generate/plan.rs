//! What every engine is given: the same tokens, the same numbers.

use super::{Measure, Settings};
use crate::Error;
use crate::job::bench::task::tasks;
use saydo_encode::{Element, EncodeOptions, Layout, NaturalInstructions, encode_task};
use saydo_model::{EngineSettings, LocalModel, Prompt};
use std::path::{Path, PathBuf};

/// Tokens of the prompt that prefill is measured on.
const PREFILL_TOKENS: usize = 512;
/// Tokens of the prompt that replies are decoded behind.
const DECODE_TOKENS: usize = 32;
/// Instances of the workload.
const INSTANCES: usize = 24;
/// Tokens of each reply of the workload.
pub(super) const REPLY_TOKENS: usize = 16;
/// Tokens that decoding is measured over.
pub(super) const DECODED_TOKENS: usize = 64;
/// Sequences that are decoded together.
pub(super) const BATCH: usize = 16;

/// One benchmark.
pub(super) struct Plan {
    pub path: PathBuf,
    pub settings: EngineSettings,
    pub repeats: usize,
    pub measures: Vec<Measure>,
    /// A long text and a short one, of so many tokens.
    pub prefill: Prompt,
    pub decode: Prompt,
    pub workload: Vec<Prompt>,
    /// The same as token numbers.
    pub prefill_tokens: Vec<u32>,
    pub decode_tokens: Vec<u32>,
    pub workload_tokens: Vec<Vec<u32>>,
    shared_tokens: usize,
}

impl Plan {
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let Settings { weights, task, engine, measures, repeats, .. } = settings;
        let model = LocalModel::load(weights, engine.clone())?;
        let workload = workload(task.as_deref())?;
        let story: String = workload.iter().map(|prompt| prompt.text.as_str()).cycle().take(200).collect();
        let (prefill, prefill_tokens) = cut(&model, &story, PREFILL_TOKENS.min(model.context() / 2))?;
        let (decode, decode_tokens) = cut(&model, &story, DECODE_TOKENS)?;
        // A small model's context may not hold the workload, which matters only if it is run.
        let workload = if measures.contains(&Measure::Workload) { workload } else { Vec::new() };
        let workload_tokens: Vec<Vec<u32>> =
            workload.iter().map(|prompt| model.encode_prompt(prompt)).collect::<Result<_, _>>()?;
        let shared_tokens = match workload.first() {
            Some(prompt) => model.tokenizer().encode(&prompt.prefix, false)?.len(),
            None => 0,
        };
        Ok(Self {
            path: weights.clone(),
            settings: engine.clone(),
            repeats: *repeats,
            measures: measures.clone(),
            prefill,
            decode,
            workload,
            prefill_tokens,
            decode_tokens,
            workload_tokens,
            shared_tokens,
        })
    }

    /// What is measured, in a line.
    pub fn describe(&self) -> String {
        let settings = format!("{} threads, median of {}", self.settings.threads, self.repeats);
        let Some(longest) = self.workload_tokens.iter().map(Vec::len).max() else { return settings };
        format!(
            "{settings}; workload of {} instances behind an instruction of {} tokens (at most {longest} together), \
             {REPLY_TOKENS} tokens each",
            self.workload.len(),
            self.shared_tokens,
        )
    }
}

/// The beginning of a text that has so many tokens, or one or two less.
fn cut(model: &LocalModel, text: &str, tokens: usize) -> Result<(Prompt, Vec<u32>), Error> {
    let all = model.tokenizer().encode(text, false)?;
    let too_short = || Error::unfit("the task's inputs are too short", format!("{tokens} tokens"));
    let head = all.get(..tokens).ok_or_else(too_short)?;
    let prompt = Prompt::plain(model.tokenizer().decode(head));
    let tokens = model.encode_prompt(&prompt)?;
    Ok((prompt, tokens))
}

/// Prompts of a task with its definition, prompt, and all positive examples with their reasons.
fn workload(path: Option<&Path>) -> Result<Vec<Prompt>, Error> {
    let task = tasks(path)?.swap_remove(0);
    let elements = vec![Element::Definition, Element::Prompt, Element::PositiveExamplesFullExplanations];
    let layout = Layout::NaturalInstructions(NaturalInstructions { elements, num_examples: task.positive.len() });
    let prompts: Vec<Prompt> = encode_task(&task, &layout, &EncodeOptions::default())?
        .into_iter()
        .take(INSTANCES)
        .map(|(_, prompt)| Prompt::plain(prompt.suffix).with_prefix(prompt.prefix))
        .collect();
    if prompts.is_empty() {
        return Err(Error::unfit("the task has no instances", "some for the workload"));
    }
    Ok(prompts)
}
