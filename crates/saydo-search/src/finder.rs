//! The index: paragraphs of documents, found by the words of a question.

use crate::Error;
use crate::stop_word::is_stop_word;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, INDEXED, IndexRecordOption, STORED, Schema, TEXT, Value as _};
use tantivy::{Index, IndexReader, TantivyDocument, Term};

/// Memory of the index while it is made, in bytes: the least that the engine takes.
const INDEXING_BYTES: usize = 15_000_000;

/// A document of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What it is about; its name.
    pub entity: String,
    /// Its text; paragraphs stand between empty lines.
    pub text: String,
}

/// A paragraph of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paragraph {
    pub(crate) entity: String,
    pub(crate) text: String,
}

/// Documents that can be searched.
pub struct Finder {
    paragraphs: Vec<Paragraph>,
    reader: IndexReader,
    text: Field,
    number: Field,
}

impl Finder {
    /// Makes documents searchable, in memory.
    pub fn new(documents: &[Document]) -> Result<Self, Error> {
        let mut schema = Schema::builder();
        let text = schema.add_text_field("text", TEXT);
        let number = schema.add_u64_field("number", STORED | INDEXED);
        let index = Index::create_in_ram(schema.build());
        let paragraphs: Vec<Paragraph> = documents.iter().flat_map(paragraphs).collect();
        let mut writer = index.writer_with_num_threads(1, INDEXING_BYTES)?;
        for (place, paragraph) in paragraphs.iter().enumerate() {
            let mut entry = TantivyDocument::default();
            entry.add_text(text, &paragraph.text);
            entry.add_u64(number, place as u64);
            writer.add_document(entry)?;
        }
        writer.commit()?;
        Ok(Self { paragraphs, reader: index.reader()?, text, number })
    }

    /// How many paragraphs there are.
    pub fn paragraphs(&self) -> usize {
        self.paragraphs.len()
    }

    pub(crate) fn paragraph(&self, place: usize) -> &Paragraph {
        &self.paragraphs[place]
    }

    /// Places of the paragraphs with words of the question, the best first; equals in the order of the documents.
    pub(crate) fn find(&self, question: &str, most: usize) -> Result<Vec<usize>, Error> {
        let word = |word: String| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(self.text, &word);
            (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
        };
        let query = BooleanQuery::new(words(question).into_iter().map(word).collect());
        let searcher = self.reader.searcher();
        let hits = searcher.search(&query, &TopDocs::with_limit(most.max(1)).order_by_score())?;
        let mut places = Vec::with_capacity(hits.len());
        for (_, address) in hits {
            let entry: TantivyDocument = searcher.doc(address)?;
            places
                .extend(entry.get_first(self.number).and_then(|number| number.as_u64()).map(|number| number as usize));
        }
        Ok(places)
    }
}

/// The words of a question that say what it is about, in lower case.
pub(crate) fn words(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    let mut words: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_stop_word(word))
        .map(str::to_owned)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn paragraphs(document: &Document) -> Vec<Paragraph> {
    let text = document.text.replace("\r\n", "\n");
    let mut paragraphs = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            lines.push(line);
        } else if !lines.is_empty() {
            paragraphs.push(Paragraph { entity: document.entity.clone(), text: lines.join("\n").trim().to_owned() });
            lines.clear();
        }
    }
    paragraphs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finder(texts: &[&str]) -> Finder {
        let document =
            |(number, text): (usize, &&str)| Document { entity: format!("e{number}"), text: (*text).to_owned() };
        Finder::new(&texts.iter().enumerate().map(document).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn paragraphs_stand_between_empty_lines() {
        let finder = finder(&["One.\nStill one.\n\n  \nTwo.\r\n\r\nThree.", ""]);
        let texts: Vec<&str> = finder.paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect();
        assert_eq!(texts, ["One.\nStill one.", "Two.", "Three."]);
    }

    #[test]
    fn stop_words_find_nothing() {
        let finder = finder(&["The falls are what they are.", "Dogs run."]);
        assert_eq!(finder.find("What are the", 5).unwrap(), Vec::<usize>::new());
        assert_eq!(finder.find("Which DOGS are there?", 5).unwrap(), [1]);
    }
}
