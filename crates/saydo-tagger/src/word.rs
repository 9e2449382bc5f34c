//! How a token looks to the model: lower-cased text with digits made alike, and the outline of its capitals. Separate
//! because both the lexicon and the features are keyed by it.

/// The form under which words are looked up: lower case, straight apostrophes, every digit `0`; all web addresses are
/// one word and all mail addresses another.
pub(crate) fn normalize(token: &str) -> String {
    if token.starts_with("http") && token.contains("://") || token.starts_with("www.") {
        return "<web>".to_owned();
    }
    if token.len() > 1 && token.contains('@') {
        return "<mail>".to_owned();
    }
    let plain = |c: char| match c {
        '’' | '‘' => '\'',
        '0'..='9' => '0',
        other => other,
    };
    token.chars().flat_map(char::to_lowercase).map(plain).collect()
}

/// The outline of a token, runs made short: `Xx` for `Paris`, `X.X.` for `U.S.`, `d,d` for `5,000`.
pub(crate) fn shape(token: &str) -> String {
    let mut shape = String::new();
    for c in token.chars() {
        let kind = match c {
            c if c.is_uppercase() => 'X',
            c if c.is_alphabetic() => 'x',
            c if c.is_numeric() => 'd',
            c => c,
        };
        if !shape.ends_with(kind) {
            shape.push(kind);
        }
    }
    shape
}

/// The last `count` characters; the whole word if it has no more.
pub(crate) fn suffix(word: &str, count: usize) -> &str {
    let start = word.char_indices().rev().nth(count.saturating_sub(1)).map_or(0, |(at, _)| at);
    &word[start..]
}

/// The first `count` characters; the whole word if it has no more.
pub(crate) fn prefix(word: &str, count: usize) -> &str {
    let end = word.char_indices().nth(count).map_or(word.len(), |(at, _)| at);
    &word[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_addresses_are_made_alike() {
        assert_eq!(normalize("F-16"), "f-00");
        assert_eq!(normalize("DON’T"), "don't");
        assert_eq!(normalize("https://example.org/a"), "<web>");
        assert_eq!(normalize("ann@example.org"), "<mail>");
        assert_eq!(normalize("@"), "@");
    }

    #[test]
    fn shape_shortens_runs() {
        assert_eq!(shape("McKinley"), "XxXx");
        assert_eq!(shape("5,000"), "d,d");
        assert_eq!(shape(""), "");
    }

    #[test]
    fn affixes_count_characters() {
        assert_eq!(suffix("naïve", 3), "ïve");
        assert_eq!(suffix("of", 3), "of");
        assert_eq!(prefix("über", 1), "ü");
        assert_eq!(prefix("of", 3), "of");
    }
}
