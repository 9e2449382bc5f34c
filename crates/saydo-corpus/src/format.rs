//! The input formats and the extensions that name them.

use std::path::Path;

/// How documents lie in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The file is one document.
    Text,
    /// The file is one document; its text is extracted.
    Html,
    /// A JSON object or string on each line.
    JsonLines,
    /// An array of JSON objects or strings, one of them, or several one after the other.
    Json,
    /// Comma-separated, with a header.
    Csv,
    /// Tab-separated, with a header.
    Tsv,
    /// Parquet.
    Parquet,
}

/// Extensions and what they stand for, in the order messages list them.
const EXTENSIONS: [(&str, Format); 12] = [
    ("txt", Format::Text),
    ("md", Format::Text),
    ("text", Format::Text),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("jsonl", Format::JsonLines),
    ("ndjson", Format::JsonLines),
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("tab", Format::Tsv),
    ("parquet", Format::Parquet),
];

impl Format {
    /// The format a file's extension names; `.gz` and `.zst` behind it do not count. None if it names none.
    pub fn of(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        let (stem, extension) = name.rsplit_once('.')?;
        let known = EXTENSIONS.iter().find(|(known, _)| *known == extension && !stem.is_empty());
        known.map(|(_, format)| *format)
    }

    /// The extensions we read, as one phrase.
    pub(crate) fn extensions() -> String {
        let known: Vec<String> = EXTENSIONS.iter().map(|(extension, _)| format!(".{extension}")).collect();
        format!("{}, each also with .gz or .zst behind it", known.join(" "))
    }

    /// Whether a file of this format is exactly one document.
    pub(crate) fn is_one_document(self) -> bool {
        matches!(self, Format::Text | Format::Html)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_formats_whatever_their_case_and_compression() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a/b.txt"), Some(Format::Text));
        assert_eq!(of("b.JSONL.GZ"), Some(Format::JsonLines));
        assert_eq!(of("b.csv.zst"), Some(Format::Csv));
        assert_eq!(of("b.v2.parquet"), Some(Format::Parquet));
        for name in ["b", "b.pdf", "b.gz", ".txt", "txt", "b.txt.bz2", "b.gz.txt.x", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
