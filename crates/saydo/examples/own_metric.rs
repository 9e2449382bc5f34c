//! A metric of one's own beside F1 and accuracy.
//!
//! cargo run -p saydo --example own_metric

use saydo::job::check::{Settings, check};
use saydo::{LabelledRow, Scorer};
use std::sync::Arc;

/// Whether the answer has as many characters as a gold one.
struct SameLength;

impl Scorer for SameLength {
    fn name(&self) -> &str {
        "same length"
    }

    fn score(&self, gold: &[String], given: Option<&str>) -> f64 {
        let length = |text: &str| text.chars().count();
        f64::from(gold.iter().any(|gold| given.is_some_and(|given| length(given) == length(gold))))
    }
}

/// Scores a function on two labelled texts.
pub fn main() -> Result<(), saydo::Error> {
    let labelled = [("Leashed dogs are welcome.", "yes"), ("Dogs must stay at home.", "no")];
    let row = |(text, gold): (&str, &str)| LabelledRow { id: text.into(), text: text.into(), gold: vec![gold.into()] };
    let settings = Settings {
        rows: Some(labelled.map(row).to_vec()),
        scorers: vec![Arc::new(SameLength)],
        ..Settings::new("Are dogs allowed?")?
    };
    let report = check(&saydo::open("scripted")?, settings)?;
    let score = &report.tasks[0].scores[0];
    assert!((0.0..=1.0).contains(&score.mean));
    println!("{}: {:.2} ({:.2} to {:.2})", score.name, score.mean, score.interval.low, score.interval.high);
    Ok(())
}
