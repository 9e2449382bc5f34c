//! Prompts of published tasks, which stay outside the repository; what they must be is known by hash.

use crate::natural_instructions::{layout, layout_of, prompts, task};
use crate::{number, tk_instruct};
use saydo_bpe::Gpt2;
use saydo_conformance::{Protocol, compare, json_lines, outside, read_json_lines, sha256};
use saydo_encode::{Layout, largest_num_examples, select_instances};
use saydo_task::source::{Source, load_bytes};
use serde_json::Value;
use std::collections::HashMap;

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn prompts_of_published_tasks_are_those_of_the_released_encoder() {
    let folder = outside("data/natural-instructions-v1/tasks");
    let rows = json_lines("encodings/natural_instructions_hashes.jsonl");
    assert_eq!(rows.len(), 108);
    compare(Protocol::Encodings, rows, |row| {
        let path = folder.join(format!("{}.json", row["task"].as_str().unwrap()));
        let task = task(&Source::load(&path).unwrap());
        let prompts = prompts(&task, &layout_of(&row), number(&row["num_instances"])).unwrap();
        let (index, prompt) = &prompts[number(&row["position"])];
        assert_eq!(*index, number(&row["instance_index"]));
        assert_eq!(sha256(prompt), row["sha256"].as_str().unwrap(), "{row}: {prompt}");
    });
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn sources_of_published_tasks_are_those_of_the_released_collator() {
    let rows = read_json_lines(&outside("vectors/encodings/tk_instruct_prompts.jsonl"));
    assert_eq!(rows.len(), 45);
    compare(Protocol::Encodings, tk_instruct::with_examples(&rows), tk_instruct::check);
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn every_prompt_stored_with_the_gpt3_outputs_is_reproduced() {
    let folder = outside("data/natural-instructions-v1");
    let mut tasks = HashMap::new();
    let mut compared = 0;
    for file in std::fs::read_dir(folder.join("gpt3_predictions")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let [id, elements, numbers] = name.split('@').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let path = folder.join(format!("tasks/{id}.json"));
        if !path.exists() {
            continue;
        }
        let task = tasks.entry(id.to_owned()).or_insert_with(|| task(&Source::load(&path).unwrap()));
        let elements: Vec<&str> = elements[1..].split('_').collect();
        let num_examples = numbers.split_once('_').unwrap().0.parse().unwrap();
        let prompts = prompts(task, &layout(&elements, num_examples), 100).unwrap();
        let stored: Value = serde_json::from_slice(&load_bytes(&file.path()).unwrap()).unwrap();
        let stored = stored["predictions"].as_array().unwrap();
        assert_eq!(stored.len(), prompts.len());
        compare(Protocol::Encodings, stored.iter().zip(&prompts), |(stored, (index, prompt))| {
            assert_eq!(number(&stored["index"]), *index, "{name}");
            assert_eq!(stored["input"].as_str().unwrap(), prompt, "{name}");
            compared += 1;
        });
    }
    assert_eq!(compared, 21_600);
}

/// GPT-3's window of 2048 tokens less the 16 it generated.
const MAX_TOKENS: usize = 2032;

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn as_many_examples_fit_as_in_the_released_runs() {
    let folder = outside("data/natural-instructions-v1/tasks");
    let released = [
        ("subtask052_multirc_identify_bad_question", "ni-full", 3),
        ("subtask045_miscellaneous_sentence_paraphrasing", "ni-full-no-negative", 27),
        ("subtask003_mctaco_question_generation_event_duration", "ni-prompt-all-examples", 38),
        ("subtask040_qasc_question_generation", "ni-examples", 70),
    ];
    compare(Protocol::Encodings, released, |(name, layout, num_examples)| {
        let task = task(&Source::load(&folder.join(format!("{name}.json"))).unwrap());
        let Layout::NaturalInstructions(layout) = Layout::named(layout).unwrap() else { panic!("{layout}") };
        let selected = select_instances(task.instances.len(), 100).unwrap();
        let count = |text: &str| Gpt2::shared().count(text);
        let found = largest_num_examples(&task, &layout.elements, &selected, MAX_TOKENS, &count).unwrap();
        assert_eq!(found, num_examples, "{}", task.id);
    });
}
