//! The beginning of a text that a model still reads.

/// The longest beginning of a text with at most N tokens.
pub fn beginning(text: &str, tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    let ends: Vec<usize> = text.char_indices().map(|(place, c)| place + c.len_utf8()).collect();
    let fits = ends.partition_point(|end| count(&text[..*end]) <= tokens);
    text[..fits.checked_sub(1).map_or(0, |last| ends[last])].to_owned()
}
