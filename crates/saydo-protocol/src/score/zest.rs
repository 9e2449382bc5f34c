//! Task F1, competence and paired generalization as the released evaluator computes them, for each way the questions
//! were asked.

use super::row::TaskValue;
use super::variant::variants;
use super::{Detail, Options, SampleScore, Scored, ZestResult};
use crate::{Error, Plan};
use saydo_eval::Mode;
use saydo_eval::zest::{self, Prediction};
use saydo_metrics::exact::exact_match;
use saydo_task::format::zest::{Record, RecordExample};
use saydo_task::node::{Node, Value};
use std::collections::BTreeMap;

pub(super) fn score(plan: &Plan, mut samples: Vec<SampleScore>, options: &Options) -> Result<Scored, Error> {
    let variants = variants(plan);
    let mut ways: BTreeMap<(String, String, usize), Vec<usize>> = BTreeMap::new();
    for (number, sample) in plan.samples.iter().enumerate() {
        let decoding = plan.decodings[sample.decoding].name.clone();
        ways.entry((variants[number].clone(), decoding, sample.draw)).or_default().push(number);
    }
    let (mut values, mut detail, mut notes) = (Vec::new(), BTreeMap::new(), Vec::new());
    for ((layout, decoding, draw), mut numbers) in ways {
        numbers.sort_by_key(|number| (plan.samples[*number].task, plan.samples[*number].instance));
        let records = records(plan, &numbers);
        let predictions: Vec<Prediction> = numbers.iter().map(|number| prediction(&samples[*number])).collect();
        let result = evaluate(&records, &predictions, options, &mut notes)?;
        for (number, kind) in numbers.iter().zip(&result.errors.of_instance) {
            samples[*number].pattern = kind.map(|kind| kind.name().to_owned());
        }
        let mut rest = numbers.as_slice();
        for (task, record) in result.scores.tasks.iter().zip(&records) {
            let (own, others) = rest.split_at(record.examples.len());
            rest = others;
            let Some(task) = task.scored() else { continue };
            for (number, instance) in own.iter().zip(&task.instances) {
                samples[*number].metrics = vec![Some(instance.score), Some(exact(plan, *number, &samples[*number]))];
            }
            let (layout, decoding) = (layout.clone(), decoding.clone());
            let task_number = plan.samples[own[0]].task;
            values.push(TaskValue { task: task_number, layout, decoding, metric: "f1", value: task.f1 });
        }
        let name = if draw == 0 { format!("{layout}, {decoding}") } else { format!("{layout}, {decoding} {draw}") };
        detail.insert(name, result);
    }
    Ok(Scored { samples, values, detail: Detail::Zest(detail), notes })
}

/// A reply that makes the reference stop is scored with its quirks repaired instead, and a note says so.
fn evaluate(
    records: &[Record],
    predictions: &[Prediction],
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<ZestResult, Error> {
    let with = |mode: Mode| {
        let settings = zest::Options { seed: options.seed as u32, ..zest::Options::from(mode) };
        let scores = zest::score(records, predictions, &settings)?;
        let errors = zest::error_kinds(records, predictions, settings.repairs)?;
        Ok::<_, zest::Error>(ZestResult { scores, errors })
    };
    match with(options.mode) {
        Err(error) if options.mode == Mode::Strict => {
            notes.push(format!("the reference program would stop here ({error}), so its quirks are repaired"));
            Ok(with(Mode::Fixed)?)
        }
        result => Ok(result?),
    }
}

/// The gold of these samples as the lines of a ZEST file.
fn records(plan: &Plan, numbers: &[usize]) -> Vec<Record> {
    let same_task = |a: &usize, b: &usize| plan.samples[*a].task == plan.samples[*b].task;
    let record = |(line, numbers): (usize, &[usize])| {
        let task = &plan.tasks[plan.samples[numbers[0]].task];
        let example = |number: &usize| {
            let instance = &task.instances[plan.samples[*number].instance];
            RecordExample { context: String::new(), answer: Some(answer(&instance.gold)) }
        };
        Record {
            id: Value::String(task.id.clone()),
            question: task.description.clone(),
            generalization: task.generalization.clone(),
            domain: task.domain.clone(),
            derives_from: task.derives_from.iter().cloned().map(Value::String).collect(),
            examples: numbers.iter().map(example).collect(),
            line: line + 1,
        }
    };
    numbers.chunk_by(same_task).enumerate().map(record).collect()
}

fn answer(gold: &[String]) -> Value {
    match gold {
        [one] => Value::String(one.clone()),
        several => {
            let node = |text: &String| Node { value: Value::String(text.clone()), offset: 0 };
            Value::Array(several.iter().map(node).collect())
        }
    }
}

fn prediction(sample: &SampleScore) -> Prediction {
    // The reference reads a line for each answer.
    let text = sample.text().replace(['\r', '\n'], " ");
    let text = if text.trim().is_empty() { super::NO_REPLY.to_owned() } else { text.trim().to_owned() };
    Prediction { text: Ok(text), line: 1, task: None }
}

fn exact(plan: &Plan, number: usize, scored: &SampleScore) -> f64 {
    let sample = &plan.samples[number];
    f64::from(u8::from(exact_match(scored.text(), &plan.tasks[sample.task].instances[sample.instance].gold)))
}
