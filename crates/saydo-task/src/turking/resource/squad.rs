//! SQuAD: one JSON document of articles, their paragraphs and the questions about them.

use super::ResourceReading;
use crate::node::Node;
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;

/// The paper takes paragraphs with at least this many questions.
pub const MIN_QUESTIONS: usize = 5;

/// The paragraphs with enough questions, in order.
pub(super) fn read(source: &Source) -> ResourceReading {
    let mut reader = Reader::new(source);
    let mut reading = ResourceReading::default();
    if let Some(root) = reader.json(&source.text)
        && reader.object(&root, Path::Root).is_some()
    {
        let path = Path::Root.key("data");
        for (i, article) in reader.list(&root, Path::Root, "data", Need::Required).iter().enumerate() {
            read_article(&mut reader, article, path.index(i), &mut reading);
        }
    }
    ResourceReading { problems: reader.problems, ..reading }
}

fn read_article(reader: &mut Reader<'_>, article: &Node, path: Path<'_>, reading: &mut ResourceReading) {
    if reader.object(article, path).is_none() {
        return;
    }
    let paragraphs = reader.list(article, path, "paragraphs", Need::Required);
    let path = path.key("paragraphs");
    for (i, paragraph) in paragraphs.iter().enumerate() {
        let path = path.index(i);
        if reader.object(paragraph, path).is_none() {
            continue;
        }
        let questions = reader.list(paragraph, path, "qas", Need::Required).len();
        let Some(context) = reader.text(paragraph, path, "context", Need::Required) else { continue };
        reading.seen += 1;
        if context.trim().is_empty() {
            let path = path.key("context");
            reader.report(Code::EmptyInput, paragraph.offset, path, "an empty paragraph", "text");
        } else if questions >= MIN_QUESTIONS {
            reading.resources.push(context.trim().to_owned());
        }
    }
}
