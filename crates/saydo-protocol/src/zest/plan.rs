//! ZEST: every passage of every question, written as T5 or BART saw it or answered by a function.

use crate::plan::builder::Builder;
use crate::plan::{Examples, Options, Plan};
use crate::{Error, Length, NamedDecoding, Protocol};
use saydo_encode::Layout;
use saydo_task::{Example, Task};

/// The longest reply of the paper's BART, in tokens.
const BART_TOKENS: usize = 64;
/// The longest reply of the paper's T5, in tokens: room for answers that are JSON.
const T5_TOKENS: usize = 512;

/// How the paper decoded the model that a layout was written for: T5 greedily, BART with four beams, as other layouts are,
/// too. T5 writes no line ends; for a model that does, a blank line ends the answer, as it ends the prompt's parts.
pub(crate) fn own_decoding(layout: &Layout) -> NamedDecoding {
    match layout {
        Layout::ZestT5 { .. } => NamedDecoding::greedy(Length::Tokens(T5_TOKENS)).with_stop(&["\n\n"]),
        _ => NamedDecoding::beam(Length::Tokens(BART_TOKENS)),
    }
}

pub(crate) fn plan(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    let layouts = options.layouts(Protocol::Zest)?;
    let mut own: Vec<NamedDecoding> = Vec::new();
    for decoding in layouts.iter().map(|(_, layout)| own_decoding(layout)) {
        if !own.contains(&decoding) {
            own.push(decoding);
        }
    }
    laid_out(Protocol::Zest, tasks, options, || own)
}

/// A user's own tasks, on their own instances.
pub(crate) fn plan_labelled(tasks: Vec<Task>, options: &Options<'_>) -> Result<Plan, Error> {
    laid_out(Protocol::Labelled, tasks, options, || vec![NamedDecoding::constrained()])
}

fn laid_out(
    protocol: Protocol,
    tasks: Vec<Task>,
    options: &Options<'_>,
    own: impl FnOnce() -> Vec<NamedDecoding>,
) -> Result<Plan, Error> {
    let layouts = options.layouts(protocol)?;
    let decodings = options.decodings(own);
    let is_constrained = decodings.iter().any(NamedDecoding::is_constrained);
    let names = match is_constrained {
        // A function writes prompts of its own.
        true => vec!["saydo".to_owned()],
        false => layouts.iter().map(|(name, _)| name.clone()).collect(),
    };
    let mut builder = Builder::new(protocol, names, decodings.clone(), options);
    for mut task in tasks {
        task.instances.retain(|instance| options.unlabelled || !instance.outputs.is_empty());
        if task.instances.is_empty() {
            builder.note(format!("{} has no labelled instance, left out", task.id));
            continue;
        }
        if let Examples::Count(count) = options.examples {
            task.positive.truncate(count);
        }
        let wanted = wanted(&layouts, is_constrained, task.instances.len(), options);
        let lent = if options.unlabelled { 0 } else { lend(&mut task, wanted) };
        let last = task.instances.len().min(options.limit.map_or(usize::MAX, |limit| lent.saturating_add(limit)));
        let number = builder.task(task, &(lent..last).collect::<Vec<_>>());
        for (decoding, named) in decodings.iter().enumerate() {
            if named.is_constrained() {
                builder.constrained(number, 0, decoding);
                continue;
            }
            // Where nobody chose a decoding, each layout has its own.
            let is_of = |layout: &Layout| !options.decodings.is_empty() || own_decoding(layout) == *named;
            for (layout, (_, laid_out)) in layouts.iter().enumerate().filter(|(_, (_, layout))| is_of(layout)) {
                let num_examples = match options.examples {
                    Examples::OfLayout => laid_out.num_examples(builder.source(number)),
                    Examples::Count(count) => count,
                    Examples::Most => usize::MAX,
                };
                let num_examples = num_examples.min(builder.source(number).positive.len());
                builder.lay_out(number, (layout, &laid_out.clone().with_num_examples(num_examples)), &[decoding])?;
            }
        }
    }
    Ok(builder.finish())
}

/// How many examples the prompts of a task are to show.
fn wanted(layouts: &[(String, Layout)], is_constrained: bool, instances: usize, options: &Options<'_>) -> usize {
    match options.examples {
        Examples::Count(count) => count,
        // The other half is scored.
        Examples::Most => instances / 2,
        Examples::OfLayout if is_constrained => 0,
        Examples::OfLayout => {
            let own = |(_, layout): &(String, Layout)| layout.num_examples(&Task::default());
            layouts.iter().map(own).max().unwrap_or(0)
        }
    }
}

/// Makes a task's first instances its examples until it has so many, and leaves at least one to be scored. Gives how many
/// were made so: they are shown, so they are not scored, whatever the layout.
fn lend(task: &mut Task, wanted: usize) -> usize {
    let lent = wanted.saturating_sub(task.positive.len()).min(task.instances.len() - 1);
    for instance in &task.instances[..lent] {
        let (input, output) = (instance.input.clone(), instance.outputs[0].clone());
        task.positive.push(Example { input, output, reason: None, suggestion: None });
    }
    lent
}
