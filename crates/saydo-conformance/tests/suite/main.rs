//! Rules that the code names are on their pages, and what ignored tests expect is here whole.

use saydo_conformance::json_lines;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The words between "rule" or "rules" and the name of a page, for each time a text names that page.
fn citations<'t>(text: &'t str, page: &str) -> Vec<&'t str> {
    let cited = |(end, _): (usize, &str)| {
        let start = text[..end].to_lowercase().rfind("rule")?;
        text[..end].get(start..).filter(|words| words.len() < 60)
    };
    text.match_indices(page).filter_map(cited).collect()
}

/// Names like `Z12`: capital letters, then digits.
fn is_rule(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    digits.len() < word.len() && !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit())
}

#[test]
fn every_rule_that_the_code_names_is_on_its_page() {
    let mut files = Vec::new();
    rust_files(&Path::new(ROOT).join("crates"), &mut files);
    let mut named = 0;
    for page in ["docs/metrics.md", "docs/layouts.md"] {
        let rules = std::fs::read_to_string(Path::new(ROOT).join(page)).expect("the page is there");
        for file in &files {
            let text = std::fs::read_to_string(file).expect("a source file is text").replace("\n//! ", " ");
            for citation in citations(&text, page) {
                let words = citation.split(|letter: char| !letter.is_ascii_alphanumeric());
                for rule in words.filter(|word| is_rule(word)) {
                    assert!(rules.contains(&format!("**{rule}.")), "{}: {page} has no rule {rule}", file.display());
                    named += 1;
                }
            }
        }
    }
    assert!(named >= 40, "only {named} rules are named in the code");
}

/// Only tests over published text read these files, so that where it is missing nobody else would miss them.
#[test]
fn what_ignored_tests_expect_is_whole() {
    let files = [
        ("encodings/natural_instructions_hashes.jsonl", 108),
        ("natural-instructions/gpt3_files.jsonl", 109),
        ("natural-instructions/gpt3_item_scores.jsonl", 6),
    ];
    for (name, rows) in files {
        assert_eq!(json_lines(name).len(), rows, "{name}");
    }
}
