//! The sums behind the means: whole numbers, so that the order of adding does not matter.

use super::question::{QuestionFormat, is_mixed, question_format};
use super::{Group, Words};
use crate::{Example, Instance, Task};
use std::ops::Add;

/// A sum of lengths and of how many there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    total: usize,
    count: usize,
}

impl Sum {
    fn of<'a>(texts: impl IntoIterator<Item = &'a String>, length: Length<'_>) -> Self {
        texts.into_iter().fold(Sum::default(), |sum, text| sum + Sum { total: length(text), count: 1 })
    }

    /// How many of so many.
    fn share(total: usize, count: usize) -> Self {
        Sum { total, count }
    }

    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.total as f64 / self.count as f64)
    }
}

impl Add for Sum {
    type Output = Sum;

    fn add(self, other: Sum) -> Sum {
        Sum { total: self.total + other.total, count: self.count + other.count }
    }
}

/// The length of a text, in words or another unit.
type Length<'a> = &'a (dyn Fn(&str) -> usize + Sync);

/// All sums of a group of tasks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    tasks: usize,
    instances: usize,
    positive: usize,
    negative: usize,
    /// NA among labelled instances.
    na: Sum,
    /// Classification among tasks whose format can be told.
    classification: Sum,
    /// Records of several kinds among the same tasks.
    mixed: Sum,
    /// Examples with a reason.
    reasons: Sum,
    /// Negative examples with a suggestion.
    suggestions: Sum,
    title: Sum,
    definition: Sum,
    prompt: Sum,
    things_to_avoid: Sum,
    emphasis: Sum,
    reason: Sum,
    suggestion: Sum,
    description: Sum,
    input: Sum,
    output: Sum,
}

impl Tally {
    pub(super) fn of(task: &Task, length: Length<'_>) -> Self {
        let examples = || task.positive.iter().chain(&task.negative);
        let format = question_format(task);
        let texts = [&task.title, &task.definition, &task.prompt, &task.things_to_avoid, &task.emphasis];
        let described = texts.into_iter().flatten().map(|text| length(text)).sum::<usize>()
            + examples().map(|example| example_length(example, length)).sum::<usize>();
        let has = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let of = |text: &Option<String>| Sum::of(text, length);
        Tally {
            tasks: 1,
            instances: task.instances.len(),
            positive: task.positive.len(),
            negative: task.negative.len(),
            na: na(&task.instances),
            classification: Sum {
                total: usize::from(format == Some(QuestionFormat::Classification)),
                count: usize::from(format.is_some()),
            },
            mixed: Sum::share(usize::from(format.is_some() && is_mixed(task)), usize::from(format.is_some())),
            reasons: Sum::share(examples().filter(|example| has(&example.reason)).count(), examples().count()),
            suggestions: Sum::share(
                task.negative.iter().filter(|example| has(&example.suggestion)).count(),
                task.negative.len(),
            ),
            title: of(&task.title),
            definition: of(&task.definition),
            prompt: of(&task.prompt),
            things_to_avoid: of(&task.things_to_avoid),
            emphasis: of(&task.emphasis),
            reason: Sum::of(examples().filter_map(|example| example.reason.as_ref()), length),
            suggestion: Sum::of(examples().filter_map(|example| example.suggestion.as_ref()), length),
            description: Sum { total: described, count: 1 },
            input: Sum::of(task.instances.iter().map(|instance| &instance.input), length),
            output: Sum::of(task.instances.iter().flat_map(|instance| &instance.outputs), length),
        }
    }

    pub(super) fn group(self) -> Group {
        let per_task = |total| Sum { total, count: self.tasks }.mean();
        Group {
            tasks: self.tasks,
            instances: self.instances,
            labelled: self.na.count,
            positive_examples: per_task(self.positive),
            negative_examples: per_task(self.negative),
            na_share: self.na.mean(),
            classification_share: self.classification.mean(),
            mixed_share: self.mixed.mean(),
            examples: self.positive + self.negative,
            reason_share: self.reasons.mean(),
            suggestion_share: self.suggestions.mean(),
            words: Words {
                title: self.title.mean(),
                definition: self.definition.mean(),
                prompt: self.prompt.mean(),
                things_to_avoid: self.things_to_avoid.mean(),
                emphasis: self.emphasis.mean(),
                reason: self.reason.mean(),
                suggestion: self.suggestion.mean(),
                description: self.description.mean(),
                input: self.input.mean(),
                output: self.output.mean(),
            },
        }
    }
}

/// NA is judged by the first gold output, as ZEST's scorer does.
fn na(instances: &[Instance]) -> Sum {
    let golds = instances.iter().filter_map(|instance| instance.outputs.first());
    golds.fold(Sum::default(), |sum, gold| sum + Sum { total: usize::from(is_na(gold)), count: 1 })
}

/// Exactly `n/a` or `na` in any case, as ZEST's scorer has it.
pub(super) fn is_na(text: &str) -> bool {
    text.eq_ignore_ascii_case("n/a") || text.eq_ignore_ascii_case("na")
}

fn example_length(example: &Example, length: Length<'_>) -> usize {
    let optional = example.reason.iter().chain(&example.suggestion);
    length(&example.input) + length(&example.output) + optional.map(|text| length(text)).sum::<usize>()
}

impl Add<&Tally> for Tally {
    type Output = Tally;

    fn add(self, other: &Tally) -> Tally {
        Tally {
            tasks: self.tasks + other.tasks,
            instances: self.instances + other.instances,
            positive: self.positive + other.positive,
            negative: self.negative + other.negative,
            na: self.na + other.na,
            classification: self.classification + other.classification,
            mixed: self.mixed + other.mixed,
            reasons: self.reasons + other.reasons,
            suggestions: self.suggestions + other.suggestions,
            title: self.title + other.title,
            definition: self.definition + other.definition,
            prompt: self.prompt + other.prompt,
            things_to_avoid: self.things_to_avoid + other.things_to_avoid,
            emphasis: self.emphasis + other.emphasis,
            reason: self.reason + other.reason,
            suggestion: self.suggestion + other.suggestion,
            description: self.description + other.description,
            input: self.input + other.input,
            output: self.output + other.output,
        }
    }
}
