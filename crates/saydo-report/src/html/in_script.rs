//! Data in a script element, made harmless.

/// JSON as it may stand in a script element: nothing in it ends the element or opens a comment, and it is also a
/// literal of every version of JavaScript.
///
/// These characters stand in strings only, where an escape means the same.
pub(super) fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_a_script_means_the_same_and_cannot_end_it() {
        let text = "</script><!--<script>\u{2028}\u{2029}&";
        let json = serde_json::to_string(text).unwrap();
        let safe = in_script(&json);
        assert!(safe.is_ascii() && !safe.contains(['<', '>', '&']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }
}
