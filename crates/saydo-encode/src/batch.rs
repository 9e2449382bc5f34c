//! The prompts of a whole task, under the instance rules and limits of the papers.

use crate::packing::{check_fit, largest_num_examples};
use crate::{Encoder, Layout, Prompt, Result, Tokens, select_instances};
use saydo_task::Task;

/// How a task's instances are chosen and how long prompts may be.
#[derive(Debug, Clone, Copy)]
pub struct EncodeOptions<'a> {
    /// The number of examples, if not the layout's own.
    pub num_examples: Option<usize>,
    /// How many instances; none for all. Natural Instructions layouts choose them by [`select_instances`], the others
    /// take the first ones.
    pub num_instances: Option<usize>,
    /// The longest prompt. Natural Instructions layouts fill it with examples unless `num_examples` is given, and fail
    /// if a prompt is longer; under Tk-Instruct it replaces the layout's limit; elsewhere a longer prompt is cut.
    pub max_tokens: Option<usize>,
    /// What counts tokens.
    pub tokens: Tokens<'a>,
}

impl Default for EncodeOptions<'_> {
    fn default() -> Self {
        Self { num_examples: None, num_instances: None, max_tokens: None, tokens: Tokens::UNCOUNTED }
    }
}

/// The prompts of a task's chosen instances, each with the instance's index.
pub fn encode_task(task: &Task, layout: &Layout, options: &EncodeOptions<'_>) -> Result<Vec<(usize, Prompt)>> {
    let selected = selected(task, layout, options)?;
    let layout = resolved(task, layout, options, &selected)?;
    let encoder = Encoder::new(task, &layout, options.tokens)?;
    let cut = options.max_tokens.filter(|_| !matches!(layout, Layout::NaturalInstructions(_) | Layout::TkInstruct(_)));
    let prompt = |index: usize| {
        let prompt = encoder.prompt(&task.instances[index].input);
        match cut {
            Some(max_tokens) => (index, prompt.cut_to(max_tokens, options.tokens)),
            None => (index, prompt),
        }
    };
    Ok(selected.into_iter().map(prompt).collect())
}

fn selected(task: &Task, layout: &Layout, options: &EncodeOptions<'_>) -> Result<Vec<usize>> {
    let instances = task.instances.len();
    match (options.num_instances, layout) {
        (Some(wanted), Layout::NaturalInstructions(_)) => select_instances(instances, wanted),
        (wanted, _) => Ok((0..wanted.unwrap_or(instances).min(instances)).collect()),
    }
}

/// The layout with the number of examples and the limit that the options ask for.
fn resolved(task: &Task, layout: &Layout, options: &EncodeOptions<'_>, selected: &[usize]) -> Result<Layout> {
    let mut layout = layout.clone();
    if let Some(num_examples) = options.num_examples {
        layout = layout.with_num_examples(num_examples);
    }
    let Some(max_tokens) = options.max_tokens else { return Ok(layout) };
    let count = options.tokens.count;
    match &mut layout {
        Layout::NaturalInstructions(layout) if options.num_examples.is_none() => {
            layout.num_examples = largest_num_examples(task, &layout.elements, selected, max_tokens, count)?;
        }
        Layout::NaturalInstructions(layout) => check_fit(task, layout, selected, max_tokens, count)?,
        Layout::TkInstruct(layout) => layout.max_source_length = max_tokens,
        Layout::ZestT5 { .. } | Layout::ZestBart { .. } | Layout::Bare | Layout::Turking => {}
    }
    Ok(layout)
}
