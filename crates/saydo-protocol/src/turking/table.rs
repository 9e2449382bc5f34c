//! The Turking Test: Tables 1 to 3 of the paper, the patterns of its errors, and what the best decoding would give.

use crate::score::TurkingResult;
use crate::table::{Table, cells, number, percent};
use crate::turking::length::{LengthReport, Spread};
use crate::turking::{Report, TaskReport, published};
use saydo_task::turking::Kind;
use std::collections::BTreeMap;

pub(crate) fn tables(ways: &BTreeMap<String, TurkingResult>) -> Vec<Table> {
    let tables = |(layout, TurkingResult { report, lengths }): (&String, &TurkingResult)| {
        [
            accuracy(layout, report),
            conditions(report),
            oracle(report),
            patterns(report),
            repetitions(report),
            quartiles(lengths),
            self::lengths(lengths),
        ]
    };
    ways.iter().flat_map(tables).collect()
}

fn accuracy(layout: &str, report: &Report) -> Table {
    let header =
        ["task", "decoding", "n", "measure", "score", "95%", "exact", "baseline here", "GPT-2 1.5B", "its baseline"];
    let rules = "The score allows a prefix of the output and an introduction before the answer; exact allows neither. Form \
                 is an automatic check of the shape of the output and does not replace human judgement.";
    let notes: Vec<String> = [rules.to_owned()].into_iter().chain(shortfalls(report)).collect();
    let mut table =
        Table::new(&format!("accuracy under the paper's rules ({layout})"), &header).with_note(&notes.join(" "));
    for task in &report.tasks {
        let baseline = task.baseline.map_or_else(String::new, |baseline| percent(baseline.accuracy.value));
        for decoding in &task.decodings {
            let (measure, estimate, exact, published) = match (&decoding.accuracy, &decoding.form) {
                (Some(accuracy), _) => {
                    ("accuracy", Some(accuracy.lenient), Some(accuracy.exact), Some(task.published.accuracy))
                }
                (None, Some(form)) => ("form", Some(form.consistent), None, task.published.form_consistency),
                (None, None) => ("", None, None, None),
            };
            let [n, score, interval] = estimate.map(cells).unwrap_or_default();
            table.row([
                task.name.to_owned(),
                decoding.decoding.clone(),
                n,
                measure.to_owned(),
                score,
                interval,
                exact.map_or_else(String::new, |exact| percent(exact.value)),
                baseline.clone(),
                number(published),
                number(task.published.baseline),
            ]);
        }
    }
    table
}

/// Where the resources of the crowd's tasks are not the paper's: fewer of them, or of other origin.
fn shortfalls(report: &Report) -> Vec<String> {
    let of_crowd = |task: &TaskReport| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.id() == task.task && !kind.has_gold())?;
        Some((kind, task.instances))
    };
    let crowd: Vec<(Kind, usize)> = report.tasks.iter().filter_map(of_crowd).collect();
    let fewer: Vec<String> = crowd
        .iter()
        .map(|(kind, found)| (kind.name(), *found, published::resources(*kind)))
        .filter(|(_, found, wanted)| found < wanted)
        .map(|(name, found, wanted)| format!("{name} {found} of {wanted}"))
        .collect();
    let mut notes = Vec::new();
    if !fewer.is_empty() {
        notes.push(format!("Fewer resources than in the paper: {}.", fewer.join(", ")));
    }
    if crowd.iter().any(|(kind, _)| *kind == Kind::NewsQa) {
        let origin = "NewsQA's highlights are of any story, unless their file counts its answerable questions; the paper \
                      took CNN stories with six or more.";
        notes.push(origin.to_owned());
    }
    notes
}

fn oracle(report: &Report) -> Table {
    let header = ["task", "best decoding", "score", "any output of an instance"];
    let mut table = Table::new("oracle decoding", &header);
    for task in &report.tasks {
        if let Some(oracle) = &task.oracle {
            let cells = [percent(oracle.per_task.value), percent(oracle.per_item.value)];
            table.row([task.name.to_owned(), oracle.decoding.clone()].into_iter().chain(cells));
        }
    }
    table
}

fn patterns(report: &Report) -> Table {
    let mut table = Table::new("error patterns", &["task", "pattern", "decoding", "n", "share", "95%", "GPT-2 1.5B"]);
    for task in &report.tasks {
        for decoding in &task.decodings {
            for pattern in &decoding.patterns {
                let head = [task.name.to_owned(), pattern.pattern.to_owned(), decoding.decoding.clone()];
                table.row(head.into_iter().chain(cells(pattern.share)).chain([number(pattern.published)]));
            }
        }
    }
    table
}

/// Section 4.3: is a condition harder than the others?
fn conditions(report: &Report) -> Table {
    let header = ["condition", "decoding", "n", "accuracy", "95%", "less the others", "95%", "p"];
    let mut table = Table::new("nouns by condition", &header);
    let mut overall = Vec::new();
    for decoding in report.tasks.iter().flat_map(|task| &task.decodings) {
        for condition in &decoding.conditions {
            let points = |share: f64| format!("{:+.1}", 100.0 * share);
            let [low, high] = condition.difference_interval.map(points);
            let head = [condition.condition.clone(), decoding.decoding.clone()];
            let difference =
                [points(condition.difference), format!("{low} to {high}"), format!("{:.3}", condition.p_value)];
            table.row(head.into_iter().chain(cells(condition.lenient)).chain(difference));
        }
        overall.extend(decoding.conditions_p_value.map(|p| format!("{} {p:.3}", decoding.decoding)));
    }
    let note = format!(
        "p: randomization test of the condition against all others. Over all conditions at once: {}.",
        overall.join(", ")
    );
    table.with_note(&note)
}

/// Section 5.4: what is it that outputs repeat?
fn repetitions(report: &Report) -> Table {
    let header = ["task", "repeats", "decoding", "n", "share", "95%", "GPT-2 1.5B"];
    let mut table = Table::new("what repeating outputs repeat", &header).with_note(
        "Shares are of the outputs that repeat the resource or the instruction. Published: of 50, sorted by hand.",
    );
    for task in &report.tasks {
        for decoding in &task.decodings {
            for repetition in &decoding.repetitions {
                let head = [task.name.to_owned(), repetition.what.to_owned(), decoding.decoding.clone()];
                table.row(head.into_iter().chain(cells(repetition.share)).chain([number(repetition.published)]));
            }
        }
    }
    table
}

/// Figure 6 in numbers: medians and quartiles.
fn quartiles(reports: &[LengthReport]) -> Table {
    let header = ["task", "decoding", "sentences", "n", "first quartile", "median", "third quartile", "mean"];
    let mut table = Table::new("words of all sentences and of solved ones (Figure 6)", &header)
        .with_note("Solved: at least one output is right; the mean counts a sentence by its share of right outputs.");
    for report in reports {
        let all = ("all", Some(report.quartiles), Some(report.mean_words), &report.words[0]);
        let solved = ("solved", report.quartiles_solved, report.mean_words_solved, &report.words[1]);
        for (name, spread, mean, words) in [all, solved] {
            let of =
                |value: fn(Spread) -> f64| spread.map_or_else(String::new, |spread| format!("{:.1}", value(spread)));
            table.row([
                report.name.to_owned(),
                report.decoding.clone(),
                name.to_owned(),
                words.len().to_string(),
                of(|spread| spread.first),
                of(|spread| spread.median),
                of(|spread| spread.third),
                number(mean),
            ]);
        }
    }
    table
}

/// Figure 6: are the sentences that were solved shorter?
fn lengths(reports: &[LengthReport]) -> Table {
    let header = ["task", "decoding", "words", "sentences", "share of all", "share of solved", "accuracy", "95%"];
    let mut table = Table::new("success by length of the sentence (Figure 6)", &header);
    for report in reports {
        for bin in report.bins.iter().filter(|bin| bin.instances > 0) {
            let [_, accuracy, interval] = bin.accuracy.map(cells).unwrap_or_default();
            table.row([
                report.name.to_owned(),
                report.decoding.clone(),
                format!("{}-{}", bin.from, bin.to),
                bin.instances.to_string(),
                percent(bin.share),
                bin.share_solved.map_or_else(String::new, percent),
                accuracy,
                interval,
            ]);
        }
    }
    table
}
