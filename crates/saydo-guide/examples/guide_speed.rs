//! Measures how long vocabularies, guides and masks take.
//!
//! `cargo run --release -p saydo-guide --example guide_speed -- VOCABULARY.json DOCUMENT.txt`
//!
//! The vocabulary is a JSON object: `tokens` lists, for each id, the token's bytes as numbers, or null for a control
//! token; `ends` lists the ids that end a reply. The document is cut to 100, 1,000, 2,000 and 10,000 words. Each figure
//! is the best of several runs, in milliseconds.

use saydo_guide::{Constraint, Guide, TokenBytes, Vocabulary};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, vocabulary, document] = &arguments[..] else { return Err("usage: guide_speed VOCABULARY DOCUMENT".into()) };
    let (tokens, ends) = read(vocabulary)?;
    let document = std::fs::read_to_string(document)?;

    let (ms, vocabulary) = best(|| Vocabulary::new(tokens.clone(), &ends))?;
    println!("vocabulary of {} tokens: {ms:.1}", vocabulary.len());

    println!(
        "\n| document | form | build | first mask | worst later mask | clone |\n| --- | --- | --- | --- | --- | --- |"
    );
    for words in [100, 1_000, 2_000, 10_000] {
        let text: Arc<str> = first_words(&document, words).into();
        let fields = [
            ("name", Constraint::json_piece(text.clone())),
            ("open", Constraint::json_labels(["yes", "no"])),
            ("note", Constraint::json_line(200)),
        ];
        measure(&vocabulary, &format!("{words} words | spans"), &Constraint::spans(text, "; ", 8).or("NA"))?;
        measure(&vocabulary, &format!("{words} words | records"), &Constraint::records(fields, 1, 20))?;
    }
    measure(&vocabulary, "none | three labels", &Constraint::labels(["yes", "no", "NA"]))?;
    let start = Instant::now();
    let schema = Constraint::Json(serde_json::json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    Guide::new(&vocabulary, &schema)?;
    println!("\nfirst JSON Schema of a vocabulary: {:.0}", start.elapsed().as_secs_f64() * 1e3);
    measure(&vocabulary, "none | JSON Schema", &schema)
}

fn read(path: &str) -> Result<(Vec<TokenBytes>, Vec<u32>), Box<dyn Error>> {
    #[derive(serde::Deserialize)]
    struct File {
        tokens: Vec<Option<Vec<u8>>>,
        ends: Vec<u32>,
    }
    let file: File = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let token = |bytes: Option<Vec<u8>>| TokenBytes { control: bytes.is_none(), bytes: bytes.unwrap_or_default() };
    Ok((file.tokens.into_iter().map(token).collect(), file.ends))
}

fn first_words(document: &str, count: usize) -> String {
    document.split_whitespace().take(count).collect::<Vec<_>>().join(" ")
}

/// Builds a guide and follows it for 60 tokens, taking an allowed token of middling id each time.
fn measure(vocabulary: &Vocabulary, name: &str, constraint: &Constraint) -> Result<(), Box<dyn Error>> {
    let mut logits = vec![0.0; vocabulary.len()];
    let (build, mut guide) = best(|| Guide::new(vocabulary, constraint))?;
    let first = best_of(|| Guide::new(vocabulary, constraint), |mut guide| guide.mask(&mut logits))?;
    let (clone, _) = best(|| Ok(guide.clone()))?;
    let mut worst: f64 = 0.0;
    for step in 0..60 {
        logits.fill(0.0);
        guide.mask(&mut logits)?;
        let left: Vec<u32> = (0..logits.len() as u32).filter(|&token| logits[token as usize] == 0.0).collect();
        let token = left[(step * 7919 + left.len() / 2) % left.len()];
        guide.accept(token)?;
        if guide.is_finished() || vocabulary.ends().contains(&token) {
            break;
        }
        worst = worst.max(best_of(|| Ok(guide.clone()), |mut guide| guide.mask(&mut logits))?);
    }
    println!("| {name} | {build:.3} | {first:.3} | {worst:.3} | {clone:.4} |");
    Ok(())
}

fn best<T>(mut work: impl FnMut() -> Result<T, saydo_guide::Error>) -> Result<(f64, T), saydo_guide::Error> {
    let mut timed = || {
        let start = Instant::now();
        let made = work()?;
        Ok((start.elapsed().as_secs_f64() * 1e3, made))
    };
    let mut best = timed()?;
    for _ in 1..RUNS {
        let (ms, made) = timed()?;
        best = (best.0.min(ms), made);
    }
    Ok(best)
}

fn best_of(
    mut prepare: impl FnMut() -> Result<Guide, saydo_guide::Error>,
    mut work: impl FnMut(Guide) -> Result<(), saydo_guide::Error>,
) -> Result<f64, Box<dyn Error>> {
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        let guide = prepare()?;
        let start = Instant::now();
        work(guide)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}
