//! Scoring a ZEST development set: about 2,000 predictions over 110 tasks, from texts in memory to the whole result.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use saydo_protocol::Mode;
use saydo_protocol::zest::{Options, PredictionFormat, quirk_report, read_predictions, score};
use saydo_task::format::zest::read_records;
use saydo_task::source::Source;
use serde_json::json;

const TASKS: usize = 110;
const EXAMPLES: usize = 18;

/// A fixed sequence that looks random, so that every run measures the same texts.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn words(&mut self, count: usize) -> String {
        let words =
            ["black", "bears", "Grand-Canyon", "the", "trail", "5.5%", "1995", "feet", "St.", "retriever", "elk"];
        (0..count).map(|_| words[self.below(words.len())]).collect::<Vec<_>>().join(" ")
    }

    fn spans(&mut self) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.words(3)).collect::<Vec<_>>().join("|")
    }

    fn structure(&mut self) -> String {
        let count = 1 + self.below(3);
        let objects: Vec<_> =
            (0..count).map(|_| json!({"waterfall hike": self.words(3), "wheelchair accessible": "n/a"})).collect();
        serde_json::Value::from(objects).to_string()
    }

    fn answer(&mut self, category: &str) -> String {
        match self.below(10) {
            0..6 => "n/a".to_owned(),
            _ if category == "structure" => self.structure(),
            6 => "yes".to_owned(),
            _ => self.spans(),
        }
    }
}

/// The texts of a dataset and of a prediction file that is right about half the time.
fn files() -> (String, String) {
    let mut sequence = Sequence(1);
    let types = ["normal", "normal", "paraphrase", "combination", "target_semantics", "structure"];
    let (mut dev, mut predictions) = (String::new(), String::new());
    for id in 0..TASKS {
        let category = types[id % types.len()];
        let answers: Vec<String> = (0..EXAMPLES).map(|_| sequence.answer(category)).collect();
        let context = sequence.words(120);
        let record = json!({
            "id": id,
            "question": "What trails are there in this national park?",
            "type": {"generalization_type": category, "domain": "national_parks", "derives_from": [id / 6 * 6]},
            "examples": answers.iter().map(|answer| json!({"context": context, "answer": answer})).collect::<Vec<_>>(),
        });
        dev.push_str(&format!("{record}\n"));
        for answer in answers {
            let prediction = if sequence.below(2) == 0 { answer } else { sequence.answer(category) };
            predictions.push_str(&format!("{prediction}\n"));
        }
    }
    (dev, predictions)
}

fn development_set(c: &mut Criterion) {
    let (dev, predictions) = files();
    let read = || {
        let source = Source::from_bytes(Path::new("dev.jsonl"), dev.clone().into_bytes()).expect("the text is UTF-8");
        read_records(&source).expect("the records are well-formed")
    };
    for (name, mode) in [("strict", Mode::Strict), ("fixed", Mode::Fixed)] {
        let options = Options::from(mode);
        c.bench_function(&format!("zest {name}, reading included"), |b| {
            b.iter(|| {
                let predictions = read_predictions(&predictions, PredictionFormat::Text, options.repairs)
                    .expect("each line is a prediction");
                black_box(score(&read(), &predictions, &options).expect("the run can be scored"))
            });
        });
    }
    let records = read();
    c.bench_function("zest quirk report", |b| {
        b.iter(|| {
            black_box(quirk_report(&records, &predictions, PredictionFormat::Text).expect("the run can be scored"))
        });
    });
}

criterion_group!(benches, development_set);
criterion_main!(benches);
