//! Every published dataset loads whole.

use super::load_data;
use saydo_task::dataset::Dataset;
use saydo_task::format::Format;
use std::path::Path;

fn instances(dataset: &Dataset) -> usize {
    dataset.tasks.iter().map(|located| located.task.instances.len()).sum()
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions"]
fn natural_instructions() {
    let dataset = load_data("natural-instructions-v1");
    assert_eq!((dataset.tasks.len(), instances(&dataset)), (48, 123_635));
    assert_eq!(dataset.tasks.iter().filter(|located| located.task.negative.is_empty()).count(), 10);
    assert_eq!(dataset.tasks.iter().filter(|located| located.task.things_to_avoid.is_none()).count(), 19);
}

#[test]
#[ignore = "needs ../shared: tasks of Super-NaturalInstructions"]
fn super_natural_instructions() {
    let dataset = load_data("super-natural-instructions");
    assert_eq!(dataset.tasks.len(), 759);
    assert!(dataset.tasks.iter().all(|located| located.task.definition.is_some()));
    let without_ids = dataset.tasks.iter().filter(|located| located.task.instances[0].id.is_none());
    assert_eq!(without_ids.count(), 3);
}

#[test]
#[ignore = "needs ../shared: the sample of ZEST"]
fn zest_sample() {
    let train = load_data("zest/sample/train.jsonl");
    assert_eq!((train.tasks.len(), instances(&train)), (5, 101));
    assert!(train.tasks.iter().flat_map(|located| &located.task.instances).all(|instance| instance.outputs.len() == 1));
    let test = load_data("zest/sample/test_unanswered.jsonl");
    assert_eq!(test.tasks.len(), 5);
    assert!(test.tasks.iter().flat_map(|located| &located.task.instances).all(|instance| instance.outputs.is_empty()));
}

#[test]
#[ignore = "needs ../shared: published tasks"]
fn there_and_back_gives_the_same_task() {
    for (name, format) in [
        ("natural-instructions-v1", Format::NaturalInstructions),
        ("super-natural-instructions/test_tasks", Format::SuperNaturalInstructions),
        ("zest/sample/train.jsonl", Format::Zest),
    ] {
        let dataset = load_data(name);
        assert!(!dataset.tasks.is_empty(), "{name}");
        for located in dataset.tasks.iter().step_by(5) {
            let there = reread(Format::Toml, &located.task);
            let back = reread(format, &there);
            assert!(back == located.task, "{} changed", located.task.id);
        }
    }
}

fn reread(format: Format, task: &saydo_task::Task) -> saydo_task::Task {
    let written = format.write(task);
    assert!(written.lost.is_empty(), "{}: {:?}", task.id, written.lost);
    let name = format!("{}.{}", task.id, format.extension());
    let source = saydo_task::source::Source::from_bytes(Path::new(&name), written.text.into_bytes())
        .expect("written text is valid");
    format.read(&source).into_tasks().expect("written text reads back").remove(0)
}
