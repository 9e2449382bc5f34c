//! Tokens compared with those the Super-NaturalInstructions scorer took its ROUGE-L over on the cross-lingual track.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use saydo_bpe::Gpt2;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The vectors write a token's bytes as the characters GPT-2's vocabulary file uses: printable Latin-1 as itself, the
/// other bytes in order from U+0100.
fn byte_characters() -> Vec<char> {
    let prints = |byte: &u32| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut moved = 0x100..;
    let code = |byte| if prints(&byte) { byte } else { moved.next().unwrap() };
    (0..=0xFF).map(code).map(|code| char::from_u32(code).unwrap()).collect()
}

fn by_id(path: &Path, key: &str) -> HashMap<String, Value> {
    lines(path).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row[key].clone())).collect()
}

#[test]
fn rouge_pieces_are_those_of_the_scorer() {
    let sets = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vectors/superni"));
    if !sets.exists() {
        eprintln!("skipped: ../shared is not here");
        return;
    }
    let characters = byte_characters();
    let pieces = |text: &str| -> Vec<String> {
        let written = |piece: Vec<u8>| piece.into_iter().map(|byte| characters[usize::from(byte)]).collect();
        Gpt2::shared().rouge_pieces(text).into_iter().map(written).collect()
    };
    let mut compared = 0;
    for set in ["set1_plain", "set2_missing", "set3_edge"].map(|name| sets.join(name)) {
        let predictions = by_id(&set.join("predictions.jsonl"), "prediction");
        let references = by_id(&set.join("references.jsonl"), "references");
        for row in lines(&set.join("expected_instances.jsonl")).iter().filter(|row| row["track"] == "xlingual") {
            let id = row["id"].as_str().unwrap();
            let prediction = predictions.get(id).map_or("", |text| text.as_str().unwrap());
            assert_eq!(row["prediction_tokens"], Value::from(pieces(prediction)), "{id}: {prediction:?}");
            let references = references[id].as_array().unwrap();
            assert_eq!(row["reference_tokens"].as_array().unwrap().len(), references.len());
            for (text, tokens) in references.iter().zip(row["reference_tokens"].as_array().unwrap()) {
                assert_eq!(*tokens, Value::from(pieces(text.as_str().unwrap())), "{id}: {text}");
            }
            compared += 1 + references.len();
        }
    }
    assert!(compared > 300, "only {compared} token lists were compared");
}
