//! Task F1, competence and paired generalization as the released evaluator computes them, for each way the questions
//! were asked.

use crate::Mode;
use crate::score::row::TaskValue;
use crate::score::{Detail, Options, SampleScore, Scored, ZestResult, indicator, ways};
use crate::zest::{self, Buckets, LineFault, Prediction};
use crate::{Error, Plan, measure};
use saydo_task::format::zest::{Record, RecordExample};
use saydo_task::node::{Node, Value};
use std::collections::BTreeMap;

pub(crate) fn score(plan: &Plan, samples: &mut [SampleScore], options: &Options) -> Result<Scored, Error> {
    let (mut scored, mut detail) = (Scored::new(Detail::Zest(BTreeMap::new())), BTreeMap::new());
    for (way, mut numbers) in ways(plan) {
        numbers.sort_by_key(|number| (plan.samples[*number].task, plan.samples[*number].instance));
        let records = records(plan, &numbers);
        let predictions: Vec<Prediction> = numbers.iter().map(|number| prediction(&samples[*number])).collect();
        let result = evaluate(&records, &predictions, options, &mut scored)?;
        for (number, kind) in numbers.iter().zip(&result.errors.of_instance) {
            samples[*number].pattern = kind.map(|kind| kind.name().to_owned());
        }
        let mut rest = numbers.as_slice();
        for (task, record) in result.scores.tasks.iter().zip(&records) {
            let (own, others) = rest.split_at(record.examples.len());
            rest = others;
            let Some(task) = task.scored() else { continue };
            for (number, instance) in own.iter().zip(&task.instances) {
                let exact = samples[*number].is_exact(&plan.instance(&plan.samples[*number]).gold);
                samples[*number].metrics = vec![Some(instance.score), Some(indicator(exact))];
            }
            let (layout, decoding) = (way.layout.clone(), way.decoding.clone());
            let task_number = plan.samples[own[0]].task;
            let buckets: Vec<Buckets> = task.instances.iter().map(|instance| instance.buckets.clone()).collect();
            let interval =
                measure::over(buckets.len(), options.seed, |drawn| measure::f1(&buckets, drawn)).map(|it| it.interval);
            let (task, metric, value) = (task_number, "f1", task.f1);
            scored.values.push(TaskValue { task, layout, decoding, metric, value, interval });
        }
        detail.insert(way.name(), result);
    }
    scored.detail = Detail::Zest(detail);
    Ok(scored)
}

/// A reply that makes the reference stop is scored with its quirks repaired instead, and a note says so.
fn evaluate(
    records: &[Record],
    predictions: &[Prediction],
    options: &Options,
    scored: &mut Scored,
) -> Result<ZestResult, Error> {
    let with = |mode: Mode| {
        let settings = zest::Options { seed: options.seed as u32, ..zest::Options::from(mode) };
        let scores = zest::score(records, predictions, &settings)?;
        let errors = zest::error_kinds(records, predictions, settings.repairs)?;
        Ok::<_, zest::Error>(ZestResult { scores, errors })
    };
    match with(options.mode) {
        Err(error) if options.mode == Mode::Strict => {
            scored.is_repaired = true;
            scored.notes.push(format!("the reference program would stop here ({error}), so its quirks are repaired"));
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
            RecordExample { context: String::new(), answer: Some(alternatives(&instance.gold)) }
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

fn prediction(sample: &SampleScore) -> Prediction {
    // The reference reads a line for each answer.
    let text = sample.reply.as_deref().unwrap_or_default().replace(['\r', '\n'], " ");
    let text = if text.trim().is_empty() { Err(LineFault::NoReply) } else { Ok(text.trim().to_owned()) };
    Prediction { text, line: 1, task: None }
}

/// Gold texts as the files write them: one, or a list of several.
fn alternatives(gold: &[String]) -> Value {
    let text = |text: &String| Value::String(text.clone());
    match gold {
        [one] => text(one),
        several => Value::Array(several.iter().map(|one| Node { value: text(one), offset: 0 }).collect()),
    }
}
