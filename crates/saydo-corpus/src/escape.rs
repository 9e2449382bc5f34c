//! Text as HTML that shows exactly that text, in elements and in quoted attributes.

/// The text with everything that means something in HTML written out. Control characters, which a page may not hold, are
/// shown by their symbols.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(character),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_can_become_markup() {
        assert_eq!(escape("<a href='x\"'>&amp;"), "&lt;a href=&#39;x&quot;&#39;&gt;&amp;amp;");
        assert_eq!(escape("a\0\u{1b}\n\u{7f}\u{85}滝"), "a␀␛\n␡\u{fffd}滝");
    }
}
