//! A whole file as one document.

use super::{html, io_reason, not_utf8, too_large};
use crate::{Document, Unreadable};
use serde_json::Value;
use std::io::{BufRead, Read};

/// Reads everything that is there.
pub fn read(stream: impl BufRead, name: String, is_html: bool, max: u64) -> Result<Document, Unreadable> {
    match read_text(stream, max) {
        Ok(text) => {
            let text = if is_html { html::extract(&text) } else { text };
            Ok(Document { id: Value::from(name.as_str()), source: name, text, question: None })
        }
        Err(reason) => Err(Unreadable::new(name, reason)),
    }
}

fn read_text(stream: impl BufRead, max: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    stream.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| io_reason(&error))?;
    if bytes.len() as u64 > max {
        return Err(too_large(max));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(error.utf8_error()))
}
