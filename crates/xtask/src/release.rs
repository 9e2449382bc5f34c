//! `cargo xtask release VERSION`: the version in every manifest, the change log's section, a commit, a tag, and artifacts.
//!
//! Nothing leaves this machine: `git push --follow-tags` does that, and CI then builds the artifacts of the other systems.

use crate::cargo::{Workspace, root, succeed};
use crate::{artifact, changelog, package, policy};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Releases a version; with `is_dry`, only says what would be done.
pub fn run(version: &str, is_dry: bool) -> Result<()> {
    let current = current()?;
    check_version(version, &current)?;
    let tag = format!("v{version}");
    let obstacles = obstacles(&tag)?;
    if !obstacles.is_empty() && !is_dry {
        bail!("{}", obstacles.join("; "));
    }
    let date = time::OffsetDateTime::now_utc().date().to_string();
    let path = root().join(changelog::FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let (text, notes) = changelog::released(&text, version, &date).context(changelog::FILE)?;
    let mut files = vec![(path, text)];
    for path in package::manifests() {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        files.push((path, with_version(&text, &current, version)));
    }
    if is_dry {
        print!("{}", description(&files, &tag, &notes, version)?);
        obstacles.iter().for_each(|obstacle| println!("would refuse: {obstacle}"));
        return Ok(());
    }
    for (path, text) in &files {
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    for workspace in Workspace::ALL {
        workspace.cargo(&["update", "--workspace", "--offline", "--quiet"])?;
    }
    // The lock files name our versions, so their digests have changed.
    policy::check()?;
    git(&["commit", "--all", "--quiet", "--message", &format!("Release {version}")])?;
    tag_with(&tag, &format!("Saydo {version}\n\n{notes}"))?;
    let archive = artifact::make(version)?;
    println!("{}", archive.display());
    println!(
        "released {version}: `git push --follow-tags` publishes the tag, and CI builds the other systems' archives"
    );
    Ok(())
}

/// Builds and packs the current version for this machine.
pub fn artifacts() -> Result<()> {
    println!("{}", artifact::make(&current()?)?.display());
    Ok(())
}

/// The version in the root manifest.
fn current() -> Result<String> {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).context("reading Cargo.toml")?;
    let version = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    version.map(str::to_owned).context("the root manifest has no version")
}

/// A version is `1.2.3` or `1.2.3-rc.1`, and none goes back.
fn check_version(version: &str, current: &str) -> Result<()> {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let release = version.split_once('-').map_or(version, |(release, _)| release);
        let numbers = release.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
        (numbers.len() == 3).then_some(numbers)
    };
    let Some(wanted) = numbers(version) else { bail!("`{version}` is no version, expected for example 0.2.0") };
    if numbers(current).is_some_and(|current| wanted < current) {
        bail!("{version} is older than the current version, {current}");
    }
    Ok(())
}

/// Why nothing can be released now.
fn obstacles(tag: &str) -> Result<Vec<String>> {
    let mut obstacles = Vec::new();
    if !git_output(&["status", "--porcelain"])?.is_empty() {
        obstacles.push("there are changes that are not committed".to_owned());
    }
    if !git_output(&["tag", "--list", tag])?.is_empty() {
        obstacles.push(format!("the tag {tag} exists"));
    }
    Ok(obstacles)
}

/// A manifest with another version of ours: the package's own, and in dependencies with a path.
fn with_version(text: &str, old: &str, new: &str) -> String {
    let (old, new) = (format!("version = \"{old}\""), format!("version = \"{new}\""));
    let mut section = "";
    let mut changed = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            section = line.trim_end();
        }
        let is_own = ["[package]", "[workspace.package]", "[project]"].contains(&section) && line.starts_with(&old);
        let is_dependency = line.starts_with("saydo") && line.contains("path = \"");
        changed += &if is_own || is_dependency { line.replace(&old, &new) } else { line.to_owned() };
    }
    changed
}

/// What the release would do.
fn description(files: &[(PathBuf, String)], tag: &str, notes: &str, version: &str) -> Result<String> {
    let mut out = String::new();
    for (path, text) in files {
        let before = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        let kept: Vec<&str> = before.lines().collect();
        for line in text.lines().filter(|line| !kept.contains(line)) {
            writeln!(out, "{name}: {line}")?;
        }
    }
    let archive = artifact::name(version, &artifact::host()?);
    writeln!(out, "commit: Release {version}\ntag: {tag}, with these notes:\n\n{notes}")?;
    writeln!(out, "artifacts in {}: {archive}.tar.gz, SHA256SUMS", artifact::FOLDER)?;
    Ok(out)
}

fn git(arguments: &[&str]) -> Result<()> {
    succeed(Command::new("git").args(arguments).current_dir(root()))
}

fn git_output(arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").args(arguments).current_dir(root()).output().context("running git")?;
    if !output.status.success() {
        bail!("git {arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Makes an annotated tag; its message is taken as it is, headings and all.
fn tag_with(tag: &str, message: &str) -> Result<()> {
    use std::io::Write as _;
    let mut command = Command::new("git");
    command.args(["tag", "--annotate", "--cleanup=verbatim", "--file=-", tag]).current_dir(root());
    let mut child = command.stdin(Stdio::piped()).spawn().context("running git tag")?;
    child.stdin.take().context("git reads a message")?.write_all(message.as_bytes()).context("writing to git tag")?;
    let status = child.wait().context("waiting for git tag")?;
    if !status.success() {
        bail!("git tag ended with {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_versions_change_and_no_others() {
        let text = "[workspace.package]\nversion = \"0.1.0\"\n\n[workspace.dependencies]\n\
                    saydo-task = { path = \"crates/saydo-task\", version = \"0.1.0\" }\nother = { version = \"0.1.0\" }\n\n\
                    [dependencies.more]\nversion = \"0.1.0\"\n";
        let changed = with_version(text, "0.1.0", "0.2.0");
        assert_eq!(changed.matches("0.2.0").count(), 2);
        assert!(changed.contains("[workspace.package]\nversion = \"0.2.0\"\n"));
        assert!(changed.contains("saydo-task = { path = \"crates/saydo-task\", version = \"0.2.0\" }\n"));
        assert_eq!(with_version(text, "0.1.0", "0.1.0"), text);
    }

    #[test]
    fn versions_have_three_numbers_and_do_not_go_back() {
        for version in ["0.1.0", "0.1.1", "1.0.0-rc.1"] {
            check_version(version, "0.1.0").unwrap();
        }
        assert_eq!(
            check_version("0.0.9", "0.1.0").unwrap_err().to_string(),
            "0.0.9 is older than the current version, 0.1.0"
        );
        for version in ["v0.2.0", "0.2", "", "0.2.x"] {
            assert!(check_version(version, "0.1.0").is_err(), "{version}");
        }
    }
}
