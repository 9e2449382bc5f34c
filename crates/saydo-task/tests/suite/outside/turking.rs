//! Tasks from the published resources of the Turking Test.

use crate::turking::{assert_gold_is_right, long_words};
use saydo_conformance::{Protocol, compare, outside};
use saydo_task::source::Source;
use saydo_task::turking::{Options, ResourceKind, ResourceReading, Resources, generate};

fn published(kind: ResourceKind, name: &str) -> ResourceReading {
    kind.read(&Source::load(&outside(&format!("data/{name}"))).expect("published data loads"))
}

#[test]
#[ignore = "needs ../shared: resources of the Turking Test"]
fn published_resources_give_the_known_counts() {
    let expected = [
        (ResourceKind::Sentences, "glue-diagnostic/diagnostic-full.tsv", 832, 832, 0),
        (ResourceKind::Captions, "snli-dev/snli_1.0_dev_partial.jsonl", 69, 427, 3),
        (ResourceKind::Captions, "snli-dev/snli_1.0_test_partial.jsonl", 82, 427, 0),
        (ResourceKind::Paragraphs, "squad-dev/dev-v1.1_super_bowl_50.json", 54, 54, 0),
        (ResourceKind::Paragraphs, "squad-dev/xquad.en.json", 156, 240, 0),
        (ResourceKind::Highlights, "cnn-highlights/cnn_highlights.jsonl", 1000, 1000, 0),
    ];
    compare(Protocol::Turking, expected, |(kind, name, kept, seen, warnings)| {
        let reading = published(kind, name);
        assert_eq!((reading.resources.len(), reading.seen, reading.problems.len()), (kept, seen, warnings), "{name}");
        assert!(reading.problems.iter().all(|problem| problem.code.id() == "T012"), "{:?}", reading.problems);
    });
}

#[test]
#[ignore = "needs ../shared: resources of the Turking Test"]
fn published_sentences_are_each_drawn_once() {
    let reading = published(ResourceKind::Sentences, "glue-diagnostic/diagnostic-full.tsv");
    let resources = Resources { sentences: reading.resources, ..Resources::default() };
    let tasks = generate(&resources, &Options::default(), &long_words);
    let counts: Vec<_> = tasks.iter().map(|task| task.instances.len()).collect();
    assert_eq!((counts[0], counts[2], counts[3]), (100, 832, 832));
    assert_gold_is_right(&tasks, &long_words);
}
