//! Text from tokens as they come: a character is given out when its last byte is there, never in pieces.

use super::Tokenizer;

/// Turns tokens into text one at a time.
///
/// What all calls give, put together, equals what [`Tokenizer::decode`] gives for the same tokens.
#[derive(Debug, Clone)]
pub struct DecodeStream<'t> {
    tokenizer: &'t Tokenizer,
    pending: Vec<u8>,
    started: bool,
}

impl<'t> DecodeStream<'t> {
    pub(super) fn new(tokenizer: &'t Tokenizer) -> Self {
        Self { tokenizer, pending: Vec::new(), started: false }
    }

    /// The text that `token` completes: empty while a character is still incomplete.
    pub fn push(&mut self, token: u32) -> String {
        let bytes = self.tokenizer.token_bytes(token).unwrap_or_default();
        let bytes = if self.started { bytes } else { self.tokenizer.without_prefix(bytes) };
        self.started = true;
        self.pending.extend_from_slice(bytes);
        let complete = complete_len(&self.pending);
        let rest = self.pending.split_off(complete);
        let text = std::mem::replace(&mut self.pending, rest);
        lossy(text)
    }

    /// What is left at the end: bytes that never made a character become U+FFFD.
    pub fn finish(self) -> String {
        lossy(self.pending)
    }
}

/// The bytes as text, with U+FFFD for what is not UTF-8.
pub(super) fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// How many bytes can be decided now: all, but for a character at the end that further bytes may complete.
fn complete_len(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    for start in (tail..bytes.len()).rev() {
        let incomplete = std::str::from_utf8(&bytes[start..]).is_err_and(|error| error.error_len().is_none());
        // Only the start of a character can be the start of an incomplete one.
        if bytes[start] >= 0xc0 {
            return if incomplete { start } else { bytes.len() };
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::complete_len;

    #[test]
    fn only_an_unfinished_character_is_held_back() {
        let text = "aé日🎉".as_bytes();
        let lens: Vec<_> = (0..=text.len()).map(|end| complete_len(&text[..end])).collect();
        assert_eq!(lens, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10]);
    }

    #[test]
    fn bytes_that_can_never_make_a_character_are_not_held_back() {
        assert_eq!(complete_len(b"a\xff"), 2);
        assert_eq!(complete_len(b"\x80\x80\x80\x80"), 4);
        assert_eq!(complete_len(b"\xe2\x28"), 2);
        assert_eq!(complete_len(b"\xed\xa0"), 2, "a surrogate");
    }
}
