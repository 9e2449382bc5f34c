//! Natural Instructions: a hundred instances of each task, spread by the released encoder's rule, under one or several
//! encodings.

use crate::plan::builder::Builder;
use crate::plan::{Examples, Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_encode::{Layout, largest_num_examples, select_instances};
use saydo_task::Task;

/// Instances of each task that the paper asked GPT-3.
const INSTANCES: usize = 100;
/// The longest reply, in tokens, as the paper set it for GPT-3.
const MAX_TOKENS: usize = 16;
/// Tokens of the longest prompt where the model's own limit is not known: GPT-3's window in the paper, less the reply.
const GPT3_PROMPT: usize = 2032;

/// Greedy, 16 tokens, ended by a blank line.
pub(crate) fn decodings() -> Vec<NamedDecoding> {
    vec![NamedDecoding::greedy(Length::Tokens(MAX_TOKENS)).with_stop(&["\n\n"])]
}

pub(crate) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    let layouts = options.layouts(Protocol::NaturalInstructions)?;
    let decodings = options.decodings(decodings);
    let names = layouts.iter().map(|(name, _)| name.clone()).collect();
    let mut builder = Builder::new(Protocol::NaturalInstructions, names, decodings.clone(), options);
    let all: Vec<usize> = (0..decodings.len()).collect();
    let needs_raw = layouts.iter().any(|(_, layout)| layout.needs_raw());
    for task in tasks {
        // Layouts are compared on the same tasks.
        if needs_raw && task.raw.is_none() {
            builder.note(format!("{} has no raw instructions, left out", task.id));
            continue;
        }
        let instances = chosen(&task, options, &mut builder);
        let number = builder.task(task, &instances);
        for (layout, (_, laid_out)) in layouts.iter().enumerate() {
            let task = builder.source(number);
            let laid_out = with_examples(task, laid_out, &instances, (builder.max_prompt, options))?;
            builder.lay_out(number, (layout, &laid_out), &all)?;
        }
    }
    Ok(builder.finish())
}

/// The instances that are evaluated. A task too small for the released rule gives its last ones, since examples are
/// borrowed from the first.
fn chosen(task: &Task, options: &Options<'_>, builder: &mut Builder<'_>) -> Vec<usize> {
    let all = task.instances.len();
    if options.unlabelled {
        return (0..all.min(options.limit.unwrap_or(all))).collect();
    }
    let wanted = options.limit.unwrap_or(INSTANCES);
    let chosen = select_instances(all, wanted).unwrap_or_else(|_| {
        let taken = wanted.min(all);
        builder
            .note(format!("{}: {all} instances are too few for the paper's rule; the last {taken} are taken", task.id));
        (all - taken..all).collect()
    });
    chosen.into_iter().filter(|instance| !task.instances[*instance].outputs.is_empty()).collect()
}

fn with_examples(
    task: &Task,
    layout: &Layout,
    instances: &[usize],
    (max_prompt, options): (Option<usize>, &Options<'_>),
) -> Result<Layout, Error> {
    Ok(match (options.examples, layout) {
        (Examples::Count(count), layout) => layout.clone().with_num_examples(count),
        (Examples::Most, Layout::NaturalInstructions(laid_out)) => {
            let (max_tokens, count) = (max_prompt.unwrap_or(GPT3_PROMPT), options.tokens.count);
            match largest_num_examples(task, &laid_out.elements, instances, max_tokens, count) {
                Ok(most) => layout.clone().with_num_examples(most),
                // Prompts that are too long without any example are shortened further, one by one.
                Err(saydo_encode::Error::PromptTooLong { .. }) => layout.clone().with_num_examples(0),
                Err(error) => return Err(error.into()),
            }
        }
        (Examples::OfLayout | Examples::Most, layout) => layout.clone(),
    })
}
