//! Whether each crate could be published: what `cargo package` and a registry ask for, checked without building anything.
//!
//! Nothing is published from here; who forks sets `repository` in the root manifest.

use crate::cargo::{Workspace, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// Crates that only this repository needs.
const INTERNAL: [&str; 2] = ["xtask", "saydo-conformance"];

/// Fails if a crate that may be published lacks a description, license or readme, depends on one of ours without a version, or takes in a file
/// that its package would not hold.
pub fn check() -> Result<()> {
    let mut wrong = Vec::new();
    for workspace in Workspace::ALL {
        for package in workspace.packages()? {
            let name = package["name"].as_str().context("a package has a name")?;
            let is_published = package["publish"].as_array().is_none_or(|registries| !registries.is_empty());
            if is_published {
                let folder = manifest(&package)?.parent().context("a manifest is in a folder")?.to_owned();
                let found = problems(&package).into_iter().chain(strays(&folder)?);
                wrong.extend(found.map(|problem| format!("{name}: {problem}")));
            }
        }
    }
    if !wrong.is_empty() {
        bail!("crates that could not be published:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

fn manifest(package: &Value) -> Result<&Path> {
    Ok(Path::new(package["manifest_path"].as_str().context("a package has a manifest")?))
}

/// What its manifest lacks.
fn problems(package: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for key in ["description", "license", "readme"] {
        if package[key].as_str().is_none_or(str::is_empty) {
            wrong.push(format!("has no {key}"));
        }
    }
    for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let name = dependency["name"].as_str().unwrap_or_default();
        // Those of tests may lack a version: cargo leaves them out of the package then.
        let is_for_tests = dependency["kind"] == "dev";
        let has_version = dependency["req"].as_str().is_some_and(|version| version != "*");
        if dependency["path"].is_string() && !has_version && !is_for_tests {
            wrong.push(format!("depends on {name} without a version"));
        }
        if INTERNAL.contains(&name) && (!is_for_tests || has_version) {
            wrong.push(format!(
                "depends on {name}, which is not published, otherwise than in tests and without a version"
            ));
        }
    }
    wrong
}

/// Files outside its folder that its code takes in. A link inside the folder is fine: cargo packages what it leads to.
fn strays(folder: &Path) -> Result<Vec<String>> {
    let mut strays = Vec::new();
    let mut pending = vec![folder.join("src")];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path).with_context(|| format!("reading {}", path.display()))? {
                pending.push(entry?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path);
            let is_test =
                name.components().any(|part| ["tests", "tests.rs"].iter().any(|test| part.as_os_str() == *test));
            let stray = |file: &String| !is_test && !is_below(folder, &path, file);
            let name = name.display();
            strays.extend(included(&text).into_iter().filter(stray).map(|file| format!("{name} takes in {file}")));
        }
    }
    strays.sort();
    Ok(strays)
}

/// The paths in `include_str!`, `include_bytes!` and `include!`; of a `concat!`, its first part.
fn included(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    for (start, call) in text[..end].match_indices("include").filter(|(start, _)| !text[..*start].ends_with('_')) {
        let rest = &text[start + call.len()..];
        let rest = ["_str!(", "_bytes!(", "!("].iter().find_map(|form| rest.strip_prefix(form));
        let Some(rest) = rest.map(|rest| rest.trim_start().trim_start_matches("concat!(").trim_start()) else {
            continue;
        };
        if let Some((file, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            files.push(file.to_owned());
        }
    }
    files
}

/// Whether a path, as a source file writes it, stays below the crate's folder.
fn is_below(folder: &Path, source: &Path, file: &str) -> bool {
    let mut path = PathBuf::from(source);
    path.pop();
    for component in Path::new(file).components() {
        match component {
            Component::ParentDir => _ = path.pop(),
            part => path.push(part),
        }
    }
    path.starts_with(folder)
}

/// The manifests that carry our version: of both workspaces, and of what stands beside them.
pub fn manifests() -> Vec<PathBuf> {
    let names = ["Cargo.toml", "cluster/Cargo.toml", "bindings/python/Cargo.toml", "bindings/python/pyproject.toml"];
    names.map(|name| root().join(name)).into_iter().filter(|path| path.exists()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_manifest_lacks_is_named() {
        let good = json!({
            "description": "A crate.", "license": "MIT", "readme": "README.md",
            "dependencies": [
                {"name": "saydo-task", "path": "/x", "req": "^0.1.0", "kind": null},
                {"name": "saydo-conformance", "path": "/x", "req": "*", "kind": "dev"},
                {"name": "serde", "req": "^1", "kind": null},
            ],
        });
        assert_eq!(problems(&good), [""; 0]);
        let bad = json!({
            "description": "", "license": "MIT", "readme": null,
            "dependencies": [
                {"name": "saydo-task", "path": "/x", "req": "*", "kind": null},
                {"name": "saydo-conformance", "path": "/x", "req": "^0.1.0", "kind": "dev"},
            ],
        });
        assert_eq!(
            problems(&bad),
            [
                "has no description",
                "has no readme",
                "depends on saydo-task without a version",
                "depends on saydo-conformance, which is not published, otherwise than in tests and without a version",
            ]
        );
    }

    #[test]
    fn files_outside_the_crate_are_found() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = scratch.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "src/lib.rs",
            "const A: &str = include_str!(\"../shipped/a\");\nconst B: &[u8] = include_bytes!(\n    concat!(\"../../b/\", $x));\n",
        );
        write(
            "src/deep/c.rs",
            "include!(\"../c.in\"); include_str!(\"../../../d\");\n#[cfg(test)]\nmod tests {\n    include_str!(\"../../../../e\");\n}\n",
        );
        write("src/deep/tests.rs", "include_str!(\"../../../f\");");
        assert_eq!(
            strays(scratch.path()).unwrap(),
            ["src/deep/c.rs takes in ../../../d", "src/lib.rs takes in ../../b/",]
        );
    }
}
