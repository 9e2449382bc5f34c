//! Raw English from the JSON files of instruction and question collections: every string in them that reads like a
//! sentence, once.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// Shorter lines are labels and answers.
const MIN_WORDS: usize = 5;

/// The lines of all files, in the order of their sorted paths. Folders are searched for `.json`, one level deep.
pub fn read(paths: &[PathBuf]) -> Result<Vec<String>> {
    let mut lines = Lines::default();
    for path in paths {
        for file in files(path)? {
            let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            match serde_json::from_str(&text) {
                Ok(value) if is_english(&value) => lines.collect(&value),
                Ok(_) => {}
                // Synthetic tasks of Super-NaturalInstructions write NaN for a missing URL; they hold no prose.
                Err(error) => eprintln!("passed over {}: {error}", file.display()),
            }
        }
    }
    Ok(lines.ordered)
}

fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).with_context(|| format!("listing {}", path.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    // Tagging tasks quote treebanks, perhaps the one that is kept for the test.
    let wanted = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "json") && !path.to_string_lossy().contains("pos_tagging")
    };
    files.retain(wanted);
    files.sort();
    Ok(files)
}

/// Whether a task says that it is in English only; files that say nothing are.
fn is_english(value: &Value) -> bool {
    ["Input_language", "Output_language"].iter().all(|key| match value.get(key) {
        Some(Value::Array(languages)) => languages.iter().all(|language| language == "English"),
        _ => true,
    })
}

#[derive(Default)]
struct Lines {
    seen: HashSet<String>,
    ordered: Vec<String>,
}

impl Lines {
    fn collect(&mut self, value: &Value) {
        match value {
            Value::String(text) => text.split(['\n', '\t']).for_each(|line| self.add(line)),
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.collect(field)),
            _ => {}
        }
    }

    fn add(&mut self, line: &str) {
        let line = without_label(line.trim());
        if line.split_whitespace().count() >= MIN_WORDS && self.seen.insert(line.to_owned()) {
            self.ordered.push(line.to_owned());
        }
    }
}

/// Cuts labels such as `Passage: `, so that one passage under several labels is seen once.
fn without_label(line: &str) -> &str {
    match line.split_once(": ") {
        Some((label, rest)) if label.len() < 30 && label.chars().all(|c| c.is_alphanumeric() || c == ' ') => rest,
        _ => line,
    }
}
