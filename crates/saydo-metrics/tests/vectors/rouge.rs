//! Stems, tokens and scores of `rouge-score`, and the GPT-3 predictions published with Natural Instructions.

use std::collections::HashMap;

use crate::{assert_near, json, list, number, rows, text, texts};
use saydo_metrics::mean::sequential_sum;
use saydo_metrics::rouge::{RougeScorer, rouge_1, rouge_l, rouge_tokens};
use saydo_metrics::stem::stem;

#[test]
fn every_stem_equals_the_reference() {
    let Some(stems) = json("rouge/stems.json") else { return };
    for (word, expected) in stems.as_object().expect("words and stems") {
        assert_eq!(stem(word), text(expected), "{word}");
    }
}

#[test]
fn tokens_and_scores_of_every_pair_equal_the_reference() {
    for row in rows("rouge/pairs.jsonl").unwrap_or_default() {
        let (prediction, target) = (rouge_tokens(text(&row["prediction"])), rouge_tokens(text(&row["target"])));
        assert_eq!(prediction, texts(&row["prediction_tokens"]));
        assert_eq!(target, texts(&row["target_tokens"]));
        let score = rouge_l(&prediction, &target);
        let unigram = rouge_1(&prediction, &target);
        let found = [score.precision, score.recall, score.f_measure, unigram.f_measure];
        for (found, name) in found.into_iter().zip(["precision", "recall", "rougeL", "rouge1"]) {
            assert_near(found, number(&row[name]), 1e-12, &format!("{name} of {row}"));
        }
    }
}

/// The score of each prediction by file: the best over the references of its instance.
fn gpt3_scores() -> Option<HashMap<String, Vec<f64>>> {
    let references = json("rouge/gpt3_references.json")?;
    let mut scorer = RougeScorer::new();
    let mut scores = HashMap::new();
    for file in rows("rouge/gpt3_predictions.jsonl")? {
        let task = &references[text(&file["task"])];
        let mut best = |prediction: &serde_json::Value| {
            let encoded = scorer.encode(text(&prediction[1]));
            let targets = texts(&task[prediction[0].to_string()]);
            targets.iter().map(|target| rouge_l(&encoded, &scorer.encode(target)).f_measure).fold(0.0, f64::max)
        };
        scores.insert(text(&file["file"]).to_owned(), list(&file["predictions"]).iter().map(&mut best).collect());
    }
    Some(scores)
}

#[test]
fn gpt3_predictions_score_as_published() {
    let Some(scores) = gpt3_scores() else { return };
    for row in rows("rouge/gpt3_files.jsonl").unwrap_or_default() {
        let scores = &scores[text(&row["file"])];
        assert_eq!(scores.len() as u64, row["n"].as_u64().expect("a count"));
        let mean = sequential_sum(scores) / scores.len() as f64;
        assert_near(mean, number(&row["rougeL_full"]), 1e-9, text(&row["file"]));
    }
    for row in rows("rouge/gpt3_item_scores.jsonl").unwrap_or_default() {
        let scores = &scores[text(&row["file"])];
        assert_eq!(scores.len(), list(&row["scores"]).len());
        for (&found, expected) in scores.iter().zip(list(&row["scores"])) {
            assert_near(found, number(expected), 1e-9, text(&row["file"]));
        }
    }
}
