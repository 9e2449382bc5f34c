//! Dependencies that nobody uses: each is built by everybody, and says something about a crate that is not so.

use crate::cargo::Workspace;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Dependencies that no code names: they are there to turn a feature on, for every crate that uses them.
const FOR_FEATURES: &[(&str, &str)] = &[];

/// Fails if a crate does not name one of its dependencies anywhere in its code.
pub fn check() -> Result<()> {
    let mut wrong = Vec::new();
    for workspace in Workspace::ALL {
        for package in workspace.packages()? {
            wrong.extend(unused(&package)?);
        }
    }
    if !wrong.is_empty() {
        bail!("dependencies that no code uses:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

fn unused(package: &Value) -> Result<Vec<String>> {
    let name = package["name"].as_str().context("a package has a name")?;
    let manifest = Path::new(package["manifest_path"].as_str().context("a package has a manifest")?);
    let folder = manifest.parent().context("a manifest is in a folder")?;
    let code = |folders: &[&str]| -> Result<String> {
        let mut code = std::fs::read_to_string(folder.join("build.rs")).unwrap_or_default();
        for part in folders {
            read_all(&folder.join(part), &mut code)?;
        }
        Ok(code)
    };
    let own = code(&["src"])?;
    let all = code(&["src", "tests", "benches", "examples"])?;
    let mut unused = Vec::new();
    for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let called =
            dependency["rename"].as_str().or(dependency["name"].as_str()).context("a dependency has a name")?;
        let (code, kind) = match dependency["kind"].as_str() {
            Some("dev") => (&all, "tests of "),
            _ => (&own, ""),
        };
        if !FOR_FEATURES.contains(&(name, called)) && !names(code, &called.replace('-', "_")) {
            unused.push(format!("{kind}{name}: {called}"));
        }
    }
    Ok(unused)
}

/// Adds the code of all Rust files below a folder, if there is one.
fn read_all(folder: &Path, code: &mut String) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path: PathBuf = entry.with_context(|| format!("listing {}", folder.display()))?.path();
        if path.is_dir() {
            read_all(&path, code)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *code += &std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            code.push('\n');
        }
    }
    Ok(())
}

/// Whether code uses a crate: `name::…` that is no part of a longer path, or `use name`. Plain comments do not count; the
/// examples in documentation do.
fn names(code: &str, name: &str) -> bool {
    code.lines().filter(|line| !is_comment(line)).any(|line| {
        line.match_indices(name).any(|(start, _)| {
            let (before, after) = (&line[..start], &line[start + name.len()..]);
            let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-'));
            let is_imported = before.trim_end().ends_with("use") && after.starts_with([';', ' ']);
            is_whole && (after.starts_with("::") || is_imported)
        })
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn paths_and_imports_count_and_words_do_not() {
        for code in ["use sha2::Sha256;", "let x = sha2::f();", "use sha2;", "/// use sha2::Digest;", "#[sha2::test]"] {
            assert!(names(code, "sha2"), "{code}");
        }
        for code in
            ["let sha2 = 1;", "use crate::sha2::f;", "// sha2::f", "asha2::f()", "sha2_x::f()", "x.sha2::<u8>()"]
        {
            assert!(!names(code, "sha2"), "{code}");
        }
    }
}
