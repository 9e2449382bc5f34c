//! The tokens of a model: what each is called, which bytes it stands for, and what part it plays.

use super::TokenizerError;
use super::byte_level;
use super::index::Index;
use super::texts::Texts;

/// The part a token plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Plain text.
    Normal,
    /// Stands for text that cannot be written with other tokens.
    Unknown,
    /// Steers the model; found in text only if asked for.
    Control,
    /// Text that is always kept whole.
    UserDefined,
    /// A place in the table that no text leads to.
    Unused,
    /// One byte, written `<0x0A>`.
    Byte,
}

impl Kind {
    /// Whether the token is looked for in the text before anything else is done with it.
    pub(super) fn is_special(self) -> bool {
        matches!(self, Self::Control | Self::UserDefined | Self::Unknown)
    }
}

/// How a vocabulary writes the bytes of its normal tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// GPT-2's characters for bytes.
    ByteLevel,
    /// As text, with `▁` for a space.
    SentencePiece,
}

/// The character that SentencePiece writes for a space.
pub(super) const SPACE_MARK: char = '▁';

/// All tokens, numbered from 0.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    /// The tokens as the vocabulary spells them.
    texts: Texts,
    /// The bytes they stand for.
    bytes: Texts,
    kinds: Vec<Kind>,
    index: Index,
    longest: usize,
}

impl Vocabulary {
    /// Builds the table. A token with no text is kept, but no text leads to it.
    pub(super) fn new<'t>(
        tokens: impl ExactSizeIterator<Item = (&'t str, Kind)>,
        spelling: Spelling,
    ) -> Result<Self, TokenizerError> {
        let count = tokens.len();
        let mut vocabulary = Self {
            texts: Texts::with_capacity(count, count * 8),
            bytes: Texts::with_capacity(count, count * 8),
            kinds: Vec::with_capacity(count),
            index: Index::with_room_for(count),
            longest: 0,
        };
        for (id, (text, kind)) in (0..).zip(tokens) {
            vocabulary.push(id, text, kind, spelling)?;
        }
        Ok(vocabulary)
    }

    fn push(&mut self, id: u32, text: &str, kind: Kind, spelling: Spelling) -> Result<(), TokenizerError> {
        self.texts.push(text.as_bytes())?;
        self.bytes.push_with(|out| spell_out(text, kind, spelling, out))?;
        self.kinds.push(kind);
        self.longest = self.longest.max(text.len());
        if text.is_empty() {
            return Ok(());
        }
        match self.index.insert(id, &self.texts) {
            None => Ok(()),
            Some(first) => Err(TokenizerError::RepeatedToken { id, first, text: text.to_owned() }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The token spelled `text`.
    pub(super) fn id_of(&self, text: &[u8]) -> Option<u32> {
        if text.len() > self.longest { None } else { self.index.get(text, &self.texts) }
    }

    /// How the vocabulary spells the token.
    pub(super) fn text(&self, id: u32) -> Option<&str> {
        self.texts.get(id).and_then(|text| std::str::from_utf8(text).ok())
    }

    /// The bytes the token stands for.
    pub(super) fn bytes(&self, id: u32) -> Option<&[u8]> {
        self.bytes.get(id)
    }

    pub(super) fn kind(&self, id: u32) -> Option<Kind> {
        self.kinds.get(id as usize).copied()
    }

    /// Makes a token a control token, whatever the file calls it.
    pub(super) fn make_control(&mut self, id: u32) {
        if let Some(kind) = self.kinds.get_mut(id as usize) {
            *kind = Kind::Control;
        }
    }

    /// The numbers of all special tokens.
    pub(super) fn special(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.kinds).filter(|(_, kind)| kind.is_special()).map(|(id, _)| id)
    }

    /// The token for a byte that no other token covers, as SentencePiece spells it.
    pub(super) fn byte_token(&self, byte: u8) -> Option<u32> {
        self.id_of(format!("<0x{byte:02X}>").as_bytes()).or_else(|| self.id_of(&[byte]))
    }
}

fn spell_out(text: &str, kind: Kind, spelling: Spelling, out: &mut Vec<u8>) {
    match (kind, spelling) {
        (Kind::Byte, _) => match byte_of(text) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(text.as_bytes()),
        },
        (Kind::Normal | Kind::Unused, Spelling::ByteLevel) => byte_level::decode(text, out),
        (Kind::Normal | Kind::Unused, Spelling::SentencePiece) => {
            for (index, part) in text.split(SPACE_MARK).enumerate() {
                if index > 0 {
                    out.push(b' ');
                }
                out.extend_from_slice(part.as_bytes());
            }
        }
        _ => out.extend_from_slice(text.as_bytes()),
    }
}

/// The byte that a text such as `<0x0A>` names.
pub(super) fn byte_of(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_byte = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_byte { u8::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(tokens: &[(&'static str, Kind)], spelling: Spelling) -> Result<Vocabulary, TokenizerError> {
        Vocabulary::new(tokens.iter().copied(), spelling)
    }

    #[test]
    fn texts_and_numbers_lead_to_each_other() {
        let texts: Vec<String> = (0..5000).map(|id| format!("t{id}")).collect();
        let tokens = texts.iter().map(|text| (text.as_str(), Kind::Normal));
        let vocabulary = Vocabulary::new(tokens, Spelling::SentencePiece).unwrap();
        for (id, text) in (0..).zip(&texts) {
            assert_eq!(vocabulary.id_of(text.as_bytes()), Some(id));
            assert_eq!(vocabulary.text(id), Some(text.as_str()));
        }
        assert_eq!(vocabulary.id_of(b"t5000"), None);
        assert_eq!(vocabulary.text(5000), None);
        assert_eq!(vocabulary.bytes(u32::MAX), None);
    }

    #[test]
    fn bytes_follow_the_spelling_and_the_kind() {
        let tokens = [("Ġa", Kind::Normal), ("<Ġ>", Kind::Control), ("<0x0A>", Kind::Byte), ("", Kind::Unused)];
        let byte_level = vocabulary(&tokens, Spelling::ByteLevel).unwrap();
        let bytes: Vec<_> = (0..4).map(|id| byte_level.bytes(id).unwrap()).collect();
        assert_eq!(bytes, [b" a", "<Ġ>".as_bytes(), b"\n", b""]);
        let tokens = [("▁a▁▁b", Kind::Normal), ("▁", Kind::UserDefined)];
        let sentence_piece = vocabulary(&tokens, Spelling::SentencePiece).unwrap();
        assert_eq!(sentence_piece.bytes(0), Some(&b" a  b"[..]));
        assert_eq!(sentence_piece.bytes(1), Some("▁".as_bytes()));
    }

    #[test]
    fn a_repeated_text_is_refused_but_empty_texts_are_not() {
        let error = vocabulary(&[("a", Kind::Normal), ("a", Kind::Control)], Spelling::ByteLevel).unwrap_err();
        assert_eq!(error.to_string(), r#"token 1 is "a", as token 0 is, expected a new text"#);
        assert!(vocabulary(&[("", Kind::Normal), ("", Kind::Normal)], Spelling::ByteLevel).is_ok());
    }

    #[test]
    fn byte_tokens_need_two_digits() {
        assert_eq!(byte_of("<0xff>"), Some(255));
        assert_eq!(byte_of("<0x+1>"), None);
        assert_eq!(byte_of("<0x1>"), None);
        assert_eq!(byte_of("<0x012>"), None);
    }
}
