//! Commands in the documentation: what a reader could type, found in blocks of code and in `code` within sentences.
//!
//! Blocks in `sh` hold commands alone. In `console` blocks they stand behind `$ `, and the rest is what they print. A block
//! whose first line says `run` behind the language (```` ```console run ````) can be run as it stands, by `cargo xtask check
//! full`. Within sentences, and wherever a word is `…`, a command may be a part of one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Stands for words that a reader puts in.
const ELISION: &str = "…";

/// A page of the documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its path below the repository's folder.
    pub name: String,
    /// Its blocks of commands, in order.
    pub blocks: Vec<Block>,
    /// What its sentences quote as code, with the numbers of the lines.
    pub quoted: Vec<(usize, String)>,
}

/// A block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The line of its first line.
    pub line: usize,
    /// Whether it can be run as it stands.
    pub can_run: bool,
    /// The commands as they are typed, each with the lines it prints; none printed if the block shows no output.
    pub steps: Vec<Step>,
}

/// A command of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its line.
    pub line: usize,
    /// What is typed, in one line.
    pub typed: String,
    /// What is shown as printed; none in blocks that show no output.
    pub printed: Option<Vec<String>>,
}

/// A call of a program within what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Whether arguments are left out.
    pub is_part: bool,
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(ROOT)
}

/// The README, every page below `docs/` that is written by hand, and the READMEs of examples and experiments.
///
/// # Panics
///
/// If one cannot be read.
pub fn pages() -> Vec<Page> {
    let mut names = ["README.md", "examples/README.md", "experiments/README.md"].map(str::to_owned).to_vec();
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root().join(&folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        for entry in entries {
            let entry = entry.unwrap_or_else(|error| panic!("{folder}: {error}"));
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true if name != "docs/reference" => folders.push(name),
                false if name.ends_with(".md") => names.push(name),
                _ => {}
            }
        }
    }
    names.sort();
    names.into_iter().map(|name| page(&name, &read(&root().join(&name)))).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The commands of a page.
pub fn page(name: &str, text: &str) -> Page {
    let mut page = Page { name: name.to_owned(), blocks: Vec::new(), quoted: Vec::new() };
    let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            page.quoted.extend(quoted(line).map(|code| (number, code.to_owned())));
            continue;
        };
        let inside: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.trim_start().starts_with("```")).collect();
        let mut words = info.split_whitespace();
        let steps = match words.next() {
            Some("sh" | "bash") => typed(&inside),
            Some("console") => typed_and_printed(&inside),
            _ => continue,
        };
        page.blocks.push(Block { line: number, can_run: words.next() == Some("run"), steps });
    }
    page
}

/// What stands between single backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).map(str::trim)
}

/// The commands of a block without output; one that ends in `\` or within quotation marks continues in the next line.
fn typed(lines: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines {
        let (line, continues) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (*line, false),
        };
        match steps.last_mut() {
            Some(step) if is_open => step.typed = format!("{} {}", step.typed.trim_end(), line.trim()),
            _ if line.trim().is_empty() => {}
            _ => steps.push(Step { line: *number, typed: line.trim().to_owned(), printed: None }),
        }
        is_open = continues || steps.last().is_some_and(|step| has_open_quote(&step.typed));
    }
    steps
}

/// Whether a quotation mark is not closed: then the next line belongs to the same text.
fn has_open_quote(typed: &str) -> bool {
    let (mut quote, mut is_escaped) = (None, false);
    for c in typed.chars() {
        match quote {
            _ if std::mem::take(&mut is_escaped) => {}
            None if c == '#' => return false,
            Some(open) if c == open => quote = None,
            Some('\'') => {}
            _ if c == '\\' => is_escaped = true,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
    }
    quote.is_some()
}

/// The commands behind `$ `, and what they print.
fn typed_and_printed(lines: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines {
        let command = line.strip_prefix("$ ").or(is_open.then_some(*line));
        match (command, steps.last_mut()) {
            (Some(command), last) => {
                let (command, continues) = match command.trim_end().strip_suffix('\\') {
                    Some(command) => (command, true),
                    None => (command, false),
                };
                match last {
                    Some(step) if is_open => step.typed = format!("{} {}", step.typed.trim_end(), command.trim()),
                    _ => {
                        let typed = command.trim().to_owned();
                        steps.push(Step { line: *number, typed, printed: Some(Vec::new()) });
                    }
                }
                is_open = continues;
            }
            (None, Some(Step { printed: Some(printed), .. })) => printed.push((*line).to_owned()),
            (None, _) => {}
        }
    }
    steps
}

/// The calls in what is typed: each part of a pipe or list, and what stands in `$(…)`. Variables that were set before are
/// put in; redirections and comments are left out.
pub fn calls(typed: &str, variables: &mut BTreeMap<String, String>) -> Vec<Call> {
    let (mut calls, mut words) = (Vec::new(), Vec::<String>::new());
    let mut skips_next = false;
    for word in words_of(typed, variables, &mut calls) {
        match word {
            Word::Text(_) if std::mem::take(&mut skips_next) => {}
            Word::Text(text) => words.push(text),
            Word::Redirection => skips_next = true,
            Word::End => calls.extend(call(std::mem::take(&mut words), variables)),
        }
    }
    calls.extend(call(words, variables));
    calls
}

/// A call without the variables that are set before it; none if there is nothing else.
fn call(words: Vec<String>, variables: &mut BTreeMap<String, String>) -> Option<Call> {
    let is_assignment = |word: &&String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    let set: Vec<&String> = words.iter().take_while(is_assignment).collect();
    if set.len() == words.len() {
        variables.extend(set.iter().filter_map(|word| word.split_once('=')).map(|(a, b)| (a.to_owned(), b.to_owned())));
        return None;
    }
    let words = &words[set.len()..];
    let is_part = words.iter().any(|word| word == ELISION);
    let words = words.iter().filter(|word| *word != ELISION).cloned().collect();
    Some(Call { words, is_part })
}

enum Word {
    Text(String),
    /// The next word is a file.
    Redirection,
    /// The end of a call.
    End,
}

/// The words of a line as a shell reads them. What stands in `$(…)` goes to `inner`, and a word stands in its place.
fn words_of(line: &str, variables: &mut BTreeMap<String, String>, inner: &mut Vec<Call>) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, '\\') => word.get_or_insert_default().extend(rest.next()),
            (_, '$') if rest.peek() == Some(&'(') => {
                let mut depth = 0;
                let command: String = rest
                    .by_ref()
                    .take_while(|c| {
                        depth += i32::from(*c == '(') - i32::from(*c == ')');
                        depth > 0
                    })
                    .skip(1)
                    .collect();
                inner.extend(calls(&command, variables));
                word.get_or_insert_default().push_str("substituted");
            }
            (_, '$') => {
                let mut name = String::new();
                while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let value = variables.get(&name).cloned().unwrap_or_else(|| format!("${name}"));
                if quote.is_some() || !value.contains(' ') {
                    word.get_or_insert_default().push_str(&value);
                } else {
                    // Outside quotes, a value is words.
                    words.extend(word.take().map(Word::Text));
                    words.extend(value.split_whitespace().map(|part| Word::Text(part.to_owned())));
                }
            }
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '#') if word.is_none() => break,
            (None, '<' | '>') => {
                // A digit before it names a stream.
                word.take_if(|word| word.chars().all(|c| c.is_ascii_digit()));
                words.extend(word.take().map(Word::Text));
                while rest.next_if(|c| matches!(c, '>' | '&')).is_some() {}
                words.push(Word::Redirection);
            }
            (None, '|' | '&' | ';') => {
                words.extend(word.take().map(Word::Text));
                words.push(Word::End);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take().map(Word::Text)),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.take().map(Word::Text));
    words
}

/// Whether what was printed is what a page shows: line by line, but for `…`, which stands for any text within a line and, on a
/// line of its own, for any lines.
pub fn matches(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == ELISION => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => {
            printed.first().is_some_and(|line| matches_line(first, line)) && matches(rest, &printed[1..])
        }
    }
}

fn matches_line(shown: &str, printed: &str) -> bool {
    let parts: Vec<&str> = shown.trim_end().split(ELISION).collect();
    let (first, others) = parts.split_first().expect("a split has a part");
    let Some(mut rest) = printed.trim_end().strip_prefix(first) else { return false };
    for (place, part) in others.iter().enumerate() {
        let found = if place + 1 == others.len() { rest.len().checked_sub(part.len()) } else { rest.find(part) };
        let Some(start) = found.filter(|start| rest.is_char_boundary(*start) && rest[*start..].starts_with(part))
        else {
            return false;
        };
        rest = &rest[start + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(typed: &str) -> Vec<Vec<String>> {
        calls(typed, &mut BTreeMap::new()).into_iter().map(|call| call.words).collect()
    }

    #[test]
    fn blocks_and_quoted_code_are_found() {
        let text = "Use `saydo run`, or:\n\n```sh\nsaydo run a \\\n    b   # why's\n\nsaydo new 'c\n  d'\n```\n\n\
                    ```console run\n$ saydo x\none\n…\n$ saydo y\n```\n```toml\nsaydo = 1\n```\n";
        let page = page("a.md", text);
        assert_eq!(page.quoted, [(1, "saydo run".to_owned())]);
        let typed = |block: &Block| block.steps.iter().map(|step| step.typed.clone()).collect::<Vec<_>>();
        assert_eq!(
            page.blocks.iter().map(typed).collect::<Vec<_>>(),
            [["saydo run a b   # why's", "saydo new 'c d'"], ["saydo x", "saydo y"]]
        );
        assert_eq!(page.blocks.iter().map(|block| block.can_run).collect::<Vec<_>>(), [false, true]);
        assert_eq!(page.blocks[1].steps[0].printed, Some(vec!["one".to_owned(), "…".to_owned()]));
        assert_eq!(page.blocks[1].steps[1].line, 15);
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(
            words("saydo run \"Are dogs allowed?\" a\\ b 'c d'"),
            [["saydo", "run", "Are dogs allowed?", "a b", "c d"]]
        );
        assert_eq!(
            words("cat a | saydo run x - 2> log > out && saydo y & # saydo z"),
            [vec!["cat", "a"], vec!["saydo", "run", "x", "-"], vec!["saydo", "y"]]
        );
        assert_eq!(
            words("saydo describe $(saydo data pull ni)"),
            [vec!["saydo", "data", "pull", "ni"], vec!["saydo", "describe", "substituted"]]
        );
    }

    #[test]
    fn variables_are_put_in_and_elisions_left_out() {
        let mut variables = BTreeMap::new();
        assert_eq!(calls("TASKS=\"--data a --data b\"", &mut variables), []);
        let call = &calls("KEY=x saydo train $TASKS \"$TASKS\" …", &mut variables)[0];
        assert_eq!(call.words, ["saydo", "train", "--data", "a", "--data", "b", "--data a --data b"]);
        assert!(call.is_part);
    }

    #[test]
    fn output_matches_but_for_what_is_left_out() {
        let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(matches(&shown("a\n…\nd"), &["a", "b", "c", "d"]));
        assert!(matches(&shown("a 1 … 3"), &["a 1 2 3"]));
        assert!(matches(&shown("…"), &[]));
        assert!(!matches(&shown("a"), &["a", "b"]));
        assert!(!matches(&shown("a …b"), &["a c"]));
        assert!(!matches(&shown("a\nb"), &["a"]));
    }
}
