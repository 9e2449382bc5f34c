//! The ways of going wrong that the paper counts, found by shared runs of words.
//!
//! The authors sorted outputs by hand. Each pattern here is a rule over words without case and punctuation, on the output
//! without its introduction; a run is a number of words in a row. A right answer shows no pattern.

use super::sentence::sentences;
use super::word::words;
use saydo_task::turking::{Ask, Instruction, Kind, Ordinal};
use std::collections::HashSet;

/// A way of going wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// A run of half the resource, but no fewer than 4 words (or all there are) and no more than 10.
    RepeatsResource,
    /// The output begins with such a run, and it is the beginning of the resource.
    BeginsWithResource,
    /// A run of 5 words of the instruction outside its resource and examples.
    RepeatsInstruction,
    /// One of the two repetitions.
    Repeats,
    /// The crowd's tasks: the output has not the form asked for, repeats no part of the instruction, does not start with
    /// a question, and either goes on with a bulleted list of highlights or takes three in ten of its longer words from
    /// the resource.
    ContinuesResource,
    /// The output begins like one of the instruction's own sentences: the first 3 words are the same, or the first 2 for
    /// the one-sentence instructions.
    ContinuesInstruction,
    /// SNLI and NewsQA: a run of 4 words of the instruction's own example, or a name out of it, that the resource lacks.
    CopiesExample,
    /// The same where a whole example stands in the output, word for word.
    CopiesWholeExample,
    /// The same where only a part of one does.
    CopiesPartOfExample,
    /// NewsQA: a forbidden `why` or `how` among the first three questions.
    ForbiddenQuestion,
}

impl Pattern {
    /// Every pattern, in the order of reports.
    pub const ALL: [Pattern; 10] = [
        Pattern::RepeatsResource,
        Pattern::BeginsWithResource,
        Pattern::RepeatsInstruction,
        Pattern::Repeats,
        Pattern::ContinuesResource,
        Pattern::ContinuesInstruction,
        Pattern::CopiesExample,
        Pattern::CopiesWholeExample,
        Pattern::CopiesPartOfExample,
        Pattern::ForbiddenQuestion,
    ];

    /// The word for this pattern in output.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::RepeatsResource => "repeats-resource",
            Pattern::BeginsWithResource => "begins-with-resource",
            Pattern::RepeatsInstruction => "repeats-instruction",
            Pattern::Repeats => "repeats",
            Pattern::ContinuesResource => "continues-resource",
            Pattern::ContinuesInstruction => "continues-instruction",
            Pattern::CopiesExample => "copies-example",
            Pattern::CopiesWholeExample => "copies-whole-example",
            Pattern::CopiesPartOfExample => "copies-part-of-example",
            Pattern::ForbiddenQuestion => "forbidden-question",
        }
    }

    /// Whether an output to this task can show the pattern.
    pub fn applies_to(self, kind: Kind) -> bool {
        match self {
            Pattern::ContinuesResource => !kind.has_gold(),
            Pattern::CopiesExample | Pattern::CopiesWholeExample | Pattern::CopiesPartOfExample => {
                matches!(kind, Kind::Snli | Kind::NewsQa)
            }
            Pattern::ForbiddenQuestion => kind == Kind::NewsQa,
            _ => true,
        }
    }
}

/// A number of words in a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run(usize);

/// How much of the instruction makes a repetition.
pub(super) const INSTRUCTION_RUN: Run = Run(5);
const EXAMPLE_RUN: Run = Run(4);

/// How much of the resource makes a repetition: half of it, within bounds.
fn resource_run(resource: &[String]) -> Run {
    Run(resource.len().min(resource.len().div_ceil(2).clamp(4, 10)))
}

impl Run {
    /// Whether the two texts share a run of this length; an empty run is not shared.
    pub(super) fn is_shared(self, one: &[String], other: &[String]) -> bool {
        let runs = self.runs(other);
        self.0 > 0 && one.windows(self.0).any(|run| runs.contains(run))
    }

    fn runs(self, words: &[String]) -> HashSet<&[String]> {
        words.windows(self.0.max(1)).collect()
    }

    fn is_beginning(self, text: &[String], of: &[String]) -> bool {
        self.0 > 0 && text.len() >= self.0 && of.len() >= self.0 && text[..self.0] == of[..self.0]
    }
}

/// Stands between texts that are joined for comparison: no word of an output is a sign.
const BREAK: &str = "|";

/// The share of longer words that must come from the resource for an output to go on with it.
const CONTINUED_SHARE: f64 = 0.3;
const LONGER_WORD: usize = 4;

/// The patterns of an output without its introduction. `is_right` is the verdict on it, or on its form.
pub(super) fn patterns(text: &str, instruction: &Instruction, is_right: bool, is_forbidden: bool) -> Vec<Pattern> {
    let ask = instruction.ask;
    if is_right && ask.kind().has_gold() {
        return Vec::new();
    }
    let output = words(text);
    let resource = words(&instruction.resource);
    let run = resource_run(&resource);
    let repeats_resource = run.is_shared(&output, &resource);
    let repeats_instruction =
        Ordinal::ALL.iter().any(|ordinal| INSTRUCTION_RUN.is_shared(&output, &instruction_words(ask, *ordinal)));
    let shows = |pattern: &Pattern| match pattern {
        Pattern::RepeatsResource => repeats_resource,
        Pattern::BeginsWithResource => run.is_beginning(&output, &resource),
        Pattern::RepeatsInstruction => repeats_instruction,
        Pattern::Repeats => repeats_resource || repeats_instruction,
        Pattern::ContinuesResource => !is_right && !repeats_instruction && continues_resource(text, ask, &resource),
        Pattern::ContinuesInstruction => continues_instruction(&output, ask),
        Pattern::CopiesExample => copies_example(&output, ask, &resource),
        Pattern::CopiesWholeExample => copies_whole_example(&output, ask, &resource),
        Pattern::CopiesPartOfExample => {
            copies_example(&output, ask, &resource) && !copies_whole_example(&output, ask, &resource)
        }
        Pattern::ForbiddenQuestion => is_forbidden,
    };
    Pattern::ALL.into_iter().filter(|pattern| pattern.applies_to(ask.kind()) && shows(pattern)).collect()
}

/// The words of the instruction without resource and examples, with a break where those stood.
pub(super) fn instruction_words(ask: Ask, ordinal: Ordinal) -> Vec<String> {
    let (before, after) = ask.frame(ordinal);
    let mut text = format!("{before} {BREAK} {after}");
    for example in examples(ask) {
        text = text.replace(example, " ");
    }
    marked_words(&text)
}

/// The words of a text, with breaks kept.
fn marked_words(text: &str) -> Vec<String> {
    let parts = text.split(BREAK).map(words);
    parts.collect::<Vec<_>>().join(&BREAK.to_owned())
}

fn continues_resource(text: &str, ask: Ask, resource: &[String]) -> bool {
    let starts_with_question = sentences(text).first().is_none_or(|first| first.ends_with('?'));
    if starts_with_question {
        return false;
    }
    let goes_on_listing = ask == Ask::NewsQa && text.trim_start().starts_with(['•', '-', '*']);
    let known: HashSet<&String> = resource.iter().collect();
    let longer: Vec<String> = words(text).into_iter().filter(|word| word.chars().count() >= LONGER_WORD).collect();
    let shared = longer.iter().filter(|word| known.contains(word)).count();
    goes_on_listing || (!longer.is_empty() && shared as f64 >= CONTINUED_SHARE * longer.len() as f64)
}

fn continues_instruction(output: &[String], ask: Ask) -> bool {
    let run = if ask.kind().has_gold() { Run(2) } else { Run(3) };
    let (before, after) = ask.frame(Ordinal::default());
    let is_example = |sentence: &&str| examples(ask).iter().any(|example| example.contains(sentence.trim_matches('"')));
    [before, after]
        .iter()
        .flat_map(|part| sentences(part))
        .filter(|sentence| !is_example(sentence))
        .any(|sentence| run.is_beginning(output, &words(sentence)))
}

fn copies_example(output: &[String], ask: Ask, resource: &[String]) -> bool {
    let known = EXAMPLE_RUN.runs(resource);
    let has_run = examples(ask).iter().any(|example| {
        let example = words(example);
        let copied = EXAMPLE_RUN.runs(&example);
        output.windows(EXAMPLE_RUN.0).any(|run| copied.contains(run) && !known.contains(run))
    });
    let has = |words: &[String], name: &str| words.iter().any(|word| word == name);
    has_run || names(ask).iter().any(|name| has(output, name) && !has(resource, name))
}

/// Whether a whole example that the resource lacks stands in the output.
fn copies_whole_example(output: &[String], ask: Ask, resource: &[String]) -> bool {
    let has = |words: &[String], example: &[String]| words.windows(example.len()).any(|run| run == example);
    let mut examples = examples(ask).iter().map(|example| words(example)).filter(|example| !example.is_empty());
    examples.any(|example| has(output, &example) && !has(resource, &example))
}

/// The examples inside an instruction, as they stand there.
fn examples(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Snli => &[
            "Two dogs are running through a field.",
            "There are animals outdoors.",
            "Some puppies are running to catch a stick.",
            "The pets are sitting on a couch.",
        ],
        Ask::NewsQa => &[
            "Sarah Palin from Alaska meets with McCain",
            "Fareed Zakaria says John McCain did not put country first with his choice",
            "Zakaria: This is \"hell of a time\" for Palin to start thinking about national, global issues",
            "Where is Palin from?",
            "What did Fareed say about John McCain’s choice?",
            "Who is thinking about global issues?",
            "What was the meeting about?",
            "What was McCain’s choice?",
            "What issues is Palin thinking about?",
        ],
        _ => &[],
    }
}

/// Words that give an example away.
fn names(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Snli => &["dog", "dogs", "puppy", "puppies", "pets"],
        Ask::NewsQa => &["palin", "palin's", "mccain", "mccain's", "fareed", "zakaria", "zakaria's"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
