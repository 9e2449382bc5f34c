//! Super-NaturalInstructions: the first hundred instances of each test task, under Tk-Instruct's layout.

use crate::plan::builder::Builder;
use crate::plan::{Examples, Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_task::Task;

/// Instances of each task that count.
const INSTANCES: usize = 100;
/// The longest reply, in tokens, as in the paper's evaluation.
const MAX_TOKENS: usize = 128;

/// Greedy, 128 tokens, ended by a blank line.
pub(crate) fn decodings() -> Vec<NamedDecoding> {
    vec![NamedDecoding::greedy(Length::Tokens(MAX_TOKENS)).with_stop(&["\n\n"])]
}

pub(crate) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    let layouts = options.layouts(Protocol::SuperNaturalInstructions)?;
    let decodings = options.decodings(decodings);
    let names = layouts.iter().map(|(name, _)| name.clone()).collect();
    let mut builder = Builder::new(Protocol::SuperNaturalInstructions, names, decodings.clone(), options);
    let all: Vec<usize> = (0..decodings.len()).collect();
    for task in tasks {
        let wanted = options.limit.unwrap_or(INSTANCES);
        let has_gold = |instance: &usize| options.unlabelled || !task.instances[*instance].outputs.is_empty();
        let instances: Vec<usize> = (0..task.instances.len().min(wanted)).filter(has_gold).collect();
        let number = builder.task(task, &instances);
        for (layout, (_, laid_out)) in layouts.iter().enumerate() {
            let laid_out = match options.examples {
                Examples::Count(count) => laid_out.clone().with_num_examples(count),
                Examples::OfLayout | Examples::Most => laid_out.clone(),
            };
            builder.lay_out(number, (layout, &laid_out), &all)?;
        }
    }
    Ok(builder.finish())
}
