//! As many examples as fit: how Natural Instructions filled GPT-3's context window.

use crate::layout::natural_instructions::{self, NaturalInstructions};
use crate::{Element, Error, Result};
use saydo_task::Task;

/// The greatest number of examples with which the prompts of all `selected` instances have at most `max_tokens`.
///
/// Bounded by what the task has: its positive examples and the instances that can be borrowed, or its negative
/// examples if no positive ones are asked for, or 0 if no examples are. An error names a prompt that does not fit even
/// without examples.
pub fn largest_num_examples(
    task: &Task,
    elements: &[Element],
    selected: &[usize],
    max_tokens: usize,
    count: &dyn Fn(&str) -> usize,
) -> Result<usize> {
    let check = |num_examples, selected: &[usize]| {
        let layout = NaturalInstructions { elements: elements.to_vec(), num_examples };
        check_fit(task, &layout, selected, max_tokens, count)
    };
    check(0, selected)?;
    let Some(longest) = selected.iter().max_by_key(|index| count(&task.instances[**index].input)) else {
        return Ok(most_examples(task, elements));
    };
    // The longest input alone nearly always decides, so it is tried first and the others are then checked once.
    let at_most = last_that_fits(1, most_examples(task, elements), |n| check(n, &[*longest]))?;
    last_that_fits(at_most, at_most, |n| check(n, selected))
}

/// The greatest number up to `most` that passes `check`, given that 0 does and that prompts only grow with it.
///
/// After `first`, numbers are doubled until one fails and only then bisected: a task may have thousands of instances
/// to borrow where tens fit, and long prompts are slow to count.
fn last_that_fits(first: usize, most: usize, check: impl Fn(usize) -> Result<()>) -> Result<usize> {
    let (mut fits, mut too_many, mut tried) = (0, most + 1, first);
    while fits + 1 < too_many {
        match check(tried) {
            Ok(()) => fits = tried,
            Err(Error::PromptTooLong { .. }) => too_many = tried,
            Err(other) => return Err(other),
        }
        tried = (2 * fits + 1).min(fits + (too_many - fits) / 2);
    }
    Ok(fits)
}

/// Fails with the first prompt that is too long.
pub(crate) fn check_fit(
    task: &Task,
    layout: &NaturalInstructions,
    selected: &[usize],
    max_tokens: usize,
    count: &dyn Fn(&str) -> usize,
) -> Result<()> {
    let prefix = layout.prefix(task)?;
    for &index in selected {
        let instance = task.instances.get(index).ok_or_else(|| Error::NoInstance {
            task: task.id.clone(),
            index,
            instances: task.instances.len(),
        })?;
        let tokens = count(&(prefix.clone() + &natural_instructions::suffix(&instance.input)));
        if tokens > max_tokens {
            return Err(Error::PromptTooLong { task: task.id.clone(), index, tokens, max_tokens });
        }
    }
    Ok(())
}

fn most_examples(task: &Task, elements: &[Element]) -> usize {
    if elements.iter().any(|element| element.is_positive()) {
        natural_instructions::max_positive(task)
    } else if elements.contains(&Element::NegativeExamplesFullExplanations) {
        task.negative.len()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{WORDS, task_with};

    fn largest(task: &Task, elements: &[Element], max_tokens: usize) -> Result<usize> {
        largest_num_examples(task, elements, &[0, 1], max_tokens, WORDS.count)
    }

    #[test]
    fn one_example_more_would_not_fit() {
        let (task, elements) = (task_with(70), [Element::Prompt, Element::PositiveExamplesFullOnly]);
        for max_tokens in 12..200 {
            let num_examples = largest(&task, &elements, max_tokens).unwrap();
            let layout = |num_examples| NaturalInstructions { elements: elements.to_vec(), num_examples };
            let fits = |layout| check_fit(&task, &layout, &[0, 1], max_tokens, WORDS.count).is_ok();
            assert!(fits(layout(num_examples)) && !fits(layout(num_examples + 1)), "{max_tokens}: {num_examples}");
        }
    }

    #[test]
    fn no_more_examples_are_taken_than_there_are() {
        let task = task_with(70);
        assert_eq!(largest(&task, &[Element::PositiveExamplesFullOnly], 10_000).unwrap(), 62);
        assert_eq!(largest(&task, &[Element::NegativeExamplesFullExplanations], 10_000).unwrap(), 2);
        assert_eq!(largest(&task, &[Element::Prompt], 10_000).unwrap(), 0);
    }

    #[test]
    fn a_prompt_too_long_without_examples_is_named() {
        insta::assert_snapshot!(largest(&task_with(2), &[Element::Definition], 11).unwrap_err(), @"the prompt of instance 0 of task `animals` has 12 tokens, expected at most 11");
        insta::assert_snapshot!(largest(&task_with(1), &[Element::Prompt], 100).unwrap_err(), @"task `animals` has 1 instances, found none at index 1");
    }
}
