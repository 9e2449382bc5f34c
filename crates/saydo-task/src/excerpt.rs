//! Short pieces of texts for messages: one line, cut at characters, in backquotes.

const LENGTH: usize = 60;
const AROUND: usize = 16;

/// The start of a text.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.trim().replace(['\n', '\r', '\t'], " ");
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A piece of a text on both sides of a byte offset, which must be at a character.
pub(crate) fn around(text: &str, at: usize) -> String {
    let start = text[..at].char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    let end = text[at..].char_indices().nth(AROUND).map_or(text.len(), |(end, _)| at + end);
    quoted(&text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_cut_at_characters() {
        assert_eq!(quoted(&"é".repeat(100)), format!("`{}…`", "é".repeat(60)));
        assert_eq!(quoted(" a\nb "), "`a b`");
        let text = "ä".repeat(50) + "\u{fffd}" + &"ö".repeat(50);
        assert_eq!(around(&text, 100), format!("`{}\u{fffd}{}`", "ä".repeat(16), "ö".repeat(15)));
    }
}
