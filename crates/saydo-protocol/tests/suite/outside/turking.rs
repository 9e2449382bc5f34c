//! What the fixed answers score on the published sentences, beside the paper's numbers.

use crate::turking::task;
use saydo_conformance::{Protocol, compare, outside};
use saydo_protocol::turking::{Gold, Output, Outputs, Report, published, score};
use saydo_task::source::Source;
use saydo_task::turking::{Kind, Options, ResourceKind, Resources, generate};

/// What is scored on the published sentences when nothing is generated, with the n of a seed.
fn published_sentences(seed: u64) -> Report {
    let path = outside("data/glue-diagnostic/diagnostic-full.tsv");
    let reading = ResourceKind::Sentences.read(&Source::load(&path).expect("published data loads"));
    let resources =
        Resources { sentences: reading.into_resources().expect("published data is usable"), ..Resources::default() };
    let tasks = generate(&resources, &Options { seed, ..Options::default() }, &|_| Vec::new());
    let gold = Gold::new(&tasks).expect("generated tasks are gold");
    let mut outputs = Outputs::new(&gold);
    for position in 0..gold.items().len() {
        outputs.add(position, Output { decoding: "none".to_owned(), text: None });
    }
    score(&gold, &outputs, 0).expect("there are outputs")
}

#[test]
#[ignore = "needs ../shared: sentences of the GLUE diagnostic set"]
fn fixed_answers_score_near_the_published_numbers() {
    let reports: Vec<_> = (0..3).map(published_sentences).collect();
    compare(Protocol::Turking, [Kind::NthWord, Kind::NthCharacter], |kind| {
        let scored = reports.iter().map(|report| task(report, kind));
        assert!(scored.clone().all(|task| (task.instances, task.decodings[0].unparsable) == (832, 832)));
        let values: Vec<f64> = scored.map(|task| task.baseline.unwrap().accuracy.value * 100.0).collect();
        let expected = published::row(kind).baseline.unwrap();
        eprintln!("{}: {values:.1?}, published {expected}", kind.name());
        // One draw for each of 832 sentences has a standard error of about one point.
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - expected).abs() < 2.0, "{}: {values:?} against {expected}", kind.name());
    });
}
