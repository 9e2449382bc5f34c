//! The task that all tests of this crate write prompts for, and what holds for every layout.

use crate::{EncodeOptions, Encoder, Layout, Tokens, encode_task};
use proptest::prelude::*;
use saydo_task::{Example, Instance, Task};

/// A small task with every element, and `instances` instances numbered from 0.
pub(crate) fn task_with(instances: usize) -> Task {
    let example = |input: &str, output: &str, reason: &str| Example {
        input: input.to_owned(),
        output: output.to_owned(),
        reason: Some(reason.to_owned()),
        suggestion: None,
    };
    let negative = example("A fox chased a hen.", "fox hen", "There are two.");
    Task {
        id: "animals".to_owned(),
        definition: Some(" Name every animal\nin the sentence. \n".to_owned()),
        prompt: Some("Name the animals:".to_owned()),
        things_to_avoid: Some("Do not name plants.".to_owned()),
        emphasis: Some("Keep the order".to_owned()),
        raw: Some("Read the sentence.\n\nName its animals.".to_owned()),
        positive: vec![
            example("The duck slept.", "duck", "It is the only animal."),
            example("Owls see cats.", "owls, cats", "Both are animals."),
        ],
        negative: vec![
            Example { suggestion: Some("Put a comma.".to_owned()), ..negative },
            example("A rose.", "rose", "It is a plant."),
        ],
        instances: (0..instances).map(labelled).collect(),
        ..Task::default()
    }
}

fn labelled(i: usize) -> Instance {
    Instance {
        outputs: vec![format!("animal {i}"), "other".to_owned()],
        ..Instance::unlabelled(format!("Sentence {i}."))
    }
}

/// Words and an end marker, as in the reference vectors.
pub(crate) const WORDS: Tokens<'static> = Tokens {
    count: &|text| text.split_whitespace().count() + 1,
    truncate: &|text, max_tokens| text.split_whitespace().take(max_tokens).collect::<Vec<_>>().join(" "),
};

fn texts(task: &Task, layout: &str, options: &EncodeOptions<'_>) -> Vec<String> {
    let prompts = encode_task(task, &Layout::named(layout).unwrap(), options).unwrap();
    prompts.into_iter().map(|(_, prompt)| prompt.text()).collect()
}

#[test]
fn natural_instructions_layouts_choose_instances_by_the_released_rule() {
    let options = EncodeOptions { num_instances: Some(2), ..EncodeOptions::default() };
    let prompts = encode_task(&task_with(100), &Layout::named("ni-prompt").unwrap(), &options).unwrap();
    assert_eq!(prompts.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [60, 80]);
    let prompts = encode_task(&task_with(100), &Layout::named("tk-def").unwrap(), &options).unwrap();
    assert_eq!(prompts.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn without_a_number_all_instances_are_encoded() {
    for named in Layout::names() {
        let prompts = encode_task(&task_with(3), &named.layout(), &EncodeOptions::default()).unwrap();
        assert_eq!(prompts.len(), 3, "{}", named.name);
    }
}

#[test]
fn a_limit_fills_the_prompt_with_examples() {
    let limit = |max_tokens| EncodeOptions { max_tokens: Some(max_tokens), tokens: WORDS, ..EncodeOptions::default() };
    let task = task_with(70);
    for max_tokens in [8, 20, 50, 100] {
        let prompts = texts(&task, "ni-examples", &limit(max_tokens));
        let examples = prompts[0].matches("output:").count() - 1;
        let layout = Layout::named("ni-examples").unwrap();
        let one_more = encode_task(&task, &layout.with_num_examples(examples + 1), &EncodeOptions::default()).unwrap();
        assert!((WORDS.count)(&prompts[0]) <= max_tokens);
        assert!((WORDS.count)(&one_more[0].1.text()) > max_tokens);
    }
}

#[test]
fn a_fixed_number_of_examples_that_does_not_fit_is_an_error() {
    let options =
        EncodeOptions { num_examples: Some(2), max_tokens: Some(20), tokens: WORDS, ..EncodeOptions::default() };
    let error = encode_task(&task_with(3), &Layout::named("ni-full").unwrap(), &options).unwrap_err();
    insta::assert_snapshot!(error, @"the prompt of instance 0 of task `animals` has 86 tokens, expected at most 20");
}

#[test]
fn layouts_without_examples_are_cut_and_say_so() {
    let options = EncodeOptions { max_tokens: Some(4), tokens: WORDS, ..EncodeOptions::default() };
    let prompts = encode_task(&task_with(1), &Layout::ZestT5 { num_examples: 0 }, &options).unwrap();
    assert!(prompts[0].1.is_cut);
    assert_eq!(prompts[0].1.text(), "zest question: Name every");
    let prompts = encode_task(&task_with(1), &Layout::Bare, &options).unwrap();
    assert!(!prompts[0].1.is_cut);
}

#[test]
fn a_zest_layout_takes_the_prompt_where_there_is_no_definition() {
    let task = Task { definition: None, ..task_with(1) };
    assert_eq!(
        texts(&task, "zest-bart", &EncodeOptions::default()),
        [" zest question: Name the animals: zest context: Sentence 0."]
    );
    let task = Task { id: "empty".to_owned(), ..Task::default() };
    let error = Encoder::new(&task, &Layout::ZestT5 { num_examples: 0 }, Tokens::UNCOUNTED).err().unwrap();
    insta::assert_snapshot!(error, @"task `empty` has neither a definition nor a prompt, expected one to stand as the question");
}

#[test]
fn the_instruction_of_the_turking_test_is_the_input_and_a_line_end() {
    assert_eq!(texts(&task_with(1), "turking", &EncodeOptions::default()), ["Sentence 0.\n"]);
    assert_eq!(texts(&task_with(1), "none", &EncodeOptions::default()), ["Sentence 0."]);
}

prop_compose! {
    fn any_example()(input: String, output: String, reason: Option<String>, suggestion: Option<String>) -> Example {
        Example { input, output, reason, suggestion }
    }
}

prop_compose! {
    fn any_instance()(input: String, outputs in prop::collection::vec(any::<String>(), 0..3)) -> Instance {
        Instance { outputs, ..Instance::unlabelled(input) }
    }
}

prop_compose! {
    fn any_task()(
        id: String,
        texts: [Option<String>; 4],
        positive in prop::collection::vec(any_example(), 0..4),
        negative in prop::collection::vec(any_example(), 0..4),
        instances in prop::collection::vec(any_instance(), 0..8),
    ) -> Task {
        let [definition, prompt, things_to_avoid, emphasis] = texts;
        Task { id, definition, prompt, things_to_avoid, emphasis, positive, negative, instances, ..Task::default() }
    }
}

proptest! {
    #[test]
    fn any_task_gives_prompts_or_an_error(
        task in any_task(),
        named in prop::sample::select((0..Layout::names().len()).collect::<Vec<_>>()),
        num_examples in prop::option::of(0_usize..9),
        num_instances in prop::option::of(0_usize..9),
        max_tokens in prop::option::of(0_usize..60),
    ) {
        let layout = Layout::names()[named].layout();
        let options = EncodeOptions { num_examples, num_instances, max_tokens, tokens: WORDS };
        let Ok(prompts) = encode_task(&task, &layout, &options) else { return Ok(()) };
        for (index, prompt) in prompts {
            prop_assert!(index < task.instances.len());
            // A cut text has no end marker, which the count includes.
            let limit = max_tokens.map_or(usize::MAX, |max_tokens| max_tokens + usize::from(prompt.is_cut));
            prop_assert!((WORDS.count)(&prompt.text()) <= limit);
        }
    }

    #[test]
    fn all_instances_share_a_prefix_that_starts_their_prompts(
        task in any_task(),
        named in prop::sample::select((0..Layout::names().len()).collect::<Vec<_>>()),
    ) {
        let Ok(prompts) = encode_task(&task, &Layout::names()[named].layout(), &EncodeOptions::default()) else {
            return Ok(());
        };
        for (_, prompt) in &prompts {
            prop_assert_eq!(&prompt.prefix, &prompts[0].1.prefix);
            prop_assert_eq!(prompt.text(), format!("{}{}", prompt.prefix, prompt.suffix));
        }
    }
}
