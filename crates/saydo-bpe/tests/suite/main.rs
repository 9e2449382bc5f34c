//! Tokens compared with those the Super-NaturalInstructions scorer took its ROUGE-L over on the cross-lingual track.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod outside;

use saydo_bpe::Gpt2;
use saydo_conformance::{Protocol, compare, find, read_json_lines};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The vectors write a token's bytes as the characters GPT-2's vocabulary file uses: printable Latin-1 as itself, the
/// other bytes in order from U+0100.
fn byte_characters() -> Vec<char> {
    let prints = |byte: &u32| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut moved = 0x100..;
    let code = |byte| if prints(&byte) { byte } else { moved.next().unwrap() };
    (0..=0xFF).map(code).map(|code| char::from_u32(code).unwrap()).collect()
}

/// A field of each row of a file, by the row's id.
fn by_id(path: &Path, field: &str) -> HashMap<String, Value> {
    read_json_lines(path).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row[field].clone())).collect()
}

/// Compares the tokens of a set's predictions and references.
fn check_set(set: &Path) {
    let characters = byte_characters();
    let pieces = |text: &str| -> Vec<String> {
        let written = |piece: Vec<u8>| piece.into_iter().map(|byte| characters[usize::from(byte)]).collect();
        Gpt2::shared().rouge_pieces(text).into_iter().map(written).collect()
    };
    let predictions = by_id(&find(set, "predictions.jsonl"), "prediction");
    let references = by_id(&find(set, "references.jsonl"), "references");
    let rows = read_json_lines(&find(set, "expected_instances.jsonl"));
    compare(Protocol::SuperNaturalInstructions, rows.iter().filter(|row| row["track"] == "xlingual"), |row| {
        let id = row["id"].as_str().unwrap();
        let prediction = predictions.get(id).map_or("", |text| text.as_str().unwrap());
        assert_eq!(row["prediction_tokens"], Value::from(pieces(prediction)), "{id}: {prediction:?}");
        let references = references[id].as_array().unwrap();
        assert_eq!(row["reference_tokens"].as_array().unwrap().len(), references.len());
        for (text, tokens) in references.iter().zip(row["reference_tokens"].as_array().unwrap()) {
            assert_eq!(*tokens, Value::from(pieces(text.as_str().unwrap())), "{id}: {text}");
        }
    });
}
