//! A reply's text as it grows, watched for stop strings.

use crate::tokenizer::Tokenizer;

/// The bytes of a reply and the texts that end it.
#[derive(Clone)]
pub(super) struct ReplyText {
    bytes: Vec<u8>,
    stop: Vec<Vec<u8>>,
    /// Whether the vocabulary writes a space before a text's first word, which a reply from its start does not have.
    strip_space: bool,
}

impl ReplyText {
    pub fn new(stop: &[String], strip_space: bool) -> Self {
        let stop = stop.iter().filter(|stop| !stop.is_empty()).map(|stop| stop.clone().into_bytes()).collect();
        Self { bytes: Vec::new(), stop, strip_space }
    }

    /// Adds a token. Control tokens have no text. Gives true if a stop string appeared; the text then ends before it.
    pub fn push(&mut self, token: u32, tokenizer: &Tokenizer) -> bool {
        if tokenizer.is_control(token) {
            return false;
        }
        let mut added = tokenizer.token_bytes(token).unwrap_or_default();
        if self.bytes.is_empty() && self.strip_space {
            added = added.strip_prefix(b" ").unwrap_or(added);
        }
        let longest = self.stop.iter().map(Vec::len).max().unwrap_or(0);
        let from = self.bytes.len().saturating_sub(longest.saturating_sub(1));
        self.bytes.extend_from_slice(added);
        let tail = &self.bytes[from..];
        let place = |stop: &Vec<u8>| tail.windows(stop.len()).position(|window| window == stop);
        match self.stop.iter().filter_map(place).min() {
            Some(at) => {
                self.bytes.truncate(from + at);
                true
            }
            None => false,
        }
    }

    /// The text, with U+FFFD for bytes that are not characters.
    pub fn into_text(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}
