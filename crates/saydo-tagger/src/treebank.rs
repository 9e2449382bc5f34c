//! Reads treebanks in CoNLL-U, the format of Universal Dependencies, as far as tagging needs it: texts, tokens, and
//! their parts of speech.

use crate::{Error, Tag};

/// A sentence of a treebank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The sentence as written; empty where the treebank does not say.
    pub text: String,
    /// Which document it is from, counted from 0.
    pub document: usize,
    /// Its tokens, in order.
    pub tokens: Vec<Token>,
}

/// A token of a treebank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The token as written.
    pub form: String,
    /// Where it begins, in bytes of the text; none if it does not stand there as written.
    pub start: Option<usize>,
    /// Its part of speech.
    pub tag: Tag,
    /// Whether the Penn tag gives it a number (NN, NNP, NNS, NNPS).
    pub numbered: bool,
}

/// The sentences of a treebank. Lines for empty nodes and for words that span several tokens are passed over.
pub fn parse(conllu: &str) -> Result<Vec<Sentence>, Error> {
    let mut sentences = Vec::new();
    let mut sentence = Sentence::default();
    let mut end = 0;
    let mut documents = 0;
    for (index, line) in conllu.lines().chain([""]).enumerate() {
        if let Some(text) = line.strip_prefix("# text = ") {
            sentence.text = text.to_owned();
        } else if line.starts_with("# newdoc") {
            documents += 1;
        } else if line.is_empty() {
            if !sentence.tokens.is_empty() {
                sentence.document = usize::saturating_sub(documents, 1);
                sentences.push(std::mem::take(&mut sentence));
            }
            end = 0;
        } else if !line.starts_with('#') {
            sentence.tokens.extend(parse_token(line, index + 1, &sentence.text, &mut end)?);
        }
    }
    Ok(sentences)
}

/// The token of a line, if it has one; moves `end` behind it.
fn parse_token(line: &str, number: usize, text: &str, end: &mut usize) -> Result<Option<Token>, Error> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, form, _, universal, penn, ..] = fields[..] else {
        let found = format!("{} columns", fields.len());
        return Err(Error::Treebank { line: number, found, expected: "ten" });
    };
    if !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let tag = Tag::from_universal(universal, penn).ok_or_else(|| Error::Treebank {
        line: number,
        found: format!("{universal:?} in column 4"),
        expected: "a universal part of speech",
    })?;
    let start = text.get(*end..).and_then(|rest| rest.find(form)).map(|at| *end + at);
    if let Some(start) = start {
        *end = start + form.len();
    }
    let numbered = tag.is_noun() && matches!(penn, "NN" | "NNP" | "NNS" | "NNPS");
    Ok(Some(Token { form: form.to_owned(), start, tag, numbered }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "# newdoc id = a\n# text = Cats don't.\n\
        1\tCats\tcat\tNOUN\tNNS\t_\t2\t_\t_\t_\n\
        2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n\
        2\tdo\tdo\tAUX\tVBP\t_\t0\t_\t_\t_\n\
        3\tn't\tnot\tPART\tRB\t_\t2\t_\t_\t_\n\
        3.1\tsleep\tsleep\tVERB\tVB\t_\t_\t_\t_\t_\n\
        4\t.\t.\tPUNCT\t.\t_\t2\t_\t_\t_\n";

    #[test]
    fn tokens_are_found_in_their_text() {
        let sentences = parse(SAMPLE).unwrap();
        let starts: Vec<_> = sentences[0].tokens.iter().map(|token| (token.form.as_str(), token.start)).collect();
        assert_eq!(starts, [("Cats", Some(0)), ("do", Some(5)), ("n't", Some(7)), (".", Some(10))]);
        assert!(sentences[0].tokens[0].numbered);
        assert_eq!(sentences[0].document, 0);
    }

    #[test]
    fn a_line_that_is_no_token_is_named() {
        let error = parse("1\tCats\tcat\tN\tNNS\n").unwrap_err().to_string();
        assert_eq!(error, "line 1 of the treebank has \"N\" in column 4, expected a universal part of speech");
        let error = parse("\n1 Cats\n").unwrap_err().to_string();
        assert_eq!(error, "line 2 of the treebank has 1 columns, expected ten");
        assert!(parse("").unwrap().is_empty());
    }
}
