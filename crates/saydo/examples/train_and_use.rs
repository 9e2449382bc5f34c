//! Trains an adapter on a few questions over documents, then asks with it.
//!
//! cargo run -p saydo --example train_and_use

use saydo::job::train::Settings;
use saydo::session::{ModelSettings, Places};

/// Too small to learn anything; `smollm2-135m` does.
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/checkpoints/llama");

/// Trains in a scratch folder.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let rows = folder.path().join("rows.jsonl");
    let row = |text: &str, answer: &str| {
        format!("{{\"question\": \"Are dogs allowed?\", \"passage\": \"{text}\", \"answer\": \"{answer}\"}}\n")
    };
    std::fs::write(&rows, row("Leashed dogs are welcome.", "yes") + &row("Dogs must stay at home.", "no"))?;

    let mut settings = Settings::new(MODEL, folder.path().join("training"));
    settings.data.reading = vec![rows];
    settings.data.dev_tasks = Some(0);
    settings.recipe.steps = Some(2);
    let report = saydo::train(settings)?;

    let trained = ModelSettings::new(MODEL).with_adapter(Some(report.trainings[0].result.clone()));
    let outcome =
        trained.open(&Places::of_environment()?)?.function("Are dogs allowed?")?.answer("Dogs are welcome.")?;
    println!("{}", saydo::answer_text(&outcome.answer));
    Ok(())
}
