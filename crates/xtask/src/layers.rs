//! The layers: which of our crates each crate may use. ARCHITECTURE.md explains them; this table enforces them.

use crate::cargo::Workspace;
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Each crate with those of ours it may use. A crate may use only crates listed above it.
const LAYERS: &[(&str, &[&str])] = &[
    ("saydo-file", &[]),
    ("saydo-random", &[]),
    ("saydo-task", &["saydo-file", "saydo-random"]),
    ("saydo-metrics", &["saydo-random"]),
    ("saydo-bpe", &[]),
    ("saydo-tagger", &["saydo-random"]),
    ("saydo-promptsource", &["saydo-task"]),
    ("saydo-search", &[]),
    ("saydo-guide", &[]),
    ("saydo-conformance", &[]),
    ("saydo-hub", &["saydo-file"]),
    ("saydo-model", &["saydo-file", "saydo-random", "saydo-guide"]),
    ("saydo-openai", &["saydo-random", "saydo-model"]),
    ("saydo-encode", &["saydo-task"]),
    ("saydo-function", &["saydo-task", "saydo-guide", "saydo-tagger", "saydo-model"]),
    ("saydo-train", &["saydo-file", "saydo-task", "saydo-encode", "saydo-model", "saydo-function"]),
    ("saydo-corpus", &["saydo-file", "saydo-task"]),
    (
        "saydo-protocol",
        &[
            "saydo-file",
            "saydo-random",
            "saydo-task",
            "saydo-metrics",
            "saydo-bpe",
            "saydo-encode",
            "saydo-model",
            "saydo-function",
            "saydo-corpus",
        ],
    ),
    (
        "saydo",
        &[
            "saydo-file",
            "saydo-random",
            "saydo-task",
            "saydo-metrics",
            "saydo-bpe",
            "saydo-tagger",
            "saydo-promptsource",
            "saydo-hub",
            "saydo-model",
            "saydo-openai",
            "saydo-encode",
            "saydo-function",
            "saydo-train",
            "saydo-corpus",
            "saydo-protocol",
        ],
    ),
    ("saydo-report", &["saydo-task", "saydo-metrics", "saydo-corpus", "saydo-protocol"]),
    (
        "saydo-serve",
        &[
            "saydo-file",
            "saydo-task",
            "saydo-metrics",
            "saydo-search",
            "saydo-model",
            "saydo-encode",
            "saydo-function",
            "saydo-corpus",
            "saydo",
            "saydo-protocol",
            "saydo-report",
        ],
    ),
    (
        "saydo-cli",
        &[
            "saydo-file",
            "saydo-task",
            "saydo-metrics",
            "saydo-bpe",
            "saydo-promptsource",
            "saydo-hub",
            "saydo-model",
            "saydo-openai",
            "saydo-encode",
            "saydo-function",
            "saydo-corpus",
            "saydo",
            "saydo-protocol",
            "saydo-train",
            "saydo-report",
            "saydo-serve",
        ],
    ),
    (
        "saydo-cluster",
        &["saydo-file", "saydo-task", "saydo-model", "saydo-function", "saydo-corpus", "saydo", "saydo-cli"],
    ),
    (
        "saydo-python",
        &[
            "saydo-task",
            "saydo-model",
            "saydo-encode",
            "saydo-function",
            "saydo-corpus",
            "saydo",
            "saydo-protocol",
            "saydo-cli",
        ],
    ),
    ("xtask", &[]),
];

/// Fails if the layers are out of order, or a crate uses one of ours that its layer does not name, or does not use one that
/// it names. Dependencies of tests do not count.
pub fn check() -> Result<()> {
    let mut uses = Vec::new();
    for workspace in Workspace::ALL {
        for package in workspace.packages()? {
            let name = package["name"].as_str().context("a package has a name")?;
            uses.push((name.to_owned(), own_dependencies(&package)));
        }
    }
    let wrong = problems(LAYERS, &uses);
    if !wrong.is_empty() {
        bail!("layers are broken; they stand in crates/xtask/src/layers.rs:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

/// What is wrong with these layers, given the packages with those of ours that they use.
fn problems(layers: &[(&str, &[&str])], uses: &[(String, Vec<String>)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, (name, allowed)) in layers.iter().enumerate() {
        for used in *allowed {
            if !layers[..place].iter().any(|(above, _)| above == used) {
                wrong.push(format!("{name} may use {used}, which is not listed above it"));
            }
        }
        if !uses.iter().any(|(package, _)| package == name) {
            wrong.push(format!("{name} has a layer, but there is no such package"));
        }
    }
    for (name, used) in uses {
        let Some((_, allowed)) = layers.iter().find(|(layer, _)| layer == name) else {
            wrong.push(format!("{name} stands in no layer, expected a line for it"));
            continue;
        };
        let forbidden = used.iter().filter(|used| !allowed.contains(&used.as_str()));
        wrong.extend(forbidden.map(|used| format!("{name} uses {used}, expected none of ours but {allowed:?}")));
        let idle = allowed.iter().filter(|allowed| !used.iter().any(|used| used == *allowed));
        wrong.extend(idle.map(|allowed| format!("{name} may use {allowed} and does not; take it out")));
    }
    wrong
}

fn own_dependencies(package: &Value) -> Vec<String> {
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    dependencies
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
        .filter_map(|dependency| dependency["name"].as_str())
        .filter(|name| LAYERS.iter().any(|(layer, _)| layer == name))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(packages: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        packages.iter().map(|(name, used)| ((*name).to_owned(), own(used))).collect()
    }

    #[test]
    fn layers_in_order_and_in_use_are_right() {
        let layers: &[(&str, &[&str])] = &[("a", &[]), ("b", &["a"])];
        assert_eq!(problems(layers, &uses(layers)), [""; 0]);
    }

    #[test]
    fn order_grants_and_missing_lines_are_checked() {
        let found =
            |layers: &[(&str, &[&str])], packages: &[(&str, &[&str])]| problems(layers, &uses(packages)).join("; ");
        assert!(found(&[("b", &["a"]), ("a", &[])], &[("b", &["a"]), ("a", &[])]).contains("not listed above"));
        assert!(found(&[("a", &[]), ("b", &["a"])], &[("a", &[]), ("b", &[])]).contains("b may use a and does not"));
        assert!(found(&[("a", &[]), ("b", &[])], &[("a", &[]), ("b", &["a"])]).contains("b uses a, expected none"));
        assert!(found(&[("a", &[])], &[("a", &[]), ("b", &[])]).contains("b stands in no layer"));
        assert!(found(&[("a", &[]), ("b", &[])], &[("a", &[])]).contains("no such package"));
    }
}
