//! How answers are written: what a model is asked to reply, what it learns to reply, and what `parse` reads.
//!
//! Labels as they are, spans with `; ` between them, records as a JSON list, `n/a` where the text does not say.

use saydo_model::Escape;

/// What "the text does not say" is written as.
pub const NA: &str = "n/a";

/// What stands between spans.
pub const SPAN_SEPARATOR: &str = "; ";

/// What stands between a label and the passage that shows it.
pub const EVIDENCE_SEPARATOR: &str = ":";

/// Records as a reply: a JSON list of objects with these fields in this order, `n/a` for what is missing.
///
/// ```
/// let fields = ["hike", "paved"];
/// let records = [vec![Some("Fern Hike"), Some("yes")], vec![Some("Moss Trail"), None]];
/// let written = saydo_function::form::records(&fields, &records);
/// assert_eq!(written, r#"[{"hike": "Fern Hike", "paved": "yes"}, {"hike": "Moss Trail", "paved": "n/a"}]"#);
/// ```
pub fn records(fields: &[&str], records: &[Vec<Option<&str>>]) -> String {
    let quoted = |text: &str| format!("\"{}\"", Escape::Json.write(text));
    let record = |values: &Vec<Option<&str>>| {
        let pair =
            |(field, value): (&&str, &Option<&str>)| format!("{}: {}", quoted(field), quoted(value.unwrap_or(NA)));
        let pairs: Vec<String> = fields.iter().zip(values).map(pair).collect();
        format!("{{{}}}", pairs.join(", "))
    };
    format!("[{}]", records.iter().map(record).collect::<Vec<_>>().join(", "))
}
