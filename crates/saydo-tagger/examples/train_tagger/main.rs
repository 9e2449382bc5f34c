//! Trains the tagger and prints how it compares with its rivals: five-fold cross-validation on the training treebank
//! (folds by document), on which choices were made, and the test treebank, on which none were.
//!
//! `weights/SOURCE.md` holds the command that makes the embedded weights.

mod corpus;
mod parses;
mod rival;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use rival::{Rival, Trained};
use saydo_tagger::score::Score;
use saydo_tagger::train::{self, Lesson};
use saydo_tagger::treebank::{self, Sentence};

const FOLDS: usize = 5;

#[derive(Parser)]
struct Args {
    /// Treebank to learn from (CoNLL-U).
    #[arg(long)]
    treebank: PathBuf,
    /// Treebank to measure on, never learned from.
    #[arg(long)]
    test: PathBuf,
    /// Folders and files of JSON whose texts teach word classes.
    #[arg(long, num_args = 1..)]
    raw: Vec<PathBuf>,
    /// SNLI files whose automatic parses are learned from at a low weight.
    #[arg(long, num_args = 1..)]
    parses: Vec<PathBuf>,
    /// Measure all rivals, not only the one that is shipped.
    #[arg(long)]
    compare: bool,
    /// Where to write the weights.
    #[arg(long)]
    output: Option<PathBuf>,
}

/// What rivals may learn from.
struct Material {
    lexicon: train::Lexicon,
    parsed: Vec<Lesson>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let sentences = read_treebank(&args.treebank)?;
    let test = read_treebank(&args.test)?;
    let lines = corpus::read(&args.raw)?;
    let words: usize = lines.iter().map(|line| line.split_whitespace().count()).sum();
    eprintln!("{} lines of raw text, {words} words", lines.len());
    let material =
        Material { lexicon: train::lexicon(lines.iter().map(String::as_str)), parsed: parses::read(&args.parses)? };
    eprintln!("{} parsed sentences", material.parsed.len());
    println!(
        "| tagger | features | CV F1 | CV number | test F1 | test number | test number of all | test F1 from text |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let rivals = if args.compare { &Rival::ALL[..] } else { &[Rival::SHIPPED] };
    for rival in rivals {
        let validated = cross_validate(*rival, &sentences, &material);
        let trained = rival.train(sentences.iter(), &material);
        print_row(*rival, &trained, &validated, &test);
        if let (Rival::SHIPPED, Trained::Model(tagger), Some(path)) = (*rival, &trained, &args.output) {
            let bytes = tagger.to_bytes();
            fs::write(path, &bytes).with_context(|| format!("writing {}", path.display()))?;
            eprintln!("{} bytes written", bytes.len());
        }
    }
    Ok(())
}

fn read_treebank(path: &PathBuf) -> Result<Vec<Sentence>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    treebank::parse(&text).with_context(|| format!("parsing {}", path.display()))
}

/// The score over all folds, each tagged by what was learned from the others.
fn cross_validate(rival: Rival, sentences: &[Sentence], material: &Material) -> Score {
    let mut score = Score::default();
    for fold in 0..FOLDS {
        let (held_out, rest): (Vec<_>, Vec<_>) = sentences.iter().partition(|s| s.document % FOLDS == fold);
        let trained = rival.train(rest.into_iter(), material);
        for sentence in held_out {
            score.add_tokens(|words| trained.tag(words), sentence);
        }
    }
    score
}

fn print_row(rival: Rival, trained: &Trained, validated: &Score, test: &[Sentence]) {
    let mut on_tokens = Score::default();
    let mut on_text = Score::default();
    for sentence in test {
        on_tokens.add_tokens(|words| trained.tag(words), sentence);
        if let Trained::Model(tagger) = trained {
            on_text.add_text(tagger, sentence);
        }
    }
    let features = match trained {
        Trained::Model(tagger) => tagger.feature_count().to_string(),
        Trained::Counts(words) => words.len().to_string(),
    };
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    println!(
        "| {} | {features} | {} | {} | {} | {} | {} | {} |",
        rival.name(),
        shown(validated.f1()),
        shown(validated.number_accuracy()),
        shown(on_tokens.f1()),
        shown(on_tokens.number_accuracy()),
        shown(on_tokens.number_recall()),
        shown(on_text.f1()),
    );
}
