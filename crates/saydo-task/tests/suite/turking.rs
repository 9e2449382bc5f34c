//! The Turking Test end to end: fixtures to tasks.

use proptest::prelude::*;
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::turking::{
    Ask, Instruction, Kind, Noun, Options, Ordinal, ResourceKind, Resources, generate, nth_character, nth_word,
};
use saydo_task::{Instance, Task};
use std::path::Path;

const FIXTURES: [(ResourceKind, &str); 4] = [
    (ResourceKind::Sentences, "sentences.tsv"),
    (ResourceKind::Captions, "captions.jsonl"),
    (ResourceKind::Paragraphs, "paragraphs.json"),
    (ResourceKind::Highlights, "highlights.jsonl"),
];

fn fixtures() -> Resources {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/turking"));
    let mut resources = Resources::default();
    for (kind, name) in FIXTURES {
        let source = Source::load(&folder.join(name)).expect("the fixture is there");
        resources.add(kind, kind.read(&source).into_resources().expect("the fixture is usable"));
    }
    resources
}

/// Stands for a tagger: the nouns of the fixtures, plural by their `s`.
fn fixture_nouns(sentence: &str) -> Vec<Noun> {
    const NOUNS: &str = "baker loaves noon nothing judge Oslo engine wheel Ferris Anna Uncle Émile umbrellas rain eggs \
                         ferries island dawn museum maps instruments doors winter valley compass surveyor Ireland";
    let words = sentence.split(|c: char| !c.is_alphabetic());
    let is_plural = |noun: &str| noun.ends_with('s') && !["Ferris", "compass"].contains(&noun);
    let nouns = words.filter(|word| !word.is_empty() && NOUNS.split(' ').any(|noun| noun == *word));
    nouns.map(|noun| Noun { text: noun.to_owned(), is_plural: is_plural(noun) }).collect()
}

fn task(tasks: &[Task], kind: Kind) -> &Task {
    tasks.iter().find(|task| task.id == kind.id()).expect("the task was made")
}

fn lines(task: &Task) -> String {
    let line = |instance: &Instance| {
        format!(
            "{} | {} | {}",
            instance.id.as_deref().expect("ids are given"),
            instance.input,
            instance.outputs.join(" / ")
        )
    };
    task.instances.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn fixtures_give_what_the_rules_keep() {
    let resources = fixtures();
    assert_eq!(resources.sentences.len(), 14);
    assert_eq!(resources.sentences[2], "\"Sit down, said the judge in Oslo.");
    assert_eq!(
        resources.captions,
        [
            "A woman in a red coat waves from the deck of a ferry.",
            "An empty tram waits at the last stop.",
            "Two old men play chess under a tree."
        ]
    );
    assert_eq!((resources.paragraphs.len(), resources.highlights.len()), (3, 4));
    assert_eq!(resources.highlights[2], "• Choir of miners wins a prize in Leeds .\n• Members' ages run from 19 to 84");
}

#[test]
fn seven_tasks_come_out() {
    let options = Options { sample: 3, ..Options::default() };
    let tasks = generate(&fixtures(), &options, &fixture_nouns);
    let counts: Vec<_> = Kind::ALL.map(|kind| task(&tasks, kind).instances.len()).into();
    assert_eq!(counts, [3, 3, 3, 3, 25, 14, 14]);
    insta::assert_snapshot!("nth_word", lines(task(&tasks, Kind::NthWord)));
    insta::assert_snapshot!("nth_character", lines(task(&tasks, Kind::NthCharacter)));
    insta::assert_snapshot!("nouns", lines(task(&tasks, Kind::Nouns)));
}

#[test]
fn conditions_keep_the_nouns_that_meet_them_and_drop_empty_pairs() {
    let resources = Resources { sentences: fixtures().sentences[8..9].to_vec(), ..Resources::default() };
    let tasks = generate(&resources, &Options::default(), &fixture_nouns);
    let gold = |instance: &Instance| (instance.id.clone().unwrap(), instance.outputs.join("/"));
    let golds: Vec<_> = task(&tasks, Kind::NounsUnderCondition).instances.iter().map(gold).collect();
    let expected = [
        ("lowercase-consonant", "ferries, dawn"),
        ("lowercase-vowel", "island"),
        ("singular-lowercase", "island, dawn"),
        ("plural-lowercase", "ferries"),
        ("singular-consonant", "dawn"),
        ("plural-consonant", "ferries"),
        ("singular-vowel", "island"),
    ];
    let id = |key: &str| format!("turking_nouns_condition-r0-{key}");
    assert_eq!(golds, expected.map(|(key, nouns)| (id(key), nouns.to_owned())));
}

#[test]
fn tasks_without_resources_are_left_out() {
    let resources = Resources { captions: fixtures().captions, ..Resources::default() };
    let tasks = generate(&resources, &Options::default(), &fixture_nouns);
    assert_eq!(tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(), ["turking_snli"]);
    assert!(tasks[0].instances.iter().all(|instance| instance.outputs.is_empty()));
}

#[test]
fn settings_are_recorded_in_the_title() {
    let options = Options { seed: 7, ordinal: Ordinal::Digits, ..Options::default() };
    let tasks = generate(&fixtures(), &options, &fixture_nouns);
    let title = |kind| task(&tasks, kind).title.clone().unwrap();
    assert_eq!(title(Kind::NthWord), "Turking Test: nth word (seed 7, ordinals in digits)");
    assert_eq!(title(Kind::Nouns), "Turking Test: all nouns (seed 7)");
    let input = &task(&tasks, Kind::NthWord).instances[0].input;
    assert!(input.starts_with("Write the ") && input[10..11].parse::<u8>().is_ok(), "{input}");
}

#[test]
fn braces_in_a_resource_stay() {
    let tasks = generate(&fixtures(), &Options::default(), &fixture_nouns);
    let inputs = task(&tasks, Kind::NthWord).instances.iter().map(|instance| instance.input.as_str());
    assert!(inputs.clone().any(|input| input.ends_with("from the sentence \"It rained {resource}.\".")));
}

#[test]
fn every_format_holds_the_tasks() {
    for made in generate(&fixtures(), &Options::default(), &fixture_nouns) {
        for format in Format::ALL {
            let name = format!("{}.{}", made.id, format.extension());
            let source = Source::from_bytes(Path::new(&name), format.write(&made).text.into_bytes()).unwrap();
            let back = format.read(&source).into_tasks().unwrap().remove(0);
            // The name of a file of Everyday is a domain, which its tasks' ids begin with.
            let id = if format == Format::Everyday { format!("{0}/{0}", made.id) } else { made.id.clone() };
            assert_eq!((&back.id, &back.definition), (&id, &made.definition));
            let pairs = back.instances.iter().zip(&made.instances);
            assert_eq!(back.instances.len(), made.instances.len());
            assert!(pairs.clone().all(|(back, made)| (&back.input, &back.outputs) == (&made.input, &made.outputs)));
            let holds_ids = matches!(format, Format::Toml | Format::SuperNaturalInstructions | Format::Everyday);
            assert!(!holds_ids || pairs.clone().all(|(back, made)| back.id == made.id));
        }
    }
}

/// Checks each instance against its own instruction.
pub fn assert_gold_is_right(tasks: &[Task], nouns: &dyn Fn(&str) -> Vec<Noun>) {
    let mut ids = std::collections::HashSet::new();
    for instance in tasks.iter().flat_map(|task| &task.instances) {
        assert!(ids.insert(instance.id.clone().expect("ids are given")), "{:?} stands twice", instance.id);
        let Instruction { ask, resource } = Instruction::parse(&instance.input).expect("instances follow a template");
        let gold = match ask {
            Ask::Snli | Ask::Squad | Ask::NewsQa => None,
            Ask::NthWord(n) => Some(nth_word(&resource, n).expect("the word is there").to_owned()),
            Ask::NthCharacter(n) => Some(nth_character(&resource, n).expect("no space is asked for").to_string()),
            Ask::Nouns => Some(joined(nouns(&resource), |_| true)),
            Ask::NounsUnder(condition) => Some(joined(nouns(&resource), |noun| condition.holds(noun))),
        };
        assert!(gold.as_deref() != Some(""));
        assert_eq!(instance.outputs, gold.into_iter().collect::<Vec<_>>());
    }
}

fn joined(nouns: Vec<Noun>, keep: impl Fn(&Noun) -> bool) -> String {
    let mut texts: Vec<String> = Vec::new();
    for noun in nouns.into_iter().filter(keep) {
        if !texts.contains(&noun.text) {
            texts.push(noun.text);
        }
    }
    texts.join(", ")
}

#[test]
fn gold_is_right_for_the_fixtures() {
    assert_gold_is_right(&generate(&fixtures(), &Options::default(), &fixture_nouns), &fixture_nouns);
}

/// Stands for a tagger on any text: longer words are nouns.
pub fn long_words(sentence: &str) -> Vec<Noun> {
    let words = sentence.split_whitespace().filter(|word| word.chars().count() > 2);
    words.map(|word| Noun { text: word.to_owned(), is_plural: word.ends_with('c') }).collect()
}

proptest! {
    #[test]
    fn gold_is_right_for_any_resources(
        sentences in proptest::collection::vec("[a-cE.\\PC \u{3000}\"{}]{0,50}", 0..8),
        captions in proptest::collection::vec(any::<String>(), 0..4),
        seed in any::<u64>(),
        sample in 0..5_usize,
    ) {
        let resources = Resources { sentences, captions, ..Resources::default() };
        let options = Options { seed, sample, ordinal: Ordinal::ALL[seed as usize % 2] };
        let tasks = generate(&resources, &options, &long_words);
        assert_gold_is_right(&tasks, &long_words);
        prop_assert_eq!(&tasks, &generate(&resources, &options, &long_words));
        prop_assert!(tasks.iter().all(|task| task.id.contains("_nth_") || task.instances.len() <= 12 * sample));
    }
}

#[test]
fn another_seed_gives_other_draws() {
    let draw = |seed| generate(&fixtures(), &Options { seed, ..Options::default() }, &fixture_nouns);
    assert_ne!(draw(1), draw(2));
}
