//! Reading `templates.yaml`: a mapping of ids to templates. Tags such as `!Template` say nothing that the keys do not.

use crate::{Error, Template, Templates};
use saphyr::{LoadableYamlNode as _, Yaml};
use saydo_task::source::Source;

pub(crate) fn read(source: &Source) -> Result<Templates, Error> {
    let path = || source.path.clone();
    let documents =
        Yaml::load_from_str(&source.text).map_err(|error| Error::Yaml { path: path(), reason: error.to_string() })?;
    let shape = |found: &str, expected| Error::Shape { path: path(), found: found.to_owned(), expected };
    let root = documents.first().ok_or_else(|| shape("nothing", "`dataset` and `templates`"))?;
    let dataset = text(root, "dataset").ok_or_else(|| shape("no `dataset`", "its name"))?;
    let dataset = match text(root, "subset") {
        Some(subset) => format!("{dataset}/{subset}"),
        None => dataset,
    };
    let templates = get(root, "templates").and_then(|list| list.as_mapping());
    let templates = templates.ok_or_else(|| shape("no `templates`", "a mapping of ids to templates"))?;
    let template = |(id, node): (&Yaml<'_>, &Yaml<'_>)| {
        let node = untagged(node);
        let id = untagged(id).as_str().unwrap_or("template").to_owned();
        let jinja =
            text(node, "jinja").ok_or_else(|| shape(&format!("no `jinja` in `{id}`"), "the template's text"))?;
        let metadata = get(node, "metadata");
        let flag = |key| metadata.and_then(|node| get(node, key)).and_then(|node| node.as_bool()).unwrap_or_default();
        let metrics = metadata.and_then(|node| get(node, "metrics")).and_then(|node| node.as_sequence());
        Ok(Template {
            name: text(node, "name").unwrap_or(id),
            jinja,
            answer_choices: text(node, "answer_choices"),
            metrics: metrics
                .into_iter()
                .flatten()
                .filter_map(|metric| untagged(metric).as_str().map(str::to_owned))
                .collect(),
            is_original_task: flag("original_task"),
            has_choices_in_prompt: flag("choices_in_prompt"),
        })
    };
    Ok(Templates { dataset, all: templates.iter().map(template).collect::<Result<_, Error>>()? })
}

/// The value under a key of a mapping.
fn get<'n, 'y>(node: &'n Yaml<'y>, key: &str) -> Option<&'n Yaml<'y>> {
    untagged(node).as_mapping_get(key).map(untagged)
}

fn text(node: &Yaml<'_>, key: &str) -> Option<String> {
    get(node, key)?.as_str().map(str::to_owned)
}

fn untagged<'n, 'y>(node: &'n Yaml<'y>) -> &'n Yaml<'y> {
    let mut node = node;
    while let Yaml::Tagged(_, inner) = node {
        node = inner;
    }
    node
}
