//! ZEST: every passage of every question, written as T5 or BART saw it or answered by a function.

use super::builder::{Builder, From};
use super::{Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_encode::Encoder;
use saydo_task::Task;

/// The longest reply, in tokens: that of the paper's BART.
const MAX_TOKENS: usize = 64;

pub(super) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    laid_out(Protocol::Zest, tasks, options, || vec![NamedDecoding::beam(Length::Tokens(MAX_TOKENS))])
}

/// A user's own tasks, on their own instances.
pub(super) fn plan_labelled(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    laid_out(Protocol::Labelled, tasks, options, || vec![NamedDecoding::held()])
}

fn laid_out(
    protocol: Protocol,
    tasks: Vec<Task>,
    options: &Options<'_>,
    own: impl FnOnce() -> Vec<NamedDecoding>,
) -> Result<Plan, Error> {
    let layouts = options.layouts(protocol)?;
    let decodings = options.decodings(own);
    let names = match decodings.iter().any(NamedDecoding::is_held) {
        // A function writes prompts of its own.
        true => vec!["saydo".to_owned()],
        false => layouts.iter().map(|(name, _)| name.clone()).collect(),
    };
    let mut builder = Builder::new(protocol, names, decodings.clone(), options);
    for mut task in tasks {
        task.instances.retain(|instance| !instance.outputs.is_empty());
        let instances: Vec<usize> = (0..task.instances.len().min(options.limit.unwrap_or(usize::MAX))).collect();
        if instances.is_empty() {
            builder.note(format!("{} has no labelled instance, left out", task.id));
            continue;
        }
        let number = builder.task(task, &instances);
        for (decoding, named) in decodings.iter().enumerate() {
            if named.is_held() {
                builder.held(number, 0, decoding);
                continue;
            }
            for (layout, (_, laid_out)) in layouts.iter().enumerate() {
                let encoder = Encoder::new(builder.source(number), laid_out, options.tokens)?;
                for (place, instance) in instances.iter().enumerate() {
                    let prompt = encoder.prompt(&builder.source(number).instances[*instance].input);
                    builder.prompt(From { task: number, instance: place, layout, examples: 0 }, &prompt, decoding);
                }
            }
        }
    }
    Ok(builder.finish())
}
