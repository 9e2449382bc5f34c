//! Phrases that must not come back: docs/writing-words.txt lists them, docs/writing.md says why.

use crate::cargo::root;
use crate::tracked;
use anyhow::{Context, Result, bail};
use std::path::Path;

const LIST: &str = "docs/writing-words.txt";

/// The list, and the page that quotes what it lists.
const EXEMPT: [&str; 2] = [LIST, "docs/writing.md"];

/// Endings of files that people write text in.
const TEXT: [&str; 10] = ["md", "rs", "html", "js", "mjs", "css", "toml", "snap", "sh", "py"];

/// What begins a line of a comment, list or quotation, and is no part of a sentence.
const MARKS: [&str; 10] = ["//!", "///", "//", "/*", "*", "#", ">", "|", "-", "\""];

/// A phrase in lower case, with what to write instead.
struct Phrase {
    banned: String,
    instead: String,
}

/// Fails if a tracked text has a listed phrase, in any case and across line breaks.
pub fn check() -> Result<()> {
    let root = root();
    let Some(names) = tracked::files(&root)? else {
        eprintln!("xtask: skipped, this is no git repository");
        return Ok(());
    };
    let list = std::fs::read_to_string(root.join(LIST)).with_context(|| format!("reading {LIST}"))?;
    let phrases = parse(&list)?;
    let mut found = Vec::new();
    for name in names.iter().filter(|name| is_text(name) && !EXEMPT.contains(&name.as_str())) {
        // A file that was deleted but is still tracked says nothing, and neither does one that is no text.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        found.extend(find(&phrases, &text).into_iter().map(|place| format!("{name}:{place}")));
    }
    if !found.is_empty() {
        bail!("phrases of {LIST}:\n  {}", found.join("\n  "));
    }
    Ok(())
}

fn is_text(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| TEXT.iter().any(|known| ending == *known))
}

/// The lines `phrase => replacement`; empty lines and those that begin with `#` are passed over.
fn parse(list: &str) -> Result<Vec<Phrase>> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let (banned, instead) = line.split_once(" => ").unwrap_or_default();
            if banned.trim().is_empty() || instead.trim().is_empty() {
                bail!("{LIST}:{}: expected `phrase => replacement`, found `{line}`", number + 1);
            }
            Ok(Phrase { banned: plain(banned), instead: instead.trim().to_owned() })
        })
        .collect()
}

/// Every listed phrase in a text, as `LINE: …`.
fn find(phrases: &[Phrase], text: &str) -> Vec<String> {
    let (text, starts) = joined(text);
    let mut found = Vec::new();
    for Phrase { banned, instead } in phrases {
        for (place, _) in text.match_indices(banned.as_str()) {
            let is_inside_word = text[..place].ends_with(char::is_alphanumeric)
                || text[place + banned.len()..].starts_with(char::is_alphanumeric);
            if !is_inside_word {
                let line = starts.partition_point(|(start, _)| *start <= place) - 1;
                found.push(format!("{}: `{banned}`, expected: {instead}", starts[line].1));
            }
        }
    }
    found
}

/// The lines of a text in one, and for each the place where it starts and its number. Lines without words are left out.
fn joined(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut all, mut starts) = (String::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let line = plain(line);
        if !line.is_empty() {
            starts.push((all.len(), number + 1));
            all.push_str(&line);
            all.push(' ');
        }
    }
    (all, starts)
}

/// A line in lower case with single spaces, without the marks at its ends.
fn plain(line: &str) -> String {
    let mut line = line.trim();
    while let Some(rest) = MARKS.iter().find_map(|mark| line.strip_prefix(mark)) {
        line = rest.trim_start();
    }
    let line = line.trim_end_matches('\\');
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "# a comment\n\nspeaks for itself => is obvious\nat hand => available\n";

    fn places(text: &str) -> Vec<String> {
        find(&parse(LINES).unwrap(), text)
    }

    #[test]
    fn phrases_are_found_in_any_case_and_across_lines() {
        let text = "fn f() {}\n\n/// It Speaks\n///   for itself.\n";
        assert_eq!(places(text), ["3: `speaks for itself`, expected: is obvious"]);
        assert_eq!(
            places("| at hand |\n\"speaks \\\n  for itself\""),
            ["2: `speaks for itself`, expected: is obvious", "1: `at hand`, expected: available"]
        );
    }

    #[test]
    fn parts_of_words_are_no_phrases() {
        assert_eq!(places("a cat handed it over, and what handles it"), [""; 0]);
        assert_eq!(places(""), [""; 0]);
    }

    #[test]
    fn a_line_without_a_replacement_is_an_error() {
        let error = parse("fine => good\nnot fine\n").err().expect("the second line is wrong");
        assert_eq!(error.to_string(), "docs/writing-words.txt:2: expected `phrase => replacement`, found `not fine`");
    }
}
