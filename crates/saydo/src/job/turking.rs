//! The Turking Test's tasks from the files of its resources.

use super::{Watch, note};
use crate::Error;
use saydo_tagger::{Number, Tagger};
use saydo_task::Task;
use saydo_task::source::Source;
use saydo_task::turking::{self, Noun, Options, ResourceKind, Resources};
use std::path::{Path, PathBuf};

/// The tasks that can be made of these resource files; at least one.
pub fn tasks(files: &[PathBuf], options: &Options, watch: &mut Watch<'_>) -> Result<Vec<Task>, Error> {
    let mut resources = Resources::default();
    for path in files {
        let source = Source::load(path)?;
        let kind = resource_kind(path, &source)?;
        let reading = kind.read(&source);
        let seen = reading.seen;
        let found = reading.into_resources()?;
        let (count, kind_name) = (found.len(), kind.name());
        note(watch, &format!("{}: {count} {kind_name} of {seen} read", path.display()));
        resources.add(kind, found);
    }
    let tagger = Tagger::embedded();
    let nouns = |sentence: &str| {
        let noun = |noun: saydo_tagger::Noun<'_>| Noun {
            text: noun.text.to_owned(),
            is_plural: noun.number == Number::Plural,
        };
        tagger.nouns(sentence).into_iter().map(noun).collect::<Vec<_>>()
    };
    let tasks = turking::generate(&resources, options, &nouns);
    if tasks.is_empty() {
        return Err(Error::NoTurkingTask);
    }
    Ok(tasks)
}

/// Told by the extension, and for JSON Lines by the keys of the first line.
fn resource_kind(path: &Path, source: &Source) -> Result<ResourceKind, saydo_task::Error> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let first_line = source.text.lines().next().unwrap_or_default();
    match extension {
        Some("tsv") => Ok(ResourceKind::Sentences),
        Some("json") => Ok(ResourceKind::Paragraphs),
        Some("jsonl") if first_line.contains("\"highlights\"") => Ok(ResourceKind::Highlights),
        Some("jsonl") => Ok(ResourceKind::Captions),
        _ => Err(saydo_task::Error::UnknownFormat {
            path: path.to_owned(),
            expected: "sentences (.tsv), captions or highlights (.jsonl) or paragraphs (.json)".to_owned(),
        }),
    }
}
