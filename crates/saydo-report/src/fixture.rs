//! Tiny runs for tests, written to a folder as `saydo eval` writes them and read back.

use crate::Run;
use saydo_protocol::score::{Options, score};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A run of ZEST: two tasks of two types, four passages each; every reply is right but the last, which failed. Some
/// replies may be given by their place.
pub(crate) fn zest(replies: &[(usize, &str)]) -> Run {
    let gold = ["yes", "NA", "no", "yes", "Half Dome", "NA", "El Capitan", "NA"];
    let task = |number: usize, question: &str, kind: &str| {
        let instance = |place: usize| {
            let input = format!("Passage {} about a park{}.", place, " and more".repeat(place));
            json!({"number": place, "input": input, "gold": [gold[4 * number + place]]})
        };
        json!({"id": format!("t{number}"), "description": question, "generalization": kind, "domain": "parks",
            "instances": (0..4).map(instance).collect::<Vec<_>>()})
    };
    let tasks = [task(0, "Are dogs allowed?", "normal"), task(1, "Which rock is the highest?", "combination")];
    let mut answers: Vec<Value> = gold.iter().map(|gold| json!(gold)).collect();
    answers[7] = Value::Null;
    for (place, reply) in replies {
        answers[*place] = json!(reply);
    }
    load("zest", "zest-t5", &tasks, &answers)
}

/// A run of Natural Instructions: two tasks of two categories, two instances each, half of the replies right.
pub(crate) fn natural_instructions() -> Run {
    let task = |id: &str, category: &str| {
        let instance = |place: usize| json!({"number": place, "input": format!("Sentence {place}{}", " word".repeat(place)), "gold": ["a cat sat"]});
        json!({"id": id, "description": "Do it.", "category": category, "dataset": "none",
            "instances": (0..2).map(instance).collect::<Vec<_>>()})
    };
    let tasks = [task("subtask001_a", "classification"), task("subtask002_b", "answer generation")];
    let answers = ["a cat sat", "a dog", "a cat sat", "nothing"].map(|text| json!(text));
    load("natural-instructions", "ni-full", &tasks, &answers)
}

/// The run of Natural Instructions, asked in each of these layouts.
pub(crate) fn natural_instructions_in(layouts: &[&str]) -> Run {
    let mut opened = natural_instructions().opened;
    let layouts: Vec<String> = layouts.iter().map(|layout| (*layout).to_owned()).collect();
    let of_layout = |layout: usize| {
        let samples = opened.plan.samples.iter().cloned();
        samples.map(move |sample| saydo_protocol::Sample { layout, ..sample })
    };
    opened.plan.samples = (0..layouts.len()).flat_map(of_layout).collect();
    opened.cells = vec![opened.cells; layouts.len()].concat();
    opened.record.layouts.clone_from(&layouts);
    opened.plan.layouts = layouts;
    let scores = score(&opened.plan, &opened.cells, &Options::default()).unwrap();
    Run::new(opened, scores)
}

/// A run of the Turking Test: four words of four sentences, two of them right.
pub(crate) fn turking() -> Run {
    let gold = ["one", "five", "two", "six"];
    let instance = |(place, nth): (usize, &str)| {
        let sentence = format!("One two three four five six seven{}.", " and more".repeat(place));
        json!({"number": place, "input": format!("Write the {nth} word from the sentence \"{sentence}\"."),
            "gold": [gold[place]]})
    };
    let instances: Vec<Value> = ["first", "fifth", "second", "sixth"].into_iter().enumerate().map(instance).collect();
    let tasks = [json!({"id": "turking_nth_word", "description": "", "instances": instances})];
    load("turking", "turking", &tasks, &["One", "five", "no", "no"].map(|text| json!(text)))
}

/// The ZEST run with a prompt, a reply and an error that try to be more than text.
pub(crate) fn hostile() -> Run {
    let mut run = zest(&[(0, HOSTILE), (1, "a | b\u{2028}c")]);
    run.opened.plan.samples[0].text = HOSTILE.to_owned();
    run.opened.plan.tasks[0].id = HOSTILE.to_owned();
    run.opened.record.model = HOSTILE.to_owned();
    run.name = HOSTILE.to_owned();
    run
}

pub(crate) const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)><!--<script>";

fn load(protocol: &str, layout: &str, tasks: &[Value], answers: &[Value]) -> Run {
    let (mut samples, mut ledger) = (String::new(), String::new());
    let count = tasks.first().map_or(0, |task| task["instances"].as_array().map_or(0, Vec::len));
    for (place, answer) in answers.iter().enumerate() {
        let (task, instance) = (place / count, place % count);
        let key = format!("{place:032x}");
        let text = format!("{} A:", tasks[task]["instances"][instance]["input"].as_str().unwrap_or_default());
        let sample = json!({"key": key, "task": task, "instance": instance, "layout": 0, "prefix": task, "text": text});
        writeln!(samples, "{sample}").unwrap();
        let confidence = if protocol == "zest" { json!(0.5 + 0.05 * place as f64) } else { Value::Null };
        let status = if answer.is_null() { "failed" } else { "ok" };
        let mut cell = json!({"key": key, "status": status, "answer": answer, "spans": [], "confidence": confidence,
            "windows": 1, "ms": 3});
        if answer.is_null() {
            cell["error"] = json!("the server went away");
        }
        writeln!(ledger, "{cell}").unwrap();
    }
    let record = json!({
        "version": "0.1.0", "protocol": protocol, "model": "scripted", "fingerprint": "scripted",
        "data": ["dev.jsonl"], "data_fingerprint": "00ff", "layouts": [layout],
        "decodings": [{"name": "greedy", "strategy": "greedy", "length": {"tokens": 16}, "stop": ["\n\n"], "draws": 1}],
        "chat": false, "seed": 0, "tasks": tasks.len(), "samples": answers.len(), "begun": 1_794_812_596_u64,
        "settings": {"limit": 4, "tasks": [], "split": null, "seen_tasks": 10},
    });
    let folder = tempfile::tempdir().unwrap();
    let lines = |values: &[Value]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    let prefixes: Vec<Value> = tasks.iter().map(|task| json!(format!("Q: {} P: ", task["description"]))).collect();
    for (name, text) in [
        ("eval.json", record.to_string()),
        ("tasks.jsonl", lines(tasks)),
        ("prefixes.jsonl", lines(&prefixes)),
        ("samples.jsonl", samples),
        ("ledger.jsonl", ledger),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    Run::load(folder.path(), &Options::default()).unwrap()
}
