//! GPT-2's way to write any byte as a visible character, so that vocabularies are plain text files.
//!
//! Printable ASCII and Latin-1 bytes stand for themselves; the other 68 become the characters from U+0100 on, in order.

use std::sync::LazyLock;

/// The character of each byte.
pub(super) static CHARACTERS: LazyLock<[char; 256]> = LazyLock::new(|| {
    let mut others = 0x100u32..;
    std::array::from_fn(|byte| match byte as u8 {
        byte @ (b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff) => char::from(byte),
        _ => others.next().and_then(char::from_u32).expect("the characters from U+0100 to U+0143 exist"),
    })
});

/// The byte of each character below U+0144 that has one.
static BYTES: LazyLock<[Option<u8>; 0x144]> = LazyLock::new(|| {
    let mut bytes = [None; 0x144];
    for (byte, character) in (0..=u8::MAX).zip(*CHARACTERS) {
        bytes[character as usize] = Some(byte);
    }
    bytes
});

/// Appends the bytes that `text` writes, or `text` itself if some character of it stands for no byte.
pub(super) fn decode(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    for character in text.chars() {
        match BYTES.get(character as usize) {
            Some(Some(byte)) => out.push(*byte),
            _ => {
                out.truncate(start);
                out.extend_from_slice(text.as_bytes());
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Vec<u8> {
        let mut out = b"before".to_vec();
        decode(text, &mut out);
        out.split_off(6)
    }

    #[test]
    fn every_byte_comes_back() {
        for (byte, character) in (0..=u8::MAX).zip(*CHARACTERS) {
            assert_eq!(decoded(&character.to_string()), [byte]);
        }
    }

    #[test]
    fn a_space_is_the_character_known_from_vocabularies() {
        assert_eq!(decoded("Ġthe"), b" the");
        assert_eq!(decoded("Ċ"), b"\n");
        assert_eq!(decoded("Ã©"), "é".as_bytes());
    }

    #[test]
    fn a_text_with_other_characters_stays_as_it_is() {
        assert_eq!(decoded("Ġ日"), "Ġ日".as_bytes());
    }
}
