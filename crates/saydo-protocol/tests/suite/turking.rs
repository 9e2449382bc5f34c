//! The Turking Test end to end: tasks from the fixtures, predictions from a file, scores worked out by hand.

use saydo_protocol::turking::{DecodingReport, Estimate, Gold, Outputs, Report, TaskReport, score};
use saydo_task::Task;
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::turking::{Kind, Noun, Options, ResourceKind, Resources, generate};
use std::path::Path;

fn fixture(name: &str) -> Source {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/turking"));
    Source::load(&folder.join(name)).expect("the fixture is there")
}

/// Stands for a tagger on three of the sentences; the others have no noun here.
fn nouns(sentence: &str) -> Vec<Noun> {
    let nouns = match sentence.split(' ').next() {
        Some("Every") => "engine Ferris wheel Anna",
        Some("Two") if sentence.contains('—') => "ferries island dawn",
        Some("Since") => "museum maps instruments doors winter valley compass surveyor Ireland",
        _ => "",
    };
    let is_plural = |noun: &str| ["ferries", "maps", "instruments", "doors"].contains(&noun);
    nouns.split_whitespace().map(|noun| Noun { text: noun.to_owned(), is_plural: is_plural(noun) }).collect()
}

fn tasks() -> Vec<Task> {
    let mut resources = Resources::default();
    for (kind, name) in [
        (ResourceKind::Sentences, "sentences.tsv"),
        (ResourceKind::Captions, "captions.jsonl"),
        (ResourceKind::Paragraphs, "paragraphs.json"),
        (ResourceKind::Highlights, "highlights.jsonl"),
    ] {
        resources.add(kind, kind.read(&fixture(name)).into_resources().expect("the fixture is usable"));
    }
    generate(&resources, &Options::default(), &nouns)
}

fn report(tasks: &[Task]) -> Report {
    let gold = Gold::new(tasks).expect("generated tasks are gold");
    let outputs = Outputs::read(&fixture("predictions.jsonl"), &gold).expect("the predictions fit");
    score(&gold, &outputs, 0).expect("there are predictions")
}

pub fn task(report: &Report, kind: Kind) -> &TaskReport {
    report.tasks.iter().find(|task| task.task == kind.id()).expect("the task was scored")
}

fn decoding<'r>(report: &'r Report, kind: Kind, name: &str) -> &'r DecodingReport {
    task(report, kind).decodings.iter().find(|decoding| decoding.decoding == name).expect("the decoding was scored")
}

fn close(estimate: Estimate, value: f64, count: usize) {
    assert!((estimate.value - value).abs() < 1e-12 && estimate.count == count, "{estimate:?}, not {value} of {count}");
    assert!(estimate.interval[0] <= estimate.value && estimate.value <= estimate.interval[1], "{estimate:?}");
}

fn pattern(decoding: &DecodingReport, name: &str) -> f64 {
    decoding.patterns.iter().find(|pattern| pattern.pattern == name).expect("the pattern applies").share.value
}

#[test]
fn words_are_scored_under_each_rule() {
    let report = report(&tasks());
    let greedy = decoding(&report, Kind::NthWord, "greedy");
    assert_eq!((greedy.answered, greedy.missing, greedy.outputs, greedy.unparsable), (9, 5, 9, 1));
    let accuracy = greedy.accuracy.unwrap();
    close(accuracy.exact, 4.0 / 9.0, 9);
    close(accuracy.prefix, 5.0 / 9.0, 9);
    close(accuracy.introduction, 4.0 / 9.0, 9);
    close(accuracy.lenient, 5.0 / 9.0, 9);
    assert_eq!(pattern(greedy, "begins-with-resource"), 1.0 / 9.0);
    assert_eq!(pattern(greedy, "repeats-instruction"), 1.0 / 9.0);
    assert_eq!(pattern(greedy, "repeats"), 2.0 / 9.0);
    let nucleus = decoding(&report, Kind::NthWord, "nucleus").accuracy.unwrap();
    close(nucleus.exact, 0.0, 3);
    close(nucleus.introduction, 2.0 / 3.0, 3);
}

#[test]
fn oracles_choose_by_task_and_by_item() {
    let report = report(&tasks());
    let words = task(&report, Kind::NthWord);
    assert_eq!((words.instances, words.missing), (14, 5));
    let oracle = words.oracle.clone().unwrap();
    assert_eq!(oracle.decoding, "nucleus");
    close(oracle.per_task, 2.0 / 3.0, 3);
    close(oracle.per_item, 6.0 / 9.0, 9);
    let characters = task(&report, Kind::NthCharacter).oracle.clone().unwrap();
    assert_eq!(characters.decoding, "greedy", "the first of equals");
    close(characters.per_task, 2.0 / 3.0, 3);
    close(characters.per_item, 1.0, 3);
}

#[test]
fn nouns_are_scored_as_sets() {
    let report = report(&tasks());
    let all = decoding(&report, Kind::Nouns, "greedy");
    let accuracy = all.accuracy.unwrap();
    close(accuracy.exact, 0.0, 3);
    close(accuracy.prefix, 1.0 / 3.0, 3);
    close(accuracy.introduction, 1.0 / 3.0, 3);
    close(accuracy.lenient, 2.0 / 3.0, 3);
    let overlap = all.overlap.unwrap();
    close(overlap.precision, (1.0 + 0.75 + 0.75) / 3.0, 3);
    close(overlap.recall, (1.0 + 1.0 + 3.0 / 9.0) / 3.0, 3);

    let under = decoding(&report, Kind::NounsUnderCondition, "greedy");
    close(under.accuracy.unwrap().lenient, 2.0 / 3.0, 3);
    let conditions: Vec<_> = under.conditions.iter().map(|row| (row.condition.as_str(), row.lenient.value)).collect();
    assert_eq!(conditions, [("lowercase-vowel", 0.0), ("uppercase-vowel", 1.0), ("plural-lowercase", 1.0)]);
}

#[test]
fn crowd_tasks_get_a_form_and_patterns_but_no_accuracy() {
    let report = report(&tasks());
    let snli = decoding(&report, Kind::Snli, "nucleus");
    assert!(snli.accuracy.is_none() && snli.overlap.is_none());
    assert_eq!((snli.answered, snli.missing, snli.outputs, snli.unparsable), (2, 1, 5, 1));
    // One of four samples is consistent for the first caption, none of one for the second.
    close(snli.form.unwrap().consistent, 1.0 / 8.0, 2);
    close(snli.form.unwrap().labelled.unwrap(), 1.0 / 8.0, 2);
    assert_eq!(pattern(snli, "copies-example"), 1.0 / 8.0);
    assert_eq!(pattern(snli, "continues-instruction"), 0.5);
    close(task(&report, Kind::Snli).oracle.clone().unwrap().per_item, 0.5, 2);

    let squad = decoding(&report, Kind::Squad, "nucleus");
    close(squad.form.unwrap().consistent, 0.5, 1);
    assert_eq!(pattern(squad, "continues-resource"), 0.5);
    let newsqa = decoding(&report, Kind::NewsQa, "nucleus");
    close(newsqa.form.unwrap().consistent, 1.0 / 3.0, 1);
    assert_eq!(pattern(newsqa, "forbidden-question"), 1.0 / 3.0);
    assert_eq!(pattern(newsqa, "continues-resource"), 1.0 / 3.0);
}

#[test]
fn fixed_answers_are_scored_over_all_instances() {
    let report = report(&tasks());
    let baseline = task(&report, Kind::NthWord).baseline.unwrap();
    assert_eq!(baseline.answer, "the");
    // `the` (r2), `the` (r9) and `The` (r13) of fourteen.
    close(baseline.accuracy, 3.0 / 14.0, 14);
    assert!(task(&report, Kind::Nouns).baseline.is_none());
}

#[test]
fn the_report_reads_well_as_json() {
    let report = report(&tasks());
    let json = serde_json::to_value(task(&report, Kind::NthCharacter)).unwrap();
    insta::assert_json_snapshot!("nth_character", json);
}

#[test]
fn every_format_serves_as_gold() {
    let made = tasks();
    let words: Vec<Task> = made.into_iter().filter(|task| task.id == Kind::NthWord.id()).collect();
    for format in Format::ALL {
        let name = format!("{}.{}", words[0].id, format.extension());
        let source = Source::from_bytes(Path::new(&name), format.write(&words[0]).text.into_bytes()).unwrap();
        let gold = Gold::new(&format.read(&source).into_tasks().unwrap()).expect("what was written is gold");
        let holds_ids = matches!(format, Format::Toml | Format::SuperNaturalInstructions | Format::Everyday);
        let id = if holds_ids { "turking_nth_word-r0-n4" } else { "turking_nth_word#0" };
        let row = format!("{{\"id\": \"{id}\", \"prediction\": \"sold\"}}");
        let outputs = Outputs::read(&Source::from_bytes(Path::new("p"), row.into_bytes()).unwrap(), &gold).unwrap();
        let report = score(&gold, &outputs, 0).unwrap();
        close(report.tasks[0].decodings[0].accuracy.unwrap().exact, 1.0, 1);
    }
}

#[test]
fn nothing_predicted_is_an_error() {
    let gold = Gold::new(&tasks()).unwrap();
    let error = score(&gold, &Outputs::new(&gold), 0).unwrap_err().to_string();
    assert_eq!(error, "there is no prediction for any instance, expected at least one");
}
