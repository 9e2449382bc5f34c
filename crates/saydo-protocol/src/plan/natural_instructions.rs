//! Natural Instructions: a hundred instances of each task, spread by the released encoder's rule, under one or several
//! encodings.

use super::builder::{Builder, From};
use super::{Examples, Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_encode::{Encoder, Layout, NaturalInstructions, largest_num_examples, select_instances};
use saydo_task::Task;

/// Instances of each task that the paper asked GPT-3.
const INSTANCES: usize = 100;
/// The longest reply, in tokens, as the paper set it for GPT-3.
const MAX_TOKENS: usize = 16;

/// Greedy, 16 tokens, ended by a blank line.
pub(super) fn decodings() -> Vec<NamedDecoding> {
    vec![NamedDecoding::greedy(Length::Tokens(MAX_TOKENS)).with_stop(&["\n\n"])]
}

pub(super) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    let layouts = options.layouts(Protocol::NaturalInstructions)?;
    let decodings = options.decodings(decodings);
    let names = layouts.iter().map(|(name, _)| name.clone()).collect();
    let mut builder = Builder::new(Protocol::NaturalInstructions, names, decodings.clone(), options);
    for task in tasks {
        let instances = chosen(&task, options, &mut builder);
        let number = builder.task(task, &instances);
        for (layout, (_, laid_out)) in layouts.iter().enumerate() {
            let task = builder.source(number);
            let laid_out = with_examples(task, laid_out, &instances, options)?;
            let examples = num_examples(&laid_out, task);
            let shown = borrowed(&laid_out, task);
            let encoder = Encoder::new(task, &laid_out, options.tokens)?;
            for (place, instance) in instances.iter().enumerate().filter(|(_, instance)| !shown.contains(instance)) {
                let prompt = encoder.prompt(&builder.source(number).instances[*instance].input);
                for decoding in 0..decodings.len() {
                    builder.prompt(From { task: number, instance: place, layout, examples }, &prompt, decoding);
                }
            }
        }
    }
    Ok(builder.finish())
}

/// The instances that are evaluated. A task too small for the released rule gives its last ones, since examples are
/// borrowed from the first.
fn chosen(task: &Task, options: &Options<'_>, builder: &mut Builder<'_>) -> Vec<usize> {
    let wanted = options.limit.unwrap_or(INSTANCES);
    let all = task.instances.len();
    let chosen = select_instances(all, wanted).unwrap_or_else(|_| {
        let taken = wanted.min(all);
        builder
            .note(format!("{}: {all} instances are too few for the paper's rule; the last {taken} are taken", task.id));
        (all - taken..all).collect()
    });
    chosen.into_iter().filter(|instance| !task.instances[*instance].outputs.is_empty()).collect()
}

fn with_examples(task: &Task, layout: &Layout, instances: &[usize], options: &Options<'_>) -> Result<Layout, Error> {
    Ok(match (options.examples, layout) {
        (Examples::Count(count), layout) => layout.clone().with_num_examples(count),
        (Examples::Most { max_tokens }, Layout::NaturalInstructions(laid_out)) => {
            let count = options.tokens.count;
            let most = largest_num_examples(task, &laid_out.elements, instances, max_tokens, count)?;
            layout.clone().with_num_examples(most)
        }
        (Examples::OfLayout | Examples::Most { .. }, layout) => layout.clone(),
    })
}

/// How many examples a prompt of this layout shows.
pub(super) fn num_examples(layout: &Layout, task: &Task) -> usize {
    match layout {
        Layout::NaturalInstructions(NaturalInstructions { elements, num_examples })
            if elements.iter().any(|element| element.name().contains("Examples")) =>
        {
            *num_examples
        }
        Layout::TkInstruct(layout) => layout.num_positive.min(task.positive.len()),
        _ => 0,
    }
}

/// Instances that the prompt itself shows with their answers.
fn borrowed(layout: &Layout, task: &Task) -> Vec<usize> {
    match layout {
        Layout::NaturalInstructions(layout) => layout.borrowed_instances(task),
        _ => Vec::new(),
    }
}
