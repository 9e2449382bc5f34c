//! The files that users of lm-evaluation-harness know: `results_*.json`, and `samples_*.jsonl` for each task.
//!
//! Names of fields are that program's; a metric `m` stands as `m,none` with `m_stderr,none` beside it. A run with several
//! layouts or decodings lists each task once for each, as `task@layout@decoding`.

use crate::record::{Opened, write_json, write_lines};
use crate::score::{Row, Scores, variants};
use crate::{Error, Plan, Sample};
use saydo_file::digest;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Writes `results_DATE.json` into the run's folder; gives its path.
pub fn write_results(run: &Opened, scores: &Scores, date: &str) -> Result<PathBuf, Error> {
    let path = run.folder.join(format!("results_{date}.json"));
    write_json(&path, &results(run, scores))?;
    Ok(path)
}

/// Writes `samples_TASK_DATE.jsonl` for each task into the run's folder; gives how many files.
pub fn write_samples(run: &Opened, scores: &Scores, date: &str) -> Result<usize, Error> {
    let mut files: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, name) in names(&run.plan).into_iter().enumerate() {
        files.entry(name).or_default().push(number);
    }
    for (name, numbers) in &files {
        let path = run.folder.join(format!("samples_{}_{date}.jsonl", file_name(name)));
        write_lines(&path, numbers.iter().map(|number| sample(run, scores, *number)))?;
    }
    Ok(files.len())
}

/// The results as one value.
pub fn results(run: &Opened, scores: &Scores) -> Value {
    let plan = &run.plan;
    let (mut results, mut counts, mut shots) = (Map::new(), Map::new(), Map::new());
    let (mut versions, mut configs, mut better) = (Map::new(), Map::new(), Map::new());
    let names = names(plan);
    let mut firsts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        firsts.entry(name).or_insert((number, 0)).1 += 1;
    }
    let is_several = is_several(plan);
    for row in scores.rows.iter().filter(|row| row.by == "task") {
        let name = row_name(row, is_several);
        let entry = results.entry(name.clone()).or_insert_with(|| json!({"alias": name}));
        entry[format!("{},none", row.metric)] = json!(row.mean);
        entry[format!("{}_stderr,none", row.metric)] = standard_error(row).map_or(json!("N/A"), Value::from);
    }
    for (name, (first, count)) in firsts {
        let sample = &plan.samples[first];
        counts.insert(name.to_owned(), json!({"original": count, "effective": count}));
        shots.insert(name.to_owned(), json!(sample.examples));
        versions.insert(name.to_owned(), json!(run.record.version));
        better
            .insert(name.to_owned(), plan.protocol.metrics().iter().map(|m| ((*m).to_owned(), json!(true))).collect());
        configs.insert(name.to_owned(), config(plan, sample));
    }
    let groups: Vec<&Row> = scores.rows.iter().filter(|row| row.by != "task").collect();
    json!({
        "results": results,
        "groups": groups,
        "configs": configs,
        "versions": versions,
        "n-shot": shots,
        "higher_is_better": better,
        "n-samples": counts,
        "config": {
            "model": run.record.model,
            "model_args": run.record.fingerprint,
            "random_seed": run.record.seed,
            "limit": run.record.settings["limit"],
            "gen_kwargs": run.record.decodings,
        },
        "model_name": run.record.model,
        "model_name_sanitized": file_name(&run.record.model),
        "date": run.record.begun,
        "saydo": {"protocol": run.record.protocol, "scores": scores},
    })
}

fn config(plan: &Plan, sample: &Sample) -> Value {
    let task = &plan.tasks[sample.task];
    let metrics: Vec<Value> =
        plan.protocol.metrics().iter().map(|metric| json!({"metric": metric, "higher_is_better": true})).collect();
    let decoding = &plan.decodings[sample.decoding];
    json!({
        "task": task.id,
        "tag": task.category,
        "description": task.description,
        "num_fewshot": sample.examples,
        "metric_list": metrics,
        "output_type": "generate_until",
        "generation_kwargs": {"until": decoding.stop, "do_sample": decoding.draws > 1, "decoding": decoding},
        "metadata": {"layout": plan.layouts[sample.layout]},
    })
}

fn sample(run: &Opened, scores: &Scores, number: usize) -> Value {
    let (plan, scored) = (&run.plan, &scores.samples[number]);
    let sample = &plan.samples[number];
    let task = &plan.tasks[sample.task];
    let instance = &task.instances[sample.instance];
    let prompt = plan.prompt(sample);
    let target = instance.gold.first().cloned().unwrap_or_default();
    let doc = json!({"task": task.id, "id": instance.id, "input": instance.input, "references": instance.gold});
    let decoding = &plan.decodings[sample.decoding];
    let mut row = json!({
        "doc_id": instance.number,
        "doc": doc,
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": decoding.stop, "decoding": decoding.name}}},
        "resps": [[scored.reply]],
        "filtered_resps": [scored.reply],
        "filter": "none",
        "metrics": plan.protocol.metrics(),
        "doc_hash": hash(&doc.to_string()),
        "prompt_hash": hash(&prompt),
        "target_hash": hash(&target),
        "draw": sample.draw,
        "status": scored.status,
    });
    for (metric, value) in plan.protocol.metrics().iter().zip(&scored.metrics) {
        row[*metric] = json!(value);
    }
    row
}

/// Whether there are several layouts or decodings, so that a task's name alone does not say what was asked.
fn is_several(plan: &Plan) -> bool {
    plan.layouts.len() > 1 || plan.decodings.len() > 1 || variants(plan).windows(2).any(|pair| pair[0] != pair[1])
}

fn names(plan: &Plan) -> Vec<String> {
    let is_several = is_several(plan);
    let name = |(sample, variant): (&Sample, String)| {
        let task = &plan.tasks[sample.task].id;
        match is_several {
            true => format!("{task}@{variant}@{}", plan.decodings[sample.decoding].name),
            false => task.clone(),
        }
    };
    plan.samples.iter().zip(variants(plan)).map(name).collect()
}

fn row_name(row: &Row, is_several: bool) -> String {
    if is_several { format!("{}@{}@{}", row.name, row.layout, row.decoding) } else { row.name.clone() }
}

/// A 95% interval spans 3.92 standard errors of a mean that is spread as means are.
fn standard_error(row: &Row) -> Option<f64> {
    row.interval.map(|[low, high]| (high - low) / 3.92)
}

fn hash(text: &str) -> String {
    digest::of(text).hex()
}

/// A name that is fit for a file: what is no letter, digit, hyphen, point or underscore becomes `_`.
pub fn file_name(name: &str) -> String {
    let is_fit = |c: char| c.is_ascii_alphanumeric() || "-._@".contains(c);
    name.chars().map(|c| if is_fit(c) { c } else { '_' }).collect()
}

/// Whether a folder holds an evaluation.
pub fn is_run(folder: &Path) -> bool {
    folder.join("eval.json").is_file()
}
