//! What raw text taught about words: two classes by the company each keeps, and how often it is capitalized. Separate
//! from the weights because it is learned without any tags.
//!
//! In the file, words are sorted and written as the number of bytes shared with the word before, then the rest.

use crate::Error;
use crate::bytes::{Reader, put_count};

/// What the lexicon holds about one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Class of the coarse clustering.
    pub(crate) coarse: u8,
    /// Class of the fine clustering.
    pub(crate) fine: u8,
    /// Share of capitalized uses inside sentences: 0 (hardly ever) to 4 (nearly always), 5 when too few were seen.
    pub(crate) capital: u8,
}

/// Words in sorted order, each with what raw text taught about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexicon {
    words: Vec<(String, Entry)>,
}

impl Lexicon {
    /// A lexicon of the words, which may come in any order but only once each.
    pub(crate) fn new(mut words: Vec<(String, Entry)>) -> Lexicon {
        words.sort_by(|a, b| a.0.cmp(&b.0));
        Lexicon { words }
    }

    /// The entry of a normalized word.
    pub(crate) fn entry(&self, word: &str) -> Option<Entry> {
        let at = self.words.binary_search_by(|(known, _)| known.as_str().cmp(word)).ok()?;
        Some(self.words[at].1)
    }

    /// Whether the word made of these parts is known.
    pub(crate) fn knows(&self, parts: [&str; 2]) -> bool {
        let spelled = |known: &str| known.bytes().cmp(parts[0].bytes().chain(parts[1].bytes()));
        self.words.binary_search_by(|(known, _)| spelled(known)).is_ok()
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Lexicon, Error> {
        let count = reader.count(5, "lexicon")?;
        let mut words: Vec<(String, Entry)> = Vec::with_capacity(count);
        for _ in 0..count {
            let previous = words.last().map_or("", |(word, _)| word.as_str());
            let word = read_word(reader, previous)?;
            let [coarse, fine, capital] = [(); 3].map(|()| reader.byte("lexicon entry"));
            words.push((word, Entry { coarse: coarse?, fine: fine?, capital: capital? }));
        }
        Ok(Lexicon { words })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_count(out, self.words.len());
        let mut previous: &[u8] = &[];
        for (word, entry) in &self.words {
            let shared = previous.iter().zip(word.as_bytes()).take_while(|(a, b)| a == b).count();
            let rest = &word.as_bytes()[shared..];
            out.push(u8::try_from(shared).expect("the builder keeps words below 256 bytes"));
            out.push(u8::try_from(rest.len()).expect("the builder keeps words below 256 bytes"));
            out.extend(rest);
            out.extend([entry.coarse, entry.fine, entry.capital]);
            previous = word.as_bytes();
        }
    }
}

/// The next word, which must sort after the one before it.
fn read_word(reader: &mut Reader<'_>, previous: &str) -> Result<String, Error> {
    const FIELD: &str = "lexicon word";
    let shared = usize::from(reader.byte(FIELD)?);
    let Some(start) = previous.as_bytes().get(..shared) else {
        let found = format!("{shared} bytes shared with {previous:?}");
        return Err(Error::Malformed { field: FIELD, found, expected: "at most its length" });
    };
    let length = usize::from(reader.byte(FIELD)?);
    let bytes = [start, reader.take(length, FIELD)?].concat();
    let word = String::from_utf8(bytes).map_err(|error| Error::Malformed {
        field: FIELD,
        found: format!("{:02x?}", error.as_bytes()),
        expected: "UTF-8",
    })?;
    if word.as_str() <= previous {
        let found = format!("{word:?} after {previous:?}");
        return Err(Error::Malformed { field: FIELD, found, expected: "sorted words" });
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(coarse: u8) -> Entry {
        Entry { coarse, fine: 9, capital: 0 }
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let words = ["café", "cafés", "dog", "a"].map(|word| (word.to_owned(), entry(word.len() as u8)));
        let lexicon = Lexicon::new(words.to_vec());
        let mut bytes = Vec::new();
        lexicon.write(&mut bytes);
        assert_eq!(Lexicon::read(&mut Reader::new(&bytes)).unwrap(), lexicon);
        assert_eq!(lexicon.entry("dog"), Some(entry(3)));
        assert_eq!(lexicon.entry("cat"), None);
        assert!(lexicon.knows(["do", "g"]) && lexicon.knows(["dog", ""]) && !lexicon.knows(["dog", "s"]));
    }

    #[test]
    fn unsorted_overlong_and_invalid_words_are_refused() {
        for bytes in [
            &[2, 0, 0, 0, 0, 1, b'b', 0, 0, 0, 0, 1, b'a', 0, 0, 0][..],
            &[1, 0, 0, 0, 3, 1, b'b', 0, 0, 0],
            &[1, 0, 0, 0, 0, 1, 0xff, 0, 0, 0],
            &[1, 0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            let error = Lexicon::read(&mut Reader::new(bytes)).unwrap_err();
            assert!(matches!(error, Error::Malformed { .. }), "{error}");
        }
    }
}
