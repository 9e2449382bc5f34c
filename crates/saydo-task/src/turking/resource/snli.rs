//! SNLI: JSON Lines, a caption and a hypothesis with its annotators' labels on each.
//!
//! The paper takes the captions on whose every hypothesis all five annotators agree. A few pairs were published with
//! four labels: they do not count as agreed, whatever the four say.

use super::ResourceReading;
use super::line::each_object;
use crate::node::Node;
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;
use std::collections::HashMap;

const ANNOTATORS: usize = 5;

struct Caption {
    text: String,
    is_agreed: bool,
}

/// The captions with full agreement, in the order of first appearance.
pub(super) fn read(source: &Source) -> ResourceReading {
    let mut reader = Reader::new(source);
    let mut captions: Vec<Caption> = Vec::new();
    let mut place_of: HashMap<String, usize> = HashMap::new();
    each_object(&mut reader, |reader, node| {
        let id = reader.text(node, Path::Root, "captionID", Need::Required);
        let text = reader.text(node, Path::Root, "sentence1", Need::Required);
        let (Some(id), Some(text)) = (id, text) else { return };
        let is_agreed = is_agreed(reader, node);
        let text = text.trim().to_owned();
        if text.is_empty() {
            reader.report(Code::EmptyInput, node.offset, Path::Root.key("sentence1"), "an empty caption", "a sentence");
            return;
        }
        let place = *place_of.entry(id).or_insert(captions.len());
        match captions.get_mut(place) {
            Some(caption) => caption.is_agreed &= is_agreed,
            None => captions.push(Caption { text, is_agreed }),
        }
    });
    let seen = captions.len();
    let resources = captions.into_iter().filter(|caption| caption.is_agreed).map(|caption| caption.text).collect();
    ResourceReading { resources, seen, problems: reader.problems }
}

fn is_agreed(reader: &mut Reader<'_>, node: &Node) -> bool {
    let labels = reader.texts(node, Path::Root, "annotator_labels", Need::Required);
    let list = node.get("annotator_labels").filter(|list| list.as_array().is_some());
    if let Some(list) = list.filter(|_| labels.len() != ANNOTATORS) {
        let path = Path::Root.key("annotator_labels");
        let found = format!("{} label{}", labels.len(), if labels.len() == 1 { "" } else { "s" });
        reader.report(Code::LabelCount, list.offset, path, found, format!("{ANNOTATORS}, one for each annotator"));
    }
    labels.len() == ANNOTATORS && labels.iter().all(|label| label == &labels[0])
}
