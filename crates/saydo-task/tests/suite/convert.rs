//! There and back between all formats, on our own tasks.

use saydo_task::convert::{ConvertReport, convert_dataset};
use saydo_task::dataset::Dataset;
use saydo_task::format::Format;
use std::path::{Path, PathBuf};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tasks");

fn out(folder: &Path, name: &str, format: Format) -> PathBuf {
    folder.join(if format.is_line_per_task() { format!("{name}.jsonl") } else { name.to_owned() })
}

fn sorted(dataset: Dataset) -> Vec<saydo_task::Task> {
    let mut tasks: Vec<_> = dataset.tasks.into_iter().map(|located| located.task).collect();
    tasks.sort_by(|a, b| a.id.cmp(&b.id));
    tasks
}

/// Converts a dataset and back; if nothing was lost on the way there, the tasks must be the same.
pub fn there_and_back(original: Dataset, format: Format, via: Format) -> ConvertReport {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let there_path = out(folder.path(), "there", via);
    let there = convert_dataset(&original, via, &there_path, false).expect("tasks are written");
    let back_path = out(folder.path(), "back", format);
    let back = convert_dataset(&load(&there_path), format, &back_path, false).expect("tasks are written");
    if there.losses().is_empty() {
        assert!(back.losses().is_empty(), "{:?}", back.losses());
        assert!(sorted(load(&back_path)) == sorted(original), "{} tasks changed", format.name());
    }
    there
}

fn own(name: &str) -> Dataset {
    load(&Path::new(FIXTURES).join(name))
}

fn load(path: &Path) -> Dataset {
    Dataset::load(path).expect("tasks load")
}

const OWN: [(&str, Format); 4] = [
    ("toml", Format::Toml),
    ("natural-instructions", Format::NaturalInstructions),
    ("super-natural-instructions", Format::SuperNaturalInstructions),
    ("zest", Format::Zest),
];

#[test]
fn our_own_format_holds_all_others() {
    for (name, format) in OWN {
        let there = there_and_back(own(name), format, Format::Toml);
        assert!(there.losses().is_empty(), "{name}: {:?}", there.losses());
    }
}

#[test]
fn every_format_says_what_it_cannot_hold() {
    let mut table = Vec::new();
    for (name, format) in OWN {
        for via in Format::ALL {
            let there = there_and_back(own(name), format, via);
            table.push(format!("{name} to {}: {:?}", via.name(), there.losses()));
        }
    }
    insta::assert_snapshot!(table.join("\n"));
}
