//! Lists of labels, behind a colon or inside a sentence.

use crate::infer::step;
use crate::infer::word::Word;
use saydo_tagger::Tag;

/// The most words a label has, and the most labels a set has.
const MAX_WORDS: usize = 4;
const MAX_LABELS: usize = 60;

/// The items of a list that begins a text: the rest of its line, else the lines that follow; none if it is no list.
pub(super) fn listed(text: &str) -> Vec<String> {
    let line = text.lines().next().unwrap_or_default().trim();
    step::read(line.len());
    let items: Vec<String> = if line.is_empty() {
        text.lines().skip(1).map_while(bullet).take(MAX_LABELS + 1).collect()
    } else {
        split(line.split(". ").next().unwrap_or_default())
    };
    let fits = |item: &String| !item.is_empty() && item.split_whitespace().count() <= MAX_WORDS;
    if items.len() <= MAX_LABELS && items.iter().all(fits) { items } else { Vec::new() }
}

/// The text of a bulleted or plain short line.
fn bullet(line: &str) -> Option<String> {
    step::read(line.len());
    let line = line.trim();
    let line = line.trim_start_matches(['-', '*', '•', '–']).trim_start();
    let number = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let line = if number > 0 { line[number..].trim_start_matches(['.', ')', ' ']) } else { line };
    let item = bare(line);
    (!item.is_empty()).then_some(item)
}

fn split(line: &str) -> Vec<String> {
    let line = line.replace(" or ", ",").replace(" and ", ",");
    line.split([',', ';', '|', '/']).map(bare).filter(|item| !item.is_empty()).take(MAX_LABELS + 1).collect()
}

/// Without quotes, brackets, articles, `or`, and a final mark.
fn bare(item: &str) -> String {
    let marks = |c: char| c.is_whitespace() || "\"'`“”‘’.?![]()*".contains(c);
    let mut item = item.trim_matches(marks);
    for word in ["or ", "and ", "a ", "an "] {
        item = item.strip_prefix(word).unwrap_or(item).trim_matches(marks);
    }
    item.to_owned()
}

/// The labels of a list that begins here in a sentence, up to what no longer belongs to it; none if it is no list.
pub(super) fn labels(words: &[Word]) -> Vec<String> {
    let is_end = |word: &Word| {
        matches!(word.text.as_str(), "." | ":" | ";" | "?" | "!")
            || word.is(&["based", "depending", "according", "if", "for", "given", "by", "when", "in", "using", "to"])
            || word.tag == Tag::Auxiliary
    };
    let end = words.iter().position(is_end).unwrap_or(words.len());
    let is_joint = |word: &Word| word.is(&[",", "or", "and", "/", "|", "either"]);
    let items: Vec<String> = words[..end].split(is_joint).map(text).filter(|item| !item.is_empty()).collect();
    let fits = |item: &String| item.split(' ').count() <= MAX_WORDS;
    let is_list = words[..end].iter().any(is_joint) && items.iter().all(fits) && items.len() <= MAX_LABELS;
    if is_list { items } else { Vec::new() }
}

/// The words of one label as written, without articles and marks.
pub(super) fn text(words: &[Word]) -> String {
    let is_article = |word: &Word| word.is(&["the", "a", "an", "one", "of", "following", "these", "those", "either"]);
    let is_label = words.len() == 1;
    let kept = words.iter().filter(|word| !word.is_mark() && (is_label || !is_article(word)));
    kept.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}
