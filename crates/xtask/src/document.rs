//! The documentation: links lead somewhere, the site has every page once, and it stays short.
//!
//! `docs/` is an mdBook. Its pages are read on the site and in the repository, so a link may not leave the folder: the site
//! would not have what it names. Addresses elsewhere are not followed.

use crate::cargo::{root, succeed};
use crate::tracked;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// The site.
const SITE: &str = "docs";
const SUMMARY: &str = "docs/SUMMARY.md";

/// Words that the pages may have in all. A word holds a letter or a digit; tables and code count.
const MAX_WORDS: usize = 25_000;

/// What does not count: generated pages, and what nobody reads from front to back: rule books, the list of the papers' tables,
/// and logs of experiments behind the pages that draw conclusions from them.
const UNCOUNTED: [&str; 5] =
    ["docs/reference/", "docs/metrics.md", "docs/layouts.md", "docs/papers.md", "docs/results/log/"];

/// Checks every tracked page of Markdown, and the site as a whole; gives the number of words.
pub fn check() -> Result<usize> {
    let root = root();
    let Some(names) = tracked::files(&root)? else {
        eprintln!("xtask: skipped, this is no git repository");
        return Ok(0);
    };
    let mut pages = BTreeMap::new();
    for name in names.iter().filter(|name| name.ends_with(".md")) {
        // A file that was deleted but is still tracked says nothing.
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        pages.insert(name.clone(), text);
    }
    let exists = |path: &str| root.join(path).exists();
    let mut wrong = broken_links(&pages, &exists);
    wrong.extend(unlisted(&pages));
    let words = count(&pages);
    if words > MAX_WORDS {
        wrong.push(format!("the pages have {words} words, expected at most {MAX_WORDS}; shorten one"));
    }
    if !wrong.is_empty() {
        bail!("the documentation:\n  {}", wrong.join("\n  "));
    }
    Ok(words)
}

/// Builds the site into `target/book`, if mdBook is installed.
pub fn build() -> Result<()> {
    let probe = Command::new("mdbook").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        eprintln!("xtask: not built, mdbook is not installed; `cargo install --locked mdbook` makes it possible");
        return Ok(());
    }
    succeed(Command::new("mdbook").arg("build").arg(SITE).current_dir(root()))
}

/// Links to files that do not exist, to headings that no page has, and out of the site.
fn broken_links(pages: &BTreeMap<String, String>, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, text) in pages {
        for (line, link) in links(text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => Some(name.clone()),
                path => resolve(name, path),
            };
            let problem = match target {
                None => "leaves the repository".to_owned(),
                Some(target) if !exists(&target) => format!("{target} does not exist"),
                Some(target) if name.starts_with("docs/") && !target.starts_with("docs/") => {
                    format!("{target} is not on the site; name it as code instead")
                }
                Some(target) => match pages.get(&target) {
                    Some(page) if !anchor.is_empty() && !anchors(page).contains(anchor) => {
                        format!("{target} has no heading `{anchor}`")
                    }
                    _ => continue,
                },
            };
            wrong.push(format!("{name}:{line}: ({link}): {problem}"));
        }
    }
    wrong
}

/// The path that a link of a page names, below the repository's folder; none if it is outside.
fn resolve(page: &str, link: &str) -> Option<String> {
    let mut path = PathBuf::from(page);
    path.pop();
    for component in Path::new(link).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path.to_string_lossy().replace('\\', "/"))
}

/// Pages of the site that its summary lacks or has twice.
fn unlisted(pages: &BTreeMap<String, String>) -> Vec<String> {
    let Some(summary) = pages.get(SUMMARY) else { return vec![format!("{SUMMARY} does not exist")] };
    let listed: Vec<String> = links(summary).into_iter().filter_map(|(_, link)| resolve(SUMMARY, &link)).collect();
    let of_site = pages.keys().filter(|name| name.starts_with("docs/") && *name != SUMMARY);
    of_site
        .filter_map(|name| match listed.iter().filter(|listed| *listed == name).count() {
            1 => None,
            times => Some(format!("{name} stands {times} times in {SUMMARY}, expected once")),
        })
        .collect()
}

fn count(pages: &BTreeMap<String, String>) -> usize {
    let counted = pages
        .iter()
        .filter(|(name, _)| name.starts_with("docs/") && !UNCOUNTED.iter().any(|not| name.starts_with(not)));
    counted.map(|(_, text)| text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()).sum()
}

/// The lines outside blocks of code, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((number + 1, line))
    })
}

/// What stands in `](…)`, with the number of its line; not in code.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        for (start, mark) in line.match_indices("](") {
            let target = &line[start + mark.len()..];
            // A title may stand behind the address.
            let target = target.split([')', ' ']).next().unwrap_or_default();
            links.push((number, target.trim_matches(['<', '>']).to_owned()));
        }
    }
    links
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// The anchors of a page's headings, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut times = BTreeMap::<String, usize>::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if !(1..=6).contains(&(line.len() - title.len())) || !title.starts_with(' ') {
            continue;
        }
        let anchor = anchor(title.trim());
        let times = times.entry(anchor.clone()).or_default();
        anchors.insert(match *times {
            0 => anchor,
            times => format!("{anchor}-{times}"),
        });
        *times += 1;
    }
    anchors
}

fn anchor(title: &str) -> String {
    // Of a link, only its text is shown.
    let mut shown = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once("](") {
        shown += before;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    shown += rest;
    let character = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    shown.to_lowercase().chars().filter_map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(pages: &[(&str, &str)]) -> BTreeMap<String, String> {
        pages.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let pages = pages(&[
            ("README.md", "[a](docs/a.md#two-words) [b](docs/b.md)\n[c](https://example.org/x) `[d](none.md)`"),
            (
                "docs/a.md",
                "# Two `words`!\n\n[up](../README.md)\n\n```sh\n# not a heading\n[e](none.md)\n```\n[f](#two)\n[g](../../x)",
            ),
        ]);
        let exists = |path: &str| ["README.md", "docs/a.md"].contains(&path);
        assert_eq!(
            broken_links(&pages, &exists),
            [
                "README.md:1: (docs/b.md): docs/b.md does not exist",
                "docs/a.md:3: (../README.md): README.md is not on the site; name it as code instead",
                "docs/a.md:9: (#two): docs/a.md has no heading `two`",
                "docs/a.md:10: (../../x): leaves the repository",
            ]
        );
    }

    #[test]
    fn headings_become_anchors() {
        let text = "# A `saydo run`, twice\n## A\n## A\n### [Data](data.md) & more_1\n#no heading\n";
        let expected = ["a-saydo-run-twice", "a", "a-1", "data--more_1"];
        assert_eq!(anchors(text), expected.map(str::to_owned).into_iter().collect());
    }

    #[test]
    fn every_page_stands_in_the_summary_once() {
        let pages = pages(&[
            (SUMMARY, "[A](a.md)\n- [A again](a.md)\n- [B](sub/b.md)"),
            ("docs/a.md", ""),
            ("docs/sub/b.md", ""),
            ("docs/c.md", ""),
        ]);
        assert_eq!(
            unlisted(&pages),
            [
                "docs/a.md stands 2 times in docs/SUMMARY.md, expected once",
                "docs/c.md stands 0 times in docs/SUMMARY.md, expected once",
            ]
        );
    }

    #[test]
    fn words_have_letters_or_digits() {
        let pages =
            pages(&[("docs/a.md", "| a | 1.5 |\n| --- | – |\nsaydo `run`"), ("docs/metrics.md", "b"), ("c.md", "d")]);
        assert_eq!(count(&pages), 4);
    }
}
