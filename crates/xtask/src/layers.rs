//! The layers: which of our crates each crate may use. ARCHITECTURE.md explains them; this table enforces them.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::process::Command;

/// Each crate with those of ours it may use. A crate may use only crates listed above it.
const LAYERS: &[(&str, &[&str])] = &[
    ("saydo-file", &[]),
    ("saydo-task", &[]),
    ("saydo-metrics", &[]),
    ("saydo-bpe", &[]),
    ("saydo-adapter", &[]),
    ("saydo-tagger", &[]),
    ("saydo-search", &[]),
    ("saydo-guide", &[]),
    ("saydo-hub", &[]),
    ("saydo-data", &["saydo-hub"]),
    ("saydo-model", &["saydo-guide"]),
    ("saydo-openai", &["saydo-model"]),
    ("saydo-encode", &["saydo-task"]),
    ("saydo-function", &["saydo-task", "saydo-encode", "saydo-guide", "saydo-tagger", "saydo-model"]),
    ("saydo-train", &["saydo-task", "saydo-encode", "saydo-model"]),
    ("saydo-corpus", &["saydo-task"]),
    ("saydo-run", &["saydo-task", "saydo-function", "saydo-corpus", "saydo-model"]),
    ("saydo-eval", &["saydo-task", "saydo-metrics", "saydo-bpe", "saydo-encode", "saydo-model"]),
    ("saydo-cluster", &["saydo-task", "saydo-function", "saydo-corpus", "saydo-model", "saydo-run"]),
    (
        "saydo-protocol",
        &[
            "saydo-task",
            "saydo-metrics",
            "saydo-encode",
            "saydo-model",
            "saydo-function",
            "saydo-corpus",
            "saydo-run",
            "saydo-eval",
        ],
    ),
    ("saydo-report", &["saydo-task", "saydo-metrics", "saydo-eval", "saydo-protocol"]),
    (
        "saydo-serve",
        &[
            "saydo-task",
            "saydo-metrics",
            "saydo-search",
            "saydo-model",
            "saydo-encode",
            "saydo-function",
            "saydo-corpus",
            "saydo-run",
            "saydo-eval",
            "saydo-protocol",
            "saydo-report",
        ],
    ),
    (
        "saydo-cli",
        &[
            "saydo-task",
            "saydo-metrics",
            "saydo-bpe",
            "saydo-adapter",
            "saydo-tagger",
            "saydo-hub",
            "saydo-data",
            "saydo-model",
            "saydo-openai",
            "saydo-encode",
            "saydo-function",
            "saydo-corpus",
            "saydo-run",
            "saydo-eval",
            "saydo-protocol",
            "saydo-train",
            "saydo-report",
            "saydo-serve",
            "saydo-cluster",
        ],
    ),
    ("xtask", &[]),
];

/// Fails if a crate uses one of ours that its layer does not name. Dependencies of tests do not count.
pub fn check() -> Result<()> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .context("running cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("reading cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            wrong.push(format!("{name} stands in no layer, expected a line for it in crates/xtask/src/layers.rs"));
            continue;
        };
        for used in own_dependencies(package) {
            if !allowed.contains(&used.as_str()) {
                wrong.push(format!("{name} uses {used}, expected none of ours but {allowed:?}"));
            }
        }
    }
    if !wrong.is_empty() {
        bail!("layers are broken:\n  {}", wrong.join("\n  "));
    }
    Ok(())
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
