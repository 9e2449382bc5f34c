//! CHANGELOG.md, by Keep a Changelog: an open section first, then one for each release.
//!
//! The open section is called `Unreleased`, or `0.2.0 - unreleased` once its version is decided.

use crate::cargo::root;
use anyhow::{Context, Result, bail};

/// The file.
pub const FILE: &str = "CHANGELOG.md";

/// The headings of Keep a Changelog, and ours for whatever moves a number.
const GROUPS: [&str; 7] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Scores"];

/// Fails if the file has another form.
pub fn check() -> Result<()> {
    let text = std::fs::read_to_string(root().join(FILE)).with_context(|| format!("reading {FILE}"))?;
    let wrong = problems(&text);
    if !wrong.is_empty() {
        bail!("{FILE}:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// The file with its open section closed as this release, and that section's text.
pub fn released(text: &str, version: &str, date: &str) -> Result<(String, String)> {
    let start = text.find("\n## ").context("there is no section")? + 1;
    let (title, after) = text[start..].split_once('\n').context("the first section is empty")?;
    let title = title.trim_start_matches("## ");
    if title != "Unreleased" && title != format!("{version} - unreleased") {
        bail!("the first section is `{title}`, expected `Unreleased` or `{version} - unreleased`");
    }
    if after.contains(&format!("\n## {version} - ")) {
        bail!("{version} has a section already");
    }
    let end = after.find("\n## ").map_or(after.len(), |end| end + 1);
    let notes = after[..end].trim();
    if !notes.lines().any(|line| line.starts_with("- ")) {
        bail!("the section `{title}` lists nothing");
    }
    let released = format!("{}## Unreleased\n\n## {version} - {date}\n{after}", &text[..start]);
    Ok((released, format!("{notes}\n")))
}

fn problems(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut sections = 0;
    for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line)) {
        if let Some(group) = line.strip_prefix("### ") {
            if !GROUPS.contains(&group) {
                wrong.push(format!("{number}: `{group}`, expected one of {}", GROUPS.join(", ")));
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            let is_open =
                title == "Unreleased" || title.split_once(" - ").is_some_and(|(_, date)| date == "unreleased");
            if !is_open && !is_release(title) {
                wrong.push(format!("{number}: `{title}`, expected `VERSION - YYYY-MM-DD`"));
            }
            if is_open && sections > 0 {
                wrong.push(format!("{number}: `{title}` is open, expected only the first section to be"));
            }
            sections += 1;
        }
    }
    if sections == 0 {
        wrong.push("there is no section".to_owned());
    }
    wrong
}

/// Whether a title is `VERSION - YYYY-MM-DD`.
fn is_release(title: &str) -> bool {
    let Some((version, date)) = title.split_once(" - ") else { return false };
    let numbers = |text: &str, separator: char| {
        text.split(separator).map(|part| part.parse::<u32>().ok().map(|_| part.len())).collect::<Option<Vec<_>>>()
    };
    let version = version.split_once('-').map_or(version, |(release, _)| release);
    numbers(version, '.').is_some_and(|parts| parts.len() == 3)
        && numbers(date, '-').is_some_and(|parts| parts == [4, 2, 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-11-19\n\n### Added\n\n- All.\n";

    #[test]
    fn the_open_section_becomes_the_release() {
        let (text, notes) = released(TEXT, "0.2.0", "2026-12-01").unwrap();
        assert_eq!(notes, "### Added\n\n- A thing.\n");
        assert!(text.starts_with(
            "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- A thing.\n\n## 0.1.0"
        ));
        assert_eq!(problems(&text), [""; 0]);
        let (text, _) = released(&TEXT.replace("Unreleased", "0.2.0 - unreleased"), "0.2.0", "2026-12-01").unwrap();
        assert!(text.contains("## Unreleased\n\n## 0.2.0 - 2026-12-01\n"));
    }

    #[test]
    fn nothing_is_released_twice_or_empty() {
        let message = |text: &str, version: &str| released(text, version, "2026-12-01").unwrap_err().to_string();
        assert_eq!(message(TEXT, "0.1.0"), "0.1.0 has a section already");
        assert_eq!(
            message("# C\n\n## Unreleased\n\n## 0.1.0 - 2026-11-19\n", "0.2.0"),
            "the section `Unreleased` lists nothing"
        );
        assert_eq!(
            message("# C\n\n## 0.3.0 - unreleased\n\n- A.\n", "0.2.0"),
            "the first section is `0.3.0 - unreleased`, expected `Unreleased` or `0.2.0 - unreleased`"
        );
    }

    #[test]
    fn other_headings_are_found() {
        assert_eq!(problems(TEXT), [""; 0]);
        assert_eq!(
            problems("# C\n\n## 1.0 - 2026-11-19\n\n### News\n\n## Unreleased\n"),
            [
                "3: `1.0 - 2026-11-19`, expected `VERSION - YYYY-MM-DD`",
                "5: `News`, expected one of Added, Changed, Deprecated, Removed, Fixed, Security, Scores",
                "7: `Unreleased` is open, expected only the first section to be",
            ]
        );
    }
}
