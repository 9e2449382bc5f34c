//! What both engines are given: the same tokens, the same numbers.

use super::Settings;
use crate::Error;
use crate::job::bench::task::tasks;
use saydo_encode::Layout;
use saydo_model::PromptEncoder;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::Weights;
use saydo_task::Task;
use saydo_train::{Ending, Example, Precision, Room, Tokens};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Whole prompts, and tokens of each.
const PROMPTS: usize = 4;
const PROMPT_TOKENS: usize = 256;
/// Tokens at the end of a whole prompt that are learned.
const LEARNED_TOKENS: usize = 16;

/// One benchmark.
pub(super) struct Plan {
    pub path: PathBuf,
    pub threads: usize,
    pub repeats: usize,
    pub rank: usize,
    pub precision: Precision,
    pub unpacked: Vec<Tokens>,
    pub packed: Vec<Tokens>,
}

impl Plan {
    pub fn new(args: &Settings) -> Result<Self, Error> {
        let path = args.weights.clone();
        let weights = Weights::open(&path, saydo_train::Settings::default().purpose())?;
        let tokenizer = Tokenizer::of_weights(&weights, &path)?;
        let encoder = PromptEncoder { tokenizer: &tokenizer, template: None, has_encoder: false };
        let layout = Layout::named("ni-full-no-negative")?;
        let mut packed = Vec::new();
        for (number, task) in spread(tasks(args.data.as_deref())?, args.tasks).iter().enumerate() {
            // The first instances may be borrowed as examples.
            let last = task.instances.len();
            let instances: Vec<usize> = (last.saturating_sub(args.instances)..last).collect();
            for (example, _) in Example::of_task(number, task, &instances, &layout, Room::UNBOUNDED)? {
                packed.push(example.tokens(&encoder, Ending::Token)?);
            }
        }
        if packed.is_empty() {
            return Err(Error::unfit("the tasks have no instances with outputs", "some to learn from"));
        }
        let text: Vec<u32> = packed.iter().flat_map(|tokens| tokens.prompt.iter().copied()).collect();
        let unpacked = (0..PROMPTS).map(|number| {
            let mut prompt: Vec<u32> = text.iter().copied().cycle().skip(97 * number).take(PROMPT_TOKENS).collect();
            let output = prompt.split_off(PROMPT_TOKENS - LEARNED_TOKENS);
            Tokens { task: number, prompt, output, held_to: None }
        });
        let Settings { threads, repeats, rank, precision, .. } = *args;
        Ok(Self { path, threads, repeats, rank, precision, unpacked: unpacked.collect(), packed })
    }

    /// What is measured, in a line.
    pub fn describe(&self) -> String {
        let tokens: usize = self.packed.iter().map(Tokens::rows).sum();
        format!(
            "{} threads, median of {}, rank {}; {PROMPTS} prompts of {PROMPT_TOKENS} tokens, and a mixture of {} instances \
             with {} tokens each on average",
            self.threads,
            self.repeats,
            self.rank,
            self.packed.len(),
            tokens / self.packed.len()
        )
    }

    /// The same for the script.
    pub fn request(&self) -> Value {
        let examples = |tokens: &[Tokens]| -> Vec<Value> {
            tokens.iter().map(|tokens| json!({ "prompt": tokens.prompt, "output": tokens.output })).collect()
        };
        json!({
            "gguf": self.path,
            "threads": self.threads,
            "repeats": self.repeats,
            "rank": self.rank,
            "precision": self.precision,
            "batch": PROMPTS,
            "unpacked": examples(&self.unpacked),
            "packed": examples(&self.packed),
        })
    }
}

/// So many tasks at most, spread evenly.
fn spread(tasks: Vec<Task>, count: usize) -> Vec<Task> {
    let (all, taken) = (tasks.len(), tasks.len().min(count));
    let places: Vec<usize> = (0..taken).map(|i| i * all / taken).collect();
    tasks.into_iter().enumerate().filter(|(number, _)| places.contains(number)).map(|(_, task)| task).collect()
}
