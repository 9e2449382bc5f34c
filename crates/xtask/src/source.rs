//! Rules about source text that the compiler's lints do not know, for code outside tests:
//!
//! - whatever is written goes through `saydo-file`, which syncs it and which tests can make fail at any step;
//! - no message shows an error as `{:?}` has it.

use crate::cargo::root;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What writes past `saydo-file`.
const WRITING: [&str; 12] = [
    "fs::write(",
    "fs::rename(",
    "fs::copy(",
    "fs::hard_link(",
    "fs::create_dir(",
    "fs::create_dir_all(",
    "File::create(",
    "File::create_new(",
    "File::options(",
    "OpenOptions::new(",
    "DirBuilder::new(",
    "serialize_to_file(",
];

/// Where that may be, and why.
const ALLOWED: [(&str, &str); 9] = [
    ("crates/saydo-file/", "it is that layer"),
    ("crates/saydo-conformance/", "counts for the checks, gone with the build"),
    ("crates/xtask/", "files of the repository"),
    ("crates/saydo/src/record/ledger/lock.rs", "a lock, always empty"),
    ("crates/saydo-hub/src/store/lock.rs", "a lock, always empty"),
    ("crates/saydo-serve/src/store/private.rs", "empty files with their permissions; SQLite writes and syncs them"),
    ("crates/saydo-serve/src/api/preview.rs", "a file for a moment, in a folder that goes with it"),
    ("crates/saydo-cli/src/cmd/serve/token_file.rs", "its owner's alone from the first moment; it syncs"),
    ("crates/saydo-model/src/weights/folder.rs", "the library writes tensor by tensor; synced and renamed behind it"),
];

/// What errors are called.
const ERRORS: [&str; 6] = ["error", "err", "e", "source", "cause", "failure"];

/// Fails if a rule is broken, or an exception is no longer needed.
pub fn check() -> Result<()> {
    let root = root();
    let mut wrong = Vec::new();
    let mut idle: BTreeSet<&str> = ALLOWED.iter().map(|(path, _)| *path).collect();
    for base in ["crates", "cluster/src", "bindings/python/src"] {
        for path in sources(&root.join(base))? {
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            let name = path.strip_prefix(&root).expect("it was found below").to_string_lossy().replace('\\', "/");
            for (line, found) in problems(&text) {
                match ALLOWED.iter().find(|(allowed, _)| name.starts_with(allowed) && WRITING.contains(&&*found)) {
                    Some((allowed, _)) => _ = idle.remove(allowed),
                    None => wrong.push(format!("{name}:{line}: {found}")),
                }
            }
        }
    }
    wrong.extend(idle.iter().map(|path| format!("{path} is an exception without need; take it out")));
    if !wrong.is_empty() {
        bail!(
            "write through saydo-file, and show errors by their own words; the rules stand in crates/xtask/src/source.rs:\n  {}",
            wrong.join("\n  ")
        );
    }
    Ok(())
}

/// The source files below a folder that are no tests, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut tests = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match path.is_dir() {
                true if ["tests", "benches", "examples", "target"].contains(&&*name) => {}
                true => folders.push(path),
                false if name.ends_with(".rs") && name != "tests.rs" => {
                    tests.extend(test_modules(&path)?);
                    files.push(path);
                }
                false => {}
            }
        }
    }
    files.retain(|path| !tests.contains(path));
    files.sort();
    Ok(files)
}

/// The files that a file declares as modules for tests alone.
fn test_modules(path: &Path) -> Result<Vec<PathBuf>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let stem = path.file_stem().unwrap_or_default();
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder =
        if ["lib", "main", "mod"].iter().any(|root| stem == *root) { beside.into() } else { beside.join(stem) };
    let modules = attributed(&text).filter_map(|(_, line)| line.strip_prefix("mod ")?.strip_suffix(';'));
    Ok(modules.map(|name| folder.join(format!("{name}.rs"))).collect())
}

/// The items that are there for tests alone, each as its first line with that line's number.
fn attributed(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_for_tests = false;
    text.lines().map(str::trim).enumerate().filter(move |(_, line)| {
        let is_attribute = line.starts_with("#[");
        let is_item = is_for_tests && !is_attribute;
        let says_so = line.starts_with("#[cfg(test") || line.starts_with("#[cfg(all(test");
        is_for_tests = says_so || is_for_tests && is_attribute;
        is_item
    })
}

/// Whether a line has a call of this name, and not of one that only ends like it.
fn calls(line: &str, call: &str) -> bool {
    line.match_indices(call).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// What breaks a rule, with the number of its line. Tests stand at the foot of a file and are left out.
fn problems(text: &str) -> Vec<(usize, String)> {
    let end = attributed(text).find(|(_, line)| line.starts_with("mod ") && line.ends_with('{'));
    let end = end.map_or(usize::MAX, |(number, _)| number);
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate().take(end) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        let writing = WRITING.iter().filter(|call| calls(line, call)).map(|call| (*call).to_owned());
        let shown = ERRORS.iter().flat_map(|name| [format!("{{{name}:?}}"), format!("{{{name}:#?}}")]);
        found.extend(writing.chain(shown.filter(|shown| line.contains(shown))).map(|what| (number + 1, what)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_writes_elsewhere_and_what_shows_errors_as_they_are_made_is_found() {
        let text = "fn a() {\n    std::fs::write(path, text)?;\n    EventFile::create(path)?;\n    // fs::write( in words\n    bail!(\"{error:?}\");\n}\n\n\
                    #[cfg(unix)]\n#[cfg(test)]\nmod tests {\n    fs::write(path, text);\n}\n";
        assert_eq!(problems(text), [(2, "fs::write(".to_owned()), (5, "{error:?}".to_owned())]);
    }

    #[test]
    fn files_of_tests_are_left_out() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("a");
        std::fs::create_dir_all(folder.join("tests")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("lib.rs", "mod kept;\n#[cfg(all(test, unix))]\n#[expect(x)]\nmod fixture;\n#[cfg(test)]\nmod tests;\n");
        for name in ["kept.rs", "fixture.rs", "tests.rs", "tests/more.rs"] {
            write(name, "");
        }
        assert_eq!(sources(scratch.path()).unwrap(), ["kept.rs", "lib.rs"].map(|name| folder.join(name)));
    }
}
