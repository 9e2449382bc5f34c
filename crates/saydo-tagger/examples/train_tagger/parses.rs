//! Tagged sentences from the automatic parses that SNLI carries. The tags are a parser's and the tag set is Penn's, so
//! they are mapped to the universal one and count little.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use saydo_tagger::Tag;
use saydo_tagger::train::Lesson;
use serde_json::Value;

/// What such a sentence counts beside one tagged by people; chosen by cross-validation.
const WEIGHT: f32 = 0.15;

/// The distinct parsed sentences of SNLI files, in order.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Lesson>> {
    let mut seen = HashSet::new();
    let mut lessons = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        for (index, line) in text.lines().enumerate() {
            let pair: Value = serde_json::from_str(line)
                .with_context(|| format!("parsing line {} of {}", index + 1, path.display()))?;
            for field in ["sentence1_parse", "sentence2_parse"] {
                if let Some(parse) = pair[field].as_str().filter(|parse| seen.insert((*parse).to_owned())) {
                    lessons.push(lesson(parse));
                }
            }
        }
    }
    Ok(lessons)
}

/// The leaves of a parse: what stands between `(TAG ` and `)` without brackets of its own.
fn lesson(parse: &str) -> Lesson {
    let leaves = parse.split('(').filter_map(|part| part.split_once(')')?.0.split_once(' '));
    let (words, tags) = leaves.map(|(penn, word)| (unescape(word).to_owned(), universal(penn, word))).unzip();
    Lesson { words, tags, weight: WEIGHT }
}

fn unescape(word: &str) -> &str {
    match word {
        "-LRB-" => "(",
        "-RRB-" => ")",
        "``" | "''" => "\"",
        other => other,
    }
}

/// The tag of a leaf. Where Penn's tags are coarser (verbs, prepositions, words such as `someone`), the word decides.
fn universal(penn: &str, word: &str) -> Tag {
    let lower = word.to_lowercase();
    match (penn, lower.as_str()) {
        ("NN" | "CD", "someone" | "somebody" | "something" | "anyone" | "anybody" | "anything" | "everyone") => {
            Tag::Pronoun
        }
        ("NN" | "CD", "everybody" | "everything" | "nobody" | "nothing" | "one") => Tag::Pronoun,
        (_, "n't" | "not") => Tag::Particle,
        ("NN", _) => Tag::Noun,
        ("NNS", _) => Tag::PluralNoun,
        ("NNP", _) => Tag::ProperNoun,
        ("NNPS", _) => Tag::PluralProperNoun,
        ("JJ" | "JJR" | "JJS", _) => Tag::Adjective,
        ("RB" | "RBR" | "RBS" | "WRB", _) => Tag::Adverb,
        ("VB" | "VBZ" | "VBP" | "VBD" | "VBG" | "VBN", "is" | "are" | "was" | "were" | "be" | "been" | "being") => {
            Tag::Auxiliary
        }
        ("VBZ" | "VBP", "am" | "'s" | "'re" | "'m") | ("MD", _) => Tag::Auxiliary,
        ("VB" | "VBZ" | "VBP" | "VBD" | "VBG" | "VBN", _) => Tag::Verb,
        ("DT" | "PDT", _) => Tag::Determiner,
        ("PRP" | "PRP$" | "WP" | "WP$" | "WDT" | "EX", _) => Tag::Pronoun,
        ("IN" | "RP", _) => Tag::Adposition,
        ("TO" | "POS", _) => Tag::Particle,
        ("CC", _) => Tag::Coordinator,
        ("CD" | "LS", _) => Tag::Numeral,
        ("UH", _) => Tag::Interjection,
        ("SYM" | "$" | "#", _) => Tag::Symbol,
        ("FW", _) => Tag::Other,
        _ => Tag::Punctuation,
    }
}
