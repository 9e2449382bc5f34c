//! From resources to tasks.
//!
//! The numbers are the paper's: 100 resources for each of the crowd's tasks and for nouns, every sentence once for the
//! nth word and the nth character. Which ones, and which n, is drawn under a seed, because the paper does not list them.

use super::element::{draw_character, draw_word, nth_character, nth_word};
use super::random::Random;
use super::{Ask, Condition, Instruction, Kind, Ordinal, ResourceKind, Resources};
use crate::{AnswerKind, AnswerSpec, Instance, Origin, Task};

/// A noun of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noun {
    /// The noun as the sentence has it.
    pub text: String,
    /// Whether it names several things.
    pub is_plural: bool,
}

/// What the tasks depend on besides the resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Fixes every draw.
    pub seed: u64,
    /// How ordinal numbers are written.
    pub ordinal: Ordinal,
    /// How many resources are drawn for each task that does not use them all.
    pub sample: usize,
}

impl Default for Options {
    /// Seed 0, ordinals in words, and the paper's 100 resources.
    fn default() -> Self {
        Options { seed: 0, ordinal: Ordinal::default(), sample: 100 }
    }
}

/// Makes the tasks that the resources allow, in the order of [`Kind::ALL`]; a task without instances is left out.
///
/// `nouns` gives the nouns of a sentence in order. The same arguments give the same tasks for good. An instance's id
/// names the task, the place of its resource in its list (from 0), and the condition or n. The gold of a noun task is
/// one output, the distinct nouns in sentence order joined by `, `.
pub fn generate(resources: &Resources, options: &Options, nouns: &dyn Fn(&str) -> Vec<Noun>) -> Vec<Task> {
    let sampled_nouns = sample_nouns(&resources.sentences, options, nouns);
    let of = |kind: Kind| match kind {
        Kind::Snli => sampled(Ask::Snli, resources.of(ResourceKind::Captions), options),
        Kind::Squad => sampled(Ask::Squad, resources.of(ResourceKind::Paragraphs), options),
        Kind::NewsQa => sampled(Ask::NewsQa, resources.of(ResourceKind::Highlights), options),
        Kind::Nouns => sampled_nouns.iter().map(|sentence| sentence.all(options)).collect(),
        Kind::NounsUnderCondition => {
            let pairs = sampled_nouns.iter().flat_map(|sentence| Condition::ALL.map(|condition| (sentence, condition)));
            pairs.filter_map(|(sentence, condition)| sentence.under(condition, options)).collect()
        }
        Kind::NthWord => nth_words(&resources.sentences, options),
        Kind::NthCharacter => nth_characters(&resources.sentences, options),
    };
    let tasks = Kind::ALL.into_iter().map(|kind| task(kind, of(kind), options));
    tasks.filter(|task| !task.instances.is_empty()).collect()
}

fn task(kind: Kind, instances: Vec<Instance>, options: &Options) -> Task {
    let mut settings = format!("seed {}", options.seed);
    if matches!(kind, Kind::NthWord | Kind::NthCharacter) {
        settings += &format!(", ordinals in {}", options.ordinal.name());
    }
    let english = vec!["English".to_owned()];
    Task {
        id: kind.id().to_owned(),
        title: Some(format!("Turking Test: {} ({settings})", kind.name())),
        definition: Some(kind.template().to_owned()),
        answer: Some(AnswerSpec { kind: AnswerKind::Text, na: None }),
        origin: Origin {
            dataset: vec![kind.dataset().to_owned()],
            category: vec!["Turking Test".to_owned()],
            input_language: english.clone(),
            output_language: english.clone(),
            instruction_language: english,
            ..Origin::default()
        },
        instances,
        ..Task::default()
    }
}

fn instance(index: usize, ask: Ask, resource: &str, gold: Option<String>, options: &Options) -> Instance {
    let detail = match ask {
        Ask::NounsUnder(condition) => format!("-{}", condition.key()),
        Ask::NthWord(n) | Ask::NthCharacter(n) => format!("-n{n}"),
        Ask::Snli | Ask::Squad | Ask::NewsQa | Ask::Nouns => String::new(),
    };
    Instance {
        id: Some(format!("{}-r{index}{detail}", ask.kind().id())),
        input: Instruction { ask, resource: resource.to_owned() }.text(options.ordinal),
        outputs: gold.into_iter().collect(),
        ..Instance::default()
    }
}

fn sampled(ask: Ask, resources: &[String], options: &Options) -> Vec<Instance> {
    let mut chosen = Random::stream(options.seed, ask.kind().id()).shuffled(resources.len());
    chosen.truncate(options.sample);
    chosen.sort_unstable();
    chosen.into_iter().map(|index| instance(index, ask, &resources[index], None, options)).collect()
}

fn nth_words(sentences: &[String], options: &Options) -> Vec<Instance> {
    let mut random = Random::stream(options.seed, Kind::NthWord.id());
    let draw = |(index, sentence): (usize, &String)| {
        let n = draw_word(sentence, &mut random)?;
        let gold = nth_word(sentence, n).map(str::to_owned);
        Some(instance(index, Ask::NthWord(n), sentence, gold, options))
    };
    sentences.iter().enumerate().filter_map(draw).collect()
}

fn nth_characters(sentences: &[String], options: &Options) -> Vec<Instance> {
    let mut random = Random::stream(options.seed, Kind::NthCharacter.id());
    let draw = |(index, sentence): (usize, &String)| {
        let n = draw_character(sentence, &mut random)?;
        let gold = nth_character(sentence, n).map(String::from);
        Some(instance(index, Ask::NthCharacter(n), sentence, gold, options))
    };
    sentences.iter().enumerate().filter_map(draw).collect()
}

/// A drawn sentence and its nouns.
struct TaggedSentence<'a> {
    index: usize,
    text: &'a str,
    nouns: Vec<Noun>,
}

impl TaggedSentence<'_> {
    fn all(&self, options: &Options) -> Instance {
        instance(self.index, Ask::Nouns, self.text, Some(gold(self.nouns.iter())), options)
    }

    /// None if no noun meets the condition.
    fn under(&self, condition: Condition, options: &Options) -> Option<Instance> {
        let gold = gold(self.nouns.iter().filter(|noun| condition.holds(noun)));
        let ask = Ask::NounsUnder(condition);
        (!gold.is_empty()).then(|| instance(self.index, ask, self.text, Some(gold), options))
    }
}

fn gold<'a>(nouns: impl Iterator<Item = &'a Noun>) -> String {
    let mut seen = std::collections::HashSet::new();
    let distinct = nouns.map(|noun| noun.text.as_str()).filter(|text| seen.insert(*text));
    distinct.collect::<Vec<_>>().join(", ")
}

/// Draws sentences that have a noun, in file order; the same ones serve with and without conditions.
fn sample_nouns<'a>(
    sentences: &'a [String],
    options: &Options,
    nouns: &dyn Fn(&str) -> Vec<Noun>,
) -> Vec<TaggedSentence<'a>> {
    let order = Random::stream(options.seed, Kind::Nouns.id()).shuffled(sentences.len());
    let tagged = order.into_iter().map(|index| {
        let text = sentences[index].as_str();
        TaggedSentence { index, text, nouns: nouns(text) }
    });
    let mut chosen: Vec<_> = tagged.filter(|sentence| !sentence.nouns.is_empty()).take(options.sample).collect();
    chosen.sort_unstable_by_key(|sentence| sentence.index);
    chosen
}
