//! Texts of samples, models and files, made harmless: in markup, and in the data of a script element.

/// A text as it stands in markup, also between quotes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

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
    fn markup_becomes_text() {
        assert_eq!(escape("<a href='x'>\"&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;");
    }

    #[test]
    fn data_in_a_script_means_the_same_and_cannot_end_it() {
        let text = "</script><!--<script>\u{2028}\u{2029}&";
        let json = serde_json::to_string(text).unwrap();
        let safe = in_script(&json);
        assert!(safe.is_ascii() && !safe.contains(['<', '>', '&']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }
}
