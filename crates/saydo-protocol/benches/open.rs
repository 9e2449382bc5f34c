//! Opening a recorded run of 200,000 samples: what `saydo score` and `saydo report` do first.

use criterion::{Criterion, criterion_group, criterion_main};
use saydo::answering::samples::run;
use saydo::record::Ledger;
use saydo_function::Settings;
use saydo_protocol::plan::Options;
use saydo_protocol::record::{Opened, data_fingerprint, ledger_path};
use saydo_protocol::{Answerer, Baseline, Plan, Protocol, Record};
use saydo_task::{Instance, Task};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const TASKS: usize = 50;
const INSTANCES: usize = 4000;

fn task(number: usize) -> Task {
    let instance = |i: usize| Instance {
        id: None,
        input: format!("Passage {i} of task {number}: {}", "some words about rain and rivers ".repeat(6)),
        outputs: vec![format!("answer {}", i % 7)],
        ..Instance::default()
    };
    Task {
        id: format!("task{number:03}"),
        prompt: Some("Write the answer that the passage gives.".to_owned()),
        instances: (0..INSTANCES).map(instance).collect(),
        ..Task::default()
    }
}

fn make(folder: &Path) {
    let settings = Settings::default();
    let options =
        Options { layouts: vec!["ni-prompt".to_owned()], limit: Some(INSTANCES), ..Options::new(&settings, "bench") };
    let plan = Plan::new(Protocol::NaturalInstructions, (0..TASKS).map(task).collect(), &options).expect("a plan");
    assert_eq!(plan.samples.len(), TASKS * INSTANCES);
    let mut record = Record {
        version: "0".into(),
        protocol: plan.protocol,
        model: "baseline:copy-input".into(),
        fingerprint: "bench".into(),
        data: Vec::new(),
        data_fingerprint: data_fingerprint(&plan),
        layouts: plan.layouts.clone(),
        decodings: plan.decodings.clone(),
        chat: false,
        ablation: None,
        seed: 0,
        tasks: plan.tasks.len(),
        samples: plan.samples.len(),
        begun: 0,
        settings: serde_json::Value::Null,
    };
    record.save(folder, &plan).expect("the folder is writable");
    let mut ledger = Ledger::open(&ledger_path(folder), &[]).expect("a ledger");
    let answerer = Answerer::Baseline(Baseline::CopyInput);
    run(&plan, &answerer, &mut ledger, false, &AtomicBool::new(false), &mut |_| {}).expect("a run");
}

fn open(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    make(folder.path());
    let mut group = criterion.benchmark_group("record");
    group.sample_size(10);
    group.bench_function("open 200,000 samples", |bencher| {
        bencher.iter(|| black_box(Opened::load(folder.path()).expect("it reads back")));
    });
    group.finish();
}

criterion_group!(benches, open);
criterion_main!(benches);
