//! Croissant 1.0 metadata: what the files are, and the fields of their rows.

use super::row::FIELDS;
use super::{PARTS, Release};
use saydo_file::digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The metadata of a release with these files.
pub(super) fn write(release: &Release, files: &BTreeMap<String, Vec<u8>>) -> Value {
    let parts = || PARTS.into_iter().filter(|part| files.contains_key(&path(part)));
    let file = |part: &str| {
        let path = path(part);
        json!({
            "@type": "cr:FileObject",
            "@id": path,
            "name": path,
            "contentUrl": path,
            "contentSize": format!("{} B", files[&path].len()),
            "encodingFormat": "application/jsonlines",
            "sha256": digest::of(&files[&path]).hex(),
        })
    };
    let mut metadata = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.name,
        "description": description(release),
        "license": format!("https://spdx.org/licenses/{}.html", release.license),
        "version": "1.0.0",
        "distribution": parts().map(file).collect::<Vec<_>>(),
        "recordSet": parts().map(record_set).collect::<Vec<_>>(),
    });
    if let Some(homepage) = &release.homepage {
        metadata["url"] = json!(homepage);
    }
    metadata
}

/// What the dataset is, in a sentence.
pub(super) fn description(release: &Release) -> String {
    let [train, dev, test] = release.parts.each_ref().map(Vec::len);
    format!(
        "Questions as task descriptions, each asked of many passages, with the answers of several annotators: {train} train, \
         {dev} dev and {test} test tasks in the format of ZEST."
    )
}

fn path(part: &str) -> String {
    format!("rows/{part}.jsonl")
}

fn record_set(part: &str) -> Value {
    let field = |(name, is_list, holds): (&str, bool, &str)| {
        let mut field = json!({
            "@type": "cr:Field",
            "@id": format!("{part}/{name}"),
            "name": name,
            "description": holds,
            "dataType": "sc:Text",
            "source": {"fileObject": {"@id": path(part)}, "extract": {"column": name}},
        });
        if is_list {
            field["repeated"] = json!(true);
        }
        field
    };
    json!({
        "@type": "cr:RecordSet",
        "@id": part,
        "name": part,
        "field": FIELDS.into_iter().map(field).collect::<Vec<_>>(),
    })
}

/// The context that the format prescribes.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataBiases": "cr:dataBiases",
        "dataCollection": "cr:dataCollection",
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "personalSensitiveInformation": "cr:personalSensitiveInformation",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
