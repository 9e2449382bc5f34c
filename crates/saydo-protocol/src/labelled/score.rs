//! A user's own tasks: ZEST's task F1 with its quirks repaired, or ROUGE-L for free text.

use crate::labelled::verdict;
use crate::score::row::TaskValue;
use crate::score::{Detail, Options, SampleScore, Scored, by_task, indicator};
use crate::{Error, Plan};
use saydo_task::AnswerKind;
use serde_json::{Map, Value, json};

pub(crate) fn score(plan: &Plan, samples: &mut [SampleScore], options: &Options) -> Result<Scored, Error> {
    let (mut values, mut detail) = (Vec::new(), Map::new());
    for ((task, layout, decoding), numbers) in by_task(plan) {
        let gold = &plan.tasks[task];
        // The scorer needs to know only whether answers are free text.
        let kind = if gold.kind.as_deref() == Some("text") { AnswerKind::Text } else { AnswerKind::Spans };
        let row = |number: &usize| (plan.instance(&plan.samples[*number]).gold.clone(), samples[*number].reply.clone());
        let rows: Vec<_> = numbers.iter().map(row).collect();
        let Some(verdict) = verdict(&kind, &rows, options.seed) else { continue };
        for (number, row) in numbers.iter().zip(&verdict.rows) {
            let is_right = row.given.as_ref().is_some_and(|given| row.gold.contains(given));
            samples[*number].metrics = vec![Some(row.score), Some(indicator(is_right))];
        }
        let confusion =
            |one: &crate::labelled::Confusion| json!({"gold": one.gold, "given": one.given, "count": one.count});
        detail.insert(
            format!("{}, {layout}, {decoding}", gold.id),
            json!({
                "f1": verdict.f1,
                "f1_interval": [verdict.f1_interval.low, verdict.f1_interval.high],
                "accuracy": verdict.accuracy,
                "competent_at_75": verdict.is_competent(0.75),
                "competent_at_90": verdict.is_competent(0.9),
                "confusions": verdict.confusions.iter().map(confusion).collect::<Vec<_>>(),
            }),
        );
        let interval = Some([verdict.f1_interval.low, verdict.f1_interval.high]);
        values.push(TaskValue { task, layout, decoding, metric: "f1", value: verdict.f1, interval });
    }
    Ok(Scored { values, ..Scored::new(Detail::Labelled(Value::Object(detail))) })
}
