//! The instances as the page's script reads them: texts once, and rows of numbers that point at them.

use super::in_script::in_script;
use super::selection::Selection;
use super::strings::Strings;
use crate::setting::word;
use crate::{Report, Run};
use rustc_hash::FxHashMap;
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    strings: &'a [&'a str],
    /// The names of the metrics, the headline first.
    metrics: &'static [&'static str],
    runs: Vec<RunData<'a>>,
    pairs: &'a [(usize, usize)],
}

#[derive(Serialize)]
struct RunData<'a> {
    name: &'a str,
    /// Texts: id, description.
    tasks: Vec<[usize; 2]>,
    layouts: Vec<String>,
    decodings: Vec<&'a str>,
    /// Words for how it went.
    statuses: Vec<String>,
    /// Task, text of the name, text of the input, texts of the gold.
    instances: Vec<(usize, String, usize, Vec<usize>)>,
    samples: Vec<SampleData>,
}

/// A sample. Texts that are not there are -1; if `after` is -1, `before` is all that follows the prefix, and otherwise
/// the input stands between the two.
#[derive(Serialize)]
struct SampleData(
    // Instance, layout, decoding, draw.
    [usize; 4],
    // Texts: prefix, before, after, reply, pattern, error.
    [isize; 6],
    // Status.
    usize,
    // Confidence.
    Option<f64>,
    // Metrics.
    Vec<Option<f64>>,
);

/// The data of the chosen samples, fit to stand in a script element.
pub(super) fn json(report: &Report, selection: &Selection) -> String {
    let mut strings = Strings::default();
    let runs =
        report.runs.iter().zip(&selection.samples).map(|(run, samples)| run_data(run, samples, &mut strings)).collect();
    let data = Data { strings: strings.texts(), metrics: report.protocol.metrics(), runs, pairs: &selection.pairs };
    in_script(&serde_json::to_string(&data).expect("texts and numbers are JSON"))
}

fn run_data<'a>(run: &'a Run, samples: &[usize], strings: &mut Strings<'a>) -> RunData<'a> {
    let plan = &run.opened.plan;
    let mut layouts: Vec<String> = Vec::new();
    let mut statuses: Vec<String> = Vec::new();
    let mut places: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut instances = Vec::new();
    let mut rows = Vec::with_capacity(samples.len());
    for number in samples {
        let (sample, scored) = (&plan.samples[*number], &run.scores.samples[*number]);
        let instance = *places.entry((sample.task, sample.instance)).or_insert_with(|| {
            let instance = &plan.tasks[sample.task].instances[sample.instance];
            let gold = instance.gold.iter().map(|text| strings.place(text)).collect();
            instances.push((sample.task, instance.name(), strings.place(&instance.input), gold));
            instances.len() - 1
        });
        let status = scored.status.as_ref().map_or_else(|| "not asked".to_owned(), word);
        let numbers = [instance, place(&mut layouts, &run.variants[*number]), sample.decoding, sample.draw];
        let metrics = scored.metrics.iter().map(|value| value.map(rounded)).collect();
        let status = place(&mut statuses, &status);
        rows.push(SampleData(numbers, texts(run, *number, strings), status, scored.confidence.map(rounded), metrics));
    }
    RunData {
        name: &run.name,
        tasks: plan.tasks.iter().map(|task| [strings.place(&task.id), strings.place(&task.description)]).collect(),
        layouts,
        decodings: plan.decodings.iter().map(|decoding| decoding.name.as_str()).collect(),
        statuses,
        instances,
        samples: rows,
    }
}

/// The texts of a sample, for whoever wants to know how long they are.
pub(super) fn texts_of<'a>(run: &'a Run, number: usize, strings: &mut Strings<'a>) {
    let sample = &run.opened.plan.samples[number];
    let instance = &run.opened.plan.tasks[sample.task].instances[sample.instance];
    strings.place(&instance.input);
    for text in &instance.gold {
        strings.place(text);
    }
    texts(run, number, strings);
}

/// Prefix, before, after, reply, pattern, error.
fn texts<'a>(run: &'a Run, number: usize, strings: &mut Strings<'a>) -> [isize; 6] {
    let (plan, scored) = (&run.opened.plan, &run.scores.samples[number]);
    let sample = &plan.samples[number];
    let input = &*plan.tasks[sample.task].instances[sample.instance].input;
    let (before, after) = match sample.text.split_once(input) {
        Some((before, after)) if !input.is_empty() => (before, Some(after)),
        _ => (&*sample.text, None),
    };
    [
        strings.place(&plan.prefixes[sample.prefix]) as isize,
        strings.place(before) as isize,
        strings.optional(after),
        strings.optional(scored.reply.as_deref()),
        strings.optional(scored.pattern.as_deref()),
        strings.optional(scored.error.as_deref()),
    ]
}

/// The place of a name in a list, to which it is added if it is not there.
fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// Six digits are more than the page shows.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use serde_json::Value;

    fn data(runs: Vec<Run>) -> Value {
        let report = Report::new(runs, 0).unwrap();
        let selection = Selection::new(&report, 100, 1_000_000);
        serde_json::from_str(&json(&report, &selection)).unwrap()
    }

    #[test]
    fn a_prompt_can_be_put_together_again() {
        let run = fixture::zest(&[]);
        let expected = run.opened.plan.prompt(&run.opened.plan.samples[5]);
        let data = data(vec![run]);
        let text = |place: &Value| data["strings"][place.as_u64().unwrap() as usize].as_str().unwrap().to_owned();
        let sample = &data["runs"][0]["samples"][5];
        let instance = &data["runs"][0]["instances"][sample[0][0].as_u64().unwrap() as usize];
        let prompt = [&sample[1][0], &sample[1][1], &instance[2], &sample[1][2]].map(text).concat();
        assert_eq!(prompt, expected);
    }

    #[test]
    fn what_is_not_there_has_no_text() {
        let data = data(vec![fixture::zest(&[])]);
        let failed = &data["runs"][0]["samples"][7];
        assert_eq!(failed[1][3], -1);
        assert_eq!(data["runs"][0]["statuses"][failed[2].as_u64().unwrap() as usize], "failed");
        assert!(data["strings"].as_array().unwrap().contains(&"the server went away".into()));
    }
}
